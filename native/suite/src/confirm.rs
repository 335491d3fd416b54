//! Violations that repeat: checks run, run again, and shortened.
//!
//! Comes in: [`Suspect`]s and an executor. Goes out: [`Violation`]s, one per bug identity (rule, method to blame, exception
//! with its top frame), each with the shortest sequence that still breaks the rule.
//! A violation counts only where it repeats after a fresh start, and where the sequence has no part in it (`excuse.rs`).
//! Does not know: which rules there are, Java text.

use crate::excuse::is_excused;
use crate::minimize::{run_all, shorten_while};
use crate::typing::type_sequence;
use crate::violation::{Identity, Suspect, Violation};
use palus_bytecode::{MethodId, Program};
use palus_sequence::{Executor, ExecutorError, Run, Sequence};
use std::collections::BTreeMap;

/// Sequences shortened per bug identity; the shortest is reported.
const TRIED_PER_BUG: usize = 3;
/// Violations followed up per unit.
const MOST_BUGS: usize = 60;

/// Runs suspects, follows up what they break, and gives one violation per bug, and how many sequences it took.
///
/// # Errors
/// [`ExecutorError`] when nothing can be run any more.
pub(crate) fn violations(
    program: &Program,
    is_pure: &dyn Fn(MethodId) -> bool,
    suspects: Vec<Suspect>,
    executor: &mut dyn Executor,
) -> Result<(Vec<Violation>, u64), ExecutorError> {
    if suspects.is_empty() {
        return Ok((Vec::new(), 0));
    }
    let mut steps = suspects.len() as u64;
    let broken = breaking(program, suspects, executor)?;
    // What does not break its rule after another start, in another order, is left to chance.
    let mut by_bug: BTreeMap<Identity, Vec<Violation>> = BTreeMap::new();
    for violation in broken {
        by_bug
            .entry(violation.identity())
            .or_default()
            .push(violation);
    }
    let mut chosen = Vec::new();
    for (_, mut group) in by_bug.into_iter().take(MOST_BUGS) {
        group.sort_by_cached_key(|violation| {
            (
                is_excused(program, violation),
                violation.needed(program, is_pure),
                violation.suspect.sequence.len(),
            )
        });
        group.truncate(TRIED_PER_BUG);
        chosen.extend(group);
    }
    if chosen.is_empty() {
        return Ok((Vec::new(), steps));
    }
    steps += chosen.len() as u64;
    let mut again: Vec<Suspect> = chosen.into_iter().map(|one| one.suspect).collect();
    again.reverse();
    let mut repeated = breaking(program, again, executor)?;
    shorten(program, is_pure, &mut repeated, executor)?;
    steps += 10 * repeated.len() as u64;
    let last: Vec<Suspect> = repeated.into_iter().map(|one| one.suspect).collect();
    let mut by_bug: BTreeMap<Identity, Violation> = BTreeMap::new();
    for violation in breaking(program, last, executor)? {
        let suspect = &violation.suspect;
        if is_excused(program, &violation)
            || type_sequence(program, &suspect.package, &suspect.sequence).is_none()
        {
            continue;
        }
        let size = |one: &Violation| (one.suspect.sequence.len(), one.suspect.sequence.clone());
        let known = by_bug.get(&violation.identity());
        if known.is_none_or(|known| size(&violation) < size(known)) {
            by_bug.insert(violation.identity(), violation);
        }
    }
    Ok((by_bug.into_values().collect(), steps))
}

/// Runs suspects after a fresh start; gives those that break their rule.
fn breaking(
    program: &Program,
    suspects: Vec<Suspect>,
    executor: &mut dyn Executor,
) -> Result<Vec<Violation>, ExecutorError> {
    executor.begin()?;
    let sequences: Vec<Sequence> = suspects.iter().map(|one| one.sequence.clone()).collect();
    let outcomes = run_all(executor, &sequences)?;
    Ok(suspects
        .into_iter()
        .zip(outcomes)
        .filter_map(|(suspect, outcome)| {
            let breach = suspect.breach(program, &suspect.sequence, &outcome)?;
            Some(Violation {
                suspect,
                outcome,
                breach,
            })
        })
        .collect())
}

/// Cuts sequences down to what still breaks the same rule in the same way.
fn shorten(
    program: &Program,
    is_pure: &dyn Fn(MethodId) -> bool,
    violations: &mut [Violation],
    executor: &mut dyn Executor,
) -> Result<(), ExecutorError> {
    let mut runs: Vec<Run> = violations
        .iter()
        .map(|one| Run {
            sequence: one.suspect.sequence.clone(),
            outcome: one.outcome.clone(),
        })
        .collect();
    let tails: Vec<usize> = violations
        .iter()
        .map(|one| one.suspect.check.tail.len())
        .collect();
    let broken = &*violations;
    shorten_while(
        program,
        is_pure,
        &mut runs,
        &tails,
        executor,
        &|index, _, run| {
            let violation = &broken[index];
            violation
                .suspect
                .breach(program, &run.sequence, &run.outcome)
                .is_some_and(|breach| breach.kind() == violation.breach.kind())
        },
    )?;
    for (violation, run) in violations.iter_mut().zip(runs) {
        violation.suspect.sequence = run.sequence;
        violation.outcome = run.outcome;
    }
    Ok(())
}
