//! What whole tests called, with the objects they used.

use super::builder::Sample;
use crate::{ArgumentRecord, CarvedTest, CarvedValue, Models};
use expect_test::{Expect, expect};
use std::fmt::Write;

const JAVA: &str = "class Map { Map() {} void add(Object c) {} City first() { return null; } int size() { return 0; } \
      void all(City[] c) {} } \
    class City { City(String name) {} void join(Map m) {} }";
const OBJECTS: &[(&str, &str)] = &[
    ("m", "Map"),
    ("n", "Map"),
    ("c", "City"),
    ("d", "City"),
    ("list", "java/util/ArrayList"),
];

fn learn(traces: &[&str]) -> (Sample, Models) {
    let sample = Sample::new(JAVA, &["Map.size", "Map.first"]);
    let models = sample.learn(OBJECTS, traces);
    (sample, models)
}

fn value(value: &CarvedValue) -> String {
    let seen = |record: &ArgumentRecord| match record {
        ArgumentRecord::Constant(value) => format!("{value:?}"),
        ArgumentRecord::Constrained(constraint) if constraint.is_null => "null".to_owned(),
        ArgumentRecord::Constrained(constraint) => {
            constraint.class.as_deref().unwrap_or("?").to_owned()
        }
        other => format!("{other:?}"),
    };
    match value {
        CarvedValue::Object(number, _) => format!("o{number}"),
        CarvedValue::Array(_, elements) => {
            let elements: Vec<String> = elements.iter().map(self::value).collect();
            format!("[{}]", elements.join(", "))
        }
        CarvedValue::Other(record) => seen(record),
    }
}

fn text(sample: &Sample, tests: &[CarvedTest]) -> String {
    let mut text = String::new();
    for test in tests {
        let ran: Vec<String> = test
            .methods
            .iter()
            .map(|&id| sample.method_name(id))
            .collect();
        writeln!(text, "ran {}", ran.join(", ")).unwrap();
        for call in &test.calls {
            let values: Vec<String> = call.values.iter().map(value).collect();
            let made = call.result.map_or(String::new(), |(object, class)| {
                format!("o{object} {} = ", sample.program.class(class).name)
            });
            let name = sample.method_name(call.method);
            writeln!(text, "  {made}{name}({})", values.join(", ")).unwrap();
        }
    }
    text
}

fn check(traces: &[&str], expected: &Expect) {
    let (sample, models) = learn(traces);
    expected.assert_eq(&text(&sample, models.carved_tests()));
}

#[test]
fn a_test_is_its_own_calls_with_the_objects_it_used() {
    let trace = "@test\nm = new Map()\nc = new City(\"Oslo\")\nc.join(m)\n  m.add(c)\nd = new City(\"Moss\")\n\
                 m.add(d)\nc = m.first()\nm.all([[LCity;{c d})\nm.add(list)\nm.add(null)\n@passed";
    check(
        &[trace],
        &expect![[r#"
            ran City.<init>, City.join, Map.<init>, Map.add, Map.first, Map.all
              o0 Map = Map.<init>()
              o1 City = City.<init>(Text("Oslo"))
              City.join(o1, o0)
              o2 City = City.<init>(Text("Moss"))
              Map.add(o0, o2)
              o1 City = Map.first(o0)
              Map.all(o0, [o1, o2])
              Map.add(o0, java/util/ArrayList)
              Map.add(o0, null)
        "#]],
    );
}

#[test]
fn what_threw_and_what_only_looks_is_left_out_and_failed_tests_altogether() {
    let trace = "@test\nm = new Map()\nm.add(null) !\nm.size()\nm.add(\"x\")\nm.add(c)\n@passed\n\
                 @test\nc = new City(\"a\")\n@failed\nd = new City(\"outside\")";
    check(
        &[trace],
        &expect![[r#"
            ran Map.<init>, Map.add, Map.size
              o0 Map = Map.<init>()
              Map.add(o0, Text("x"))
        "#]],
    );
}

#[test]
fn the_same_test_is_kept_once_and_a_method_is_shown_by_eight() {
    let test = |name: &str| format!("@test\nc = new City(\"{name}\")\n@passed\n");
    let all: String = (0..20)
        .map(|number| test(&format!("c{}", number / 2)))
        .collect();
    let (_, models) = learn(&[&all]);
    assert_eq!(models.carved_tests().len(), 8);
    let (_, models) = learn(&[&test("a").repeat(5)]);
    assert_eq!(models.carved_tests().len(), 1);
    let more = "@test\nc = new City(\"new\")\nm = new Map()\n@passed";
    let (_, models) = learn(&[&all, more]);
    assert_eq!(
        models.carved_tests().len(),
        9,
        "a method that was not shown"
    );
}

#[test]
fn a_long_test_keeps_its_first_hundred_calls() {
    let calls = "m.add(null)\n".repeat(300);
    let trace = format!("@test\nm = new Map()\n{calls}c = new City(\"late\")\n@passed");
    let (sample, models) = learn(&[&trace]);
    let [test] = models.carved_tests() else {
        panic!()
    };
    assert_eq!(test.calls.len(), CarvedTest::MAXIMUM_CALLS);
    let ran: Vec<String> = test
        .methods
        .iter()
        .map(|&id| sample.method_name(id))
        .collect();
    assert_eq!(ran, ["Map.<init>", "Map.add"]);
}

#[test]
fn calls_in_other_threads_and_outside_of_tests_are_nobodys() {
    let trace = "m = new Map()\n@test\nc = new City(\"a\")\nd = new City(\"b\") #1\n@passed";
    check(
        &[trace],
        &expect![[r#"
            ran City.<init>
              o0 City = City.<init>(Text("a"))
        "#]],
    );
}
