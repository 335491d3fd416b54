//! The text of single tests.

use crate::testing::{Script, Subject, int, object, subject};
use crate::{Assertion, Expected, Style, Test, TestClass, TestFramework, print};
use expect_test::{Expect, expect};
use palus_sequence::{Observation, Run, Value, Variable};

pub(super) const ROAD_MAP: &[(&str, &str)] = &[
    (
        "demo/RoadMap.java",
        "package demo;
        import java.util.*;
        public class RoadMap {
          private Hashtable<City, Set<City>> cities;
          public static RoadMap genMap() { RoadMap m = new RoadMap(); m.init(); return m; }
          public void init() { cities = new Hashtable<City, Set<City>>(); }
          public void addCity(City c) { cities.put(c, new HashSet<City>()); }
          public int size() { return cities.size(); }
          public boolean isEmpty() { return cities.isEmpty(); }
          public int numNeighbors(City c) { return cities.get(c).size(); }
        }",
    ),
    (
        "demo/City.java",
        "package demo;
        public class City {
          private RoadMap map;  private String name;
          public City(String name) { this.name = name; }
          public void setMap(RoadMap m) { this.map = m; }
          public String getName() { return name; }
          public int numNeighbors() { return map.numNeighbors(this); }
        }",
    ),
];

pub(super) fn style(framework: TestFramework, language_level: u32) -> Style {
    Style { framework, language_level, max_tests_per_class: 60 }
}

pub(super) fn test_class(subject: &Subject, class: &str, tests: Vec<Test>) -> TestClass {
    let id = subject.class(class);
    let simple = class.rsplit('/').next().expect("a name").replace('$', "");
    let package = subject.program.package(id).replace('/', ".");
    TestClass { subject: id, package, name: format!("{simple}PalusTest"), tests }
}

pub(super) fn equal(statement: Variable, value: Value) -> Assertion {
    Assertion { statement: statement.0, expected: Expected::Equal(value) }
}

pub(super) fn test(name: &str, run: Run, assertions: Vec<Assertion>) -> Test {
    Test { name: name.into(), run, assertions }
}

fn check(style: &Style, subject: &Subject, class: &str, tests: Vec<Test>, expected: &Expect) {
    let source = print(&subject.program, &test_class(subject, class, tests), style);
    let lines: Vec<&str> = source.text.lines().collect();
    for &(first, last) in &source.lines {
        assert_eq!(lines[first as usize - 1].trim(), "@Test");
        assert_eq!(lines[last as usize - 1], "  }");
    }
    expected.assert_eq(&source.text);
}

fn new_map<'a>(subject: &'a Subject) -> (Script<'a>, Variable) {
    let mut script = subject.script();
    let map = script.new("demo/RoadMap", "()V", &[]);
    script.void("demo/RoadMap.init()V", map, &[]);
    (script, map)
}

#[test]
fn calls_come_first_then_one_assertion_per_observer() {
    let subject = subject(ROAD_MAP);
    let (mut script, map) = new_map(&subject);
    let name = script.text("Seattle");
    let city = script.new("demo/City", "(Ljava/lang/String;)V", &[name]);
    script.void("demo/City.setMap(Ldemo/RoadMap;)V", city, &[map]);
    script.void("demo/RoadMap.addCity(Ldemo/City;)V", map, &[city]);
    let neighbors = script.call("demo/City.numNeighbors()I", Some(city), &[], int(0));
    let asked = script.call("demo/RoadMap.numNeighbors(Ldemo/City;)I", Some(map), &[city], int(0));
    let empty = script.call(
        "demo/RoadMap.isEmpty()Z",
        Some(map),
        &[],
        Observation::Value { value: Value::Boolean(false), boxed: false },
    );
    let assertions =
        vec![equal(neighbors, Value::Int(0)), equal(asked, Value::Int(0)), equal(empty, Value::Boolean(false))];
    check(
        &style(TestFramework::Jupiter, 11),
        &subject,
        "demo/RoadMap",
        vec![test("numNeighbors_afterAddCity_isZero", script.run(), assertions)],
        &expect![[]],
    );
}

#[test]
fn an_exception_is_expected_by_a_lambda_where_both_language_and_library_know_how() {
    let subject = subject(ROAD_MAP);
    let mut script = subject.script();
    let map = script.new("demo/RoadMap", "()V", &[]);
    let city = script.null("Ldemo/City;");
    script.void("demo/RoadMap.addCity(Ldemo/City;)V", map, &[city]);
    let tests = || {
        vec![test("addCity_withNull_throwsNullPointer", script.threw("java/lang/NullPointerException"), Vec::new())]
    };
    check(&style(TestFramework::Junit4, 8), &subject, "demo/RoadMap", tests(), &expect![[]]);
    check(&style(TestFramework::Junit4, 7), &subject, "demo/RoadMap", tests(), &expect![[]]);
}

#[test]
fn a_result_is_bound_only_where_it_is_used_again() {
    let subject = subject(ROAD_MAP);
    let mut script = subject.script();
    let map = script.call("demo/RoadMap.genMap()Ldemo/RoadMap;", None, &[], object("demo/RoadMap"));
    script.call("demo/RoadMap.genMap()Ldemo/RoadMap;", None, &[], object("demo/RoadMap"));
    let text = script.text("a\n\"b\" \\ \u{e9}\u{1}7");
    let city = script.new("demo/City", "(Ljava/lang/String;)V", &[text]);
    let second = script.new("demo/City", "(Ljava/lang/String;)V", &[text]);
    script.void("demo/RoadMap.addCity(Ldemo/City;)V", map, &[city]);
    script.void("demo/RoadMap.addCity(Ldemo/City;)V", map, &[second]);
    let name = script.call("demo/City.getName()Ljava/lang/String;", Some(second), &[], Observation::Null);
    let size = script.call("demo/RoadMap.size()I", Some(map), &[], int(2));
    let assertions = vec![
        Assertion { statement: name.0, expected: Expected::Equal(Value::Text("a\n\"b\" \\ \u{e9}\u{1}7".into())) },
        equal(size, Value::Int(2)),
    ];
    check(
        &style(TestFramework::Junit4Early, 7),
        &subject,
        "demo/City",
        vec![test("size_afterAddCityAndAddCity_isTwo", script.run(), assertions)],
        &expect![[]],
    );
}
