//! Simpler objects in the place of those that a test makes: what a reader takes in at once.
//!
//! Comes in: a sequence and one of its statements. Goes out: the same sequence with something simpler there, simplest first,
//! without what only the former object needed. Whether the test still shows what it is there for is the caller's question.
//! Does not know: runs, coverage.
//!
//! ```text
//! new ArrayStack(); TreeBag.decorate(…); push(bag)       ways for the bag: "a", new ArrayList<>(), …
//! new ArrayStack(); "a"; push("a")                       the first of them
//! ```

use palus_bytecode::{MethodId, Origin, Program, Type};
use palus_sequence::{Sequence, Statement, Value, Variable};
use std::collections::BTreeSet;

/// What anybody who reads Java has seen, where a supertype of it is wanted.
const USUAL: [&str; 3] = [
    "java/util/ArrayList",
    "java/util/HashMap",
    "java/util/HashSet",
];

/// A text as a person types it.
const TEXT: &str = "a";

/// Statements before the tail that make an object which others use, last first.
pub(crate) fn replaceable(program: &Program, sequence: &Sequence, tail: usize) -> Vec<usize> {
    let statements = sequence.statements();
    let before_tail = statements.len().saturating_sub(tail);
    let makes = |index: &usize| match &statements[*index] {
        Statement::Call { method, .. } => {
            let is_object = matches!(statements[*index].defined_type(program), Type::Object(_));
            is_object && !is_usual(program, *method)
        }
        _ => false,
    };
    (0..before_tail).rev().filter(makes).collect()
}

/// True for `new ArrayList<>()` and the like.
fn is_usual(program: &Program, method: MethodId) -> bool {
    let method = program.method(method);
    let class = program.class(method.class);
    method.is_constructor()
        && method.method_type.parameters.is_empty()
        && class.origin == Origin::Platform
}

/// The sequences with something simpler than what this statement makes, simplest first.
pub(crate) fn ways(program: &Program, sequence: &Sequence, index: usize) -> Vec<Sequence> {
    let statements = sequence.statements();
    let Some(wanted) = wanted(program, sequence, Variable(index as u32)) else {
        return Vec::new();
    };
    let empty = USUAL
        .into_iter()
        .filter_map(|name| no_argument_constructor(program, name))
        .map(|method| Statement::Call {
            method,
            receiver: None,
            arguments: Vec::new(),
        });
    let fits = |statement: &Statement| {
        let new = statement.defined_type(program);
        wanted
            .iter()
            .all(|wanted| program.is_assignable(&new, wanted))
    };
    let text = Statement::Value(Value::Text(TEXT.into()));
    std::iter::once(text)
        .chain(empty)
        .filter(|statement| *statement != statements[index] && fits(statement))
        .map(|statement| replaced(sequence, index, statement))
        .filter(|simpler| weight(simpler) < weight(sequence))
        .collect()
}

/// With another statement in the place of one, and without what was made for that alone.
fn replaced(sequence: &Sequence, index: usize, statement: Statement) -> Sequence {
    let mut changed = sequence.statements().to_vec();
    let mut open = changed[index].uses();
    changed[index] = statement;
    let mut removed = BTreeSet::new();
    while let Some(variable) = open.pop() {
        let uses = |(at, statement): (usize, &Statement)| {
            !removed.contains(&at) && statement.uses().contains(&variable)
        };
        if !changed.iter().enumerate().any(uses) && removed.insert(variable.index()) {
            open.extend(changed[variable.index()].uses());
        }
    }
    keep(&Sequence::new(changed), |index| !removed.contains(&index))
}

/// The statements for which `wanted` holds, less the values nobody uses; users of a dropped statement must be dropped.
pub(crate) fn keep(sequence: &Sequence, wanted: impl Fn(usize) -> bool) -> Sequence {
    let statements = sequence.statements();
    let mut used = BTreeSet::new();
    let mut kept = Vec::new();
    for (index, statement) in statements.iter().enumerate().rev() {
        let is_effect = matches!(
            statement,
            Statement::Call { .. } | Statement::SetField { .. }
        );
        let is_needed = is_effect || index + 1 == statements.len() || used.contains(&index);
        if wanted(index) && is_needed {
            used.extend(statement.uses().iter().map(|used| used.index()));
            kept.push(index);
        }
    }
    kept.reverse();
    let renumbered = |variable: Variable| {
        let position = kept
            .binary_search(&variable.index())
            .expect("users of a dropped statement are dropped");
        Variable(position as u32)
    };
    Sequence::new(
        kept.iter()
            .map(|&index| statements[index].renamed(renumbered))
            .collect(),
    )
}

/// What there is to read: statements, the values they use, and calls twice.
fn weight(sequence: &Sequence) -> usize {
    let weight = |statement: &Statement| {
        let is_call = matches!(statement, Statement::Call { .. });
        1 + usize::from(is_call) + statement.uses().len()
    };
    sequence.statements().iter().map(weight).sum()
}

/// A public constructor without parameters of a class that tests anywhere may name.
/// Of those of the JDK's collections only: another class's may look at the clock, or draw a number, where one with
/// parameters was given them.
fn no_argument_constructor(program: &Program, name: &str) -> Option<MethodId> {
    let class = program.class(program.class_named(name)?);
    let method = program.declared_method(class.id, "<init>", "()V")?;
    let is_open = class.access.is_public()
        && !class.access.is_abstract()
        && program.method(method).access.is_public()
        && class.outer.is_none();
    is_open.then_some(method)
}

/// The types as which a variable is used; none where nobody uses it, or in a way that says too little.
fn wanted(program: &Program, sequence: &Sequence, variable: Variable) -> Option<Vec<Type>> {
    let class_type = |class| Type::Object(program.class(class).name.clone());
    let mut wanted = Vec::new();
    for statement in sequence.statements() {
        if !statement.uses().contains(&variable) {
            continue;
        }
        match statement {
            Statement::Call {
                method,
                receiver,
                arguments,
            } => {
                let called = program.method(*method);
                if *receiver == Some(variable) {
                    wanted.push(class_type(called.class));
                }
                let parameters = called.method_type.parameters.iter().zip(arguments);
                let given = parameters.filter(|(_, argument)| **argument == variable);
                wanted.extend(given.map(|(parameter, _)| parameter.clone()));
            }
            Statement::NewArray { element, .. } => wanted.push(element.clone()),
            _ => return None,
        }
    }
    (!wanted.is_empty()).then_some(wanted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Script, object, subject};
    use palus_sequence::Observation;

    const STACK: (&str, &str) = (
        "demo/Stack.java",
        "package demo; import java.util.*; public class Stack {
          public Stack() { } public Stack(int size) { }
          public void push(Object item) { }
          public void fill(Map<String, String> from) { }
          public static Stack wrap(Stack inner) { return inner; }
          public static Map<String, String> map(Stack of) { return null; }
        }",
    );

    /// Per replaceable statement, last first: the ways, each as its calls and values.
    fn ways_of(write: impl Fn(&mut Script<'_>)) -> Vec<String> {
        let subject = subject(&[STACK]);
        let mut script = subject.script();
        write(&mut script);
        let program = &subject.program;
        let sequence = script.run().sequence;
        let short = |statement: &Statement| match statement {
            Statement::Value(Value::Text(text)) => format!("\"{text}\""),
            Statement::Call {
                method, arguments, ..
            } => {
                let method = program.method(*method);
                let class = program.class(method.class).name.rsplit('/').next().unwrap();
                let name = if method.is_constructor() {
                    "new"
                } else {
                    &*method.name
                };
                format!("{class}.{name}/{}", arguments.len())
            }
            other => format!("{other:?}"),
        };
        let text = |sequence: &Sequence| {
            let statements = sequence.statements().iter();
            statements.map(short).collect::<Vec<_>>().join(" ")
        };
        let mut rows = Vec::new();
        for index in replaceable(program, &sequence, 1) {
            rows.extend(ways(program, &sequence, index).iter().map(text));
            rows.push("-".to_owned());
        }
        rows
    }

    #[test]
    fn what_may_be_any_object_becomes_a_text_first() {
        let rows = ways_of(|script| {
            let stack = script.construct("demo/Stack", "()V", &[]);
            let inner = script.construct("demo/Stack", "()V", &[]);
            let wrap = "demo/Stack.wrap(Ldemo/Stack;)Ldemo/Stack;";
            let item = script.call(wrap, None, &[inner], object("demo/Stack"));
            let push = "demo/Stack.push(Ljava/lang/Object;)V";
            script.call(push, Some(stack), &[item], Observation::Nothing);
        });
        let expected = [
            "Stack.new/0 \"a\" Stack.push/1",
            "Stack.new/0 ArrayList.new/0 Stack.push/1",
            "Stack.new/0 HashMap.new/0 Stack.push/1",
            "Stack.new/0 HashSet.new/0 Stack.push/1",
            "-",
            "-",
            "-",
        ];
        assert_eq!(rows, expected);
    }

    #[test]
    fn a_receiver_stays_and_a_map_becomes_one_of_the_jdks() {
        let rows = ways_of(|script| {
            let size = script.int(8);
            let stack = script.construct("demo/Stack", "(I)V", &[size]);
            let map = "demo/Stack.map(Ldemo/Stack;)Ljava/util/Map;";
            let from = script.call(map, None, &[stack], object("java/util/HashMap"));
            let fill = "demo/Stack.fill(Ljava/util/Map;)V";
            script.call(fill, Some(stack), &[from], Observation::Nothing);
        });
        assert_eq!(
            rows,
            [
                "Value(Int(8)) Stack.new/1 HashMap.new/0 Stack.fill/1",
                "-",
                "-",
            ]
        );
    }

    #[test]
    fn what_is_as_simple_as_can_be_stays() {
        let rows = ways_of(|script| {
            let stack = script.construct("demo/Stack", "()V", &[]);
            let list = script.construct("java/util/ArrayList", "()V", &[]);
            let push = "demo/Stack.push(Ljava/lang/Object;)V";
            script.call(push, Some(stack), &[list], Observation::Nothing);
        });
        assert_eq!(rows, ["-"]);
    }
}
