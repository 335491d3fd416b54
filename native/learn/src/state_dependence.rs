//! State dependence: an object in the state of one node served as an argument at another.
//!
//! Comes in: for every observed call, the nodes that its other participants had reached when it began.
//! Goes out: [`StateDependence`] edges between models, in order and without repetition.
//! Does not know: method bodies (that is `analyze`'s method dependence).
//!
//! Zhang, Saff, Bu, Ernst, "Combined Static and Dynamic Automated Test Generation", ISSTA 2011, section 3.1.2.

use crate::{EdgeId, NodeId, Position};
use palus_bytecode::ClassId;

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
