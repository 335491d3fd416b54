//! The settings of one run, each declared once: name, allowed values, default, what it is, what it decides.
//!
//! Comes in: (name, value) pairs that a plugin collected; a list is the same name repeated.
//! Goes out: [`Settings`], or a clear error for the first wrong one; and all that is known of settings, for the manual,
//! for the plugins (`java/host/src/main/resources/io/palus/host/settings.txt`) and for `state.rs`.
//! Does not know: which build tool asked, beyond its name for messages.

pub(crate) mod apis;
mod covers;
mod given;
mod table;
mod values;

use crate::Error;
use crate::secrets::argument_files::expanded;
use crate::secrets::{Secrets, without_secrets};
use covers::{Covers, Places};
use given::Given;
use palus_generate::{DependentPosition, Mode};
use palus_search::Algorithm;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Arc;
use table::{Effect, Form, Setting, Who, settings};
use values::{Allowed as _, AnyPath, Choice, Decimal, FLAG, Glob, NamesOrGlobs, Text, whole};

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

const FRAMEWORKS: &[(&str, Framework)] = &[
    ("AUTO", Framework::Auto),
    ("JUNIT4", Framework::Junit4),
    ("JUNIT5", Framework::Junit5),
    ("JUNIT6", Framework::Junit6),
];

const SANDBOX_MODES: &[(&str, SandboxMode)] = &[
    ("REQUIRED", SandboxMode::Required),
    ("BEST_EFFORT", SandboxMode::BestEffort),
];

/// Palus uses no other system's kernel.
const SANDBOX_HERE: SandboxMode = if cfg!(target_os = "linux") {
    SandboxMode::Required
} else {
    SandboxMode::BestEffort
};

const MODES: &[(&str, Mode)] = &[
    ("FULL", Mode::Full),
    ("RANDOM", Mode::Random),
    ("UNGUIDED", Mode::Unguided),
    ("STATIC", Mode::Static),
    ("PALULU", Mode::Palulu),
    ("MODEL", Mode::Model),
    ("CONSTRAINTS", Mode::Constraints),
    ("PALUS", Mode::Palus),
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

settings! { given:
    // --- what a user may set: an option of both plugins, in the manual in this order ---
    /// patterns over class names that get tests: `*` stays within a package, `**` crosses dots
    User Decides "classes" classes: Vec<String> = Glob, list("**");
    /// patterns over class names that get none
    User Decides "excludes" excludes: Vec<String> = Glob, list;
    /// steps (executed sequences) per class; fewer are used where nothing more is found, and as many again where all are
    /// used up while open branches still come nearer
    User Decides "budget" budget: u64 = whole(1, 1_000_000_000), one("100000");
    /// seconds for the whole run, a safety net; where it cuts, the run says so and is not repeatable; see
    /// [Short of time](#short-of-time)
    User Cuts "timeLimit" time_limit_seconds: u64 = whole(1, 10_000_000), one("600");
    /// another seed, other tests
    User Decides "seed" seed: u64 = whole(0, u64::MAX), one("0");
    /// heap of one worker JVM in MiB
    User Decides "workerMemory" worker_memory_mib: u64 = whole(64, 1_048_576), one("1024");
    /// worker JVMs at a time, fewer where memory is short; changes nothing in the tests
    User Nothing "workers" workers: usize = whole(1, 1024), one("cores"), or default_workers(worker_memory_mib);
    /// whether to go on where the kernel cannot guard what your code does: `REQUIRED` refuses, `BEST_EFFORT` goes on and
    /// says what is not held; elsewhere than on Linux the default is `BEST_EFFORT`; see [Sandbox](#sandbox)
    User Nothing "sandbox" sandbox: SandboxMode = Choice(SANDBOX_MODES), one("REQUIRED"), or SANDBOX_HERE;
    /// `JUNIT4`, `JUNIT5`, `JUNIT6`, or what the test class path holds
    User Decides "framework" framework: Framework = Choice(FRAMEWORKS), one("AUTO");
    /// how sequences are found; see [Modes](#modes)
    User Decides "mode" mode: Mode = Choice(MODES), one("FULL");
    /// merges states of models that allow the same next calls, this many (1 to 10); 0 merges nothing, and is best for
    /// coverage
    User Decides "kTail" k_tail: u32 = whole(0, 10), one("0");
    /// where a method that shares fields with the one a model calls is called: `AFTER` it, `BEFORE` it, or `RANDOM`
    User Decides "dependentPosition" dependent_position: DependentPosition = Choice(POSITIONS), one("AFTER");
    /// how branches that are still open are searched for: `DYNAMOSA`, `MOSA`, `MONOTONIC_GA`, or `OFF`; see
    /// [Search](#search)
    User Decides "search" search: Option<Algorithm> = Choice(SEARCHES), one("DYNAMOSA"),
        // The other modes are for comparisons of what comes before the search.
        or (mode == Mode::Full).then_some(Algorithm::Dynamosa);
    /// whether tests and what they assert are chosen by the faults of the class that they notice; see
    /// [Assertions](#assertions)
    User Decides "mutants" mutants: bool = FLAG, one("true");
    /// checks what every object must keep to; see [Findings](#findings)
    User Decides "contracts" contracts: bool = FLAG, one("true");
    /// tries the theories of your test classes; see [Theories](#theories)
    User Decides "theories" theories: bool = FLAG, one("true");
    /// APIs whose protocols are learned, so that unsafe uses are found: names of sets such as `COLLECTIONS`, and patterns over
    /// class names of libraries, with commas; see [Protocols](#protocols)
    User Decides "protocols" protocols: Vec<String> = NamesOrGlobs(apis::SETS), one("OFF");
    /// the project's folder, below which relative paths of settings are
    Build Nothing "projectDirectory" project_directory: PathBuf = AnyPath, required;
    /// where caches and what the next run must know are kept (`build/palus`, `target/palus`)
    Build Nothing "workDirectory" work_directory: PathBuf = AnyPath, required;
    /// where tests that show a broken rule are written
    User Decides "findingsDirectory" findings_directory: PathBuf = AnyPath, one("see below"),
        or work_directory.parent().unwrap_or(&work_directory).join("findings"),
        as |folder| project_directory.join(folder);
    /// the file of known findings
    User Content "baseline" baseline: PathBuf = AnyPath, one("palus-baseline.json"),
        as |file| project_directory.join(file);
    /// writes the findings of this run into the baseline
    User Decides "updateBaseline" update_baseline: bool = FLAG, one("false");
    /// replaces tests of the last run that fail on changed code, in this run; without it such a test fails the run; see
    /// [Behaviour that changed](#behaviour-that-changed)
    User Nothing "accept" accept: bool = FLAG, one("false");
    /// whether `palus:check`, `palusCheck` and `palus:test` fail where behaviour changed; a run that would write tests
    /// fails in any case
    User Nothing "failOnChange" fail_on_change: bool = FLAG, one("true");
    /// where tests are written
    User Nothing "outputDirectory" output_directory: PathBuf = AnyPath, required("see below");
    /// whether classes that are as the last run left them keep their tests and are not worked on again; see
    /// [What is not done again](#what-is-not-done-again)
    User Decides "incremental" incremental: bool = FLAG, one("true");
    /// where promoted tests go, a folder of your own test sources; see [Keeping tests](#keeping-tests)
    User Content "promoteDirectory" promote_directory: PathBuf = AnyPath, one("src/test/java"),
        as |folder| project_directory.join(folder);
    /// which written tests `palus:promote` and `palusPromote` move: those that reach one of these classes, methods or lines,
    /// such as `shop.Rates`, `shop.Rates#fee` or `shop.Rates:12-20`
    User Nothing "covers" covers: Covers = Places, one("**");
    /// how many tests of each class they move at most: one of each method first, those that notice most faults
    User Nothing "bestPerClass" best_per_class: usize = whole(1, 1_000_000), one("all"), or usize::MAX;

    // --- for studies, which measure ---
    /// seconds for generation alone, to be used up; none: what `timeLimit` leaves
    Study Decides "generationTime" generation_seconds: Option<u64> = whole(1, 10_000_000), optional;
    /// whether that time counts from the start of the run, loading and learning included
    Study Decides "generationFromStart" generation_from_start: bool = FLAG, one("false");
    /// steps per class after which the search begins, if its share of the time is not over before; none: its share of
    /// `budget`
    Study Decides "exploringSteps" exploring_steps: Option<u64> = whole(1, 1_000_000_000), optional;
    /// how written tests are verified: as ever, or once for a measurement
    Study Decides "verification" verification: Verification = Choice(VERIFICATIONS), one("TWICE");
    /// whether the search makes tests from object construction graphs
    Study Decides "templates" templates: bool = FLAG, one("true");
    /// whether the search feeds operands of comparisons back
    Study Decides "operandFeedback" operand_feedback: bool = FLAG, one("true");
    /// whether generation that no longer gains gives up before its steps or time are used up
    Study Decides "patience" patience: bool = FLAG, one("true");

    // --- what a plugin knows from the build ---
    /// the project's name, for messages
    Build Nothing "projectName" project_name: String = Text, one("");
    /// where the report goes
    Build Nothing "reportDirectory" report_directory: PathBuf = AnyPath, required;
    /// the subject's own compiled classes
    Build Content "classesDirectory" classes_directories: Vec<PathBuf> = AnyPath, list;
    /// the compiled tests
    Build Content "testClassesDirectory" test_classes_directories: Vec<PathBuf> = AnyPath, list;
    /// the whole test runtime class path, class folders included, in order
    Build Content "classPath" class_path: Vec<PathBuf> = AnyPath, list;
    /// the other revision's compiled classes, where two revisions are compared
    Build Nothing "baseClassesDirectory" base_classes_directories: Vec<PathBuf> = AnyPath, list;
    /// the class path of the other revision's code
    Build Nothing "baseClassPath" base_class_path: Vec<PathBuf> = AnyPath, list;
    /// what the other revision is called: `main`, `HEAD~1`
    Build Nothing "since" since: String = Text, one("");
    /// which state of it that is, in a sentence, where its name does not say it
    Build Nothing "comparedWith" compared_with: String = Text, one("");
    /// main sources, for the report
    Build Nothing "sourceDirectory" source_directories: Vec<PathBuf> = AnyPath, list;
    /// folder with `*.trace` files of the traced test run; may be missing or empty
    Build Content "traceDirectory" trace_directory: Option<PathBuf> = AnyPath, optional;
    /// how many tests the traced run had, for the summary line
    Build Nothing "traceTests" trace_tests: Option<u64> = whole(0, u64::MAX), optional;
    /// how long the traced run took
    Build Nothing "traceSeconds" trace_seconds: Option<f64> = Decimal, optional;
    /// `KIND=why` for each kind of tests (`JUNIT3`, `JUNIT4`, `JUPITER`, `TESTNG`) that the build's own test run would
    /// leave out
    Build Nothing "notRun" not_run: Vec<String> = Text, list;
    /// execution data of the existing tests, of JaCoCo
    Build Nothing "coverageFile" coverage_files: Vec<PathBuf> = AnyPath, list;
    /// jars that hold `io.palus.host.CoverageMain` and the core of JaCoCo
    Build Nothing "coverageClassPath" coverage_class_path: Vec<PathBuf> = AnyPath, list;
    /// the agent of JaCoCo, for the verification runs
    Build Nothing "coverageAgent" coverage_agent: Option<PathBuf> = AnyPath, optional;
    /// the classes that it instruments, as patterns of its option `includes`; none said: all
    Build Nothing "coverageInclude" coverage_includes: Vec<String> = Text, list;
    /// the JDK of the project's toolchain
    Build Content "javaHome" java_home: PathBuf = AnyPath, required;
    /// source level of the project's tests (7, 8, 11, 17, ...)
    Build Decides "languageLevel" language_level: u32 = whole(5, 1000), one("8");
    /// effective arguments of javac in test compilation, without class path and output
    Build Decides "compilerArgument" compiler_arguments: Vec<String> = Text, list;
    /// arguments of the project's test JVM (without our agent); a placeholder stands for each value that is like a
    /// secret or holds one
    Build Decides "jvmArgument" jvm_arguments: Vec<String> = Text, list,
        as |arguments: Vec<String>| {
            without_secrets(&expanded(&arguments, &folder(given)), &held_back(given))
        };
    /// properties of the build's command line, as such arguments, that the build tool hands to every test JVM: verification
    /// has them in its second run alone, and drops what rests on them
    Build Decides "commandLineProperty" command_line_properties: Vec<String> = Text, list,
        as |arguments: Vec<String>| without_secrets(&arguments, &held_back(given));
    /// names of environment variables that the build sets for the tests' JVM; those of this process need not be named
    Build Decides "testVariable" test_variables: Vec<String> = Text, list,
        as |names: Vec<String>| not_ours(names);
    /// properties of the build (`name=value`); with those arguments and the environment of this process they say what
    /// nothing that is written may hold
    Build Nothing "buildProperty" secrets: Arc<Secrets> = Text, list,
        as |_: Vec<String>| Arc::new(held_back(given));
    /// `palus-worker.jar`, agent and worker in one
    Build Content "workerJar" worker_jar: PathBuf = AnyPath, required;
    /// the sandbox launcher; none where the platform has none
    Build Nothing "launcher" launcher: Option<PathBuf> = AnyPath, optional;
    /// whether the build has other modules, for which the same is done
    Build Nothing "hasOtherModules" has_other_modules: bool = FLAG, one("false");
    /// whether the build runs the written tests itself once a look at them has ended
    Build Nothing "testsRunNext" tests_run_next: bool = FLAG, one("false");
    /// how to do the same again, for the report (`mvn palus:generate -Dpalus.seed=7`)
    Build Nothing "commandLine" command_line: String = Text, one("");
}

impl Settings {
    /// Where the text of what all inputs were in the last complete run is kept.
    pub(crate) fn state_file(&self) -> PathBuf {
        self.work_directory.join("state")
    }

    /// Reads what a user set before anything is compiled, traced or run; what the plugin adds later may be missing.
    ///
    /// # Errors
    /// As [`Settings::from_pairs`].
    pub fn partial(pairs: &[(String, String)]) -> Result<Settings, Error> {
        let table = Settings::table();
        let is_given = |name: &str| pairs.iter().any(|(given, _)| given == name);
        let later = table
            .iter()
            .filter(|setting| setting.form == Form::required && !is_given(setting.name))
            .map(|setting| (setting.name.to_owned(), ".".to_owned()));
        let all: Vec<_> = pairs.iter().cloned().chain(later).collect();
        Settings::read(&Given::new(&all, &table)?)
    }

    /// Reads and checks settings.
    ///
    /// # Errors
    /// A configuration error naming the setting, its value, what is allowed and what is nearest to it.
    pub fn from_pairs(pairs: &[(String, String)]) -> Result<Settings, Error> {
        let settings = Settings::read(&Given::new(pairs, &Settings::table())?)?;
        if settings.classes_directories.is_empty() {
            return Err(Error::configuration(
                "there are no compiled classes to test",
                "compile the main classes first; a module without main classes needs no Palus",
            ));
        }
        Ok(settings)
    }
}

/// Variables that verification has not yet: those of this process have their names there, zone and locale their values.
fn not_ours(mut names: Vec<String>) -> Vec<String> {
    names.retain(|name| {
        let is_fixed = name == "TZ" || name == "LANG" || name.starts_with("LC_");
        !is_fixed && std::env::var_os(name).is_none()
    });
    names.sort();
    names.dedup();
    names
}

/// Values of the environment, of the project's test JVM and of the build.
fn held_back(given: &Given<'_>) -> Secrets {
    let texts = |name: &str| -> Vec<String> {
        let texts = given.texts(name).iter();
        texts.map(|&text| text.to_owned()).collect()
    };
    let arguments = expanded(&texts("jvmArgument"), &folder(given));
    Secrets::of_build(&arguments, &texts("buildProperty"))
}

/// Where the project's test JVM starts, which names of files in its arguments are relative to.
fn folder(given: &Given<'_>) -> PathBuf {
    let folder = given.texts("projectDirectory");
    folder.last().map(PathBuf::from).unwrap_or_default()
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
