//! What the run knows about methods and models, turned into the report's plain data.
//!
//! Comes in: program, facts, models, written tests, drops. Goes out: [`Explanations`].
//! Does not know: how it is shown; `explain.rs` prints it, `palus_report` draws it.

use crate::report::codes::skip_code;
use crate::report::names::{method_text, simple_text, type_text};
use crate::report::results::Results;
use palus_bytecode::{ClassId, MethodId, Program, Type};
use palus_generate::SkipCode;
use palus_learn::{
    ArgumentRecord, CallEdge, CallSequenceModel, EdgeId, EdgeKind, Models, Observation, Position,
    Role, StateDependence,
};
use palus_report::{
    CallReport, ClassExplanation, DependenceReport, EdgeReport, Explanations, GENERATED,
    MethodReport, ModelReport, ObjectsReport, drawn_edges,
};
use palus_sequence::Value;
use palus_suite::{Calls, followed_edges};
use std::collections::{BTreeMap, BTreeSet};

/// Dependences listed per method.
const DEPENDENCES: usize = 30;
/// Distinct calls listed per edge.
const EXAMPLES: usize = 3;
/// Calls in models listed per method.
const CALLS: usize = 12;
/// Drops listed per method.
const DROPS: usize = 10;
/// Characters of what the first try of a method met that are told.
const LONGEST_CAUSE: usize = 200;
/// Longer texts among the examples are cut.
const LONGEST_TEXT: usize = 40;

/// Everything there is to say about the classes that got tests.
pub(crate) fn explanations(command_line: &str, results: &Results<'_>) -> Explanations {
    let program = results.program;
    let (classes, followed) = of_classes(results);
    let mut dependences: BTreeMap<ClassId, Vec<&StateDependence>> = BTreeMap::new();
    for dependence in results.models.state_dependences() {
        let to = dependence.to.0;
        dependences.entry(to).or_default().push(dependence);
    }
    let mut models: Vec<ModelReport> = results
        .models
        .iter()
        .zip(&followed)
        .map(|(model, followed)| {
            let known = dependences
                .get(&model.class())
                .map_or(&[][..], Vec::as_slice);
            model_report(program, model, followed, known)
        })
        .collect();
    models.sort_by(|left, right| left.class.cmp(&right.class));
    Explanations {
        palus_version: env!("CARGO_PKG_VERSION").to_owned(),
        command_line: command_line.to_owned(),
        classes,
        models,
    }
}

/// What there is to say of the classes, by name; and which edges of each model tests follow.
pub(crate) fn of_classes(results: &Results<'_>) -> (Vec<ClassExplanation>, Vec<BTreeSet<EdgeId>>) {
    let program = results.program;
    let tests = Tests::of(results);
    let skips: BTreeMap<MethodId, (&str, &str)> = results
        .units
        .iter()
        .flat_map(|unit| {
            let cause = |method| unit.causes.get(&method).map_or("", |cause| &**cause);
            let skipped = unit.skipped.iter();
            skipped.map(move |&(method, code)| (method, (skip_code(code), cause(method))))
        })
        .collect();
    let followed: Vec<BTreeSet<EdgeId>> = results
        .models
        .iter()
        .map(|model| {
            let is_pure = |method| results.facts.is_pure(method);
            followed_edges(program, &is_pure, model, &tests.sequences)
        })
        .collect();
    let places = Places::of(results.models, &followed);
    let mut classes = Vec::new();
    for unit in results.units {
        for class in program.nest(unit.subject) {
            let methods: Vec<MethodReport> = program
                .class(class)
                .methods
                .iter()
                .filter(|&&method| is_explained(program, method))
                .map(|&method| MethodReport {
                    calls: places.calls(program, method),
                    more_calls: places.more(method),
                    ..method_report(results, &tests, &skips, method)
                })
                .collect();
            if !methods.is_empty() {
                classes.push(ClassExplanation {
                    name: class_name(program, class),
                    methods,
                    objects: objects(results.models, class),
                });
            }
        }
    }
    classes.sort_by(|left, right| left.name.cmp(&right.name));
    (classes, followed)
}

/// What became of the traced objects of a class.
fn objects(models: &Models, class: ClassId) -> ObjectsReport {
    let dropped = models.statistics().dropped_of(class);
    ObjectsReport {
        merged: models.get(class).map_or(0, CallSequenceModel::objects),
        unseen_creation: dropped.unseen_creation,
        capped: dropped.capped,
        failed_test: dropped.failed_test,
        too_many: dropped.too_many,
    }
}

/// The written tests by what they call and hold.
struct Tests<'a> {
    /// Names of tests by the method they end with, and by those they call before.
    about: BTreeMap<MethodId, Vec<String>>,
    calling: BTreeMap<MethodId, Vec<String>>,
    /// Types of the objects they hold.
    held: BTreeSet<Type>,
    sequences: Vec<Calls<'a>>,
}

impl<'a> Tests<'a> {
    fn of(results: &Results<'a>) -> Tests<'a> {
        let mut tests = Tests {
            about: BTreeMap::new(),
            calling: BTreeMap::new(),
            held: BTreeSet::new(),
            sequences: Vec::new(),
        };
        for (class, _) in results.verified {
            for test in &class.tests {
                let sequence = &test.run.sequence;
                let name = format!("{}#{}", class.name, test.name);
                let calls = Calls::of(results.program, &test.run);
                let final_call = calls.bodies().next_back();
                for method in calls.bodies().collect::<BTreeSet<_>>() {
                    let list = if Some(method) == final_call {
                        &mut tests.about
                    } else {
                        &mut tests.calling
                    };
                    list.entry(method).or_default().push(name.clone());
                }
                let made = sequence.statements().iter().filter(|made| {
                    !matches!(made, palus_sequence::Statement::Value(Value::Null(_)))
                });
                tests
                    .held
                    .extend(made.map(|made| made.defined_type(results.program)));
                tests.sequences.push(calls);
            }
        }
        tests
    }

    fn calling(&self, method: MethodId) -> Vec<String> {
        let lists = [&self.about, &self.calling];
        let named = lists.iter().filter_map(|list| list.get(&method));
        named.flatten().cloned().collect()
    }

    /// The reference types a call needs of which no test has an object.
    fn missing(&self, program: &Program, method: MethodId) -> Vec<String> {
        let declared = program.method(method);
        let is_called_on = !declared.access.is_static() && !declared.is_constructor();
        let receiver =
            is_called_on.then(|| Type::Object(program.class(declared.class).name.clone()));
        let wanted = receiver.iter().chain(&declared.method_type.parameters);
        let mut missing: Vec<String> = Vec::new();
        for wanted in wanted.filter(|wanted| matches!(wanted, Type::Object(_))) {
            let is_held = self
                .held
                .iter()
                .any(|held| program.is_assignable(held, wanted));
            let text = type_text(wanted);
            if !is_held && !missing.contains(&text) {
                missing.push(text);
            }
        }
        missing
    }
}

fn is_explained(program: &Program, method: MethodId) -> bool {
    let method = program.method(method);
    method.code.is_some() && !method.access.is_synthetic() && !method.is_initializer()
}

fn method_report(
    results: &Results<'_>,
    tests: &Tests<'_>,
    skips: &BTreeMap<MethodId, (&str, &str)>,
    method: MethodId,
) -> MethodReport {
    let program = results.program;
    let named = tests.calling(method);
    let is_private = program.method(method).access.is_private();
    let skip = match skips.get(&method) {
        _ if named.is_empty() && program.is_generated(method) => Some(GENERATED.to_owned()),
        Some((code, _)) => Some((*code).to_owned()),
        None if is_private && named.is_empty() => {
            Some(skip_code(SkipCode::NotAccessible).to_owned())
        }
        None => None,
    };
    let mut weights = results.facts.relevance(method).probabilities();
    weights.sort_by(|left, right| right.1.total_cmp(&left.1).then(left.0.cmp(&right.0)));
    let more_dependences = weights.len().saturating_sub(DEPENDENCES);
    MethodReport {
        method: method_text(program, method),
        missing: if skip.as_deref() == Some(skip_code(SkipCode::NoInstance)) {
            tests.missing(program, method)
        } else {
            Vec::new()
        },
        tests: named,
        cause: skips.get(&method).map_or(String::new(), |(_, cause)| {
            cause.chars().take(LONGEST_CAUSE).collect()
        }),
        skip,
        drops: results
            .dropped
            .iter()
            .filter(|dropped| dropped.calls.contains(&method))
            .take(DROPS)
            .map(|dropped| dropped.test.clone())
            .collect(),
        dependences: weights
            .into_iter()
            .take(DEPENDENCES)
            .map(|(on, weight)| (key(program, on), (weight * 1e4).round() / 1e4))
            .collect(),
        more_dependences,
        ..MethodReport::default()
    }
}

/// Where the models have each method.
struct Places<'a> {
    /// The most frequent calls first.
    by_method: BTreeMap<MethodId, Vec<(&'a CallSequenceModel, &'a CallEdge, bool)>>,
}

impl<'a> Places<'a> {
    fn of(models: &'a Models, followed: &[BTreeSet<EdgeId>]) -> Places<'a> {
        let mut by_method: BTreeMap<MethodId, Vec<_>> = BTreeMap::new();
        for (model, followed) in models.iter().zip(followed) {
            for edge in model.edges() {
                let place = (model, edge, followed.contains(&edge.id));
                by_method.entry(edge.method).or_default().push(place);
            }
        }
        for places in by_method.values_mut() {
            places.sort_by_key(|(_, edge, _)| std::cmp::Reverse(edge.count));
        }
        Places { by_method }
    }

    fn calls(&self, program: &Program, method: MethodId) -> Vec<CallReport> {
        let places = self.by_method.get(&method).into_iter().flatten();
        places
            .take(CALLS)
            .map(|(model, edge, is_covered)| CallReport {
                model: class_name(program, model.class()),
                source: edge.source.0,
                target: edge.target.0,
                roles: roles_text(edge),
                count: edge.count,
                is_nested: edge.kind == EdgeKind::Alternative,
                is_covered: *is_covered,
                examples: examples(program, edge),
            })
            .collect()
    }

    fn more(&self, method: MethodId) -> usize {
        let all = self.by_method.get(&method).map_or(0, Vec::len);
        all.saturating_sub(CALLS)
    }
}

fn model_report(
    program: &Program,
    model: &CallSequenceModel,
    followed: &BTreeSet<EdgeId>,
    known: &[&StateDependence],
) -> ModelReport {
    let shown = shown_edges(model);
    let dependences: BTreeSet<DependenceReport> = known
        .iter()
        .filter_map(|dependence| Some((dependence, shown.binary_search(&dependence.edge).ok()?)))
        .map(|(dependence, place)| DependenceReport {
            class: class_name(program, dependence.from.0),
            node: dependence.from.1.0,
            edge: place as u32,
            position: match dependence.position {
                Position::Receiver => "the receiver".to_owned(),
                Position::Argument(place) => format!("argument {}", place + 1),
            },
        })
        .collect();
    ModelReport {
        class: class_name(program, model.class()),
        nodes: model.node_count() as u32,
        objects: model.objects(),
        calls: model.edges().len() as u64,
        covered: followed.len() as u64,
        edges: shown
            .iter()
            .map(|&id| model.edge(id))
            .map(|edge| edge_report(program, model.class(), edge, followed.contains(&edge.id)))
            .collect(),
        dependences: dependences.into_iter().collect(),
    }
}

/// The calls that the picture shows.
fn shown_edges(model: &CallSequenceModel) -> Vec<EdgeId> {
    let edges = model.edges();
    let short: Vec<(u32, u32, u64)> = edges
        .iter()
        .map(|edge| (edge.source.0, edge.target.0, edge.count))
        .collect();
    let drawn = drawn_edges(&short).into_iter();
    drawn.map(|place| edges[place].id).collect()
}

fn edge_report(program: &Program, class: ClassId, edge: &CallEdge, is_covered: bool) -> EdgeReport {
    let method = program.method(edge.method);
    let owner = class_name(program, method.class);
    let simple = simple_text(&program.class(method.class).name);
    let is_called_on = edge.roles.contains(&Role::This);
    let name = if method.is_constructor() {
        format!("new {simple}")
    } else if is_called_on || (edge.is_creation() && method.class == class) {
        method.name.to_string()
    } else {
        format!("{simple}.{}", method.name)
    };
    let argument = edge.roles.iter().find_map(|role| match role {
        Role::Argument(place) => Some(place + 1),
        _ => None,
    });
    let label = match argument {
        Some(place) if method.method_type.parameters.len() > 1 => format!("{name}(arg {place})"),
        Some(_) => format!("{name}(·)"),
        None => name,
    };
    EdgeReport {
        source: edge.source.0,
        target: edge.target.0,
        owner,
        method: method_text(program, edge.method),
        label,
        roles: roles_text(edge),
        count: edge.count,
        is_nested: edge.kind == EdgeKind::Alternative,
        is_covered,
        examples: examples(program, edge),
    }
}

/// `the receiver and argument 2`
fn roles_text(edge: &CallEdge) -> String {
    let roles: Vec<String> = edge
        .roles
        .iter()
        .map(|role| match role {
            Role::Result => "the new object".to_owned(),
            Role::This => "the receiver".to_owned(),
            Role::Argument(place) => format!("argument {}", place + 1),
        })
        .collect();
    roles.join(" and ")
}

fn examples(program: &Program, edge: &CallEdge) -> Vec<String> {
    edge.observations
        .iter()
        .filter(|observation| !observation.arguments.is_empty())
        .take(EXAMPLES)
        .map(|observation| example(program, observation))
        .collect()
}

/// `("Portland", City in state 2)`
fn example(program: &Program, observation: &Observation) -> String {
    let arguments: Vec<String> = observation
        .arguments
        .iter()
        .map(|record| record_text(program, record))
        .collect();
    format!("({})", arguments.join(", "))
}

fn record_text(program: &Program, record: &ArgumentRecord) -> String {
    match record {
        ArgumentRecord::Constant(value) => value_text(program, value),
        ArgumentRecord::ConstantArray { elements, .. } => {
            let elements: Vec<String> = elements
                .iter()
                .take(4)
                .map(|element| {
                    element
                        .as_ref()
                        .map_or("null".to_owned(), |value| value_text(program, value))
                })
                .collect();
            format!("{{{}}}", elements.join(", "))
        }
        ArgumentRecord::SelfObject => "the object".to_owned(),
        ArgumentRecord::Constrained(constraint) if constraint.is_null => "null".to_owned(),
        ArgumentRecord::Constrained(constraint) => {
            let class = constraint
                .class
                .as_deref()
                .map_or("an object".to_owned(), |name| {
                    let array = Type::parse(name).filter(|_| name.starts_with('['));
                    array.map_or_else(|| simple_text(name), |array| type_text(&array))
                });
            match constraint.dep_states.first() {
                Some((_, node)) => format!("{class} in state {}", node.0),
                None => class,
            }
        }
    }
}

fn value_text(program: &Program, value: &Value) -> String {
    match value {
        Value::Null(_) => "null".to_owned(),
        Value::Boolean(value) => value.to_string(),
        Value::Byte(value) => value.to_string(),
        Value::Char(unit) => format!(
            "{:?}",
            char::from_u32(u32::from(*unit)).unwrap_or('\u{fffd}')
        ),
        Value::Short(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        Value::Long(value) => format!("{value}L"),
        Value::Float(bits) => format!("{}f", f32::from_bits(*bits)),
        Value::Double(bits) => f64::from_bits(*bits).to_string(),
        Value::Text(text) => {
            let short: String = text.chars().take(LONGEST_TEXT).collect();
            let is_cut = short.len() < text.len();
            format!("{short:?}{}", if is_cut { "…" } else { "" })
        }
        Value::EnumConstant { class, name } => {
            format!("{}.{name}", simple_text(&program.class(*class).name))
        }
        Value::ClassLiteral(class) => format!("{}.class", type_text(class)),
        Value::StaticField(field) => {
            let field = program.field(*field);
            format!(
                "{}.{}",
                simple_text(&program.class(field.class).name),
                field.name
            )
        }
    }
}

/// `p.Outer$Inner`
fn class_name(program: &Program, class: ClassId) -> String {
    program.class(class).binary_name()
}

/// `p.RoadMap#addRoad(City, City)`
fn key(program: &Program, method: MethodId) -> String {
    let owner = class_name(program, program.method(method).class);
    format!("{owner}#{}", method_text(program, method))
}
