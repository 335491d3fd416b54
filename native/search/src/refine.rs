//! Tests in which one constant alone is changed, to learn what a goal depends on, and then to come nearer.
//!
//! Comes in: the test that came nearest to a goal whose jump it reached, once its operands have been fed back. Goes out:
//! first the test with each of its constants changed, one run each (`slots.rs` takes the answers); then tests with another
//! value for one of those that matter. So where no operand shows what is wanted, as after arithmetic, a search of few
//! numbers is left. Steps that double are those of Korel, "Automated Software Test Data Generation", TSE 1990.
//! Does not know: the executor, populations.

use crate::evaluation::Evaluation;
use crate::hunted::Origin;
use crate::individual::Individual;
use crate::mutation::with_value_at;
use crate::slots::is_slot;
use crate::target::TargetId;
use crate::value::{changed, leapt};
use palus_sequence::{Sequence, Statement, Variable};

/// Constants of one test that are asked for, the last ones.
const MOST: usize = 12;
/// Tests made for one goal in one generation once its constants are known.
const CHANGES: usize = 4;
/// Changes that double a step, in percent; the others are those of any mutation.
const LEAPS: usize = 50;

/// Adds tests that tell what a goal depends on, or that change it, until there are so many in all.
pub(crate) fn refine(
    evaluation: &mut Evaluation<'_, '_>,
    nearest: &Individual,
    goal: TargetId,
    made: &mut Vec<(Sequence, Origin)>,
    most: usize,
) {
    let fitness = nearest.fitness.to(goal);
    if nearest.is_cut || fitness >= 1.0 || fitness <= 0.0 || !nearest.fed.contains(&goal) {
        return;
    }
    let base = &nearest.sequence;
    if let Some(slots) = evaluation.slots().of(goal, base) {
        for _ in 0..CHANGES {
            let Some(&slot) = evaluation.rng().pick(&slots) else {
                return;
            };
            if made.len() < most
                && let Some(test) = with_other(evaluation, base, slot)
            {
                made.push((test, Origin::Slot));
            }
        }
        return;
    }
    let statements = base.statements().iter().enumerate().rev();
    let slots = statements.filter(|(_, statement)| match statement {
        Statement::Value(value) => is_slot(value),
        _ => false,
    });
    let slots = slots.map(|(index, _)| Variable(index as u32));
    let slots: Vec<Variable> = slots.take(MOST).collect();
    if made.len() + slots.len() > most {
        return;
    }
    evaluation.slots().begin(goal, base);
    for slot in slots {
        if let Some(test) = with_other(evaluation, base, slot) {
            evaluation.slots().ask(goal, slot, fitness, test.clone());
            made.push((test, Origin::Slot));
        }
    }
}

/// The test with another value for one constant; none where that was run before.
fn with_other(
    evaluation: &mut Evaluation<'_, '_>,
    base: &Sequence,
    slot: Variable,
) -> Option<Sequence> {
    let Statement::Value(value) = &base.statements()[slot.index()] else {
        return None;
    };
    let sources = evaluation.sources();
    let other = if sources.rng().percent(LEAPS) {
        leapt(sources.rng(), value)
    } else {
        None
    };
    let other = match other {
        Some(other) => other,
        None => changed(sources, value)?,
    };
    let test = with_value_at(sources, base, slot, other, false);
    sources.is_new(&test).then_some(test)
}
