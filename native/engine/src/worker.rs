//! Worker JVMs: the only place where subject code runs.
//!
//! Comes in: [`WorkerSettings`], a program, sequences. Goes out: outcomes, through the `Executor` trait; class files of
//! the platform. Every process is a child of one thread that lives as long as the pool (see [`process::Spawner`]),
//! locked in by the launcher where there is one (see [`sandbox`]), and killed with its group at the latest when the
//! pool is dropped.
//! Does not know: why a sequence is run.

pub mod platform;
pub mod process;
pub mod sandbox;
pub mod supervisor;

use crate::{Cancel, Error, Settings};
use palus_bytecode::{ClassId, Program};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;
pub use supervisor::WorkerExecutor;

/// Loop iterations and method entries one sequence may use.
pub const FUEL: u32 = 1_000_000;
/// Calls of subject methods one sequence may have open; far below what a stack of [`STACK_MIB`] holds.
pub const MAX_DEPTH: u32 = 1_000;
/// Stack of a worker's threads.
pub const STACK_MIB: u32 = 16;
/// Wall clock for one sequence, for what fuel cannot see.
pub const TIME_LIMIT_MILLIS: u32 = 3_000;
/// Workers one executor may lose before it gives up.
pub const MAX_DEATHS: u32 = 20;
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
    /// Class path of the subject, subject classes first.
    pub class_path: Vec<PathBuf>,
    /// Heap of one worker.
    pub memory_mib: u64,
    /// Arguments of the project's test JVM; those that are safe are passed on.
    pub jvm_arguments: Vec<String>,
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
            class_path: settings.class_path.clone(),
            memory_mib: settings.worker_memory_mib,
            jvm_arguments: settings.jvm_arguments.clone(),
            work_directory: settings.work_directory.join("workers"),
            fuel: FUEL,
            max_depth: MAX_DEPTH,
            time_limit_millis: TIME_LIMIT_MILLIS,
            deadline,
            cancel: cancel.clone(),
        }
    }
}

/// Worker JVMs for one program, kept from unit to unit; dropping it ends them all.
pub struct WorkerPool {
    settings: WorkerSettings,
    program: Arc<Program>,
}

impl WorkerPool {
    /// Starts the first worker, so that a `java` that will not start is found here.
    ///
    /// # Errors
    /// A configuration error naming the path and the cure.
    pub fn new(settings: WorkerSettings, program: Arc<Program>) -> Result<WorkerPool, Error> {
        Ok(WorkerPool { settings, program })
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
        let _ = (&self.settings, &self.program, initialise, work);
        Err(Error::internal("workers are missing"))
    }

    /// Which guards of the sandbox hold on this machine, for the report (`landlock, seccomp`).
    pub fn sandbox(&self) -> sandbox::Guards {
        sandbox::Guards::default()
    }
}
