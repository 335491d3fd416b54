//! Good bytes made bad.
//!
//! Comes in: good inputs. Goes out: one of them with a few places damaged, the same for the same seed.

/// Values at which readers of lengths and numbers go wrong.
const HARD: &[u8] = &[0, 1, 0x7f, 0x80, 0xff];

/// A source of damage.
pub struct Mutator(u64);

impl Mutator {
    /// With its own sequence of numbers.
    pub fn new(seed: u64) -> Mutator {
        Mutator(seed)
    }

    /// The next number (`SplitMix64`).
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below a bound; 0 below 0.
    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }

    /// One of the inputs, damaged.
    pub fn damage(&mut self, seeds: &[Vec<u8>]) -> Vec<u8> {
        let mut bytes = seeds[self.below(seeds.len())].clone();
        for _ in 0..=self.below(6) {
            let at = self.below(bytes.len());
            let end = (at + self.below(16)).min(bytes.len());
            match self.below(8) {
                0 => bytes.truncate(at),
                1 => drop(bytes.drain(at..end)),
                2 => {
                    let part = bytes[at..end].to_vec();
                    let to = self.below(bytes.len());
                    bytes.splice(to..to, part);
                }
                3 => {
                    let byte = self.next() as u8;
                    bytes.insert(at, byte);
                }
                4 => {
                    let hard = HARD[self.below(HARD.len())];
                    bytes[at..end].fill(hard);
                }
                kind => {
                    let Some(byte) = bytes.get_mut(at) else {
                        continue;
                    };
                    *byte = match kind {
                        5 => HARD[self.below(HARD.len())],
                        6 => *byte ^ (1 << self.below(8)),
                        _ => self.next() as u8,
                    };
                }
            }
        }
        bytes
    }
}
