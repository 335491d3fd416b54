//! What outcomes teach.
//!
//! Comes in: a candidate and its outcome. Goes out: tallies, kept runs, new objects in the pool, values seen.
//! Objects of sequences that threw are not kept, for the objects may be broken.
//! Does not know: how candidates are made.

use crate::draft::{Candidate, slice};
use crate::generator::Generator;
use crate::kinds::Kind;
use crate::mode::Mode;
use crate::pool::Object;
use crate::random::FULL_ENERGY;
use palus_sequence::{End, Observation, Outcome, Run, Statement, Variable};
use std::sync::Arc;

/// Longer pieces are not kept for later, unless they cover something new.
const LONGEST_PIECE: usize = 30;
/// Runs kept that cover only classes the unit is not after.
const KEPT_FOR_OTHERS: usize = 20;
/// Objects of a class that enter the pool whatever they cover.
const FIRST_OBJECTS: usize = 24;

impl Generator<'_> {
    /// Files one outcome; tells what it touched for the first time.
    pub fn file(&mut self, candidate: &mut Candidate, outcome: &Outcome) -> Gain {
        let gain = self.gain(outcome);
        self.budget.step(gain == Gain::Own, outcome.cost);
        self.cost.add(outcome.cost);
        self.count(candidate, outcome, gain);
        if gain == Gain::Own && self.progress.is_complete(self.program, &self.nest) {
            self.budget.complete();
        }
        let keeps = match gain {
            Gain::Own => true,
            Gain::Others => self.kept_for_others < KEPT_FOR_OTHERS && outcome.end == End::Completed,
            Gain::None => false,
        };
        if keeps && outcome.is_writable() {
            if gain == Gain::Others {
                self.kept_for_others += 1;
            }
            let sequence = match &outcome.end {
                End::Threw(thrown) => candidate.sequence.prefix(thrown.statement as usize + 1),
                _ => candidate.sequence.clone(),
            };
            self.kept.push(Run {
                sequence,
                outcome: outcome.clone(),
            });
        }
        if self.unit.mode == Mode::Literal && matches!(outcome.end, End::Crashed(_) | End::TimedOut)
        {
            self.restart_draws();
        }
        if matches!(outcome.end, End::Crashed(_) | End::OutOfMemory) {
            self.constants.without_large = true;
        }
        self.learn_classes(candidate, outcome);
        if outcome.end == End::Completed {
            self.keep_objects(candidate, outcome, gain != Gain::None);
        }
        gain
    }

    fn gain(&mut self, outcome: &Outcome) -> Gain {
        let mut gain = Gain::None;
        if !outcome.is_writable() {
            return gain;
        }
        for &probe in &outcome.coverage.probes {
            if self.covered.insert(probe) {
                self.progress.touch(probe);
                let is_own = self
                    .is_own
                    .get(probe.class as usize)
                    .copied()
                    .unwrap_or(false);
                gain = gain.max(if is_own { Gain::Own } else { Gain::Others });
            }
        }
        gain
    }

    fn count(&mut self, candidate: &Candidate, outcome: &Outcome, gain: Gain) {
        let ran = outcome.observations.len();
        let statements = candidate.sequence.statements();
        for (index, statement) in statements.iter().enumerate().take(ran + 1) {
            let Statement::Call { method, .. } = statement else {
                continue;
            };
            let has_died = index == ran && matches!(outcome.end, End::Crashed(_) | End::TimedOut);
            let deaths = &mut self.deaths[method.index()];
            *deaths = deaths.saturating_add(u8::from(has_died));
            let (tried, completed) = &mut self.calls[method.index()];
            *tried += 1;
            if index < ran {
                *completed += 1;
            }
            let (with, without) = &mut self.threads[method.index()];
            if outcome.end == End::StartedThread {
                *with += 1;
            } else if index < ran {
                *without += 1;
            }
            if let Some(target) = self.target_of[method.index()] {
                let end = if index < ran {
                    &End::Completed
                } else {
                    &outcome.end
                };
                self.tallies[target as usize].ended(end);
            }
        }
        for &(statement, target) in &candidate.calls {
            let is_virtual = self.targets[target].is_virtual;
            let tally = &mut self.tallies[target];
            tally.cost.add(outcome.cost);
            let index = statement as usize;
            if index > ran {
                tally.missed += 1;
            } else if is_virtual {
                tally.ended(if index < ran {
                    &End::Completed
                } else {
                    &outcome.end
                });
            }
            tally.energy = match gain {
                Gain::Own => FULL_ENERGY,
                _ => tally.energy.saturating_sub(1),
            };
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

/// What a run touched for the first time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Gain {
    /// Nothing.
    None,
    /// Only classes the unit is not after.
    Others,
    /// The subject, what is nested in it, or what it extends.
    Own,
}

/// The last statement that uses a variable, or defines it.
fn last_change(candidate: &Candidate, variable: Variable) -> usize {
    let statements = candidate.sequence.statements();
    let used = statements
        .iter()
        .rposition(|statement| statement.uses().contains(&variable));
    used.unwrap_or(variable.index())
}
