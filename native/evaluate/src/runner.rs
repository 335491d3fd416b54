//! One row: the engine on one subject in one mode with one seed, and what its tests cover.
//!
//! Comes in: a task and what all modes of its study have in common. Goes out: a [`Row`]; what the engine said is in the row's log.
//! One worker, the budget for generation of all classes together, or the steps of each class (see `bound.rs`); each test is verified once, and
//! the coverage is that of a run of passing tests only.
//! Does not know: which rows are there already.

use crate::bound::Bound;
use crate::comparison::Task;
use crate::measure::measure;
use crate::options::Options;
use crate::peers::process::append;
use crate::rows::Row;
use crate::subject::Subject;
use palus_engine::{Cancel, Level, Listener, Progress, Settings};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Instant;

/// Seconds beside generation after which a row is given up.
const BESIDE_GENERATION: u64 = 900;

/// Steps and seconds that no row comes to.
const UNREACHED_STEPS: u64 = 1_000_000_000;
const UNREACHED_SECONDS: u64 = 1_000_000;

/// Measures one row.
pub fn run(task: &Task<'_>, common: &[(&str, &str)]) -> Result<Row, String> {
    run_for(task, task.options.bound(), common).map(|ran| ran.row)
}

/// A row and what the engine said beside it.
#[derive(Clone, Debug)]
pub struct Ran {
    pub row: Row,
    /// Seconds that the engine took in all.
    pub seconds: f64,
    /// Tests that were left out.
    pub uncompilable: u64,
    pub failing: u64,
}

/// The same with another bound than the subject's.
pub fn run_for(task: &Task<'_>, bound: Bound, common: &[(&str, &str)]) -> Result<Ran, String> {
    let (name, work) = (task.name(), task.work()?);
    let mut pairs = project(task.options, task.subject, &work);
    let mut add = |name: &str, value: String| pairs.push((name.to_owned(), value));
    add("seed", task.seed.to_string());
    add("workers", "1".to_owned());
    for (name, value) in limits(bound) {
        add(name, value.to_string());
    }
    add("verification", "ONCE".to_owned());
    // A class uses its time up, as the tools beside ours do.
    add("patience", "false".to_owned());
    // Tests of broken contracts are no part of the coverage.
    add("contracts", "false".to_owned());
    add("theories", "false".to_owned());
    for (name, value) in common {
        add(name, (*value).to_owned());
    }
    pairs.extend(chosen(task));
    let log = Log::default();
    let started = now();
    let generated = Settings::from_pairs(&pairs)
        .and_then(|settings| palus_engine::generate(&settings, &log, &Cancel::default()));
    let seconds = now().duration_since(started).as_secs_f64();
    let text = log.0.into_inner().unwrap_or_default();
    let log = task.log()?;
    fs::write(&log, text).map_err(|error| format!("{}: {error}", log.display()))?;
    let summary = generated.map_err(|error| format!("{name}: {error}; {}", error.hint))?;
    let tools = &task.options.tools;
    let counts = measure(tools, &summary.coverage_files, &task.subject.measured)?;
    fs::remove_dir_all(&work).map_err(|error| format!("{}: {error}", work.display()))?;
    let row = Row {
        subject: task.subject.name.clone(),
        mode: task.mode.name.to_owned(),
        seed: task.seed,
        counts,
        tests: summary.tests,
        wall_seconds: summary.generation_millis as f64 / 1000.0,
    };
    Ok(Ran {
        row,
        seconds,
        uncompilable: summary.uncompilable,
        failing: summary.failing,
    })
}

/// Runs the engine as a user has it, with these settings besides; what it said is added to the row's log.
pub fn run_as_user(
    task: &Task<'_>,
    work: &Path,
    settings: &[(&str, String)],
) -> Result<(), String> {
    let mut pairs = project(task.options, task.subject, work);
    for (name, value) in settings {
        pairs.push(((*name).to_owned(), value.clone()));
    }
    pairs.extend(chosen(task));
    let log = Log::default();
    let generated = Settings::from_pairs(&pairs)
        .and_then(|settings| palus_engine::generate(&settings, &log, &Cancel::default()));
    append(&task.log()?, &log.0.into_inner().unwrap_or_default())?;
    generated
        .map(|_| ())
        .map_err(|error| format!("{}: {error}; {}", task.name(), error.hint))
}

/// Which classes get tests, and what the mode says.
fn chosen(task: &Task<'_>) -> Vec<(String, String)> {
    let globs = &task.subject.globs;
    let classes = globs.chosen.iter().map(|glob| ("classes", glob.as_str()));
    let excludes = globs
        .left_out
        .iter()
        .map(|glob| ("excludes", glob.as_str()));
    let settings = task.mode.settings.iter().copied();
    classes
        .chain(excludes)
        .chain(settings)
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect()
}

/// Settings of the engine for a bound: the other one is too large to be reached.
fn limits(bound: Bound) -> [(&'static str, u64); 3] {
    let (steps, seconds) = match bound {
        Bound::Seconds(seconds) => (UNREACHED_STEPS, seconds),
        Bound::Steps(steps) => (steps, UNREACHED_SECONDS),
    };
    [
        ("budget", steps),
        ("generationTime", seconds),
        ("timeLimit", seconds + BESIDE_GENERATION),
    ]
}

#[expect(clippy::disallowed_methods, reason = "this program measures")]
fn now() -> Instant {
    Instant::now()
}

/// The settings that say what a subject is and where all is.
pub fn project(options: &Options, subject: &Subject, work: &Path) -> Vec<(String, String)> {
    let mut pairs: Vec<(String, String)> = Vec::new();
    let mut add = |name: &str, value: String| pairs.push((name.to_owned(), value));
    let text = |path: &Path| path.to_string_lossy().into_owned();
    add("languageLevel", "8".to_owned());
    add("projectName", subject.name.clone());
    for (name, path) in [
        ("projectDirectory", &subject.project),
        ("workDirectory", &work.join("work")),
        ("reportDirectory", &work.join("report")),
        ("outputDirectory", &work.join("tests")),
        ("traceDirectory", &subject.traces()),
        ("javaHome", &options.tools.java_home),
        ("workerJar", &options.tools.worker_jar),
        ("coverageAgent", &options.tools.coverage_agent),
    ] {
        add(name, text(path));
    }
    if let Some(launcher) = &options.tools.launcher {
        add("launcher", text(launcher));
    }
    add("classesDirectory", text(&subject.classes()));
    add("testClassesDirectory", text(&subject.test_classes()));
    let own: [PathBuf; 2] = [subject.classes(), subject.test_classes()];
    for entry in own.iter().chain(&subject.class_path) {
        add("classPath", text(entry));
    }
    pairs
}

/// Keeps what the engine says.
#[derive(Default)]
pub struct Log(pub Mutex<String>);

impl Listener for Log {
    fn line(&self, level: Level, text: &str) {
        if let Ok(mut log) = self.0.lock() {
            let mark = if matches!(level, Level::Warning) {
                "WARNING "
            } else {
                ""
            };
            let _ = writeln!(log, "{mark}{text}");
        }
    }

    fn progress(&self, _text: Progress<'_>) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_in_steps_leaves_no_time_to_end_a_row_and_one_in_time_no_steps() {
        assert_eq!(
            limits(Bound::Steps(4000)),
            [
                ("budget", 4000),
                ("generationTime", 1_000_000),
                ("timeLimit", 1_000_900)
            ]
        );
        assert_eq!(
            limits(Bound::Seconds(60)),
            [
                ("budget", 1_000_000_000),
                ("generationTime", 60),
                ("timeLimit", 960)
            ]
        );
    }
}
