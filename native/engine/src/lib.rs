//! The facade: the only crate that touches files, processes and the clock.
//!
//! Comes in: [`Settings`] from a plugin. Goes out: written tests, a report, a [`Summary`] for the console.
//! Does not know: JNI, Gradle, Maven; any algorithm (it only connects the other crates).

mod batches;
mod board;
mod class_path;
mod config;
mod coverage;
mod defect;
mod disk;
mod earlier;
mod error;
mod explain;
mod explaining;
mod findings;
mod folders;
mod foreign;
mod glob;
mod input;
mod kept;
mod lending;
mod listener;
mod lock;
mod manifest;
mod message;
mod model_cache;
mod names;
mod open;
mod pipeline;
mod prepared;
mod project;
#[doc(hidden)]
pub mod readers;
mod release;
mod reporting;
mod results;
mod schedule;
mod secrets;
mod so_far;
mod state;
pub mod toolchain;
mod traces;
mod unit;
mod untraced;
mod user_code;
mod verifier;
pub mod verify;
pub mod worker;
mod written;

pub use config::{Framework, Settings, Verification};
pub use error::{Error, ErrorKind};
pub use explain::{ExplainSettings, explain};
pub use glob::matches;
pub use listener::{Cancel, Level, Listener, Progress};
pub use palus_generate::{DependentPosition, Mode};
pub use pipeline::generate;
pub use secrets::Secrets;

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
    /// What generation took, without verifying after it, and without learning before it unless the settings count that.
    pub generation_millis: u64,
    /// JaCoCo execution data of the written tests alone; none without its agent.
    pub coverage_files: Vec<std::path::PathBuf>,
}
