//! Walks of several edges along a model, each chosen by what it leaves open for how often it was taken.
//!
//! Comes in: models, where sequences have led, what is covered. Goes out: candidates; every beginning of one is filed
//! under the node it reaches.
//! Figure 7 of Zhang, Saff, Bu, Ernst (ISSTA 2011) adds one edge a step and draws nodes and edges evenly. A model is close
//! to a tree of prefixes: what lies ten calls deep would need ten lucky steps. So here a walk adds several, and of some
//! drawn places to go on from, and of some drawn edges, the best is taken (`arms.rs`). Only mode `Full` does.
//! Does not know: how a call of an edge is made (`guided.rs`), the executor.

use super::Guided;
use super::arms::Worth;
use super::reaching::Place;
use crate::draft::{Arm, Candidate, Draft, Reach};
use crate::ledger::Ledger;
use crate::maker::Maker;
use palus_bytecode::MethodId;
use palus_learn::{CallEdge, EdgeId, NodeId};
use palus_sequence::Variable;

/// Share of walks that begin at the root, in percent.
const FROM_ROOT: usize = 35;
/// Places and edges that are drawn where one is chosen.
const DRAWN: usize = 4;
/// Share of walks that go on after each edge, in percent.
const GOING_ON: usize = 60;
/// Edges of one walk.
const LONGEST_WALK: usize = 10;
/// Statements after which a walk adds no more edges.
const LONG: usize = 60;

impl<'a> Guided<'a> {
    /// A walk; none where the first edge cannot be called.
    pub fn walk(&mut self, maker: &mut Maker<'a>, ledger: &Ledger<'a>) -> Option<Candidate> {
        let from_root = self.reaching.is_empty() || maker.rng().percent(FROM_ROOT);
        let (model, first, start) = if from_root {
            let model = self.draw_model(maker);
            let (edge, _) = self.best_edge(maker, ledger, (model, 0))?;
            (model, edge, None)
        } else {
            let (place, edge) = self.best_place(maker, ledger)?;
            let way = self.reaching.shortest(maker.rng(), place, 2)?;
            (place.0, edge, Some(way))
        };
        let mut draft = Draft::default();
        let mut subject: Option<Variable> = match &start {
            Some(way) => Some(draft.append(way)?),
            None => None,
        };
        let mut length = 1;
        while length < LONGEST_WALK && maker.rng().percent(GOING_ON) {
            length += 1;
        }
        let is_before = self.is_dependent_before(maker);
        let mut reaches: Vec<Reach> = Vec::new();
        let mut arms = Vec::new();
        let mut edge = first;
        let mut last: Option<MethodId> = None;
        loop {
            let arm = Arm::Edge(model, edge);
            self.arms.take(arm);
            arms.push(arm);
            let along: &'a CallEdge = self.models[model].edge(edge);
            let mark = draft.len();
            let is_last = arms.len() == length;
            let followed = maker.rng().pick(&along.observations).and_then(|seen| {
                let is_before = is_before && is_last;
                self.follow(maker, &mut draft, model, along, seen, subject, is_before)
            });
            let Some((called, object)) = followed else {
                draft.truncate(mark);
                self.provider.forget_after(mark);
                break;
            };
            if subject.is_none() {
                draft.fresh.push(object);
            }
            if called != object {
                draft.fresh.push(called);
            }
            subject = Some(object);
            last = Some(along.method);
            reaches.push(Reach::now(&draft, model, along.target, object));
            if is_last || draft.len() >= LONG {
                break;
            }
            match self.best_edge(maker, ledger, (model, along.target.index())) {
                Some((next, _)) => edge = next,
                None => break,
            }
        }
        let (last, subject) = (last?, subject?);
        if start.is_some() {
            draft.fresh.push(subject);
        }
        self.end_walk(
            maker,
            &mut draft,
            last,
            subject,
            is_before,
            reaches.last_mut()?,
        );
        let mut candidate = draft.finish();
        candidate.reaches = self.provider.take_reaches();
        candidate.reaches.extend(reaches);
        candidate.arms = arms;
        Some(candidate)
    }

    /// The best of some drawn places with the best edge there.
    fn best_place(
        &mut self,
        maker: &mut Maker<'a>,
        ledger: &Ledger<'a>,
    ) -> Option<(Place, EdgeId)> {
        let only_own = self.draws_only_own(maker);
        let mut best: Option<(Place, EdgeId, Worth)> = None;
        for _ in 0..DRAWN {
            let place = self.reaching.draw_place(maker.rng(), only_own)?;
            if let Some((edge, worth)) = self.best_edge(maker, ledger, place)
                && best.is_none_or(|(.., known)| worth.is_more_than(known))
            {
                best = Some((place, edge, worth));
            }
        }
        best.map(|(place, edge, _)| (place, edge))
    }

    /// The best of some drawn edges out of a node.
    fn best_edge(
        &mut self,
        maker: &mut Maker<'a>,
        ledger: &Ledger<'a>,
        (model, node): Place,
    ) -> Option<(EdgeId, Worth)> {
        let edges = self.edges[model].from(maker, NodeId(node as u32));
        let mut best: Option<(EdgeId, Worth)> = None;
        for _ in 0..DRAWN.min(edges.len()) {
            let &edge = maker.rng().pick(&edges)?;
            let method = self.models[model].edge(edge).method;
            let arm = Arm::Edge(model, edge);
            let worth = self.arms.worth(arm, open(maker, ledger, method));
            if best.is_none_or(|(_, known)| worth.is_more_than(known)) {
                best = Some((edge, worth));
            }
        }
        best
    }

    /// The best of some drawn methods that were seen called beside models.
    pub fn best_direct(&mut self, maker: &mut Maker<'a>, ledger: &Ledger<'a>) -> usize {
        let count = self.direct.methods().len();
        let mut best: Option<(usize, Worth)> = None;
        for _ in 0..DRAWN {
            let drawn = maker.rng().below(count);
            let method = self.direct.methods()[drawn].0;
            let worth = self
                .arms
                .worth(Arm::Direct(method), open(maker, ledger, method));
            if best.is_none_or(|(_, known)| worth.is_more_than(known)) {
                best = Some((drawn, worth));
            }
        }
        best.map_or(0, |(drawn, _)| drawn)
    }
}

/// Branches that a call of a method may still cover.
fn open(maker: &Maker<'_>, ledger: &Ledger<'_>, method: MethodId) -> u32 {
    match maker.calls().target_of(method) {
        Some(target) => ledger.left(target),
        None => ledger.open(method),
    }
}
