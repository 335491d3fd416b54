//! What outcomes teach.
//!
//! Comes in: a candidate, its outcome, and what it touched for the first time. Goes out: counts of calls, new objects in
//! the pool, values seen.
//! Objects of sequences that threw are not kept, for the objects may be broken.
//! Does not know: how candidates are made, which runs are kept.

use super::Maker;
use crate::draft::{Candidate, slice};
use crate::kinds::Kind;
use crate::mode::Mode;
use crate::pool::Object;
use palus_sequence::{End, Observation, Outcome, Variable};
use std::sync::Arc;

/// Longer pieces are not kept for later, unless they cover something new.
const LONGEST_PIECE: usize = 30;
/// Objects of a class that enter the pool whatever they cover.
const FIRST_OBJECTS: usize = 24;

impl Maker<'_> {
    /// Learns from one outcome: `is_gain` tells if the run covered something new of what the unit is after, `is_new` if it
    /// covered anything new.
    pub fn learn(
        &mut self,
        candidate: &mut Candidate,
        outcome: &Outcome,
        is_gain: bool,
        is_new: bool,
    ) {
        self.calls.count(candidate, outcome, is_gain);
        if self.unit.mode == Mode::Literal && matches!(outcome.end, End::Crashed(_) | End::TimedOut)
        {
            self.restart_draws();
        }
        if matches!(outcome.end, End::Crashed(_) | End::OutOfMemory) {
            self.constants.without_large = true;
        }
        self.learn_classes(candidate, outcome);
        if outcome.end == End::Completed {
            self.keep_objects(candidate, outcome, is_new);
        }
    }

    /// Replaces static types by what the run saw.
    fn learn_classes(&mut self, candidate: &mut Candidate, outcome: &Outcome) {
        for &variable in &candidate.fresh {
            let Some(observation) = outcome.observations.get(variable.index()) else {
                continue;
            };
            match observation {
                Observation::Nothing | Observation::Null => {
                    candidate.known[variable.index()].actual = Kind::VOID;
                }
                Observation::Object { class, .. } | Observation::EnumConstant { class, .. } => {
                    if let Some(kind) = self.kinds.of_runtime(class) {
                        candidate.known[variable.index()].actual = kind;
                    }
                }
                Observation::Value { value, boxed } => {
                    self.constants.see(&mut self.rng, value);
                    if let Some(plain) = value.plain_type().filter(|_| *boxed) {
                        let boxed = plain
                            .box_name()
                            .map(palus_bytecode::Type::object)
                            .unwrap_or(plain);
                        candidate.known[variable.index()].actual = self.kinds.of_type(&boxed);
                    }
                }
                Observation::LongText => {}
            }
        }
    }

    fn keep_objects(&mut self, candidate: &Candidate, outcome: &Outcome, is_new: bool) {
        for position in 0..candidate.fresh.len() {
            let variable = candidate.fresh[position];
            let known = candidate.known[variable.index()];
            if known.actual == Kind::VOID
                || self.kinds.is_immutable(known.actual)
                || candidate.fresh[..position].contains(&variable)
            {
                continue;
            }
            let last_change = last_change(candidate, variable);
            let profile = match &outcome.observations[variable.index()] {
                Observation::Object {
                    same_as: Some(_), ..
                } => continue,
                // The profile is that of the moment when the statement ended.
                Observation::Object { profile, .. } if last_change == variable.index() => {
                    profile.clone()
                }
                _ => None,
            };
            let count = self.pool.count(&self.kinds, known.actual);
            if !(is_new || count < FIRST_OBJECTS || self.rng.percent(12)) {
                continue;
            }
            let facts = self.unit.facts;
            let statements = candidate.sequence.statements();
            let piece = slice(
                statements,
                &candidate.known,
                &candidate.states,
                variable,
                &self.kinds,
                |method| facts.is_pure(method),
            );
            let longest = if is_new && candidate.replay.is_none() {
                2 * LONGEST_PIECE
            } else {
                LONGEST_PIECE
            };
            if piece.statements.len() <= longest {
                // Nobody knows which statement cost what: each its share.
                let share = u64::from(outcome.cost) * piece.statements.len() as u64;
                let object = Object {
                    snippet: Arc::new(piece),
                    profile,
                    cost: (share / statements.len() as u64) as u32,
                };
                self.pool
                    .insert(&mut self.kinds, &mut self.rng, known.actual, object);
            }
        }
    }
}

/// The last statement that uses a variable, or defines it.
fn last_change(candidate: &Candidate, variable: Variable) -> usize {
    let statements = candidate.sequence.statements();
    let used = statements
        .iter()
        .rposition(|statement| statement.uses().contains(&variable));
    used.unwrap_or(variable.index())
}
