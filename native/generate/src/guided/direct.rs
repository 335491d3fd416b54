//! Calls of the subject's methods that traces show and to which no model of the subject leads: static ones, and all of
//! them where no object of the subject was seen being made.
//!
//! Comes in: what was seen of these methods in models of other classes, and of static calls in no model. Goes out:
//! candidates of one such call, with the arguments that were seen.
//! Beyond Zhang, Saff, Bu, Ernst (ISSTA 2011), whose models are of objects alone: a class that is used by static calls,
//! as one of tools for an interpreter, would have no phase led by models however much was seen of it.
//! Does not know: edges as part of walks, the executor.

use super::Guided;
use crate::draft::{Arm, Candidate, Draft};
use crate::kinds::Kind;
use crate::ledger::Ledger;
use crate::maker::{Maker, Nullable};
use crate::mode::Mode;
use palus_bytecode::{ClassId, MethodId};
use palus_learn::{ArgumentRecord, Constraint, NodeId, Observation};
use palus_sequence::{Statement, Variable};
use std::sync::Arc;

impl<'a> Guided<'a> {
    /// One call as it was seen; none where it cannot be made. The method is drawn, in mode `Full` by what it leaves open.
    pub fn direct_candidate(
        &mut self,
        maker: &mut Maker<'a>,
        ledger: &Ledger<'a>,
    ) -> Option<Candidate> {
        let drawn = if self.mode == Mode::Full {
            self.best_direct(maker, ledger)
        } else {
            maker.rng().below(self.direct.methods().len())
        };
        let (method, seen) = self.direct.methods()[drawn].clone();
        self.arms.take(Arm::Direct(method));
        let (state, seen) = seen.pick(maker.rng())?;
        let mut draft = Draft::default();
        let (called, receiver) = self.call_directly(maker, &mut draft, method, seen, state)?;
        draft.fresh.push(called);
        draft.fresh.extend(receiver);
        if self.mode.has_dependents() {
            self.call_dependent(maker, &mut draft, method, receiver);
        }
        let mut candidate = draft.finish();
        candidate.reaches = self.provider.take_reaches();
        candidate.arms.push(Arm::Direct(method));
        Some(candidate)
    }

    fn call_directly(
        &mut self,
        maker: &mut Maker<'a>,
        draft: &mut Draft,
        observed: MethodId,
        seen: &'a Observation,
        state: Option<(ClassId, NodeId)>,
    ) -> Option<(Variable, Option<Variable>)> {
        let program = maker.program();
        let method = maker.callable(observed, program.method(observed).class)?;
        if maker.is_barred(observed) || maker.is_barred(method) {
            return None;
        }
        let receiver = match &seen.receiver {
            Some(record) => {
                let owner = maker.kinds().of_class(program.method(method).class);
                let found = self.seen(maker, draft, record, owner, Nullable::No, state)?;
                let is_fit =
                    draft.of(found).actual != Kind::VOID && maker.may_stand(draft, found, owner);
                Some(is_fit.then_some(found)?)
            }
            None => None,
        };
        let on = receiver.map(|receiver| draft.of(receiver).declared);
        let wanted = maker.resolve(method, on, None);
        let mut arguments = Vec::with_capacity(wanted.parameters.len());
        for (&kind, record) in wanted.parameters.iter().zip(&seen.arguments) {
            let argument = match maker.user_value(observed, kind, 1) {
                Some(value) => maker.write(draft, value)?,
                None => self.seen(maker, draft, record, kind, Nullable::Yes, state)?,
            };
            arguments.push(argument);
        }
        let statement = Statement::Call {
            method,
            receiver,
            arguments: arguments.clone(),
        };
        let called = draft.push(statement, wanted.returns)?;
        self.advance(draft, observed, receiver, &arguments);
        Some((called, receiver))
    }

    /// The value for a position; the object whose model holds the call is one of its class at the node that the call left.
    fn seen(
        &mut self,
        maker: &mut Maker<'a>,
        draft: &mut Draft,
        record: &ArgumentRecord,
        kind: Kind,
        nullable: Nullable,
        state: Option<(ClassId, NodeId)>,
    ) -> Option<Variable> {
        match (record, state) {
            (ArgumentRecord::SelfObject, Some(state)) => {
                let constraint = Constraint {
                    class: Some(Arc::clone(&maker.program().class(state.0).name)),
                    dep_states: vec![state],
                    ..Constraint::default()
                };
                let record = ArgumentRecord::Constrained(constraint);
                self.recorded(maker, draft, &record, kind, nullable)
            }
            _ => self.recorded(maker, draft, record, kind, nullable),
        }
    }
}
