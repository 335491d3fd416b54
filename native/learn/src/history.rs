//! Object histories: the calls one object took part in, nesting kept, all else left out.
//!
//! Comes in: completed calls, one by one (see `recorder.rs`). Goes out: one [`ObjectHistory`] per object.
//! Does not know: trace files, models, which methods are pure or private.
//!
//! The history of `c1` in the sample run below, with every other object as `_`:
//!
//! ```java
//! RoadMap m1 = RoadMap.genMap();
//! City c1 = new City("Portland");  // City("Portland")
//! c1.setMap(m1);                   // c1.setMap(_)
//! m1.addCity(c1);                  // _.addCity(c1)
//! c1.addRoad(c2);                  // c1.addRoad(_) { _.addRoad(c1, _) }   private addConnection removed
//! c1.numNeighbors();               // removed: side-effect-free
//! ```
//!
//! An object's calls are kept in the order they ended. When a call ends, all calls of the object that began after it
//! lie behind it in that list and become its children; a call that threw, or that is private, is not added, which
//! leaves its children where they are: one level up. Kiezun, Artzi, Ernst, Pacheco, Perkins, M-TOOS 2006.

use crate::calls::CallId;
use palus_bytecode::{ClassId, MethodId};

/// Calls kept per object; what comes later is left out, which leaves a legal beginning.
const MAXIMUM_CALLS: usize = 2000;
/// Longest list of nested calls; a longer one is left out whole, as a part of it would lead elsewhere.
const MAXIMUM_CHILDREN: usize = 200;
/// Deepest nesting; what lies deeper is left out.
const MAXIMUM_DEPTH: u8 = 24;

/// All roles of an object in a call: bit 0 result, bit 1 receiver, bit 2 and up arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct RoleSet(pub u64);

impl RoleSet {
    pub const RESULT: RoleSet = RoleSet(1);

    pub fn is_creation(self) -> bool {
        self.0 & 1 != 0
    }
}

/// What makes two calls the same edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Label {
    pub method: MethodId,
    pub roles: RoleSet,
}

/// One call of a history.
#[derive(Clone, Debug)]
pub(crate) struct HistoryCall {
    pub label: Label,
    /// When it began and ended, in events of the file.
    pub enter: u64,
    pub exit: u64,
    pub thread: u16,
    /// What stood at all positions, the object itself as such.
    pub call: CallId,
    /// Other objects of subject classes that took part: position code as in [`RoleSet`] and index of the object.
    pub others: Box<[(u8, ObjectIndex)]>,
    pub children: Box<[HistoryCall]>,
    pub depth: u8,
    /// Where merging put it: edge, and observation of that edge if kept.
    pub edge: u32,
    pub observation: Option<u16>,
}

impl HistoryCall {
    /// Leaves out the nested calls with a label.
    pub fn leave_out(&mut self, label: Label) {
        if self.children.iter().any(|child| child.label == label) {
            let children = std::mem::take(&mut self.children).into_iter();
            self.children = children.filter(|child| child.label != label).collect();
        }
    }
}

/// Place of an object in the file's list.
pub(crate) type ObjectIndex = u32;

/// The calls of one object.
#[derive(Debug)]
pub(crate) struct ObjectHistory {
    pub id: u64,
    pub class: ClassId,
    pub calls: Vec<HistoryCall>,
    pub first_seen: u64,
    /// Calls from here on were left out, being too many.
    full_since: Option<u64>,
    pub left_out: Option<LeftOut>,
    /// Number of the test that used it last, plus one.
    pub test: u32,
}

/// Why an object is not used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LeftOut {
    Capped,
    FailedTest,
}

impl ObjectHistory {
    /// An object met at a time, without any call.
    pub fn new(id: u64, class: ClassId, first_seen: u64, left_out: Option<LeftOut>) -> Self {
        ObjectHistory {
            id,
            class,
            calls: Vec::new(),
            first_seen,
            full_since: None,
            left_out,
            test: 0,
        }
    }

    /// Takes out the calls that a call which just ended had around it; none if the call itself is to be left out, as
    /// it began after the history was full.
    pub fn take_nested(&mut self, enter: u64, thread: u16) -> Option<Box<[HistoryCall]>> {
        if self.left_out.is_some() || self.full_since.is_some_and(|since| enter >= since) {
            return None;
        }
        let nested = self.take_since(enter, thread);
        let was_full = self.full_since.take().is_some();
        Some(if was_full { Box::default() } else { nested })
    }

    /// Adds a call with the calls nested in it; false if the history is full.
    pub fn add(&mut self, mut call: HistoryCall) -> bool {
        cut_recursion(call.label, &mut call.children);
        let deepest = call.children.iter().map(|child| child.depth + 1).max();
        // Nested calls on an object that is only being made do not lead from nothing to it.
        let is_path = !call.label.roles.is_creation()
            || call
                .children
                .first()
                .is_some_and(|child| child.label.roles.is_creation());
        call.depth = deepest.unwrap_or(0);
        if call.children.len() > MAXIMUM_CHILDREN || call.depth > MAXIMUM_DEPTH || !is_path {
            call.children = Box::default();
            call.depth = 0;
        }
        let is_full = self.calls.len() >= MAXIMUM_CALLS;
        if is_full {
            self.full_since = Some(call.enter);
        } else {
            self.calls.push(call);
        }
        !is_full
    }

    /// Takes the calls of a thread that began after a time out of the list.
    fn take_since(&mut self, enter: u64, thread: u16) -> Box<[HistoryCall]> {
        let mut first = self.calls.len();
        // Calls of other threads may lie between; what began earlier ends the search only within the same thread.
        while first > 0
            && (self.calls[first - 1].enter > enter || self.calls[first - 1].thread != thread)
        {
            first -= 1;
        }
        if first == self.calls.len() {
            return Box::default();
        }
        if self.calls[first..].iter().all(|call| call.thread == thread) {
            return self.calls.drain(first..).collect();
        }
        let tail = self.calls.split_off(first);
        let (own, others): (Vec<_>, Vec<_>) =
            tail.into_iter().partition(|call| call.thread == thread);
        self.calls.extend(others);
        own.into()
    }

    /// How many outermost calls had ended before a time.
    pub fn ended_before(&self, time: u64) -> usize {
        self.calls.partition_point(|call| call.exit < time)
    }
}

/// A nested call with the label of the call around it, which has that label around it in turn, is cut.
fn cut_recursion(label: Label, children: &mut [HistoryCall]) {
    for child in children.iter_mut().filter(|child| child.label == label) {
        child.leave_out(label);
        child.depth = child
            .children
            .iter()
            .map(|nested| nested.depth + 1)
            .max()
            .unwrap_or(0);
    }
}

/// The histories of one file.
#[derive(Debug)]
pub(crate) struct Histories {
    /// All objects met; those that are not used have no calls.
    pub objects: Vec<ObjectHistory>,
    /// The used ones in the order of their ids.
    pub order: Vec<ObjectIndex>,
}
