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

use super::Guided;
use crate::draft::{Draft, Reach};
use crate::kinds::Kind;
use crate::maker::Maker;
use crate::mode::Mode;
use palus_bytecode::ClassId;
use palus_learn::{CallSequenceModel, Constraint, NodeId};
use palus_sequence::Variable;

/// States of one constraint that are tried.
const TRIED_STATES: usize = 3;

impl<'a> Guided<'a> {
    /// An object in one of the states of a constraint, made for it; the draft is unchanged where that fails.
    pub fn provided(
        &mut self,
        maker: &mut Maker<'a>,
        draft: &mut Draft,
        constraint: &Constraint,
        wanted: Kind,
    ) -> Option<Variable> {
        if self.mode == Mode::Literal || self.provider.is_deep() {
            return None;
        }
        for &(class, node) in constraint.dep_states.iter().take(TRIED_STATES) {
            let mark = draft.len();
            let placed = draft.states.len();
            self.provider.descend();
            let made = self.led(maker, draft, class, node);
            self.provider.ascend();
            if let Some(made) = made
                && maker.may_stand(draft, made, wanted)
            {
                let model = self.by_class[&class];
                let mut reach = Reach::now(draft, model, node, made);
                reach.is_provided = true;
                draft.fresh.push(made);
                self.provider.made(reach);
                return Some(made);
            }
            draft.truncate(mark);
            draft.states.truncate(placed);
            self.provider.forget_after(mark);
        }
        None
    }

    /// Makes the calls that lead to a node.
    fn led(
        &mut self,
        maker: &mut Maker<'a>,
        draft: &mut Draft,
        class: ClassId,
        node: NodeId,
    ) -> Option<Variable> {
        let number = *self.by_class.get(&class)?;
        let model: &'a CallSequenceModel = self.models[number];
        let (history, length) = self.provider.way(number, model, node)?;
        let mut subject = None;
        for &(edge, seen) in &model.sample_histories()[history].steps[..length] {
            let edge = model.edge(edge);
            let seen = edge.observations.get(seen as usize)?;
            let (_, object) = self.follow(maker, draft, number, edge, seen, subject, false)?;
            subject = Some(object);
        }
        subject
    }
}
