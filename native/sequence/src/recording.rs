//! What a run called of an API, where that was asked for ([`Executor::begin_recorded`](crate::Executor::begin_recorded)).

use std::sync::Arc;

/// The calls of one run to an API, out of subject code.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recording {
    /// Per object of the API, the internal name of the most specific public type of the API that it has.
    pub objects: Vec<Arc<str>>,
    /// The calls, in the order in which they began; only the first ones of very many.
    pub calls: Vec<ApiCall>,
    /// The exception that ended the run, where a call ended with one of the same class.
    pub failure: Option<ApiFailure>,
}

/// One call; objects by their place in [`Recording::objects`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApiCall {
    /// The number of the place where it stands.
    pub site: u32,
    /// The receiver; none for constructors and static methods.
    pub receiver: Option<u32>,
    /// Positions, from 0, of arguments that are objects of the API.
    pub arguments: Vec<(u16, u32)>,
    /// The result, or the new object, where it is one of the API.
    pub result: Option<u32>,
    /// Internal name of the class of the exception that ended it.
    pub thrown: Option<Arc<str>>,
}

/// An exception that ended a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApiFailure {
    /// Internal names: its class, then the superclasses, nearest first.
    pub lineage: Vec<Arc<str>>,
    /// Its stack trace, innermost first.
    pub stack: Vec<ApiFrame>,
}

/// One line of a stack trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApiFrame {
    /// Internal name of the class.
    pub class: Arc<str>,
    /// Name of the method.
    pub method: Arc<str>,
    /// Its line, where it is known.
    pub line: Option<u32>,
}
