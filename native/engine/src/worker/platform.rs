//! Class files of the platform, read by a worker JVM.

use crate::Error;
use crate::worker::WorkerSettings;
use std::sync::Arc;

/// A worker that reads class files and runs nothing.
pub struct PlatformReader {}

impl PlatformReader {
    /// Starts it.
    ///
    /// # Errors
    /// A configuration error where `java` will not start.
    pub fn new(settings: &WorkerSettings) -> Result<PlatformReader, Error> {
        let _ = settings;
        Err(Error::internal("workers are missing"))
    }

    /// The class files with these internal names, in order; none where the platform has no such class.
    ///
    /// # Errors
    /// When the worker breaks.
    pub fn platform_classes(&mut self, names: &[Arc<str>]) -> Result<Vec<Option<Vec<u8>>>, Error> {
        let _ = names;
        Err(Error::internal("workers are missing"))
    }
}
