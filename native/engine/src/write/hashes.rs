//! Hashes of what files hold.
//!
//! Comes in: bytes. Goes out: SHA-256 in hexadecimal, 64 letters.
//! Does not know: whose files they are.

use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::io::Read;

/// SHA-256 in hexadecimal.
pub(crate) fn hash(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes))
}

/// The same of all that can be read, which is not held in memory.
///
/// # Errors
/// Those of the reader.
pub(crate) fn hash_of(mut all: impl Read) -> std::io::Result<String> {
    let mut digest = Sha256::new();
    let mut block = vec![0; 64 << 10];
    loop {
        match all.read(&mut block)? {
            0 => return Ok(hexadecimal(&digest.finalize())),
            length => digest.update(&block[..length]),
        }
    }
}

fn hexadecimal(digest: &[u8]) -> String {
    digest
        .iter()
        .fold(String::with_capacity(64), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        })
}
