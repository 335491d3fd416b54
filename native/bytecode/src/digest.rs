//! A number for what prints as one text, the same in every run of one build of Palus.
//!
//! Comes in: anything with a debug form. Goes out: 64 bits, by a hash function with fixed keys.
//! Does not know: what the parts mean.

use std::fmt::{Debug, Write as _};
use std::hash::{DefaultHasher, Hasher as _};

/// A digest that grows part by part.
#[derive(Default)]
pub struct Digest(DefaultHasher);

impl Digest {
    /// The digest of one part.
    pub fn of(part: &dyn Debug) -> u64 {
        let mut digest = Digest::default();
        digest.add(part);
        digest.finish()
    }

    /// Adds a part, after those before.
    pub fn add(&mut self, part: &dyn Debug) {
        let _ = write!(self, "{part:?};");
    }

    /// What has been added so far.
    pub fn finish(&self) -> u64 {
        self.0.finish()
    }

    pub(crate) fn hasher(&mut self) -> &mut DefaultHasher {
        &mut self.0
    }
}

impl std::fmt::Write for Digest {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        self.0.write(text.as_bytes());
        Ok(())
    }
}
