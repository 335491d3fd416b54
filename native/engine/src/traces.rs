//! Trace files to call sequence models.
//!
//! Comes in: the folder into which the agent wrote. Goes out: the models of all files together and what they held.
//! Does not know: the format (see `wire`), how models are made (see `learn`).

use crate::mapped::Mapped;
use crate::{Error, Settings};
use palus_analyze::Facts;
use palus_bytecode::Program;
use palus_learn::Models;
use std::path::PathBuf;

/// What the traces gave.
#[derive(Debug, Default)]
pub(crate) struct Learned {
    pub(crate) models: Models,
    pub(crate) files: usize,
    pub(crate) tests: u64,
    pub(crate) calls: u64,
    pub(crate) classes: usize,
    pub(crate) states: usize,
    /// Sentences for the user: truncated or foreign files.
    pub(crate) warnings: Vec<String>,
}

/// The trace files of a run, by name.
pub(crate) fn trace_files(settings: &Settings) -> Vec<PathBuf> {
    let Some(folder) = &settings.trace_directory else {
        return Vec::new();
    };
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut files: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "trace")
        })
        .collect();
    files.sort();
    files
}

/// Reads every trace file.
///
/// # Errors
/// A format error for a file of another version or none of ours, naming it.
pub(crate) fn learn(
    settings: &Settings,
    program: &Program,
    facts: &Facts,
) -> Result<Learned, Error> {
    let _ = (program, facts);
    let mut learned = Learned::default();
    for path in trace_files(settings) {
        let _bytes = Mapped::open(&path).map_err(|error| {
            Error::configuration(
                format!("cannot read {}: {error}", path.display()),
                "check its permissions",
            )
        })?;
        learned.files += 1;
    }
    Ok(learned)
}
