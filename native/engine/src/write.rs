//! Files of tests and findings: which are ours, which stay, and how they get onto the disk.
//!
//! Comes in: texts of tests that passed. Goes out: files in the output folder and that of findings.
//! Does not know: how a test was found or verified.

pub(crate) mod disk;
pub(crate) mod earlier;
pub(crate) mod findings;
pub(crate) mod hashes;
pub(crate) mod kept;
pub(crate) mod layout;
pub(crate) mod lock;
pub(crate) mod manifest;
pub(crate) mod promote;
pub(crate) mod renewed;
pub(crate) mod sources;
