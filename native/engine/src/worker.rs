//! Worker JVMs: the only place where subject code runs.
//!
//! Comes in: [`WorkerSettings`], a program, sequences. Goes out: outcomes, through the `Executor` trait; class files of
//! the platform. Every process is a child of one thread that lives as long as the pool (see [`process::Spawner`]),
//! locked in by the launcher where there is one (see [`sandbox`]), and killed with its group at the latest when the
//! pool is dropped.
//! Does not know: why a sequence is run.

mod folder;
pub mod guards;
mod jvm;
pub mod platform;
pub mod process;
pub mod sandbox;
mod supervisor;
pub(crate) mod translate;
pub(crate) mod usage;

pub(crate) use folder::{PrivateFolder, create_private, make_private};
pub(crate) use jvm::{cannot_start, cause, refusal};
pub use supervisor::WorkerExecutor;

use crate::config::SandboxMode;
use crate::{Cancel, Error, Secrets, Settings};
use guards::Guards;
use jvm::WorkerJvm;
use palus_bytecode::{ClassId, Origin, Program};
use process::Spawner;
use sandbox::Sandbox;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// Loop iterations and method entries one sequence may use.
pub const FUEL: u32 = 1_000_000;
/// Calls of subject methods one sequence may have open; far below what a stack of [`STACK_MIB`] holds.
pub const MAX_DEPTH: u32 = 1_000;
/// Stack of a worker's threads.
pub const STACK_MIB: u32 = 8;
/// Buffers outside of the heap may have the heap's size divided by this.
pub const PART_OF_DIRECT_MEMORY: u64 = 4;
/// Time one sequence may compute, or wait, for what fuel cannot see; the machine's load counts for little.
pub const TIME_LIMIT_MILLIS: u32 = 3_000;
/// The same where units share a few seconds, so that one hang does not take all of them.
pub const TIME_LIMIT_IN_STUDIES_MILLIS: u32 = 1_000;
/// Workers one executor may lose before it gives up.
pub const MAX_DEATHS: u32 = 20;
/// Memory that a JVM may have beside its heap, in MiB: classes, code, the stacks of some hundred threads.
pub const BEYOND_HEAP_MIB: u64 = 1024;
/// Bytes a worker may write into one file.
pub const FILE_LIMIT: u64 = 64 << 20;

/// What all workers of a run have in common.
#[derive(Clone, Debug)]
pub struct WorkerSettings {
    /// The project's JDK.
    pub java_home: PathBuf,
    /// `palus-worker.jar`.
    pub worker_jar: PathBuf,
    /// The sandbox launcher; none: call-site guards only.
    pub launcher: Option<PathBuf>,
    /// False leaves landlock out, as on a kernel without it.
    pub landlock: bool,
    /// True if nothing may run where the kernel does not hold files, network and processes.
    pub required: bool,
    /// Class path of the subject, subject classes first.
    pub class_path: Vec<PathBuf>,
    /// Heap of one worker.
    pub memory_mib: u64,
    /// Arguments of the project's test JVM; those that are safe are passed on.
    pub jvm_arguments: Vec<String>,
    /// Texts that outcomes must not show.
    pub secrets: Arc<Secrets>,
    /// Private folders of workers are made below it and removed with them.
    pub work_directory: PathBuf,
    /// See [`FUEL`].
    pub fuel: u32,
    /// See [`MAX_DEPTH`].
    pub max_depth: u32,
    /// See [`TIME_LIMIT_MILLIS`].
    pub time_limit_millis: u32,
    /// When the run is out of time.
    pub deadline: Option<Instant>,
    /// Whether the run is cancelled.
    pub cancel: Cancel,
}

impl WorkerSettings {
    /// The worker's part of the settings of a run.
    pub fn of(settings: &Settings, deadline: Option<Instant>, cancel: &Cancel) -> Self {
        WorkerSettings {
            java_home: settings.java_home.clone(),
            worker_jar: settings.worker_jar.clone(),
            launcher: settings.launcher.clone(),
            landlock: true,
            required: settings.sandbox == SandboxMode::Required,
            class_path: settings.class_path.clone(),
            memory_mib: settings.worker_memory_mib,
            jvm_arguments: settings.jvm_arguments.clone(),
            secrets: Arc::clone(&settings.secrets),
            work_directory: settings.work_directory.join("workers"),
            fuel: FUEL,
            max_depth: MAX_DEPTH,
            time_limit_millis: if settings.generation_seconds.is_some() {
                TIME_LIMIT_IN_STUDIES_MILLIS
            } else {
                TIME_LIMIT_MILLIS
            },
            deadline,
            cancel: cancel.clone(),
        }
    }
}

/// Worker JVMs for one program, kept from unit to unit; dropping it ends them all.
pub struct WorkerPool {
    settings: WorkerSettings,
    program: Arc<Program>,
    sandbox: Sandbox,
    subject_classes: Vec<(u32, Arc<str>)>,
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
        let classes = program.classes().iter();
        let subject_classes = classes
            .filter(|class| class.origin == Origin::Subject)
            .map(|class| (class.id.0, class.name.clone()))
            .collect();
        let mut pool = WorkerPool {
            sandbox: Sandbox::new(&settings)?,
            settings,
            program,
            subject_classes,
            guards: Guards::default(),
            idle: Mutex::default(),
            spare: Mutex::default(),
            spawner: Spawner::new(),
        };
        let first = pool.started()?;
        pool.guards = first.guards();
        lock(&pool.idle).push(first);
        Ok(pool)
    }

    /// Lends an executor over a worker of its own to `work`; call it from as many threads as there shall be workers.
    /// The classes in `initialise` are initialised in that order at each [`begin`](palus_sequence::Executor::begin).
    ///
    /// # Errors
    /// When no worker can be started.
    pub fn with_executor<R>(
        &self,
        initialise: &[ClassId],
        work: impl FnOnce(&mut WorkerExecutor<'_>) -> R,
    ) -> Result<R, Error> {
        let idle = lock(&self.idle).pop();
        let worker = match idle {
            Some(worker) => worker,
            None => self.started()?,
        };
        let names = initialise.iter().map(|id| self.program.class(*id));
        let names = names.map(|class| class.binary_name().into());
        let mut executor = WorkerExecutor::new(self, worker, names.collect());
        let result = work(&mut executor);
        lock(&self.idle).extend(executor.into_worker());
        Ok(result)
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
        let classes = &self.subject_classes;
        WorkerJvm::start(&self.settings, &self.sandbox, &self.spawner, classes)
    }

    fn ready(&self, mut worker: WorkerJvm) -> Result<WorkerJvm, Error> {
        worker.wait_until_ready(&self.sandbox)?;
        Ok(worker)
    }

    /// A worker in the place of one that died; the next spare starts meanwhile.
    fn replacement(&self) -> Result<WorkerJvm, Error> {
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
