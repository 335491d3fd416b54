//! Sequences to go on from, by the node they reached.
//!
//! Comes in: a sequence and its node. Goes out: a drawn node's drawn sequence, which stays until something that goes on
//! from it is filed; drawing costs the same however many nodes are reached.
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

    /// The sequences that reached a node and were not used up yet.
    pub fn at(&self, place: Place) -> &[Arc<Snippet>] {
        let group = &self.groups[self.group(place)];
        self.index
            .get(&place)
            .map_or(&[], |&index| group[index].1.as_slice())
    }

    /// Adds a sequence, unless the same one waits there already.
    pub fn add(&mut self, rng: &mut Rng, place: Place, snippet: &Arc<Snippet>) {
        let mut waiting = self.at(place).iter();
        if waiting.any(|known| known.statements == snippet.statements) {
            return;
        }
        let number = self.group(place);
        let group = &mut self.groups[number];
        let index = *self.index.entry(place).or_insert_with(|| {
            group.push((place, Vec::new()));
            group.len() - 1
        });
        keep(&mut group[index].1, rng, PER_NODE, snippet);
    }

    /// The shortest of some drawn sequences, each of a drawn node; only those of the subject's models if so wanted.
    pub fn draw(
        &self,
        rng: &mut Rng,
        tries: usize,
        only_own: bool,
    ) -> Option<(Place, Arc<Snippet>)> {
        let own = self.groups[0].len();
        let among = own + if only_own { 0 } else { self.groups[1].len() };
        let mut shortest: Option<(Place, &Arc<Snippet>)> = None;
        for _ in 0..tries {
            let drawn = rng.below(among);
            let (place, waiting) = match drawn.checked_sub(own) {
                None => self.groups[0].get(drawn)?,
                Some(other) => self.groups[1].get(other)?,
            };
            let drawn = rng.pick(waiting)?;
            if shortest.is_none_or(|(_, known)| drawn.statements.len() < known.statements.len()) {
                shortest = Some((*place, drawn));
            }
        }
        shortest.map(|(place, snippet)| (place, Arc::clone(snippet)))
    }

    /// Something that goes on from a sequence was filed: it is not gone on from again.
    pub fn used_up(&mut self, place: Place, snippet: &Arc<Snippet>) {
        let Some(&index) = self.index.get(&place) else {
            return;
        };
        let number = self.group(place);
        let group = &mut self.groups[number];
        let waiting = &mut group[index].1;
        let Some(used) = waiting.iter().position(|known| Arc::ptr_eq(known, snippet)) else {
            return;
        };
        waiting.swap_remove(used);
        if waiting.is_empty() {
            group.swap_remove(index);
            self.index.remove(&place);
            if let Some((moved, _)) = group.get(index) {
                self.index.insert(*moved, index);
            }
        }
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
