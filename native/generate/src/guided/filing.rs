//! What runs led to nodes: filed for look-up, and to be gone on from.
//!
//! Comes in: candidates with their outcomes, and candidates that ran before. Goes out: the index by state and the
//! sequences that wait at nodes.
//! Zhang, Saff, Bu, Ernst, "Combined Static and Dynamic Automated Test Generation", ISSTA 2011, figure 7, lines 11 and 18.
//! Does not know: how candidates are made.

use super::Guided;
use super::reaching::keep;
use crate::draft::{Candidate, Reach, Snippet, slice};
use crate::kinds::Kind;
use crate::ledger;
use crate::maker::Maker;
use crate::mode::Mode;
use palus_learn::NodeId;
use palus_sequence::{End, Outcome};
use std::collections::btree_map::Entry;
use std::sync::Arc;

/// Sequences kept per node for look-up.
const PER_NODE: usize = 500;
/// Longer ways to a node are not gone on from.
const LONGEST_WAY: usize = 80;
/// Replayed sequences per node that are enough.
const ENOUGH: usize = 12;

impl<'a> Guided<'a> {
    /// Files what a run led to nodes.
    pub fn file(&mut self, maker: &mut Maker<'a>, candidate: &Candidate, outcome: &Outcome) {
        self.replay
            .ended(candidate.replay, outcome.end == End::Completed);
        if !outcome.is_writable() {
            return;
        }
        let ran = if self.mode == Mode::Literal {
            candidate.sequence.len()
        } else {
            outcome.observations.len()
        };
        self.note_how_far(candidate, ran);
        let mut is_filed = false;
        for reach in &candidate.reaches {
            if reach.length > ran || is_void(candidate, reach) {
                continue;
            }
            let is_copied = candidate.replay.is_some() || reach.is_provided;
            if is_copied && self.has_enough(reach.model, reach.node) {
                continue;
            }
            let Some(way) = way(maker, candidate, reach, ran) else {
                continue;
            };
            is_filed |= !reach.is_provided;
            self.wait(maker, reach, &way);
            let state = (self.models[reach.model].class(), NodeId(reach.node as u32));
            let kept = self.by_state.entry(state).or_default();
            keep(kept, maker.rng(), PER_NODE, &way);
        }
        if let (true, Some((place, way))) = (is_filed, &candidate.goes_on_from) {
            self.reaching.used_up(*place, way);
        }
    }

    /// A candidate that was not made before; what it led to nodes if it was is there to be gone on from again.
    pub fn new_or_filed_again(
        &mut self,
        maker: &mut Maker<'a>,
        mut candidate: Candidate,
    ) -> Option<Candidate> {
        let ran = match self.ran_well.entry(ledger::hash(&candidate.sequence)) {
            Entry::Occupied(known) => usize::from(*known.get()),
            Entry::Vacant(new) => {
                new.insert(0);
                // The random phase may have run it, but files nothing under nodes.
                candidate.is_needed = true;
                return Some(candidate);
            }
        };
        for reach in &candidate.reaches {
            if reach.length <= ran
                && let Some(way) = way(maker, &candidate, reach, ran)
            {
                self.wait(maker, reach, &way);
            }
        }
        None
    }

    /// True where more replayed sequences for a node would add little.
    pub fn has_enough(&self, model: usize, node: usize) -> bool {
        let state = (self.models[model].class(), NodeId(node as u32));
        let known = self.by_state.get(&state);
        known.is_some_and(|known| known.len() >= ENOUGH)
    }

    /// Remembers how much of a sequence is worth going on from: nothing from an object on that is none.
    fn note_how_far(&mut self, candidate: &Candidate, ran: usize) {
        let void = candidate.reaches.iter();
        let void = void.filter(|reach| is_void(candidate, reach));
        let good = void.map(|reach| reach.subject.index()).min();
        let ran = ran.min(good.unwrap_or(ran)) as u16;
        self.ran_well.insert(ledger::hash(&candidate.sequence), ran);
    }

    /// Puts a way to where it can be gone on from, if the node has edges that a test can call.
    fn wait(&mut self, maker: &mut Maker<'a>, reach: &Reach, way: &Arc<Snippet>) {
        let node = NodeId(reach.node as u32);
        if !self.edges[reach.model].from(maker, node).is_empty() {
            let place = (reach.model, reach.node);
            self.reaching.add(maker.rng(), place, way);
        }
    }
}

/// True if what should be at a node turned out to be no object.
fn is_void(candidate: &Candidate, reach: &Reach) -> bool {
    candidate.known[reach.subject.index()].actual == Kind::VOID
}

/// The statements that led an object to a node, its dependent call included where all of it ran; none where that is
/// too long.
fn way(
    maker: &mut Maker<'_>,
    candidate: &Candidate,
    reach: &Reach,
    ran: usize,
) -> Option<Arc<Snippet>> {
    let length = if ran >= reach.whole {
        reach.whole
    } else {
        reach.length
    };
    let facts = maker.facts();
    let way = slice(
        &candidate.sequence.statements()[..length],
        &candidate.known,
        &reach.states,
        reach.subject,
        maker.kinds(),
        |method| facts.is_pure(method),
    );
    (way.statements.len() <= LONGEST_WAY).then(|| Arc::new(way))
}
