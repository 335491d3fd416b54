//! Tests that passed in an earlier run, run again on what the code is now.
//!
//! Comes in: compiled test classes and the list of tests. Goes out: per test, whether it passes, and else what was seen
//! and in which line of it.
//! They run as the project's own run would have them. One that fails runs once more with all classes loaded anew, so
//! that what the others leave, or chance, is not taken for what the code does; one that hangs or ends its JVM runs once
//! more in a JVM of its own.
//! Does not know: what a test is about, what becomes of one that fails.

use super::run::{Plan, Runner};
use super::verdict::Pass;
use super::{DropReason, TestId, Verdict, Verification, shares};
use crate::Error;
use crate::worker::process::Spawner;
use crate::worker::sandbox::Sandbox;

/// Failed tests that run once more, each with classes loaded anew; more do not fail by chance.
const MOST_AGAIN: usize = 200;
/// Tests that hung or ended their JVM and have another one of their own.
const MOST_ALONE: usize = 5;

/// What became of one test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Rerun {
    Passed,
    /// The run's time was over before.
    NotRun,
    Failed {
        reason: DropReason,
        text: String,
        /// In the source of its class, where that is known.
        line: Option<u32>,
    },
}

/// Runs all of them; one result per test, in order.
///
/// # Errors
/// When `java` will not start or the run is cancelled.
pub(crate) fn rerun(verification: &Verification<'_>) -> Result<Vec<Rerun>, Error> {
    let sandbox = Sandbox::new(verification.settings)?;
    let spawner = Spawner::new();
    let shares = shares(verification.tests, verification.workers);
    let results: Vec<Result<Vec<Rerun>, Error>> = std::thread::scope(|scope| {
        let (sandbox, spawner) = (&sandbox, &spawner);
        let threads: Vec<_> = shares
            .into_iter()
            .map(|share| scope.spawn(move || rerun_share(verification, sandbox, spawner, share)))
            .collect();
        let join = |thread: std::thread::ScopedJoinHandle<'_, _>| {
            thread
                .join()
                .unwrap_or_else(|_| Err(Error::internal("a thread that runs tests failed")))
        };
        threads.into_iter().map(join).collect()
    });
    let mut all = Vec::new();
    for result in results {
        all.extend(result?);
    }
    Ok(all)
}

fn rerun_share(
    verification: &Verification<'_>,
    sandbox: &Sandbox,
    spawner: &Spawner,
    tests: &[TestId],
) -> Result<Vec<Rerun>, Error> {
    let mut coverage_files = Vec::new();
    let mut runner = Runner {
        verification,
        sandbox,
        spawner,
        pass: Pass::AsWritten,
        runs_once: true,
        coverage_agent: None,
        coverage_name: String::new(),
        coverage_files: &mut coverage_files,
        tells_lines: true,
        is_cut: false,
    };
    let mut verdicts = vec![None; tests.len()];
    runner.run(tests, (0..tests.len()).collect(), &mut verdicts)?;
    let mut results: Vec<Rerun> = verdicts.into_iter().map(result).collect();
    let failed = |results: &[Rerun], has_ended: bool| -> Vec<usize> {
        let all = results.iter().enumerate();
        let failed = all.filter(|(_, one)| match one {
            Rerun::Failed { reason, .. } => {
                let ended = [DropReason::FailsWhenRunAgain, DropReason::Denied];
                ended.contains(reason) == has_ended
            }
            Rerun::Passed | Rerun::NotRun => false,
        });
        failed.map(|(index, _)| index).collect()
    };
    let mut again = failed(&results, true);
    again.truncate(MOST_AGAIN);
    run_again(&mut runner, tests, again, &mut results)?;
    for index in failed(&results, false).into_iter().take(MOST_ALONE) {
        run_again(&mut runner, tests, vec![index], &mut results)?;
    }
    Ok(results)
}

fn result(verdict: Option<Verdict>) -> Rerun {
    match verdict {
        None | Some(Verdict::Stable) => Rerun::Passed,
        Some(Verdict::Failed {
            reason: DropReason::NotVerified,
            ..
        }) => Rerun::NotRun,
        Some(Verdict::Failed { reason, text }) => Rerun::Failed {
            reason,
            text,
            line: None,
        },
    }
}

/// In one JVM, each with classes loaded anew. What it says nothing of stays as it was.
fn run_again(
    runner: &mut Runner<'_>,
    tests: &[TestId],
    order: Vec<usize>,
    results: &mut [Rerun],
) -> Result<(), Error> {
    if order.is_empty() {
        return Ok(());
    }
    let plan = Plan {
        anew: (0..order.len()).collect(),
        order,
        search: 0,
    };
    let Some(report) = runner.run_jvm(tests, &plan)? else {
        return Ok(());
    };
    for (at, &index) in plan.order.iter().enumerate() {
        if report.passed.contains(&at) {
            results[index] = Rerun::Passed;
        } else if let Some(text) = report.failed.get(&at) {
            results[index] = Rerun::Failed {
                reason: DropReason::FailsWhenRunAgain,
                text: text.clone(),
                line: report.lines.get(&at).copied(),
            };
        }
    }
    Ok(())
}
