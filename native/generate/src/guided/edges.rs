//! What guided generation asks of models again and again.
//!
//! Comes in: models. Goes out: per node the edges that a test can call, per method what was seen of it.
//! Models of much-traced classes have tens of thousands of edges, each unit reads dozens of models, and looks at few of
//! their nodes: so nothing is found before it is asked for.
//! Does not know: what an edge is drawn for.

use crate::maker::Maker;
use crate::rng::Rng;
use palus_bytecode::MethodId;
use palus_learn::{CallEdge, CallSequenceModel, EdgeId, NodeId, Observation};
use std::collections::BTreeMap;

/// The edges of a model that a test can call.
pub(crate) struct Outgoing<'a> {
    model: &'a CallSequenceModel,
    /// Whether a test can call a method, where it was asked.
    is_callable: BTreeMap<MethodId, bool>,
}

impl<'a> Outgoing<'a> {
    /// Those of this model.
    pub fn of(model: &'a CallSequenceModel) -> Self {
        Outgoing {
            model,
            is_callable: BTreeMap::new(),
        }
    }

    /// Those that leave a node and that a test in the generator's package can call.
    pub fn from(&mut self, maker: &Maker<'_>, node: NodeId) -> Vec<EdgeId> {
        let model = self.model;
        let edges = model.outgoing(node).iter().copied();
        edges
            .filter(|&id| {
                let edge = model.edge(id);
                (node == NodeId::ROOT) == edge.is_creation()
                    && *self
                        .is_callable
                        .entry(edge.method)
                        .or_insert_with(|| maker.callable(edge.method, model.class()).is_some())
            })
            .collect()
    }
}

/// Observations of one method, edge by edge.
#[derive(Debug, Default)]
pub(crate) struct Observed<'a> {
    count: usize,
    /// With the number of observations before it.
    edges: Vec<(usize, &'a [Observation])>,
}

impl<'a> Observed<'a> {
    /// Those of these edges.
    pub fn of(edges: impl Iterator<Item = &'a CallEdge>) -> Self {
        let mut observed = Observed::default();
        for edge in edges.filter(|edge| !edge.observations.is_empty()) {
            observed.edges.push((observed.count, &edge.observations));
            observed.count += edge.observations.len();
        }
        observed
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
