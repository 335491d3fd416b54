//! What one execution called of an API, and how it ended.
//!
//! Comes in: nothing; these are the words in which executions are told. Ids are those of one [`crate::Vocabulary`].
//! Does not know: who recorded it; protocols.
//!
//! Calls are those that the program under test makes. What the test itself calls, and what the API calls within itself,
//! is no part of an execution.

use crate::{CallSite, NameId, SiteId};
use std::sync::Arc;

/// An object of the API in one execution: its place in [`Execution::objects`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ObjectId(pub u32);

impl ObjectId {
    /// Its place.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The calls of one execution to an API, in the order in which they began.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Execution {
    /// The most specific public type of the API that each object has.
    pub objects: Vec<NameId>,
    /// The calls.
    pub calls: Vec<Call>,
    /// How it ended.
    pub end: End,
}

/// One call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// Where it stands, and which method it names.
    pub site: SiteId,
    /// The receiver; none for constructors and static methods.
    pub receiver: Option<ObjectId>,
    /// Arguments that are objects of the API, with their positions from 0, ascending.
    pub arguments: Vec<(u16, ObjectId)>,
    /// The result, or a constructor's new object, where it is an object of the API and the call ended normally.
    pub result: Option<ObjectId>,
    /// The class of the exception that ended the call.
    pub thrown: Option<NameId>,
}

/// How an execution ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// Without an uncaught exception, and without a violated contract.
    Passed,
    /// With a violated contract or assertion, which no protocol explains.
    Violated,
    /// With an exception that nobody caught.
    Threw(Failure),
}

/// An uncaught exception.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Internal names: its class, then the superclasses, nearest first.
    pub lineage: Vec<Arc<str>>,
    /// Its stack trace, innermost first.
    pub stack: Vec<Frame>,
}

/// One line of a stack trace.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Frame {
    /// Internal name of the class.
    pub class: Arc<str>,
    /// Name of the method.
    pub method: Arc<str>,
    /// Source line, where the class file tells.
    pub line: Option<u32>,
    /// Index of the bytecode, where the JVM tells.
    pub bytecode_index: Option<u32>,
}

impl Frame {
    /// True if the frame stands at a call site: in its class and method, at its bytecode, or at its line where one of
    /// the two bytecodes is not known. A line that is not known equals none.
    pub fn is_at(&self, site: &CallSite) -> bool {
        let place = match (self.bytecode_index, site.bytecode_index) {
            (Some(here), Some(there)) => here == there,
            _ => self.line.is_some() && self.line == site.line,
        };
        place && self.class == site.class && self.method == site.method.name
    }
}
