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

use crate::argument::Nullable;
use crate::draft::Draft;
use crate::edges::Observed;
use crate::generator::Generator;
use crate::guided::{Guided, callable, fits};
use crate::kinds::Kind;
use crate::mode::Mode;
use palus_analyze::Relevance;
use palus_bytecode::{ClassId, MethodId};
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
        generator: &mut Generator<'a>,
        draft: &mut Draft,
        method: MethodId,
        subject: Option<Variable>,
    ) -> Option<Variable> {
        let dependent = self.draw_dependent(generator, method)?;
        let mark = draft.len();
        let looked_up = self.looked_up;
        let called = self.add_dependent(generator, draft, dependent, subject);
        self.looked_up = looked_up;
        match called {
            Some(called) => draft.fresh.push(called),
            None => draft.truncate(mark),
        }
        called
    }

    fn draw_dependent(
        &mut self,
        generator: &mut Generator<'a>,
        method: MethodId,
    ) -> Option<MethodId> {
        let facts = generator.unit.facts;
        let relevance = self
            .relevance
            .entry(method)
            .or_insert_with(|| Arc::new(facts.relevance(method)));
        let relevance: Arc<Relevance> = Arc::clone(relevance);
        if relevance.is_empty() || (self.mode == Mode::Literal && relevance.is_uniform()) {
            return None;
        }
        relevance.draw(generator.rng.even())
    }

    fn add_dependent(
        &mut self,
        generator: &mut Generator<'a>,
        draft: &mut Draft,
        dependent: MethodId,
        subject: Option<Variable>,
    ) -> Option<Variable> {
        let method = callable(
            generator,
            dependent,
            generator.program.method(dependent).class,
        )?;
        if generator.is_barred(dependent) || generator.is_barred(method) {
            return None;
        }
        let declared = generator.program.method(method);
        let receiver = if declared.access.is_static() {
            None
        } else {
            let owner = generator.kinds.of_class(declared.class);
            let own = subject.filter(|_| self.mode != Mode::Literal);
            let own = own.filter(|&subject| fits(generator, draft, subject, owner));
            let found = match own {
                Some(subject) => Some(subject),
                None if self.mode == Mode::Literal => None,
                None => generator.reuse(draft, owner),
            };
            let receiver = match found {
                Some(found) => found,
                None => self.open(generator, draft, owner, Nullable::No)?,
            };
            (draft.of(receiver).actual != Kind::VOID).then_some(receiver)?;
            Some(receiver)
        };
        let wanted = generator.resolve(
            method,
            receiver.map(|receiver| draft.of(receiver).declared),
            None,
        );
        let mut arguments = Vec::with_capacity(wanted.parameters.len());
        for (position, &kind) in wanted.parameters.iter().enumerate() {
            arguments.push(self.dependent_argument(
                generator,
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
    fn observed(&mut self, generator: &Generator<'a>, method: MethodId) -> Arc<Observed<'a>> {
        let by_class = &self.by_class;
        let observed = self.observed.entry(method).or_insert_with(|| {
            let edges = generator.unit.models.edges_of(method);
            let edges = edges.filter(|(class, _)| by_class.contains_key(class));
            Arc::new(Observed::of(edges.map(|(_, edge)| edge)))
        });
        Arc::clone(observed)
    }

    fn dependent_argument(
        &mut self,
        generator: &mut Generator<'a>,
        draft: &mut Draft,
        (method, position): (MethodId, usize),
        receiver: Option<Variable>,
        kind: Kind,
    ) -> Option<Variable> {
        let observed = self.observed(generator, method);
        if let Some(value) = generator.user_value(method, kind, observed.len()) {
            return generator.write(draft, value);
        }
        if observed.len() > 0 && generator.rng.percent(RECORDED) {
            let seen = observed.pick(&mut generator.rng)?.arguments.get(position);
            if let Some(ArgumentRecord::Constant(value)) = seen
                && generator.constant_fits(value, kind)
            {
                return generator.write(draft, value.clone());
            }
        }
        if self.mode != Mode::Literal
            && generator.rng.percent(SAME_AGAIN)
            && let Some(before) = draft.argument_before(&mut generator.rng, receiver?)
            && generator.kinds.fits(draft.of(before).declared, kind)
        {
            return Some(before);
        }
        self.open(generator, draft, kind, Nullable::Yes)
    }
}

/// Methods with the number of fields that they and those before them share with a tested one.
pub(crate) type Related = Arc<[(MethodId, usize)]>;

impl Generator<'_> {
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
