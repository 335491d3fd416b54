//! Hash tables with a fixed hash function, for the hot paths of reading a trace.
//!
//! Comes in: keys. Goes out: their values, never an order: nobody iterates these tables, so that results depend on the
//! trace alone.
//! Does not know: what is kept in them.

use std::hash::{BuildHasherDefault, Hasher};

/// A table that is looked up and never iterated.
#[expect(
    clippy::disallowed_types,
    reason = "fixed hash function, never iterated: the same input gives the same output"
)]
pub(crate) type Table<K, V> = std::collections::HashMap<K, V, BuildHasherDefault<Mixer>>;

/// Multiplies and rotates, eight bytes at a time.
#[derive(Clone, Copy, Default)]
pub(crate) struct Mixer(u64);

impl Mixer {
    fn mix(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95);
    }
}

impl Hasher for Mixer {
    fn finish(&self) -> u64 {
        // The upper bits are the well mixed ones; tables look at both ends.
        self.0.rotate_left(26)
    }

    fn write(&mut self, bytes: &[u8]) {
        let mut words = bytes.chunks_exact(8);
        for word in &mut words {
            self.mix(u64::from_le_bytes(
                word.try_into().expect("chunks of eight bytes"),
            ));
        }
        let mut last = words.remainder().len() as u64;
        for &byte in words.remainder() {
            last = (last << 8) | u64::from(byte);
        }
        self.mix(last);
    }

    fn write_u8(&mut self, number: u8) {
        self.mix(u64::from(number));
    }

    fn write_u16(&mut self, number: u16) {
        self.mix(u64::from(number));
    }

    fn write_u32(&mut self, number: u32) {
        self.mix(u64::from(number));
    }

    fn write_u64(&mut self, number: u64) {
        self.mix(number);
    }

    fn write_usize(&mut self, number: usize) {
        self.mix(number as u64);
    }
}
