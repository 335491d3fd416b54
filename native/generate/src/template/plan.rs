//! Steps of a template before they are put in order.
//!
//! Comes in: statements whose variables are numbers of steps, and which step has to come before which. Goes out: a
//! [`Sequence`]: each step after what it uses and after what it waits for, else in the order of adding, the last one last.
//! Does not know: why a step is made.

use palus_sequence::{Sequence, Statement, Value, Variable};
use std::collections::{BTreeMap, BTreeSet};

/// A step: a statement, the steps it waits for besides those whose variables it uses.
#[derive(Clone, Debug)]
struct Step {
    statement: Statement,
    after: BTreeSet<usize>,
}

/// All steps of one template.
#[derive(Clone, Debug, Default)]
pub(super) struct Plan {
    steps: Vec<Step>,
    slots: BTreeSet<usize>,
    /// Slots that begin with an index.
    begun: BTreeSet<usize>,
    /// Steps that do something though nothing uses them.
    kept: BTreeSet<usize>,
    /// Per object: the step that hands it to another one, before which it is to be filled.
    handed_over: BTreeMap<usize, usize>,
}

impl Plan {
    /// Number of steps.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Adds a step.
    pub fn add(&mut self, statement: Statement) -> usize {
        self.steps.push(Step {
            statement,
            after: BTreeSet::new(),
        });
        self.steps.len() - 1
    }

    /// Adds a constant that is to be varied.
    pub fn slot(&mut self, value: Value) -> usize {
        let step = self.add(Statement::Value(value));
        self.slots.insert(step);
        step
    }

    /// Lets a slot begin with an index; the first one stays.
    pub fn begin(&mut self, slot: usize, index: u16) {
        if self.begun.insert(slot)
            && matches!(self.steps[slot].statement, Statement::Value(Value::Int(_)))
        {
            self.steps[slot].statement = Statement::Value(Value::Int(i32::from(index)));
        }
    }

    /// Drops the steps added since there were this many; none of those that stay may use them.
    pub fn truncate(&mut self, length: usize) {
        self.steps.truncate(length);
        self.slots.retain(|&slot| slot < length);
        self.kept.retain(|&step| step < length);
        self.handed_over
            .retain(|&object, &mut step| object < length && step < length);
    }

    /// A step's statement.
    pub fn statement(&self, step: usize) -> &Statement {
        &self.steps[step].statement
    }

    /// Puts another statement in place of a step's; false where it would wait for itself.
    pub fn replace(&mut self, step: usize, statement: Statement) -> bool {
        let used = statement.uses();
        if used.iter().any(|used| self.waits(used.index(), step)) {
            return false;
        }
        self.steps[step].statement = statement;
        true
    }

    /// True if a step is a constant that is to be varied.
    pub fn is_slot(&self, step: usize) -> bool {
        self.slots.contains(&step)
    }

    /// Lets a step come after another; without effect where it would wait for itself.
    pub fn order(&mut self, before: usize, after: usize) {
        if before != after && !self.waits(before, after) {
            self.steps[after].after.insert(before);
        }
    }

    /// Says that a step does something, such as a call of a static method.
    pub fn keep(&mut self, step: usize) {
        self.kept.insert(step);
    }

    /// Says that a step hands an object over.
    pub fn hand_over(&mut self, object: usize, step: usize) {
        self.handed_over.entry(object).or_insert(step);
    }

    /// The step that hands an object over.
    pub fn handed_over(&self, object: usize) -> Option<usize> {
        self.handed_over.get(&object).copied()
    }

    /// True if a step has to come after another, or is it.
    fn waits(&self, step: usize, other: usize) -> bool {
        let mut seen = BTreeSet::new();
        let mut open = vec![step];
        while let Some(next) = open.pop() {
            if next == other {
                return true;
            }
            if seen.insert(next) {
                open.extend(self.before(next));
            }
        }
        false
    }

    fn before(&self, step: usize) -> impl Iterator<Item = usize> + '_ {
        let step = &self.steps[step];
        let used = step.statement.uses().into_iter().map(Variable::index);
        used.chain(step.after.iter().copied())
    }

    /// The steps in order, without values that nothing uses, and the places of the slots.
    pub fn finish(self) -> (Sequence, Vec<Variable>) {
        let last = self.steps.len() - 1;
        let needed = self.needed(last);
        let mut place = vec![None; self.steps.len()];
        let mut sequence = Sequence::default();
        let mut open: Vec<usize> = (0..last).filter(|&step| needed[step]).collect();
        open.push(last);
        while !open.is_empty() {
            let is_ready = |step: &usize| {
                self.before(*step)
                    .all(|before| !needed[before] || place[before].is_some())
            };
            let next = open.iter().position(is_ready).unwrap_or_default();
            // The target call comes last, whatever is ready.
            let next = if open[next] == last && open.len() > 1 {
                0
            } else {
                next
            };
            let step = open.remove(next);
            let statement = self.steps[step]
                .statement
                .renamed(|used| place[used.index()].expect("a step is placed after what it uses"));
            place[step] = Some(sequence.push(statement));
        }
        let slots = self.slots.iter().filter_map(|&slot| place[slot]).collect();
        (sequence, slots)
    }

    /// Per step: whether it does something, or something needed uses it.
    fn needed(&self, last: usize) -> Vec<bool> {
        let acts = |step: &Step| {
            matches!(step.statement, Statement::SetField { .. })
                || matches!(
                    step.statement,
                    Statement::Call {
                        receiver: Some(_),
                        ..
                    }
                )
        };
        let mut needed = vec![false; self.steps.len()];
        let acting = (0..self.steps.len()).filter(|&step| acts(&self.steps[step]));
        let mut open: Vec<usize> = acting
            .chain(self.kept.iter().copied())
            .chain([last])
            .collect();
        while let Some(step) = open.pop() {
            if !std::mem::replace(&mut needed[step], true) {
                let used = self.steps[step].statement.uses();
                open.extend(used.into_iter().map(Variable::index));
                // What somebody waits for does something, or was replaced by what does.
                let after = self.steps[step].after.iter();
                open.extend(after.filter(|&&before| {
                    matches!(self.steps[before].statement, Statement::Call { .. })
                }));
            }
        }
        needed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palus_bytecode::{FieldId, Type};

    #[test]
    fn what_fills_an_object_comes_before_it_is_handed_over() {
        let mut plan = Plan::default();
        let set = |receiver: usize, value: usize| Statement::SetField {
            field: FieldId(0),
            receiver: Some(Variable(receiver as u32)),
            value: Variable(value as u32),
        };
        let object = |plan: &mut Plan| {
            plan.add(Statement::NewArray {
                element: Type::Int,
                elements: Vec::new(),
            })
        };
        let outer = object(&mut plan);
        let inner = object(&mut plan);
        let handing = plan.add(set(outer, inner));
        plan.hand_over(inner, handing);
        let unused = plan.slot(Value::Int(1));
        let value = plan.slot(Value::Int(7));
        let filling = plan.add(set(inner, value));
        plan.order(filling, handing);
        plan.order(handing, filling);
        assert_eq!(plan.handed_over(inner), Some(handing));
        assert!(plan.is_slot(unused));
        plan.add(set(outer, inner));
        let (sequence, slots) = plan.finish();
        let order = sequence.statements();
        assert_eq!(order.len(), 6, "{order:?}");
        assert_eq!(order[2], Statement::Value(Value::Int(7)));
        assert_eq!(slots, [Variable(2)]);
        assert_eq!(order[3], set(1, 2));
        assert_eq!(order[4], set(0, 1));
    }
}
