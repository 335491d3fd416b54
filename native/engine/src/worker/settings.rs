//! What all workers of a run have in common, and the limits that a sequence has.
//!
//! Comes in: the settings of a run. Goes out: [`WorkerSettings`].
//! Does not know: how a worker is started.

use super::agents::Agents;
use super::folder;
use crate::config::SandboxMode;
use crate::{Cancel, Secrets, Settings};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
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
/// What the kernel lets one JVM have, beside its heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Memory beside its heap, in MiB: classes, code, the stacks of some hundred threads.
    pub beyond_heap_mib: u64,
    /// Bytes it may write into one file.
    pub file: u64,
    /// Files that it may have open, in hundredths of [`OPEN_FILES`].
    pub open_files_percent: u64,
    /// Whether files that it makes have other rights than usual, and root has no more than others.
    pub other_rights: bool,
}

impl Limits {
    /// Of workers, and of tests as they are written.
    pub const USUAL: Limits = Limits {
        beyond_heap_mib: 1024,
        file: 64 << 20,
        open_files_percent: 75,
        other_rights: false,
    };
    /// Of tests that run elsewhere: what rests on one of the usual limits is another thing with these.
    pub const ELSEWHERE: Limits = Limits {
        beyond_heap_mib: 1536,
        file: 256 << 20,
        open_files_percent: 100,
        other_rights: true,
    };
}

/// Files that a JVM may have open, where the system lets us have as many.
pub const OPEN_FILES: u64 = 4096;

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
    /// Properties of the build's command line (`-Dname=value`), which only verification has, where no test is to rest on them.
    pub command_line_properties: Vec<String>,
    /// Names of variables that the build sets for its tests' JVM alone.
    pub test_variables: Vec<String>,
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
    /// How often a test was run so far while tests are verified.
    pub ran: Arc<AtomicU64>,
    /// What became of the project's agents while tests are verified.
    pub agents: Arc<Agents>,
}

/// Where the private folders of a run's JVMs are.
fn folders(settings: &Settings) -> PathBuf {
    settings.work_directory.join("workers")
}

/// Removes private folders that a killed run left; whoever calls it has the work folder for himself.
pub(crate) fn sweep(settings: &Settings) {
    folder::sweep(&folders(settings));
}

impl WorkerSettings {
    /// The folder of files that Palus runs, to which nobody else may write; none where it runs none of its own.
    pub(crate) fn own_files(&self) -> Option<&Path> {
        self.launcher.as_deref().and_then(Path::parent)
    }

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
            command_line_properties: settings.command_line_properties.clone(),
            test_variables: settings.test_variables.clone(),
            secrets: Arc::clone(&settings.secrets),
            work_directory: folders(settings),
            fuel: FUEL,
            max_depth: MAX_DEPTH,
            time_limit_millis: if settings.generation_seconds.is_some() {
                TIME_LIMIT_IN_STUDIES_MILLIS
            } else {
                TIME_LIMIT_MILLIS
            },
            deadline,
            cancel: cancel.clone(),
            ran: Arc::default(),
            agents: Arc::default(),
        }
    }
}
