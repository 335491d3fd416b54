//! What is verified and what is said of it.
//!
//! Comes in: nothing. Goes out: the types that those who verify share with those who ask.
//! Does not know: how a test is run.

use crate::worker::WorkerSettings;
use std::path::{Path, PathBuf};

/// Why a written test was dropped; a closed list, each with a code for the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DropReason {
    /// The project's compiler refuses it.
    DoesNotCompile,
    /// It failed in a fresh JVM, in the order it is written in.
    FailsWhenRunAgain,
    /// It failed only in another order, time zone and locale.
    FailsElsewhere,
    /// It was denied something, or left something behind for others.
    Denied,
    /// Other tests fail after it, because of what it leaves in static fields or the like.
    BreaksOthers,
    /// It took too long.
    TimesOut,
    /// The JVM ended while it ran.
    KillsTheJvm,
    /// The run ended before it was verified.
    NotVerified,
    /// What it may do where the date, a random number, a variable or the machine is another is denied here.
    HarmsElsewhere,
    /// Its text holds a value of the build's environment or another secret; it was never written, compiled or run.
    HoldsSecret,
    /// The file system refuses the name of its file.
    NameRefused,
    /// Its file is there and somebody else's, or was changed by somebody else.
    NotOurs,
    /// A promoted test does the same.
    Promoted,
    /// Palus itself failed on its class.
    Defect,
}

impl DropReason {
    /// The code in the report, whose page explains it.
    pub fn code(self) -> &'static str {
        match self {
            DropReason::DoesNotCompile => "does-not-compile",
            DropReason::FailsWhenRunAgain => "fails-when-run-again",
            DropReason::FailsElsewhere => "fails-in-other-order-zone-or-locale",
            DropReason::Denied => "denied-when-run-again",
            DropReason::BreaksOthers => "breaks-other-tests",
            DropReason::TimesOut => "times-out",
            DropReason::KillsTheJvm => "kills-the-jvm",
            DropReason::NotVerified => "not-verified",
            DropReason::HarmsElsewhere => "harms-elsewhere",
            DropReason::HoldsSecret => "holds-a-secret",
            DropReason::NameRefused => "file-name-refused",
            DropReason::Promoted => "promoted",
            DropReason::NotOurs => "file-is-not-ours",
            // The page of the methods' code says all there is to say.
            DropReason::Defect => "S10",
        }
    }
}

/// How often a test runs in its second run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Repeat {
    /// Once.
    #[default]
    Never,
    /// Many times with all classes loaded anew: objects have other identity hash codes each time, and other places in
    /// hash tables; other random numbers are drawn, and another time is asked.
    Often,
    /// So, and many times each time: a rare draw comes out otherwise, too.
    Drawn,
    /// Many times, with garbage collected all along.
    WhileCollected,
    /// So alone, and often with all others.
    WhileCollectedThenOften,
}

impl Repeat {
    /// Of a test by what it rests on: objects that are held weakly, hash codes and what else is another thing each time,
    /// random numbers or the time among that.
    pub(crate) fn of(is_weak: bool, is_by_chance: bool, draws: bool) -> Repeat {
        match (is_weak, is_by_chance) {
            (false, false) => Repeat::Never,
            (false, true) if draws => Repeat::Drawn,
            (false, true) => Repeat::Often,
            (true, false) => Repeat::WhileCollected,
            (true, true) => Repeat::WhileCollectedThenOften,
        }
    }

    /// What of it is done in such company, for the first time or again.
    pub(crate) fn in_round(self, company: Company, is_again: bool) -> Repeat {
        match (self, company) {
            // What all tests together may change is another matter: once is enough.
            (
                Repeat::WhileCollected | Repeat::WhileCollectedThenOften,
                Company::Group | Company::AllAtOnce,
            ) => Repeat::WhileCollected,
            // Loading all classes anew costs the same for one test and for all.
            (Repeat::Often | Repeat::Drawn, Company::All | Company::AllAtOnce) if !is_again => self,
            (Repeat::WhileCollectedThenOften, Company::All) if !is_again => Repeat::Often,
            _ => Repeat::Never,
        }
    }
}

/// Which tests run in the same JVMs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Company {
    /// Those of some classes, before all run together.
    Group,
    /// All there are, after each has run in its group.
    All,
    /// All there are, and none has run before.
    AllAtOnce,
}

/// A written test.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TestId {
    /// Binary name of the test class (`com.acme.AccountPalusTest`).
    pub class: String,
    /// Test method.
    pub method: String,
    /// How often it runs where it runs elsewhere.
    pub repeat: Repeat,
    /// True for a test of an earlier run that stays whatever it does: what breaks it is dropped.
    pub is_kept: bool,
}

/// What verifying said about a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It passed in both runs.
    Stable,
    /// It did not.
    Failed {
        /// Why it is dropped.
        reason: DropReason,
        /// What was seen, for the report.
        text: String,
    },
}

/// JaCoCo's agent in a JVM.
#[derive(Clone, Copy, Debug)]
pub struct CoverageAgent<'a> {
    /// Its jar.
    pub jar: &'a Path,
    /// Patterns of names of the classes that it instruments, as its option `includes` has them; none: all.
    pub includes: &'a [String],
}

/// What to verify.
#[derive(Clone, Debug)]
pub struct Verification<'a> {
    /// JVM, sandbox, project arguments, deadline and cancel flag; its class path is the test runtime class path.
    pub settings: &'a WorkerSettings,
    /// Folder of the compiled tests.
    pub test_classes: &'a Path,
    /// The tests, in written order.
    pub tests: &'a [TestId],
    /// JaCoCo's agent for the first run, if coverage is wanted.
    pub coverage_agent: Option<CoverageAgent<'a>>,
    /// JVMs at once.
    pub workers: usize,
    /// In so many further orders the tests that passed run in the second pass, each with all classes loaded anew.
    pub orders: u32,
    /// Only as written, and so often that the last run is of tests that pass, and its coverage theirs alone.
    pub once: bool,
    /// Where a test makes several others fail, or one that is kept, it is dropped instead of them.
    pub blames: bool,
    /// Whether nobody runs the tests again: one that had no time to run as often as it was to has not passed then.
    pub is_last: bool,
}

/// Verdicts and what the first run left.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verified {
    /// One per test, in the given order.
    pub verdicts: Vec<Verdict>,
    /// JaCoCo execution data of the first run, one file per JVM.
    pub coverage_files: Vec<PathBuf>,
    /// True if the time was over before all had run as often as they were to.
    pub is_cut: bool,
}

/// Which of the two runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pass {
    /// In written order, with the project's surroundings.
    AsWritten,
    /// In another order, zone, locale and environment, by another user, with another heap and other limits.
    Elsewhere,
}

/// A test that failed, in short.
pub(super) fn failed(reason: DropReason, text: String) -> Verdict {
    Verdict::Failed { reason, text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_that_rests_on_garbage_and_on_hash_codes_meets_both() {
        let rounds = |repeat: Repeat| {
            let rounds = [
                (Company::Group, false),
                (Company::All, false),
                (Company::All, true),
                (Company::AllAtOnce, false),
                (Company::AllAtOnce, true),
            ];
            rounds.map(|(company, is_again)| repeat.in_round(company, is_again))
        };
        let (never, often) = (Repeat::Never, Repeat::Often);
        let collected = Repeat::WhileCollected;
        let of = |is_weak, is_by_chance| rounds(Repeat::of(is_weak, is_by_chance, false));
        assert_eq!(of(false, false), [never; 5]);
        assert_eq!(of(false, true), [never, often, never, often, never]);
        let drawn = Repeat::Drawn;
        let of_draws = rounds(Repeat::of(false, true, true));
        assert_eq!(of_draws, [never, drawn, never, drawn, never]);
        let kept = [collected, never, never, collected, collected];
        assert_eq!(of(true, false), kept);
        // After all at once follows what all have together.
        let both = [collected, often, never, collected, collected];
        assert_eq!(of(true, true), both);
    }
}
