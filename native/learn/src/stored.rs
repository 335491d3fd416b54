//! Models for a cache file, and back.
//!
//! Comes in: [`Models`], or what `wire` read from a cache file. Goes out: the other.
//! Does not know: bytes, files, whether a cache is still good; [`fingerprint`] lists what decides that, traces aside.
//!
//! Classes and methods go by name, as their numbers differ between runs; what a name does not lead to, or an index
//! points beyond, makes the whole unusable rather than wrong.

use crate::{
    ArgumentRecord, CallEdge, CallSequenceModel, CarvedCall, CarvedTest, CarvedValue, Constraint,
    Dropped, EdgeId, EdgeKind, Models, NodeId, Observation, Role, SampleHistory, Statistics,
    state_dependence,
};
use palus_bytecode::{ClassId, Method, MethodId, Origin, Program, Type};
use palus_sequence::{AbstractValue, ObjectProfile, Value};
use palus_wire::models::{
    StoredCall, StoredEdge, StoredElement, StoredMethod, StoredModel, StoredModels,
    StoredObservation, StoredRecord, StoredTest, StoredValue,
};
use palus_wire::request::WireConstant;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;

/// All that learning asks of the program: two programs with the same text give the same models from the same traces.
pub fn fingerprint(program: &Program, is_pure: &dyn Fn(MethodId) -> bool) -> String {
    let mut lines: Vec<String> = Vec::with_capacity(program.classes().len());
    for class in program.classes() {
        let mut text = class.name.to_string();
        if class.origin == Origin::Subject {
            text.push_str(" subject");
        }
        // Any method that a trace names may be asked for; of the platform's none is traced.
        let methods = class.methods.iter().map(|&id| program.method(id));
        for method in methods.filter(|_| class.origin != Origin::Platform) {
            let pure = if is_pure(method.id) { " pure" } else { "" };
            let access = method.access.0;
            let _ = write!(
                text,
                "\n {}{} {access:x}{pure}",
                method.name, method.descriptor
            );
        }
        lines.push(text);
    }
    lines.sort_unstable();
    lines.join("\n")
}

impl Models {
    /// The models as a cache file keeps them.
    pub fn store(&self, program: &Program) -> StoredModels {
        let mut store = Store {
            program,
            out: StoredModels::default(),
            names: BTreeMap::new(),
            methods: BTreeMap::new(),
            records: BTreeMap::new(),
        };
        for model in self.iter() {
            let stored = store.model(model);
            store.out.models.push(stored);
        }
        for test in &self.carved {
            let stored = store.test(test);
            store.out.tests.push(stored);
        }
        for (&method, seen) in &self.static_calls {
            let method = store.method(method);
            let seen = seen.iter().map(|seen| store.observation(seen)).collect();
            store.out.static_calls.push((method, seen));
        }
        for (&class, dropped) in &self.statistics.dropped {
            let class = store.class(class);
            let Dropped {
                unseen_creation,
                capped,
                failed_test,
                too_many,
            } = *dropped;
            let counts = [unseen_creation, capped, failed_test, too_many];
            store.out.dropped.push((class, counts));
        }
        store.out.statistics = counts(&self.statistics).to_vec();
        store.out
    }

    /// The models that were stored; none if they are not of this program.
    pub fn restore(program: &Program, stored: &StoredModels) -> Option<Models> {
        let restore = Restore::new(program, stored)?;
        let records = stored.records.iter().map(|record| restore.record(record));
        let records: Vec<ArgumentRecord> = records.collect::<Option<_>>()?;
        let mut by_class = BTreeMap::new();
        for model in &stored.models {
            let model = restore.model(model, &records)?;
            by_class.insert(model.class(), model);
        }
        let dependences = state_dependence::all(&by_class);
        Some(Models {
            by_class,
            dependences,
            static_calls: stored
                .static_calls
                .iter()
                .map(|(method, seen)| restore.static_calls(*method, seen, &records))
                .collect::<Option<_>>()?,
            statistics: Statistics {
                dropped: restore.dropped()?,
                ..statistics(&stored.statistics)?
            },
            carved: stored
                .tests
                .iter()
                .map(|test| restore.test(test, &records))
                .collect::<Option<_>>()?,
            by_method: crate::ByMethod::default(),
        })
    }
}

fn counts(statistics: &Statistics) -> [u64; 8] {
    let Statistics {
        files,
        truncated_files,
        calls,
        unknown_calls,
        throwing_calls,
        tests,
        failed_tests,
        histories,
        dropped: _,
    } = *statistics;
    [
        files,
        truncated_files,
        calls,
        unknown_calls,
        throwing_calls,
        tests,
        failed_tests,
        histories,
    ]
}

fn statistics(counts: &[u64]) -> Option<Statistics> {
    let &[
        files,
        truncated_files,
        calls,
        unknown_calls,
        throwing_calls,
        tests,
        failed_tests,
        histories,
    ] = counts
    else {
        return None;
    };
    Some(Statistics {
        files,
        truncated_files,
        calls,
        unknown_calls,
        throwing_calls,
        tests,
        failed_tests,
        histories,
        dropped: BTreeMap::new(),
    })
}

struct Store<'a> {
    program: &'a Program,
    out: StoredModels,
    names: BTreeMap<Arc<str>, u32>,
    methods: BTreeMap<MethodId, u32>,
    records: BTreeMap<&'a ArgumentRecord, u32>,
}

impl<'a> Store<'a> {
    fn name(&mut self, name: &Arc<str>) -> u32 {
        if let Some(&known) = self.names.get(name) {
            return known;
        }
        let number = self.out.names.len() as u32;
        self.out.names.push(Arc::clone(name));
        self.names.insert(Arc::clone(name), number);
        number
    }

    fn class(&mut self, class: ClassId) -> u32 {
        let program = self.program;
        self.name(&program.class(class).name)
    }

    fn method(&mut self, id: MethodId) -> u32 {
        if let Some(&known) = self.methods.get(&id) {
            return known;
        }
        let method = self.program.method(id);
        let stored = StoredMethod {
            class: self.class(method.class),
            name: Arc::clone(&method.name),
            descriptor: Arc::clone(&method.descriptor),
        };
        let number = self.out.methods.len() as u32;
        self.out.methods.push(stored);
        self.methods.insert(id, number);
        number
    }

    fn record(&mut self, record: &'a ArgumentRecord) -> u32 {
        if let Some(&known) = self.records.get(record) {
            return known;
        }
        let stored = match record {
            ArgumentRecord::SelfObject => StoredRecord::SelfObject,
            ArgumentRecord::Constant(value) => StoredRecord::Constant(self.constant(value)),
            ArgumentRecord::ConstantArray { class, elements } => StoredRecord::ConstantArray {
                class: self.name(class),
                elements: elements
                    .iter()
                    .map(|element| match element {
                        Some(value) => self.constant(value),
                        None => WireConstant::Null,
                    })
                    .collect(),
            },
            ArgumentRecord::Constrained(constraint) => StoredRecord::Constrained {
                is_null: constraint.is_null,
                class: constraint.class.as_ref().map(|class| self.name(class)),
                profile: constraint
                    .profile
                    .as_ref()
                    .map(|profile| profile.0.iter().map(|code| code.0).collect()),
                states: constraint
                    .dep_states
                    .iter()
                    .map(|&(class, node)| (self.class(class), node.0))
                    .collect(),
            },
        };
        let number = self.out.records.len() as u32;
        self.out.records.push(stored);
        self.records.insert(record, number);
        number
    }

    fn constant(&self, value: &Value) -> WireConstant {
        match value {
            Value::Boolean(value) => WireConstant::Boolean(*value),
            Value::Byte(value) => WireConstant::Byte(*value),
            Value::Char(value) => WireConstant::Char(*value),
            Value::Short(value) => WireConstant::Short(*value),
            Value::Int(value) => WireConstant::Int(*value),
            Value::Long(value) => WireConstant::Long(*value),
            Value::Float(bits) => WireConstant::Float(*bits),
            Value::Double(bits) => WireConstant::Double(*bits),
            Value::Text(text) => WireConstant::Text(Arc::clone(text)),
            Value::EnumConstant { class, name } => WireConstant::EnumConstant(
                Arc::clone(&self.program.class(*class).name),
                Arc::clone(name),
            ),
            Value::ClassLiteral(named) => WireConstant::ClassLiteral(named.to_string().into()),
            // A trace has neither: null is a constraint, and a field's value is seen as what it is.
            Value::Null(_) | Value::StaticField(_) => WireConstant::Null,
        }
    }

    fn observation(&mut self, observation: &'a Observation) -> StoredObservation {
        let records = observation.receiver.iter().chain(&observation.arguments);
        let records = records.map(|record| self.record(record));
        (records.collect(), observation.count)
    }

    fn model(&mut self, model: &'a CallSequenceModel) -> StoredModel {
        let edge = |edge: &'a CallEdge| StoredEdge {
            method: self.method(edge.method),
            roles: edge.roles.iter().copied().map(role_code).collect(),
            source: edge.source.0,
            target: edge.target.0,
            is_main: edge.kind == EdgeKind::Main,
            count: edge.count,
            observations: edge
                .observations
                .iter()
                .map(|observation| self.observation(observation))
                .collect(),
        };
        let edges = model.edges().iter().map(edge).collect();
        let history = |history: &SampleHistory| {
            let steps = history.steps.iter();
            let steps = steps.map(|&(edge, observation)| (edge.0, observation));
            (steps.collect(), history.count)
        };
        StoredModel {
            class: self.class(model.class()),
            nodes: model.node_count() as u32,
            objects: model.objects(),
            edges,
            histories: model.sample_histories().iter().map(history).collect(),
        }
    }
}

impl<'a> Store<'a> {
    fn test(&mut self, test: &'a CarvedTest) -> StoredTest {
        let call = |call: &'a CarvedCall| StoredCall {
            method: self.method(call.method),
            values: call.values.iter().map(|value| self.value(value)).collect(),
            result: call
                .result
                .map(|(object, class)| (object, self.class(class))),
        };
        let calls = test.calls.iter().map(call).collect();
        StoredTest {
            calls,
            methods: test
                .methods
                .iter()
                .map(|&method| self.method(method))
                .collect(),
            events: test.events,
        }
    }

    fn value(&mut self, value: &'a CarvedValue) -> StoredValue {
        match value {
            CarvedValue::Object(object, seen) => StoredValue::Object(*object, self.record(seen)),
            CarvedValue::Array(seen, elements) => StoredValue::Array(
                self.record(seen),
                elements
                    .iter()
                    .map(|element| self.element(element))
                    .collect(),
            ),
            CarvedValue::Other(seen) => StoredValue::Other(self.record(seen)),
        }
    }

    fn element(&mut self, value: &'a CarvedValue) -> StoredElement {
        match value {
            CarvedValue::Object(object, seen) => StoredElement::Object(*object, self.record(seen)),
            // Of arrays in arrays learning keeps no elements.
            CarvedValue::Array(seen, _) | CarvedValue::Other(seen) => {
                StoredElement::Other(self.record(seen))
            }
        }
    }
}

fn role_code(role: Role) -> u16 {
    match role {
        Role::Result => 0,
        Role::This => 1,
        Role::Argument(index) => 2 + index,
    }
}

struct Restore<'a> {
    program: &'a Program,
    stored: &'a StoredModels,
    methods: Vec<MethodId>,
    /// Nodes of the model of each class that has one.
    nodes: BTreeMap<ClassId, u32>,
}

impl<'a> Restore<'a> {
    fn new(program: &'a Program, stored: &'a StoredModels) -> Option<Self> {
        let mut restore = Restore {
            program,
            stored,
            methods: Vec::with_capacity(stored.methods.len()),
            nodes: BTreeMap::new(),
        };
        for method in &stored.methods {
            let class = restore.class(method.class)?;
            let found = program.declared_method(class, &method.name, &method.descriptor)?;
            restore.methods.push(found);
        }
        for model in &stored.models {
            let class = restore.class(model.class)?;
            // Each node but the root is some edge's target, so that this bounds what is allocated for them.
            let is_possible = model.nodes >= 1 && model.nodes as usize <= model.edges.len() + 1;
            if !is_possible || restore.nodes.insert(class, model.nodes).is_some() {
                return None;
            }
        }
        Some(restore)
    }

    fn name(&self, number: u32) -> Option<&'a Arc<str>> {
        self.stored.names.get(number as usize)
    }

    fn class(&self, number: u32) -> Option<ClassId> {
        self.program.class_named(self.name(number)?)
    }

    fn constant(&self, constant: &WireConstant) -> Option<Value> {
        Some(match constant {
            WireConstant::Null => return None,
            WireConstant::Boolean(value) => Value::Boolean(*value),
            WireConstant::Byte(value) => Value::Byte(*value),
            WireConstant::Char(value) => Value::Char(*value),
            WireConstant::Short(value) => Value::Short(*value),
            WireConstant::Int(value) => Value::Int(*value),
            WireConstant::Long(value) => Value::Long(*value),
            WireConstant::Float(bits) => Value::Float(*bits),
            WireConstant::Double(bits) => Value::Double(*bits),
            WireConstant::Text(text) => Value::Text(Arc::clone(text)),
            WireConstant::EnumConstant(class, name) => Value::EnumConstant {
                class: self.program.class_named(class)?,
                name: Arc::clone(name),
            },
            WireConstant::ClassLiteral(descriptor) => Value::ClassLiteral(Type::parse(descriptor)?),
        })
    }

    fn record(&self, record: &StoredRecord) -> Option<ArgumentRecord> {
        Some(match record {
            StoredRecord::SelfObject => ArgumentRecord::SelfObject,
            StoredRecord::Constant(constant) => ArgumentRecord::Constant(self.constant(constant)?),
            StoredRecord::ConstantArray { class, elements } => ArgumentRecord::ConstantArray {
                class: Arc::clone(self.name(*class)?),
                elements: elements
                    .iter()
                    .map(|element| match element {
                        WireConstant::Null => Some(None),
                        element => self.constant(element).map(Some),
                    })
                    .collect::<Option<_>>()?,
            },
            StoredRecord::Constrained {
                is_null,
                class,
                profile,
                states,
            } => {
                let class = match class {
                    Some(number) => Some(Arc::clone(self.name(*number)?)),
                    None => None,
                };
                let mut dep_states = Vec::with_capacity(states.len());
                for &(class, node) in states {
                    let class = self.class(class)?;
                    if node >= *self.nodes.get(&class)? {
                        return None;
                    }
                    dep_states.push((class, NodeId(node)));
                }
                // Numbers of classes may be in another order than when they were stored.
                dep_states.sort_unstable();
                let profile = profile.as_ref().map(|codes| {
                    ObjectProfile(codes.iter().map(|&code| AbstractValue(code)).collect())
                });
                ArgumentRecord::Constrained(Constraint {
                    is_null: *is_null,
                    class,
                    profile,
                    dep_states,
                })
            }
        })
    }

    fn model(&self, stored: &StoredModel, records: &[ArgumentRecord]) -> Option<CallSequenceModel> {
        let mut model = CallSequenceModel {
            outgoing: vec![Vec::new(); stored.nodes as usize],
            objects: stored.objects,
            ..CallSequenceModel::new(self.class(stored.class)?)
        };
        for (number, edge) in stored.edges.iter().enumerate() {
            let id = EdgeId(number as u32);
            let edge = self.edge(id, edge, records)?;
            if edge.target.0 >= stored.nodes {
                return None;
            }
            model.outgoing.get_mut(edge.source.index())?.push(id);
            model.edges.push(edge);
        }
        for (steps, count) in &stored.histories {
            let step = |&(edge, observation): &(u32, u32)| {
                let known = &model.edges.get(edge as usize)?.observations;
                known.get(observation as usize)?;
                Some((EdgeId(edge), observation))
            };
            model.histories.push(SampleHistory {
                steps: steps.iter().map(step).collect::<Option<_>>()?,
                count: *count,
            });
        }
        Some(model)
    }

    fn dropped(&self) -> Option<BTreeMap<ClassId, Dropped>> {
        let dropped = self.stored.dropped.iter();
        let restored = dropped.map(|&(class, counts)| {
            let [unseen_creation, capped, failed_test, too_many] = counts;
            let dropped = Dropped {
                unseen_creation,
                capped,
                failed_test,
                too_many,
            };
            Some((self.class(class)?, dropped))
        });
        restored.collect()
    }

    fn test(&self, stored: &StoredTest, records: &[ArgumentRecord]) -> Option<CarvedTest> {
        let calls = stored.calls.iter().map(|call| self.call(call, records));
        let methods = stored.methods.iter();
        let methods = methods.map(|&method| self.methods.get(method as usize).copied());
        let mut methods = methods.collect::<Option<Vec<_>>>()?;
        // As those of classes.
        methods.sort_unstable();
        Some(CarvedTest {
            calls: calls.collect::<Option<_>>()?,
            methods,
            events: stored.events,
        })
    }

    fn call(&self, stored: &StoredCall, records: &[ArgumentRecord]) -> Option<CarvedCall> {
        let method = *self.methods.get(stored.method as usize)?;
        let values = stored.values.iter().map(|value| carved(value, records));
        let values = values.collect::<Option<Vec<_>>>()?;
        let result = match stored.result {
            Some((object, class)) => Some((object, self.class(class)?)),
            None => None,
        };
        (values.len() == places(self.program.method(method))).then_some(CarvedCall {
            method,
            values,
            result,
        })
    }

    fn static_calls(
        &self,
        method: u32,
        seen: &[StoredObservation],
        records: &[ArgumentRecord],
    ) -> Option<(MethodId, Vec<Observation>)> {
        let method = *self.methods.get(method as usize)?;
        let declared = self.program.method(method);
        let seen = seen.iter().map(|seen| observation(declared, seen, records));
        Some((method, seen.collect::<Option<_>>()?))
    }

    fn edge(
        &self,
        id: EdgeId,
        stored: &StoredEdge,
        records: &[ArgumentRecord],
    ) -> Option<CallEdge> {
        let method = *self.methods.get(stored.method as usize)?;
        let declared = self.program.method(method);
        let role = |&code: &u16| match code {
            0 => Role::Result,
            1 => Role::This,
            argument => Role::Argument(argument - 2),
        };
        let observations = stored.observations.iter();
        let observations = observations.map(|stored| observation(declared, stored, records));
        Some(CallEdge {
            id,
            method,
            roles: stored.roles.iter().map(role).collect(),
            source: NodeId(stored.source),
            target: NodeId(stored.target),
            kind: if stored.is_main {
                EdgeKind::Main
            } else {
                EdgeKind::Alternative
            },
            observations: observations.collect::<Option<_>>()?,
            count: stored.count,
        })
    }
}

fn has_receiver(method: &Method) -> bool {
    !method.access.is_static() && !method.is_constructor()
}

fn observation(
    method: &Method,
    (numbers, count): &StoredObservation,
    records: &[ArgumentRecord],
) -> Option<Observation> {
    let record = |&number: &u32| records.get(number as usize).cloned();
    let mut found = numbers.iter().map(record).collect::<Option<Vec<_>>>()?;
    if found.len() != places(method) {
        return None;
    }
    let receiver = has_receiver(method).then(|| found.remove(0));
    Some(Observation {
        receiver,
        arguments: found,
        count: *count,
    })
}

/// Receiver and arguments of a call.
fn places(method: &Method) -> usize {
    method.method_type.parameters.len() + usize::from(has_receiver(method))
}

fn carved(stored: &StoredValue, records: &[ArgumentRecord]) -> Option<CarvedValue> {
    let record = |number: u32| records.get(number as usize).cloned();
    let element = |stored: &StoredElement| {
        Some(match *stored {
            StoredElement::Object(object, seen) => CarvedValue::Object(object, record(seen)?),
            StoredElement::Other(seen) => CarvedValue::Other(record(seen)?),
        })
    };
    Some(match stored {
        StoredValue::Object(object, seen) => CarvedValue::Object(*object, record(*seen)?),
        StoredValue::Array(seen, elements) => CarvedValue::Array(
            record(*seen)?,
            elements.iter().map(element).collect::<Option<_>>()?,
        ),
        StoredValue::Other(seen) => CarvedValue::Other(record(*seen)?),
    })
}
