//! Worker JVMs for one program: started ahead, lent, taken back and replaced.
//!
//! Comes in: settings, a program. Goes out: workers that are ready.
//! Does not know: what a worker is asked.

use super::guards::Guards;
use super::jvm::WorkerJvm;
use super::platform::PlatformReader;
use super::process::Spawner;
use super::sandbox::Sandbox;
use super::settings::WorkerSettings;
use crate::Error;
use palus_bytecode::{Origin, Program};
use palus_wire::request::WireSites;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Worker JVMs for one program, kept from unit to unit; dropping it ends them all.
pub struct WorkerPool {
    pub(super) settings: WorkerSettings,
    pub(super) program: Arc<Program>,
    sandbox: Sandbox,
    subject_classes: Vec<(u32, Arc<str>)>,
    /// Where classes call an API that is recorded.
    pub(super) sites: WireSites,
    guards: Guards,
    /// Workers that nobody uses, the last one used first.
    idle: Mutex<Vec<WorkerJvm>>,
    /// A worker that is starting or started, kept for the next death; from the first death on there is one.
    spare: Mutex<Option<WorkerJvm>>,
    // Dropped last: workers end with the thread that started them.
    spawner: Spawner,
}

impl WorkerPool {
    /// Starts the first worker, so that a `java` that will not start is found here.
    ///
    /// # Errors
    /// A configuration error naming the path and the cure.
    pub fn new(settings: WorkerSettings, program: Arc<Program>) -> Result<WorkerPool, Error> {
        let reader = PlatformReader::new(&settings)?;
        WorkerPool::of(reader, settings, program)
    }

    /// With the JVM of a reader as the first worker, which has the same settings and ran no code of a subject.
    ///
    /// # Errors
    /// As of [`WorkerPool::new`].
    pub fn of(
        reader: PlatformReader,
        settings: WorkerSettings,
        program: Arc<Program>,
    ) -> Result<WorkerPool, Error> {
        let PlatformReader {
            mut worker,
            sandbox,
            spawner,
        } = reader;
        let classes = program.classes().iter();
        let subject_classes = classes
            .filter(|class| class.origin == Origin::Subject)
            .map(|class| (class.id.0, class.name.clone()))
            .collect();
        let mut pool = WorkerPool {
            sandbox,
            settings,
            program,
            subject_classes,
            sites: WireSites::default(),
            guards: Guards::default(),
            idle: Mutex::default(),
            spare: Mutex::default(),
            spawner,
        };
        worker.set_up(&pool.settings, &pool.subject_classes);
        // It may have ended since it last read something.
        let first = pool.ready(worker).or_else(|_| pool.started())?;
        pool.guards = first.guards();
        lock(&pool.idle).push(first);
        Ok(pool)
    }

    /// Lets workers record calls at these sites where they are asked to.
    pub(crate) fn with_sites(self, sites: WireSites) -> WorkerPool {
        WorkerPool { sites, ..self }
    }

    /// A worker that nobody uses, or a new one.
    pub(super) fn take(&self) -> Result<WorkerJvm, Error> {
        let idle = lock(&self.idle).pop();
        match idle {
            Some(worker) => Ok(worker),
            None => self.started(),
        }
    }

    /// Takes a worker back, if there still is one.
    pub(super) fn give_back(&self, worker: Option<WorkerJvm>) {
        lock(&self.idle).extend(worker);
    }

    /// Which guards of the sandbox hold on this machine, for the report.
    pub fn sandbox(&self) -> Guards {
        self.guards
    }

    /// A worker that is ready.
    fn started(&self) -> Result<WorkerJvm, Error> {
        self.ready(self.starting()?)
    }

    fn starting(&self) -> Result<WorkerJvm, Error> {
        let mut worker = WorkerJvm::start(&self.settings, &self.sandbox, &self.spawner)?;
        worker.set_up(&self.settings, &self.subject_classes);
        Ok(worker)
    }

    fn ready(&self, mut worker: WorkerJvm) -> Result<WorkerJvm, Error> {
        worker.wait_until_ready(&self.sandbox)?;
        Ok(worker)
    }

    /// A worker in the place of one that died; the next spare starts meanwhile.
    pub(super) fn replacement(&self) -> Result<WorkerJvm, Error> {
        let spare = lock(&self.spare).take();
        let worker = match spare {
            Some(spare) => spare,
            None => self.starting()?,
        };
        let next = self.starting()?;
        lock(&self.spare).get_or_insert(next);
        self.ready(worker)
    }
}

/// A panic while a list of workers was held leaves a list of workers.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
