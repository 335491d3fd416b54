//! Sequences to go on from, by the node they reached.
//!
//! Comes in: a sequence and its node. Goes out: a drawn node's drawn sequence, taken once; drawing costs the same
//! however many nodes are reached.
//! Zhang, Saff, Bu, Ernst, "Combined Static and Dynamic Automated Test Generation", ISSTA 2011, figure 7, `reachingSeqs`.
//! Does not know: models, what a sequence does.

use crate::draft::Snippet;
use crate::rng::Rng;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Sequences kept per node; a full node loses a drawn one.
const PER_NODE: usize = 500;

/// A node: numbers of the model and of the node in it.
pub(crate) type Place = (usize, usize);

/// All of them; no node is without a sequence.
#[derive(Debug, Default)]
pub(crate) struct Reaching {
    /// Nodes of the subject's models, and of all others.
    groups: [Vec<(Place, Vec<Arc<Snippet>>)>; 2],
    /// Where in its group a node stands.
    index: BTreeMap<Place, usize>,
    /// How many models are the subject's.
    own: usize,
}

impl Reaching {
    /// Nothing is reached; models below `own` are the subject's.
    pub fn new(own: usize) -> Self {
        Reaching {
            own,
            ..Reaching::default()
        }
    }

    /// True if no node is reached.
    pub fn is_empty(&self) -> bool {
        self.index.is_empty()
    }

    /// True if a node of the subject's models is reached.
    pub fn has_own(&self) -> bool {
        !self.groups[0].is_empty()
    }

    /// The sequences that reached a node and were not taken yet.
    pub fn at(&self, place: Place) -> &[Arc<Snippet>] {
        let group = &self.groups[self.group(place)];
        self.index
            .get(&place)
            .map_or(&[], |&index| group[index].1.as_slice())
    }

    /// Adds a sequence.
    pub fn add(&mut self, rng: &mut Rng, place: Place, snippet: &Arc<Snippet>) {
        let number = self.group(place);
        let group = &mut self.groups[number];
        let index = *self.index.entry(place).or_insert_with(|| {
            group.push((place, Vec::new()));
            group.len() - 1
        });
        keep(&mut group[index].1, rng, PER_NODE, snippet);
    }

    /// Takes the shortest of some drawn sequences, each of a drawn node; only those of the subject's models if so wanted.
    pub fn take(
        &mut self,
        rng: &mut Rng,
        tries: usize,
        only_own: bool,
    ) -> Option<(Place, Arc<Snippet>)> {
        let own = self.groups[0].len();
        let among = own + if only_own { 0 } else { self.groups[1].len() };
        let mut shortest: Option<(usize, usize, usize, usize)> = None;
        for _ in 0..tries {
            let drawn = rng.below(among);
            let (group, index) = if drawn < own {
                (0, drawn)
            } else {
                (1, drawn - own)
            };
            let waiting = &self.groups[group].get(index)?.1;
            let taken = rng.below(waiting.len());
            let length = waiting[taken].statements.len();
            if shortest.is_none_or(|(.., known)| length < known) {
                shortest = Some((group, index, taken, length));
            }
        }
        let (group, index, taken, _) = shortest?;
        let group = &mut self.groups[group];
        let place = group[index].0;
        let snippet = group[index].1.swap_remove(taken);
        if group[index].1.is_empty() {
            group.swap_remove(index);
            self.index.remove(&place);
            if let Some((moved, _)) = group.get(index) {
                self.index.insert(*moved, index);
            }
        }
        Some((place, snippet))
    }

    fn group(&self, (model, _): Place) -> usize {
        usize::from(model >= self.own)
    }
}

/// Adds to a list that is bounded: a full one loses a drawn entry.
pub(crate) fn keep(
    kept: &mut Vec<Arc<Snippet>>,
    rng: &mut Rng,
    limit: usize,
    snippet: &Arc<Snippet>,
) {
    if kept.len() < limit {
        kept.push(Arc::clone(snippet));
    } else {
        let replaced = rng.below(limit);
        kept[replaced] = Arc::clone(snippet);
    }
}
