//! Objects led to a state on demand: where a call wants an object at a node that no sequence reached yet, one is made
//! within the sequence, by the calls that a traced object went there by.
//!
//! Comes in: states that were seen at a position. Goes out: statements added to the draft, and the object; it is filed
//! under its node like any other once its sequence ran.
//! Beyond Zhang, Saff, Bu, Ernst (ISSTA 2011), whose look-up by state finds existing sequences only, and so waits for
//! chance to make a provider's object first: with a fifth of a second for a class, chance comes too late. Mode `Literal`
//! keeps to the paper.
//!
//! ```text
//! seen: new Statement(c) with c at node 1 of Connection, to which a traced one went by: v = driver.connect("db")
//! made: v0 = new Driver()   v1 = "db"   v2 = v0.connect(v1)   v3 = new Statement(v2)
//! ```
//! Does not know: edges of the caller, the executor.

use crate::draft::{Draft, Reach};
use crate::generator::Generator;
use crate::guided::{Guided, fits};
use crate::kinds::Kind;
use crate::mode::Mode;
use palus_bytecode::ClassId;
use palus_learn::{CallSequenceModel, Constraint, NodeId};
use palus_sequence::Variable;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Objects made for objects made for objects: no deeper.
const DEEPEST: usize = 4;
/// States of one constraint that are tried.
const TRIED_STATES: usize = 3;
/// Longer ways are not gone.
const LONGEST: usize = 24;

/// Per node: the shortest beginning of a history that leads there, as its number and calls.
type Ways = Arc<BTreeMap<NodeId, (usize, usize)>>;

/// What making objects on demand needs to remember.
#[derive(Debug, Default)]
pub(crate) struct Provider {
    ways: BTreeMap<usize, Ways>,
    depth: usize,
    /// Objects made for the current candidate.
    reaches: Vec<Reach>,
}

impl Provider {
    /// Objects made since this was last asked.
    pub fn take_reaches(&mut self) -> Vec<Reach> {
        std::mem::take(&mut self.reaches)
    }
}

impl<'a> Guided<'a> {
    /// An object in one of the states of a constraint, made for it; the draft is unchanged where that fails.
    pub fn provided(
        &mut self,
        generator: &mut Generator<'a>,
        draft: &mut Draft,
        constraint: &Constraint,
        wanted: Kind,
    ) -> Option<Variable> {
        if self.mode == Mode::Literal || self.provider.depth >= DEEPEST {
            return None;
        }
        for &(class, node) in constraint.dep_states.iter().take(TRIED_STATES) {
            let mark = draft.len();
            let placed = draft.states.len();
            self.provider.depth += 1;
            let made = self.led(generator, draft, class, node);
            self.provider.depth -= 1;
            if let Some(made) = made
                && fits(generator, draft, made, wanted)
            {
                let model = self.by_class[&class];
                let mut reach = Reach::now(draft, model, node, made);
                reach.is_provided = true;
                draft.fresh.push(made);
                self.provider.reaches.push(reach);
                return Some(made);
            }
            draft.truncate(mark);
            draft.states.truncate(placed);
            self.provider.reaches.retain(|reach| reach.length <= mark);
        }
        None
    }

    /// Makes the calls that lead to a node.
    fn led(
        &mut self,
        generator: &mut Generator<'a>,
        draft: &mut Draft,
        class: ClassId,
        node: NodeId,
    ) -> Option<Variable> {
        let number = *self.by_class.get(&class)?;
        let model: &'a CallSequenceModel = self.models[number];
        let ways = self.provider.ways.entry(number);
        let &(history, length) = ways.or_insert_with(|| ways_of(model)).get(&node)?;
        let mut subject = None;
        for &(edge, seen) in &model.sample_histories()[history].steps[..length] {
            let edge = model.edge(edge);
            let seen = edge.observations.get(seen as usize)?;
            let (_, object) = self.follow(generator, draft, number, edge, seen, subject, false)?;
            subject = Some(object);
        }
        subject
    }
}

fn ways_of(model: &CallSequenceModel) -> Ways {
    let mut ways: BTreeMap<NodeId, (usize, usize)> = BTreeMap::new();
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
    Arc::new(ways)
}
