//! A step of making tests that may be left out where time is short.
//!
//! Comes in: a step and the part of the time that it may take. Goes out: what it gave, or nothing where its time was over.
//! Does not know: what the step does.

use palus_sequence::{Executor, ExecutorError};

/// Runs a step that may take so many percent of the time that is left; nothing where it did not come to its end. Whatever
/// it changed is then as the step left it.
pub(crate) fn within<T>(
    executor: &mut dyn Executor,
    percent: u32,
    step: impl FnOnce(&mut dyn Executor) -> Result<T, ExecutorError>,
) -> Result<Option<T>, ExecutorError> {
    executor.take_part_of_time(Some(percent));
    let done = step(executor);
    executor.take_part_of_time(None);
    match done {
        Ok(done) => Ok(Some(done)),
        Err(ExecutorError::OutOfTime) => Ok(None),
        Err(error) => Err(error),
    }
}
