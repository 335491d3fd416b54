//! What a test makes to compare a value of the subject with.

use super::printed::{style, test, test_class};
use crate::assertion::{Assertion, Expected, expected, expected_of};
use crate::print;
use crate::scope::Scope;
use crate::testing::{Subject, object, subject};
use palus_analyze::Facts;
use palus_sequence::{Content, Observation, Value};

const SHOP: &[(&str, &str)] = &[
    (
        "demo/Money.java",
        "package demo; public final class Money {
          private final long cents; private final String currency;
          private Money(long cents, String currency) { this.cents = cents; this.currency = currency; }
          public static Money of(long cents, String currency) { return new Money(cents, currency); }
          public static Money eur(long cents) { return new Money(cents, \"EUR\"); }
          public boolean equals(Object other) {
            return other instanceof Money && cents == ((Money) other).cents && currency.equals(((Money) other).currency);
          }
          public int hashCode() { return 1; }
        }",
    ),
    (
        "demo/Line.java",
        "package demo; public class Line {
          private final String name; private final Money price;
          public Line(String name, Money price) { this.name = name; this.price = price; }
          public boolean equals(Object other) {
            return other instanceof Line && name.equals(((Line) other).name) && price.equals(((Line) other).price);
          }
          public int hashCode() { return 1; }
        }",
    ),
    (
        "demo/Label.java",
        "package demo; public class Label {
          private final Object of;
          public Label(String of) { this.of = of; } public Label(Integer of) { this.of = of; }
          public static Label any(java.util.ArrayList<String> of, int at) { return null; }
          public boolean equals(Object other) { return other instanceof Label && of.equals(((Label) other).of); }
          public int hashCode() { return 1; }
        }",
    ),
    (
        "demo/Tag.java",
        "package demo; public class Tag {
          private final int of;
          public Tag(char of) { this.of = of; }
          public boolean equals(Object other) { return other instanceof Tag && of == ((Tag) other).of; }
          public int hashCode() { return 1; }
        }",
    ),
    (
        "demo/Cart.java",
        "package demo; public class Cart {
          public static Object last() { return null; }
        }",
    ),
];

fn value(value: Value) -> Observation {
    let boxed = matches!(value, Value::Text(_));
    Observation::Value { value, boxed }
}

fn holding(class: &str, held: Vec<Observation>) -> Observation {
    let mut seen = object(class);
    if let Observation::Object { content, .. } = &mut seen {
        *content = Some(Content::Elements(held));
    }
    seen
}

fn money(cents: i64, currency: &str) -> Observation {
    let held = vec![
        value(Value::Long(cents)),
        value(Value::Text(currency.into())),
    ];
    holding("demo/Money", held)
}

/// The line that asserts what `Cart.last()` gave.
fn asserted(subject: &Subject, seen: &Observation) -> String {
    let facts = Facts::of(&subject.program);
    let scope = Scope {
        program: &subject.program,
        package: "demo",
        makers: facts.value_makers(),
    };
    let mut script = subject.script();
    let last = script.call(
        "demo/Cart.last()Ljava/lang/Object;",
        None,
        &[],
        seen.clone(),
    );
    let assertion = Assertion {
        statement: last.0,
        expected: expected(scope, seen).expect("something is known"),
    };
    let tests = vec![test("asserts", script.run(), vec![assertion])];
    let source = print(
        &subject.program,
        &test_class(subject, "demo/Cart", tests),
        &style(crate::TestFramework::Jupiter, 8),
    );
    let mut lines = source.text.lines().map(str::trim);
    let line = lines.find(|line| line.starts_with("assert"));
    line.expect("an assertion").to_owned()
}

#[test]
fn a_value_is_compared_with_one_made_by_the_shortest_call() {
    let subject = subject(SHOP);
    let asserted = |seen: &Observation| asserted(&subject, seen);
    assert_eq!(
        asserted(&money(5, "EUR")),
        "assertEquals(Money.eur(5L), Cart.last());"
    );
    assert_eq!(
        asserted(&money(5, "USD")),
        "assertEquals(Money.of(5L, \"USD\"), Cart.last());"
    );
    let line = |name| holding("demo/Line", vec![name, money(5, "EUR")]);
    assert_eq!(
        asserted(&line(value(Value::Text("tea".into())))),
        "assertEquals(new Line(\"tea\", Money.eur(5L)), Cart.last());"
    );
    let list = holding("java/util/ArrayList", vec![money(5, "EUR")]);
    assert_eq!(
        asserted(&list),
        "assertEquals(Arrays.asList(Money.eur(5L)), Cart.last());"
    );
    assert_eq!(
        asserted(&line(Observation::Null)),
        "assertEquals(new Line(null, Money.eur(5L)), Cart.last());"
    );
}

#[test]
fn what_another_overload_may_take_or_a_parameter_cannot_is_not_written() {
    let subject = subject(SHOP);
    let text = value(Value::Text("tea".into()));
    for (class, held) in [("demo/Label", text), ("demo/Tag", value(Value::Int(65)))] {
        let line = asserted(&subject, &holding(class, vec![held]));
        assert_eq!(line, "assertNotNull(Cart.last());", "{class}");
    }
}

#[test]
fn what_a_method_made_is_not_compared_with_what_it_makes() {
    let subject = subject(SHOP);
    let facts = Facts::of(&subject.program);
    let scope = Scope {
        program: &subject.program,
        package: "demo",
        makers: facts.value_makers(),
    };
    let mut script = subject.script();
    let cents = script.value(Value::Long(5));
    let seen = money(5, "EUR");
    let eur = "demo/Money.eur(J)Ldemo/Money;";
    let eur = script.call(eur, None, &[cents], seen.clone());
    let run = script.run();
    let statement = &run.sequence.statements()[eur.index()];
    assert_eq!(
        expected_of(scope, statement, &seen),
        Some(Expected::NotNull)
    );
    let other = expected_of(scope, statement, &money(5, "USD"));
    assert!(matches!(other, Some(Expected::Made(_))), "{other:?}");
}
