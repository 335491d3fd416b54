//! The data behind the pictures and behind `palus:explain`.
//!
//! Comes in: plain data from the engine. Goes out: the same, for the pages and for `explain.json` (`stored`).
//! Does not know: how a fact was found. Long lists are cut by whoever fills them, and the rest is counted.

use serde::{Deserialize, Serialize};

/// Everything `explain` can be asked about one run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Explanations {
    /// Version of Palus.
    pub palus_version: String,
    /// How to run it again.
    pub command_line: String,
    /// One per class that has methods to explain, by name.
    pub classes: Vec<ClassExplanation>,
    /// All call sequence models, by class name; they are drawn, and not part of `explain.json`.
    pub models: Vec<ModelReport>,
}

/// One class or nested class.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ClassExplanation {
    /// Name in source form, `$` before the name of a nested class.
    pub name: String,
    /// Its methods in class-file order.
    pub methods: Vec<MethodReport>,
    /// What became of its traced objects.
    pub objects: ObjectsReport,
}

/// Traced objects of one class: in its model, and left out by why.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ObjectsReport {
    /// Those whose histories are its model.
    pub merged: u64,
    /// Not seen being created.
    pub unseen_creation: u64,
    /// No longer recorded, having very many calls.
    pub capped: u64,
    /// Used by tests that failed.
    pub failed_test: u64,
    /// Beyond those that are enough.
    pub too_many: u64,
}

/// What is known about one method.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MethodReport {
    /// `addRoad(City, City)`
    pub method: String,
    /// Written tests that call it, those about it first.
    pub tests: Vec<String>,
    /// Further ones that are not listed.
    pub more_tests: usize,
    /// Why it has no test; none if it has or needs none.
    pub skip: Option<String>,
    /// What the first try met, where the code does not say it: what was denied, or why its class could not be used; else empty.
    pub cause: String,
    /// Types of which no written test has an object, where that is why it could not be called.
    pub missing: Vec<String>,
    /// Candidates that called it and were dropped.
    pub drops: Vec<DroppedTest>,
    /// The methods it depends on through fields, strongest first, with weights that add up to 1 with the rest.
    pub dependences: Vec<(String, f64)>,
    /// Weaker ones that are not listed.
    pub more_dependences: usize,
    /// Its places in the models, the most frequent first.
    pub calls: Vec<CallReport>,
    /// Less frequent ones that are not listed.
    pub more_calls: usize,
}

/// A call of a method as one model has it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CallReport {
    /// Class of the model, in source form.
    pub model: String,
    /// Node it starts at.
    pub source: u32,
    /// Node it leads to.
    pub target: u32,
    /// What the object is in the call: `the new object`, `the receiver`, `argument 2`.
    pub roles: String,
    /// Calls seen.
    pub count: u64,
    /// True if it was seen inside another call.
    pub is_nested: bool,
    /// True if a written test follows it.
    pub is_covered: bool,
    /// Some of the arguments that were seen.
    pub examples: Vec<String>,
}

/// A candidate that did not become a test.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DroppedTest {
    /// Name of the test.
    pub test: String,
    /// Code of the reason.
    pub code: String,
    /// What was seen.
    pub text: String,
}

/// The call sequence model of one class.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ModelReport {
    /// Name in source form.
    pub class: String,
    /// Number of nodes; node 0 is the object before it exists.
    pub nodes: u32,
    /// Objects whose histories it holds.
    pub objects: u64,
    /// Number of calls in it.
    pub calls: u64,
    /// How many of them a written test follows.
    pub covered: u64,
    /// The calls that are drawn, in id order; all, unless it is huge.
    pub edges: Vec<EdgeReport>,
    /// Where objects of known states were used, in order.
    pub dependences: Vec<DependenceReport>,
}

/// A call in a model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EdgeReport {
    /// Node it starts at.
    pub source: u32,
    /// Node it leads to.
    pub target: u32,
    /// Class that declares the method, in source form.
    pub owner: String,
    /// `addRoad(City, City)`
    pub method: String,
    /// `addRoad`, as the picture has it.
    pub label: String,
    /// What the object is in the call: `the new object`, `receiver`, `argument 2`.
    pub roles: String,
    /// Calls seen.
    pub count: u64,
    /// True if it was seen inside another call.
    pub is_nested: bool,
    /// True if a written test follows it.
    pub is_covered: bool,
    /// Some of the arguments that were seen.
    pub examples: Vec<String>,
}

/// An object in a state of its own model served in a call that starts at a node.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct DependenceReport {
    /// Class of that object, in source form.
    pub class: String,
    /// Its node in the model of that class.
    pub node: u32,
    /// Place in `edges` of the call it served in.
    pub edge: u32,
    /// `receiver`, `argument 1`
    pub position: String,
}

/// The last part of a class name: `Entry` of `p.Map$Entry`.
pub(crate) fn simple_name(class: &str) -> &str {
    class.rsplit(['.', '$']).next().unwrap_or(class)
}
