//! What runs cost, so that a dear call does not eat the time of a hundred cheap ones.
//!
//! Comes in: the cost of each run in method entries and backward jumps of the subject, which repeats where time does
//! not. Goes out: how much less often the dear ones are worth running.
//! Pacheco's Randoop weighs sequences by the time they take in the same spirit (its "orienteering" selection).
//! Does not know: what is run, what it covers.

use crate::rng::Rng;

/// What a run costs that calls nothing: sending, setting up and answering, in the same unit.
const BASE: u64 = 1_000;
/// Objects that cost less are cheap, in the same unit.
const CHEAP: u64 = 4 * BASE;
/// A dear target keeps this part of its weight, however dear: deep code is what is left to cover.
const LEAST: u64 = 32;

/// Runs and their cost in all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cost {
    runs: u64,
    sum: u64,
}

/// The cost of one run with what every run costs.
pub(crate) fn of(cost: u32) -> u64 {
    BASE + u64::from(cost)
}

/// How many runs that call nothing cost the same.
pub(crate) fn in_steps(cost: u32) -> u64 {
    of(cost) / BASE
}

/// The index of one of some runs, with chances in inverse ratio to what they cost: in the long run each takes as much
/// time as any other.
pub(crate) fn draw(rng: &mut Rng, costs: &[u32]) -> usize {
    let dearest = costs.iter().map(|&cost| of(cost)).max().unwrap_or(BASE);
    let equal = costs.iter().all(|&cost| of(cost) == dearest);
    if equal {
        return 0;
    }
    // In parts of 16, so that nearly equal costs are told apart.
    let weights = costs.iter().map(|&cost| (16 * dearest / of(cost)) as usize);
    let mut left = rng.below(weights.clone().sum());
    for (index, weight) in weights.enumerate() {
        if left < weight {
            return index;
        }
        left -= weight;
    }
    unreachable!("it is below the sum of all weights")
}

/// Whether an object is worth what a run costs that makes it: always up to a few calls, else in inverse ratio.
pub(crate) fn is_worth(rng: &mut Rng, cost: u32) -> bool {
    let cost = of(cost);
    cost <= CHEAP || rng.below(cost as usize) < CHEAP as usize
}

impl Cost {
    /// Counts a run.
    pub fn add(&mut self, cost: u32) {
        self.runs += 1;
        self.sum += of(cost);
    }

    /// The part of a weight that is left where these runs cost more than those of all on average: in inverse ratio, and
    /// at least 1.
    pub fn share(self, weight: u32, all: Cost) -> u32 {
        let mean = self.mean();
        let usual = all.mean();
        if mean <= usual {
            return weight;
        }
        let factor = (mean / usual).min(LEAST) as u32;
        (weight / factor).max(1)
    }

    fn mean(self) -> u64 {
        self.sum.checked_div(self.runs).unwrap_or(BASE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runs(costs: &[u32]) -> Cost {
        let mut cost = Cost::default();
        for &one in costs {
            cost.add(one);
        }
        cost
    }

    #[test]
    fn a_dear_target_is_drawn_in_inverse_ratio_but_never_left_out() {
        let all = runs(&[0, 1_000, 5_000]); // 3,000 a run with the base
        assert_eq!(runs(&[2_000]).share(60, all), 60);
        assert_eq!(runs(&[11_000]).share(60, all), 15);
        assert_eq!(runs(&[u32::MAX]).share(60, all), 1);
        assert_eq!(Cost::default().share(60, all), 60);
        assert_eq!(runs(&[11_000]).share(1, all), 1);
    }

    #[test]
    fn the_dear_one_is_drawn_as_much_less_often_as_it_costs_more() {
        let mut rng = Rng::of(1, "");
        let mut drawn = [0; 3];
        for _ in 0..9_300 {
            drawn[draw(&mut rng, &[0, 31_000, 0])] += 1;
        }
        // 64 to 2 to 64: the second costs 32 times as much.
        assert!((4_300..4_850).contains(&drawn[0]), "{drawn:?}");
        assert!((4_300..4_850).contains(&drawn[2]), "{drawn:?}");
        assert!((80..220).contains(&drawn[1]), "{drawn:?}");
        assert_eq!(draw(&mut rng, &[500, 500]), 0);
    }

    #[test]
    fn what_a_few_calls_cost_is_always_worth_it() {
        let mut rng = Rng::of(1, "");
        assert!((0..1_000).all(|_| is_worth(&mut rng, 3_000)));
        let taken = (0..1_000).filter(|_| is_worth(&mut rng, 39_000)).count();
        assert!((60..140).contains(&taken), "a tenth, not {taken}");
    }
}
