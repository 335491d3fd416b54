//! Single rules.

use super::printed::ROAD_MAP;
use crate::cut::without;
use crate::minimize::choose;
use crate::stable::is_stable_text;
use crate::testing::{subject, thrown};
use crate::typing::type_sequence;
use crate::variables::{Scope, lower_camel, of_type};
use palus_bytecode::Type;
use palus_sequence::{Coverage, End, Outcome, Probe, Run, Sequence, Statement, Value, Variable};
use std::collections::BTreeSet;

fn run(statements: u32, probes: &[u32], end: End) -> Run {
    let null = Statement::Value(Value::Null(Type::object("java/lang/Object")));
    let sequence = Sequence::new((0..statements).map(|_| null.clone()).collect());
    let probes = probes
        .iter()
        .map(|&index| Probe { class: 0, index })
        .collect();
    Run {
        sequence,
        outcome: Outcome {
            coverage: Coverage { probes },
            ..Outcome::new(end, Vec::new())
        },
    }
}

fn owned(runs: &[Run]) -> Vec<(usize, Vec<u32>)> {
    choose(runs, &BTreeSet::new(), &|_| true)
        .iter()
        .map(|one| {
            (
                one.run.sequence.len(),
                one.owned.iter().map(|probe| probe.index).collect(),
            )
        })
        .collect()
}

#[test]
fn a_run_is_chosen_for_what_it_adds_per_statement() {
    let runs = [
        run(4, &[1, 2, 3], End::Completed),
        run(9, &[1, 2, 3, 4], End::Completed),
        run(5, &[2, 3], End::Completed),
    ];
    assert_eq!(owned(&runs), [(4, vec![1, 2, 3]), (9, vec![4])]);
}

#[test]
fn an_exception_owns_only_what_ordinary_ends_do_not_touch() {
    let runs = [
        run(2, &[1, 2, 3], thrown(1, "java/lang/IllegalStateException")),
        run(9, &[1, 2], End::Completed),
    ];
    assert_eq!(owned(&runs), [(9, vec![1, 2]), (2, vec![3])]);
}

#[test]
fn removing_a_statement_removes_its_users_and_values_nobody_needs() {
    let text = Statement::Value(Value::Text("a".into()));
    let array = |elements: &[u32]| Statement::NewArray {
        element: Type::object("java/lang/Object"),
        elements: elements.iter().copied().map(Variable).collect(),
    };
    let sequence = Sequence::new(vec![text.clone(), array(&[0]), text.clone(), array(&[2])]);
    let shorter = without(&sequence, BTreeSet::from([0]), 1).expect("the last statement stays");
    assert_eq!(shorter, Sequence::new(vec![text, array(&[0])]));
    assert_eq!(without(&sequence, BTreeSet::from([2]), 1), None);
}

#[test]
fn text_with_hashes_paths_or_great_length_is_not_asserted() {
    for unstable in [
        "a.B@1b28cdfa",
        "[I@6d06d69c",
        "/tmp/x",
        &"x".repeat(201),
        "Foo$$Lambda/0x0001",
    ] {
        assert!(!is_stable_text(unstable), "{unstable}");
    }
    for stable in ["", "ann@example.org", "me@abc", "a\nb", "1@2"] {
        assert!(is_stable_text(stable), "{stable}");
    }
}

#[test]
fn variables_are_named_by_their_type_and_never_by_a_keyword() {
    let subject = subject(ROAD_MAP);
    let named = |descriptor: &str| {
        of_type(
            &subject.program,
            &Type::parse(descriptor).expect("a descriptor"),
        )
    };
    assert_eq!(named("Ldemo/RoadMap;"), "roadMap");
    assert_eq!(named("[Ldemo/City;"), "cities");
    assert_eq!(named("[I"), "ints");
    assert_eq!(lower_camel("URLPattern"), "urlPattern");
    assert_eq!(lower_camel("URL"), "url");
    assert_eq!(lower_camel("tinySQLDriver"), "tinySQLDriver");
    let mut scope = Scope::default();
    let claimed = ["map", "map", "class", "class", "md5", "md5"].map(|base| scope.claim(base));
    assert_eq!(
        claimed,
        ["map", "map2", "classValue", "classValue2", "md5", "md5_2"]
    );
}

#[test]
fn what_the_package_cannot_name_cannot_be_written() {
    let subject = subject(&[
        (
            "demo/Open.java",
            "package demo; public class Open { Secret make() { return null; } private static class Secret {} }",
        ),
        (
            "demo/Hidden.java",
            "package demo; class Hidden { void call() {} private void no() {} }",
        ),
    ]);
    let writable = |member: &str, class: &str, package: &str| {
        let mut script = subject.script();
        let receiver = script.construct(class, "()V", &[]);
        script.void(member, receiver, &[]);
        type_sequence(&subject.program, package, &script.run().sequence).is_some()
    };
    assert!(writable("demo/Hidden.call()V", "demo/Hidden", "demo"));
    assert!(!writable("demo/Hidden.call()V", "demo/Hidden", "elsewhere"));
    assert!(!writable("demo/Hidden.no()V", "demo/Hidden", "demo"));
    assert!(writable(
        "demo/Open.make()Ldemo/Open$Secret;",
        "demo/Open",
        "demo"
    ));
}

#[test]
fn the_tail_of_a_check_is_never_cut() {
    let value = || Statement::Value(Value::Int(1));
    let array = |element| Statement::NewArray {
        element: Type::Int,
        elements: vec![Variable(element)],
    };
    let sequence = Sequence::new(vec![value(), array(0), array(0)]);
    assert!(without(&sequence, BTreeSet::from([1]), 1).is_some());
    assert_eq!(without(&sequence, BTreeSet::from([1]), 2), None);
}
