//! Settings of one run: read from (name, value) pairs, checked, with a clear error for each wrong one.
//!
//! Comes in: what a plugin collected; a list is the same name repeated.
//! Goes out: [`Settings`]. Defaults are here and nowhere else.
//! Does not know: which build tool asked, beyond its name for messages.

use crate::Error;
use std::path::PathBuf;

/// JUnit flavour of written tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Framework {
    /// Whatever the test class path holds; Jupiter wins over JUnit 4.
    Auto,
    /// JUnit 4.
    Junit4,
    /// JUnit 5 (Jupiter).
    Junit5,
    /// JUnit 6 (Jupiter).
    Junit6,
}

/// Everything one run needs to know.
#[derive(Clone, Debug)]
pub struct Settings {
    // --- what a user may set, the same names in both plugins ---
    /// `classes`: globs over class names that get tests; default `**`.
    pub classes: Vec<String>,
    /// `excludes`: globs over class names that get none.
    pub excludes: Vec<String>,
    /// `budget`: steps (executed sequences) per class; default 100,000.
    pub budget: u64,
    /// `timeLimit`: wall-clock seconds for the whole run, a safety net; default 600.
    pub time_limit_seconds: u64,
    /// `seed`: default 0.
    pub seed: u64,
    /// `workers`: worker JVMs; default the number of cores, bounded by memory.
    pub workers: usize,
    /// `workerMemory`: heap of one worker in MiB; default 1024.
    pub worker_memory_mib: u64,
    /// `framework`: `AUTO`, `JUNIT4`, `JUNIT5`, `JUNIT6`.
    pub framework: Framework,
    /// `outputDirectory`: where tests are written.
    pub output_directory: PathBuf,

    // --- what the plugin knows from the build ---
    /// `projectName`, for messages.
    pub project_name: String,
    /// `projectDirectory`
    pub project_directory: PathBuf,
    /// `workDirectory`: caches, manifest, findings (`build/palus`, `target/palus`).
    pub work_directory: PathBuf,
    /// `reportDirectory`
    pub report_directory: PathBuf,
    /// `classesDirectory` (repeated): the subject's own compiled classes.
    pub classes_directories: Vec<PathBuf>,
    /// `testClassesDirectory` (repeated)
    pub test_classes_directories: Vec<PathBuf>,
    /// `classPath` (repeated): the whole test runtime class path, class folders included, in order.
    pub class_path: Vec<PathBuf>,
    /// `sourceDirectory` (repeated): main sources, for the report.
    pub source_directories: Vec<PathBuf>,
    /// `traceDirectory`: folder with `*.trace` files of the traced test run; may be missing or empty.
    pub trace_directory: Option<PathBuf>,
    /// `traceTests`, `traceSeconds`: what the traced run was, for the summary line.
    pub trace_tests: Option<u64>,
    /// See `trace_tests`.
    pub trace_seconds: Option<f64>,
    /// `coverageFile` (repeated): JaCoCo execution data of the existing tests.
    pub coverage_files: Vec<PathBuf>,
    /// `coverageClassPath` (repeated): jars that hold `io.palus.host.CoverageMain` and JaCoCo's core.
    pub coverage_class_path: Vec<PathBuf>,
    /// `coverageAgent`: JaCoCo's agent jar for the verification runs.
    pub coverage_agent: Option<PathBuf>,
    /// `javaHome`: the project's toolchain JDK.
    pub java_home: PathBuf,
    /// `languageLevel`: source level of the project's tests (7, 8, 11, 17, ...).
    pub language_level: u32,
    /// `compilerArgument` (repeated): effective javac arguments of test compilation, without class path and output.
    pub compiler_arguments: Vec<String>,
    /// `jvmArgument` (repeated): arguments of the project's test JVM (without our agent).
    pub jvm_arguments: Vec<String>,
    /// `workerJar`: `palus-worker.jar`, agent and worker in one.
    pub worker_jar: PathBuf,
    /// `launcher`: the sandbox launcher; none where the platform has none.
    pub launcher: Option<PathBuf>,
    /// `commandLine`: how to reproduce, for the report (`mvn palus:generate -Dpalus.seed=7`).
    pub command_line: String,
}

impl Settings {
    /// Reads and checks settings.
    ///
    /// # Errors
    /// A configuration error naming the setting, its value and what is allowed.
    pub fn from_pairs(pairs: &[(String, String)]) -> Result<Settings, Error> {
        let _ = pairs;
        Err(Error::configuration("settings are not read yet", "wait"))
    }
}
