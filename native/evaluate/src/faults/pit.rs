//! PIT on tests that compile and pass: how many faults of the measured classes there are, are reached, and are noticed.
//!
//! Comes in: files of passing tests, the Java they run on. Goes out: [`Found`], by PIT's default faults.
//! PIT runs what it is given without a sandbox, in a folder of its own; hence only tests are given to it that passed in one, where
//! what the sandbox denies fails a test.
//! Does not know: who wrote the tests.

use crate::comparison::Task;
use crate::peers::judge::compiled;
use crate::peers::process::{Ended, run_java};
use crate::peers::sources::TestFile;
use crate::subject::files;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Longest that it may take, in seconds.
const MOST_SECONDS: u64 = 3600;

/// What it found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Found {
    /// Faults in all.
    pub made: u64,
    /// Of these, what a test reaches.
    pub covered: u64,
    /// Of these, what makes a test fail or hang.
    pub killed: u64,
    pub seconds: f64,
}

/// Runs it.
pub fn run(
    task: &Task<'_>,
    passing: &[TestFile],
    java_home: &Path,
    more: &[PathBuf],
    work: &Path,
) -> Result<Found, String> {
    let subject = task.subject;
    let own = [subject.classes(), subject.test_classes()];
    let class_path: Vec<PathBuf> = own
        .iter()
        .chain(&subject.class_path)
        .chain(more)
        .cloned()
        .collect();
    let work = work.join("pit");
    let folder = work.join("folder");
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut passing = passing.to_vec();
    passing.retain(|file| !file.tests.is_empty());
    let classes = compiled(task, &mut passing, &class_path, &work)?;
    let tests: Vec<String> = passing.iter().map(TestFile::class).collect();
    if tests.is_empty() {
        return Ok(Found::default());
    }
    let report = work.join("report");
    let all = [
        task.options.pit_class_path.clone(),
        vec![classes],
        class_path,
    ]
    .concat();
    let arguments = arguments(
        &all,
        &targets(&subject.measured)?,
        &tests,
        &report,
        threads(task),
    );
    let log = task.log()?;
    let Ended { seconds, code } = run_java(
        java_home,
        &arguments,
        &folder,
        &log,
        Duration::from_secs(MOST_SECONDS),
    )?;
    if code != Some(0) {
        let ended = code.map_or(format!("was stopped after {MOST_SECONDS} s"), |code| {
            format!("ended with {code}")
        });
        return Err(format!(
            "{}: PIT {ended}; see {}",
            task.name(),
            log.display()
        ));
    }
    let file = report.join("mutations.csv");
    let text = fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
    read(&text, seconds)
}

/// The machine's cores belong to the rows that are measured at a time.
fn threads(task: &Task<'_>) -> usize {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    (cores / task.options.jobs).max(1)
}

/// Names of the classes in a folder.
fn targets(folder: &Path) -> Result<Vec<String>, String> {
    let names = files(folder)?.into_iter().filter_map(|file| {
        let relative = file.strip_prefix(folder).ok()?.with_extension("");
        Some(relative.to_string_lossy().replace('/', "."))
    });
    Ok(names.collect())
}

fn arguments(
    class_path: &[PathBuf],
    targets: &[String],
    tests: &[String],
    report: &Path,
    threads: usize,
) -> Vec<String> {
    let class_path: Vec<String> = class_path
        .iter()
        .map(|path| path.display().to_string())
        .collect();
    let sources = report.display().to_string();
    let mut arguments = vec!["-Xmx1g".to_owned(), "-cp".to_owned(), class_path.join(":")];
    arguments.push("org.pitest.mutationtest.commandline.MutationCoverageReport".to_owned());
    for (name, value) in [
        ("--reportDir", &sources),
        // It wants one; nothing is shown from it.
        ("--sourceDirs", &sources),
        ("--targetClasses", &targets.join(",")),
        ("--targetTests", &tests.join(",")),
        ("--threads", &threads.to_string()),
        ("--outputFormats", &"CSV".to_owned()),
        ("--timestampedReports", &"false".to_owned()),
        ("--timeoutConst", &"4000".to_owned()),
        ("--jvmArgs", &"-Xmx2g".to_owned()),
    ] {
        arguments.extend([name.to_owned(), value.clone()]);
    }
    // Tests that rest on the order in which they run fail under PIT alone.
    arguments.push("--skipFailingTests".to_owned());
    arguments
}

/// Lines as `Lamp.java,demo.Lamp,org.pitest...MathMutator,light,12,KILLED,demo.LampTest.light(demo.LampTest)`.
fn read(text: &str, seconds: f64) -> Result<Found, String> {
    let mut found = Found {
        seconds,
        ..Found::default()
    };
    for line in text.lines() {
        let status = line.split(',').nth(5);
        let (is_covered, is_killed) = match status {
            Some("KILLED" | "TIMED_OUT" | "MEMORY_ERROR" | "RUN_ERROR" | "NON_VIABLE") => {
                (true, true)
            }
            Some("SURVIVED") => (true, false),
            Some("NO_COVERAGE") => (false, false),
            _ => return Err(format!("PIT's results have a line of another form: {line}")),
        };
        found.made += 1;
        found.covered += u64::from(is_covered);
        found.killed += u64::from(is_killed);
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_hangs_is_noticed_and_what_no_test_reaches_is_not() {
        let text = "Lamp.java,demo.Lamp,a.MathMutator,light,12,KILLED,demo.LampTest\n\
            Lamp.java,demo.Lamp,a.MathMutator,light,13,TIMED_OUT,demo.LampTest\n\
            Lamp.java,demo.Lamp,a.MathMutator,light,14,SURVIVED,none\n\
            Lamp.java,demo.Lamp,a.MathMutator,light,15,NO_COVERAGE,none\n";
        let found = read(text, 2.5).unwrap();
        assert_eq!((found.made, found.covered, found.killed), (4, 3, 2));
        assert!(
            read("Lamp.java,demo.Lamp\n", 0.0)
                .unwrap_err()
                .ends_with("demo.Lamp")
        );
    }
}
