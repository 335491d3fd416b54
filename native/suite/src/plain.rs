//! Runs as a person would have written them, where that is the same run.
//!
//! Comes in: a run. Goes out: the same with constants of enums in the place of look-ups by their names, and with one variable
//! for one object: who chains calls on a builder has one builder.
//! Does not know: what the run is there for.
//!
//! ```text
//! status = Status.valueOf("SENT"); order.mark(status)        order.mark(Status.SENT)
//! second = first.name("Ann"); second.build()                 first.name("Ann"); first.build()
//! ```

use palus_bytecode::{Program, Type};
use palus_sequence::{Observation, Run, Sequence, Statement, Value, Variable};
use std::collections::BTreeMap;

/// The run in plain words.
pub(crate) fn in_plain_words(program: &Program, package: &str, mut run: Run) -> Run {
    let observations = &run.outcome.observations;
    let last = run.sequence.len() - 1;
    let mut same: BTreeMap<Variable, Variable> = BTreeMap::new();
    let mut statements = Vec::with_capacity(run.sequence.len());
    for (index, statement) in run.sequence.statements().iter().enumerate() {
        let statement = statement.renamed(|used| same.get(&used).copied().unwrap_or(used));
        let variable = Variable(index as u32);
        let seen = observations.get(index);
        if let Some(Observation::Object {
            same_as: Some(earlier),
            ..
        }) = seen
        {
            let earlier = Variable(*earlier);
            let of_type = |one| run.sequence.type_of(program, one);
            if matches!(statement, Statement::Call { .. }) && of_type(variable) == of_type(earlier)
            {
                same.insert(variable, same.get(&earlier).copied().unwrap_or(earlier));
            }
        }
        let constant = match seen {
            Some(Observation::EnumConstant { class, name }) if index < last => {
                constant(program, package, &statement, class, name)
            }
            _ => None,
        };
        statements.push(constant.unwrap_or(statement));
    }
    run.sequence = Sequence::new(statements);
    run
}

/// The constant that `valueOf` gives.
fn constant(
    program: &Program,
    package: &str,
    statement: &Statement,
    class: &str,
    name: &std::sync::Arc<str>,
) -> Option<Statement> {
    let Statement::Call {
        method,
        receiver: None,
        ..
    } = statement
    else {
        return None;
    };
    let called = program.method(*method);
    let class = program.class_named(class)?;
    let is_look_up = called.class == class
        && program.class(class).access.is_enum()
        && &*called.name == "valueOf"
        && called.method_type.parameters == [Type::object("java/lang/String")];
    (is_look_up && program.is_constant_accessible(class, name, package)).then(|| {
        let name = name.clone();
        Statement::Value(Value::EnumConstant { class, name })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{object, subject};

    const ORDER: (&str, &str) = (
        "demo/Order.java",
        "package demo; public class Order {
          public enum Status { OPEN, SENT }
          public Order name(String name) { return this; }
          public Object self() { return this; }
          public void mark(Status status) { } }",
    );

    #[test]
    fn a_constant_is_named_and_one_object_has_one_variable() {
        let subject = subject(&[ORDER]);
        let program = &subject.program;
        let mut script = subject.script();
        let order = script.construct("demo/Order", "()V", &[]);
        let same = |of: Variable| Observation::Object {
            class: "demo/Order".into(),
            profile: None,
            same_as: Some(of.0),
            content: None,
        };
        let text = script.text("Ann");
        let name = "demo/Order.name(Ljava/lang/String;)Ldemo/Order;";
        let second = script.call(name, Some(order), &[text], same(order));
        let third = script.call(name, Some(second), &[text], same(order));
        let other = script.call(
            "demo/Order.self()Ljava/lang/Object;",
            Some(third),
            &[],
            same(order),
        );
        let sent = script.text("SENT");
        let seen = Observation::EnumConstant {
            class: "demo/Order$Status".into(),
            name: "SENT".into(),
        };
        let value_of = "demo/Order$Status.valueOf(Ljava/lang/String;)Ldemo/Order$Status;";
        let status = script.call(value_of, None, &[sent], seen.clone());
        script.void("demo/Order.mark(Ldemo/Order$Status;)V", third, &[status]);
        script.call(
            "java/lang/Object.equals(Ljava/lang/Object;)Z",
            Some(order),
            &[other],
            object("?"),
        );
        let run = script.run();
        let plain = in_plain_words(program, "demo", run.clone());
        let uses = |index: usize| plain.sequence.statements()[index].uses();
        assert_eq!(uses(third.index()), [order, text]);
        assert_eq!(uses(other.index()), [order]);
        assert_eq!(uses(status.index() + 1), [order, status]);
        // Of another type it is another variable.
        assert_eq!(uses(status.index() + 2), [order, other]);
        let class = subject.class("demo/Order$Status");
        let constant = Value::EnumConstant {
            class,
            name: "SENT".into(),
        };
        assert_eq!(
            plain.sequence.statements()[status.index()],
            Statement::Value(constant)
        );
        assert_eq!(plain.outcome, run.outcome);
        // What the test is about stays.
        let mut script = subject.script();
        let sent = script.text("SENT");
        script.call(value_of, None, &[sent], seen);
        let run = script.run();
        assert_eq!(in_plain_words(program, "demo", run.clone()), run);
    }
}
