//! Which tests make others fail, and who of the two is dropped.
//!
//! Comes in: the verdicts of one pass. Goes out: the same, where culprits are failed instead of their victims if they
//! are fewer.
//! A victim failed in the pass and passes alone. It runs again after each test that passed, in one JVM: those after
//! which it fails are the culprits. Who else fails after the first of them is a victim of all of them, as a rule; what
//! is wrong about that shows when the tests that are left run again.
//! Does not know: what state was left, or that two tests together may do what neither does alone.

use super::run::{Plan, Runner, failed};
use super::{DropReason, TestId, Verdict};
use crate::Error;
use std::collections::BTreeSet;

/// Victims whose culprits are looked for in one pass; each takes two JVMs.
const MOST_SEARCHES: usize = 8;
/// Failed tests that are looked at: each has its classes loaded anew.
const MOST_FAILED: usize = 500;

/// Fails culprits instead of their victims, where that costs fewer tests. Stops where the run is out of time.
///
/// # Errors
/// As [`Runner::run_jvm`].
pub fn blame(
    runner: &mut Runner<'_>,
    tests: &[TestId],
    order: &[usize],
    verdicts: &mut [Option<Verdict>],
) -> Result<(), Error> {
    let has_failed = |index: &usize| {
        matches!(
            &verdicts[*index],
            Some(Verdict::Failed {
                reason: DropReason::FailsWhenRunAgain | DropReason::FailsElsewhere,
                ..
            })
        )
    };
    let failed: Vec<usize> = order.iter().copied().filter(has_failed).collect();
    let mut victims = those_that_pass_alone(runner, tests, failed)?;
    for _ in 0..MOST_SEARCHES {
        // One victim is as good as one culprit.
        if victims.len() < 2 {
            break;
        }
        let passed = |index: &&usize| verdicts[**index].is_none();
        let suspects = order.iter().filter(passed).copied();
        let first = victims[0];
        let culprits = culprits(runner, tests, first, suspects, victims.len())?;
        let hit = match culprits.first() {
            Some(culprit) => those_that_fail_after(runner, tests, *culprit, &victims)?,
            None => Vec::new(),
        };
        log::debug!(
            "{} of {} tests that fail pass without {} others",
            hit.len(),
            victims.len(),
            culprits.len()
        );
        if hit.len() > culprits.len() {
            for culprit in culprits {
                verdicts[culprit] = Some(guilty(&tests[first], hit.len()));
            }
            for victim in &hit {
                verdicts[*victim] = None;
            }
        }
        victims.retain(|victim| *victim != first && !hit.contains(victim));
    }
    Ok(())
}

fn guilty(victim: &TestId, victims: usize) -> Verdict {
    let TestId { class, method, .. } = victim;
    let text = format!("{victims} tests fail after it, among them {class}#{method}");
    failed(DropReason::BreaksOthers, text)
}

fn those_that_pass_alone(
    runner: &mut Runner<'_>,
    tests: &[TestId],
    mut failed: Vec<usize>,
) -> Result<Vec<usize>, Error> {
    failed.truncate(MOST_FAILED);
    if failed.len() < 2 {
        return Ok(Vec::new());
    }
    let plan = Plan {
        anew: (0..failed.len()).collect(),
        order: failed,
        search: 0,
    };
    let report = runner.run_jvm(tests, &plan)?;
    let passed: BTreeSet<usize> = report
        .map(|report| report.passed.into_iter().collect())
        .unwrap_or_default();
    Ok(at(&plan.order, passed))
}

/// At most as many as are worth the victims.
fn culprits(
    runner: &mut Runner<'_>,
    tests: &[TestId],
    victim: usize,
    suspects: impl Iterator<Item = usize>,
    most: usize,
) -> Result<Vec<usize>, Error> {
    let plan = Plan {
        order: std::iter::once(victim).chain(suspects).collect(),
        anew: BTreeSet::new(),
        search: most,
    };
    let report = runner.run_jvm(tests, &plan)?;
    let breaking = report.map(|report| report.breaking).unwrap_or_default();
    Ok(at(&plan.order, breaking))
}

fn those_that_fail_after(
    runner: &mut Runner<'_>,
    tests: &[TestId],
    culprit: usize,
    victims: &[usize],
) -> Result<Vec<usize>, Error> {
    let plan = Plan {
        order: std::iter::once(culprit)
            .chain(victims.iter().copied())
            .collect(),
        anew: BTreeSet::from([0]),
        search: 0,
    };
    let report = runner.run_jvm(tests, &plan)?;
    let failed = report.map(|report| report.failed).unwrap_or_default();
    let mut hit = at(&plan.order, failed.into_keys());
    hit.retain(|index| *index != culprit);
    Ok(hit)
}

/// What stands at positions of an order; a JVM may name others.
fn at(order: &[usize], positions: impl IntoIterator<Item = usize>) -> Vec<usize> {
    let positions = positions.into_iter();
    positions
        .filter_map(|position| order.get(position).copied())
        .collect()
}
