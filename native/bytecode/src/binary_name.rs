//! The two ways to write the whole name of a class or package.
//!
//! Comes in: a name of one kind. Goes out: the same name of the other kind.
//! Class files have internal names (`java/util/Map$Entry`, JVMS 4.2.1); the platform, settings and reports have binary
//! names (`java.util.Map$Entry`, JLS 13.1).
//! Does not know: how source text refers to a class, see [`Program::source_name`](crate::Program::source_name).

/// The binary name of what has this internal name.
pub fn binary_name(internal: &str) -> String {
    internal.replace('/', ".")
}

/// The internal name of what has this binary name.
pub fn internal_name(binary: &str) -> String {
    binary.replace('.', "/")
}
