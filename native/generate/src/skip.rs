//! Why a target has no test, and whether trying on makes sense.
//!
//! Comes in: how each try of a target ended. Goes out: a [`SkipCode`] for targets that never ran, and a bar for those
//! that hang or end the JVM.
//! Does not know: sequences.

use crate::cost::Cost;
use palus_sequence::{Crash, End};

/// Why a method has no test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SkipCode {
    /// S02: private, or in a class that tests cannot name.
    NotAccessible,
    /// S04: no instance of the receiver or of a parameter type could be made.
    NoInstance,
    /// S05: every try hung or recursed too deep.
    Endless,
    /// S06: every try ended the JVM, in this way as a rule.
    EndsJvm(Crash),
    /// S06: every try asked for more memory than a sequence may have.
    TooMuchMemory,
    /// S07: every try was denied by a guard (exit, files, network, processes).
    Denied,
    /// S08: the class could not be initialised or linked.
    NotLoadable,
    /// S09: the budget ended before the method was tried.
    OutOfBudget,
    /// S10: a defect of Palus ended the work on the class.
    Defect,
}

/// How the tries of one target ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    /// Candidates that could not even be made.
    pub void: u32,
    /// Calls that returned.
    pub completed: u32,
    /// Calls that threw.
    pub threw: u32,
    /// Runs that ended before the call was reached.
    pub missed: u32,
    endless: u32,
    timed_out: u32,
    crashed: u32,
    /// The last way of it.
    crash: Option<Crash>,
    greedy: u32,
    denied: u32,
    unusable: u32,
    /// What its runs cost in all.
    pub cost: Cost,
    /// What is left of the reward for the last gain; see `random.rs`.
    pub energy: u32,
}

impl Tally {
    /// Counts the end of a run in the target's own call.
    pub fn ended(&mut self, end: &End) {
        match end {
            End::Completed => self.completed += 1,
            End::Threw(_) => self.threw += 1,
            End::OutOfFuel | End::TooDeep => self.endless += 1,
            End::TimedOut => {
                self.endless += 1;
                self.timed_out += 1;
            }
            End::Crashed(crash) => {
                self.crashed += 1;
                self.crash = Some(*crash);
            }
            End::OutOfMemory => self.greedy += 1,
            End::Denied(_) | End::StartedThread => self.denied += 1,
            End::Unusable(_) => self.unusable += 1,
        }
    }

    /// Tries that reached the call.
    pub fn tries(&self) -> u32 {
        self.completed + self.threw + self.without_end()
    }

    /// True where more tries would cost more than they bring.
    pub fn is_barred(&self) -> bool {
        let ran = self.completed + self.threw;
        self.timed_out >= 3
            || self.crashed >= if ran == 0 { 2 } else { 4 }
            || (ran == 0 && self.without_end() >= 40)
            || (self.endless + self.greedy >= 40 && self.endless + self.greedy > ran)
    }

    /// Tries that ended in the call and tell nothing of it.
    fn without_end(&self) -> u32 {
        self.endless + self.crashed + self.greedy + self.denied + self.unusable
    }

    /// The reason why no test can show the target; none if a run did.
    pub fn skip_code(&self, is_used_up: bool) -> Option<SkipCode> {
        if self.completed + self.threw > 0 {
            return None;
        }
        let ends_jvm = match self.crash {
            Some(crash) if self.crashed >= self.greedy => SkipCode::EndsJvm(crash),
            _ => SkipCode::TooMuchMemory,
        };
        let reasons = [
            (self.endless, SkipCode::Endless),
            (self.crashed + self.greedy, ends_jvm),
            (self.denied, SkipCode::Denied),
            (self.unusable, SkipCode::NotLoadable),
        ];
        let most = reasons
            .iter()
            .max_by_key(|(count, code)| (*count, std::cmp::Reverse(*code)));
        let (count, code) = most.expect("there are four reasons");
        if *count > 0 {
            return Some(*code);
        }
        let was_tried = self.void + self.missed > 0;
        Some(if is_used_up && !was_tried {
            SkipCode::OutOfBudget
        } else {
            SkipCode::NoInstance
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_that_ran_once_is_not_skipped() {
        let mut tally = Tally::default();
        tally.ended(&End::OutOfFuel);
        assert_eq!(tally.skip_code(false), Some(SkipCode::Endless));
        tally.ended(&End::Completed);
        assert_eq!(tally.skip_code(false), None);
    }

    #[test]
    fn the_most_frequent_cause_is_the_reason() {
        let mut tally = Tally::default();
        tally.ended(&End::OutOfFuel);
        tally.ended(&End::Denied("exit".into()));
        tally.ended(&End::Denied("exit".into()));
        assert_eq!(tally.skip_code(true), Some(SkipCode::Denied));
    }

    #[test]
    fn a_target_without_a_receiver_has_no_instance() {
        let tally = Tally {
            void: 3,
            ..Tally::default()
        };
        assert_eq!(tally.skip_code(true), Some(SkipCode::NoInstance));
        assert_eq!(
            Tally::default().skip_code(true),
            Some(SkipCode::OutOfBudget)
        );
    }

    #[test]
    fn what_kills_workers_is_barred_after_two_deaths() {
        let mut tally = Tally::default();
        tally.ended(&End::Crashed(Crash::Ended));
        assert!(!tally.is_barred());
        tally.ended(&End::Crashed(Crash::Threads));
        assert!(tally.is_barred());
        let code = SkipCode::EndsJvm(Crash::Threads);
        assert_eq!(tally.skip_code(false), Some(code));
    }

    #[test]
    fn what_asks_for_too_much_memory_stays_callable() {
        let mut tally = Tally::default();
        for _ in 0..39 {
            tally.ended(&End::OutOfMemory);
        }
        assert!(!tally.is_barred());
        assert_eq!(tally.skip_code(false), Some(SkipCode::TooMuchMemory));
        tally.ended(&End::Completed);
        tally.ended(&End::OutOfMemory);
        assert!(tally.is_barred(), "40 of 41 tries");
        for _ in 0..39 {
            tally.ended(&End::Completed);
        }
        assert!(!tally.is_barred(), "40 of 80 tries");
    }
}
