//! Facts to sequences.
//!
//! Comes in: a [`Unit`] (program, facts, models, one subject class, settings) and an executor.
//! Goes out: the runs worth keeping, and a reason for every method without one.
//! Does not know: processes, the clock, files, Java text.

mod budget;
mod call_statistics;
mod constants;
mod cost;
mod draft;
mod failures;
mod generator;
mod generics;
mod guided;
mod kinds;
mod ledger;
mod maker;
mod mode;
mod phases;
mod platform;
mod pool;
mod probes;
mod producers;
mod rng;
mod serialization;
mod signatures;
mod skip;
mod sources;
mod target;
mod template;
#[cfg(test)]
mod tests;
mod turns;
mod unit;
mod user_values;

pub use mode::{DependentPosition, Mode};
pub use platform::USEFUL_PLATFORM_CLASSES;
pub use rng::Rng;
pub use skip::SkipCode;
pub use sources::Sources;
pub use template::{Refusal, Template, Templates};
pub use turns::{TURN, Turns};
pub use unit::{Generated, Replayed, Unit};
pub use user_values::UserValues;

use crate::generator::Generator;
use crate::phases::Phases;
use palus_sequence::{Executor, ExecutorError};

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
        Err(error) if generator.ledger().kept().is_empty() => Err(error),
        _ => Ok(Sources::of(generator, phases)),
    }
}
