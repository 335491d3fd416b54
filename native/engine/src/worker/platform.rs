//! Class files of the platform, read by a worker JVM: no other reader knows the JDK's own image format.
//!
//! Comes in: internal names. Goes out: class files, and the JVM, to be the first worker of a pool.
//! Does not know: what they are read for.

use crate::Error;
use crate::worker::WorkerSettings;
use crate::worker::guards::Guards;
use crate::worker::jvm::{Death, WorkerJvm, cause};
use crate::worker::process::Spawner;
use crate::worker::sandbox::Sandbox;
use crate::worker::usage::Excess;
use palus_wire::request::Request;
use palus_wire::response::Response;
use std::sync::Arc;
use std::time::Duration;

/// How long reading some classes may take.
const READ: Duration = Duration::from_mins(1);
/// Classes asked for at once.
const AT_ONCE: usize = 1_000;

/// A JVM that is not set up as a worker yet, and reads class files.
pub struct PlatformReader {
    pub(super) worker: WorkerJvm,
    pub(super) sandbox: Sandbox,
    // Dropped last: a worker ends with the thread that started it.
    pub(super) spawner: Spawner,
}

impl PlatformReader {
    /// Starts it.
    ///
    /// # Errors
    /// A configuration error where `java` will not start.
    pub fn new(settings: &WorkerSettings) -> Result<PlatformReader, Error> {
        let sandbox = Sandbox::new(settings)?;
        let spawner = Spawner::new();
        let mut worker = WorkerJvm::start(settings, &sandbox, &spawner)?;
        worker.wait_until_it_runs(&sandbox)?;
        Ok(PlatformReader {
            worker,
            sandbox,
            spawner,
        })
    }

    /// The class files with these internal names, in order; none where the platform has no such class.
    ///
    /// # Errors
    /// When the worker breaks.
    pub fn platform_classes(&mut self, names: &[Arc<str>]) -> Result<Vec<Option<Vec<u8>>>, Error> {
        let mut files = Vec::with_capacity(names.len());
        for names in names.chunks(AT_ONCE) {
            let sent = self.worker.send(&[Request::ReadClasses(names.to_vec())]);
            let response = sent.and_then(|()| self.worker.response(READ, |_| false));
            match response {
                Ok(Response::ClassFiles(some)) if some.len() == names.len() => files.extend(some),
                Ok(Response::Failure(text)) => return Err(broken(&text)),
                Ok(_) => return Err(broken("it answers something else")),
                Err(Death::Hung) => return Err(broken("no answer")),
                Err(Death::Confused(what) | Death::Greedy(Excess { text: what, .. })) => {
                    return Err(broken(&what));
                }
                Err(Death::Exited(_) | Death::Killed) => {
                    return Err(broken(&cause(&self.worker.complaints())));
                }
            }
        }
        Ok(files)
    }

    /// Which guards hold around workers here.
    pub fn guards(&self) -> Guards {
        self.worker.guards()
    }
}

fn broken(problem: &str) -> Error {
    Error::worker(
        format!("the platform's classes cannot be read: {problem}"),
        "run again with the build's debug log and report what the worker says",
    )
}
