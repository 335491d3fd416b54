//! The rule of merging, written down once more as simply as it can be, against the model that is built fast.

use super::builder::Sample;
use crate::{CallSequenceModel, EdgeKind};
use proptest::prelude::*;
use std::fmt::Write;
use std::sync::OnceLock;

const METHODS: [&str; 3] = ["f", "g", "h"];

fn sample() -> &'static Sample {
    static SAMPLE: OnceLock<Sample> = OnceLock::new();
    let java = "class Q { Q() {} void f() {} void g() {} void h() {} }";
    SAMPLE.get_or_init(|| Sample::new(java, &[]))
}

/// A call of a made-up trace: its depth, and what is called.
type Line = (usize, usize);

/// A call and what is nested in it.
struct Call {
    method: usize,
    children: Vec<Call>,
}

/// Calls at most one level deeper than the one before, as text and as a tree.
fn read(object: usize, lines: &[Line], text: &mut String) -> Vec<Call> {
    fn place(calls: &mut Vec<Call>, depth: usize) -> &mut Vec<Call> {
        if depth == 0 {
            return calls;
        }
        let last = calls.last_mut().expect("a call around it");
        place(&mut last.children, depth - 1)
    }
    let mut calls = Vec::new();
    let mut deepest = 0;
    writeln!(text, "o{object} = new Q()").unwrap();
    for &(depth, method) in lines {
        let depth = depth.min(deepest);
        deepest = depth + 1;
        let indent = "  ".repeat(depth);
        writeln!(text, "{indent}o{object}.{}()", METHODS[method]).unwrap();
        place(&mut calls, depth).push(Call {
            method,
            children: Vec::new(),
        });
    }
    calls
}

/// Source, target, method (none for the constructor), and whether it is a main edge.
type Edge = (usize, usize, Option<usize>, bool);

struct Model {
    nodes: usize,
    edges: Vec<Edge>,
}

impl Model {
    fn insert(&mut self, calls: &[Call]) {
        let mut current = self.step(0, None);
        for call in calls {
            let target = self.step(current, Some(call.method));
            self.beside(&kept(call, &[]), current, &[target], &[call.method]);
            current = target;
        }
    }

    /// Edges of a method out of a node, main ones first, then the oldest.
    fn leaving(&self, node: usize, method: Option<usize>) -> Vec<Edge> {
        let edges = self.edges.iter().copied();
        let mut found: Vec<Edge> = edges
            .filter(|edge| (edge.0, edge.2) == (node, method))
            .collect();
        found.sort_by_key(|edge| !edge.3);
        found
    }

    fn step(&mut self, from: usize, method: Option<usize>) -> usize {
        if let Some(edge) = self.leaving(from, method).first() {
            return edge.1;
        }
        self.nodes += 1;
        self.edges.push((from, self.nodes, method, true));
        self.nodes
    }

    /// Nested calls as a path to the last of the ends, beside the calls `around` it, whose own ends come before.
    fn beside(&mut self, calls: &[&Call], source: usize, ends: &[usize], around: &[usize]) {
        let target = ends[ends.len() - 1];
        let mut current = source;
        for (index, call) in calls.iter().enumerate() {
            let leaving = self.leaving(current, Some(call.method));
            let is_last = index + 1 == calls.len();
            let known = leaving.iter().find(|edge| {
                let is_circle = || ends.iter().any(|&end| self.leads(end, edge.1));
                if is_last {
                    edge.1 == target
                } else {
                    !is_circle()
                }
            });
            let next = known.map_or_else(
                || {
                    self.nodes += usize::from(!is_last);
                    let next = if is_last { target } else { self.nodes };
                    self.edges.push((current, next, Some(call.method), false));
                    next
                },
                |edge| edge.1,
            );
            let inside: Vec<usize> = around.iter().copied().chain([call.method]).collect();
            let mut ends_inside = ends.to_vec();
            if !is_last {
                ends_inside.push(next);
            }
            self.beside(&kept(call, around), current, &ends_inside, &inside);
            current = next;
        }
    }

    fn leads(&self, from: usize, to: usize) -> bool {
        let edges = self.edges.iter().filter(|edge| edge.0 == from);
        from == to || edges.into_iter().any(|edge| self.leads(edge.1, to))
    }
}

/// Nested calls that stay: a call that is nested in its like twice has no more of them.
fn kept<'a>(call: &'a Call, around: &[usize]) -> Vec<&'a Call> {
    let is_repeated = around.contains(&call.method);
    let children = call.children.iter();
    children
        .filter(|child| !(is_repeated && child.method == call.method))
        .collect()
}

fn edges(model: &CallSequenceModel) -> Vec<Edge> {
    let method = |name: &str| METHODS.iter().position(|&known| name.ends_with(known));
    let edge = |edge: &crate::CallEdge| {
        (
            edge.source.index(),
            edge.target.index(),
            method(&sample().method_name(edge.method)),
            edge.kind == EdgeKind::Main,
        )
    };
    model.edges().iter().map(edge).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn models_are_those_of_the_rule(
        objects in prop::collection::vec(prop::collection::vec((0..3usize, 0..3usize), 0..14), 1..8)
    ) {
        let names: Vec<String> = (0..objects.len()).map(|object| format!("o{object}")).collect();
        let classes: Vec<(&str, &str)> = names.iter().map(|name| (&**name, "Q")).collect();
        let mut trace = String::new();
        let mut expected = Model { nodes: 0, edges: Vec::new() };
        for (object, lines) in objects.iter().enumerate() {
            expected.insert(&read(object, lines, &mut trace));
        }
        let models = sample().learn(&classes, &[&trace]);
        let class = sample().program.class_named("Q").unwrap();
        prop_assert_eq!(edges(models.get(class).unwrap()), expected.edges, "{}", trace);
    }
}
