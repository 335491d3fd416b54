//! Calls on objects: of a target, of a drawn method, of one that shares fields with a tested one.
//!
//! Comes in: a draft, and a target or a variable that holds an object. Goes out: the draft with calls added: an object from
//! the pool or a new one, some calls on it, and the target's call, sometimes several times over.
//! Pacheco, Lahiri, Ernst, Ball, "Feedback-Directed Random Test Generation", ICSE 2007: sequences that ended normally are
//! extended, those that threw are not.
//! Does not know: which target is tested next, models.

use super::{Maker, Nullable, Related};
use crate::draft::{Draft, MAXIMUM_LENGTH};
use crate::kinds::Kind;
use crate::mode::Mode;
use crate::target::Target;
use palus_bytecode::{ClassId, MethodId};
use palus_sequence::Variable;
use std::sync::Arc;

/// Share of candidates that repeat their last call, in percent.
const REPEATING: usize = 8;
/// Share of candidates with further calls before the target's own.
const WITH_CALLS_BEFORE: usize = 40;
/// Share of candidates that write an object and read it again, in percent.
const ROUND_TRIPS: usize = 3;
/// Tries for a receiver whose class runs the target's own body.
const RECEIVER_TRIES: usize = 4;

impl Maker<'_> {
    /// Fills an empty draft with what tests a target.
    pub fn draft_of(&mut self, draft: &mut Draft, number: usize) -> Option<()> {
        let target = self.calls.target(number).clone();
        let receiver = match target.receiver {
            Some(kind) => Some(self.receiver(draft, &target, kind)?),
            None => None,
        };
        if let Some(receiver) = receiver {
            draft.fresh.push(receiver);
            if self.rng.percent(WITH_CALLS_BEFORE) {
                for _ in 0..=self.rng.below(3) {
                    if self.unit.mode == Mode::Static {
                        self.call_related(draft, target.implementation, receiver);
                    } else {
                        self.call_something(draft, receiver, 0);
                    }
                }
            }
        }
        if let (Some(round_trip), Some(receiver)) = (self.round_trip, receiver)
            && !self.unit.mode.is_plain()
            && self.rng.percent(ROUND_TRIPS)
        {
            let copy = round_trip.write(self.program, &mut self.kinds, draft, receiver)?;
            draft.fresh.push(copy);
            return Some(());
        }
        self.call_target(draft, number, receiver)?;
        if self.rng.percent(REPEATING) {
            for _ in 0..=self.rng.below(14) {
                if draft.len() > MAXIMUM_LENGTH / 2
                    || self.call_target(draft, number, receiver).is_none()
                {
                    break;
                }
            }
        }
        Some(())
    }

    /// Adds the target's call; the draft is unchanged where it fails.
    pub fn call_target(
        &mut self,
        draft: &mut Draft,
        number: usize,
        receiver: Option<Variable>,
    ) -> Option<Variable> {
        let mark = draft.len();
        let called = self.call(draft, self.calls.target(number).call, receiver, None, 0);
        if let Some(called) = called {
            draft.calls.push((called.0, number));
            draft.fresh.push(called);
        } else {
            draft.truncate(mark);
        }
        called
    }

    /// Calls a drawn method on an object.
    pub fn call_something(
        &mut self,
        draft: &mut Draft,
        receiver: Variable,
        depth: u32,
    ) -> Option<Variable> {
        let known = draft.of(receiver);
        let kind = if known.actual == Kind::VOID {
            known.declared
        } else {
            known.actual
        };
        let methods = self.instance_methods(kind);
        let &method = self.rng.pick(&methods)?;
        if self.is_barred(method) {
            return None;
        }
        let mark = draft.len();
        let called = self.call(draft, method, Some(receiver), None, depth);
        if let Some(called) = called {
            draft.fresh.push(called);
        } else {
            draft.truncate(mark);
        }
        called
    }

    /// An object to call a target on, if possible one that runs the target's own body.
    fn receiver(&mut self, draft: &mut Draft, target: &Target, kind: Kind) -> Option<Variable> {
        let mut last = None;
        for attempt in 0..RECEIVER_TRIES {
            draft.truncate(0);
            let is_made = !target.is_virtual && self.rng.percent(20 + 20 * attempt);
            let mut found = if is_made {
                self.fresh(draft, kind, 0)
            } else if target.is_virtual {
                self.pooled(draft, kind)
            } else {
                self.pooled_if_worth(draft, kind)
            };
            if found.is_none() && !target.is_virtual {
                found = self.argument(draft, kind, 0, Nullable::No);
            }
            let Some(receiver) = found.filter(|&receiver| draft.of(receiver).actual != Kind::VOID)
            else {
                continue;
            };
            let actual = draft.of(receiver).actual;
            let runs_it =
                self.body(actual, target.call) == Some(target.implementation) || target.is_virtual;
            if runs_it {
                return Some(receiver);
            }
            last = Some((draft.clone(), receiver));
        }
        let (other, receiver) = last?;
        *draft = other;
        Some(receiver)
    }

    /// Calls a method on an object, drawn by how many fields it shares with the tested one.
    pub fn call_related(
        &mut self,
        draft: &mut Draft,
        tested: MethodId,
        receiver: Variable,
    ) -> Option<Variable> {
        let known = draft.of(receiver);
        let class: ClassId = self.kinds.class(known.actual)?;
        let related = if let Some(related) = self.related.get(&(tested, class)) {
            Arc::clone(related)
        } else {
            let related = self.related_methods(tested, known.actual);
            self.related.insert((tested, class), Arc::clone(&related));
            related
        };
        let &(_, total) = related.last()?;
        let drawn = self.rng.below(total);
        let (method, _) = related[related.partition_point(|(_, sum)| *sum <= drawn)];
        if self.is_barred(method) {
            return None;
        }
        let mark = draft.len();
        let called = self.call(draft, method, Some(receiver), None, 0);
        match called {
            Some(called) => draft.fresh.push(called),
            None => draft.truncate(mark),
        }
        called
    }

    fn related_methods(&mut self, tested: MethodId, kind: Kind) -> Related {
        let facts = self.unit.facts;
        let fields = facts.accesses(tested).fields();
        let mut related = Vec::new();
        let mut total = 0;
        for &method in &*self.instance_methods(kind) {
            let body = self.body(kind, method).unwrap_or(method);
            let shared = facts.accesses(body).fields();
            let shared = shared.iter().filter(|field| fields.contains(field)).count();
            if shared > 0 && body != tested {
                total += shared;
                related.push((method, total));
            }
        }
        related.into()
    }
}
