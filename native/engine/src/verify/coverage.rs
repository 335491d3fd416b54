//! Coverage figures as JaCoCo gives them: its own analyzer reads the execution data, in a JVM of its own.
//!
//! Comes in: execution data files and class folders. Goes out: counts per class and the status of source lines.
//! Does not know: who ran the tests. Only bytes of subject classes are read; none is loaded.

use crate::run::unit::cancelled;
use crate::worker::process::{Launch, Spawner, Trouble, is_past};
use crate::worker::sandbox::fixed_environment;
use crate::{Cancel, Error, Settings};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Lines and branches of one class, or of all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Lines with at least one instruction run.
    pub lines_covered: u32,
    /// Lines with code.
    pub lines: u32,
    /// Branches run.
    pub branches_covered: u32,
    /// Branches.
    pub branches: u32,
}

/// JaCoCo's view of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LineStatus {
    /// Nothing of it ran.
    Missed,
    /// Some of it ran, or some of its branches.
    Partly,
    /// All of it ran.
    Full,
}

/// Coverage of a set of classes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Coverage {
    /// All classes together.
    pub(crate) total: Counts,
    /// By internal class name.
    pub(crate) classes: BTreeMap<String, Counts>,
    /// By source file (`package/Name.java`), then line.
    pub(crate) lines: BTreeMap<String, BTreeMap<u32, LineStatus>>,
    /// Sentences about files that are damaged, and classes that are others than those that ran.
    pub(crate) warnings: Vec<String>,
}

/// Measures; `None` when the plugin gave no analyzer, or it did not end before the deadline.
///
/// # Errors
/// An internal error when the analyzer does not answer as expected: a run has no figures then, and goes on.
pub(crate) fn measure(
    settings: &Settings,
    execution_data: &[PathBuf],
    deadline: Instant,
    cancel: &Cancel,
) -> Result<Option<Coverage>, Error> {
    if settings.coverage_class_path.is_empty() {
        return Ok(None);
    }
    let class_path = std::env::join_paths(&settings.coverage_class_path).map_err(|error| {
        Error::internal(format!(
            "the analyzer's class path cannot be joined: {error}"
        ))
    })?;
    let java = settings.java_home.join("bin").join("java");
    let mut arguments: Vec<OsString> = [
        "-Xmx512m",
        "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1",
        "-Dfile.encoding=UTF-8",
        "-Dstdout.encoding=UTF-8",
        "-cp",
    ]
    .map(OsString::from)
    .into();
    arguments.extend([class_path, "io.palus.host.CoverageMain".into()]);
    for file in execution_data.iter().filter(|file| file.is_file()) {
        arguments.extend(["--exec".into(), file.into()]);
    }
    let folders = settings.classes_directories.iter();
    for folder in folders.filter(|folder| folder.is_dir()) {
        arguments.extend(["--classes".into(), folder.into()]);
    }
    let launch = Launch {
        program: java.clone(),
        arguments,
        folder: settings.work_directory.clone(),
        environment: fixed_environment(&settings.work_directory, &settings.work_directory),
        ..Launch::default()
    };
    let broken = |error: &dyn std::fmt::Display| {
        Error::configuration(
            format!("cannot start {}: {error}", java.display()),
            "set the project's toolchain or JAVA_HOME to a JDK",
        )
    };
    let spawner = Spawner::new();
    let mut process = spawner.spawn(launch).map_err(|error| broken(&error))?;
    process.close_input();
    let mut answer = Vec::new();
    loop {
        if cancel.is_cancelled() {
            return Err(cancelled());
        }
        if is_past(Some(deadline)) {
            return Ok(None);
        }
        match process.receive(&mut answer, PATIENCE) {
            Ok(()) if answer.len() > LARGEST_ANSWER => {
                let most = LARGEST_ANSWER >> 20;
                let text = format!("the coverage analyzer answered more than {most} MiB");
                return Err(Error::internal(text));
            }
            Ok(()) | Err(Trouble::Late) => {}
            Err(Trouble::Ended) => break,
            Err(Trouble::System(error)) => return Err(broken(&error)),
        }
    }
    let status = process.wait(Duration::from_secs(10));
    if !status.is_some_and(|status| status.success()) {
        let ended = status.map_or_else(|| "no status".to_owned(), |status| status.to_string());
        let text = process.complaints();
        let tail: Vec<&str> = text.lines().take(5).collect();
        return Err(Error::internal(format!(
            "the coverage analyzer ended with {ended}: {}",
            tail.join(" | ")
        )));
    }
    parse(&String::from_utf8_lossy(&answer)).map(Some)
}

/// Bytes that it may answer. A project of 100,000 classes takes a tenth of it.
const LARGEST_ANSWER: usize = 256 << 20;
/// How often a running analyzer is asked whether the run is cancelled.
const PATIENCE: Duration = Duration::from_millis(100);

/// Reads what the analyzer says.
pub(crate) fn parse(text: &str) -> Result<Coverage, Error> {
    let mut coverage = Coverage::default();
    for line in text.lines() {
        let damaged = || Error::internal(format!("the coverage analyzer answered `{line}`"));
        let fields: Vec<&str> = line.split('\t').collect();
        let number = |index: usize| {
            fields
                .get(index)
                .and_then(|field| field.parse().ok())
                .ok_or_else(damaged)
        };
        match fields[0] {
            "C" | "T" => {
                let first = if fields[0] == "C" {
                    2
                } else {
                    fields.len().checked_sub(4).ok_or_else(damaged)?
                };
                let counts = Counts {
                    lines_covered: number(first)?,
                    lines: number(first + 1)?,
                    branches_covered: number(first + 2)?,
                    branches: number(first + 3)?,
                };
                if fields[0] == "C" {
                    coverage.classes.insert(fields[1].to_owned(), counts);
                } else {
                    coverage.total = counts;
                }
            }
            "L" => {
                let status = match number(3)? {
                    1 => LineStatus::Missed,
                    2 => LineStatus::Partly,
                    3 => LineStatus::Full,
                    _ => continue,
                };
                coverage
                    .lines
                    .entry(fields[1].to_owned())
                    .or_default()
                    .insert(number(2)?, status);
            }
            "W" => {
                let text = fields.get(1).copied().unwrap_or_default();
                coverage.warnings.push(text.to_owned());
            }
            _ => return Err(damaged()),
        }
    }
    Ok(coverage)
}

impl Counts {
    /// Covered lines in percent; 100 without lines.
    pub fn line_percent(&self) -> f64 {
        percent(self.lines_covered, self.lines)
    }

    /// Covered branches in percent; 100 without branches.
    pub fn branch_percent(&self) -> f64 {
        percent(self.branches_covered, self.branches)
    }
}

fn percent(covered: u32, all: u32) -> f64 {
    if all == 0 {
        100.0
    } else {
        100.0 * f64::from(covered) / f64::from(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    #[expect(clippy::disallowed_methods, reason = "a deadline is a moment")]
    fn an_analyzer_that_hangs_is_ended_at_the_deadline_and_when_the_run_is_cancelled() {
        let folder = tempfile::tempdir().unwrap();
        crate::verify::toolchain::tests::hanging_jdk(folder.path(), "java");
        let here = folder.path().display().to_string();
        let names = [
            "outputDirectory",
            "projectDirectory",
            "workDirectory",
            "reportDirectory",
            "classesDirectory",
            "javaHome",
            "workerJar",
            "coverageClassPath",
        ];
        let pairs = names.map(|name| (name.to_owned(), here.clone()));
        let settings = Settings::from_pairs(&pairs).unwrap();
        let soon = Instant::now() + Duration::from_millis(300);
        let measured = measure(&settings, &[], soon, &Cancel::default()).unwrap();
        assert_eq!(measured, None);
        let cancel = Cancel::default();
        cancel.cancel();
        let late = Instant::now() + Duration::from_secs(1000);
        let error = measure(&settings, &[], late, &cancel).unwrap_err();
        assert_eq!(error.kind, crate::ErrorKind::Cancelled);
    }

    #[test]
    fn the_analyzers_lines_are_read() {
        let text = "C\ta/B\t3\t4\t1\t2\nL\ta/B.java\t7\t2\nL\ta/B.java\t8\t0\nW\tx is cut\nT\t3\t4\t1\t2\n";
        let coverage = parse(text).unwrap();
        assert_eq!(coverage.classes["a/B"], coverage.total);
        assert_eq!(
            coverage.lines["a/B.java"],
            BTreeMap::from([(7, LineStatus::Partly)])
        );
        assert_eq!(coverage.warnings, ["x is cut"]);
        assert!((coverage.total.line_percent() - 75.0).abs() < 1e-9);
        assert!(parse("X\t1").is_err());
        assert!(parse("C\ta/B\tthree").is_err());
    }
}
