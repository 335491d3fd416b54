//! Merged models: the vectors of the paper's rule, and what merging must keep.

use super::builder::Sample;
use super::road_map;
use crate::{
    ArgumentRecord, CallEdge, CallSequenceModel, EdgeKind, Models, NodeId, Position, Role,
    SampleHistory,
};
use expect_test::expect;
use palus_bytecode::MethodId;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::sync::OnceLock;

const SMALL: &str = "class Q { Q(int x) {} void f() {} void g(Object o) {} void h(String s) {} } \
    class L { void add(int x) {} }";

fn small() -> &'static Sample {
    static SAMPLE: OnceLock<Sample> = OnceLock::new();
    SAMPLE.get_or_init(|| Sample::new(SMALL, &[]))
}

fn learn(trace: &str) -> Models {
    small().learn(&[("q", "Q"), ("r", "Q"), ("l", "L"), ("k", "L")], &[trace])
}

#[test]
fn a_chain_of_five_calls_turns_in_a_circle() {
    let models = learn("l = new L()\nl.add(1)\nl.add(2)\nl.add(3)\nl.add(1)\nl.add(5)");
    expect![[r"
        5 nodes, 5 edges
        n0 -> n1 L.<init> [result] {} x1
        n1 -> n1 L.add [this] {self, Int(1)} x1 {self, Int(2)} x1
        n1 -> n2 L.add [this] {self, Int(3)} x1
        n2 -> n3 L.add [this] {self, Int(1)} x1
        n3 -> n4 L.add [this] {self, Int(5)} x1
    "]]
    .assert_eq(&small().model(&models.k_tailed(3), "L"));
}

#[test]
fn the_ends_of_the_city_model_become_one_and_all_edges_stay() {
    let sample = Sample::new(road_map::JAVA, road_map::PURE);
    let models = sample
        .learn(road_map::OBJECTS, &[road_map::RUN])
        .k_tailed(3);
    expect![[r#"
        5 nodes, 7 edges
        n0 -> n1 City.<init> [result] {"Portland"} x1 {"Seattle"} x1
        n1 -> n2 City.setMap [this] {self, _} x2
        n2 -> n3 RoadMap.addCity [argument 0] {_, self} x2
        n3 -> n4 City.addRoad [this] {self, _} x1
        n3 -> n4 RoadMap.addRoad [argument 0] (alternative) {_, self, _} x1
        n3 -> n4 City.addRoad [argument 0] {_, self} x1
        n3 -> n4 RoadMap.addRoad [argument 1] (alternative) {_, _, self} x1
    "#]]
    .assert_eq(&sample.model(&models, "City"));
}

#[test]
fn nothing_merges_in_the_map_model() {
    let sample = Sample::new(road_map::JAVA, road_map::PURE);
    let models = sample.learn(road_map::OBJECTS, &[road_map::RUN]);
    let small = models.k_tailed(3);
    assert_eq!(
        sample.model(&small, "RoadMap"),
        sample.model(&models, "RoadMap")
    );
    assert!(
        sample
            .model(&small, "RoadMap")
            .starts_with("8 nodes, 8 edges")
    );
}

#[test]
fn states_of_arguments_follow_the_nodes_of_all_models() {
    // `l` is used at n3 and at n6.
    let trace = "l = new L()\nl.add(1)\nl.add(1)\nq = new Q(1)\nq.g(l)\nl.add(1)\nl.add(1)\nr = new Q(1)\nr.g(l)\n\
                 l.add(1)";
    let models = learn(trace);
    let (class, _) = states(&models)[0];
    assert_eq!(states(&models), [(class, NodeId(3)), (class, NodeId(6))]);
    assert_eq!(states(&models.k_tailed(0)), [(class, NodeId(1))]);
    let merged = models.k_tailed(1);
    // From n3 and n6 only `g` can follow, from others only `add`.
    assert_eq!(states(&merged), [(class, NodeId(2))]);
    let from: Vec<_> = merged
        .state_dependences()
        .iter()
        .map(|found| found.from)
        .collect();
    assert!(from.contains(&(class, NodeId(2))), "{from:?}");
    assert!(from.iter().all(|(_, node)| node.0 < 4), "{from:?}");
}

/// The states of the argument of `Q.g`.
fn states(models: &Models) -> Vec<(palus_bytecode::ClassId, NodeId)> {
    let model = models
        .get(small().program.class_named("Q").unwrap())
        .unwrap();
    let edge = model
        .edges()
        .iter()
        .find(|edge| edge.roles == [Role::This])
        .unwrap();
    let record = edge.observations[0].at(Position::Argument(0));
    let Some(ArgumentRecord::Constrained(constraint)) = record else {
        panic!("{record:?}")
    };
    constraint.dep_states.clone()
}

#[test]
fn a_long_chain_needs_no_deep_stack_and_any_k_ends() {
    let trace = format!("l = new L()\n{}", "l.add(1)\n".repeat(3000));
    let models = learn(&trace);
    let class = small().program.class_named("L").unwrap();
    let nodes = |models: &Models| models.get(class).unwrap().node_count();
    assert_eq!(nodes(&models), 2001);
    assert_eq!(nodes(&models.k_tailed(u32::MAX)), 2001);
    assert_eq!(nodes(&models.k_tailed(5)), 7);
    assert_eq!(nodes(&models.k_tailed(0)), 2);
    // A model that has a circle already.
    assert_eq!(nodes(&models.k_tailed(5).k_tailed(u32::MAX)), 7);
}

#[test]
fn histories_that_became_equal_are_counted_together() {
    let models = learn("q = new Q(1)\nq.f()\nr = new Q(1)\nr.g(null)\nr.f()\nr.f()\n");
    let text = |models: &Models| {
        let model = models.iter().next().unwrap();
        let line = |history: &SampleHistory| format!("{:?} x{}", history.steps, history.count);
        model
            .sample_histories()
            .iter()
            .map(line)
            .collect::<Vec<_>>()
    };
    assert_eq!(text(&models).len(), 2);
    assert_eq!(text(&models.k_tailed(0)).len(), 2);
    let same = "q = new Q(1)\nq.f()\nq.f()\nr = new Q(1)\n  r = new Q(2)\nr.f()\nr.f()";
    assert_eq!(text(&learn(same)), text(&learn(same).k_tailed(9)));
}

/// One call of a made-up trace: the object, what is called with what, and whether it is nested in the call before.
type Call = (usize, u8, u8, bool);

fn trace(calls: &[Call]) -> String {
    let mut text = String::new();
    let mut depth = 0;
    for object in 0..4 {
        writeln!(text, "o{object} = new Q({})", object % 2).unwrap();
    }
    for &(object, method, argument, is_nested) in calls {
        depth = if is_nested { (depth + 1).min(3) } else { 0 };
        let call = match method {
            0 => "f()".to_string(),
            1 => format!("g(o{argument})"),
            _ => format!("h(\"{argument}\")"),
        };
        writeln!(text, "{}o{object}.{call}", "  ".repeat(depth)).unwrap();
    }
    text
}

fn calls() -> impl Strategy<Value = Vec<Call>> {
    let call = (0..4usize, 0..3u8, 0..3u8, prop::bool::weighted(0.3));
    prop::collection::vec(call, 0..30)
}

/// All sequences of at most k calls that leave a node, found by going every way.
fn tails(model: &CallSequenceModel, node: NodeId, k: u32) -> BTreeSet<Vec<(MethodId, &[Role])>> {
    let mut found = BTreeSet::from([Vec::new()]);
    if k > 0 {
        for &edge in model.outgoing(node) {
            let edge = model.edge(edge);
            for rest in tails(model, edge.target, k - 1) {
                let first = (edge.method, edge.roles.as_slice());
                found.insert(std::iter::once(first).chain(rest).collect());
            }
        }
    }
    found
}

/// The node of the merged model for each node, read off the edges from the root on.
fn image(model: &CallSequenceModel, k: u32) -> Vec<usize> {
    let sets: Vec<_> = (0..model.node_count() as u32)
        .map(|node| tails(model, NodeId(node), k))
        .collect();
    let mut blocks: Vec<usize> = vec![0];
    for node in 1..sets.len() {
        let same = (1..node).find(|&other| sets[other] == sets[node]);
        let fresh = blocks.iter().max().unwrap() + 1;
        blocks.push(same.map_or(fresh, |other| blocks[other]));
    }
    blocks
}

fn observed(edges: &[CallEdge]) -> u64 {
    let counts = edges.iter().flat_map(|edge| &edge.observations);
    counts.map(|observation| u64::from(observation.count)).sum()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn exactly_the_nodes_with_equal_tails_become_one(calls in calls(), k in 0..6u32) {
        let objects: &[(&str, &str)] = &[("o0", "Q"), ("o1", "Q"), ("o2", "Q"), ("o3", "Q")];
        let models = small().learn(objects, &[&trace(&calls)]);
        let model = models.iter().next().unwrap();
        let merged = models.k_tailed(k);
        let merged = merged.iter().next().unwrap();
        let image = image(model, k);
        prop_assert_eq!(merged.node_count(), image.iter().max().unwrap() + 1);
        // Each edge is there with its counts, and no other.
        let mut expected: BTreeMap<_, (u64, bool)> = BTreeMap::new();
        for edge in model.edges() {
            let ends = (image[edge.source.index()], image[edge.target.index()]);
            let entry = expected.entry((ends, edge.method, edge.roles.clone())).or_default();
            entry.0 += edge.count;
            entry.1 |= edge.kind == EdgeKind::Main;
        }
        prop_assert_eq!(merged.edges().len(), expected.len());
        for edge in merged.edges() {
            let ends = (edge.source.index(), edge.target.index());
            let (count, is_main) = expected[&(ends, edge.method, edge.roles.clone())];
            prop_assert_eq!((edge.count, edge.kind == EdgeKind::Main), (count, is_main));
            prop_assert!(merged.outgoing(edge.source).contains(&edge.id));
            let distinct: BTreeSet<_> = edge.observations.iter()
                .map(|observation| format!("{:?} {:?}", observation.receiver, observation.arguments))
                .collect();
            prop_assert_eq!(distinct.len(), edge.observations.len());
        }
        prop_assert_eq!(observed(merged.edges()), observed(model.edges()));
        // Histories are paths of the merged model, and none is lost.
        let all = |model: &CallSequenceModel| model.sample_histories().iter().map(|h| h.count).sum::<u64>();
        prop_assert_eq!(all(merged), all(model));
        for history in merged.sample_histories() {
            let mut node = NodeId::ROOT;
            for &(edge, observation) in &history.steps {
                let edge = merged.edge(edge);
                prop_assert_eq!(edge.source, node);
                prop_assert!((observation as usize) < edge.observations.len());
                node = edge.target;
            }
        }
    }

    #[test]
    fn with_k_large_enough_only_really_equal_nodes_merge(calls in calls()) {
        let objects: &[(&str, &str)] = &[("o0", "Q"), ("o1", "Q"), ("o2", "Q"), ("o3", "Q")];
        let models = small().learn(objects, &[&trace(&calls)]);
        let model = models.iter().next().unwrap();
        let merged = models.k_tailed(u32::MAX);
        let merged_model = merged.iter().next().unwrap();
        prop_assert_eq!(merged_model.node_count(), image(model, 40).into_iter().max().unwrap() + 1);
        // The same sequences are possible as before, and merging again changes nothing.
        prop_assert_eq!(tails(merged_model, NodeId::ROOT, 40), tails(model, NodeId::ROOT, 40));
        prop_assert_eq!(&merged.k_tailed(u32::MAX), &merged);
    }
}
