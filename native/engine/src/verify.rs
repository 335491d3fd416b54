//! Running written tests twice in fresh JVMs, to keep only those that are stable.
//!
//! Comes in: compiled test classes and the list of tests. Goes out: a verdict per test.
//! Does not know: how a test was found, what it asserts.

use crate::Error;
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
    /// It took too long.
    TimesOut,
    /// The JVM ended while it ran.
    KillsTheJvm,
    /// The run ended before it was verified.
    NotVerified,
}

impl DropReason {
    /// The code in the report.
    pub fn code(self) -> &'static str {
        match self {
            DropReason::DoesNotCompile => "does-not-compile",
            DropReason::FailsWhenRunAgain => "fails-when-run-again",
            DropReason::FailsElsewhere => "fails-in-other-order-zone-or-locale",
            DropReason::TimesOut => "times-out",
            DropReason::KillsTheJvm => "kills-the-jvm",
            DropReason::NotVerified => "not-verified",
        }
    }

    /// One short sentence for people.
    pub fn text(self) -> &'static str {
        match self {
            DropReason::DoesNotCompile => "the project's compiler refuses it",
            DropReason::FailsWhenRunAgain => "it fails when run again in a fresh JVM",
            DropReason::FailsElsewhere => "it fails in another order, time zone or locale",
            DropReason::TimesOut => "it takes too long",
            DropReason::KillsTheJvm => "the JVM ends while it runs",
            DropReason::NotVerified => "the run ended before it was verified",
        }
    }
}

/// A written test.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TestId {
    /// Binary name of the test class (`com.acme.AccountPalusTest`).
    pub class: String,
    /// Test method.
    pub method: String,
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
}

/// Verdicts and what the first run left.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verified {
    /// One per test, in the given order.
    pub verdicts: Vec<Verdict>,
    /// JaCoCo execution data of the first run, one file per JVM.
    pub coverage_files: Vec<PathBuf>,
}

/// Runs the tests twice.
///
/// # Errors
/// When `java` will not start or the run is cancelled. Tests not reached before the deadline are `NotVerified`.
pub fn verify(verification: &Verification<'_>) -> Result<Verified, Error> {
    let _ = verification;
    Err(Error::internal("verification is missing"))
}
