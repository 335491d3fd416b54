//! Populations of sequences against the branches that are still open.
//!
//! Comes in: the [`Sources`] of a unit whose own phases are over, and an executor that tells how near runs come.
//! Goes out: runs that cover something new, kept by the sources; [`Hunted`] says what was done.
//! Everything is counted in steps, and random numbers are the unit's own: the same inputs give the same runs.
//! Does not know: processes, the clock, traces, Java text.

#![expect(
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    clippy::cast_possible_wrap,
    reason = "counts, lengths and shares are small and positive"
)]

mod archive;
mod casts;
mod crossover;
mod dates;
mod dynamosa;
mod evaluation;
mod fitness;
mod goals;
mod hunted;
mod individual;
mod monotonic;
mod mosa;
mod mutation;
mod operands;
mod operator_credit;
mod parameters;
mod preference;
mod refine;
mod sharing;
mod slots;
mod splice;
mod target;
mod template_maker;
mod template_statistics;
#[cfg(test)]
mod tests;
mod value;
mod variation;

pub use crate::hunted::{Algorithm, Hunted, Means, Near, Origin, Template};
pub use crate::template_statistics::{Left, TemplateStatistics};
pub use crate::variation::neighbours;

use crate::dynamosa::Current;
use crate::evaluation::Evaluation;
use crate::parameters::{POPULATION, SEEDS};
use crate::target::Targets;
use palus_generate::Sources;
use palus_sequence::{Executor, ExecutorError, Sequence};

/// Hunts what a unit left open, for at most so many steps.
///
/// # Errors
/// Only [`ExecutorError::Cancelled`]; when the time is over, what was found until then is kept.
pub fn hunt<'h>(
    sources: &'h mut Sources<'_>,
    executor: &'h mut dyn Executor,
    algorithm: Algorithm,
    steps: u64,
    means: Means<'h>,
) -> Result<Hunted, ExecutorError> {
    let targets = Targets::of(sources.program(), sources.nest());
    let mut evaluation = Evaluation::new(sources, executor, targets, steps, means);
    if evaluation.left() == 0 {
        return Ok(evaluation.finish());
    }
    // Nobody else asks how near runs come.
    match run(&mut evaluation, algorithm).and_then(|()| evaluation.end()) {
        Err(ExecutorError::Cancelled) => Err(ExecutorError::Cancelled),
        ended => {
            let mut hunted = evaluation.finish();
            hunted.is_cut = ended.is_err();
            Ok(hunted)
        }
    }
}

fn run(evaluation: &mut Evaluation<'_, '_>, algorithm: Algorithm) -> Result<(), ExecutorError> {
    if algorithm == Algorithm::MonotonicGa {
        monotonic::watch_all(evaluation);
    }
    // The newest kept runs go farthest.
    let kept = evaluation.sources().kept();
    let first = kept.len().saturating_sub(SEEDS);
    let mut seeds: Vec<(Sequence, Origin)> = kept[first..]
        .iter()
        .map(|run| (run.sequence.clone(), Origin::Seed))
        .collect();
    for (seed, _) in &seeds {
        evaluation.begin_with(seed.clone().into());
    }
    for _ in 0..2 * POPULATION {
        if seeds.len() >= POPULATION {
            break;
        }
        let made = evaluation.sources().fresh();
        seeds.extend(made.map(|made| (made, Origin::Fresh)));
    }
    let first = evaluation.run(seeds)?;
    match algorithm {
        Algorithm::MonotonicGa => monotonic::hunt(evaluation, first),
        Algorithm::Mosa | Algorithm::Dynamosa => {
            let is_dynamic = algorithm == Algorithm::Dynamosa;
            let current = Current::new(evaluation.targets(), is_dynamic);
            mosa::hunt(evaluation, first, current)
        }
    }
}
