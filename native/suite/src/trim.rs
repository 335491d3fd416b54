//! Tests without what they do not need for what they stay for.
//!
//! Comes in: drafts, each with what it is needed for (`reduce.rs`), and an executor. Goes out: the same drafts, each as short
//! and as simple as it was found to be while it touches these probes and kills these mutants. Before, each was shortened by
//! what it was kept for; what of that another does as well it need not do any more.
//! A first try asks that the mutants make a difference, since a shorter test may say something else; where what comes of it
//! does not kill them, a second asks that the call gives what it gave, too. Whatever fails both stays as it was.
//! Delta debugging as in `minimize.rs`, of all drafts together.
//! Does not know: where a draft came from.
//!
//! ```text
//! gate.pass(11); gate.pass(0); gate.pass(10)     needed for `>=` in the place of `>`
//! gate.pass(10)                                  what that takes
//! ```

use crate::draft::{Draft, Needed};
use crate::drafting::{Builder, Losses};
use crate::minimize::{run_all, same_end, shorten_while};
use crate::mutants::infected;
use crate::pick::killed_by_set_up;
use crate::recorded::record;
use crate::survivors::killed;
use crate::written::DIFFERENCES;
use palus_bytecode::ClassId;
use palus_sequence::{Executor, ExecutorError, Mutant, Outcome, Probe, Run, Sequence};
use std::collections::{BTreeMap, BTreeSet};

/// What a shorter test has to keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kept {
    /// How it ends, and that the mutants make a difference.
    Difference,
    /// What its call gives, too.
    Result,
}

/// Shortens drafts, with the mutants of these classes.
pub(crate) fn trim(
    builder: &Builder<'_>,
    classes: &[ClassId],
    drafts: &mut [Draft],
    executor: &mut dyn Executor,
) -> Result<(), ExecutorError> {
    // What another version of the code answers otherwise is seen by running both.
    let is_of_code = |draft: &Draft| draft.needed.mutants.iter().all(|&one| one < DIFFERENCES);
    let open = drafts.iter().enumerate();
    let open = open.filter(|(_, draft)| {
        draft.written.is_none() && draft.needed != Needed::default() && is_of_code(draft)
    });
    let mut open: Vec<usize> = open.map(|(at, _)| at).collect();
    for kept in [Kept::Difference, Kept::Result] {
        if open.is_empty() {
            break;
        }
        let long: Vec<&Draft> = open.iter().map(|&at| &drafts[at]).collect();
        let runs = shortened(builder, classes, &long, kept, executor)?;
        let shorter = drafted(builder, classes, &long, &runs, executor)?;
        open.retain(|&at| {
            let draft = &mut drafts[at];
            let body = draft.sequence.prefix(draft.length);
            let Some(short) = shorter.get(&body) else {
                return true;
            };
            let needed = &draft.needed;
            let touches = |probe: &Probe| short.touched.binary_search(probe).is_ok();
            let is_as_good = needed.mutants.is_subset(&killed(builder, short))
                && needed.probes.iter().all(touches)
                && killed_by_set_up(builder.program, short).is_none();
            if is_as_good {
                let needed = std::mem::take(&mut draft.needed);
                let is_for_faults = draft.touched.is_empty();
                *draft = Draft {
                    needed,
                    ..short.clone()
                };
                if is_for_faults {
                    draft.touched.clear();
                }
            }
            !is_as_good
        });
    }
    Ok(())
}

/// The bodies of drafts, shortened; those that did not become shorter are left out.
fn shortened(
    builder: &Builder<'_>,
    classes: &[ClassId],
    drafts: &[&Draft],
    kept: Kept,
    executor: &mut dyn Executor,
) -> Result<BTreeMap<Sequence, Run>, ExecutorError> {
    let bodies = drafts
        .iter()
        .map(|draft| draft.sequence.prefix(draft.length));
    let bodies: Vec<Sequence> = bodies.collect();
    executor.begin_mutated(classes)?;
    let outcomes = run_all(executor, &bodies)?;
    let runs = bodies.iter().cloned().zip(outcomes);
    let mut runs: Vec<Run> = runs
        .map(|(sequence, outcome)| Run { sequence, outcome })
        .collect();
    let tails = vec![1; runs.len()];
    let mut mutated = Mutated { executor, classes };
    let keeps = |at: usize, before: &Run, after: &Run| {
        keeps(&drafts[at].needed, kept, &before.outcome, after)
    };
    shorten_while(
        builder.program,
        builder.is_pure,
        &mut runs,
        &tails,
        &mut mutated,
        &keeps,
    )?;
    let both = bodies.into_iter().zip(runs);
    Ok(both.filter(|(body, run)| *body != run.sequence).collect())
}

/// Whether a shorter run shows what the longer one does.
fn keeps(needed: &Needed, kept: Kept, before: &Outcome, after: &Run) -> bool {
    let probes = &after.outcome.coverage.probes;
    let touches = |probe: &Probe| probes.binary_search(probe).is_ok();
    let result = |outcome: &Outcome| outcome.observations.last().cloned();
    same_end(&before.end, &after.outcome.end, &after.sequence)
        && after.outcome.is_writable()
        && needed.mutants.is_subset(&infected(&after.outcome))
        && needed.probes.iter().all(touches)
        // Where no fault tells what is to stay, what the call gives does.
        && (kept == Kept::Difference && !needed.mutants.is_empty()
            || result(before) == result(&after.outcome))
}

/// Drafts of shortened runs, with what they kill, by the body that each was shortened from.
fn drafted(
    builder: &Builder<'_>,
    classes: &[ClassId],
    long: &[&Draft],
    runs: &BTreeMap<Sequence, Run>,
    executor: &mut dyn Executor,
) -> Result<BTreeMap<Sequence, Draft>, ExecutorError> {
    let writable = runs.iter().filter_map(|(body, run)| {
        let writable = builder.writable(run)?;
        (writable.sequence.len() == run.sequence.len()).then(|| (body.clone(), writable))
    });
    let (bodies, mut runs): (Vec<Sequence>, Vec<Run>) = writable.unzip();
    record(builder.program, runs.iter_mut().collect(), executor)?;
    let mut short: BTreeMap<Sequence, Vec<Sequence>> = BTreeMap::new();
    let mut new = Vec::new();
    for (body, run) in bodies.into_iter().zip(&runs) {
        let of = short.entry(run.sequence.clone()).or_default();
        if of.is_empty() {
            new.push(builder.draft(run));
        }
        of.push(body);
    }
    builder.observe(&mut new, executor, &mut Losses::default())?;
    let wanted = long.iter().flat_map(|draft| &draft.needed.mutants);
    let wanted: BTreeSet<u32> = wanted.copied().collect();
    builder.find_kills(classes, Some(&wanted), &mut new, executor)?;
    let mut by_body = BTreeMap::new();
    for draft in new {
        let of = short.remove(&draft.sequence.prefix(draft.length));
        by_body.extend(
            of.unwrap_or_default()
                .into_iter()
                .map(|body| (body, draft.clone())),
        );
    }
    Ok(by_body)
}

/// Each fresh start of it is one with the mutants of these classes.
struct Mutated<'a> {
    executor: &'a mut dyn Executor,
    classes: &'a [ClassId],
}

impl Executor for Mutated<'_> {
    fn begin(&mut self) -> Result<(), ExecutorError> {
        self.executor.begin_mutated(self.classes).map(|_| ())
    }

    fn begin_mutated(&mut self, classes: &[ClassId]) -> Result<Vec<Mutant>, ExecutorError> {
        self.executor.begin_mutated(classes)
    }

    fn forget(&mut self) -> Result<(), ExecutorError> {
        self.executor.forget()
    }

    fn execute(&mut self, batch: &[Sequence]) -> Result<Vec<Outcome>, ExecutorError> {
        self.executor.execute(batch)
    }

    fn watch(&mut self, probes: &[Probe]) -> Result<(), ExecutorError> {
        self.executor.watch(probes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::gates::{GATE, Gates, builder, run};
    use crate::testing::{Subject, subject};
    use palus_sequence::{Statement, Value};

    /// What becomes of a draft that was added for the only mutant, which lets 10 pass.
    fn trimmed(subject: &Subject, weights: &[i32]) -> Draft {
        let builder = builder(subject);
        let mut executor = Gates::default();
        let classes = [subject.class("demo/Gate")];
        let mut drafts = vec![builder.draft(&run(subject, weights))];
        builder
            .observe(&mut drafts, &mut executor, &mut Losses::default())
            .unwrap();
        builder
            .find_kills(&classes, None, &mut drafts, &mut executor)
            .unwrap();
        drafts[0].needed.mutants = killed(&builder, &drafts[0]);
        trim(&builder, &classes, &mut drafts, &mut executor).unwrap();
        drafts.remove(0)
    }

    fn weights(draft: &Draft) -> Vec<i32> {
        let statements = draft.sequence.statements().iter();
        let weights = statements.filter_map(|statement| match statement {
            Statement::Value(Value::Int(weight)) => Some(*weight),
            _ => None,
        });
        weights.collect()
    }

    #[test]
    fn what_a_fault_does_not_need_goes() {
        let draft = trimmed(&subject(&[GATE]), &[11, 0, 10]);
        assert_eq!(weights(&draft), [10]);
        assert_eq!(draft.needed.mutants, BTreeSet::from([0]));
        assert!(draft.kills.is_some_and(|kills| kills.own.contains(&0)));
    }

    #[test]
    fn a_test_for_the_code_stays_as_it_is() {
        let draft = trimmed(&subject(&[GATE]), &[11, 0]);
        assert_eq!(weights(&draft), [11, 0]);
    }
}
