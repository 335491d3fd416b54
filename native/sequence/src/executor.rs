//! Who runs sequences: the one trait between generation and worker JVMs.

use crate::{Mutant, Outcome, Probe, Sequence};
use palus_bytecode::ClassId;

/// A sequence and what running it did.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// The sequence.
    pub sequence: Sequence,
    /// Its outcome.
    pub outcome: Outcome,
}

/// Why no more sequences can be run. Trouble of a single sequence is an [`Outcome`], never an error.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExecutorError {
    /// The user or the build tool asked to stop.
    #[error("cancelled")]
    Cancelled,
    /// The time limit of the run is used up.
    #[error("out of time")]
    OutOfTime,
    /// Workers kept dying or would not start.
    #[error("{0}")]
    Broken(String),
}

/// How many environments there are, the usual one counted.
pub const ENVIRONMENTS: u32 = 4;
/// One more, with another date, random numbers, locale and time zone alone: what sequences give there, too, rests on none
/// of these.
pub const ABROAD: u32 = ENVIRONMENTS;

/// Runs sequences in order, with outcomes that do not depend on the machine's speed.
pub trait Executor {
    /// Starts anew: fresh subject classes (statics as after class initialisation) and no probe touched yet.
    ///
    /// # Errors
    /// [`ExecutorError`] when nothing can be run any more.
    fn begin(&mut self) -> Result<(), ExecutorError>;

    /// Like `begin`, in another environment: other dates, random numbers, variables and properties, locale and time zone.
    /// There are [`ENVIRONMENTS`] of them, and 0 is that of `begin`. What sequences give there is no fact about them.
    ///
    /// # Errors
    /// [`ExecutorError`] when nothing can be run any more.
    fn begin_elsewhere(&mut self, environment: u32) -> Result<(), ExecutorError> {
        let _ = environment;
        self.begin()
    }

    /// Like `begin`, with all mutants of these subject classes behind a switch; gives the mutants, none of which is on.
    /// Each `begin` is without any again. Nothing is watched there.
    ///
    /// # Errors
    /// [`ExecutorError`] when nothing can be run any more.
    fn begin_mutated(&mut self, classes: &[ClassId]) -> Result<Vec<Mutant>, ExecutorError> {
        let _ = classes;
        self.begin()?;
        Ok(Vec::new())
    }

    /// Like `begin`, with classes that tell of their calls to the API whose call sites the executor knows, as outcomes do
    /// from here on. Each `begin` is without that again. Nothing is watched there.
    ///
    /// # Errors
    /// [`ExecutorError`] when nothing can be run any more.
    fn begin_recorded(&mut self) -> Result<(), ExecutorError> {
        self.begin()
    }

    /// From the next batch on, the mutant with this place among those of `begin_mutated` is on, or none, and no sequence
    /// may cost more than `most_cost`. Outcomes list no coverage while one is on.
    ///
    /// # Errors
    /// [`ExecutorError`] when nothing can be run any more.
    fn turn_on(&mut self, mutant: Option<u32>, most_cost: u32) -> Result<(), ExecutorError> {
        let _ = (mutant, most_cost);
        Ok(())
    }

    /// What follows may take so many percent of the time that is left, and ends with [`ExecutorError::OutOfTime`] after that;
    /// `None` gives back what the last part was taken of. Parts may be taken of parts.
    fn take_part_of_time(&mut self, percent: Option<u32>) {
        let _ = percent;
    }

    /// What follows has run well before: methods that are not called any more, for what some calls of them did, are again.
    fn forgive(&mut self) {}

    /// No probe counts as touched from the next batch on; classes may stay as they are.
    ///
    /// # Errors
    /// [`ExecutorError`] when nothing can be run any more.
    fn forget(&mut self) -> Result<(), ExecutorError> {
        self.begin()
    }

    /// Runs a batch; one outcome per sequence, in order. Batches of about 100 are fastest.
    ///
    /// # Errors
    /// [`ExecutorError`] when nothing can be run any more; outcomes of this batch are lost.
    fn execute(&mut self, batch: &[Sequence]) -> Result<Vec<Outcome>, ExecutorError>;

    /// From the next batch on, outcomes tell how near they came to these probes, in place of what was watched before;
    /// an empty list ends it. `begin` ends it too.
    ///
    /// # Errors
    /// [`ExecutorError`] when nothing can be run any more.
    fn watch(&mut self, probes: &[Probe]) -> Result<(), ExecutorError>;

    /// True where the clock alone bounds the run, and this share of its time, in percent, is over. Never elsewhere, so
    /// that what is bounded by steps does not depend on the machine's speed.
    fn is_over(&self, _percent: u64) -> bool {
        false
    }

    /// Sequences that the next batch should have at most: fewer where the clock alone bounds the run and little is left.
    fn batch_limit(&self) -> usize {
        usize::MAX
    }
}
