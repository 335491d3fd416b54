//! What the tests of another tool are worth: compiled, run, measured as those of Palus are.
//!
//! Comes in: a folder of Java sources. Goes out: [`Judged`]: the coverage of a run in which all tests pass, and how many
//! tests were left out on the way there.
//! A test that the compiler refuses is taken out alone, an import too; where neither is at fault, the file is lost.
//! Running them is the engine's own verification, once, in the surroundings of Palus's tests, with more memory.
//! Does not know: which tool wrote them.

use super::process::append;
use super::sources::TestFile;
use crate::comparison::Task;
use crate::measure::measure;
use crate::rows::Counts;
use palus_engine::Cancel;
use palus_engine::toolchain::{Compilation, compile};
use palus_engine::verify::{CoverageAgent, Repeat, TestId, Verdict, Verification, verify};
use palus_engine::worker::{FUEL, MAX_DEPTH, TIME_LIMIT_MILLIS, WorkerSettings};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// Heap of the JVM that runs the tests, in MiB; verification takes half of what it is told.
const HEAP_MIB: u64 = 4096;

/// What came out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Judged {
    /// Tests that the tool wrote.
    pub written: u64,
    /// Of these, what the compiler refused.
    pub uncompilable: u64,
    /// Of these, what failed, hung or ended the JVM.
    pub failing: u64,
    pub counts: Counts,
    /// The files with what passed alone.
    pub passing: Vec<TestFile>,
}

/// Judges the tests in `sources`, run by `java_home` with `more` on the class path.
pub fn judge(
    task: &Task<'_>,
    sources: &Path,
    java_home: &Path,
    more: &[PathBuf],
    work: &Path,
) -> Result<Judged, String> {
    let mut judged = Judged::default();
    let mut files = read(sources)?;
    judged.written = count(&files);
    let subject = task.subject;
    let own = [subject.classes(), subject.test_classes()];
    let class_path = own.iter().chain(&subject.class_path).chain(more).cloned();
    let class_path: Vec<PathBuf> = class_path.collect();
    let classes = compiled(task, &mut files, &class_path, work)?;
    judged.uncompilable = judged.written - count(&files);
    let tests: Vec<TestId> = files
        .iter()
        .flat_map(|file| file.tests.iter().map(|test| (file.class(), &test.method)))
        .map(|(class, method)| TestId {
            class,
            method: method.clone(),
            repeat: Repeat::Never,
            is_kept: false,
        })
        .collect();
    let settings = WorkerSettings {
        java_home: java_home.to_owned(),
        worker_jar: task.options.tools.worker_jar.clone(),
        launcher: task.options.tools.launcher.clone(),
        landlock: true,
        required: false,
        class_path,
        memory_mib: HEAP_MIB,
        jvm_arguments: vec![format!("-Xmx{HEAP_MIB}m")],
        command_line_properties: Vec::new(),
        test_variables: Vec::new(),
        secrets: std::sync::Arc::default(),
        work_directory: work.join("run"),
        fuel: FUEL,
        max_depth: MAX_DEPTH,
        time_limit_millis: TIME_LIMIT_MILLIS,
        deadline: None,
        cancel: Cancel::default(),
        ran: std::sync::Arc::default(),
        agents: std::sync::Arc::default(),
    };
    let verified = verify(&Verification {
        settings: &settings,
        test_classes: &classes,
        tests: &tests,
        coverage_agent: Some(CoverageAgent {
            jar: &task.options.tools.coverage_agent,
            includes: &[],
        }),
        workers: 1,
        orders: 0,
        once: true,
        blames: false,
        is_last: true,
    })
    .map_err(|error| format!("{}: {error}; {}", task.name(), error.hint))?;
    let mut told = String::new();
    for (test, verdict) in tests.iter().zip(&verified.verdicts) {
        if let Verdict::Failed { reason, text } = verdict {
            judged.failing += 1;
            leave_out(&mut files, test);
            let _ = writeln!(
                told,
                "{}.{}: {} {text}",
                test.class,
                test.method,
                reason.code()
            );
        }
    }
    append(&task.log()?, &told)?;
    judged.counts = measure(
        &task.options.tools,
        &verified.coverage_files,
        &subject.measured,
    )?;
    judged.passing = files;
    Ok(judged)
}

/// Takes a test out of its file.
fn leave_out(files: &mut [TestFile], test: &TestId) {
    let Some(file) = files.iter_mut().find(|file| file.class() == test.class) else {
        return;
    };
    let mut tests = file.tests.iter();
    if let Some(found) = tests.find(|found| found.method == test.method) {
        let line = *found.lines.start();
        file.take_out(line);
    }
}

/// The folder of compiled tests; what the compiler refuses is taken out of the files, or a file is lost.
pub fn compiled(
    task: &Task<'_>,
    files: &mut Vec<TestFile>,
    class_path: &[PathBuf],
    work: &Path,
) -> Result<PathBuf, String> {
    let folder = work.join("compiled");
    loop {
        let texts = files
            .iter()
            .map(|file| (file.path.clone(), file.text.clone()));
        let texts: Vec<(PathBuf, String)> = texts.collect();
        let compilation = Compilation {
            java_home: &task.options.tools.java_home,
            language_level: 8,
            arguments: &[],
            class_path,
            sources: &texts,
            folder: &folder,
            own_files: None,
        };
        if texts.is_empty() {
            return Ok(folder.join("classes"));
        }
        let result =
            compile(&compilation, None, &Cancel::default()).map_err(|error| error.to_string())?;
        if result.errors.is_empty() {
            return Ok(result.classes);
        }
        let mut lines: BTreeMap<&Path, Vec<u32>> = BTreeMap::new();
        for error in &result.errors {
            lines.entry(&error.file).or_default().push(error.line);
        }
        let before = texts.len();
        let mut taken = false;
        files.retain_mut(|file| match lines.get(file.path.as_path()) {
            Some(lines) => {
                let kept = remove(file, lines);
                taken = true;
                kept
            }
            None => true,
        });
        if !taken && files.len() == before {
            return Err(format!("{}: the compiler names unknown files", task.name()));
        }
    }
}

/// Takes what stands on these lines out of a file; false if the file is lost.
fn remove(file: &mut TestFile, lines: &[u32]) -> bool {
    let before = file.clone();
    let mut done: Vec<u32> = Vec::new();
    for &line in lines {
        let of_the_same = done.iter().any(|&other| {
            let mut tests = before.tests.iter();
            line == other
                || tests.any(|test| test.lines.contains(&line) && test.lines.contains(&other))
        });
        if of_the_same {
            continue;
        }
        if !file.take_out(line) {
            return false;
        }
        done.push(line);
    }
    true
}

fn count(files: &[TestFile]) -> u64 {
    files.iter().map(|file| file.tests.len() as u64).sum()
}

/// All Java files below a folder, by path.
fn read(sources: &Path) -> Result<Vec<TestFile>, String> {
    let mut files = Vec::new();
    for path in crate::subject::files(sources)? {
        if path.extension().is_none_or(|extension| extension != "java") {
            continue;
        }
        let bytes = fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let relative = path.strip_prefix(sources).unwrap_or(&path);
        files.push(TestFile::read(relative, text));
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_errors_in_one_test_take_out_that_test_alone() {
        let text = "class T {\n @Test\n public void a() {\n  x;\n  y;\n }\n @Test\n public void b() {}\n int f = z;\n}\n";
        let file = || TestFile::read(Path::new("T.java"), text.to_owned());
        let mut first = file();
        assert!(remove(&mut first, &[4, 5, 5]));
        assert_eq!(first.tests.len(), 1);
        assert_eq!(first.tests[0].method, "b");
        assert!(!remove(&mut file(), &[9]), "a field is at fault");
    }
}
