//! Calls of methods that a tested method depends on through fields.
//!
//! Comes in: the tested method, the object of interest, the draft. Goes out: one more call, or none where no method
//! shares a field or no receiver is there.
//! Zhang, Saff, Bu, Ernst, "Combined Static and Dynamic Automated Test Generation", ISSTA 2011, section 3.2.2 and lines 18
//! to 21 of figure 8: drawn by relevance. The receiver is the object of interest where its class fits, else another
//! object of the sequence, else one found by type; recorded constants serve half of the time.
//! In mode `Static` the weight is the number of shared fields, as in Zheng, Zhang, Lv, Xie, Zhang, Mei, "Random Unit-Test
//! Generation with MUT-Aware Sequence Recommendation", ASE 2010.
//! Does not know: models, the executor.

use super::Guided;
use super::edges::Observed;
use crate::draft::Draft;
use crate::kinds::Kind;
use crate::maker::{Maker, Nullable};
use crate::mode::Mode;
use palus_analyze::Relevance;
use palus_bytecode::MethodId;
use palus_learn::ArgumentRecord;
use palus_sequence::{Statement, Variable};
use std::sync::Arc;

/// Share of constants of a dependent call that are recorded ones, in percent.
const RECORDED: usize = 50;
/// Share of arguments that the same object has met before, in percent.
const SAME_AGAIN: usize = 25;

impl<'a> Guided<'a> {
    /// Adds a call of a method on which `method` depends; the draft is unchanged where that fails.
    pub fn call_dependent(
        &mut self,
        maker: &mut Maker<'a>,
        draft: &mut Draft,
        method: MethodId,
        subject: Option<Variable>,
    ) -> Option<Variable> {
        let dependent = self.draw_dependent(maker, method)?;
        let mark = draft.len();
        let looked_up = self.looked_up;
        let called = self.add_dependent(maker, draft, dependent, subject);
        self.looked_up = looked_up;
        match called {
            Some(called) => draft.fresh.push(called),
            None => draft.truncate(mark),
        }
        called
    }

    fn draw_dependent(&mut self, maker: &mut Maker<'a>, method: MethodId) -> Option<MethodId> {
        let facts = maker.facts();
        let relevance = self
            .relevance
            .entry(method)
            .or_insert_with(|| Arc::new(facts.relevance(method)));
        let relevance: Arc<Relevance> = Arc::clone(relevance);
        if relevance.is_empty() || (self.mode == Mode::Literal && relevance.is_uniform()) {
            return None;
        }
        relevance.draw(maker.rng().even())
    }

    fn add_dependent(
        &mut self,
        maker: &mut Maker<'a>,
        draft: &mut Draft,
        dependent: MethodId,
        subject: Option<Variable>,
    ) -> Option<Variable> {
        let method = maker.callable(dependent, maker.program().method(dependent).class)?;
        if maker.is_barred(dependent) || maker.is_barred(method) {
            return None;
        }
        let declared = maker.program().method(method);
        let receiver = if declared.access.is_static() {
            None
        } else {
            let owner = maker.kinds().of_class(declared.class);
            let own = subject.filter(|_| self.mode != Mode::Literal);
            let own = own.filter(|&subject| maker.may_stand(draft, subject, owner));
            let found = match own {
                Some(subject) => Some(subject),
                None if self.mode == Mode::Literal => None,
                None => maker.reuse(draft, owner),
            };
            let receiver = match found {
                Some(found) => found,
                None => self.open(maker, draft, owner, Nullable::No)?,
            };
            (draft.of(receiver).actual != Kind::VOID).then_some(receiver)?;
            Some(receiver)
        };
        let wanted = maker.resolve(
            method,
            receiver.map(|receiver| draft.of(receiver).declared),
            None,
        );
        let mut arguments = Vec::with_capacity(wanted.parameters.len());
        for (position, &kind) in wanted.parameters.iter().enumerate() {
            arguments.push(self.dependent_argument(
                maker,
                draft,
                (dependent, position),
                receiver,
                kind,
            )?);
        }
        let statement = Statement::Call {
            method,
            receiver,
            arguments,
        };
        draft.push(statement, wanted.returns)
    }

    /// What was seen of a method in the models of the unit.
    fn observed(&mut self, maker: &Maker<'a>, method: MethodId) -> Arc<Observed<'a>> {
        let by_class = &self.by_class;
        let observed = self.observed.entry(method).or_insert_with(|| {
            let edges = maker.unit().models.edges_of(method);
            let edges = edges.filter(|(class, _)| by_class.contains_key(class));
            Arc::new(Observed::of(edges.map(|(_, edge)| edge)))
        });
        Arc::clone(observed)
    }

    fn dependent_argument(
        &mut self,
        maker: &mut Maker<'a>,
        draft: &mut Draft,
        (method, position): (MethodId, usize),
        receiver: Option<Variable>,
        kind: Kind,
    ) -> Option<Variable> {
        let observed = self.observed(maker, method);
        if let Some(value) = maker.user_value(method, kind, observed.len()) {
            return maker.write(draft, value);
        }
        if observed.len() > 0 && maker.rng().percent(RECORDED) {
            let seen = observed.pick(maker.rng())?.arguments.get(position);
            if let Some(ArgumentRecord::Constant(value)) = seen
                && maker.constant_fits(value, kind)
            {
                return maker.write(draft, value.clone());
            }
        }
        if self.mode != Mode::Literal
            && maker.rng().percent(SAME_AGAIN)
            && let Some(before) = draft.argument_before(maker.rng(), receiver?)
            && maker.kinds().fits(draft.of(before).declared, kind)
        {
            return Some(before);
        }
        self.open(maker, draft, kind, Nullable::Yes)
    }
}
