//! Random numbers of one unit.
//!
//! Comes in: the seed of the run and the subject's name. Goes out: draws from one named generator (PCG XSL 128/64,
//! multiplicative), the same on every machine; every draw happens in program order.
//! Does not know: what is drawn for.

use rand::Rng as _;
use rand_pcg::Mcg128Xsl64;

/// The generator of one unit.
#[derive(Clone, Debug)]
pub struct Rng {
    generator: Mcg128Xsl64,
    /// What tests want drawn, in order; see [`Rng::script`].
    #[cfg(test)]
    script: Option<std::collections::VecDeque<usize>>,
}

impl Rng {
    /// Seeds from the run's seed and a name: FNV-1a, 128 bits, over the seed's bytes (little end first) and the name.
    pub fn of(seed: u64, name: &str) -> Rng {
        let mut hash: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
        for byte in seed.to_le_bytes().into_iter().chain(name.bytes()) {
            hash ^= u128::from(byte);
            hash = hash.wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b);
        }
        Rng {
            generator: Mcg128Xsl64::new(hash),
            #[cfg(test)]
            script: None,
        }
    }

    /// A number below `bound`; 0 for a bound of 0.
    pub fn below(&mut self, bound: usize) -> usize {
        #[cfg(test)]
        if let Some(script) = &mut self.script {
            let otherwise = if bound == 100 { 99 } else { 0 };
            let drawn = script.pop_front().unwrap_or(otherwise);
            assert!(drawn < bound.max(1), "{drawn} is drawn below {bound}");
            return drawn;
        }
        let wide = u128::from(self.generator.next_u64()) * bound as u128;
        (wide >> 64) as usize
    }

    /// Lets the next draws be these; those after them say no to every share, and else take the first.
    #[cfg(test)]
    pub(crate) fn script(&mut self, draws: &[usize]) {
        self.script = Some(draws.iter().copied().collect());
    }

    /// A number from 0 (included) to 1 (excluded).
    pub fn even(&mut self) -> f64 {
        const STEPS: u32 = 1 << 30;
        f64::from(self.below(STEPS as usize) as u32) / f64::from(STEPS)
    }

    /// True in `percent` of 100 draws.
    pub fn percent(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of the elements; none of an empty slice.
    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        if from.is_empty() {
            None
        } else {
            Some(&from[self.below(from.len())])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_means_the_same_everywhere() {
        let mut rng = Rng::of(42, "java/util/BitSet");
        let draws: Vec<usize> = (0..8).map(|_| rng.below(1000)).collect();
        assert_eq!(draws, DRAWS);
        assert_eq!(rng.below(0), 0);
    }

    const DRAWS: [usize; 8] = [441, 844, 249, 61, 38, 136, 226, 313];

    #[test]
    fn units_draw_different_numbers() {
        let first: Vec<usize> = {
            let mut rng = Rng::of(0, "A");
            (0..8).map(|_| rng.below(1 << 30)).collect()
        };
        let other: Vec<usize> = {
            let mut rng = Rng::of(0, "B");
            (0..8).map(|_| rng.below(1 << 30)).collect()
        };
        assert_ne!(first, other);
    }

    #[test]
    fn draws_are_spread_evenly() {
        let mut rng = Rng::of(7, "A");
        let mut counts = [0; 10];
        for _ in 0..10_000 {
            counts[rng.below(10)] += 1;
        }
        assert!(
            counts.iter().all(|count| (850..1150).contains(count)),
            "{counts:?}"
        );
    }
}
