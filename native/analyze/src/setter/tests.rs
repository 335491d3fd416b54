//! The paper's figure, and setters of other shapes.

use super::*;
use crate::fixture::{method, program};

/// Setters of a field as `method kind effect stored score`.
fn setters(java: &str, class: &str, field: &str) -> Vec<String> {
    let program = program(&[("All.java", java)]);
    let class = program.class_named(class).unwrap();
    let field = program.find_field(class, field).unwrap();
    let found = Setters::new(&program, "").setters(class, field);
    let line = |setter: &Setter| {
        let name = &program.method(setter.method).name;
        let stored = setter
            .stored
            .map_or("-".to_owned(), |stored| stored.to_string());
        format!(
            "{name} {:?} {:?} {stored} {:.4}",
            setter.kind, setter.effect, setter.score
        )
    };
    found.iter().map(line).collect()
}

#[test]
fn scores_are_those_of_the_figure() {
    let java = "class B { int f; int getF() { return f; } } class A { B b; B getB() { return b; } } \
        class F { private int f; public void m1(A a, B b) { if (a != null) m2(a); m3(b); } \
        public void m2(A a) { m3(a.getB()); } public void m3(B b) { this.f = b.getF(); } \
        public void m4() { this.f = 7; } }";
    assert_eq!(
        setters(java, "F", "f"),
        [
            "m1 Method Stores - 1.0000",
            "m2 Method Stores - 1.0000",
            "m3 Method Stores - 1.0000",
            "m4 Method Stores - 0.0000"
        ]
    );
    let program = program(&[("All.java", java)]);
    let class = program.class_named("F").unwrap();
    let field = program.find_field(class, "f").unwrap();
    let ways = Setters::new(&program, "").ways(class, field, method(&program, "F.m1"));
    let scores: Vec<String> = ways
        .iter()
        .map(|way| format!("{} {:.4}", way.methods, way.score()))
        .collect();
    assert_eq!(scores, ["3 0.8333", "2 1.0000"]);
}

#[test]
fn constructors_come_first_and_factories_reach_fields_without_a_setter() {
    assert_eq!(
        setters(
            "class P { private final int x; private int y; private P(int x) { this.x = x; } \
             static P of(int a, int b) { P p = new P(b); p.y = a; return p; } }",
            "P",
            "x"
        ),
        ["of Factory Stores 1 1.0000"]
    );
    assert_eq!(
        setters(
            "class P { private int x; P(int x) { this.x = x; } P() { this(3); } void setX(int x) { this.x = x; } }",
            "P",
            "x"
        ),
        [
            "<init> Constructor Stores 0 1.0000",
            "<init> Constructor Stores - 0.0000",
            "setX Method Stores 0 1.0000"
        ]
    );
}

#[test]
fn what_adds_to_a_collection_or_array_fills_the_field() {
    assert_eq!(
        setters(
            "import java.util.*; class Basket { private final List<String> items = new ArrayList<>(); \
             private int[] counts = new int[9]; void put(String item) { items.add(item); } \
             void count(int at, int n) { counts[at] = n; } }",
            "Basket",
            "items"
        ),
        [
            "<init> Constructor Stores - 0.0000",
            "put Method Fills 0 1.0000"
        ]
    );
    assert_eq!(
        setters(
            "class Basket { private int[] counts = new int[9]; void count(int at, int n) { counts[at] = n; } }",
            "Basket",
            "counts"
        ),
        [
            "<init> Constructor Stores - 0.0000",
            "count Method Fills 1 1.0000"
        ]
    );
}

#[test]
fn a_collection_of_the_program_itself_is_filled_by_what_stores_whatever_its_name() {
    assert_eq!(
        setters(
            "class Bag { private Object[] held = new Object[4]; private int n; void grow(Object o) { held[n++] = o; } \
             void stow(Object o) { grow(o); } int count(Object o) { return n; } } \
             class A { private final Bag bag = new Bag(); void take(int unused, String s) { bag.stow(s); } \
             int ask(String s) { return bag.count(s); } }",
            "A",
            "bag"
        ),
        [
            "<init> Constructor Stores - 0.0000",
            "take Method Fills 1 1.0000"
        ]
    );
}

#[test]
fn a_setter_of_the_superclass_and_a_static_one_are_found() {
    assert_eq!(
        setters(
            "class Base { private int n; void setN(int n) { this.n = n; } } class Sub extends Base {}",
            "Sub",
            "n"
        ),
        ["setN Method Stores 0 1.0000"]
    );
    assert_eq!(
        setters(
            "class S { private static int n; static void setN(int v) { n = v; } void other() {} }",
            "S",
            "n"
        ),
        ["setN Method Stores 0 1.0000"]
    );
}

#[test]
fn getters_give_the_field_themselves_or_through_another() {
    let java = "class A { private B b; B getB() { return inner(); } private B inner() { return b; } B make() { return new B(); } } class B {}";
    let program = program(&[("All.java", java)]);
    let class = program.class_named("A").unwrap();
    let field = program.find_field(class, "b").unwrap();
    let found = Setters::new(&program, "").getters(class, field);
    let names: Vec<_> = found.iter().map(|getter| getter.method).collect();
    assert_eq!(names, [method(&program, "A.getB")]);
}
