//! What is said of an input that a reader fails on.
//!
//! Comes in: the input and what the reader did. Goes out: a line with the input in hexadecimal.
//! Does not know: how inputs are made and read.

use std::fmt;

/// An input that a reader fails on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// What the reader did.
    pub what: String,
    /// The input.
    pub input: Vec<u8>,
}

impl fmt::Display for Failure {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "{} on ", self.what)?;
        hexadecimal(&self.input, to)
    }
}

fn hexadecimal(bytes: &[u8], to: &mut impl fmt::Write) -> fmt::Result {
    bytes.iter().try_for_each(|byte| write!(to, "{byte:02x}"))
}
