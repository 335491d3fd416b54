//! The histories of the trace once more: what existing tests reach is reached at once.
//!
//! Comes in: the sample histories of models, as edges and what was seen at each. Goes out: candidates that make exactly
//! these calls, and how well that went.
//! Constants and the object of interest are exact. Any other object is looked up like an argument of a model's call,
//! first in the sequence itself, and made on demand where none is there; such a history is made twice, the second time
//! with other draws. The subject's own models come first; of each, histories that show calls which none before showed,
//! then those that show arguments, then all others, longer ones first. Every beginning of one is filed under the node it
//! reaches, so that prefixes add nothing.
//! Does not know: how histories were recorded, the executor.

use super::Guided;
use super::waiting::Waiting;
use crate::draft::{Candidate, Draft, Reach, Replaying};
use crate::maker::Maker;
use palus_learn::SampleHistory;
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// Histories replayed of a model of the subject.
const OWN_HISTORIES: usize = 256;
/// Histories replayed of a model of another class: a subclass, or one that provides arguments.
const OTHER_HISTORIES: usize = 16;

/// What a history shows that those before it did not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum News {
    Nothing,
    Arguments,
    Calls,
}

impl<'a> Guided<'a> {
    /// True if anything is left to replay.
    pub fn replays(&self) -> bool {
        !self.replay.is_empty()
    }

    /// Puts the histories of all models in the order of replay.
    pub fn order_replay(&mut self, maker: &Maker<'a>) {
        let mut all = Vec::new();
        for (number, model) in self.models.iter().enumerate() {
            let histories = model.sample_histories();
            let mut longest: Vec<usize> = (0..histories.len()).collect();
            longest.sort_by_key(|&index| (Reverse(histories[index].steps.len()), index));
            longest.truncate(if maker.nest().contains(&model.class()) {
                OWN_HISTORIES
            } else {
                OTHER_HISTORIES
            });
            let (mut edges, mut calls) = (BTreeSet::new(), BTreeSet::new());
            let is_own = number < self.own;
            for (place, &history) in longest.iter().enumerate() {
                let steps = &histories[history].steps;
                let mut new = News::Nothing;
                for &(edge, seen) in steps {
                    if calls.insert((edge, seen)) {
                        new = new.max(News::Arguments);
                    }
                    if edges.insert(edge) {
                        new = News::Calls;
                    }
                }
                let again = has_open_positions(model, &histories[history]);
                for is_again in [false, true].into_iter().take(1 + usize::from(again)) {
                    let order = (is_again, Reverse(is_own), Reverse(new), place, number);
                    let waiting = Waiting {
                        model: number,
                        history,
                        is_again,
                    };
                    all.push((order, waiting));
                }
            }
        }
        all.sort_by_key(|&(order, _)| Reverse(order));
        self.replay
            .wait(all.into_iter().map(|(_, waiting)| waiting).collect());
    }

    /// The next history; none when all are replayed or this one cannot be.
    pub fn replay_candidate(&mut self, maker: &mut Maker<'a>) -> Option<Candidate> {
        loop {
            let waiting = self.replay.next_history()?;
            let model = self.models[waiting.model];
            let history: &'a SampleHistory = &model.sample_histories()[waiting.history];
            let made = self.retrace(maker, waiting.model, history, waiting.is_again);
            if made.is_none() && !waiting.is_again {
                self.replay.failed();
            }
            if made.is_some() {
                return made;
            }
        }
    }

    fn retrace(
        &mut self,
        maker: &mut Maker<'a>,
        number: usize,
        history: &'a SampleHistory,
        is_again: bool,
    ) -> Option<Candidate> {
        self.provider.take_reaches();
        let model = self.models[number];
        let usual = self.reuse;
        if !is_again {
            self.reuse = 100;
        }
        self.looked_up = 0;
        let mut draft = Draft::default();
        let mut reaches: Vec<Reach> = Vec::new();
        let mut made_steps = 0;
        let mut subject = None;
        for &(edge, seen) in &history.steps {
            let edge = model.edge(edge);
            let mark = draft.len();
            let made = edge.observations.get(seen as usize).and_then(|seen| {
                self.follow(maker, &mut draft, number, edge, seen, subject, false)
            });
            let Some((called, object)) = made else {
                draft.truncate(mark);
                break;
            };
            if subject.is_none() {
                draft.fresh.push(object);
            }
            if called != object {
                draft.fresh.push(called);
            }
            subject = Some(object);
            made_steps += 1;
            if !self.has_enough(number, edge.target.index()) {
                reaches.push(Reach::now(&draft, number, edge.target, object));
            }
        }
        self.reuse = usual;
        let replaying = match (is_again, self.looked_up) {
            (true, _) => Replaying::Again,
            _ if made_steps < history.steps.len() => Replaying::Partly,
            (false, 0) => Replaying::Exactly,
            _ => Replaying::WithLookUps,
        };
        subject?;
        Some(self.replayed(draft, reaches, replaying))
    }

    /// Ends a candidate that replays, with what it and the objects made for it reach.
    pub fn replayed(
        &mut self,
        draft: Draft,
        reaches: Vec<Reach>,
        replaying: Replaying,
    ) -> Candidate {
        let mut candidate = draft.finish();
        let length = candidate.sequence.len();
        candidate.reaches = self.provider.take_reaches();
        candidate.reaches.retain(|reach| reach.length <= length);
        candidate.reaches.extend(reaches);
        candidate.replay = Some(replaying);
        candidate
    }
}

/// True if some argument is neither a constant nor the object of interest.
fn has_open_positions(model: &palus_learn::CallSequenceModel, history: &SampleHistory) -> bool {
    let seen = history
        .steps
        .iter()
        .filter_map(|&(edge, seen)| model.edge(edge).observations.get(seen as usize));
    let mut records = seen.flat_map(|seen| seen.receiver.iter().chain(&seen.arguments));
    records.any(|record| {
        matches!(record, palus_learn::ArgumentRecord::Constrained(constraint) if !constraint.is_null)
    })
}
