//! What making objects on demand remembers: the shortest ways to nodes, and what was made for the current candidate.
//!
//! Comes in: models, objects made. Goes out: the history to follow to a node, and what to file.
//! Does not know: how the calls of a history are made (`provide.rs`).

use crate::draft::Reach;
use palus_learn::{CallSequenceModel, NodeId};
use std::collections::BTreeMap;

/// Objects made for objects made for objects: no deeper.
const DEEPEST: usize = 4;
/// Longer ways are not gone.
const LONGEST: usize = 24;

/// Per node: the shortest beginning of a history that leads there, as its number and calls.
type Ways = BTreeMap<NodeId, (usize, usize)>;

/// What making objects on demand needs to remember.
#[derive(Debug, Default)]
pub(crate) struct Provider {
    /// Per number of a model, where it was asked for.
    ways: BTreeMap<usize, Ways>,
    depth: usize,
    /// Objects made for the current candidate.
    reaches: Vec<Reach>,
}

impl Provider {
    /// The shortest beginning of a history that leads to a node: number of the history, and calls.
    pub fn way(
        &mut self,
        number: usize,
        model: &CallSequenceModel,
        node: NodeId,
    ) -> Option<(usize, usize)> {
        let ways = self.ways.entry(number).or_insert_with(|| ways_of(model));
        ways.get(&node).copied()
    }

    /// True where no object is made for those that are being made.
    pub fn is_deep(&self) -> bool {
        self.depth >= DEEPEST
    }

    /// An object is about to be made.
    pub fn descend(&mut self) {
        self.depth += 1;
    }

    /// It was, or could not be.
    pub fn ascend(&mut self) {
        self.depth -= 1;
    }

    /// An object was made.
    pub fn made(&mut self, reach: Reach) {
        self.reaches.push(reach);
    }

    /// What was made after this many statements is gone.
    pub fn forget_after(&mut self, length: usize) {
        self.reaches.retain(|reach| reach.length <= length);
    }

    /// Objects made since this was last asked.
    pub fn take_reaches(&mut self) -> Vec<Reach> {
        std::mem::take(&mut self.reaches)
    }
}

fn ways_of(model: &CallSequenceModel) -> Ways {
    let mut ways = Ways::new();
    for (number, history) in model.sample_histories().iter().enumerate() {
        for (place, &(edge, _)) in history.steps.iter().enumerate().take(LONGEST) {
            let way = ways
                .entry(model.edge(edge).target)
                .or_insert((number, place + 1));
            if place + 1 < way.1 {
                *way = (number, place + 1);
            }
        }
    }
    ways
}
