//! Tests that passed in an earlier run, run again on what the code is now.
//!
//! Comes in: compiled test classes and the list of tests. Goes out: per test, whether it passes, and else what was seen
//! and in which line of it.
//! They run as the project's own run would have them, in one JVM. One that fails runs once more with all classes loaded
//! anew, so that what the others leave, or chance, is not taken for what the code does; one that hangs or ends its JVM runs
//! once more in a JVM of its own. One that is denied something stays so, though it passes then: what it did once it may do
//! again. Whether it passes on another date and machine is nobody's question here, but whether it is denied something there.
//! Does not know: what a test is about, what becomes of one that fails.

use super::run::{Plan, Runner};
use super::verdict::Pass;
use super::{DropReason, TestId, Verdict, Verification, shuffle};
use crate::Error;
use crate::worker::process::Spawner;
use crate::worker::sandbox::Sandbox;
use std::path::PathBuf;

/// Failed tests that run once more, each with classes loaded anew; more do not fail by chance.
pub(crate) const MOST_AGAIN: usize = 200;
/// Tests that hung or ended their JVM and have another one of their own.
const MOST_ALONE: usize = 5;
/// Said of what is denied where the rest is not as here.
const ELSEWHERE: &str = "(on another date, in another zone or on another machine)";

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
    let as_written = || run_as_written(verification, &sandbox, &spawner);
    let elsewhere = || run_elsewhere(verification, &sandbox, &spawner);
    let (results, denied) = if verification.workers > 1 {
        std::thread::scope(|scope| {
            let other = scope.spawn(elsewhere);
            let results = as_written();
            let failed = |_| Err(Error::internal("a thread that runs tests failed"));
            (results, other.join().unwrap_or_else(failed))
        })
    } else {
        (as_written(), elsewhere())
    };
    let mut results = results?;
    for (result, denied) in results.iter_mut().zip(denied?) {
        let is_denied_here = matches!(
            result,
            Rerun::Failed {
                reason: DropReason::Denied,
                ..
            }
        );
        let is_denied = matches!(denied, Rerun::Failed { .. });
        if is_denied && !is_denied_here || *result == Rerun::Passed {
            *result = denied;
        }
    }
    Ok(results)
}

fn runner<'r>(
    verification: &'r Verification<'r>,
    sandbox: &'r Sandbox,
    spawner: &'r Spawner,
    pass: Pass,
    coverage_files: &'r mut Vec<PathBuf>,
) -> Runner<'r> {
    Runner {
        verification,
        sandbox,
        spawner,
        pass,
        runs_once: true,
        coverage_agent: None,
        coverage_name: String::new(),
        coverage_files,
        tells_lines: true,
        is_cut: false,
    }
}

fn run_as_written(
    verification: &Verification<'_>,
    sandbox: &Sandbox,
    spawner: &Spawner,
) -> Result<Vec<Rerun>, Error> {
    let tests = verification.tests;
    let mut files = Vec::new();
    let mut runner = runner(verification, sandbox, spawner, Pass::AsWritten, &mut files);
    let mut verdicts = vec![None; tests.len()];
    runner.run(tests, (0..tests.len()).collect(), &mut verdicts)?;
    let mut results: Vec<Rerun> = verdicts.into_iter().map(result).collect();
    // Of what is denied this tells the line alone.
    let with_line = [DropReason::FailsWhenRunAgain, DropReason::Denied];
    let mut again = failed(&results, &with_line);
    again.truncate(MOST_AGAIN);
    run_again(&mut runner, tests, again, &mut results)?;
    let ended = [DropReason::TimesOut, DropReason::KillsTheJvm];
    for index in failed(&results, &ended).into_iter().take(MOST_ALONE) {
        run_again(&mut runner, tests, vec![index], &mut results)?;
    }
    Ok(results)
}

/// On another date, in another zone and locale, with other files and another JDK: what is denied there, and nothing else.
fn run_elsewhere(
    verification: &Verification<'_>,
    sandbox: &Sandbox,
    spawner: &Spawner,
) -> Result<Vec<Rerun>, Error> {
    let tests = verification.tests;
    let mut files = Vec::new();
    let mut runner = runner(verification, sandbox, spawner, Pass::Elsewhere, &mut files);
    let mut order: Vec<usize> = (0..tests.len()).collect();
    shuffle(&mut order, tests);
    let mut verdicts = vec![None; tests.len()];
    runner.run(tests, order, &mut verdicts)?;
    let of = |verdict| match result(verdict) {
        Rerun::Failed { reason, text, line } if reason == DropReason::Denied => Rerun::Failed {
            text: format!("{text} {ELSEWHERE}"),
            reason,
            line,
        },
        Rerun::NotRun => Rerun::NotRun,
        Rerun::Passed | Rerun::Failed { .. } => Rerun::Passed,
    };
    let mut results: Vec<Rerun> = verdicts.into_iter().map(of).collect();
    let mut again = failed(&results, &[DropReason::Denied]);
    again.truncate(MOST_AGAIN);
    run_again(&mut runner, tests, again, &mut results)?;
    Ok(results)
}

/// Those that failed for one of these reasons.
fn failed(results: &[Rerun], of: &[DropReason]) -> Vec<usize> {
    let is_so = |one: &Rerun| matches!(one, Rerun::Failed { reason, .. } if of.contains(reason));
    let all = results.iter().enumerate();
    let failed = all.filter(|(_, one)| is_so(one));
    failed.map(|(index, _)| index).collect()
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

/// In one JVM, each with classes loaded anew. What was denied, and what it says nothing of, stays as it was.
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
        let line_now = report.lines.get(&at).copied();
        if let Rerun::Failed {
            reason: DropReason::Denied,
            line,
            ..
        } = &mut results[index]
        {
            *line = line_now;
        } else if report.passed.contains(&at) {
            results[index] = Rerun::Passed;
        } else if let Some(text) = report.failed.get(&at) {
            results[index] = Rerun::Failed {
                reason: report.reason(at, runner.pass),
                text: text.clone(),
                line: line_now,
            };
        }
    }
    Ok(())
}
