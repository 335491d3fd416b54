//! What is asked of generation for one class, and what it yields.
//!
//! Comes in: nothing. Goes out: [`Unit`], [`Generated`].
//! Does not know: how anything is generated.

use crate::mode::{DependentPosition, Mode};
use crate::skip::SkipCode;
use crate::user_values::UserValues;
use palus_analyze::Facts;
use palus_bytecode::{ClassId, MethodId, Program};
use palus_learn::Models;
use palus_sequence::{Run, Sequence};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Everything needed to generate for one class; units share no state.
#[derive(Clone, Copy, Debug)]
pub struct Unit<'a> {
    /// All classes.
    pub program: &'a Program,
    /// Facts from bytecode.
    pub facts: &'a Facts,
    /// Facts from traces; empty without traces.
    pub models: &'a Models,
    /// The class that gets tests; its nested classes are part of it.
    pub subject: ClassId,
    /// Seed of the run; the unit's own is derived from it and the class name.
    pub seed: u64,
    /// Sequences this unit may run.
    pub steps: u64,
    /// How sequences are found.
    pub mode: Mode,
    /// Where dependent methods are called.
    pub dependent_position: DependentPosition,
    /// Values that the user offers.
    pub user_values: &'a UserValues,
    /// Whether a phase that no longer covers anything new ends before its steps or time are used up.
    pub gives_up: bool,
    /// Whether failures that a library throws are kept, too.
    pub keeps_failures: bool,
}

/// What a unit yields.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Generated {
    /// Runs that covered something new, in the order found.
    pub kept: Vec<Run>,
    /// What the trace's histories and tests did that came back to their end, as far as there is room; some are among
    /// `kept`. They show what was worth a look to who wrote the project's tests.
    pub replays: Vec<Run>,
    /// One sequence, the shortest seen, for each call and exception that a library threw; none of them is among `kept`
    /// for that. Empty where nobody asked.
    pub failing: Vec<Sequence>,
    /// Sequences run.
    pub steps: u64,
    /// How the histories and tests of the trace came back.
    pub replayed: Replayed,
    /// Callable methods that never completed or threw in a run that a test may show, each with the reason.
    pub skipped: Vec<(MethodId, SkipCode)>,
    /// Of some of them what the first run met: what it was denied, why the class could not be used.
    pub causes: BTreeMap<MethodId, Arc<str>>,
}

/// How the histories and tests of the trace came back, where they are replayed (mode [`Mode::Full`]).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Replayed {
    /// To their end, with the recorded constants and objects alone.
    pub exactly: u64,
    /// To their end, with objects that were looked up where the trace holds none.
    pub with_look_ups: u64,
    /// Not to their end: a call threw, cannot be written in a test, or is beyond the longest sequence.
    pub failed: u64,
}
