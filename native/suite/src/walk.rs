//! Which calls of a model the written tests make too, in its order.
//!
//! Comes in: a call sequence model and runs. Goes out: the edges that some object of some sequence goes along.
//! Does not know: why a call was made, what it did.
//!
//! An object is followed from the statement that makes it. A call that leaves the model ends the walk, unless it is
//! pure: those are not in models.
//!
//! ```text
//! model                     n0 -genMap-> n1 -setMap-> n2
//! v0 = RoadMap.genMap()     n0 -genMap-> n1                 covered
//! v0.numNeighbors(v1)       pure: stays at n1
//! v1.setMap(v0)             n1 -setMap-> n2                 covered
//! ```

use palus_bytecode::{MethodId, Program, Type};
use palus_learn::{CallSequenceModel, EdgeId, NodeId, Role};
use palus_sequence::{Observation, Run, Sequence, Statement, Variable};
use std::collections::BTreeSet;

/// A sequence with the bodies that its calls ran.
#[derive(Clone, Debug)]
pub struct Calls<'a> {
    sequence: &'a Sequence,
    /// Per statement; none for what is no call.
    bodies: Vec<Option<MethodId>>,
}

impl<'a> Calls<'a> {
    /// Looks the bodies up.
    pub fn of(program: &Program, run: &'a Run) -> Self {
        let statements = run.sequence.statements().iter();
        Calls {
            sequence: &run.sequence,
            bodies: statements
                .map(|statement| called_body(program, run, statement))
                .collect(),
        }
    }

    /// The bodies in the order of the calls.
    pub fn bodies(&self) -> impl DoubleEndedIterator<Item = MethodId> + '_ {
        self.bodies.iter().copied().flatten()
    }
}

/// The edges of a model that objects of these sequences go along.
pub fn followed_edges(
    program: &Program,
    is_pure: &dyn Fn(MethodId) -> bool,
    model: &CallSequenceModel,
    sequences: &[Calls<'_>],
) -> BTreeSet<EdgeId> {
    let mut followed = BTreeSet::new();
    for calls in sequences {
        let walk = Walk {
            program,
            is_pure,
            model,
            calls,
        };
        for index in 0..calls.sequence.len() {
            walk.follow(Variable(index as u32), &mut followed);
        }
    }
    followed
}

/// The method whose body a call ran, as far as the class of its receiver is known, or else its static type.
fn called_body(program: &Program, run: &Run, statement: &Statement) -> Option<MethodId> {
    let Statement::Call {
        method, receiver, ..
    } = statement
    else {
        return None;
    };
    let body = receiver.and_then(|receiver| {
        let seen = match run.outcome.observations.get(receiver.index()) {
            Some(Observation::Object { class, .. }) => program.class_named(class),
            _ => None,
        };
        let static_type = || match run.sequence.type_of(program, receiver) {
            Type::Object(name) => program.class_named(&name),
            _ => None,
        };
        let class = seen.or_else(static_type)?;
        let declared = program.method(*method);
        let found = program.find_method(class, &declared.name, &declared.descriptor)?;
        Some(program.behind_bridge(program.method(found).class, found))
    });
    Some(body.unwrap_or(*method))
}

struct Walk<'a> {
    program: &'a Program,
    is_pure: &'a dyn Fn(MethodId) -> bool,
    model: &'a CallSequenceModel,
    calls: &'a Calls<'a>,
}

impl Walk<'_> {
    fn follow(&self, object: Variable, followed: &mut BTreeSet<EdgeId>) {
        let statements = self.calls.sequence.statements();
        let mut nodes = BTreeSet::from([NodeId::ROOT]);
        for (index, statement) in statements.iter().enumerate().skip(object.index()) {
            let is_made = index == object.index();
            let Some(method) = self.calls.bodies[index] else {
                if is_made {
                    return;
                }
                continue;
            };
            let roles = roles(statement, object, is_made);
            if roles.is_empty() {
                continue;
            }
            let mut next = BTreeSet::new();
            for &node in &nodes {
                for &id in self.model.outgoing(node) {
                    let edge = self.model.edge(id);
                    let same = edge.method == method || self.overrides(edge.method, method);
                    if same && edge.roles.iter().any(|role| roles.contains(role)) {
                        followed.insert(id);
                        next.insert(edge.target);
                    }
                }
            }
            if next.is_empty() && !is_made && (self.is_pure)(method) {
                continue;
            }
            nodes = next;
            if nodes.is_empty() {
                return;
            }
        }
    }

    /// True if the model's method is what a call by a supertype's name runs.
    fn overrides(&self, traced: MethodId, called: MethodId) -> bool {
        let (traced, called) = (self.program.method(traced), self.program.method(called));
        traced.name == called.name
            && traced.descriptor == called.descriptor
            && !traced.is_constructor()
            && self.program.is_subclass(traced.class, called.class)
    }
}

/// What an object is in a statement.
fn roles(statement: &Statement, object: Variable, is_made: bool) -> BTreeSet<Role> {
    let mut roles = BTreeSet::new();
    if is_made {
        roles.insert(Role::Result);
        return roles;
    }
    if let Statement::Call {
        receiver,
        arguments,
        ..
    } = statement
    {
        if *receiver == Some(object) {
            roles.insert(Role::This);
        }
        let places = arguments.iter().zip(0..);
        let places = places.filter(|(argument, _)| **argument == object);
        roles.extend(places.map(|(_, place)| Role::Argument(place)));
    }
    roles
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Script, Subject, object, subject};
    use palus_learn::Learner;
    use palus_wire::trace::{TraceEvent, TraceMethod, TraceReader, TraceValue, TraceWriter};

    const ROAD_MAP: &str = "package demo; public class RoadMap { int n; \
        public static RoadMap genMap() { return new RoadMap(); } public int count() { return n; } \
        public void clear() { n = 0; } public void addCity(City c) { n++; } }";
    const CITY: &str = "package demo; public class City { RoadMap map; \
        public void setMap(RoadMap m) { map = m; } }";

    /// A sample run in which a map is made, gets a city and is set on the city.
    fn model(subject: &Subject) -> CallSequenceModel {
        let program = &subject.program;
        let methods: Vec<_> = program.methods().iter().collect();
        let table = methods.iter().map(|method| TraceMethod {
            class: program.class(method.class).name.clone(),
            name: method.name.clone(),
            descriptor: method.descriptor.clone(),
            access: method.access.0,
        });
        let mut writer = TraceWriter::new(1, 1 << 16, table.collect());
        let object = |id, class: &str| TraceValue::Object {
            id,
            class: class.into(),
            profile: None,
        };
        let (map, city) = (object(1, "demo/RoadMap"), object(2, "demo/City"));
        let calls = [
            ("genMap", None, vec![], Some(map.clone())),
            ("addCity", Some(map.clone()), vec![city.clone()], None),
            ("setMap", Some(city), vec![map], None),
        ];
        for (name, receiver, arguments, result) in calls {
            let named = methods.iter().position(|method| &*method.name == name);
            writer.event(&TraceEvent::Enter {
                thread: 0,
                method: named.unwrap() as u32,
                receiver,
                arguments,
            });
            writer.event(&TraceEvent::Exit { thread: 0, result });
        }
        let bytes = writer.finish();
        let mut learner = Learner::new(program, &|_| false);
        learner
            .read(&mut TraceReader::new(&bytes).unwrap())
            .unwrap();
        let models = learner.finish();
        models.get(subject.class("demo/RoadMap")).unwrap().clone()
    }

    /// Names of the methods on edges that a sequence follows.
    fn followed(build: impl FnOnce(&mut Script<'_>)) -> Vec<String> {
        let subject = subject(&[("demo/RoadMap.java", ROAD_MAP), ("demo/City.java", CITY)]);
        let program = &subject.program;
        let model = model(&subject);
        assert_eq!(model.edges().len(), 3);
        let mut script = subject.script();
        build(&mut script);
        let run = script.run();
        let is_pure = |id| &*program.method(id).name == "count";
        followed_edges(program, &is_pure, &model, &[Calls::of(program, &run)])
            .into_iter()
            .map(|edge| program.method(model.edge(edge).method).name.to_string())
            .collect()
    }

    fn made(script: &mut Script<'_>) -> (Variable, Variable) {
        let map = object("demo/RoadMap");
        let map = script.call("demo/RoadMap.genMap()Ldemo/RoadMap;", None, &[], map);
        let city = script.call("demo/City.<init>()V", None, &[], object("demo/City"));
        (map, city)
    }

    const ADD: &str = "demo/RoadMap.addCity(Ldemo/City;)V";
    const SET: &str = "demo/City.setMap(Ldemo/RoadMap;)V";

    #[test]
    fn an_object_is_followed_as_receiver_and_as_argument_past_pure_calls() {
        let names = followed(|script| {
            let (map, city) = made(script);
            script.call(ADD, Some(map), &[city], Observation::Nothing);
            script.call(
                "demo/RoadMap.count()I",
                Some(map),
                &[],
                Observation::Nothing,
            );
            script.call(SET, Some(city), &[map], Observation::Nothing);
        });
        assert_eq!(names, ["genMap", "addCity", "setMap"]);
    }

    #[test]
    fn a_call_that_the_model_does_not_have_there_ends_the_walk() {
        let names = followed(|script| {
            let (map, city) = made(script);
            script.call(
                "demo/RoadMap.clear()V",
                Some(map),
                &[],
                Observation::Nothing,
            );
            script.call(ADD, Some(map), &[city], Observation::Nothing);
        });
        assert_eq!(names, ["genMap"]);
        let names = followed(|script| {
            let (map, city) = made(script);
            script.call(SET, Some(city), &[map], Observation::Nothing);
        });
        assert_eq!(names, ["genMap"], "the order counts");
    }

    #[test]
    fn what_a_call_by_an_interface_runs_is_told_by_the_object() {
        let legs = "package demo; public class Legs implements java.util.Iterator<String> {
          public boolean hasNext() { return true; } public String next() { return null; } public void remove() { }
          public static java.util.Iterator<String> all() { return new Legs(); } }";
        let subject = subject(&[("demo/Legs.java", legs)]);
        let program = &subject.program;
        let mut script = subject.script();
        let all = "demo/Legs.all()Ljava/util/Iterator;";
        let all = script.call(all, None, &[], object("demo/Legs"));
        let next = "java/util/Iterator.next()Ljava/lang/Object;";
        script.call(next, Some(all), &[], Observation::Null);
        let run = script.run();
        let bodies = Calls::of(program, &run);
        let last = program.method(bodies.bodies().next_back().unwrap());
        assert_eq!(&*program.class(last.class).name, "demo/Legs");
        assert_eq!(&*last.descriptor, "()Ljava/lang/String;");
    }
}
