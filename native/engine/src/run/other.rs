//! Workers that run the same sequences on another version of the code.
//!
//! Comes in: the settings of a run that is to show differences, and its program. Goes out: a pool of workers.
//! Sequences name methods as the program does; what the other version has not cannot be called there.
//! Does not know: what is run, how differences are told.

use crate::worker::{WorkerPool, WorkerSettings};
use crate::{Error, Settings};
use palus_bytecode::Program;
use std::sync::Arc;

/// Workers for the version that the settings name beside the one that tests are made for; none where they name none.
pub(super) fn other_version(
    settings: &Settings,
    whole: &WorkerSettings,
    program: &Arc<Program>,
) -> Result<Option<WorkerPool>, Error> {
    if settings.base_class_path.is_empty() {
        return Ok(None);
    }
    let settings = WorkerSettings {
        class_path: settings.base_class_path.clone(),
        ..whole.clone()
    };
    WorkerPool::new(settings, Arc::clone(program)).map(Some)
}
