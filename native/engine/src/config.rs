//! Settings of one run: read from (name, value) pairs, checked, with a clear error for each wrong one.
//!
//! Comes in: what a plugin collected; a list is the same name repeated.
//! Goes out: [`Settings`]. Defaults are here and nowhere else.
//! Does not know: which build tool asked, beyond its name for messages.

use crate::secrets::{Secrets, without_secrets};
use crate::{Error, folders};
use palus_generate::{DependentPosition, Mode};
use palus_search::Algorithm;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

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

/// What a run does where the kernel cannot close the sandbox of the code under test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SandboxMode {
    /// It runs nothing.
    Required,
    /// It goes on with what there is, and says what is not held.
    BestEffort,
}

/// How written tests are verified.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verification {
    /// In batches while others are generated, and all together, each time in both surroundings.
    Twice,
    /// All together after generation and in the project's surroundings only; tests are neither shortened, asserted nor
    /// limited in number, for they are measured and not read.
    Once,
}

/// Everything one run needs to know.
#[expect(
    clippy::struct_excessive_bools,
    reason = "settings that are on or off, each by itself"
)]
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
    /// `sandbox`: `REQUIRED`, `BEST_EFFORT`; default `REQUIRED`, but on systems whose kernel Palus does not use (all but
    /// Linux) `BEST_EFFORT`.
    pub sandbox: SandboxMode,
    /// `framework`: `AUTO`, `JUNIT4`, `JUNIT5`, `JUNIT6`.
    pub framework: Framework,
    /// `contracts`: whether default contracts are checked; default true.
    pub contracts: bool,
    /// `theories`: whether theories of the test classes are tried; default true.
    pub theories: bool,
    /// `findingsDirectory`: where tests that show a broken rule are written; default `findings` beside the work
    /// folder.
    pub findings_directory: PathBuf,
    /// `baseline`: the file of known findings; default `palus-baseline.json` in the project folder.
    pub baseline: PathBuf,
    /// `updateBaseline`: whether the findings of this run become the known ones; default false.
    pub update_baseline: bool,
    /// `mode`: `RANDOM`, `UNGUIDED`, `STATIC`, `PALULU`, `MODEL`, `CONSTRAINTS`, `FULL`, `LITERAL`, `BLIND`; default `FULL`.
    pub mode: Mode,
    /// `kTail`: merges states of models by what may follow, up to this many calls; default 0, off.
    pub k_tail: u32,
    /// `dependentPosition`: `AFTER`, `BEFORE`, `RANDOM`; default `AFTER`.
    pub dependent_position: DependentPosition,
    /// `search`: `DYNAMOSA`, `MOSA`, `MONOTONIC_GA`, or `OFF` (none); default `DYNAMOSA` in mode `FULL`, else `OFF`.
    pub search: Option<Algorithm>,
    /// `outputDirectory`: where tests are written.
    pub output_directory: PathBuf,

    // --- for studies, which measure ---
    /// `generationTime`: wall-clock seconds for generation alone, to be used up; none: what `timeLimit` leaves.
    pub generation_seconds: Option<u64>,
    /// `generationFromStart`: whether that time counts from the start of the run, loading and learning included;
    /// default false.
    pub generation_from_start: bool,
    /// `exploringSteps`: steps per class after which the search begins, if its share of the time is not over before;
    /// none: its share of `budget`.
    pub exploring_steps: Option<u64>,
    /// `verification`: `TWICE`, `ONCE`.
    pub verification: Verification,
    /// `templates`: whether the search makes tests from object construction graphs; default true.
    pub templates: bool,
    /// `operandFeedback`: whether the search feeds operands of comparisons back; default true.
    pub operand_feedback: bool,
    /// `patience`: whether generation that no longer gains gives up before its steps or time are used up; default true.
    pub patience: bool,

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
    /// `notRun` (repeated): `KIND=why` for each kind of tests (`JUNIT3`, `JUNIT4`, `JUPITER`, `TESTNG`) that the build's own
    /// test run would leave out.
    pub not_run: Vec<String>,
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
    /// `jvmArgument` (repeated): arguments of the project's test JVM (without our agent); a placeholder stands for each
    /// value like a secret's.
    pub jvm_arguments: Vec<String>,
    /// What nothing that is written may hold: from those arguments, each `buildProperty` (`name=value`, repeated), and the
    /// environment of this process.
    pub secrets: Arc<Secrets>,
    /// `workerJar`: `palus-worker.jar`, agent and worker in one.
    pub worker_jar: PathBuf,
    /// `launcher`: the sandbox launcher; none where the platform has none.
    pub launcher: Option<PathBuf>,
    /// `commandLine`: how to reproduce, for the report (`mvn palus:generate -Dpalus.seed=7`).
    pub command_line: String,
}

const FRAMEWORKS: &[(&str, Framework)] = &[
    ("AUTO", Framework::Auto),
    ("JUNIT4", Framework::Junit4),
    ("JUNIT5", Framework::Junit5),
    ("JUNIT6", Framework::Junit6),
];

/// The first is the default of this system.
const SANDBOX_MODES: &[(&str, SandboxMode)] = if cfg!(target_os = "linux") {
    &[
        ("REQUIRED", SandboxMode::Required),
        ("BEST_EFFORT", SandboxMode::BestEffort),
    ]
} else {
    &[
        ("BEST_EFFORT", SandboxMode::BestEffort),
        ("REQUIRED", SandboxMode::Required),
    ]
};

const MODES: &[(&str, Mode)] = &[
    ("FULL", Mode::Full),
    ("RANDOM", Mode::Random),
    ("UNGUIDED", Mode::Unguided),
    ("STATIC", Mode::Static),
    ("PALULU", Mode::Palulu),
    ("MODEL", Mode::Model),
    ("CONSTRAINTS", Mode::Constraints),
    ("LITERAL", Mode::Literal),
    ("BLIND", Mode::Blind),
];

const POSITIONS: &[(&str, DependentPosition)] = &[
    ("AFTER", DependentPosition::After),
    ("BEFORE", DependentPosition::Before),
    ("RANDOM", DependentPosition::Random),
];

const SEARCHES: &[(&str, Option<Algorithm>)] = &[
    ("DYNAMOSA", Some(Algorithm::Dynamosa)),
    ("MOSA", Some(Algorithm::Mosa)),
    ("MONOTONIC_GA", Some(Algorithm::MonotonicGa)),
    ("OFF", None),
];

const VERIFICATIONS: &[(&str, Verification)] =
    &[("TWICE", Verification::Twice), ("ONCE", Verification::Once)];

/// Names a plugin may pass more than once.
const LISTS: &[&str] = &[
    "classes",
    "excludes",
    "classesDirectory",
    "testClassesDirectory",
    "classPath",
    "sourceDirectory",
    "coverageFile",
    "coverageClassPath",
    "compilerArgument",
    "jvmArgument",
    "buildProperty",
    "notRun",
];

/// Names a plugin may pass once.
const SINGLES: &[&str] = &[
    "budget",
    "timeLimit",
    "seed",
    "workers",
    "workerMemory",
    "sandbox",
    "framework",
    "contracts",
    "theories",
    "findingsDirectory",
    "baseline",
    "updateBaseline",
    "mode",
    "kTail",
    "dependentPosition",
    "search",
    "generationTime",
    "generationFromStart",
    "exploringSteps",
    "verification",
    "templates",
    "operandFeedback",
    "patience",
    "outputDirectory",
    "projectName",
    "projectDirectory",
    "workDirectory",
    "reportDirectory",
    "traceDirectory",
    "traceTests",
    "traceSeconds",
    "coverageAgent",
    "javaHome",
    "languageLevel",
    "workerJar",
    "launcher",
    "commandLine",
];

/// What a plugin learns only while the build goes on, with values that pass.
const LATER: &[(&str, &str)] = &[
    ("projectDirectory", "."),
    ("workDirectory", "."),
    ("reportDirectory", "."),
    ("outputDirectory", "."),
    ("classesDirectory", "."),
    ("javaHome", "."),
    ("workerJar", "."),
];

impl Settings {
    /// Checks what a user set before anything is compiled, traced or run; what the plugin adds later may be missing.
    /// Folders are compared as far as they are given: a plugin that gives `projectDirectory` gives all of them.
    ///
    /// # Errors
    /// As [`Settings::from_pairs`].
    pub fn check(pairs: &[(String, String)]) -> Result<(), Error> {
        let given = |name: &str| pairs.iter().any(|(given, _)| given == name);
        let later = LATER.iter().filter(|(name, _)| !given(name));
        let later = later.map(|&(name, value)| (name.to_owned(), value.to_owned()));
        let all: Vec<_> = pairs.iter().cloned().chain(later).collect();
        let settings = Settings::from_pairs(&all)?;
        if given("projectDirectory") {
            folders::check(&settings)?;
        } else if given("outputDirectory") && given("findingsDirectory") {
            folders::apart(&settings)?;
        }
        Ok(())
    }

    /// Reads and checks settings.
    ///
    /// # Errors
    /// A configuration error naming the setting, its value and what is allowed.
    pub fn from_pairs(pairs: &[(String, String)]) -> Result<Settings, Error> {
        let pairs = Pairs::new(pairs)?;
        let worker_memory_mib = pairs.number("workerMemory", 1024, 64, 1_048_576)?;
        let workers = match pairs.single("workers") {
            Some(_) => pairs.number("workers", 1, 1, 1024)? as usize,
            None => default_workers(worker_memory_mib),
        };
        // What a user sets is checked before what a plugin sets.
        let budget = pairs.number("budget", 100_000, 1, 1_000_000_000)?;
        let time_limit_seconds = pairs.number("timeLimit", 600, 1, 10_000_000)?;
        let seed = pairs.number("seed", 0, 0, u64::MAX)?;
        let project_directory = pairs.path("projectDirectory")?;
        let work_directory = pairs.path("workDirectory")?;
        let mode = pairs.choice("mode", MODES)?;
        let search = pairs.choice("search", SEARCHES)?;
        // The other modes are for comparisons of what comes before the search.
        let is_searched = mode == Mode::Full || pairs.single("search").is_some();
        let jvm_arguments = pairs.list("jvmArgument");
        let settings = Settings {
            classes: pairs.globs("classes", &["**"])?,
            excludes: pairs.globs("excludes", &[])?,
            budget,
            time_limit_seconds,
            seed,
            workers,
            worker_memory_mib,
            sandbox: pairs.choice("sandbox", SANDBOX_MODES)?,
            contracts: pairs.flag("contracts", true)?,
            theories: pairs.flag("theories", true)?,
            findings_directory: match pairs.single("findingsDirectory") {
                Some(folder) => project_directory.join(folder),
                None => work_directory.parent().map_or_else(
                    || work_directory.join("findings"),
                    |parent| parent.join("findings"),
                ),
            },
            baseline: project_directory
                .join(pairs.single("baseline").unwrap_or("palus-baseline.json")),
            update_baseline: pairs.flag("updateBaseline", false)?,
            framework: pairs.choice("framework", FRAMEWORKS)?,
            mode,
            k_tail: pairs.number("kTail", 0, 0, 10)? as u32,
            dependent_position: pairs.choice("dependentPosition", POSITIONS)?,
            search: search.filter(|_| is_searched),
            generation_seconds: pairs.given("generationTime", 10_000_000)?,
            generation_from_start: pairs.flag("generationFromStart", false)?,
            exploring_steps: pairs.given("exploringSteps", 1_000_000_000)?,
            verification: pairs.choice("verification", VERIFICATIONS)?,
            templates: pairs.flag("templates", true)?,
            operand_feedback: pairs.flag("operandFeedback", true)?,
            patience: pairs.flag("patience", true)?,
            output_directory: pairs.path("outputDirectory")?,
            project_name: pairs.single("projectName").unwrap_or_default().to_owned(),
            project_directory,
            work_directory,
            report_directory: pairs.path("reportDirectory")?,
            classes_directories: pairs.paths("classesDirectory"),
            test_classes_directories: pairs.paths("testClassesDirectory"),
            class_path: pairs.paths("classPath"),
            source_directories: pairs.paths("sourceDirectory"),
            trace_directory: pairs.single("traceDirectory").map(PathBuf::from),
            trace_tests: pairs.optional("traceTests")?,
            trace_seconds: pairs.optional("traceSeconds")?,
            not_run: pairs.list("notRun"),
            coverage_files: pairs.paths("coverageFile"),
            coverage_class_path: pairs.paths("coverageClassPath"),
            coverage_agent: pairs.single("coverageAgent").map(PathBuf::from),
            java_home: pairs.path("javaHome")?,
            language_level: pairs.number("languageLevel", 8, 5, 1000)? as u32,
            compiler_arguments: pairs.list("compilerArgument"),
            jvm_arguments: without_secrets(&jvm_arguments),
            secrets: Arc::new(Secrets::of_build(
                &jvm_arguments,
                &pairs.list("buildProperty"),
            )),
            worker_jar: pairs.path("workerJar")?,
            launcher: pairs.single("launcher").map(PathBuf::from),
            command_line: pairs.single("commandLine").unwrap_or_default().to_owned(),
        };
        if settings.classes_directories.is_empty() {
            return Err(Error::configuration(
                "there are no compiled classes to test",
                "compile the main classes first; a module without main classes needs no Palus",
            ));
        }
        Ok(settings)
    }
}

/// The pairs, with every name known and every single name given once.
struct Pairs<'a>(BTreeMap<&'a str, Vec<&'a str>>);

impl<'a> Pairs<'a> {
    fn new(pairs: &'a [(String, String)]) -> Result<Self, Error> {
        let mut map: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (name, value) in pairs {
            if !LISTS.contains(&name.as_str()) && !SINGLES.contains(&name.as_str()) {
                return Err(Error::configuration(
                    format!("there is no setting `{name}`"),
                    format!(
                        "known settings: {}, {}",
                        SINGLES.join(", "),
                        LISTS.join(", ")
                    ),
                ));
            }
            map.entry(name).or_default().push(value);
        }
        for name in SINGLES {
            if map.get(name).is_some_and(|values| values.len() > 1) {
                return Err(Error::configuration(
                    format!("the setting `{name}` is given more than once"),
                    "give it once",
                ));
            }
        }
        Ok(Pairs(map))
    }

    fn single(&self, name: &str) -> Option<&'a str> {
        self.0.get(name).and_then(|values| values.first()).copied()
    }

    fn list(&self, name: &str) -> Vec<String> {
        self.0
            .get(name)
            .into_iter()
            .flatten()
            .map(|&value| value.to_owned())
            .collect()
    }

    fn paths(&self, name: &str) -> Vec<PathBuf> {
        self.list(name).into_iter().map(PathBuf::from).collect()
    }

    fn path(&self, name: &str) -> Result<PathBuf, Error> {
        self.single(name)
            .filter(|value| !value.is_empty())
            .map(PathBuf::from)
            .ok_or_else(|| {
                Error::configuration(format!("the setting `{name}` is missing"), "give it a path")
            })
    }

    fn number(&self, name: &str, default: u64, low: u64, high: u64) -> Result<u64, Error> {
        let Some(text) = self.single(name) else {
            return Ok(default);
        };
        text.trim()
            .parse::<u64>()
            .ok()
            .filter(|number| (low..=high).contains(number))
            .ok_or_else(|| {
                let allowed = if high == u64::MAX {
                    format!("a whole number from {low}")
                } else {
                    format!("a whole number from {low} to {high}")
                };
                wrong(name, text, &allowed)
            })
    }

    /// A whole number from 1 to `high`, if there is one.
    fn given(&self, name: &str, high: u64) -> Result<Option<u64>, Error> {
        self.single(name)
            .map(|_| self.number(name, 1, 1, high))
            .transpose()
    }

    fn flag(&self, name: &str, default: bool) -> Result<bool, Error> {
        match self.single(name).map(str::trim) {
            None => Ok(default),
            Some("true") => Ok(true),
            Some("false") => Ok(false),
            Some(other) => Err(wrong(name, other, "true or false")),
        }
    }

    fn optional<T: FromStr>(&self, name: &str) -> Result<Option<T>, Error> {
        self.single(name)
            .map(|text| {
                text.trim()
                    .parse()
                    .map_err(|_| wrong(name, text, "a number"))
            })
            .transpose()
    }

    fn globs(&self, name: &str, default: &[&str]) -> Result<Vec<String>, Error> {
        let globs = self.list(name);
        if globs.is_empty() {
            return Ok(default.iter().map(|&glob| glob.to_owned()).collect());
        }
        let fits = |glob: &str| {
            !glob.is_empty()
                && glob
                    .chars()
                    .all(|c| c.is_alphanumeric() || matches!(c, '.' | '*' | '?' | '$' | '_' | '-'))
        };
        match globs.iter().find(|glob| !fits(glob)) {
            Some(glob) => Err(wrong(
                name,
                glob,
                "patterns over class names such as `com.acme.**` or `**.Account*`",
            )),
            None => Ok(globs),
        }
    }

    /// One of a few names; the first is the default.
    fn choice<T: Copy>(&self, name: &str, among: &[(&str, T)]) -> Result<T, Error> {
        let Some(text) = self.single(name) else {
            return Ok(among[0].1);
        };
        let chosen = among.iter().find(|(known, _)| *known == text);
        chosen.map(|&(_, chosen)| chosen).ok_or_else(|| {
            let (last, others) = among.split_last().expect("there is a default");
            let others: Vec<&str> = others.iter().map(|(known, _)| *known).collect();
            wrong(name, text, &format!("{} or {}", others.join(", "), last.0))
        })
    }
}

fn wrong(name: &str, value: &str, allowed: &str) -> Error {
    Error::configuration(
        format!("the setting `{name}` has the value `{value}`"),
        format!("allowed: {allowed}"),
    )
}

/// One worker per core, as long as their heaps fit into half of the free memory; at least one.
fn default_workers(worker_memory_mib: u64) -> usize {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let free_mib = free_memory_mib().unwrap_or(u64::MAX);
    cores
        .min(
            (free_mib / 2 / worker_memory_mib)
                .max(1)
                .try_into()
                .unwrap_or(cores),
        )
        .max(1)
}

/// What Linux says is available; none elsewhere.
fn free_memory_mib() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.split_whitespace()
        .next()?
        .parse::<u64>()
        .ok()
        .map(|kib| kib / 1024)
}

#[cfg(test)]
mod tests;
