//! Observers: calls without side effects that show what the last call did.
//!
//! Comes in: a run that completed. Goes out: calls to append to its sequence, best first.
//! Source: Kiezun et al., "Generating Legal Test Inputs for Object-Oriented Programs", M-TOOS 2006 (regression
//! oracles from observer methods). Does not know: what the calls return, which of them get asserted.

use palus_bytecode::{Class, ClassId, Method, MethodId, Program, Type};
use palus_sequence::{Observation, Run, Statement, Variable};
use std::collections::BTreeSet;

/// Observers tried per test.
const MOST_OBSERVERS: usize = 12;
/// Observers with an argument tried per object.
const MOST_WITH_ARGUMENT: usize = 3;

/// Observer calls on the objects of a run's last statement.
pub(crate) fn candidates(
    program: &Program,
    is_pure: &dyn Fn(MethodId) -> bool,
    package: &str,
    run: &Run,
) -> Vec<Statement> {
    let mut found = Vec::new();
    for target in targets(run) {
        let Type::Object(name) = run.sequence.type_of(program, target) else {
            continue;
        };
        let Some(class) = program.class_named(&name) else {
            continue;
        };
        let mut with_argument = 0;
        for method in methods(program, package, class) {
            if !is_pure(method.id) || !is_telling(program, method) {
                continue;
            }
            let arguments = match method.method_type.parameters.as_slice() {
                [] => Vec::new(),
                [wanted] if with_argument < MOST_WITH_ARGUMENT => {
                    match argument(program, run, target, wanted) {
                        Some(argument) => {
                            with_argument += 1;
                            vec![argument]
                        }
                        None => continue,
                    }
                }
                _ => continue,
            };
            let call = Statement::Call {
                method: method.id,
                receiver: Some(target),
                arguments,
            };
            // What the test itself calls last is asserted there.
            if run.sequence.statements().last() != Some(&call) {
                found.push(call);
            }
        }
    }
    // Short questions before `toString`, which repeats their answers.
    found.sort_by_key(|call| is_to_string(program, call));
    found.truncate(MOST_OBSERVERS);
    found
}

/// True for a call of `toString`.
pub(crate) fn is_to_string(program: &Program, call: &Statement) -> bool {
    matches!(call, Statement::Call { method, .. } if &*program.method(*method).name == "toString")
}

/// The last result, its receiver and arguments, as far as they are objects.
fn targets(run: &Run) -> Vec<Variable> {
    let Some(last) = run.sequence.statements().last() else {
        return Vec::new();
    };
    let mut targets = Vec::new();
    let candidates = last.uses().into_iter().take(3).chain([run.sequence.last()]);
    for variable in candidates {
        let observed = run.outcome.observations.get(variable.index());
        let is_new = matches!(observed, Some(Observation::Object { same_as, .. })
            if same_as.is_none_or(|earlier| !targets.contains(&Variable(earlier))));
        if is_new && !targets.contains(&variable) {
            targets.push(variable);
        }
    }
    targets
}

/// Callable instance methods, nearest declaration of each first.
fn methods<'a>(program: &'a Program, package: &str, class: ClassId) -> Vec<&'a Method> {
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    for ancestor in program.supertypes(class) {
        for &id in &program.class(ancestor).methods {
            let method = program.method(id);
            let accessible = program.is_method_accessible(id, package)
                || (method.access.is_public()
                    && !method.access.is_synthetic()
                    && program.is_class_accessible(class, package));
            let is_callable =
                !method.access.is_static() && !method.name.starts_with('<') && accessible;
            let parameters = method.descriptor.split(')').next().unwrap_or_default();
            if is_callable && seen.insert((&method.name, parameters)) {
                found.push(method);
            }
        }
    }
    found
}

/// True if a method's answer is worth an assertion.
fn is_telling(program: &Program, method: &Method) -> bool {
    let owner = &program.class(method.class).name;
    let is_skipped = matches!(
        &*method.name,
        "hashCode" | "getClass" | "clone" | "equals" | "compareTo" | "finalize"
    ) || &**owner == "java/lang/Object"
        || owner.starts_with("java/io/")
        || owner.starts_with("java/lang/Thread")
        || owner.starts_with("java/lang/Class")
        || method.is_deprecated;
    let answers = match &method.method_type.returns {
        Type::Void | Type::Array(_) => false,
        Type::Object(name) => {
            let is_enum = program
                .class_named(name)
                .is_some_and(|id| is_enum(program.class(id)));
            let is_value = name.starts_with("java/lang/")
                && matches!(
                    &name["java/lang/".len()..],
                    "String"
                        | "Object"
                        | "Number"
                        | "Comparable"
                        | "CharSequence"
                        | "Boolean"
                        | "Character"
                        | "Byte"
                        | "Short"
                        | "Integer"
                        | "Long"
                        | "Float"
                        | "Double"
                );
            let is_getter =
                method.method_type.parameters.is_empty() && method.name.starts_with("get");
            is_enum || is_value || is_getter
        }
        _ => true,
    };
    answers && !is_skipped
}

fn is_enum(class: &Class) -> bool {
    class.access.is_enum()
}

/// The latest variable that fits a parameter, other than the object asked.
fn argument(program: &Program, run: &Run, target: Variable, wanted: &Type) -> Option<Variable> {
    let any = matches!(wanted, Type::Object(name) if &**name == "java/lang/Object");
    let statements = run.sequence.statements();
    // Anything is an Object; only what the calls on this object were given is worth asking about.
    let given = |variable: Variable| {
        statements.iter().any(|statement| {
            matches!(statement, Statement::Call { receiver: Some(receiver), arguments, .. }
                if *receiver == target && arguments.contains(&variable))
        })
    };
    (0..statements.len())
        .rev()
        .map(|index| Variable(index as u32))
        .find(|&variable| {
            let is_known = !matches!(
                run.outcome.observations.get(variable.index()),
                None | Some(Observation::Nothing | Observation::Null)
            );
            let own = run.sequence.type_of(program, variable);
            let fits = own == *wanted
                || (own.is_reference() && program.is_assignable(&own, wanted))
                || (any && own.is_primitive());
            is_known && variable != target && fits && (given(variable) || !any)
        })
}
