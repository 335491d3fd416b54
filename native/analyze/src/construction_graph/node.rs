//! The nodes of an object construction graph.
//!
//! Comes in: nothing. Goes out: what a node is and how it is told apart.
//! Does not know: how graphs are built.

use crate::slice::Role;
use palus_bytecode::{FieldId, MethodId, Type};

/// A node's place in its graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub u32);

impl NodeId {
    /// Position in [`ConstructionGraph::nodes`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a node stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NodeKind {
    /// The receiver of the method.
    This,
    /// A declared parameter of the method, from 0.
    Parameter(u32),
    /// A static field.
    Static(FieldId),
    /// An instance field.
    Field(FieldId),
    /// An element of an array.
    Element,
    /// The result of a call.
    Call(MethodId),
    /// Arithmetic, lengths, calls of what is not loaded: no statement makes it.
    Other,
}

/// A variable that the branch depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// What it is.
    pub kind: NodeKind,
    /// Its type, as narrow as casts and uses show it; `void` where it is not known.
    pub value_type: Type,
    /// What it is built from, ascending.
    pub parents: Vec<(NodeId, Role)>,
    /// What is built from it, ascending.
    pub children: Vec<NodeId>,
    /// The getter by which the code reads a field, where one does.
    pub accessed_via: Option<MethodId>,
    /// The index of an element, where the code holds it as a constant.
    pub constant_index: Option<i32>,
}
