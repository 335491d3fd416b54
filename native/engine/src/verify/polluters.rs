//! Which tests make others fail, and who of the two is dropped.
//!
//! Comes in: the verdicts of one pass. Goes out: the same, where polluters are failed instead of their victims if they
//! are fewer, or where one of the victims is kept: those are tests of earlier runs, and never polluters. With what a polluter
//! left a test may do what the sandbox refuses: then it is the polluter that goes, as no test of the user's may meet that.
//! A victim failed in the pass and passes alone. One that failed as most did runs again after each other test, in one
//! JVM: those after which it fails are the polluters. Who else fails after the first of them is a victim of all of them,
//! as a rule; what is wrong about that shows when the tests that are left run again.
//! The words are those of Shi, Lam, Oei, Xie, Marinov, "iFixFlakies: a framework for automatically fixing order-dependent
//! flaky tests", ESEC/FSE 2019: a polluter leaves state with which its victims fail.
//! Does not know: what state was left, or that two tests together may do what neither does alone.

use super::run::{Plan, Runner};
use super::verdict::failed;
use super::{DropReason, TestId, Verdict};
use crate::Error;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// Victims whose polluters are looked for in all passes together; each takes two JVMs.
pub const SEARCHES: usize = 4;
/// Polluters looked for in one search: after each the classes are loaded anew.
const MOST_POLLUTERS: usize = 100;
/// Failed tests that run alone, each with its classes loaded anew; of more it is taken for granted that they pass.
const MOST_ALONE: usize = 100;
/// Fewer failures than this share of the tests are not worth a search, in percent.
const WORTH_A_SEARCH: usize = 2;

/// Fails polluters instead of their victims, where that costs fewer tests. Stops where the run is out of time or of
/// `searches`, which it counts down.
///
/// # Errors
/// As [`Runner::run_jvm`].
pub fn blame(
    runner: &mut Runner<'_>,
    tests: &[TestId],
    order: &[usize],
    verdicts: &mut [Option<Verdict>],
    searches: &mut usize,
) -> Result<(), Error> {
    let failed = order.iter().copied();
    let mut failed: Vec<usize> = failed
        .filter(|index| has_failed(verdicts[*index].as_ref()))
        .collect();
    let is_kept = |index: &usize| tests[*index].is_kept;
    failed.sort_by_key(|index| !is_kept(index));
    // One victim is as good as one polluter, unless it is kept.
    let worth = (order.len() * WORTH_A_SEARCH / 100).max(2);
    let were_denied: BTreeSet<usize> = failed
        .iter()
        .copied()
        .filter(|index| was_denied(verdicts[*index].as_ref()))
        .collect();
    let counts = |index: &usize| is_kept(index) || were_denied.contains(index);
    let is_worth = |victims: &[usize]| victims.len() >= worth || victims.iter().any(counts);
    if *searches == 0 || !is_worth(&failed) {
        return Ok(());
    }
    let mut victims = those_that_pass_alone(runner, tests, failed)?;
    while *searches > 0 && is_worth(&victims) {
        *searches -= 1;
        let kept: Vec<usize> = victims.iter().copied().filter(is_kept).collect();
        let are_kept = !kept.is_empty();
        let first = typical(if are_kept { &kept } else { &victims }, verdicts);
        // Also those after it, and other victims: what breaks one test is often done by many. What hung or ended a JVM
        // would end the search.
        let may_run =
            |index: &usize| verdicts[*index].is_none() || has_failed(verdicts[*index].as_ref());
        let suspects = order.iter().copied();
        let suspects =
            suspects.filter(|index| *index != first && !is_kept(index) && may_run(index));
        let most = if are_kept {
            MOST_POLLUTERS
        } else {
            victims.len().min(MOST_POLLUTERS)
        };
        let polluters = polluters(runner, tests, first, suspects, most)?;
        let mut hit = match polluters.first() {
            Some(polluter) => those_that_fail_after(runner, tests, *polluter, &victims)?,
            None => Vec::new(),
        };
        hit.retain(|victim| !polluters.contains(victim));
        log::debug!(
            "{} of {} tests that fail pass without {} others",
            hit.len(),
            victims.len(),
            polluters.len()
        );
        if are_kept && !polluters.is_empty() && !hit.contains(&first) {
            hit.push(first);
        }
        if hit.len() > polluters.len() || hit.iter().any(counts) {
            for polluter in &polluters {
                verdicts[*polluter] = Some(polluting(&tests[first], hit.len()));
            }
            for victim in &hit {
                verdicts[*victim] = None;
            }
        }
        victims.retain(|victim| {
            *victim != first && !hit.contains(victim) && !polluters.contains(victim)
        });
    }
    Ok(())
}

/// The first of those that failed in the way in which most did: these may have the same polluters.
fn typical(victims: &[usize], verdicts: &[Option<Verdict>]) -> usize {
    let way = |victim: usize| match &verdicts[victim] {
        Some(Verdict::Failed { text, .. }) => text.lines().next(),
        _ => None,
    };
    let mut ways: BTreeMap<Option<&str>, (usize, Reverse<usize>)> = BTreeMap::new();
    for (position, &victim) in victims.iter().enumerate() {
        let (count, _) = ways.entry(way(victim)).or_insert((0, Reverse(position)));
        *count += 1;
    }
    let most = ways.into_values().max();
    victims[most.map_or(0, |(_, Reverse(position))| position)]
}

/// Whether a test failed where it ran, and ended.
fn has_failed(verdict: Option<&Verdict>) -> bool {
    let is_failure = matches!(
        verdict,
        Some(Verdict::Failed {
            reason: DropReason::FailsWhenRunAgain | DropReason::FailsElsewhere,
            ..
        })
    );
    is_failure || was_denied(verdict)
}

/// Whether a test came to what the sandbox refuses.
fn was_denied(verdict: Option<&Verdict>) -> bool {
    matches!(
        verdict,
        Some(Verdict::Failed {
            reason: DropReason::Denied,
            ..
        })
    )
}

fn polluting(victim: &TestId, victims: usize) -> Verdict {
    let TestId { class, method, .. } = victim;
    let text = format!("{victims} tests fail after it, among them {class}#{method}");
    failed(DropReason::BreaksOthers, text)
}

fn those_that_pass_alone(
    runner: &mut Runner<'_>,
    tests: &[TestId],
    mut failed: Vec<usize>,
) -> Result<Vec<usize>, Error> {
    let others = failed.split_off(failed.len().min(MOST_ALONE));
    let plan = Plan {
        anew: (0..failed.len()).collect(),
        order: failed,
        search: 0,
    };
    let report = runner.run_jvm(tests, &plan)?;
    let passed: BTreeSet<usize> = report
        .map(|report| report.passed.into_iter().collect())
        .unwrap_or_default();
    let mut victims = at(&plan.order, passed);
    victims.extend(others);
    Ok(victims)
}

/// At most as many as are worth the victims.
fn polluters(
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
    polluter: usize,
    victims: &[usize],
) -> Result<Vec<usize>, Error> {
    let plan = Plan {
        order: std::iter::once(polluter)
            .chain(victims.iter().copied())
            .collect(),
        anew: BTreeSet::from([0]),
        search: 0,
    };
    let report = runner.run_jvm(tests, &plan)?;
    let failed = report.map(|report| report.failed).unwrap_or_default();
    let mut hit = at(&plan.order, failed.into_keys());
    hit.retain(|index| *index != polluter);
    Ok(hit)
}

/// What stands at positions of an order; a JVM may name others.
fn at(order: &[usize], positions: impl IntoIterator<Item = usize>) -> Vec<usize> {
    let positions = positions.into_iter();
    positions
        .filter_map(|position| order.get(position).copied())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_typical_victim_failed_as_most_did() {
        let texts = ["a", "b\n at 1", "c", "b\n at 2", "c"];
        let verdicts = texts.map(|text| Some(failed(DropReason::FailsElsewhere, text.to_owned())));
        assert_eq!(typical(&[0, 1, 2, 3, 4], &verdicts), 1);
        assert_eq!(typical(&[0, 2, 3, 4], &verdicts), 2);
        assert_eq!(typical(&[3, 0], &verdicts), 3);
    }
}
