//! One executor over replaceable workers.

use crate::worker::WorkerPool;
use palus_sequence::{Executor, ExecutorError, Outcome, Sequence};

/// Runs sequences in a worker JVM and replaces the worker when it dies.
pub struct WorkerExecutor<'p> {
    pool: &'p WorkerPool,
}

impl Executor for WorkerExecutor<'_> {
    fn begin(&mut self) -> Result<(), ExecutorError> {
        let _ = self.pool;
        Err(ExecutorError::Broken("workers are missing".into()))
    }

    fn execute(&mut self, batch: &[Sequence]) -> Result<Vec<Outcome>, ExecutorError> {
        let _ = batch;
        Err(ExecutorError::Broken("workers are missing".into()))
    }
}
