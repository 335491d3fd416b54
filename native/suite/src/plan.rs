//! Shorter and simpler sequences to try in the place of one.
//!
//! Comes in: a run, how many of its last statements stay, and after each try whether it was good. Goes out: the next
//! sequence to try: what the tail depends on, then without chunks of calls (Zeller and Hildebrandt, "Simplifying and Isolating
//! Failure-Inducing Input", TSE 2002), then without all calls that are given the same value, last with simpler objects
//! (`simplify.rs`).
//! Does not know: what makes a try good.

use crate::cut::{slice, without};
use crate::makers::Makers;
use crate::simplify::{replaceable, ways};
use palus_bytecode::{MethodId, Program};
use palus_sequence::{End, Run, Sequence, Statement, Value};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// Candidates of one test that may hang or end their worker.
const MOST_LOSSES: usize = 3;

/// What all of them are shortened by.
pub(crate) struct Facts<'a> {
    pub(crate) program: &'a Program,
    pub(crate) is_pure: &'a dyn Fn(MethodId) -> bool,
    /// How objects of the subject's classes are made elsewhere.
    pub(crate) makers: Makers,
}

/// What has been tried for one test.
pub(crate) struct Plan {
    /// Statements at the end that stay.
    tail: usize,
    is_slice_tried: bool,
    /// Calls removed at once; 0 when done.
    chunk: usize,
    /// Position among the removable calls, counted from the end.
    position: usize,
    /// Position among the groups of calls that are given the same value, counted from the end.
    group: usize,
    /// True if such a group was left out last.
    is_group: bool,
    /// Position among the replaceable objects, counted from the end.
    object: usize,
    /// Ways to replace it that are tried.
    way: usize,
    /// True if one was replaced since calls were removed.
    is_simpler: bool,
    /// Candidates that hung or ended their worker.
    losses: usize,
}

impl Plan {
    pub(crate) fn new(sequence: &Sequence, tail: usize) -> Plan {
        Plan {
            tail,
            is_slice_tried: false,
            chunk: removable(sequence, tail).len().div_ceil(2),
            position: 0,
            group: 0,
            is_group: false,
            object: 0,
            way: 0,
            is_simpler: false,
            losses: 0,
        }
    }

    pub(crate) fn next(&mut self, facts: &Facts<'_>, run: &Run) -> Option<Sequence> {
        let (program, sequence) = (facts.program, &run.sequence);
        if !self.is_slice_tried {
            let slice = slice(program, facts.is_pure, sequence, self.tail);
            if slice.len() < sequence.len() {
                return Some(slice);
            }
            self.is_slice_tried = true;
        }
        while self.chunk > 0 {
            let calls = removable(sequence, self.tail);
            if self.position >= calls.len() {
                self.chunk = if self.chunk == 1 {
                    0
                } else {
                    self.chunk.div_ceil(2)
                };
                self.position = 0;
                continue;
            }
            let end = (self.position + self.chunk).min(calls.len());
            let removed: BTreeSet<usize> = calls[self.position..end].iter().copied().collect();
            if let Some(candidate) = without(sequence, removed, self.tail) {
                return Some(candidate);
            }
            self.position += self.chunk;
        }
        while let Some(group) = alike(sequence, self.tail).into_iter().nth(self.group) {
            if let Some(candidate) = without(sequence, group, self.tail) {
                self.is_group = true;
                return Some(candidate);
            }
            self.group += 1;
        }
        let objects = replaceable(program, sequence, self.tail);
        while let Some(&object) = objects.get(self.object) {
            let ways = ways(program, &facts.makers, run, object);
            if let Some(simpler) = ways.into_iter().nth(self.way) {
                return Some(simpler);
            }
            (self.object, self.way) = (self.object + 1, 0);
        }
        if std::mem::take(&mut self.is_simpler) {
            // Calls on what the former objects needed may go now.
            (self.chunk, self.position) = (1, 0);
            (self.group, self.object) = (usize::MAX, usize::MAX);
            return self.next(facts, run);
        }
        None
    }

    /// Starts again with another sequence.
    pub(crate) fn restart(&mut self, sequence: &Sequence) {
        let losses = self.losses;
        *self = Plan::new(sequence, self.tail);
        self.losses = losses;
    }

    pub(crate) fn judged(&mut self, accepted: bool, end: &End) {
        if matches!(
            end,
            End::OutOfFuel | End::TimedOut | End::OutOfMemory | End::Crashed(_)
        ) {
            self.losses += 1;
            if self.losses >= MOST_LOSSES {
                (self.is_slice_tried, self.chunk) = (true, 0);
                (self.group, self.object) = (usize::MAX, usize::MAX);
                (self.is_group, self.is_simpler) = (false, false);
                return;
            }
        }
        if !self.is_slice_tried {
            self.is_slice_tried = true;
        } else if std::mem::take(&mut self.is_group) {
            // Without it the next one stands in its place.
            self.group += usize::from(!accepted);
            self.is_simpler |= accepted;
        } else if self.chunk == 0 {
            // Where one was replaced, the list is shorter by it or has what it was replaced by in its place.
            self.way = if accepted { 0 } else { self.way + 1 };
            self.is_simpler |= accepted;
        } else if !accepted {
            self.position += self.chunk;
        }
    }
}

/// Calls and assignments before the tail, last first.
fn removable(sequence: &Sequence, tail: usize) -> Vec<usize> {
    let statements = sequence.statements();
    let before_tail = statements.len().saturating_sub(tail);
    (0..before_tail)
        .rev()
        .filter(|&index| {
            matches!(
                statements[index],
                Statement::Call { .. } | Statement::SetField { .. }
            )
        })
        .collect()
}

/// Of the removable calls, groups of several that are given the same value, the last ones first: entries of two maps that
/// are compared stay or go together.
fn alike(sequence: &Sequence, tail: usize) -> Vec<BTreeSet<usize>> {
    let statements = sequence.statements();
    let mut by_value: BTreeMap<&Value, BTreeSet<usize>> = BTreeMap::new();
    for index in removable(sequence, tail) {
        for used in statements[index].uses() {
            if let Statement::Value(value) = &statements[used.index()] {
                by_value.entry(value).or_default().insert(index);
            }
        }
    }
    let mut groups: Vec<BTreeSet<usize>> = by_value.into_values().collect();
    groups.retain(|group| group.len() > 1);
    groups.sort_by_key(|group| Reverse(group.last().copied()));
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::subject;
    use palus_sequence::{Observation, Outcome};

    const LEDGER: (&str, &str) = (
        "demo/Ledger.java",
        "package demo; public class Ledger { public void put(int key) { } public boolean same(Ledger as) { return false; } }",
    );

    /// Keys that two ledgers are left with where they are the same as long as both have the same keys.
    #[test]
    fn calls_that_are_given_the_same_value_go_together() {
        let subject = subject(&[LEDGER]);
        let mut script = subject.script();
        let ledgers = [(); 2].map(|()| script.construct("demo/Ledger", "()V", &[]));
        for ledger in ledgers {
            for key in [1, 2, 3] {
                let key = script.int(key);
                script.void("demo/Ledger.put(I)V", ledger, &[key]);
            }
        }
        let [one, other] = ledgers;
        let same = "demo/Ledger.same(Ldemo/Ledger;)Z";
        script.call(same, Some(one), &[other], Observation::Nothing);
        let mut run = script.run();
        let mut plan = Plan::new(&run.sequence, 1);
        let facts = Facts {
            program: &subject.program,
            is_pure: &|_| false,
            makers: Makers::of(&subject.program, &[]),
        };
        let calls = |sequence: &Sequence| removable(sequence, 1).len();
        for _ in 0..100 {
            let Some(sequence) = plan.next(&facts, &run) else {
                break;
            };
            // Keys come in pairs, and 2 is what matters.
            let keys = |of: usize| -> Vec<i32> {
                let statements = sequence.statements();
                let puts = statements.iter().filter_map(|statement| match statement {
                    Statement::Call {
                        receiver: Some(receiver),
                        arguments,
                        ..
                    } if receiver.index() == of && arguments.len() == 1 => Some(arguments[0]),
                    _ => None,
                });
                let keys = puts.filter_map(|key| match statements[key.index()] {
                    Statement::Value(Value::Int(key)) => Some(key),
                    _ => None,
                });
                keys.collect()
            };
            let statements = sequence.statements().last();
            let Some(Statement::Call {
                receiver: Some(one),
                arguments,
                ..
            }) = statements
            else {
                panic!("{sequence:?}");
            };
            let keys = [keys(one.index()), keys(arguments[0].index())];
            let is_good = keys[0] == keys[1] && keys[0].contains(&2);
            let end = End::Completed;
            plan.judged(is_good, &end);
            if is_good {
                let observations = vec![Observation::Nothing; sequence.len()];
                let outcome = Outcome::new(end, observations);
                run = Run { sequence, outcome };
            }
        }
        assert_eq!(calls(&run.sequence), 4, "{:?}", run.sequence);
    }
}
