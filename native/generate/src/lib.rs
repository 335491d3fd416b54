//! Facts to sequences.
//!
//! Comes in: a [`Unit`] (program, facts, models, one subject class, settings) and an executor.
//! Goes out: the runs worth keeping, and a reason for every method without one.
//! Does not know: processes, the clock, files, Java text.

mod argument;
mod budget;
mod constants;
mod draft;
mod filing;
mod generator;
mod generics;
mod guided;
mod kinds;
mod platform;
mod pool;
mod probes;
mod producers;
mod random;
mod rng;
mod serialization;
mod skip;
mod target;
#[cfg(test)]
mod tests;

pub use platform::USEFUL_PLATFORM_CLASSES;

use crate::generator::Generator;
use crate::guided::Guided;
use palus_analyze::Facts;
use palus_bytecode::{ClassId, MethodId, Program};
use palus_learn::Models;
use palus_sequence::{Executor, ExecutorError, Run};
use std::cell::RefCell;

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
}

/// What a unit yields.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Generated {
    /// Runs that covered something new, in the order found.
    pub kept: Vec<Run>,
    /// Sequences run.
    pub steps: u64,
    /// Callable methods that never completed or threw in a kept or unkept run, each with the reason.
    pub skipped: Vec<(MethodId, SkipCode)>,
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
    /// S06: every try ended the JVM.
    EndsJvm,
    /// S07: every try was denied by a guard (exit, files, network, processes).
    Denied,
    /// S08: the class could not be initialised or linked.
    NotLoadable,
    /// S09: the budget ended before the method was tried.
    OutOfBudget,
}

/// Generates for one class. What was found before the time ran out or the workers broke is kept.
///
/// # Errors
/// [`ExecutorError`] when nothing can be run any more and nothing was found.
pub fn generate(unit: Unit<'_>, executor: &mut dyn Executor) -> Result<Generated, ExecutorError> {
    executor.begin()?;
    let mut generator = Generator::new(unit);
    match run(&mut generator, executor) {
        Err(ExecutorError::Cancelled) => Err(ExecutorError::Cancelled),
        Err(error) if generator.kept.is_empty() => Err(error),
        _ => Ok(generator.finish()),
    }
}

fn run(generator: &mut Generator<'_>, executor: &mut dyn Executor) -> Result<(), ExecutorError> {
    if generator.targets.is_empty() {
        return Ok(());
    }
    if let Some(guided) = Guided::new(generator) {
        generator.budget.begin_guided();
        let guided = RefCell::new(guided);
        generator.run(
            executor,
            |generator| guided.borrow_mut().candidate(generator),
            |generator, candidate, outcome| guided.borrow_mut().file(generator, candidate, outcome),
        )?;
    }
    generator.budget.begin_random();
    generator.run(executor, Generator::random_candidate, |_, _, _| {})
}
