//! What is chosen of models: a bandit with many arms, which are the edges.
//!
//! Comes in: how often each arm was taken, which of its runs covered something new, what its method leaves open. Goes
//! out: which of two is worth more.
//! Sutton, Barto, "Reinforcement Learning: An Introduction", second edition, sections 2.2 and 2.6: arms are valued by the
//! mean of what they yielded, and values that are optimistic at first, here by the open branches, make all be tried. Of so
//! many arms a few are drawn and the best is taken, which is the exploration.
//!
//! ```text
//! a leaves 12 branches open, taken 5 times, nothing new      13 of 6
//! b leaves none open, taken 9 times, one of them new         31 of 10: next
//! ```
//! Does not know: models, sequences, random numbers.

use crate::draft::Arm;
use std::collections::BTreeMap;

/// More open branches than that make an arm no better.
const MANY_OPEN: u32 = 60;
/// A run that covered something new counts as much as so many open branches.
const OF_A_GAIN: u64 = 30;

/// How often each arm was taken, and with what success.
#[derive(Clone, Debug, Default)]
pub(crate) struct Arms {
    taken: BTreeMap<Arm, (u32, u32)>,
}

/// What an arm is worth: a fraction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Worth(u64, u64);

impl Worth {
    /// True if it is more than another.
    pub fn is_more_than(self, other: Worth) -> bool {
        u128::from(self.0) * u128::from(other.1) > u128::from(other.0) * u128::from(self.1)
    }
}

impl Arms {
    /// What an arm is worth whose method leaves so many branches open.
    pub fn worth(&self, arm: Arm, open: u32) -> Worth {
        let (taken, gains) = self.taken.get(&arm).copied().unwrap_or_default();
        let open = u64::from(open.min(MANY_OPEN));
        Worth(
            1 + open + OF_A_GAIN * u64::from(gains),
            1 + u64::from(taken),
        )
    }

    /// Counts that an arm was taken.
    pub fn take(&mut self, arm: Arm) {
        self.taken.entry(arm).or_default().0 += 1;
    }

    /// Counts that a run it was taken for covered something new.
    pub fn gain(&mut self, arm: Arm) {
        self.taken.entry(arm).or_default().1 += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palus_learn::EdgeId;

    #[test]
    fn an_arm_is_worth_its_open_branches_until_it_was_taken_often_and_what_it_yields_from_then_on()
    {
        let [a, b] = [0, 1].map(|edge| Arm::Edge(0, EdgeId(edge)));
        let mut arms = Arms::default();
        let is_better = |arms: &Arms, open_a, open_b| {
            let worth = arms.worth(a, open_a);
            worth.is_more_than(arms.worth(b, open_b))
        };
        assert!(is_better(&arms, 12, 0) && !is_better(&arms, 0, 0));
        assert!(
            !is_better(&arms, 1000, 60),
            "more than many is as good as many"
        );
        for _ in 0..13 {
            arms.take(a);
        }
        assert!(!is_better(&arms, 12, 0), "13 of 14");
        arms.gain(a);
        assert!(is_better(&arms, 12, 0), "43 of 14");
        for _ in 0..30 {
            arms.take(a);
        }
        assert!(!is_better(&arms, 12, 0), "43 of 44");
    }
}
