//! Trace files to call sequence models.
//!
//! Comes in: the folder into which the agent wrote. Goes out: the models of all files together and what they held.
//! Does not know: the format (see `wire`), how models are made (see `learn`).
//!
//! The models are kept in the work folder and taken from there as long as the bytes of the trace files, and all that
//! learning asks of the classes, are the same. Models of damaged files are not kept, as each run has to say so.

use crate::subject::input::Input;
use crate::subject::model_cache::{ModelCache, TraceDigest};
use crate::{Error, ErrorKind, Secrets, Settings};
use palus_analyze::Facts;
use palus_bytecode::Program;
use palus_learn::{CallSequenceModel, Learner, Models};
use palus_wire::WireError;
use palus_wire::trace::{PlainValue, TraceReader};
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
    /// True if no trace had to be read.
    pub(crate) from_cache: bool,
    /// True if an earlier run has seen these very files: the build that runs now has traced nothing.
    pub(crate) is_old: bool,
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
    let paths = trace_files(settings);
    let mut learned = Learned {
        files: paths.len(),
        is_old: is_old(settings, &paths),
        ..Learned::default()
    };
    if !paths.is_empty() {
        let files = paths.iter().map(|path| digest(path));
        let files: Vec<TraceDigest> = files.collect::<Result<_, _>>()?;
        let cache = ModelCache::new(settings, program, facts, &files);
        if let Some(models) = cache.read(program) {
            learned.models = models;
            learned.from_cache = true;
        } else {
            read(
                &mut learned,
                &paths,
                &files,
                program,
                facts,
                &settings.secrets,
            )?;
            if learned.warnings.is_empty() {
                cache.write(program, &learned.models);
            }
        }
    }
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

/// Whether the last run saw these files, and nobody wrote them since; notes them for the next run.
fn is_old(settings: &Settings, paths: &[PathBuf]) -> bool {
    let state = |path: &PathBuf| {
        let about = std::fs::metadata(path).ok()?;
        let name = path.file_name()?.to_string_lossy().into_owned();
        Some(format!(
            "{name} {} {:?}",
            about.len(),
            about.modified().ok()?
        ))
    };
    let states: Vec<String> = paths.iter().filter_map(state).collect();
    let (text, file) = (states.join("\n"), settings.work_directory.join("traced"));
    let is_old = std::fs::read_to_string(&file).is_ok_and(|old| old == text);
    // Where it cannot be noted, the next run takes the files for new ones.
    let _ = std::fs::write(&file, text);
    is_old
}

fn digest(path: &Path) -> Result<TraceDigest, Error> {
    let file = Input::open(path).map_err(|error| unreadable(path, &error))?;
    if file.size() > LARGEST_TRACE {
        let (size, most) = (file.size() >> 30, LARGEST_TRACE >> 30);
        return Err(Error::new(
            ErrorKind::Format,
            format!(
                "{} has {size} GiB, and no trace has more than {most}",
                path.display()
            ),
            "delete it and run the existing tests again under the agent",
        ));
    }
    TraceDigest::of(file).map_err(|error| unreadable(path, &error))
}

/// Bytes of a trace file above which somebody else wrote it. A call takes some ten bytes, and the agent stops recording
/// a method long before a trace has so many.
const LARGEST_TRACE: u64 = 4 << 30;

fn unreadable(path: &Path, error: &std::io::Error) -> Error {
    Error::configuration(
        format!("cannot read {}: {error}", path.display()),
        "check its permissions",
    )
}

/// Reads the files one after the other, so that no more than one of them is held in memory.
fn read(
    learned: &mut Learned,
    paths: &[PathBuf],
    digests: &[TraceDigest],
    program: &Program,
    facts: &Facts,
    secrets: &Secrets,
) -> Result<(), Error> {
    let is_pure = |method| facts.is_pure(method);
    // The agent holds back what it knows of; this process may know of more.
    let is_held = |value: PlainValue<'_>| secrets.holds_plain(value);
    let mut reading = Learner::new(program, &is_pure);
    for (path, digest) in paths.iter().zip(digests) {
        let file = Input::open(path).map_err(|error| unreadable(path, &error))?;
        let watch = file.watch();
        let bytes = file.bytes().map_err(|error| unreadable(path, &error))?;
        let reader = TraceReader::new(&bytes).map_err(|error| wrong_file(path, &error))?;
        let mut reader = reader.holding_back(&is_held);
        match reading.read(&mut reader) {
            Ok(()) => {}
            // What stands before the damage has been learned from.
            Err(error @ WireError::Damaged { .. }) => {
                learned.warnings.push(format!(
                    "{} {error}; what stands before it is used",
                    path.display()
                ));
            }
            Err(error) => return Err(wrong_file(path, &error)),
        }
        if watch.has_changed() || !watch.is_as(&digest.watch) {
            learned.warnings.push(format!(
                "{} was changed while it was read; let the tests end that write it, and run again",
                path.display()
            ));
        }
    }
    learned.models = reading.finish();
    Ok(())
}

/// The error for a file that is no trace of this version.
fn wrong_file(path: &Path, error: &WireError) -> Error {
    Error::new(
        ErrorKind::Format,
        format!("{} {error}", path.display()),
        "delete it and run the existing tests again under the agent of this version",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_larger_than_any_trace_is_refused_before_it_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("1.trace");
        let file = std::fs::File::create(&path).unwrap();
        file.set_len(LARGEST_TRACE + 1).unwrap();
        let Err(error) = digest(&path) else {
            panic!("it was read");
        };
        let text = error.to_string();
        assert!(text.contains("no trace has more than 4"), "{text}");
    }
}
