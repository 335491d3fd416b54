//! Which objects of the set-up are written inside the call that they are made for.
//!
//! Comes in: a sequence with its static types. Goes out: per statement, whether it may stand inside the one that it is an
//! argument of. Nothing runs in another order by that, but for what makes values of the JDK, which nobody sees, and the
//! initialiser of a class that is made out of an object, which runs before that is made.
//! Does not know: how long the text of an object is.
//!
//! ```text
//! LocalDate localDate = LocalDate.ofEpochDay(4L);
//! Period period = Period.ofDays(localDate, 7);        Period period = Period.ofDays(LocalDate.ofEpochDay(4L), 7);
//! LoyaltyRule loyaltyRule = new LoyaltyRule();
//! Service service = new Service(loyaltyRule, clock);  Service service = new Service(new LoyaltyRule(), clock);
//! ```

use crate::typing::Typing;
use palus_bytecode::{Method, Origin, Program, Type, TypeSignature};
use palus_sequence::{Sequence, Statement, Value, Variable};

/// Characters of the text of a value that stands inside a call.
pub(super) const LONGEST: usize = 40;
/// Characters of a text that an object is made of which stands inside a call.
const LONGEST_TEXT: usize = 12;

/// What an object may be inside of its call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// Nothing: it has a line and a name of its own.
    None,
    /// A value of the JDK, wherever it is made, as long as it is short.
    Value,
    /// An object that is made right before the call, or before what is made for that.
    Object,
}

/// Finds the parts among the statements before the call that a test is about.
pub(super) fn parts(
    program: &Program,
    sequence: &Sequence,
    typing: &Typing,
    length: usize,
    is_asserted: impl Fn(Variable) -> bool,
) -> Vec<Part> {
    let mut parts = vec![Part::None; sequence.len()];
    let statements = sequence.statements();
    for (user, statement) in statements.iter().enumerate().take(length) {
        let Statement::Call { arguments, .. } = statement else {
            continue;
        };
        let mut objects: Vec<usize> = Vec::new();
        for (position, argument) in arguments.iter().enumerate() {
            let is_as_declared = |index: usize| {
                let casts = &typing.arguments[user];
                casts.get(position).is_none_or(Option::is_none)
                    && is_of_its_type(program, sequence, typing, index)
            };
            let index = argument.index();
            let is_used_more = uses(sequence, *argument) != 1 || is_asserted(*argument);
            if is_used_more || index >= user || !is_as_declared(index) {
                continue;
            }
            if is_value(program, statements, &parts, index) {
                parts[index] = Part::Value;
            } else if user + 1 < length && is_plain(program, statements, index) {
                objects.push(index);
            }
        }
        // What runs between an object and its call must be made for that, too, and stand behind it there.
        let mut next = user;
        for index in objects.into_iter().rev() {
            let between = &parts[index + 1..next];
            let mut between = between.iter().zip(&statements[index + 1..next]);
            let is_next =
                between.all(|(part, statement)| *part != Part::None || is_still(statement));
            if index >= next || !is_next {
                break;
            }
            parts[index] = Part::Object;
            next = index;
        }
    }
    parts
}

fn uses(sequence: &Sequence, variable: Variable) -> usize {
    let statements = sequence.statements().iter();
    let used = statements.flat_map(Statement::uses);
    used.filter(|&used| used == variable).count()
}

/// Whether an expression of it has the type that its variable would have: no other method of the same name is meant.
fn is_of_its_type(program: &Program, sequence: &Sequence, typing: &Typing, index: usize) -> bool {
    let defined = sequence.type_of(program, Variable(index as u32));
    let declared = match &typing.declared[index] {
        TypeSignature::Plain(plain) => plain.clone(),
        TypeSignature::Class {
            name, arguments, ..
        } if arguments.is_empty() => Type::Object(name.clone()),
        _ => return false,
    };
    defined.is_reference() && defined == declared
}

/// Whether it makes a value of the JDK out of constants and such values.
fn is_value(program: &Program, statements: &[Statement], parts: &[Part], index: usize) -> bool {
    let Statement::Call {
        method,
        receiver: None,
        arguments,
    } = &statements[index]
    else {
        return false;
    };
    let is_known =
        |one: &Variable| is_constant(&statements[one.index()]) || parts[one.index()] == Part::Value;
    let method = program.method(*method);
    is_of_values(program, method) && arguments.iter().all(is_known)
}

fn is_of_values(program: &Program, method: &Method) -> bool {
    let class = program.class(method.class);
    let is_known = ["java/time/", "java/math/"]
        .iter()
        .any(|start| class.name.starts_with(start))
        || matches!(
            &*class.name,
            "java/util/Currency" | "java/util/Locale" | "java/util/UUID" | "java/net/URI"
        );
    class.origin == Origin::Platform && is_known
}

/// Whether it makes an object of the subject out of nothing or of one short constant.
fn is_plain(program: &Program, statements: &[Statement], index: usize) -> bool {
    let Statement::Call {
        method, arguments, ..
    } = &statements[index]
    else {
        return false;
    };
    let method = program.method(*method);
    let is_short = |one: &Variable| match &statements[one.index()] {
        Statement::Value(Value::Text(text)) => text.chars().count() <= LONGEST_TEXT,
        statement => is_constant(statement),
    };
    method.is_constructor()
        && program.class(method.class).origin == Origin::Subject
        && arguments.len() <= 1
        && arguments.iter().all(is_short)
}

/// Whether nothing runs there.
fn is_still(statement: &Statement) -> bool {
    matches!(
        statement,
        Statement::Value(_) | Statement::NewArray { .. } | Statement::Stub { .. }
    )
}

fn is_constant(statement: &Statement) -> bool {
    matches!(statement, Statement::Value(_))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{object, subject};
    use crate::typing::type_sequence;

    const SHOP: (&str, &str) = (
        "demo/Shop.java",
        "package demo; public class Shop {
          public Shop(Rule rule, java.util.Locale limit) { }
          public void sell(java.util.Locale price) { }
          public void sell(Object any) { } }
        class Rule { Rule() { } Rule(Shop other) { } }",
    );

    #[test]
    fn values_and_what_is_made_right_before_stand_inside_their_call() {
        let subject = subject(&[SHOP]);
        let mut script = subject.script();
        let rule = script.construct("demo/Rule", "()V", &[]);
        let other = script.construct("demo/Rule", "()V", &[]);
        let text = script.text("de");
        let limit = script.construct("java/util/Locale", "(Ljava/lang/String;)V", &[text]);
        let new = "(Ldemo/Rule;Ljava/util/Locale;)V";
        // Another object is made between `rule` and its call.
        let shop = script.construct("demo/Shop", new, &[rule, limit]);
        let price = script.construct("java/util/Locale", "(Ljava/lang/String;)V", &[text]);
        let second = script.construct("demo/Shop", new, &[other, price]);
        let third = script.construct("demo/Rule", "()V", &[]);
        let last = script.construct("demo/Shop", new, &[third, price]);
        script.void("demo/Shop.sell(Ljava/lang/Object;)V", last, &[limit]);
        script.call(
            "demo/Shop.sell(Ljava/lang/Object;)V",
            Some(second),
            &[shop],
            object("?"),
        );
        let run = script.run();
        let typing = type_sequence(&subject.program, "demo", &run.sequence).unwrap();
        let found = parts(
            &subject.program,
            &run.sequence,
            &typing,
            run.sequence.len(),
            |_| false,
        );
        let named = |wanted: Part| -> Vec<u32> {
            let all = found.iter().zip(0..);
            all.filter(|(part, _)| **part == wanted)
                .map(|(_, index)| index)
                .collect()
        };
        // `limit` and `price` are used twice.
        assert_eq!(named(Part::Value), []);
        assert_eq!(named(Part::Object), [third.0]);
        assert_eq!([rule.0, other.0], [0, 1]);
    }

    #[test]
    fn a_value_stands_there_wherever_it_is_made_and_an_object_in_its_order() {
        let subject = subject(&[SHOP]);
        let mut script = subject.script();
        let text = script.text("de");
        let limit = script.construct("java/util/Locale", "(Ljava/lang/String;)V", &[text]);
        let rule = script.construct("demo/Rule", "()V", &[]);
        let new = "(Ldemo/Rule;Ljava/util/Locale;)V";
        let shop = script.construct("demo/Shop", new, &[rule, limit]);
        let price = script.construct("java/util/Locale", "(Ljava/lang/String;)V", &[text]);
        script.void("demo/Shop.sell(Ljava/util/Locale;)V", shop, &[price]);
        let run = script.run();
        let typing = type_sequence(&subject.program, "demo", &run.sequence).unwrap();
        let of = |asserted: Option<Variable>| {
            let length = run.sequence.len();
            let is_asserted = |one: Variable| Some(one) == asserted;
            parts(
                &subject.program,
                &run.sequence,
                &typing,
                length,
                is_asserted,
            )
        };
        let (value, object, none) = (Part::Value, Part::Object, Part::None);
        assert_eq!(of(None), [none, value, object, none, value, none]);
        let with_name = of(Some(rule));
        assert_eq!(with_name, [none, value, none, none, value, none]);
    }
}
