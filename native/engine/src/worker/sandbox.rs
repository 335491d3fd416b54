//! How a worker JVM is locked in.

/// What holds around the workers of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Guards {
    /// Files outside the private folder are out of reach by the kernel's word.
    pub landlock: bool,
    /// Sockets, other processes and mounts are out of reach by the kernel's word.
    pub seccomp: bool,
}
