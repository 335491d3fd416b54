//! Running written tests twice in fresh JVMs, to keep only those that are stable.
//!
//! Comes in: compiled test classes and the list of tests. Goes out: a verdict per test.
//! The first run is as the project's own would be: its JVM arguments, the order in which the tests are written, and
//! the names of its environment, with placeholders for the values: no JVM of ours gets a secret.
//! The second is anything but: an empty environment, other placeholders, another order, a zone with odd offsets and a locale
//! with odd letters; tests whose objects hold others weakly then run many times while garbage is collected, and those
//! that may rest on identity hash codes run many times with other ones.
//! Static state that one test leaves and others fail with costs those that left it where they are fewer, or where one of
//! the others is kept.
//! Both are locked in, but nothing else is fixed as it was while searching.
//! Does not know: how a test was found, what it asserts.

mod culprits;
pub(crate) mod run;

use crate::Error;
use crate::worker::WorkerSettings;
use crate::worker::process::Spawner;
use crate::worker::sandbox::Sandbox;
use run::{Pass, Runner};
use std::path::{Path, PathBuf};

/// Fewer tests are not worth another JVM.
const WORTH_A_JVM: usize = 100;

/// Runs of the tests that are left, where each finds some that fail.
const MOST_REPEATS: usize = 6;

/// Why a written test was dropped; a closed list, each with a code for the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DropReason {
    /// The project's compiler refuses it.
    DoesNotCompile,
    /// It failed in a fresh JVM, in the order it is written in.
    FailsWhenRunAgain,
    /// It failed only in another order, time zone and locale.
    FailsElsewhere,
    /// Other tests fail after it, because of what it leaves in static fields or the like.
    BreaksOthers,
    /// It took too long.
    TimesOut,
    /// The JVM ended while it ran.
    KillsTheJvm,
    /// The run ended before it was verified.
    NotVerified,
    /// Its text holds a value of the build's environment or another secret; it was never written, compiled or run.
    HoldsSecret,
    /// The file system refuses the name of its file.
    NameRefused,
    /// Its file is there and somebody else's, or was changed by somebody else.
    NotOurs,
    /// Palus itself failed on its class.
    Defect,
}

impl DropReason {
    /// The code in the report.
    pub fn code(self) -> &'static str {
        match self {
            DropReason::DoesNotCompile => "does-not-compile",
            DropReason::FailsWhenRunAgain => "fails-when-run-again",
            DropReason::FailsElsewhere => "fails-in-other-order-zone-or-locale",
            DropReason::BreaksOthers => "breaks-other-tests",
            DropReason::TimesOut => "times-out",
            DropReason::KillsTheJvm => "kills-the-jvm",
            DropReason::NotVerified => "not-verified",
            DropReason::HoldsSecret => "holds-a-secret",
            DropReason::NameRefused => "file-name-refused",
            DropReason::NotOurs => "file-is-not-ours",
            // The page of the methods' code says all there is to say.
            DropReason::Defect => "S10",
        }
    }

    /// One short sentence for people.
    pub fn text(self) -> &'static str {
        match self {
            DropReason::DoesNotCompile => "the project's compiler refuses it",
            DropReason::FailsWhenRunAgain => "it fails when run again in a fresh JVM",
            DropReason::FailsElsewhere => {
                "it fails in another order, time zone or locale, or with other hash codes"
            }
            DropReason::BreaksOthers => "it leaves state behind with which other tests fail",
            DropReason::TimesOut => "it takes too long",
            DropReason::KillsTheJvm => "the JVM ends while it runs",
            DropReason::NotVerified => "the run ended before it was verified",
            DropReason::NameRefused => "the file system refuses the name of its file",
            DropReason::NotOurs => "its file was changed or made by somebody else",
            DropReason::Defect => "Palus itself failed on its class",
            DropReason::HoldsSecret => {
                "it holds a value of the build's environment or another secret"
            }
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
    /// hash tables.
    Often,
    /// Many times, with garbage collected all along.
    WhileCollected,
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
    pub coverage_agent: Option<&'a Path>,
    /// JVMs at once.
    pub workers: usize,
    /// Only as written, and so often that the last run is of tests that pass, and its coverage theirs alone.
    pub once: bool,
    /// Where a test makes several others fail, or one that is kept, it is dropped instead of them.
    pub blames: bool,
}

/// Verdicts and what the first run left.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verified {
    /// One per test, in the given order.
    pub verdicts: Vec<Verdict>,
    /// JaCoCo execution data of the first run, one file per JVM.
    pub coverage_files: Vec<PathBuf>,
}

/// Runs the tests twice: as written with the project's surroundings, then shuffled in another zone and locale.
///
/// # Errors
/// When `java` will not start or the run is cancelled. Tests not reached before the deadline are `NotVerified`.
pub fn verify(verification: &Verification<'_>) -> Result<Verified, Error> {
    let settings = verification.settings;
    let sandbox = Sandbox::new(settings)?;
    let spawner = Spawner::new();
    let shares = shares(verification.tests, verification.workers);
    let results: Vec<Result<Verified, Error>> = std::thread::scope(|scope| {
        let (sandbox, spawner) = (&sandbox, &spawner);
        let shares = shares.into_iter().enumerate();
        let threads: Vec<_> = shares
            .map(|(number, share)| {
                scope.spawn(move || verify_share(verification, sandbox, spawner, number, share))
            })
            .collect();
        let join = |thread: std::thread::ScopedJoinHandle<'_, _>| {
            thread
                .join()
                .unwrap_or_else(|_| Err(Error::internal("a thread that verifies tests failed")))
        };
        threads.into_iter().map(join).collect()
    });
    let mut whole = Verified::default();
    for result in results {
        let share = result?;
        whole.verdicts.extend(share.verdicts);
        whole.coverage_files.extend(share.coverage_files);
    }
    Ok(whole)
}

/// Splits at borders of classes into at most `workers` parts of about the same size.
fn shares(tests: &[TestId], workers: usize) -> Vec<&[TestId]> {
    let parts = workers.min(tests.len() / WORTH_A_JVM).max(1);
    let size = tests.len().div_ceil(parts);
    let mut shares = Vec::new();
    let mut from = 0;
    for at in 1..=tests.len() {
        let border = at == tests.len() || tests[at].class != tests[at - 1].class;
        if border && (at - from >= size || at == tests.len()) {
            shares.push(&tests[from..at]);
            from = at;
        }
    }
    shares
}

fn verify_share(
    verification: &Verification<'_>,
    sandbox: &Sandbox,
    spawner: &Spawner,
    number: usize,
    tests: &[TestId],
) -> Result<Verified, Error> {
    let mut verdicts: Vec<Option<Verdict>> = vec![None; tests.len()];
    let mut coverage_files = Vec::new();
    let passes: &[Pass] = if verification.once {
        &[Pass::AsWritten; MOST_REPEATS]
    } else {
        &[Pass::AsWritten, Pass::Elsewhere]
    };
    let mut before = usize::MAX;
    let mut searches = culprits::SEARCHES;
    for &pass in passes {
        let mut order: Vec<usize> = (0..tests.len())
            .filter(|index| verdicts[*index].is_none())
            .collect();
        if verification.once {
            if order.len() == before {
                break;
            }
            before = order.len();
            coverage_files.clear();
        }
        if pass == Pass::Elsewhere {
            shuffle(&mut order, tests);
        }
        let coverage_agent = verification
            .coverage_agent
            .filter(|_| pass == Pass::AsWritten);
        let mut runner = Runner {
            verification,
            sandbox,
            spawner,
            pass,
            runs_once: false,
            coverage_agent,
            coverage_name: format!("coverage-{number}"),
            coverage_files: &mut coverage_files,
        };
        runner.run(tests, order.clone(), &mut verdicts)?;
        if verification.blames {
            runner.coverage_agent = None;
            runner.runs_once = true;
            culprits::blame(&mut runner, tests, &order, &mut verdicts, &mut searches)?;
        }
    }
    let verdicts = verdicts.into_iter();
    Ok(Verified {
        verdicts: verdicts
            .map(|verdict| verdict.unwrap_or(Verdict::Stable))
            .collect(),
        coverage_files,
    })
}

/// Another order that is the same each time: classes by a hash of their name, and so their tests.
fn shuffle(order: &mut [usize], tests: &[TestId]) {
    let hash = |text: &str| {
        text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        })
    };
    order.sort_by_key(|index| {
        let TestId { class, method, .. } = &tests[*index];
        (hash(class), class.clone(), hash(method), method.clone())
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tests(names: &[&str]) -> Vec<TestId> {
        let split = |name: &&str| {
            let (class, method) = name.split_once('#').unwrap();
            TestId {
                class: class.to_owned(),
                method: method.to_owned(),
                repeat: Repeat::Never,
                is_kept: false,
            }
        };
        names.iter().map(split).collect()
    }

    #[test]
    fn a_class_is_never_split_and_every_test_is_in_one_share() {
        let mut names = Vec::new();
        for class in 0..10 {
            for method in 0..=(class * 20) {
                names.push(format!("C{class}#m{method}"));
            }
        }
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let tests = tests(&names);
        for workers in [1, 2, 3, 50] {
            let shares = shares(&tests, workers);
            assert!(shares.len() <= workers);
            assert_eq!(shares.concat(), tests);
            let borders = shares.windows(2);
            assert!(
                borders
                    .clone()
                    .all(|pair| pair[0].last().unwrap().class != pair[1][0].class)
            );
        }
        assert_eq!(shares(&tests[..20], 8).len(), 1);
        assert!(shares(&[], 8).is_empty());
    }

    #[test]
    fn the_other_order_is_another_one_and_keeps_classes_together() {
        let tests = tests(&["A#a", "A#b", "A#c", "A#d", "B#a", "B#b", "B#c", "B#d"]);
        let mut order: Vec<usize> = (0..tests.len()).collect();
        shuffle(&mut order, &tests);
        assert_ne!(order, [0, 1, 2, 3, 4, 5, 6, 7]);
        let mut again: Vec<usize> = (0..tests.len()).rev().collect();
        shuffle(&mut again, &tests);
        assert_eq!(order, again);
        let mut classes: Vec<&str> = order.iter().map(|at| tests[*at].class.as_str()).collect();
        classes.dedup();
        assert_eq!(classes.len(), 2);
    }
}
