//! Why bytes could not be read.

/// What is wrong with the bytes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WireError {
    /// The magic number is another: not a file or stream of ours.
    #[error("does not start with the magic number of {expected}")]
    Foreign {
        /// What was expected, such as `a Palus trace`.
        expected: &'static str,
    },
    /// Written by another version.
    #[error("has format version {found}, this build reads version {expected}")]
    Version {
        /// Version in the bytes.
        found: u16,
        /// Version of this build.
        expected: u16,
    },
    /// The bytes break the format.
    #[error("is damaged at byte {offset}: {what}")]
    Damaged {
        /// Where.
        offset: u64,
        /// What was expected there.
        what: &'static str,
    },
}
