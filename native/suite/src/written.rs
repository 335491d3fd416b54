//! What is written: test classes, their tests, and how their text must look.
//!
//! Comes in: nothing. Goes out: the types that assembling fills and printing reads.
//! Does not know: how tests are chosen, how they are printed.

use crate::assertion::Assertion;
use crate::read_back::ReadTest;
use crate::told::Told;
use palus_bytecode::ClassId;
use palus_sequence::{Executor, ExecutorError, Mutant, Probe, Run, Sequence};

/// Makes sequences that are like others, for faults that these come to and do not notice.
pub type Vary<'a> =
    dyn FnMut(&[Sequence], &mut dyn Executor) -> Result<Vec<Sequence>, ExecutorError> + 'a;

/// The name that the test with this text had in the last run.
pub type Known<'a> = dyn Fn(&str) -> Option<String> + 'a;

/// What more tests come from than kept runs, and their names than from what they do.
pub struct Means<'m, 'v, 'o> {
    /// What the project's own tests did.
    pub replays: &'m [Run],
    /// Names of the last run.
    pub known: Option<&'m Known<'m>>,
    /// Tests of the last run, in their order.
    pub earlier: &'m [ReadTest],
    /// Neighbours of sequences.
    pub vary: &'m mut Vary<'v>,
    /// Runs the same on another version of the code: what differs there is shown.
    pub other: Option<&'m mut (dyn Executor + 'o)>,
}

/// Among what tests kill, differences to another version are numbered from here, above all mutants.
pub(crate) const DIFFERENCES: u32 = 1 << 31;

/// How source text must look for the project at hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Style {
    /// JUnit flavour.
    pub framework: TestFramework,
    /// Java source level of the project's tests (7, 8, 11, ...).
    pub language_level: u32,
    /// Who makes the temporary folder of a test, and removes it.
    pub folder: FolderOf,
    /// Whether its JUnit can run a single test in a thread of its own: all but Jupiter before 5.9.
    pub has_own_threads: bool,
    /// More tests than this per subject class are not written.
    pub max_tests_per_class: usize,
    /// Whether tests are cut down to the statements that their coverage needs, run again and asserted; without that they
    /// are good for measuring coverage only.
    pub is_polished: bool,
    /// Whether a polished test asserts only what notices a fault that nothing else of it notices.
    pub has_mutants: bool,
}

/// Who makes the temporary folder of a test, and removes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FolderOf {
    /// Jupiter from 5.4 on, for a field with `@TempDir`.
    Field,
    /// JUnit 4 from 4.7 on, by the rule `TemporaryFolder`.
    Rule,
    /// No JUnit: the test makes it, and the JVM removes what the test itself put there when it ends.
    Nobody,
}

/// JUnit flavour of a written test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TestFramework {
    /// JUnit 4 before 4.13, without `assertThrows`.
    Junit4Early,
    /// JUnit 4.13 and later.
    Junit4,
    /// Jupiter: JUnit 5 and 6.
    Jupiter,
}

/// One written test class.
#[derive(Clone, Debug, PartialEq)]
pub struct TestClass {
    /// The class it tests.
    pub subject: ClassId,
    /// Package in source form, empty for the unnamed one.
    pub package: String,
    /// Simple name, such as `RoadMapPalusTest`.
    pub name: String,
    /// Its tests, in the order in which they are printed.
    pub tests: Vec<Test>,
    /// Faults of the class and of those nested in it.
    pub faults: Faults,
}

/// Mutants of a class, which its tests may kill.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Faults {
    /// All there are.
    pub mutants: Vec<Mutant>,
    /// Those that a test comes to, by place, ascending.
    pub covered: Vec<u32>,
    /// True where some tests did not run with each that they come to.
    pub is_cut: bool,
}

/// Why a run became no test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Loss {
    /// It ended otherwise when it ran again.
    Unsteady,
    /// No source text can show it: it ends with an error of the JVM, or needs a type that a test cannot name.
    Unnameable,
    /// The class has as many tests as it may have.
    TooMany,
    /// Nothing that it gave or changed can be asserted, and no fault makes it fail.
    SaysNothing,
}

/// A run that became no test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lost {
    /// Why.
    pub why: Loss,
    /// The probes it touched.
    pub probes: Vec<Probe>,
}

/// One test method.
#[derive(Clone, Debug, PartialEq)]
pub struct Test {
    /// Method name, unique in its class.
    pub name: String,
    /// The sequence and what it did.
    pub run: Run,
    /// What is asserted, in order.
    pub assertions: Vec<Assertion>,
    /// What is asserted of the exception that ends it.
    pub told: Vec<Told>,
    /// What is said above the method and in its last assertion; only findings say something.
    pub remark: Option<Remark>,
    /// Whether it may do elsewhere what no test may do.
    pub harm: Harm,
    /// Its statements before those that only observe.
    pub length: usize,
    /// Mutants of its class that it kills, by place, ascending.
    pub kills: Vec<u32>,
}

/// What a test may do where the date, a random number, a variable or the machine is another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Harm {
    /// Nobody knows: it may not be written.
    #[default]
    NotAsked,
    /// What it does here, as far as can be seen.
    None,
    /// Maybe what no test may do; why it may, as the end of a sentence about the test.
    Elsewhere(String),
}

/// The words of a test that fails on purpose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// Sentences above the method.
    pub above: Vec<String>,
    /// Message of the last assertion, where that is what fails.
    pub message: Option<String>,
}

/// The text of a test class and where its tests stand in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Source {
    /// The compilation unit.
    pub text: String,
    /// First and last line (from 1) of each test, in the order of `TestClass::tests`.
    pub lines: Vec<(u32, u32)>,
}
