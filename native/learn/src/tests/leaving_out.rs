//! What must not become part of a model, and that it is counted.

use super::builder::Sample;
use crate::{ArgumentRecord, Dropped, Models};
use expect_test::expect;
use palus_sequence::Value;

const JAVA: &str = "class Base { Base(int x) {} void init() {} } class A extends Base { A(int x) { super(x); } \
    A() { this(1); } static A make() { return make(2); } private static A make(int x) { return new A(x); } \
    void f() {} void g() {} private void hidden() {} int size() { return 1; } A self() { return this; } }";
const OBJECTS: &[(&str, &str)] = &[("a", "A"), ("b", "A"), ("s", "java/lang/StringBuilder")];

fn sample() -> Sample {
    Sample::new(JAVA, &["A.size"])
}

fn dropped(sample: &Sample, models: &Models) -> Dropped {
    let class = sample.program.class_named("A").unwrap();
    models.statistics().dropped_of(class)
}

fn model(trace: &str) -> String {
    let sample = sample();
    sample.model(&sample.learn(OBJECTS, &[trace]), "A")
}

#[test]
fn a_call_that_threw_leaves_its_nested_calls() {
    let text = model("a = new A(1)\na.f() !\n  a.g()\n    a.f() !\na.g()");
    expect![[r"
        4 nodes, 3 edges
        n0 -> n1 A.<init> [result] {Int(1)} x1
        n1 -> n2 A.g [this] {self} x1
        n2 -> n3 A.g [this] {self} x1
    "]]
    .assert_eq(&text);
}

#[test]
fn a_private_call_leaves_its_nested_calls_and_a_pure_one_takes_them_along() {
    let text = model("a = new A(1)\na.hidden()\n  a.f()\na.size()\n  a.g()\na.f()");
    expect![[r"
        4 nodes, 3 edges
        n0 -> n1 A.<init> [result] {Int(1)} x1
        n1 -> n2 A.f [this] {self} x1
        n2 -> n3 A.f [this] {self} x1
    "]]
    .assert_eq(&text);
}

#[test]
fn constructors_of_superclasses_are_no_creation_and_delegation_is() {
    let text = model("a = new A()\n  a = new A(1)\n    a = new Base(1)\n      a.init()\na.f()");
    expect![[r"
        3 nodes, 3 edges
        n0 -> n1 A.<init> [result] {} x1
        n0 -> n1 A.<init> [result] (alternative) {Int(1)} x1
        n1 -> n2 A.f [this] {self} x1
    "]]
    .assert_eq(&text);
}

#[test]
fn calls_a_constructor_makes_on_its_own_object_are_no_path() {
    let text = model("a = new A(1)\n  a.f()\n  a.g()\na.g()");
    expect![[r"
        3 nodes, 2 edges
        n0 -> n1 A.<init> [result] {Int(1)} x1
        n1 -> n2 A.g [this] {self} x1
    "]]
    .assert_eq(&text);
}

#[test]
fn a_private_factory_is_passed_over() {
    let text = model("a = A.make()\n  a = A.make(2)\n    a = new A(2)");
    expect![[r"
        2 nodes, 2 edges
        n0 -> n1 A.make [result] {} x1
        n0 -> n1 A.<init> [result] (alternative) {Int(2)} x1
    "]]
    .assert_eq(&text);
}

#[test]
fn handing_out_a_known_object_is_no_creation() {
    let text = model("a = new A(1)\na = a.self()");
    expect![[r"
        3 nodes, 2 edges
        n0 -> n1 A.<init> [result] {Int(1)} x1
        n1 -> n2 A.self [this] {self} x1
    "]]
    .assert_eq(&text);
}

#[test]
fn an_object_whose_creation_was_not_seen_is_counted_and_left_out() {
    let sample = sample();
    let models = sample.learn(OBJECTS, &["a.f()\na.g()\nb = new A(1)"]);
    assert_eq!(dropped(&sample, &models).unseen_creation, 1);
    assert_eq!(models.statistics().histories, 1);
    assert_eq!(sample.model(&models, "A").lines().count(), 2);
}

#[test]
fn objects_of_a_failed_test_are_left_out() {
    let sample = sample();
    let trace = "@test\na = new A(1)\na.f()\n@failed\n@test\nb = new A(2)\n@passed";
    let models = sample.learn(OBJECTS, &[trace]);
    expect![[r"
        2 nodes, 1 edges
        n0 -> n1 A.<init> [result] {Int(2)} x1
    "]]
    .assert_eq(&sample.model(&models, "A"));
    let statistics = models.statistics();
    assert_eq!((statistics.tests, statistics.failed_tests), (2, 1));
    assert_eq!(dropped(&sample, &models).failed_test, 1);
}

#[test]
fn objects_the_agent_stopped_recording_are_left_out() {
    let sample = sample();
    let models = sample.learn(
        OBJECTS,
        &["a = new A(1)\n@capped a\na.f()\n@capped b\nb = new A(2)"],
    );
    assert_eq!(sample.model(&models, "A"), "none");
    assert_eq!(dropped(&sample, &models).capped, 2);
}

#[test]
fn a_call_of_another_thread_is_not_nested() {
    let text = model("a = new A(1)\na.f()\n  a.g() #1\n");
    assert!(!text.contains("alternative"), "{text}");
    assert!(text.starts_with("4 nodes, 3 edges"), "{text}");
}

#[test]
fn a_history_too_long_keeps_its_beginning() {
    let mut trace = "a = new A(1)\n".to_string();
    trace.push_str(&"a.f()\n".repeat(5000));
    let text = model(&trace);
    assert!(
        text.starts_with("2001 nodes, 2000 edges"),
        "{}",
        text.lines().next().unwrap()
    );
}

#[test]
fn too_many_nested_calls_are_no_path() {
    let mut trace = "a = new A(1)\na.f()\n".to_string();
    trace.push_str(&"  a.g()\n".repeat(5000));
    trace.push_str("a.g()\n");
    expect![[r"
        4 nodes, 3 edges
        n0 -> n1 A.<init> [result] {Int(1)} x1
        n1 -> n2 A.f [this] {self} x1
        n2 -> n3 A.g [this] {self} x1
    "]]
    .assert_eq(&model(&trace));
}

#[test]
fn a_method_the_program_does_not_have_is_passed_over_and_counted() {
    let sample = sample();
    let other = Sample::new("class A { A(int x) {} void f() {} void gone() {} }", &[]);
    let file = other.file(OBJECTS, "a = new A(1)\na.gone()\n  a.f()\n");
    let models = sample.learn_files(&[file]);
    assert_eq!(models.statistics().unknown_calls, 1);
    assert!(sample.model(&models, "A").starts_with("3 nodes, 2 edges"));
}

#[test]
fn a_file_cut_short_gives_what_it_holds() {
    let sample = sample();
    let file = sample.file(OBJECTS, "a = new A(1)\na.f()\n");
    let whole = sample.learn_files(std::slice::from_ref(&file));
    assert_eq!(whole.statistics().truncated_files, 0);
    let models = sample.learn_files(&[file[..file.len() - 1].to_vec()]);
    assert_eq!(models.statistics().truncated_files, 1);
}

#[test]
fn no_more_than_a_thousand_distinct_calls_stand_on_an_edge() {
    let sample = sample();
    // Each file numbers its objects anew, so the same name is another object.
    let files: Vec<_> = (0..1500)
        .map(|number| sample.file(OBJECTS, &format!("a = new A({number})")))
        .collect();
    let models = sample.learn_files(&files);
    let model = models.iter().next().unwrap();
    assert_eq!(model.edges()[0].observations.len(), 1000);
    assert_eq!((model.edges()[0].count, model.objects()), (1500, 1500));
}

#[test]
fn objects_beyond_twenty_thousand_of_a_class_are_counted_and_take_no_part() {
    use palus_wire::trace::{TraceEvent, TraceValue, TraceWriter};
    let sample = sample();
    let index = |name: &str| {
        let mut methods = sample.program.methods().iter();
        let found = methods
            .find(|m| sample.method_name(m.id) == name && m.method_type.parameters.len() < 2);
        found.unwrap().id.0
    };
    let (create, f) = (index("A.<init>"), index("A.f"));
    let mut writer = TraceWriter::new(1, 1 << 16, sample.methods());
    let object = |id: u64| TraceValue::Object {
        id,
        class: "A".into(),
        profile: None,
    };
    // The last is called again and capped; neither makes it anything else than one too many.
    for id in (1..=20_005).chain([20_005]) {
        for (method, receiver, result) in [
            (create, None, Some(object(id))),
            (f, Some(object(id)), None),
        ] {
            writer.event(&TraceEvent::Enter {
                thread: 0,
                method,
                receiver,
                arguments: vec![TraceValue::Int(id as i32); usize::from(method == create)],
            });
            writer.event(&TraceEvent::Exit { thread: 0, result });
        }
    }
    writer.event(&TraceEvent::Capped {
        objects: vec![20_005],
    });
    let models = sample.learn_files(&[writer.finish()]);
    let statistics = models.statistics();
    assert_eq!(statistics.histories, 20_000);
    let too_many = Dropped {
        too_many: 5,
        ..Dropped::default()
    };
    assert_eq!(dropped(&sample, &models), too_many);
    let model = models.iter().next().unwrap();
    assert_eq!(model.edges()[0].count, 20_000);
    // Sixteen thousand distinct numbers are more than a method may bring along; the calls are counted still.
    assert_eq!(model.edges()[0].observations.len(), 1000);
}

#[test]
fn static_calls_without_an_object_are_kept_beside_the_models() {
    let java = "class U { static int parse(String text, int radix) { return 1; } static A make(int x) { return new A(); } \
         static int size(A a) { return 1; } private static void hidden(int x) {} static int of(int x) { return x; } } class A {}";
    let sample = Sample::new(java, &["U.of"]);
    let trace = "U.parse(\"1a\", 16)\n  U.hidden(3)\nU.parse(\"1a\", 16)\nU.parse(\"z\", 36)\nU.parse(\"no\", 2) !\n\
         a = U.make(5)\n  a = new A()\nU.size(a)\nU.of(4)";
    let models = sample.learn(&[("a", "A")], &[trace]);
    let seen = |name: &str| {
        let owner = sample.program.class_named("U").unwrap();
        let methods = sample.program.class(owner).methods.iter();
        let named = |id: &&palus_bytecode::MethodId| &*sample.program.method(**id).name == name;
        let seen = models.static_calls(
            *methods
                .copied()
                .collect::<Vec<_>>()
                .iter()
                .find(named)
                .unwrap(),
        );
        seen.iter()
            .map(|seen| (seen.arguments.clone(), seen.count))
            .collect::<Vec<_>>()
    };
    let text = |text: &str| ArgumentRecord::Constant(Value::Text(text.into()));
    let number = |number| ArgumentRecord::Constant(Value::Int(number));
    let parsed = [
        (vec![text("1a"), number(16)], 2),
        (vec![text("z"), number(36)], 1),
    ];
    assert_eq!(seen("parse"), parsed);
    // A pure one has no part in any history, but what it was called with is worth knowing.
    assert_eq!(seen("of"), [(vec![number(4)], 1)]);
    // These are in the history of the object.
    assert!(seen("make").is_empty() && seen("size").is_empty());
    assert!(seen("hidden").is_empty());
}
