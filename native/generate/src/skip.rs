//! Why a target has no test, and whether trying on makes sense.
//!
//! Comes in: how each try of a target ended. Goes out: a [`SkipCode`] for targets that no test can show, and a bar for
//! those that hang or end the JVM.
//! Does not know: sequences.

use crate::cost::Cost;
use palus_sequence::{Crash, End, Outcome};
use std::sync::Arc;

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
    /// S09: the budget or the time was over before the method had a test.
    OutOfBudget,
    /// S10: a defect of Palus ended the work on the class.
    Defect,
    /// S11: what it does is another thing when it runs again.
    Unsteady,
    /// S12: it ended in a way that no source text can show.
    Unnameable,
    /// S13: the class has as many tests as it may have.
    TooManyTests,
    /// S14: the work on the class was given up, as too many workers were lost.
    GivenUp,
    /// S17: it ran, and no test could say anything of what it did.
    SaysNothing,
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
    /// Calls that returned or threw in runs that a test may show.
    shown: u32,
    /// Calls that did neither.
    own: Losses,
    /// Calls that returned or threw in runs that no test may show: by what came after them, was left behind, or differed
    /// when it ran again.
    unshown: Losses,
    /// What its runs cost in all.
    pub cost: Cost,
    /// What is left of the reward for the last gain; see `random.rs`.
    pub energy: u32,
}

/// Runs that no test may show, by why.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Losses {
    endless: u32,
    timed_out: u32,
    crashed: u32,
    /// The last way of it.
    crash: Option<Crash>,
    greedy: u32,
    denied: u32,
    /// What was denied first.
    denial: Option<Arc<str>>,
    unusable: u32,
    /// Why the first was.
    fault: Option<Arc<str>>,
    unsteady: u32,
}

impl Losses {
    fn count(&mut self, end: &End) {
        match end {
            // It may not be shown though, so it ended otherwise when it ran again.
            End::Completed | End::Threw(_) => self.unsteady += 1,
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
            End::Denied(what) => {
                self.denied += 1;
                self.denial.get_or_insert_with(|| what.clone());
            }
            End::StartedThread => {
                self.denied += 1;
                self.denial
                    .get_or_insert_with(|| "to start a thread".into());
            }
            End::Unusable(why) => {
                self.unusable += 1;
                self.fault.get_or_insert_with(|| why.clone());
            }
        }
    }

    fn all(&self) -> u32 {
        self.endless + self.crashed + self.greedy + self.denied + self.unusable + self.unsteady
    }

    fn with(&self, other: &Losses) -> Losses {
        Losses {
            endless: self.endless + other.endless,
            timed_out: self.timed_out + other.timed_out,
            crashed: self.crashed + other.crashed,
            crash: self.crash.or(other.crash),
            greedy: self.greedy + other.greedy,
            denied: self.denied + other.denied,
            denial: self.denial.clone().or_else(|| other.denial.clone()),
            unusable: self.unusable + other.unusable,
            fault: self.fault.clone().or_else(|| other.fault.clone()),
            unsteady: self.unsteady + other.unsteady,
        }
    }

    /// The most frequent reason; none where nothing was lost.
    fn reason(&self) -> Option<SkipCode> {
        let ends_jvm = match self.crash {
            Some(crash) if self.crashed >= self.greedy => SkipCode::EndsJvm(crash),
            _ => SkipCode::TooMuchMemory,
        };
        let reasons = [
            (self.endless, SkipCode::Endless),
            (self.crashed + self.greedy, ends_jvm),
            (self.denied, SkipCode::Denied),
            (self.unusable, SkipCode::NotLoadable),
            (self.unsteady, SkipCode::Unsteady),
        ];
        let counted = reasons.iter().filter(|(count, _)| *count > 0);
        let most = counted.max_by_key(|(count, code)| (*count, std::cmp::Reverse(*code)));
        most.map(|(_, code)| *code)
    }
}

impl Tally {
    /// Counts the call at this place of a run that reached it.
    pub fn ended(&mut self, index: usize, outcome: &Outcome) {
        let ended = if index < outcome.observations.len() {
            &End::Completed
        } else {
            &outcome.end
        };
        match ended {
            End::Completed => self.completed += 1,
            End::Threw(_) => self.threw += 1,
            end => return self.own.count(end),
        }
        if outcome.is_writable() {
            self.shown += 1;
        } else {
            self.unshown.count(&outcome.end);
        }
    }

    /// Tries that reached the call.
    pub fn tries(&self) -> u32 {
        self.completed + self.threw + self.own.all()
    }

    /// True where more tries would cost more than they bring.
    pub fn is_barred(&self) -> bool {
        let ran = self.completed + self.threw;
        let own = &self.own;
        own.timed_out >= 3
            || own.crashed >= if ran == 0 { 2 } else { 4 }
            || (ran == 0 && own.all() >= 40)
            || (own.endless + own.greedy >= 40 && own.endless + own.greedy > ran)
    }

    /// The reason why no test can show the target; none if a run did.
    pub fn skip_code(&self, is_used_up: bool) -> Option<SkipCode> {
        if self.shown > 0 {
            return None;
        }
        let was_tried = self.void + self.missed > 0;
        let none = if is_used_up && !was_tried {
            SkipCode::OutOfBudget
        } else {
            SkipCode::NoInstance
        };
        Some(self.own.with(&self.unshown).reason().unwrap_or(none))
    }

    /// What its first run met that ended for this reason, in the worker's words; none where the code says it all.
    pub fn cause(&self, code: SkipCode) -> Option<Arc<str>> {
        let all = self.own.with(&self.unshown);
        match code {
            SkipCode::Denied => all.denial,
            SkipCode::NotLoadable => all.fault,
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palus_sequence::Observation;

    /// Counts a run of one call with this end.
    fn ended(tally: &mut Tally, end: End) {
        let returned = end == End::Completed;
        let seen = returned.then_some(Observation::Null);
        tally.ended(0, &Outcome::new(end, seen.into_iter().collect()));
    }

    #[test]
    fn a_call_that_returned_in_runs_that_no_test_may_show_is_skipped_by_their_end() {
        let mut tally = Tally::default();
        let denied = Outcome::new(End::Denied("to leave".into()), vec![Observation::Null]);
        let differs = Outcome {
            repeats: false,
            ..Outcome::new(End::Completed, vec![Observation::Null])
        };
        tally.ended(0, &denied);
        assert_eq!(tally.skip_code(true), Some(SkipCode::Denied));
        assert_eq!(tally.cause(SkipCode::Denied).as_deref(), Some("to leave"));
        assert_eq!(tally.cause(SkipCode::Unsteady), None);
        tally.ended(0, &differs);
        tally.ended(0, &differs);
        assert_eq!(tally.skip_code(true), Some(SkipCode::Unsteady));
        assert_eq!((tally.completed, tally.tries()), (3, 3));
        ended(&mut tally, End::Completed);
        assert_eq!(tally.skip_code(true), None);
    }

    #[test]
    fn a_target_that_ran_once_is_not_skipped() {
        let mut tally = Tally::default();
        ended(&mut tally, End::OutOfFuel);
        assert_eq!(tally.skip_code(false), Some(SkipCode::Endless));
        ended(&mut tally, End::Completed);
        assert_eq!(tally.skip_code(false), None);
    }

    #[test]
    fn the_most_frequent_cause_is_the_reason() {
        let mut tally = Tally::default();
        ended(&mut tally, End::OutOfFuel);
        ended(&mut tally, End::Denied("exit".into()));
        ended(&mut tally, End::Denied("exit".into()));
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
        ended(&mut tally, End::Crashed(Crash::Ended));
        assert!(!tally.is_barred());
        ended(&mut tally, End::Crashed(Crash::Threads));
        assert!(tally.is_barred());
        let code = SkipCode::EndsJvm(Crash::Threads);
        assert_eq!(tally.skip_code(false), Some(code));
    }

    #[test]
    fn what_asks_for_too_much_memory_stays_callable() {
        let mut tally = Tally::default();
        for _ in 0..39 {
            ended(&mut tally, End::OutOfMemory);
        }
        assert!(!tally.is_barred());
        assert_eq!(tally.skip_code(false), Some(SkipCode::TooMuchMemory));
        ended(&mut tally, End::Completed);
        ended(&mut tally, End::OutOfMemory);
        assert!(tally.is_barred(), "40 of 41 tries");
        for _ in 0..39 {
            ended(&mut tally, End::Completed);
        }
        assert!(!tally.is_barred(), "40 of 80 tries");
    }
}
