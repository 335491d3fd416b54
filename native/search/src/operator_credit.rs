//! Whether templates yield more than all else that a hunt runs.
//!
//! Comes in: who made each run, what it cost, and whether it covered something or came nearer than any before. Goes out:
//! how many goals may have one of their first templates in the next generation.
//! Templates that build what no run had built yet pay at once; where they build what chance has built as well, they take
//! the time of offspring, and are dearer. Both are told by what they yielded lately (`Turns`).
//! Does not know: sequences, goals.

use crate::hunted::Origin;
use crate::parameters::{TEMPLATES_AT_LEAST, TEMPLATES_AT_ONCE};
use palus_generate::Turns;

const OTHERS: usize = 0;
const TEMPLATES: usize = 1;
/// Method entries and backward jumps that cost about as much as a run that calls nothing.
const ONE_RUN: u64 = 1_000;

/// What templates and all others yielded lately.
#[derive(Debug, Default)]
pub(crate) struct OperatorCredit {
    lately: Turns<2>,
    /// Steps and gains of each since that was asked.
    since: [(u64, u64); 2],
}

impl OperatorCredit {
    /// One run, of such a cost in method entries and backward jumps.
    pub fn reward(&mut self, origin: Origin, cost: u32, is_gain: bool) {
        let who = match origin {
            // What was run before says nothing of who made it.
            Origin::Seed => return,
            Origin::Template => TEMPLATES,
            _ => OTHERS,
        };
        let (steps, gains) = &mut self.since[who];
        *steps += 1 + u64::from(cost) / ONE_RUN;
        *gains += u64::from(is_gain);
    }

    /// Most first templates of the next generation: many, as long as templates yield more than all others do.
    pub fn templates_at_once(&mut self) -> usize {
        for (who, since) in self.since.iter_mut().enumerate() {
            let (steps, gains) = std::mem::take(since);
            self.lately.took(who, steps, gains);
        }
        match self.lately.next([true; 2]) {
            Some(TEMPLATES) => TEMPLATES_AT_ONCE,
            _ => TEMPLATES_AT_LEAST,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(runs: &[(Origin, u32, bool)]) -> usize {
        let mut credit = OperatorCredit::default();
        for _ in 0..20 {
            for &(origin, cost, is_gain) in runs {
                credit.reward(origin, cost, is_gain);
            }
        }
        credit.templates_at_once()
    }

    #[test]
    fn templates_that_yield_more_than_offspring_are_many() {
        let offspring = (Origin::Offspring, 10, false);
        assert_eq!(
            after(&[offspring, (Origin::Template, 10, true)]),
            TEMPLATES_AT_ONCE
        );
        let gaining = (Origin::Offspring, 10, true);
        assert_eq!(
            after(&[gaining, (Origin::Template, 10, false)]),
            TEMPLATES_AT_LEAST
        );
    }

    #[test]
    fn dear_templates_have_to_yield_more() {
        let offspring = (Origin::Offspring, 10, true);
        let dear = (Origin::Template, 5_000, true);
        assert_eq!(after(&[offspring, dear]), TEMPLATES_AT_LEAST);
        let others = [offspring, (Origin::Offspring, 10, false)].repeat(4);
        assert_eq!(
            after(&[&others[..], &[dear]].concat()),
            TEMPLATES_AT_LEAST,
            "one of six against one of two"
        );
    }

    #[test]
    fn runs_of_earlier_phases_do_not_count() {
        let seeds = [(Origin::Seed, 10, true), (Origin::Template, 10, true)];
        let mut credit = OperatorCredit::default();
        for (origin, cost, is_gain) in seeds {
            credit.reward(origin, cost, is_gain);
        }
        assert_eq!(credit.since, [(0, 0), (1, 1)]);
    }
}
