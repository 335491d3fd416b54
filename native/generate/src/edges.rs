//! What guided generation asks of models again and again.
//!
//! Comes in: models. Goes out: per node the edges that a test can call, per method what was seen of it.
//! Models of much-traced classes have tens of thousands of edges, and each unit reads dozens of models: both are made in
//! one pass that looks at every method once, not at every edge.
//! Does not know: what an edge is drawn for.

use crate::generator::Generator;
use crate::guided::callable;
use crate::rng::Rng;
use palus_bytecode::MethodId;
use palus_learn::{CallSequenceModel, EdgeId, NodeId, Observation};
use std::collections::BTreeMap;

/// The edges of a model that a test can call, by the node they leave.
pub(crate) struct Outgoing {
    /// Per node: where its edges start in the list; one more than there are nodes.
    starts: Vec<u32>,
    edges: Vec<EdgeId>,
}

impl Outgoing {
    /// Those of the model that a test in the generator's package can call.
    pub fn callable(generator: &Generator<'_>, model: &CallSequenceModel) -> Outgoing {
        // A large model has many edges of few methods.
        let mut known: BTreeMap<MethodId, bool> = BTreeMap::new();
        let mut edges = Vec::with_capacity(model.edges().len());
        let mut starts = Vec::with_capacity(model.node_count() + 1);
        for node in 0..model.node_count() {
            starts.push(edges.len() as u32);
            for &id in model.outgoing(NodeId(node as u32)) {
                let edge = model.edge(id);
                let is_callable = *known
                    .entry(edge.method)
                    .or_insert_with(|| callable(generator, edge.method, model.class()).is_some());
                if is_callable && (node == 0) == edge.is_creation() {
                    edges.push(id);
                }
            }
        }
        starts.push(edges.len() as u32);
        Outgoing { starts, edges }
    }

    /// Those that leave a node.
    pub fn of(&self, node: usize) -> &[EdgeId] {
        &self.edges[self.starts[node] as usize..self.starts[node + 1] as usize]
    }
}

/// Observations of one method, edge by edge.
#[derive(Default)]
pub(crate) struct Observed<'a> {
    count: usize,
    /// With the number of observations before it.
    edges: Vec<(usize, &'a [Observation])>,
}

impl<'a> Observed<'a> {
    pub fn add(&mut self, observations: &'a [Observation]) {
        if !observations.is_empty() {
            self.edges.push((self.count, observations));
            self.count += observations.len();
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.count
    }

    /// One of them, each as likely as any other.
    pub fn pick(&self, rng: &mut Rng) -> Option<&'a Observation> {
        if self.count == 0 {
            return None;
        }
        let drawn = rng.below(self.count);
        let edge = self.edges.partition_point(|(before, _)| *before <= drawn) - 1;
        let (before, observations) = self.edges[edge];
        Some(&observations[drawn - before])
    }
}
