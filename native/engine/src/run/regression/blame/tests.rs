//! Lines of tests, and the methods that they are about.

use super::*;
use crate::Settings;
use palus_fixture::compile;
use std::collections::BTreeSet;

const SHOP: &[(&str, &str)] = &[
    (
        "shop/Rates.java",
        "package shop;
public class Rates {
  public int fee(int a) { return a; }
  public static int low() { return 1; }
  public java.util.List<String> names() { return null; }
  public Rates next() { return this; }
  public void join(int a, Rates other) { other.low(); }
  public String label() { return null; }
  public Entry entry(int a) { return new Entry(); }
  public static class Entry { public boolean isFull() { return true; } public int size() { return 1; } }
}",
    ),
    (
        "shop/Till.java",
        "package shop;
public class Till extends Base {
  public Till(Rates rates) {}
  public void pay(int a) {}
}
class Base { public int count() { return 1; } }",
    ),
    (
        "other/Pool.java",
        "package other; public class Pool { public static int size() { return 1; } }",
    ),
];

/// What gave the null that the last of these lines fails with.
fn gave(lines: &[&str], null: &Null<'_>) -> Option<String> {
    let compiled = compile(SHOP);
    let settings = Settings {
        classes_directories: vec![compiled.dir.clone()],
        ..Settings::partial(&[]).unwrap()
    };
    let classes = Classes::new(&settings);
    let text = format!(
        "package shop;\nclass TillPalusTest {{\n  @Test\n  void pay() {{\n    {}\n  }}\n}}\n",
        lines.join("\n    ")
    );
    let last = 4 + u32::try_from(lines.len()).unwrap();
    let found = Blame::new(&text, &classes).of_null((3, last + 1), last, null)?;
    Some(format!("{}#{}", found.class, found.method))
}

#[test]
fn a_null_is_of_the_method_that_gave_it() {
    let rates = "Rates rates = new Rates();";
    let next = "Rates next = rates.next();";
    for (lines, null, expected) in [
        (
            vec![rates, next, "Till till = new Till(next);"],
            Null::Held("rates"),
            Some("shop.Rates#next"),
        ),
        (
            vec![rates, next, "rates.join(1, (Rates) next);"],
            Null::Held("other"),
            Some("shop.Rates#next"),
        ),
        (
            vec![rates, next, "rates.join(1, (Rates) next);"],
            Null::Held("<parameter2>"),
            Some("shop.Rates#next"),
        ),
        (
            vec![rates, "assertEquals(1, rates.join(1, rates.next()));"],
            Null::Held("other"),
            Some("shop.Rates#next"),
        ),
        (
            vec![rates, next, "assertEquals(5, next.fee(200));"],
            Null::Held("<local2>"),
            Some("shop.Rates#next"),
        ),
        // What a constructor made, or the test itself, is no null of a method.
        (
            vec![rates, "Till till = new Till(rates);"],
            Null::Held("rates"),
            None,
        ),
        (
            vec![rates, "rates.join(1, null);"],
            Null::Held("other"),
            None,
        ),
        // A name that no parameter has is one of the code under test.
        (
            vec![rates, next, "rates.join(1, next);"],
            Null::Held("this.base"),
            None,
        ),
        (
            vec![rates, "rates.fee(1);"],
            Null::Returned("shop.Rates", "names"),
            Some("shop.Rates#names"),
        ),
        (
            vec![rates, "rates.fee(1);"],
            Null::Returned("java.util.Map", "get"),
            None,
        ),
    ] {
        assert_eq!(
            gave(&lines, &null).as_deref(),
            expected,
            "{lines:?} {null:?}"
        );
    }
}

#[test]
fn of_several_calls_the_one_counts_that_differs_or_has_the_name_of_the_test() {
    let compiled = compile(SHOP);
    let settings = Settings {
        classes_directories: vec![compiled.dir.clone()],
        ..Settings::partial(&[]).unwrap()
    };
    let of = |lines: &[&str], name: &str, differing: Option<&str>| {
        let files = differing.map(|file| BTreeSet::from([file.to_owned()]));
        let classes = Classes::new(&settings).with_differing(files);
        let text = format!(
            "package shop;\nclass TillPalusTest {{\n  @Test\n  void {name}_isOne() {{\n    {}\n  }}\n}}\n",
            lines.join("\n    ")
        );
        let last = 4 + u32::try_from(lines.len()).unwrap();
        let found = Blame::new(&text, &classes).of_several((3, last + 1), last, name)?;
        Some(format!("{}#{}", found.class, found.method))
    };
    let full = ["assertTrue(rates.entry(1).isFull());"];
    let full: Vec<&str> = ["Rates rates = new Rates();"]
        .into_iter()
        .chain(full)
        .collect();
    let entry = Some("shop.Rates#entry".to_owned());
    assert_eq!(of(&full, "entry", None), entry);
    let is_full = Some("shop.Rates$Entry#isFull".to_owned());
    assert_eq!(of(&full, "isFull", None), is_full);
    assert_eq!(of(&full, "entry", Some("shop/Rates$Entry.class")), is_full);
    assert_eq!(of(&full, "isFull", Some("shop/Rates.class")), entry);
    // By way of a variable, and of what is expected.
    let lines = [
        "Rates rates = new Rates();",
        "Rates.Entry entry = rates.entry(2);",
        "assertEquals(Rates.low(), entry.size());",
    ];
    assert_eq!(of(&lines, "entry", None), entry);
    assert_eq!(of(&lines, "low", None).as_deref(), Some("shop.Rates#low"));
    assert_eq!(of(&lines, "pay", None), None);
    // The constructor gave nothing of it, whatever the test is called.
    assert_eq!(of(&lines, "newRates", Some("shop/Rates.class")), entry);
    assert_eq!(of(&lines, "newRates", None), None);
    let made = Some("shop.Rates#Rates".to_owned());
    assert_eq!(of(&["assertNotNull(new Rates());"], "newRates", None), made);
}

/// What each asserting line of a test with these lines is about.
fn blamed(lines: &[&str]) -> Option<String> {
    let compiled = compile(SHOP);
    let settings = Settings {
        classes_directories: vec![compiled.dir.clone()],
        ..Settings::partial(&[]).unwrap()
    };
    let classes = Classes::new(&settings);
    let head =
        "package shop;\nimport other.Pool;\nclass TillPalusTest {\n  @Test\n  void pay_isOne() {\n";
    let text = format!("{head}    {}\n  }}\n}}\n", lines.join("\n    "));
    let last = 5 + u32::try_from(lines.len()).unwrap();
    let found = Blame::new(&text, &classes).of((4, last + 1), last)?;
    Some(format!("{}#{}", found.class, found.method))
}

#[test]
#[expect(clippy::too_many_lines, reason = "one row per form of a line")]
fn the_method_is_the_one_that_the_line_asserts() {
    let rates = "Rates rates = new Rates();";
    let till = "Till till = new Till(rates);";
    for (lines, expected) in [
        (
            vec![rates, "assertEquals(5, rates.fee(200));"],
            "shop.Rates#fee",
        ),
        (
            vec![
                rates,
                till,
                "till.pay(1);",
                "assertEquals(LocalDate.of(1, 2), rates.label());",
            ],
            "shop.Rates#label",
        ),
        (
            vec![rates, "int fee = rates.fee(200);", "assertEquals(5, fee);"],
            "shop.Rates#fee",
        ),
        (
            vec![
                rates,
                "final int fee;",
                "fee = rates.fee(2);",
                "rates.label();",
                "assertEquals(5, fee);",
            ],
            "shop.Rates#fee",
        ),
        (
            vec![
                "Rates.Entry entry = new Rates.Entry();",
                "assertTrue(entry.isFull());",
            ],
            "shop.Rates$Entry#isFull",
        ),
        (
            vec![rates, till, "assertThrows(X.class, () -> till.pay(1));"],
            "shop.Till#pay",
        ),
        (
            vec![
                rates,
                till,
                "X e = assertThrows(X.class, () -> till.pay(1));",
                "assertEquals(\"a(\", e.getMessage());",
            ],
            "shop.Till#pay",
        ),
        (
            vec![
                rates,
                till,
                "try {",
                "  till.pay(1);",
                "  fail(\"none; thrown\");",
            ],
            "shop.Till#pay",
        ),
        (
            vec![
                rates,
                till,
                "try {",
                "  till.pay(1);",
                "  fail(\"none\");",
                "} catch (X e) {",
                "assertEquals(\"a\", e.getMessage());",
            ],
            "shop.Till#pay",
        ),
        (
            vec![rates, "assertEquals(\"a, b\", rates.next().label());"],
            "shop.Rates#label",
        ),
        (
            vec![rates, "assertEquals(2, rates.names().size());"],
            "shop.Rates#names",
        ),
        (
            vec![
                rates,
                "List<String> names = rates.names();",
                "assertTrue(names.isEmpty());",
            ],
            "shop.Rates#names",
        ),
        (
            vec![
                rates,
                "Object object = rates;",
                "assertEquals(1, ((Rates) object).fee(1));",
            ],
            "shop.Rates#fee",
        ),
        (
            vec![
                rates,
                "var next = rates.next();",
                "assertEquals(1.0, next.fee(1), 0.1);",
            ],
            "shop.Rates#fee",
        ),
        (vec!["assertEquals(1, Pool.size());"], "other.Pool#size"),
        (vec!["assertEquals(1, Rates.low());"], "shop.Rates#low"),
        (vec!["assertEquals(1, shop.Rates.low());"], "shop.Rates#low"),
        (
            vec![rates, till, "assertEquals(1, till.count());"],
            "shop.Till#count",
        ),
        (
            vec![
                rates,
                "assertArrayEquals(new String[] {\"a\"}, rates.names().toArray());",
            ],
            "shop.Rates#names",
        ),
        (
            vec![rates, "assertTrue(rates.label().compareTo(\"a\") < 0);"],
            "shop.Rates#label",
        ),
        (vec![rates, till], "shop.Till#Till"),
        (vec![rates, till, "till.pay(1);"], "shop.Till#pay"),
    ] {
        assert_eq!(blamed(&lines).as_deref(), Some(expected), "{lines:?}");
    }
}

#[test]
fn what_a_stub_was_called_with_is_of_the_call_that_the_test_is_named_after() {
    let compiled = compile(SHOP);
    let settings = Settings {
        classes_directories: vec![compiled.dir.clone()],
        ..Settings::partial(&[]).unwrap()
    };
    let classes = Classes::new(&settings);
    let size = "assertEquals(1, calls.size())";
    let call = "assertEquals(Arrays.asList(1, new Rates()), calls.get(0))";
    for (act, asked) in [
        ("till.pay(1);", size),
        ("assertEquals(3, till.pay(1));", size),
        ("till.pay(1);", call),
    ] {
        let text = format!(
            "package shop;
class RatesPalusTest {{
  @Test
  void pay_completes() {{
    ArrayList<Object> calls = new ArrayList<>();
    Rates rates = new Rates();
    Till till = new Till(rates);
    {act}
    assertEquals(1, rates.fee(1));
    {asked};
  }}
}}
"
        );
        let blame = Blame::new(&text, &classes);
        assert_eq!(blame.of((3, 11), 10), None);
        let found = blame.called((3, 11), 10, "pay").expect(act);
        assert_eq!(found.class, "shop.Till");
        assert_eq!(blame.called((3, 11), 10, "gone"), None);
    }
}

#[test]
fn what_the_class_does_not_have_is_not_named() {
    for lines in [
        vec![
            "Rates rates = new Rates();",
            "assertEquals(5, rates.gross(200));",
        ],
        vec!["Gone gone = null;", "assertEquals(5, gone.fee(200));"],
        vec!["int five = 5;", "assertEquals(5, five);"],
        vec!["assertEquals(5, 6);"],
    ] {
        assert_eq!(blamed(&lines), None, "{lines:?}");
    }
}

#[test]
fn lines_that_are_no_java_or_have_no_end_are_about_nothing() {
    let (open, deep) = ("(".repeat(3_000), "gone(".repeat(3_000));
    let chain = format!("gone{};", ".next()".repeat(3_000));
    let caught = "pay(() -> { fail(); });";
    for line in [
        "(", "(é", &open, &deep, &chain, ")(", "[é]", "new (", caught,
    ] {
        // Each of the lines before may be what this one is about.
        let mut lines = vec![caught; 40];
        lines.extend(vec!["fail(\"no\");"; 40]);
        lines.push(line);
        assert_eq!(blamed(&lines), None, "{line:.20}");
    }
}
