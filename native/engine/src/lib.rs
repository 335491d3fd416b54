//! The facade: the only crate that touches files, processes and the clock.
//!
//! Comes in: [`Settings`] from a plugin. Goes out: written tests, a report, a [`Summary`] for the console.
//! Does not know: JNI, Gradle, Maven; any algorithm (it only connects the other crates).

mod config;
mod error;
mod listener;
pub mod toolchain;
pub mod verify;
pub mod worker;

pub use config::{Framework, Settings};
pub use error::{Error, ErrorKind};
pub use listener::{Cancel, Level, Listener};

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
}

/// Runs the whole pipeline once: learn, analyze, generate, verify, write, report.
///
/// # Errors
/// An [`Error`] with its kind and a hint; tests verified before it stay on disk.
pub fn generate(settings: &Settings, listener: &dyn Listener, cancel: &Cancel) -> Result<Summary, Error> {
    let _ = (settings, listener, cancel);
    Err(Error::internal("the pipeline is missing"))
}
