//! Trace files to call sequence models.
//!
//! Comes in: the folder into which the agent wrote. Goes out: the models of all files together and what they held.
//! Does not know: the format (see `wire`), how models are made (see `learn`).

use crate::mapped::Mapped;
use crate::{Error, ErrorKind, Settings};
use palus_analyze::Facts;
use palus_bytecode::Program;
use palus_learn::{CallSequenceModel, Learner, Models};
use palus_wire::WireError;
use palus_wire::trace::TraceReader;
use std::path::{Path, PathBuf};

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
    let is_pure = |method| facts.is_pure(method);
    let mut reading = Learner::new(program, &is_pure);
    let mut learned = Learned::default();
    for path in trace_files(settings) {
        let bytes = Mapped::open(&path).map_err(|error| {
            Error::configuration(
                format!("cannot read {}: {error}", path.display()),
                "check its permissions",
            )
        })?;
        let mut reader = TraceReader::new(&bytes).map_err(|error| wrong_file(&path, &error))?;
        match reading.read(&mut reader) {
            Ok(()) => {}
            // What stands before the damage has been learned from.
            Err(error @ WireError::Damaged { .. }) => {
                learned.warnings.push(format!(
                    "{} {error}; what stands before it is used",
                    path.display()
                ));
            }
            Err(error) => return Err(wrong_file(&path, &error)),
        }
        learned.files += 1;
    }
    learned.models = reading.finish();
    if settings.k_tail > 0 {
        learned.models = learned.models.k_tailed(settings.k_tail);
    }
    let statistics = learned.models.statistics();
    learned.tests = statistics.tests;
    learned.calls = statistics.calls;
    learned.classes = learned.models.len();
    learned.states = learned
        .models
        .iter()
        .map(CallSequenceModel::node_count)
        .sum();
    Ok(learned)
}

/// The error for a file that is no trace of this version.
fn wrong_file(path: &Path, error: &WireError) -> Error {
    Error::new(
        ErrorKind::Format,
        format!("{} {error}", path.display()),
        "delete it and run the existing tests again under the agent of this version",
    )
}
