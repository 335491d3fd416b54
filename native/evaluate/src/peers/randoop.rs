//! Randoop: all classes at once.
//!
//! Comes in: a task, its jar. Goes out: a folder of sources, and the seconds it took.
//! Its time limit bounds making sequences; writing tests comes after that, so the limit is a part of the row's time.
//! Tests that reveal errors are off; so is what it does about tests that do not compile or are flaky, which is found out
//! afterwards for all tools alike, and takes most of its time.
//! A call that does not return holds up all, and nothing is written; then it is run once more with calls in threads of
//! their own, where it is many times slower but ends, and that run counts.
//! Does not know: what its tests cover.

use super::process::{Ended, append, run_java};
use crate::comparison::Task;
use crate::options::Tool;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Part of the time after which it makes no more sequences.
const MAKING: f64 = 0.9;
/// It is stopped so many seconds after twice its time.
const PATIENCE: u64 = 60;

/// Lets it write tests.
pub fn generate(
    task: &Task<'_>,
    tool: &Tool,
    classes: &[String],
    work: &Path,
) -> Result<(PathBuf, f64), String> {
    let failed = |path: &Path, error: &std::io::Error| format!("{}: {error}", path.display());
    let (list, tests) = (work.join("classes.txt"), work.join("tests"));
    fs::write(&list, classes.join("\n")).map_err(|error| failed(&list, &error))?;
    fs::create_dir_all(&tests).map_err(|error| failed(&tests, &error))?;
    let log = task.log()?;
    let budget = task.options.budget_seconds;
    let limit = (budget as f64 * MAKING).max(1.0).round();
    let class_path = format!("{}:{}", tool.jar.display(), task.subject.class_path_text());
    let mut arguments: Vec<String> = [
        "-Xmx8g",
        "-cp",
        &class_path,
        "randoop.main.Main",
        "gentests",
    ]
    .map(str::to_owned)
    .to_vec();
    arguments.extend([
        format!("--classlist={}", list.display()),
        format!("--time-limit={limit}"),
        format!("--randomseed={}", task.seed),
        format!("--junit-output-dir={}", tests.display()),
        "--progressdisplay=false".to_owned(),
        "--no-error-revealing-tests=true".to_owned(),
        "--check-compilable=false".to_owned(),
        "--flaky-test-behavior=OUTPUT".to_owned(),
    ]);
    let most = Duration::from_secs(budget * 2 + PATIENCE);
    loop {
        let Ended { seconds, code } = run_java(&tool.java_home, &arguments, work, &log, most)?;
        let ended = code.map_or("stopped".to_owned(), |code| format!("exit {code}"));
        append(&log, &format!("took {seconds:.1} s, {ended}\n"))?;
        let threads = "--usethreads=true".to_owned();
        if code.is_some() || arguments.contains(&threads) {
            return Ok((tests, seconds));
        }
        arguments.push(threads);
    }
}
