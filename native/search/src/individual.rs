//! A sequence that was run, as the search keeps it.
//!
//! Comes in: what the run showed. Goes out: how near it came, and what decided targets in it.
//! Does not know: other individuals.

use crate::fitness::Fitness;
use crate::target::TargetId;
use palus_sequence::{Comparison, Sequence};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A sequence that was run.
#[derive(Clone, Debug)]
pub(crate) struct Individual {
    pub sequence: Arc<Sequence>,
    pub fitness: Fitness,
    /// What decided targets that were open then, ascending by target.
    pub comparisons: Arc<[(TargetId, Comparison)]>,
    /// Targets whose comparisons have been fed back.
    pub fed: BTreeSet<TargetId>,
    /// True if the clock, the fuel or a guard ended it.
    pub is_cut: bool,
}

impl Individual {
    /// The comparisons that decided a target.
    pub fn comparisons(&self, target: TargetId) -> impl Iterator<Item = &Comparison> {
        let from = self
            .comparisons
            .partition_point(|(known, _)| *known < target);
        let own = self.comparisons[from..].iter();
        own.take_while(move |(known, _)| *known == target)
            .map(|(_, comparison)| comparison)
    }
}
