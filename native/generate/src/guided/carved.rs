//! Whole tests of the trace once more, with objects that belong together.
//!
//! Comes in: the calls that traced tests made, and which methods ran in them. Goes out: candidates that make these calls
//! again, object by object as they were used.
//! Taken are tests that together show all methods of the subject that any shows, in the order of what each shows anew for
//! the time it takes (the greedy weighted set cover of Chvatal, "A Greedy Heuristic for the Set-Covering Problem",
//! Mathematics of Operations Research 1979); more tests would cost more time than they bring.
//! What a test cannot write is left out; an object that is missing then, or that the trace never saw made, is looked up
//! like an argument of a model's call. Each object is filed under the node that its model says it reached.
//! Elbaum, Chin, Dwyer, Dokulil, "Carving Differential Unit Test Cases from System Test Cases", FSE 2006.
//! Does not know: how tests were recorded, the executor.

use super::Guided;
use crate::draft::{Candidate, Draft, Placed, Reach, Replaying};
use crate::kinds::Kind;
use crate::maker::{Maker, Nullable};
use palus_bytecode::{ClassId, MethodId, Type};
use palus_learn::{ArgumentRecord, CarvedCall, CarvedTest, CarvedValue, EdgeKind, NodeId};
use palus_sequence::{Statement, Variable};
use std::collections::BTreeMap;

/// Tests carved for one subject.
const MAXIMUM_TESTS: usize = 64;
/// What any test costs, in events of the trace.
const OF_ANY: u128 = 1_000;

/// Variables of objects by their numbers within a test.
type Objects = BTreeMap<u32, Variable>;

impl<'a> Guided<'a> {
    /// Puts the tests that concern the subject in the order in which they are carved.
    pub fn order_carved(&mut self, maker: &Maker<'a>) {
        let models = maker.unit().models;
        let nest = maker.nest().iter();
        let methods = nest.flat_map(|&class| &maker.program().class(class).methods);
        let mut shown: BTreeMap<u32, Vec<MethodId>> = BTreeMap::new();
        for &method in methods {
            for &test in models.tests_that_ran(method) {
                shown.entry(test).or_default().push(method);
            }
        }
        let mut tests: Vec<(u32, Vec<MethodId>)> = shown.into_iter().collect();
        let mut order: Vec<u32> = Vec::new();
        while order.len() < MAXIMUM_TESTS {
            let best = tests.iter().max_by(|(one, shows), (other, shows_too)| {
                let events = |test: &u32| {
                    let events = models.carved_tests()[*test as usize].events;
                    u128::from(events) + OF_ANY
                };
                // Methods per event: the larger of two fractions.
                let worth = shows.len() as u128 * events(other);
                let worth_of_other = shows_too.len() as u128 * events(one);
                worth.cmp(&worth_of_other).then(other.cmp(one))
            });
            let Some((best, known)) = best.cloned() else {
                break;
            };
            order.push(best);
            for (_, shows) in &mut tests {
                shows.retain(|method| !known.contains(method));
            }
            tests.retain(|(_, shows)| !shows.is_empty());
        }
        order.reverse();
        self.replay.wait_for_tests(order);
    }

    /// The next test; none when all are carved.
    pub fn carved_candidate(&mut self, maker: &mut Maker<'a>) -> Option<Candidate> {
        let test = self.replay.next_test()?;
        let models = maker.unit().models;
        let made = self.carve(maker, &models.carved_tests()[test as usize]);
        if made.is_none() {
            self.replay.failed();
        }
        made
    }

    fn carve(&mut self, maker: &mut Maker<'a>, test: &'a CarvedTest) -> Option<Candidate> {
        self.provider.take_reaches();
        let usual = std::mem::replace(&mut self.reuse, 100);
        self.looked_up = 0;
        let mut draft = Draft::default();
        let mut objects = Objects::new();
        let mut reaches: Vec<Reach> = Vec::new();
        let mut is_whole = true;
        for call in &test.calls {
            let mark = draft.len();
            let Some(called) = self.call_again(maker, &mut draft, call, &objects) else {
                draft.truncate(mark);
                self.provider.forget_after(mark);
                is_whole = false;
                continue;
            };
            if let Some((object, class)) = call.result {
                self.hold(maker, &mut draft, call.method, called, class);
                objects.insert(object, called);
                draft.fresh.push(called);
            }
            let statement = draft.last_uses();
            for placed in draft.states.clone() {
                let is_used = placed.variable == called || statement.contains(&placed.variable);
                let number = self.by_class.get(&placed.class).copied();
                if let (true, Some(model)) = (is_used, number)
                    && !self.has_enough(model, placed.node.index())
                {
                    reaches.push(Reach::now(&draft, model, placed.node, placed.variable));
                }
            }
        }
        self.reuse = usual;
        if draft.len() == 0 {
            return None;
        }
        let replaying = match (is_whole, self.looked_up) {
            (false, _) => Replaying::Partly,
            (true, 0) => Replaying::Exactly,
            _ => Replaying::WithLookUps,
        };
        Some(self.replayed(draft, reaches, replaying))
    }

    /// Says what the trace saw a call return, and where its model has a new object.
    fn hold(
        &mut self,
        maker: &mut Maker<'a>,
        draft: &mut Draft,
        method: MethodId,
        called: Variable,
        class: ClassId,
    ) {
        let seen = maker.kinds().of_class(class);
        if maker.kinds().fits(seen, draft.of(called).declared) {
            draft.hold(called, seen);
        }
        let Some(&model) = self.by_class.get(&class) else {
            return;
        };
        let model = self.models[model];
        let edges = model.outgoing(NodeId::ROOT).iter();
        let edges = edges.map(|&edge| model.edge(edge));
        let made = edges.filter(|edge| edge.method == method && edge.is_creation());
        if let Some(edge) = made.min_by_key(|edge| (edge.kind != EdgeKind::Main, edge.id)) {
            draft.states.push(Placed {
                variable: called,
                class,
                node: edge.target,
            });
        }
    }

    fn call_again(
        &mut self,
        maker: &mut Maker<'a>,
        draft: &mut Draft,
        call: &'a CarvedCall,
        objects: &Objects,
    ) -> Option<Variable> {
        let program = maker.program();
        let method = maker.callable(call.method, program.method(call.method).class)?;
        if maker.is_barred(call.method) || maker.is_barred(method) {
            return None;
        }
        let declared = program.method(method);
        let mut values = call.values.iter();
        let receiver = if &*declared.name != "<init>" && !declared.access.is_static() {
            let owner = maker.kinds().of_class(declared.class);
            let value = values.next()?;
            let found = self.value_again(maker, draft, value, owner, Nullable::No, objects)?;
            maker.may_stand(draft, found, owner).then_some(found)?;
            Some(found)
        } else {
            None
        };
        let on = receiver.map(|receiver| draft.of(receiver).declared);
        let wanted = maker.resolve(method, on, None);
        let mut arguments = Vec::with_capacity(wanted.parameters.len());
        for (&kind, value) in wanted.parameters.iter().zip(values) {
            let nullable = Nullable::Yes;
            arguments.push(self.value_again(maker, draft, value, kind, nullable, objects)?);
        }
        let statement = Statement::Call {
            method,
            receiver,
            arguments: arguments.clone(),
        };
        let called = draft.push(statement, wanted.returns)?;
        self.advance(draft, call.method, receiver, &arguments);
        Some(called)
    }

    fn value_again(
        &mut self,
        maker: &mut Maker<'a>,
        draft: &mut Draft,
        value: &'a CarvedValue,
        kind: Kind,
        nullable: Nullable,
        objects: &Objects,
    ) -> Option<Variable> {
        match value {
            CarvedValue::Object(object, seen) => match objects.get(object) {
                Some(&known) if maker.may_stand(draft, known, kind) => Some(known),
                _ => self.recorded(maker, draft, seen, kind, nullable),
            },
            CarvedValue::Array(seen, elements) => {
                let class = match seen {
                    ArgumentRecord::Constrained(constraint) => constraint.class.as_deref(),
                    _ => None,
                };
                if let Some(Type::Array(element)) = class.and_then(Type::parse) {
                    let array = maker.kinds().of_type(&Type::Array(element.clone()));
                    if maker.kinds().fits(array, kind) {
                        let of = maker.kinds().of_type(&element);
                        let mut made = Vec::with_capacity(elements.len());
                        for value in elements {
                            let nullable = Nullable::Yes;
                            let again =
                                self.value_again(maker, draft, value, of, nullable, objects)?;
                            made.push(again);
                        }
                        let statement = Statement::NewArray {
                            element: *element,
                            elements: made,
                        };
                        return draft.push(statement, array);
                    }
                }
                self.recorded(maker, draft, seen, kind, nullable)
            }
            CarvedValue::Other(seen) => self.recorded(maker, draft, seen, kind, nullable),
        }
    }
}
