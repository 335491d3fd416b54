//! Facts to sequences.
//!
//! Comes in: a [`Unit`] (program, facts, models, one subject class, settings) and an executor.
//! Goes out: the runs worth keeping, and a reason for every method without one.
//! Does not know: processes, the clock, files, Java text.

mod argument;
mod budget;
mod carved;
mod constants;
mod content;
mod cost;
mod dependent;
mod draft;
mod edges;
mod filing;
mod generator;
mod generics;
mod guided;
#[cfg(test)]
mod guided_tests;
mod kinds;
mod look_up;
mod mode;
mod phases;
mod platform;
mod pool;
mod probes;
mod producers;
mod provide;
mod random;
mod reaching;
mod replay;
mod rng;
mod serialization;
mod skip;
mod sources;
mod stubs;
mod target;
mod template;
#[cfg(test)]
mod tests;
mod turns;
mod user_values;

pub use mode::{DependentPosition, Mode};
pub use platform::USEFUL_PLATFORM_CLASSES;
pub use rng::Rng;
pub use sources::Sources;
pub use template::{Refusal, Template, Templates};
pub use turns::{TURN, Turns};
pub use user_values::UserValues;

use crate::generator::Generator;
use crate::phases::Phases;
use palus_analyze::Facts;
use palus_bytecode::{ClassId, MethodId, Program};
use palus_learn::Models;
use palus_sequence::{Crash, Executor, ExecutorError, Run};

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
}

/// What a unit yields.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Generated {
    /// Runs that covered something new, in the order found.
    pub kept: Vec<Run>,
    /// Sequences run.
    pub steps: u64,
    /// How the histories and tests of the trace came back.
    pub replayed: Replayed,
    /// Callable methods that never completed or threw in a kept or unkept run, each with the reason.
    pub skipped: Vec<(MethodId, SkipCode)>,
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

/// Why a method has no test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SkipCode {
    /// S02: private, or in a class that tests cannot name.
    NotAccessible,
    /// S04: no instance of the receiver or of a parameter type could be made.
    NoInstance,
    /// S05: every try hung or recursed too deep.
    Endless,
    /// S06: every try ended the JVM, in this way as a rule.
    EndsJvm(Crash),
    /// S06: every try asked for more memory than a sequence may have.
    TooMuchMemory,
    /// S07: every try was denied by a guard (exit, files, network, processes).
    Denied,
    /// S08: the class could not be initialised or linked.
    NotLoadable,
    /// S09: the budget ended before the method was tried.
    OutOfBudget,
    /// S10: a defect of Palus ended the work on the class.
    Defect,
}

/// Generates for one class. What was found before the time ran out or the workers broke is kept.
///
/// # Errors
/// [`ExecutorError`] when nothing can be run any more and nothing was found.
pub fn generate(unit: Unit<'_>, executor: &mut dyn Executor) -> Result<Generated, ExecutorError> {
    explore(unit, executor).map(Sources::finish)
}

/// Like [`generate`], and what was learned stays at hand for phases that come after.
///
/// # Errors
/// As those of [`generate`].
pub fn explore<'a>(
    unit: Unit<'a>,
    executor: &mut dyn Executor,
) -> Result<Sources<'a>, ExecutorError> {
    executor.begin()?;
    let mut generator = Generator::new(unit);
    let mut phases = Phases::of(&generator);
    match phases.run(&mut generator, executor) {
        Err(ExecutorError::Cancelled) => Err(ExecutorError::Cancelled),
        Err(error) if generator.kept.is_empty() => Err(error),
        _ => Ok(Sources::of(generator, phases)),
    }
}
