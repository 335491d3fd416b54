//! Objects for a template that the trace's models lead to.
//!
//! Comes in: the type of an input, and the fields of it that the branch depends on. Goes out: the steps by which a run led
//! an object to a node of its model; nodes on whose way a method sets one of these fields come before others, and each
//! node is as likely as any other, so that the states that tests brought about are tried in turn.
//! Beyond Lin, Ong, Sun, Fraser, Dong (ESEC/FSE 2021), whose objects are made at random and then set.
//! Does not know: how ways were found (`guided.rs`).

use super::Synthesis;
use crate::draft::{Draft, Snippet};
use palus_analyze::{NodeId, NodeKind, SetterKind};
use palus_bytecode::{MethodId, Type};
use palus_sequence::Statement;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Inputs that stand in a traced state, where there is one, in percent.
const TRACED: usize = 30;
/// Ways to one node that are looked at.
const LOOKED_AT: usize = 8;
/// Ways that are drawn where one is needed, of which the shortest is taken.
const DRAWN_FOR_ONE: usize = 3;

impl Synthesis<'_, '_, '_> {
    /// An input: now and then in a traced state, else made.
    pub fn input(&mut self, wanted: &Type, input: NodeId) -> Option<usize> {
        if self.guided.is_some()
            && wanted.is_reference()
            && self.maker.rng().percent(TRACED)
            && let Some(made) = self.traced(wanted, input)
        {
            return Some(made);
        }
        self.value(wanted, 0)
    }

    /// An object of the type at a drawn node of its model.
    fn traced(&mut self, wanted: &Type, input: NodeId) -> Option<usize> {
        let guided = self.guided?;
        let setting = self.setting(input);
        let mut all: Vec<Vec<&Arc<Snippet>>> = Vec::new();
        let mut set: Vec<Vec<&Arc<Snippet>>> = Vec::new();
        for (class, ways) in guided.ways() {
            if !self.program.is_assignable(&self.class_type(class), wanted) {
                continue;
            }
            let ways: Vec<&Arc<Snippet>> = ways.iter().take(LOOKED_AT).collect();
            let sets = |way: &&Arc<Snippet>| calls_one_of(way, &setting);
            let setting: Vec<&Arc<Snippet>> = ways.iter().copied().filter(sets).collect();
            if !setting.is_empty() {
                set.push(setting);
            }
            if !ways.is_empty() {
                all.push(ways);
            }
        }
        let nodes = if set.is_empty() { all } else { set };
        let rng = self.maker.rng();
        let ways = rng.pick(&nodes)?;
        let drawn = (0..DRAWN_FOR_ONE).filter_map(|_| rng.pick(ways));
        let way = drawn.min_by_key(|way| way.statements.len())?;
        let mut draft = Draft::default();
        let made = draft.append(way)?;
        let step = self.import(draft, made);
        self.standing.insert(step);
        Some(step)
    }

    /// Methods of the input that set what the branch depends on.
    fn setting(&mut self, input: NodeId) -> BTreeSet<MethodId> {
        let mut found = BTreeSet::new();
        for &child in &self.graph.node(input).children {
            if let NodeKind::Field(field) = self.graph.node(child).kind {
                let class = self.program.field(field).class;
                let setters = self.setters.setters(class, field);
                let setters = setters.iter();
                let setters = setters.filter(|setter| setter.kind == SetterKind::Method);
                found.extend(setters.map(|setter| setter.method));
            }
        }
        found
    }
}

/// True if a way calls one of some methods on the object that it leads to its node.
fn calls_one_of(way: &Snippet, methods: &BTreeSet<MethodId>) -> bool {
    way.statements.iter().any(|statement| {
        matches!(statement, Statement::Call { method, receiver, .. }
            if *receiver == Some(way.result) && methods.contains(method))
    })
}
