//! Which constants of a test the distance to a goal depends on, and tests in which these alone are changed.
//!
//! Comes in: the test that came nearest to a goal whose jump it reached, once its operands have been fed back. Goes out:
//! first the test with each of its constants changed, one run each: where the distance changes, the goal depends on the
//! constant; then tests with another value for one of these. Of a test that differs from the last one in constants only,
//! the answer is known. So where no operand shows what is wanted, as after arithmetic, a search of few numbers is left.
//! A cheap kind of taint run, which Lin, Ong, Sun, Fraser, Dong (ESEC/FSE 2021) name as what templates need next; steps
//! that double are those of Korel, "Automated Software Test Data Generation", TSE 1990.
//! Does not know: the executor, populations.
//!
//! ```text
//! int f(int a, int b, int c) { if (3 * a + b == 100) ... }
//! f(1, 2, 3)   distance 95    f(4, 2, 3)   86: a    f(1, 9, 3)   88: b    f(1, 2, 8)   95: not c
//! ```

use crate::Origin;
use crate::evaluation::{Evaluation, Individual};
use crate::mutation::with_value_at;
use crate::target::TargetId;
use crate::value::{changed, leapt};
use palus_sequence::{Sequence, Statement, Value, Variable};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Constants of one test that are asked for, the last ones.
const MOST: usize = 12;
/// Tests made for one goal in one generation once its constants are known.
const CHANGES: usize = 4;
/// Changes that double a step, in percent; the others are those of any mutation.
const LEAPS: usize = 50;
/// A change of the distance that is less says nothing.
const SLIGHT: f64 = 1e-9;

/// What a goal depends on.
#[derive(Clone, Debug)]
struct Known {
    base: Arc<Sequence>,
    slots: Vec<Variable>,
}

/// A test that is to be run to learn whether a goal depends on a constant.
#[derive(Clone, Debug)]
struct Question {
    goal: TargetId,
    slot: Variable,
    fitness: f64,
}

/// What goals depend on, as far as it was asked.
#[derive(Clone, Debug, Default)]
pub(crate) struct Slots {
    known: BTreeMap<TargetId, Known>,
    asked: Vec<(Sequence, Question)>,
}

impl Slots {
    /// Takes how near a test came; `fitness` tells it per goal.
    pub fn answer(&mut self, sequence: &Sequence, fitness: impl Fn(TargetId) -> f64) {
        let asked = self.asked.iter();
        let mut asked = asked.zip(0..).filter(|((made, _), _)| made == sequence);
        let Some((_, at)) = asked.next() else { return };
        let (_, question) = self.asked.swap_remove(at);
        if (fitness(question.goal) - question.fitness).abs() > SLIGHT
            && let Some(known) = self.known.get_mut(&question.goal)
            && !known.slots.contains(&question.slot)
        {
            known.slots.push(question.slot);
        }
    }

    /// True if what the goal depends on was asked for a test that differs from this one in constants only.
    fn knows(&mut self, goal: TargetId, base: &Arc<Sequence>) -> bool {
        match self.known.get_mut(&goal) {
            Some(known) if is_alike(&known.base, base) => {
                known.base = Arc::clone(base);
                true
            }
            _ => false,
        }
    }
}

fn is_alike(left: &Sequence, right: &Sequence) -> bool {
    let (left, right) = (left.statements(), right.statements());
    let is_alike = |(left, right): (&Statement, &Statement)| match (left, right) {
        (Statement::Value(left), Statement::Value(right)) => {
            left == right || (is_slot(left) && left.plain_type() == right.plain_type())
        }
        _ => left == right,
    };
    left.len() == right.len() && left.iter().zip(right).all(is_alike)
}

fn is_slot(value: &Value) -> bool {
    value.plain_type().is_some() || matches!(value, Value::EnumConstant { .. })
}

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
    if evaluation.slots.knows(goal, base) {
        let slots = evaluation.slots.known[&goal].slots.clone();
        for _ in 0..CHANGES {
            let Some(&slot) = evaluation.sources.rng().pick(&slots) else {
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
    let known = Known {
        base: Arc::clone(base),
        slots: Vec::new(),
    };
    evaluation.slots.known.insert(goal, known);
    for slot in slots {
        if let Some(test) = with_other(evaluation, base, slot) {
            let question = Question {
                goal,
                slot,
                fitness,
            };
            evaluation.slots.asked.push((test.clone(), question));
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
    let sources = &mut *evaluation.sources;
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

#[cfg(test)]
mod tests {
    use super::*;

    fn test(numbers: [i32; 2]) -> Sequence {
        let values = numbers.map(|number| Statement::Value(Value::Int(number)));
        Sequence::new(values.into())
    }

    #[test]
    fn a_constant_matters_where_the_distance_changes_with_it() {
        let goal = TargetId(3);
        let base = Arc::new(test([1, 2]));
        let mut slots = Slots::default();
        assert!(!slots.knows(goal, &base));
        let known = Known {
            base: Arc::clone(&base),
            slots: Vec::new(),
        };
        slots.known.insert(goal, known);
        for (slot, made) in [(0, test([5, 2])), (1, test([1, 9]))] {
            let question = Question {
                goal,
                slot: Variable(slot),
                fitness: 0.5,
            };
            slots.asked.push((made, question));
        }
        slots.answer(&test([7, 7]), |_| 0.0);
        slots.answer(&test([5, 2]), |_| 0.5);
        slots.answer(&test([1, 9]), |_| 0.9);
        assert!(slots.asked.is_empty());
        assert_eq!(slots.known[&goal].slots, [Variable(1)]);
        // Another constant of the same type asks nothing anew, another statement does.
        assert!(slots.knows(goal, &Arc::new(test([1, 40]))));
        let other = Sequence::new(vec![Statement::Value(Value::Int(1))]);
        assert!(!slots.knows(goal, &Arc::new(other)));
    }
}
