//! State dependence: an object in the state of one node served as an argument at another.
//!
//! Comes in: for every observed call, the nodes that its other participants had reached when it began.
//! Goes out: [`StateDependence`] edges between models, in order and without repetition.
//! Does not know: method bodies (that is `analyze`'s method dependence).
//!
//! Zhang, Saff, Bu, Ernst, "Combined Static and Dynamic Automated Test Generation", ISSTA 2011, section 3.1.2.

use crate::history::{Histories, HistoryCall, ObjectIndex};
use crate::merge::ModelBuilder;
use crate::{ArgumentRecord, CallSequenceModel, EdgeId, NodeId, Position};
use palus_bytecode::ClassId;
use std::collections::{BTreeMap, BTreeSet};

/// An object in the state `from` was used when a sequence was extended at `to`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct StateDependence {
    /// A node of the argument's own model.
    pub from: (ClassId, NodeId),
    /// The node the edge starts at.
    pub to: (ClassId, NodeId),
    /// The edge of the model of `to`'s class.
    pub edge: EdgeId,
    /// Where the object stood in the call.
    pub position: Position,
}

/// Nodes kept per position of an observation.
const MAXIMUM_STATES: usize = 100;

/// Notes at each observation of a class which nodes the other participants had reached when the call began. `indices`
/// are the objects of the class; `paths` has, per object of the file, the node after each of its outermost calls, and
/// none for objects without a history.
pub(crate) fn note(
    builder: &mut ModelBuilder,
    indices: &[ObjectIndex],
    histories: &Histories,
    paths: &[Vec<NodeId>],
) {
    let mut open: Vec<&HistoryCall> = Vec::new();
    for &index in indices {
        open.extend(&histories.objects[index as usize].calls);
        while let Some(call) = open.pop() {
            open.extend(&call.children);
            let Some(place) = call.observation else {
                continue;
            };
            for &(position, other) in &call.others {
                let path = &paths[other as usize];
                let other = &histories.objects[other as usize];
                // Nothing before the first call had ended: not made yet, as the model sees it.
                let Some(last) = other.ended_before(call.enter).checked_sub(1) else {
                    continue;
                };
                let Some(&node) = path.get(last) else {
                    continue;
                };
                let edge = &mut builder.model.edges[call.edge as usize];
                let observation = &mut edge.observations[place as usize];
                let record = match position {
                    1 => observation.receiver.as_mut(),
                    argument => observation.arguments.get_mut(usize::from(argument) - 2),
                };
                if let Some(ArgumentRecord::Constrained(constraint)) = record {
                    let states = &mut constraint.dep_states;
                    if let Err(place) = states.binary_search(&(other.class, node))
                        && states.len() < MAXIMUM_STATES
                    {
                        states.insert(place, (other.class, node));
                    }
                }
            }
        }
    }
}

/// Puts nodes in order, each once, and leaves out those that are too many.
pub(crate) fn limit(states: &mut Vec<(ClassId, NodeId)>) {
    states.sort();
    states.dedup();
    states.truncate(MAXIMUM_STATES);
}

/// All state dependences of finished models, in order.
pub(crate) fn all(models: &BTreeMap<ClassId, CallSequenceModel>) -> Vec<StateDependence> {
    let mut found = BTreeSet::new();
    for model in models.values() {
        for edge in model.edges() {
            for observation in &edge.observations {
                let arguments = observation.arguments.iter().enumerate();
                let arguments =
                    arguments.map(|(index, record)| (Position::Argument(index as u16), record));
                let receiver = observation
                    .receiver
                    .iter()
                    .map(|record| (Position::Receiver, record));
                for (position, record) in receiver.chain(arguments) {
                    let ArgumentRecord::Constrained(constraint) = record else {
                        continue;
                    };
                    found.extend(constraint.dep_states.iter().map(|&from| StateDependence {
                        from,
                        to: (model.class(), edge.source),
                        edge: edge.id,
                        position,
                    }));
                }
            }
        }
    }
    found.into_iter().collect()
}
