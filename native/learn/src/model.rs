//! The call sequence model of one class: a rooted acyclic graph of calls.
//!
//! Comes in: edges and observations from `merge.rs`.
//! Goes out: [`CallSequenceModel`], which generation walks: a path from the root is a call order seen in the sample run,
//! or a mix of several.
//! Does not know: traces, how it was merged, what a sequence is.
//!
//! Kiezun, Artzi, Ernst, Pacheco, Perkins, "Generating Legal Test Inputs for Object-Oriented Programs", M-TOOS 2006;
//! argument constraints: Zhang, Saff, Bu, Ernst, "Combined Static and Dynamic Automated Test Generation", ISSTA 2011,
//! section 3.1.

use palus_bytecode::{ClassId, MethodId};
use palus_sequence::{ObjectProfile, Value};
use std::sync::Arc;

/// A node of one model: the object states that have the same call history.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub u32);

impl NodeId {
    /// The node before an object exists.
    pub const ROOT: NodeId = NodeId(0);

    /// Position in the model's table.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// An edge of one model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EdgeId(pub u32);

impl EdgeId {
    /// Position in the model's table.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A place of a call that holds a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Position {
    /// The object a method is called on.
    Receiver,
    /// A declared parameter, counted from 0.
    Argument(u16),
}

/// How the object of interest takes part in a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// It is created by this call: a constructor or factory.
    Result,
    /// The call is made on it.
    This,
    /// It is passed in, at the declared parameter counted from 0.
    Argument(u16),
}

/// Whether an edge is a call of its own or one that was nested in another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EdgeKind {
    /// An outermost call of a history.
    Main,
    /// Part of a path beside the edge of the call that contained it.
    Alternative,
}

/// What an observed call had at one position.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ArgumentRecord {
    /// A constant (primitive, box, String, enum constant, class literal).
    Constant(Value),
    /// An array that was seen whole and holds constants and nulls only.
    ConstantArray {
        /// Descriptor of the array's class.
        class: Arc<str>,
        /// Its elements; none where null.
        elements: Vec<Option<Value>>,
    },
    /// The object whose model this is.
    SelfObject,
    /// Another object, or null.
    Constrained(Constraint),
}

/// What is known of an argument that is another object.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Constraint {
    /// True if null was passed; then nothing else is set.
    pub is_null: bool,
    /// Internal name of its runtime class, or the descriptor of an array's class.
    pub class: Option<Arc<str>>,
    /// Its abstract object profile at the moment of the call; none for classes whose fields were not read.
    pub profile: Option<ObjectProfile>,
    /// The nodes of its own class's model that such objects had reached, in order.
    pub dep_states: Vec<(ClassId, NodeId)>,
}

/// One distinct call that was seen along an edge. Whole calls are kept, so that arguments that belong together stay
/// together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observation {
    /// The receiver; none for static methods and constructors.
    pub receiver: Option<ArgumentRecord>,
    /// One record per declared parameter.
    pub arguments: Vec<ArgumentRecord>,
    /// How often it was seen.
    pub count: u32,
}

impl Observation {
    /// The record at a position.
    pub fn at(&self, position: Position) -> Option<&ArgumentRecord> {
        match position {
            Position::Receiver => self.receiver.as_ref(),
            Position::Argument(index) => self.arguments.get(usize::from(index)),
        }
    }
}

/// A call that leads objects from one node to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallEdge {
    /// Its id.
    pub id: EdgeId,
    /// The method or constructor.
    pub method: MethodId,
    /// All roles the object has in the call, in order; never empty.
    pub roles: Vec<Role>,
    /// Where it starts.
    pub source: NodeId,
    /// Where it leads.
    pub target: NodeId,
    /// Outermost or nested.
    pub kind: EdgeKind,
    /// Distinct calls in order of first appearance, at most [`CallEdge::MAXIMUM_OBSERVATIONS`].
    pub observations: Vec<Observation>,
    /// How many calls were seen, those beyond the cap included.
    pub count: u64,
}

impl CallEdge {
    /// Distinct observations kept per edge: the first ones. A random sample of all would be fairer to late tests, but
    /// states of arguments, sample histories and kTail name an observation by its place, which must then never be
    /// given to another; and the first ones come from the same early objects on all edges, so that whole histories can
    /// be told with what was really passed. Keeping the first needs no memory of what was left out, either.
    pub const MAXIMUM_OBSERVATIONS: usize = 1000;

    /// True if the call creates the object.
    pub fn is_creation(&self) -> bool {
        self.roles.contains(&Role::Result)
    }
}

/// The way one traced object, or several alike, took through the merged model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SampleHistory {
    /// Its outermost calls: the edge, and the place of what was seen there among [`CallEdge::observations`]. Ends before
    /// the first call whose observation was not kept, and after [`SampleHistory::MAXIMUM_STEPS`] calls.
    pub steps: Vec<(EdgeId, u32)>,
    /// How many objects went exactly this way.
    pub count: u64,
}

impl SampleHistory {
    /// Distinct histories kept per class.
    pub const MAXIMUM_HISTORIES: usize = 256;
    /// Calls kept per history.
    pub const MAXIMUM_STEPS: usize = 60;
}

/// The call sequence model of one class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallSequenceModel {
    pub(crate) class: ClassId,
    pub(crate) edges: Vec<CallEdge>,
    /// Edges out of each node, in id order.
    pub(crate) outgoing: Vec<Vec<EdgeId>>,
    pub(crate) objects: u64,
    pub(crate) histories: Vec<SampleHistory>,
}

impl CallSequenceModel {
    /// A model of nothing but its root.
    pub fn new(class: ClassId) -> Self {
        CallSequenceModel {
            class,
            edges: Vec::new(),
            outgoing: vec![Vec::new()],
            objects: 0,
            histories: Vec::new(),
        }
    }

    /// The runtime class of the objects it describes.
    pub fn class(&self) -> ClassId {
        self.class
    }

    /// Number of nodes, the root included.
    pub fn node_count(&self) -> usize {
        self.outgoing.len()
    }

    /// All edges in id order.
    pub fn edges(&self) -> &[CallEdge] {
        &self.edges
    }

    /// The edge with this id.
    pub fn edge(&self, id: EdgeId) -> &CallEdge {
        &self.edges[id.index()]
    }

    /// The edges out of a node, in id order.
    pub fn outgoing(&self, node: NodeId) -> &[EdgeId] {
        &self.outgoing[node.index()]
    }

    /// Number of objects whose histories are merged in it.
    pub fn objects(&self) -> u64 {
        self.objects
    }

    /// The distinct ways that traced objects took through the model, in order of first appearance, at most
    /// [`SampleHistory::MAXIMUM_HISTORIES`].
    pub fn sample_histories(&self) -> &[SampleHistory] {
        &self.histories
    }
}
