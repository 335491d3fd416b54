//! One behaviour per test: a run that is there for what several of its calls do becomes several, and ends with what it is for.
//!
//! Comes in: chosen runs with the probes that each owns, an executor. Goes out: runs, each ending with the call that is the
//! first to touch what it owns.
//! Does not know: which statements before that call it needs; `minimize.rs` cuts those that it does not.
//!
//! ```text
//! run                      first touches        becomes
//! new Stack()              1                    new Stack()                              owns 1
//! push("a")                2                    new Stack(); push("a")                   owns 2
//! peek()                   -
//! isFull()                 3 4                  new Stack(); push("a"); …; isFull()      owns 3 4
//! ```
//! Where the test of a later call covers what an earlier one owns, that one goes at last (`reduce.rs`).

use crate::minimize::{Chosen, run_all};
use palus_sequence::{End, Executor, ExecutorError, Outcome, Probe, Run, Sequence, Statement};

/// More parts than this are not made of one run: each is shortened by itself.
const MOST_PARTS: usize = 8;

/// A chosen run, and the parts that become tests in its place as far as they prove to own what they seem to.
struct Split {
    whole: Chosen,
    parts: Vec<Chosen>,
}

/// Splits runs by the calls that are the first to touch what they own.
pub(crate) fn split(
    chosen: &mut Vec<Chosen>,
    executor: &mut dyn Executor,
) -> Result<(), ExecutorError> {
    let mut is_begun = false;
    let mut splits = Vec::with_capacity(chosen.len());
    for whole in std::mem::take(chosen) {
        let mut split = Split {
            whole,
            parts: Vec::new(),
        };
        let prefixes = prefixes(&split.whole);
        if !prefixes.is_empty() {
            // An outcome lists what it touches only where some of it is new, and other runs touch the same.
            if std::mem::replace(&mut is_begun, true) {
                executor.forget()?;
            } else {
                executor.begin()?;
            }
            let outcomes = run_all(executor, &prefixes)?;
            split.part(prefixes.into_iter().zip(outcomes));
        }
        splits.push(split);
    }
    prove(&mut splits, executor)?;
    for Split { whole, parts } in splits {
        chosen.extend(parts);
        if !whole.owned.is_empty() {
            chosen.push(whole);
        }
    }
    Ok(())
}

/// Runs all parts in fresh classes: what they do not touch there was touched since others had run before, and stays with the
/// whole.
fn prove(splits: &mut [Split], executor: &mut dyn Executor) -> Result<(), ExecutorError> {
    let parts = splits.iter().flat_map(|split| &split.parts);
    let sequences: Vec<Sequence> = parts.map(|part| part.run.sequence.clone()).collect();
    if sequences.is_empty() {
        return Ok(());
    }
    executor.begin()?;
    let mut outcomes = run_all(executor, &sequences)?.into_iter();
    for split in splits {
        split.parts.retain_mut(|part| {
            part.run.outcome = outcomes.next().expect("an outcome for each part");
            let is_good = is_good(&part.run.outcome);
            let is_touched = |probe: &Probe| is_good && touches(&part.run.outcome, *probe);
            let (owned, rest) = part.owned.iter().partition(|probe| is_touched(probe));
            part.owned = owned;
            split.whole.owned.extend::<Vec<Probe>>(rest);
            !part.owned.is_empty()
        });
    }
    Ok(())
}

fn is_good(outcome: &Outcome) -> bool {
    outcome.end == End::Completed && outcome.is_writable()
}

fn touches(outcome: &Outcome, probe: Probe) -> bool {
    outcome.coverage.probes.binary_search(&probe).is_ok()
}

/// The prefixes of a run that owns something, each ending with a call.
fn prefixes(one: &Chosen) -> Vec<Sequence> {
    let statements = one.run.sequence.statements();
    if one.owned.is_empty() {
        return Vec::new();
    }
    let before_last = statements.iter().take(statements.len() - 1).enumerate();
    let calls = before_last.filter(|(_, statement)| matches!(statement, Statement::Call { .. }));
    calls
        .map(|(index, _)| one.run.sequence.prefix(index + 1))
        .collect()
}

impl Split {
    /// Makes parts that own something, in the order in which the run touches that: none owns what one before it touches.
    /// What no part touches stays with the whole.
    fn part(&mut self, prefixes: impl Iterator<Item = (Sequence, Outcome)>) {
        for (sequence, outcome) in prefixes.filter(|(_, outcome)| is_good(outcome)) {
            if self.parts.len() == MOST_PARTS {
                return;
            }
            let of_whole = std::mem::take(&mut self.whole.owned);
            let (owned, rest) = of_whole
                .into_iter()
                .partition(|probe| touches(&outcome, *probe));
            self.whole.owned = rest;
            let owned: Vec<Probe> = owned;
            if !owned.is_empty() {
                let run = Run { sequence, outcome };
                self.parts.push(Chosen { run, owned });
            }
        }
    }
}
