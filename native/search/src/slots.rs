//! Which constants of a test the distance to a goal depends on.
//!
//! Comes in: tests with one constant changed, and how near they came. Goes out: where the distance changed, the goal depends
//! on the constant. Of a test that differs from the last one in constants only, the answer is known.
//! A cheap kind of taint run, which Lin, Ong, Sun, Fraser, Dong (ESEC/FSE 2021) name as what templates need next.
//! Does not know: who changes constants (`refine.rs`), the executor.
//!
//! ```text
//! int f(int a, int b, int c) { if (3 * a + b == 100) ... }
//! f(1, 2, 3)   distance 95    f(4, 2, 3)   86: a    f(1, 9, 3)   88: b    f(1, 2, 8)   95: not c
//! ```

use crate::target::TargetId;
use palus_sequence::{Sequence, Statement, Value, Variable};
use std::collections::BTreeMap;
use std::sync::Arc;

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

    /// The constants that a goal depends on, where they are known for such a test.
    pub fn of(&mut self, goal: TargetId, base: &Arc<Sequence>) -> Option<Vec<Variable>> {
        let is_known = self.knows(goal, base);
        is_known.then(|| self.known[&goal].slots.clone())
    }

    /// Begins to ask on which constants of a test a goal depends.
    pub fn begin(&mut self, goal: TargetId, base: &Arc<Sequence>) {
        let known = Known {
            base: Arc::clone(base),
            slots: Vec::new(),
        };
        self.known.insert(goal, known);
    }

    /// Asks for one of them: the test has it changed, and the distance was this one before.
    pub fn ask(&mut self, goal: TargetId, slot: Variable, fitness: f64, test: Sequence) {
        let question = Question {
            goal,
            slot,
            fitness,
        };
        self.asked.push((test, question));
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

pub(crate) fn is_slot(value: &Value) -> bool {
    value.plain_type().is_some() || matches!(value, Value::EnumConstant { .. })
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
        slots.begin(goal, &base);
        for (slot, made) in [(0, test([5, 2])), (1, test([1, 9]))] {
            slots.ask(goal, Variable(slot), 0.5, made);
        }
        slots.answer(&test([7, 7]), |_| 0.0);
        slots.answer(&test([5, 2]), |_| 0.5);
        slots.answer(&test([1, 9]), |_| 0.9);
        assert!(slots.asked.is_empty());
        assert_eq!(slots.of(goal, &base), Some(vec![Variable(1)]));
        // Another constant of the same type asks nothing anew, another statement does.
        assert!(slots.knows(goal, &Arc::new(test([1, 40]))));
        let other = Sequence::new(vec![Statement::Value(Value::Int(1))]);
        assert!(!slots.knows(goal, &Arc::new(other)));
    }
}
