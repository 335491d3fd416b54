//! Generation led by call sequence models.
//!
//! Comes in: the models of the subject and of the classes its arguments come from. Goes out: candidates that walk a
//! model: from the root, or onwards from an object that an earlier sequence led to a node.
//! Arguments are looked up by state, then profile, then type, then made like any other; at each level a variable of the
//! sequence itself comes first with probability one half.
//! Zhang, Saff, Bu, Ernst, "Combined Static and Dynamic Automated Test Generation", ISSTA 2011, section 5; after the
//! model's call a drawn method may be called on the object, in place of the paper's dependent method.
//! Does not know: how models were learned, the executor.

use crate::argument::Nullable;
use crate::draft::{Candidate, Draft, Reach, Snippet, slice};
use crate::generator::Generator;
use crate::kinds::Kind;
use crate::target::accessible_declaration;
use palus_bytecode::{ClassId, MethodId, Type};
use palus_learn::{
    ArgumentRecord, CallEdge, CallSequenceModel, Constraint, EdgeId, NodeId, Observation, Role,
};
use palus_sequence::{Outcome, Statement, Value, Variable};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Sequences kept per node.
const PER_NODE: usize = 40;
/// Longer ways to a node are not gone on from.
const LONGEST_WAY: usize = 60;
/// Models of classes that only provide arguments.
const MAXIMUM_MODELS: usize = 60;
/// Observations per edge that are looked at for where arguments come from.
const LOOKED_AT: usize = 50;
/// Share of candidates with a drawn call after the model's own, in percent.
const WITH_CALL_AFTER: usize = 60;

/// Where sequences have led.
pub(crate) struct Guided<'a> {
    /// The subject's models first.
    models: Vec<&'a CallSequenceModel>,
    /// How many of them are the subject's.
    own: usize,
    /// Sequences to go on from: taken once.
    reaching: BTreeMap<(usize, usize), Vec<Arc<Snippet>>>,
    /// Objects by state: never taken away.
    by_state: BTreeMap<(ClassId, NodeId), Vec<Arc<Snippet>>>,
    /// What a test calls for an edge's method, by method and class of the model.
    callable: BTreeMap<(MethodId, ClassId), Option<MethodId>>,
}

impl<'a> Guided<'a> {
    /// The models that matter to a unit; none if nothing was traced for its subject.
    pub fn new(generator: &Generator<'a>) -> Option<Self> {
        let unit = generator.unit;
        let nest = &generator.nest;
        let is_own = |class: ClassId| nest.iter().any(|&own| unit.program.is_subclass(class, own));
        let mut models: Vec<&CallSequenceModel> = unit
            .models
            .iter()
            .filter(|model| is_own(model.class()))
            .collect();
        // The subject's very own before its subclasses.
        models.sort_by_key(|model| (!nest.contains(&model.class()), model.class()));
        models.truncate(MAXIMUM_MODELS / 2);
        let own = models.len();
        let mut looked_at = 0;
        while looked_at < models.len() && models.len() < MAXIMUM_MODELS {
            for edge in models[looked_at].edges() {
                for constraint in edge
                    .observations
                    .iter()
                    .take(LOOKED_AT)
                    .flat_map(constraints)
                {
                    for (class, _) in &constraint.dep_states {
                        let known = models.iter().any(|model| model.class() == *class);
                        if !known && let Some(model) = unit.models.get(*class) {
                            models.push(model);
                        }
                    }
                }
            }
            looked_at += 1;
        }
        let (reaching, by_state) = (BTreeMap::new(), BTreeMap::new());
        (own > 0).then_some(Guided {
            models,
            own,
            reaching,
            by_state,
            callable: BTreeMap::new(),
        })
    }

    /// One candidate; none where the drawn edge cannot be called.
    pub fn candidate(&mut self, generator: &mut Generator<'a>) -> Option<Candidate> {
        let extends = generator.rng.percent(50) && !self.reaching.is_empty();
        let (model, node, start) = if extends {
            self.draw_reached(generator)?
        } else {
            (self.draw_model(generator), 0, None)
        };
        let edges = self.models[model].outgoing(NodeId(node as u32));
        let edge: EdgeId = *generator.rng.pick(edges)?;
        let edge: &'a CallEdge = self.models[model].edge(edge);
        let mut draft = Draft::default();
        let subject = match &start {
            Some(snippet) => Some(draft.append(snippet)?),
            None => None,
        };
        if let Some(subject) = subject {
            draft
                .states
                .push((subject, self.models[model].class(), NodeId(node as u32)));
        }
        let (called, subject) = self.follow(generator, &mut draft, model, edge, subject)?;
        let reach = Reach {
            model,
            node: edge.target.index(),
            subject,
            length: draft.len(),
        };
        draft.fresh.push(subject);
        if called != subject {
            draft.fresh.push(called);
        }
        if generator.rng.percent(WITH_CALL_AFTER) {
            for _ in 0..=generator.rng.below(2) {
                generator.call_something(&mut draft, subject, 0);
            }
        }
        let mut candidate = draft.finish();
        candidate.reaches = Some(reach);
        Some(candidate)
    }

    fn draw_model(&self, generator: &mut Generator<'a>) -> usize {
        let others = self.models.len() - self.own;
        if others > 0 && generator.rng.percent(35) {
            self.own + generator.rng.below(others)
        } else {
            generator.rng.below(self.own)
        }
    }

    /// Takes a sequence that reached a node with edges out of it.
    fn draw_reached(
        &mut self,
        generator: &mut Generator<'a>,
    ) -> Option<(usize, usize, Option<Arc<Snippet>>)> {
        let own = self.reaching.range(..(self.own, 0)).count();
        let among = if own > 0 && generator.rng.percent(75) {
            own
        } else {
            self.reaching.len()
        };
        let drawn = generator.rng.below(among);
        let (&(model, node), waiting) = self.reaching.iter_mut().nth(drawn)?;
        let taken = generator.rng.below(waiting.len());
        let snippet = waiting.swap_remove(taken);
        if waiting.is_empty() {
            self.reaching.remove(&(model, node));
        }
        Some((model, node, Some(snippet)))
    }

    /// Adds the call of an edge; gives the call and the object whose model it is.
    fn follow(
        &mut self,
        generator: &mut Generator<'a>,
        draft: &mut Draft,
        model: usize,
        edge: &'a CallEdge,
        subject: Option<Variable>,
    ) -> Option<(Variable, Variable)> {
        let class = self.models[model].class();
        let method = self.callable(generator, edge.method, class)?;
        let declared = generator.program.method(method);
        let seen: &Observation = generator.rng.pick(&edge.observations)?;
        let needs_receiver = &*declared.name != "<init>" && !declared.access.is_static();
        let role = *generator.rng.pick(&edge.roles)?;
        if role != Role::Result && subject.is_none() {
            return None;
        }
        let receiver = if needs_receiver {
            let owner = generator.kinds.of_class(declared.class);
            Some(match (role, subject, &seen.receiver) {
                (Role::This, Some(subject), _)
                | (_, Some(subject), Some(ArgumentRecord::SelfObject)) => subject,
                (_, _, Some(ArgumentRecord::Constrained(constraint))) => {
                    self.look_up(generator, draft, constraint, owner, Nullable::No)?
                }
                _ => generator.argument(draft, owner, 0, Nullable::No)?,
            })
        } else {
            None
        };
        if receiver.is_some_and(|receiver| draft.of(receiver).actual == Kind::VOID) {
            return None;
        }
        let wanted = generator.resolve(
            method,
            receiver.map(|receiver| draft.of(receiver).declared),
            None,
        );
        let mut arguments = Vec::with_capacity(wanted.parameters.len());
        for (position, &kind) in wanted.parameters.iter().enumerate() {
            let is_subject = role == Role::Argument(position as u16);
            let argument = match (is_subject, subject, seen.arguments.get(position)) {
                (true, Some(subject), _) | (_, Some(subject), Some(ArgumentRecord::SelfObject))
                    if fits(generator, draft, subject, kind) =>
                {
                    subject
                }
                (_, _, Some(record)) => self.recorded(generator, draft, record, kind)?,
                _ => generator.argument(draft, kind, 0, Nullable::Yes)?,
            };
            arguments.push(argument);
        }
        let called = draft.push(
            Statement::Call {
                method,
                receiver,
                arguments,
            },
            wanted.returns,
        )?;
        let subject = if role == Role::Result {
            called
        } else {
            subject?
        };
        draft.states.retain(|(known, ..)| *known != subject);
        draft.states.push((subject, class, edge.target));
        Some((called, subject))
    }

    /// What a test writes to call a method on objects of the model's class.
    fn callable(
        &mut self,
        generator: &Generator<'a>,
        method: MethodId,
        class: ClassId,
    ) -> Option<MethodId> {
        let program = generator.program;
        *self.callable.entry((method, class)).or_insert_with(|| {
            let declared = program.method(method);
            if program.is_method_accessible(method, &generator.package) {
                let is_abstract = &*declared.name == "<init>"
                    && program.class(declared.class).access.is_abstract();
                return (!is_abstract && &*declared.name != "finalize").then_some(method);
            }
            let is_virtual = !matches!(&*declared.name, "<init>" | "<clinit>" | "finalize")
                && !declared.access.is_static()
                && !declared.access.is_private();
            let of = if program.is_subclass(class, declared.class) {
                class
            } else {
                declared.class
            };
            if is_virtual {
                accessible_declaration(program, of, method, &generator.package)
            } else {
                None
            }
        })
    }

    fn recorded(
        &mut self,
        generator: &mut Generator<'a>,
        draft: &mut Draft,
        record: &ArgumentRecord,
        kind: Kind,
    ) -> Option<Variable> {
        match record {
            ArgumentRecord::Constant(value) if generator.constant_fits(value, kind) => {
                generator.write(draft, value.clone())
            }
            ArgumentRecord::ConstantArray { class, elements } => {
                let array = Type::parse(class).filter(|_| elements.len() <= 30);
                if let Some(Type::Array(element)) = array {
                    let array = generator.kinds.of_type(&Type::Array(element.clone()));
                    if generator.kinds.fits(array, kind) {
                        return constant_array(generator, draft, *element, elements, array);
                    }
                }
                generator.argument(draft, kind, 0, Nullable::Yes)
            }
            ArgumentRecord::Constrained(constraint) => {
                self.look_up(generator, draft, constraint, kind, Nullable::Yes)
            }
            _ => generator.argument(draft, kind, 0, Nullable::Yes),
        }
    }

    /// Looks for an object: by state, by profile, by class, by type.
    fn look_up(
        &mut self,
        generator: &mut Generator<'a>,
        draft: &mut Draft,
        constraint: &Constraint,
        wanted: Kind,
        nullable: Nullable,
    ) -> Option<Variable> {
        if generator.kinds.erased(wanted).is_primitive() {
            return generator.argument(draft, wanted, 0, nullable);
        }
        if constraint.is_null && nullable == Nullable::Yes {
            return draft.null(&mut generator.kinds, wanted);
        }
        if let Some(found) = self.by_state(generator, draft, constraint, wanted) {
            return Some(found);
        }
        let class = constraint
            .class
            .as_ref()
            .and_then(|class| generator.kinds.of_runtime(class));
        let class = class.filter(|&class| generator.kinds.fits(class, wanted));
        if let (Some(class), Some(profile)) = (class, &constraint.profile)
            && let Some(snippet) =
                generator
                    .pool
                    .with_profile(&generator.kinds, &mut generator.rng, class, profile)
            && let Some(found) = draft.append(&snippet)
        {
            return Some(found);
        }
        if let Some(class) = class.filter(|&class| class != Kind::OBJECT) {
            if generator.rng.percent(50)
                && let Some(found) = generator.reuse(draft, class)
                && fits(generator, draft, found, wanted)
            {
                return Some(found);
            }
            if let Some(found) = generator.pooled(draft, class) {
                return Some(found);
            }
            if let Some(made) = generator.fresh(draft, class, 0)
                && fits(generator, draft, made, wanted)
            {
                return Some(made);
            }
        }
        generator.argument(draft, wanted, 0, nullable)
    }

    fn by_state(
        &mut self,
        generator: &mut Generator<'a>,
        draft: &mut Draft,
        constraint: &Constraint,
        wanted: Kind,
    ) -> Option<Variable> {
        let states = &constraint.dep_states;
        if states.is_empty() {
            return None;
        }
        if generator.rng.percent(50) {
            let here = draft
                .states
                .iter()
                .filter(|(_, class, node)| states.contains(&(*class, *node)));
            let here: Vec<Variable> = here.map(|&(variable, ..)| variable).collect();
            if let Some(&found) = generator.rng.pick(&here)
                && fits(generator, draft, found, wanted)
            {
                return Some(found);
            }
        }
        let first = generator.rng.below(states.len());
        for offset in 0..states.len().min(20) {
            let state = states[(first + offset) % states.len()];
            let Some(snippet) = self
                .by_state
                .get(&state)
                .and_then(|known| generator.rng.pick(known))
            else {
                continue;
            };
            let known = snippet.known[snippet.result.index()];
            if generator.kinds.fits(known.actual, wanted)
                && let Some(found) = draft.append(snippet)
            {
                draft.states.push((found, state.0, state.1));
                return Some(found);
            }
        }
        None
    }

    /// Files what a run led to a node.
    pub fn file(
        &mut self,
        generator: &mut Generator<'a>,
        candidate: &Candidate,
        outcome: &Outcome,
    ) {
        let Some(reach) = candidate.reaches else {
            return;
        };
        let known = candidate.known[reach.subject.index()];
        if !outcome.is_writable()
            || outcome.observations.len() < reach.length
            || known.actual == Kind::VOID
        {
            return;
        }
        let facts = generator.unit.facts;
        let statements = &candidate.sequence.statements()[..reach.length];
        let way = slice(
            statements,
            &candidate.known,
            reach.subject,
            &generator.kinds,
            |method| facts.is_pure(method),
        );
        if way.statements.len() > LONGEST_WAY {
            return;
        }
        let way = Arc::new(way);
        let model = self.models[reach.model];
        let node = NodeId(reach.node as u32);
        if !model.outgoing(node).is_empty() {
            keep(
                self.reaching.entry((reach.model, reach.node)).or_default(),
                generator,
                &way,
            );
        }
        keep(
            self.by_state.entry((model.class(), node)).or_default(),
            generator,
            &way,
        );
    }
}

fn keep(kept: &mut Vec<Arc<Snippet>>, generator: &mut Generator<'_>, way: &Arc<Snippet>) {
    if kept.len() < PER_NODE {
        kept.push(Arc::clone(way));
    } else {
        let replaced = generator.rng.below(PER_NODE);
        kept[replaced] = Arc::clone(way);
    }
}

fn fits(generator: &mut Generator<'_>, draft: &Draft, variable: Variable, wanted: Kind) -> bool {
    let known = draft.of(variable);
    let is_primitive = generator.kinds.erased(wanted).is_primitive();
    known.actual != Kind::VOID
        && (generator.kinds.fits(known.declared, wanted)
            || (!is_primitive && generator.kinds.fits(known.actual, wanted)))
}

fn constant_array(
    generator: &mut Generator<'_>,
    draft: &mut Draft,
    element: Type,
    values: &[Option<Value>],
    array: Kind,
) -> Option<Variable> {
    let of = generator.kinds.of_type(&element);
    let mut elements = Vec::with_capacity(values.len());
    for value in values {
        elements.push(match value {
            Some(value) if generator.constant_fits(value, of) => {
                generator.write(draft, value.clone())?
            }
            None if element.is_reference() => draft.null(&mut generator.kinds, of)?,
            _ => generator.argument(draft, of, 1, Nullable::Yes)?,
        });
    }
    draft.push(Statement::NewArray { element, elements }, array)
}

fn constraints(observation: &Observation) -> impl Iterator<Item = &Constraint> {
    observation
        .receiver
        .iter()
        .chain(&observation.arguments)
        .filter_map(|record| match record {
            ArgumentRecord::Constrained(constraint) => Some(constraint),
            _ => None,
        })
}
