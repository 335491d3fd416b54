//! Generation led by call sequence models.
//!
//! Comes in: the models of the subject and of the classes its arguments come from. Goes out: candidates that walk a
//! model: from the root, or onwards from an object that an earlier sequence led to a node.
//! Zhang, Saff, Bu, Ernst, "Combined Static and Dynamic Automated Test Generation", ISSTA 2011, section 3.4, figures 7
//! and 8. Where the figures are silent:
//! - only edges that a test may call are drawn; one whole observation is drawn for an edge and serves all positions;
//! - a sequence is used up once something that goes on from it was filed, and not gone on from again, but stays in the
//!   index by state, for look-up; where a drawn edge gives a sequence that ran before, that is not run but filed again,
//!   so that a model whose one root is a constructor without arguments is walked by all its edges;
//! - the index keeps 500 sequences per node; a full one loses a drawn entry;
//! - a sequence is filed with its dependent call where all of it ran, else up to the model's call; one whose model call
//!   threw is not filed at all (in mode `Literal` it is);
//! - the shortest of three drawn sequences is gone on from or taken for an argument (in mode `Literal` one is drawn);
//! - the subject's own models are drawn more often than those that only provide arguments;
//! - objects that take part beside the subject move on in their own models;
//! - a method of the subject that tests reached by way of other classes alone has its arguments from the models of what it
//!   made or took there (mode `Full`).
//!
//! Does not know: how models were learned, the executor. Arguments: `look_up.rs`; dependent calls: `dependent.rs`.

mod carved;
mod dependent;
mod edges;
mod filing;
mod look_up;
mod provide;
mod provider;
mod reaching;
mod replay;
#[cfg(test)]
mod tests;
mod waiting;

use crate::draft::{Candidate, Draft, Placed, Reach, Snippet};
use crate::kinds::Kind;
use crate::maker::{Maker, Nullable};
use crate::mode::{DependentPosition, Mode};
use crate::unit::Replayed;
use edges::{Observed, Outgoing};
use palus_analyze::Relevance;
use palus_bytecode::{ClassId, MethodId, Program};
use palus_learn::{
    ArgumentRecord, CallEdge, CallSequenceModel, Constraint, EdgeId, EdgeKind, NodeId, Observation,
    Role,
};
use palus_sequence::{Statement, Variable};
use provider::Provider;
use reaching::{Place, Reaching};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use waiting::Replay;

/// Models of classes that only provide arguments.
const MAXIMUM_MODELS: usize = 60;
/// Of these, models in which methods of the subject are called.
const MAXIMUM_WHERE_CALLED: usize = 8;
/// Observations per edge that are looked at for where arguments come from.
const LOOKED_AT: usize = 50;
/// Share of new sequences that start an object which only provides arguments, in percent.
const PROVIDING: usize = 15;
/// Share of continued sequences that continue an object of the subject, in percent.
const CONTINUING_OWN: usize = 85;
/// Sequences drawn where one is needed, of which the shortest is taken: what goes on from a node deep in its model costs
/// ten times as much as what starts at the root.
const DRAWN_FOR_ONE: usize = 3;
/// Share of candidates of mode `Full` with one or two drawn calls at their end, beside the dependent one: these cover
/// what no field tells, such as what an object does with its elements.
const WITH_DRAWN_CALLS: usize = 60;

/// Where sequences have led.
pub(crate) struct Guided<'a> {
    mode: Mode,
    /// The subject's models first.
    models: Vec<&'a CallSequenceModel>,
    /// How many of them are the subject's.
    own: usize,
    /// Numbers of the models.
    by_class: BTreeMap<ClassId, usize>,
    /// Per model: the edges that a test can call.
    edges: Vec<Outgoing<'a>>,
    /// Sequences to go on from: each used up by what goes on from it.
    reaching: Reaching,
    /// How many of its statements each sequence ran well, by hash; none yet where its outcome is not known.
    ran_well: BTreeMap<u64, u16>,
    /// Objects by state: never taken away.
    by_state: BTreeMap<(ClassId, NodeId), Vec<Arc<Snippet>>>,
    /// What was seen of each method in these models, where it was asked for.
    observed: BTreeMap<MethodId, Arc<Observed<'a>>>,
    relevance: BTreeMap<MethodId, Arc<Relevance>>,
    /// Chance in percent that an object of the sequence itself is preferred.
    reuse: usize,
    /// Positions of the current candidate that were neither constants nor the subject.
    looked_up: u32,
    replay: Replay,
    provider: Provider,
}

impl<'a> Guided<'a> {
    /// The models that matter to a unit; none if nothing was traced for its subject.
    pub fn new(maker: &Maker<'a>) -> Option<Self> {
        let unit = maker.unit();
        let nest = maker.nest();
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
        if unit.mode == Mode::Full {
            let is_of_nest = |method| nest.contains(&unit.program.method(method).class);
            add_where_called(&mut models, unit.models.iter(), is_of_nest);
        }
        if unit.mode.has_constraints() {
            add_providers(&mut models, |class| unit.models.get(class));
        } else {
            // Without constraints nobody says where arguments come from: all models of the classes named may.
            let named = named_classes(unit.program, &models);
            let others = unit.models.iter().filter(|model| {
                named
                    .iter()
                    .any(|&class| unit.program.is_subclass(model.class(), class))
            });
            for model in others {
                if models.len() < MAXIMUM_MODELS
                    && !models.iter().any(|known| known.class() == model.class())
                {
                    models.push(model);
                }
            }
        }
        let mut guided = Guided {
            mode: unit.mode,
            models: Vec::new(),
            own: 0,
            by_class: BTreeMap::new(),
            edges: Vec::new(),
            reaching: Reaching::default(),
            ran_well: BTreeMap::new(),
            by_state: BTreeMap::new(),
            observed: BTreeMap::new(),
            relevance: BTreeMap::new(),
            reuse: unit.mode.reuse(),
            looked_up: 0,
            replay: Replay::default(),
            provider: Provider::default(),
        };
        for (number, model) in models.into_iter().enumerate() {
            let mut edges = Outgoing::of(model);
            if edges.from(maker, NodeId::ROOT).is_empty() {
                continue;
            }
            guided.own += usize::from(number < own);
            guided.by_class.insert(model.class(), guided.models.len());
            guided.models.push(model);
            guided.edges.push(edges);
        }
        guided.reaching = Reaching::new(guided.own);
        if unit.mode == Mode::Full {
            guided.order_carved(maker);
            guided.order_replay(maker);
        }
        (guided.leads() || guided.replays()).then_some(guided)
    }

    /// True if there is a model of the subject to be led by.
    pub fn leads(&self) -> bool {
        self.own > 0
    }

    /// One candidate; none where the drawn edge cannot be called, and where what came out ran before: that is filed
    /// again, so that it can be gone on from.
    pub fn candidate(&mut self, maker: &mut Maker<'a>) -> Option<Candidate> {
        let made = self.made(maker)?;
        self.new_or_filed_again(maker, made)
    }

    fn made(&mut self, maker: &mut Maker<'a>) -> Option<Candidate> {
        self.provider.take_reaches();
        let extends = maker.rng().percent(50) && !self.reaching.is_empty();
        let start = if extends {
            Some(self.draw_reached(maker)?)
        } else {
            None
        };
        let (model, node) = match &start {
            Some((place, _)) => *place,
            None => (self.draw_model(maker), 0),
        };
        let edges = self.edges[model].from(maker, NodeId(node as u32));
        let edge: EdgeId = *maker.rng().pick(&edges)?;
        let edge: &'a CallEdge = self.models[model].edge(edge);
        let seen: &'a Observation = maker.rng().pick(&edge.observations)?;
        let mut draft = Draft::default();
        let subject = match &start {
            Some((_, snippet)) => Some(draft.append(snippet)?),
            None => None,
        };
        let is_before = match maker.unit().dependent_position {
            _ if self.mode == Mode::Literal => false,
            DependentPosition::After => false,
            DependentPosition::Before => true,
            DependentPosition::Random => maker.rng().percent(50),
        };
        let (called, subject) =
            self.follow(maker, &mut draft, model, edge, seen, subject, is_before)?;
        let mut reach = Reach::now(&draft, model, edge.target, subject);
        draft.fresh.push(subject);
        if called != subject {
            draft.fresh.push(called);
        }
        if self.mode.has_dependents() && !is_before {
            self.call_dependent(maker, &mut draft, edge.method, Some(subject));
            reach.whole = draft.len();
        }
        if self.mode == Mode::Full && maker.rng().percent(WITH_DRAWN_CALLS) {
            for _ in 0..=maker.rng().below(2) {
                maker.call_something(&mut draft, subject, 0);
            }
        }
        let mut candidate = draft.finish();
        candidate.reaches = self.provider.take_reaches();
        candidate.reaches.push(reach);
        candidate.goes_on_from = start;
        Some(candidate)
    }

    fn draw_model(&self, maker: &mut Maker<'a>) -> usize {
        let others = self.models.len() - self.own;
        if self.mode == Mode::Literal {
            maker.rng().below(self.models.len())
        } else if others > 0 && maker.rng().percent(PROVIDING) {
            self.own + maker.rng().below(others)
        } else {
            maker.rng().below(self.own)
        }
    }

    /// A sequence that reached a node with edges out of it.
    fn draw_reached(&self, maker: &mut Maker<'a>) -> Option<(Place, Arc<Snippet>)> {
        let only_own = self.mode != Mode::Literal
            && self.reaching.has_own()
            && maker.rng().percent(CONTINUING_OWN);
        self.reaching.draw(maker.rng(), self.tries(), only_own)
    }

    /// How many sequences are drawn where one is taken, the shortest of them.
    pub fn tries(&self) -> usize {
        if self.mode == Mode::Literal {
            1
        } else {
            DRAWN_FOR_ONE
        }
    }

    /// Adds the call of an edge; gives the call and the object whose model it is.
    #[expect(
        clippy::too_many_arguments,
        reason = "an edge, what was seen there, and where the walk stands"
    )]
    pub fn follow(
        &mut self,
        maker: &mut Maker<'a>,
        draft: &mut Draft,
        model: usize,
        edge: &'a CallEdge,
        seen: &'a Observation,
        subject: Option<Variable>,
        is_dependent_before: bool,
    ) -> Option<(Variable, Variable)> {
        let class = self.models[model].class();
        let method = maker.callable(edge.method, class)?;
        if maker.is_barred(edge.method) || maker.is_barred(method) {
            return None;
        }
        let declared = maker.program().method(method);
        let needs_receiver = &*declared.name != "<init>" && !declared.access.is_static();
        let creates = edge.is_creation();
        if !creates && subject.is_none() {
            return None;
        }
        let subject = if creates { None } else { subject };
        let receiver = if needs_receiver {
            let owner = maker.kinds().of_class(declared.class);
            let is_subject = edge.roles.contains(&Role::This)
                || seen.receiver == Some(ArgumentRecord::SelfObject);
            let receiver = match (subject, &seen.receiver) {
                (Some(subject), _) if is_subject => subject,
                (_, Some(record)) => self.recorded(maker, draft, record, owner, Nullable::No)?,
                _ => self.open(maker, draft, owner, Nullable::No)?,
            };
            if draft.of(receiver).actual == Kind::VOID || !maker.may_stand(draft, receiver, owner) {
                return None;
            }
            Some(receiver)
        } else {
            None
        };
        let wanted = maker.resolve(
            method,
            receiver.map(|receiver| draft.of(receiver).declared),
            None,
        );
        let mut arguments = Vec::with_capacity(wanted.parameters.len());
        for (position, &kind) in wanted.parameters.iter().enumerate() {
            let record = seen.arguments.get(position);
            let is_subject = edge.roles.contains(&Role::Argument(position as u16))
                || record == Some(&ArgumentRecord::SelfObject);
            let argument = match (subject, record) {
                (Some(subject), _) if is_subject && maker.may_stand(draft, subject, kind) => {
                    subject
                }
                (_, Some(record)) => {
                    let count = edge.observations.len();
                    match maker.user_value(edge.method, kind, count) {
                        Some(value) => maker.write(draft, value)?,
                        None => self.recorded(maker, draft, record, kind, Nullable::Yes)?,
                    }
                }
                _ => self.open(maker, draft, kind, Nullable::Yes)?,
            };
            arguments.push(argument);
        }
        if is_dependent_before && self.mode.has_dependents() {
            self.call_dependent(maker, draft, edge.method, subject.or(receiver));
        }
        let called = draft.push(
            Statement::Call {
                method,
                receiver,
                arguments: arguments.clone(),
            },
            wanted.returns,
        )?;
        self.advance(draft, edge.method, receiver, &arguments);
        let subject = if creates {
            // What the trace saw a factory return is what later calls may be made on.
            let seen = maker.kinds().of_class(class);
            if maker.kinds().fits(seen, draft.of(called).declared) {
                draft.hold(called, seen);
            }
            called
        } else {
            subject?
        };
        draft.states.retain(|known| known.variable != subject);
        draft.states.push(Placed {
            variable: subject,
            class,
            node: edge.target,
        });
        Some((called, subject))
    }

    /// Moves objects that a call was made on, or that were passed to it, on in their own models.
    pub fn advance(
        &self,
        draft: &mut Draft,
        method: MethodId,
        receiver: Option<Variable>,
        arguments: &[Variable],
    ) {
        for placed in &mut draft.states {
            let has_role = |role: &Role| match role {
                Role::This => receiver == Some(placed.variable),
                Role::Argument(position) => {
                    arguments.get(usize::from(*position)) == Some(&placed.variable)
                }
                Role::Result => false,
            };
            let used = receiver == Some(placed.variable) || arguments.contains(&placed.variable);
            let number = self.by_class.get(&placed.class).filter(|_| used);
            let Some(model) = number.map(|&number| self.models[number]) else {
                continue;
            };
            let edges = model
                .outgoing(placed.node)
                .iter()
                .map(|&edge| model.edge(edge));
            let mut edges =
                edges.filter(|edge| edge.method == method && edge.roles.iter().all(has_role));
            let first = edges.next();
            let main = first.filter(|edge| edge.kind == EdgeKind::Main);
            let main = main.or_else(|| edges.find(|edge| edge.kind == EdgeKind::Main));
            if let Some(edge) = main.or(first) {
                placed.node = edge.target;
            }
        }
    }

    /// How replays ended so far.
    pub fn replayed_so_far(&self) -> Replayed {
        self.replay.counts()
    }

    /// Sequences that led objects of a class to a node, by class and node.
    pub fn ways(&self) -> impl Iterator<Item = (ClassId, &[Arc<Snippet>])> {
        let ways = self.by_state.iter();
        ways.map(|((class, _), ways)| (*class, ways.as_slice()))
    }
}

/// Adds at most a few models of what methods of the subject make or take, where no model has calls of these already: tests
/// came to them by way of other classes, and what they were given is known there.
fn add_where_called<'a>(
    models: &mut Vec<&'a CallSequenceModel>,
    all: impl Iterator<Item = &'a CallSequenceModel>,
    is_own: impl Fn(MethodId) -> bool,
) {
    let called = |model: &CallSequenceModel| -> BTreeSet<MethodId> {
        let methods = model.edges().iter().map(|edge| edge.method);
        methods.filter(|&method| is_own(method)).collect()
    };
    let mut known: BTreeSet<MethodId> = models.iter().flat_map(|model| called(model)).collect();
    let mut added = 0;
    for model in all {
        let new = called(model);
        let is_known = models.iter().any(|one| one.class() == model.class());
        if added < MAXIMUM_WHERE_CALLED && !is_known && !new.is_subset(&known) {
            known.extend(new);
            models.push(model);
            added += 1;
        }
    }
}

/// Adds the models of the classes from which constraints say that arguments come.
fn add_providers<'a>(
    models: &mut Vec<&'a CallSequenceModel>,
    find: impl Fn(ClassId) -> Option<&'a CallSequenceModel>,
) {
    let mut looked_at = 0;
    while looked_at < models.len() && models.len() < MAXIMUM_MODELS {
        let edges = models[looked_at].edges();
        let seen = edges
            .iter()
            .flat_map(|edge| edge.observations.iter().take(LOOKED_AT));
        for constraint in seen.flat_map(constraints) {
            for (class, _) in &constraint.dep_states {
                let is_known = models.iter().any(|model| model.class() == *class);
                if !is_known && let Some(model) = find(*class) {
                    models.push(model);
                }
            }
        }
        looked_at += 1;
    }
}

/// The classes of the receivers and parameters of all calls in some models.
fn named_classes(program: &Program, models: &[&CallSequenceModel]) -> BTreeSet<ClassId> {
    let edges = models.iter().flat_map(|model| model.edges());
    let methods: BTreeSet<MethodId> = edges.map(|edge| edge.method).collect();
    let mut named = BTreeSet::new();
    for method in methods {
        let method = program.method(method);
        named.insert(method.class);
        let parameters = method.method_type.parameters.iter();
        let classes =
            parameters.filter_map(|parameter| program.class_named(parameter.class_name()?));
        named.extend(classes.filter(|&class| &*program.class(class).name != "java/lang/Object"));
    }
    named
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
