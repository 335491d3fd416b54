//! Theories: methods of the user's tests that have to hold for any arguments.
//!
//! Comes in: the program with the project's test classes, kept runs of one unit. Goes out: [`Suspect`]s, each a call of
//! a theory with objects that kept runs made; and what is wrong with methods that are no usable theory.
//! Source: Zhang et al., "Combined Static and Dynamic Automated Test Generation", ISSTA 2011, section 4 (theories);
//! Saff, "Theory-infected", OOPSLA 2007 companion.
//!
//! ```text
//! theory   noActionAfterClose(Statement stmt, String sql)
//! run      driver = new Driver()   conn = driver.connect("url")   stmt = conn.createStatement()
//! suspect  the run, then   theories = new Theories()   theories.noActionAfterClose(stmt, "select")
//! ```
//! A theory may change its arguments, so every call has its own copy of the runs; two objects of one run share it.
//! Does not know: what an assertion or an assumption is (`violation.rs` does).

use crate::check::{Check, Conclusion, Guilty};
use crate::suspect::completed;
use crate::violation::Suspect;
use palus_bytecode::{ClassId, Method, MethodId, Origin, Program, Type};
use palus_learn::{ArgumentRecord, Models};
use palus_sequence::{Observation, Run, Sequence, Statement, Value, Variable, check};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Names of the annotation, JUnit 4's and ours.
const ANNOTATIONS: [&str; 2] = [
    "org/junit/experimental/theories/Theory",
    "io/palus/annotations/Theory",
];
/// Code of a theory that does not hold.
const CODE: &str = "P201";
/// Constants tried per parameter.
const MOST_CONSTANTS: usize = 40;
/// Objects tried per parameter.
const MOST_OBJECTS: usize = 200;

/// The theories of a project's test classes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Theories {
    /// Methods that can be called.
    pub methods: Vec<MethodId>,
    /// What is wrong with the others, for the user.
    pub warnings: Vec<String>,
}

/// Finds the theories.
pub fn find_theories(program: &Program) -> Theories {
    let mut theories = Theories::default();
    for method in program.methods() {
        let class = program.class(method.class);
        let is_theory = class.origin == Origin::Test
            && method
                .annotations
                .iter()
                .any(|name| ANNOTATIONS.contains(&&**name));
        if !is_theory {
            continue;
        }
        match unusable(program, method) {
            None => theories.methods.push(method.id),
            Some(why) => theories.warnings.push(format!(
                "the theory {}#{} is not tried: {why}",
                class.binary_name(),
                method.name
            )),
        }
    }
    theories
}

fn unusable(program: &Program, method: &Method) -> Option<&'static str> {
    let package = program.package(method.class);
    if !program.is_method_accessible(method.id, package) {
        return Some("the method and its class must not be private");
    }
    if method.access.is_static() || method.access.is_abstract() {
        return Some("it must be an instance method with a body");
    }
    if method.method_type.parameters.is_empty() {
        return Some("it has no parameters");
    }
    let constructor = program.declared_method(method.class, "<init>", "()V");
    let is_made = constructor.is_some_and(|id| program.is_method_accessible(id, package))
        && !program.class(method.class).access.is_abstract();
    (!is_made).then_some("its class needs a constructor without parameters")
}

/// What the theories of one unit are tried on.
pub(crate) struct Material<'a> {
    /// All classes.
    pub program: &'a Program,
    /// What traces recorded.
    pub models: &'a Models,
    /// The class whose unit it is.
    pub subject: ClassId,
    /// Its kept runs.
    pub kept: &'a [Run],
    /// True if theories about no object at all belong to this unit.
    pub is_first: bool,
}

/// One value for a parameter.
#[derive(Clone, Debug)]
enum Choice {
    Constant(Value),
    /// The variable of a run.
    Object(usize, Variable),
}

/// Calls of the theories, at most `limit` in all; each theory gets its share.
pub(crate) fn suspects(
    material: &Material<'_>,
    theories: &[MethodId],
    limit: usize,
) -> Vec<Suspect> {
    let runs: Vec<Run> = material.kept.iter().filter_map(completed).collect();
    let mut found = Vec::new();
    let share = limit / theories.len().max(1);
    for &theory in theories {
        found.extend(of_theory(material, &runs, theory, share));
    }
    found
}

fn of_theory(
    material: &Material<'_>,
    runs: &[Run],
    theory: MethodId,
    limit: usize,
) -> Vec<Suspect> {
    let program = material.program;
    let parameters = &program.method(theory).method_type.parameters;
    let choices: Vec<Vec<Choice>> = parameters
        .iter()
        .map(|parameter| choices(material, runs, parameter))
        .collect();
    let has_object = choices
        .iter()
        .flatten()
        .any(|choice| matches!(choice, Choice::Object(..)));
    let wants_object = parameters.iter().any(|parameter| !is_constant(parameter));
    let is_ours = if wants_object {
        has_object
    } else {
        material.is_first
    };
    if !is_ours {
        return Vec::new();
    }
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    let mut add = |arguments: &[Choice]| {
        if found.len() < limit
            && let Some(suspect) = suspect(program, runs, theory, arguments)
            && seen.insert(suspect.sequence.clone())
        {
            found.push(suspect);
        }
    };
    if choices.iter().all(|choices| !choices.is_empty()) {
        for arguments in combinations(&choices, limit) {
            add(&arguments);
        }
    }
    // Once with null for each object, where the theory has to say that it does not speak of null.
    for (position, parameter) in parameters.iter().enumerate() {
        if !parameter.is_reference() {
            continue;
        }
        let arguments: Option<Vec<Choice>> = choices
            .iter()
            .enumerate()
            .map(|(other, choices)| {
                if other == position {
                    Some(Choice::Constant(Value::Null(parameter.clone())))
                } else {
                    choices.first().cloned()
                }
            })
            .collect();
        if let Some(arguments) = arguments {
            add(&arguments);
        }
    }
    found
}

/// All combinations where they are few, else as many that each value comes up.
fn combinations(choices: &[Vec<Choice>], limit: usize) -> Vec<Vec<Choice>> {
    let all = choices.iter().try_fold(1_usize, |product, choices| {
        product.checked_mul(choices.len())
    });
    let is_all = all.is_some_and(|all| all <= limit);
    let count = if is_all { all.unwrap_or(limit) } else { limit };
    (0..count)
        .map(|number| {
            let mut rest = number;
            choices
                .iter()
                .enumerate()
                .map(|(position, choices)| {
                    let index = if is_all {
                        let index = rest % choices.len();
                        rest /= choices.len();
                        index
                    } else {
                        // Each parameter runs through its values in strides of its own.
                        (number * (position + 1) + number / choices.len()) % choices.len()
                    };
                    choices[index].clone()
                })
                .collect()
        })
        .collect()
}

/// True for what is written as a constant.
fn is_constant(parameter: &Type) -> bool {
    parameter.is_primitive()
        || parameter.unboxed().is_some()
        || parameter.class_name() == Some("java/lang/String")
}

fn choices(material: &Material<'_>, runs: &[Run], parameter: &Type) -> Vec<Choice> {
    if is_constant(parameter) {
        return constants(material, runs, parameter)
            .into_iter()
            .map(Choice::Constant)
            .collect();
    }
    let program = material.program;
    let mut found = Vec::new();
    // New objects first.
    for (index, run) in runs.iter().enumerate().rev() {
        for (place, observation) in run.outcome.observations.iter().enumerate() {
            let runtime = match observation {
                Observation::Object {
                    class,
                    same_as: None,
                    ..
                }
                | Observation::EnumConstant { class, .. } => Type::Object(class.clone()),
                _ => continue,
            };
            let variable = Variable(place as u32);
            // A class of the platform that the program has not read fits by what it was returned as.
            let fits = program.is_assignable(&runtime, parameter)
                || program.is_assignable(&run.sequence.type_of(program, variable), parameter);
            if fits && found.len() < MOST_OBJECTS {
                found.push(Choice::Object(index, variable));
            }
        }
    }
    found
}

/// Recorded constants first, then those of kept runs, then a few of every kind.
fn constants(material: &Material<'_>, runs: &[Run], parameter: &Type) -> Vec<Value> {
    let wanted = parameter.unboxed().unwrap_or_else(|| parameter.clone());
    let fits = |value: &Value| value.plain_type().as_ref() == Some(&wanted);
    let recorded = material
        .models
        .get(material.subject)
        .into_iter()
        .flat_map(palus_learn::CallSequenceModel::edges)
        .flat_map(|edge| &edge.observations)
        .flat_map(|observation| &observation.arguments)
        .filter_map(|argument| match argument {
            ArgumentRecord::Constant(value) => Some(value.clone()),
            _ => None,
        });
    let used = runs
        .iter()
        .flat_map(|run| run.sequence.statements())
        .filter_map(|statement| match statement {
            Statement::Value(value) => Some(value.clone()),
            _ => None,
        });
    let mut found: Vec<Value> = Vec::new();
    for value in recorded.chain(used).chain(of_every_kind(&wanted)) {
        if fits(&value) && !matches!(value, Value::Null(_)) && !found.contains(&value) {
            found.push(value);
            if found.len() >= MOST_CONSTANTS {
                break;
            }
        }
    }
    found
}

/// Constants tried everywhere.
fn of_every_kind(wanted: &Type) -> Vec<Value> {
    let numbers = [-1_i8, 0, 1, 10, 100];
    let of = |make: fn(i8) -> Value| numbers.iter().map(|&number| make(number)).collect();
    match wanted {
        Type::Boolean => vec![Value::Boolean(true), Value::Boolean(false)],
        Type::Byte => of(Value::Byte),
        Type::Short => of(|number| Value::Short(number.into())),
        Type::Int => of(|number| Value::Int(number.into())),
        Type::Long => of(|number| Value::Long(number.into())),
        Type::Float => of(|number| Value::Float(f32::from(number).to_bits())),
        Type::Double => of(|number| Value::Double(f64::from(number).to_bits())),
        Type::Char => "# 4a".encode_utf16().map(Value::Char).collect(),
        _ => vec![Value::Text("".into()), Value::Text("hi!".into())],
    }
}

/// The sequence that calls a theory with these arguments.
fn suspect(
    program: &Program,
    runs: &[Run],
    theory: MethodId,
    arguments: &[Choice],
) -> Option<Suspect> {
    let method = program.method(theory);
    let mut sequence = Sequence::default();
    let mut shifts: Vec<(usize, u32)> = Vec::new();
    let mut variables = Vec::with_capacity(arguments.len());
    for argument in arguments {
        variables.push(match argument {
            Choice::Constant(value) => sequence.push(Statement::Value(value.clone())),
            Choice::Object(run, variable) => {
                let known = shifts.iter().find(|(copied, _)| copied == run);
                let shift = if let Some(&(_, shift)) = known {
                    shift
                } else {
                    let shift = sequence.append(&runs[*run].sequence);
                    shifts.push((*run, shift));
                    shift
                };
                Variable(variable.0 + shift)
            }
        });
    }
    let base = sequence.len();
    let made = sequence.push(Statement::Call {
        method: program.declared_method(method.class, "<init>", "()V")?,
        receiver: None,
        arguments: Vec::new(),
    });
    sequence.push(Statement::Call {
        method: theory,
        receiver: Some(made),
        arguments: variables,
    });
    check(program, &sequence).ok()?;
    let mut question = Check::of(theory).concluding(Conclusion::Completes, Guilty::AssertionsToo);
    question.tail = sequence.statements()[base..].to_vec();
    let package: Arc<str> = program.package(method.class).into();
    Some(Suspect {
        sequence,
        check: question,
        code: CODE,
        name: "holds",
        broken: "does not hold",
        package,
        owner: method.class,
    })
}
