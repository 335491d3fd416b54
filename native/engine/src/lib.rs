//! The facade: the only crate that touches files, processes and the clock.
//!
//! Comes in: [`Settings`] from a plugin. Goes out: written tests, a report, a [`Summary`] for the console.
//! Does not know: JNI, Gradle, Maven; how tests are found, made and printed (it connects the crates that do).

mod config;
mod error;
mod folders;
mod listener;
mod message;
#[doc(hidden)]
pub mod readers;
mod report;
mod run;
mod secrets;
mod subject;
pub mod verify;
pub mod worker;
mod write;

pub use config::{Framework, Settings, Verification};
pub use error::{Error, ErrorKind};
pub use listener::{Cancel, Level, Listener, Progress};
pub use palus_generate::{DependentPosition, Mode};
pub use report::{ExplainSettings, explain};
pub use run::{accept, compare, differences, generate, promote};
pub use secrets::Secrets;
pub use subject::glob::matches;
pub use verify::toolchain;

/// What a run did, for the caller's own use; the console lines have been sent to the listener already.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Tests on disk after the run.
    pub tests: u64,
    /// Test files on disk after the run.
    pub files: u64,
    /// Path of the report's first page.
    pub report: String,
    /// True when nothing had changed and nothing was done.
    pub up_to_date: bool,
    /// Tests that were left out since the project's compiler refuses them.
    pub uncompilable: u64,
    /// Tests that were left out since they failed, hung or ended the JVM.
    pub failing: u64,
    /// Classes that something was tried for.
    pub classes: u64,
    /// Whether the time limit, or a class that could not be worked on, left something undone.
    pub is_cut: bool,
    /// What generation took, without verifying after it, and without learning before it unless the settings count that.
    pub generation_millis: u64,
    /// JaCoCo execution data of the written tests alone; none without its agent.
    pub coverage_files: Vec<std::path::PathBuf>,
}
