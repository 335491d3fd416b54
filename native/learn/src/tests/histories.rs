//! The ways of traced objects through the merged model.

use super::builder::Sample;
use crate::{EdgeId, Models, SampleHistory};
use expect_test::expect;
use std::fmt::Write;

const JAVA: &str =
    "class A { A(int x) {} void f() {} void g(String s) {} static A make() { return new A(0); } }";
const OBJECTS: &[(&str, &str)] = &[("a", "A"), ("b", "A"), ("c", "A"), ("d", "A")];

fn sample() -> Sample {
    Sample::new(JAVA, &[])
}

fn histories(models: &Models) -> &[SampleHistory] {
    models.iter().next().unwrap().sample_histories()
}

/// A line per history, a word per call: `edge.observation`.
fn text(models: &Models) -> String {
    let mut text = String::new();
    for history in histories(models) {
        write!(text, "x{}:", history.count).unwrap();
        for (edge, observation) in &history.steps {
            write!(text, " {}.{observation}", edge.0).unwrap();
        }
        text.push('\n');
    }
    text
}

#[test]
fn objects_that_went_the_same_way_are_counted_together() {
    let trace = "a = new A(1)\na.f()\nb = new A(2)\nb.f()\nc = new A(1)\nc.f()\nd = new A(1)";
    let models = sample().learn(OBJECTS, &[trace]);
    expect![[r"
        x2: 0.0 1.0
        x1: 0.1 1.0
        x1: 0.0
    "]]
    .assert_eq(&text(&models));
}

#[test]
fn each_step_names_the_outermost_call_and_what_was_seen_there() {
    let trace = "a = A.make()\n  a = new A(0)\na.g(\"one\")\n  a.f()\na.g(\"two\")";
    let models = sample().learn(OBJECTS, &[trace]);
    let model = models.iter().next().unwrap();
    let [history] = histories(&models) else {
        panic!()
    };
    let mut node = crate::NodeId::ROOT;
    for &(edge, observation) in &history.steps {
        let edge = model.edge(edge);
        assert_eq!(edge.source, node);
        assert!(edge.observations.get(observation as usize).is_some());
        node = edge.target;
    }
    let names = history.steps.iter().map(|&(edge, _)| {
        let edge = model.edge(edge);
        sample().method_name(edge.method)
    });
    assert_eq!(names.collect::<Vec<_>>(), ["A.make", "A.g", "A.g"]);
}

#[test]
fn histories_stand_in_the_order_of_first_appearance_over_all_files() {
    let models = sample().learn(
        OBJECTS,
        &["a = new A(2)", "a = new A(1)\na.f()", "b = new A(2)"],
    );
    expect![[r"
        x2: 0.0
        x1: 0.1 1.0
    "]]
    .assert_eq(&text(&models));
}

#[test]
fn a_long_history_is_cut_and_counts_with_its_like() {
    let long = |calls: usize| format!("a = new A(1)\n{}", "a.f()\n".repeat(calls));
    let models = sample().learn(OBJECTS, &[&long(59), &long(60), &long(500)]);
    let [history] = histories(&models) else {
        panic!("{}", text(&models))
    };
    assert_eq!(history.steps.len(), SampleHistory::MAXIMUM_STEPS);
    assert_eq!((history.steps[0], history.count), ((EdgeId(0), 0), 3));
}

#[test]
fn a_history_ends_before_a_call_that_was_not_kept() {
    // All go the same way, but the calls nested in `f` fill the edge beside it, which the last object takes.
    let nested = (0..1000).map(|x| format!("a = new A(1)\na.f()\n  a.g(\"{x}\")"));
    let mut traces: Vec<_> = nested.collect();
    traces.push("a = new A(1)\na.g(\"late\")\na.f()".to_string());
    traces.push("a = new A(1)\na.g(\"7\")\na.f()".to_string());
    let traces: Vec<_> = traces.iter().map(String::as_str).collect();
    let models = sample().learn(OBJECTS, &traces);
    expect![[r"
        x1000: 0.0 1.0
        x1: 0.0
        x1: 0.0 2.7 3.0
    "]]
    .assert_eq(&text(&models));
}

#[test]
fn histories_known_before_the_list_was_full_are_counted_on() {
    let traces: Vec<_> = (0..600)
        .map(|x| format!("a = new A({})", x % 300))
        .collect();
    let traces: Vec<_> = traces.iter().map(String::as_str).collect();
    let models = sample().learn(OBJECTS, &traces);
    assert!(histories(&models).iter().all(|history| history.count == 2));
    assert_eq!(histories(&models).len(), 256);
}
