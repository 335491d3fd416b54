//! EvoSuite: class by class, so that all classes together take the time of the row.
//!
//! Comes in: a task, its jar and a Java it runs on. Goes out: a folder of sources, and the seconds it took.
//! One class after another, each in a JVM of its own, as the tool works. A class has its fair share of what is left, JVM
//! start and all; the search gets what the other phases, by what they took so far, leave of the share. What a class
//! leaves goes to those after it.
//! It shortens and asserts as it does by default, each phase bounded: without assertions its tests do not expect the
//! exceptions they end in, and fail.
//! Does not know: what its tests cover.

use super::process::{Ended, append, now, run_java};
use crate::comparison::Task;
use crate::options::Tool;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What phases other than the search are taken to need before any class has shown it, as a part of a share.
const BESIDE: f64 = 0.4;
/// The least that a search gets of a share.
const LEAST: f64 = 0.2;
/// A class is stopped this many shares after its start, and what it has found is lost with it.
const MOST_SHARES: f64 = 2.0;
/// The same in seconds, for small shares.
const PATIENCE: f64 = 60.0;

/// Lets it write tests.
pub fn generate(
    task: &Task<'_>,
    tool: &Tool,
    classes: &[String],
    work: &Path,
) -> Result<(PathBuf, f64), String> {
    let log = task.log()?;
    let started = now();
    let whole = task.options.budget_seconds as f64;
    let mut beside: Vec<f64> = Vec::new();
    let mut told = String::new();
    for (number, class) in classes.iter().enumerate() {
        let elapsed = now().duration_since(started).as_secs_f64();
        let share = (whole - elapsed).max(0.0) / (classes.len() - number) as f64;
        let search = search(share, &beside);
        let arguments = arguments(task, tool, class, search, share);
        let most = (share * MOST_SHARES).max(share + PATIENCE);
        let Ended { seconds, code } = run_java(
            &tool.java_home,
            &arguments,
            work,
            &log,
            Duration::from_secs_f64(most),
        )?;
        beside.push((seconds - f64::from(search)).max(0.0));
        let ended = code.map_or("stopped".to_owned(), |code| format!("exit {code}"));
        let _ = writeln!(
            told,
            "{class}: share {share:.1} s, search {search} s, took {seconds:.1} s, {ended}"
        );
    }
    let seconds = now().duration_since(started).as_secs_f64();
    append(&log, &told)?;
    let tests = work.join("evosuite-tests");
    fs::create_dir_all(&tests).map_err(|error| format!("{}: {error}", tests.display()))?;
    Ok((tests, seconds))
}

/// Whole seconds of search for a class, given what the other phases took for those before it.
fn search(share: f64, beside: &[f64]) -> u32 {
    let expected = if beside.is_empty() {
        share * BESIDE
    } else {
        beside.iter().sum::<f64>() / beside.len() as f64
    };
    let seconds = (share - expected).max(share * LEAST).max(1.0);
    #[expect(clippy::cast_sign_loss, reason = "it is at least 1")]
    let seconds = seconds.round() as u32;
    seconds
}

fn arguments(task: &Task<'_>, tool: &Tool, class: &str, search: u32, share: f64) -> Vec<String> {
    // No phase may take the time of all others; by default each has a minute or two.
    let phase = (share / 3.0).clamp(2.0, 60.0).round();
    let mut arguments = vec!["-jar".to_owned(), tool.jar.display().to_string()];
    let class_path = task.subject.class_path_text();
    for (name, value) in [
        ("-class", class.to_owned()),
        ("-projectCP", class_path),
        ("-seed", task.seed.to_string()),
        ("-mem", "1500".to_owned()),
    ] {
        arguments.extend([name.to_owned(), value]);
    }
    arguments.push(format!("-Dsearch_budget={search}"));
    for name in [
        "initialization",
        "minimization",
        "assertion",
        "extra",
        "write_junit",
    ] {
        arguments.push(format!("-D{name}_timeout={phase}"));
    }
    for setting in [
        // Otherwise the tests load the subject by a class loader that JaCoCo's agent does not see, and need an old Java.
        "no_runtime_dependency=true",
        "use_separate_classloader=false",
        "show_progress=false",
    ] {
        arguments.push(format!("-D{setting}"));
    }
    arguments
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_search_gets_what_the_other_phases_leave() {
        assert_eq!(search(30.0, &[]), 18);
        assert_eq!(search(30.0, &[10.0, 14.0]), 18);
        // However long they take.
        assert_eq!(search(30.0, &[40.0]), 6);
        assert_eq!(search(0.0, &[40.0]), 1);
    }
}
