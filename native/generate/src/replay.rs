//! The histories of the trace once more: what existing tests reach is reached at once.
//!
//! Comes in: the sample histories of models, as edges and what was seen at each. Goes out: candidates that make exactly
//! these calls, and how well that went.
//! Constants and the object of interest are exact. Any other object is looked up like an argument of a model's call,
//! first in the sequence itself; such a history is made twice, the second time with other draws. Models of classes that
//! provide arguments come first, deepest first, so that later look-ups find their objects; longest histories come first,
//! and every beginning of one is filed under the node it reaches, so that prefixes add nothing.
//! Does not know: how histories were recorded, the executor.

use crate::Replayed;
use crate::draft::{Candidate, Draft, Reach};
use crate::generator::Generator;
use crate::guided::Guided;
use palus_learn::SampleHistory;

/// Histories replayed of a model of the subject.
const OWN_HISTORIES: usize = 256;
/// Histories replayed of a model that provides arguments.
const PROVIDING_HISTORIES: usize = 40;

/// What is left to replay, and what was.
#[derive(Clone, Debug, Default)]
pub(crate) struct Replay {
    /// Histories of the current model that are still to be replayed, and whether it is their second time; last first.
    waiting: Vec<(usize, bool)>,
    /// The current model.
    model: usize,
    /// Counts so far.
    pub counts: Replayed,
}

/// How a candidate replays a history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Replaying {
    /// With nothing but constants and its own objects.
    Exactly,
    /// With objects that were looked up.
    WithLookUps,
    /// Up to a call that cannot be written, or as long as a sequence may be.
    Partly,
    /// As before, with other draws; not counted again.
    Again,
}

impl Replay {
    /// Counts how a replay ended.
    pub fn ended(&mut self, replaying: Option<Replaying>, is_complete: bool) {
        match replaying {
            None | Some(Replaying::Again) => {}
            Some(Replaying::Partly) => self.counts.failed += 1,
            Some(_) if !is_complete => self.counts.failed += 1,
            Some(Replaying::Exactly) => self.counts.exactly += 1,
            Some(Replaying::WithLookUps) => self.counts.with_look_ups += 1,
        }
    }
}

impl<'a> Guided<'a> {
    /// Turns to the histories of one model; the one with the highest number comes first.
    pub fn begin_replay(&mut self, model: usize) {
        let histories: &'a [SampleHistory] = self.models[model].sample_histories();
        let mut order: Vec<usize> = (0..histories.len()).collect();
        order.sort_by_key(|&index| (std::cmp::Reverse(histories[index].steps.len()), index));
        order.truncate(if model < self.own {
            OWN_HISTORIES
        } else {
            PROVIDING_HISTORIES
        });
        let again = order.iter().map(|&index| (index, true));
        let first = order.iter().map(|&index| (index, false));
        self.replay.waiting = first.chain(again).collect();
        self.replay.waiting.reverse();
        self.replay.model = model;
    }

    /// The next history; none when all are replayed or this one cannot be.
    pub fn replay_candidate(&mut self, generator: &mut Generator<'a>) -> Option<Candidate> {
        loop {
            let (history, is_again) = self.replay.waiting.pop()?;
            let model = self.models[self.replay.model];
            let history: &'a SampleHistory = &model.sample_histories()[history];
            if is_again && !has_open_positions(model, history) {
                continue;
            }
            let made = self.retrace(generator, history, is_again);
            if made.is_none() && !is_again {
                self.replay.counts.failed += 1;
            }
            if made.is_some() {
                return made;
            }
        }
    }

    fn retrace(
        &mut self,
        generator: &mut Generator<'a>,
        history: &'a SampleHistory,
        is_again: bool,
    ) -> Option<Candidate> {
        let number = self.replay.model;
        let model = self.models[number];
        let usual = self.reuse;
        if !is_again {
            self.reuse = 100;
        }
        self.looked_up = 0;
        let mut draft = Draft::default();
        let mut reaches = Vec::new();
        let mut made_steps = 0;
        let mut subject = None;
        for &(edge, seen) in &history.steps {
            let edge = model.edge(edge);
            let mark = draft.len();
            let made = edge.observations.get(seen as usize).and_then(|seen| {
                self.follow(generator, &mut draft, number, edge, seen, subject, false)
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
        let mut candidate = draft.finish();
        candidate.reaches = reaches;
        candidate.replay = Some(replaying);
        Some(candidate)
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
