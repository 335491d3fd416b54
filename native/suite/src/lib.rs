//! Sequences to assertions to Java text.
//!
//! Comes in: kept runs of one subject class and an executor to observe them again.
//! Goes out: a [`TestClass`], printed as JUnit source by [`print`].
//! Does not know: how sequences were found, files, compilers.

mod assemble;
mod assertion;
mod body;
mod contract;
mod excuse;
mod finding;
mod generic;
mod imports;
mod junit;
mod literal;
mod minimize;
mod naming;
mod observer;
mod overload;
mod suspect;
mod theory;
mod typing;
mod variables;
mod violation;
mod walk;

#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;

pub use assertion::{Assertion, Expected};
pub use finding::Finding;
pub use theory::{Theories, find_theories};
pub use walk::{Calls, followed_edges};

use palus_bytecode::{ClassId, MethodId, Program};
use palus_sequence::{Executor, ExecutorError, Probe, Run};

/// How source text must look for the project at hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Style {
    /// JUnit flavour.
    pub framework: TestFramework,
    /// Java source level of the project's tests (7, 8, 11, ...).
    pub language_level: u32,
    /// Whether its JUnit can run a single test in a thread of its own: all but Jupiter before 5.9.
    pub has_own_threads: bool,
    /// More tests than this per subject class are not written.
    pub max_tests_per_class: usize,
    /// Whether tests are cut down to the statements that their coverage needs, run again and asserted; without that they
    /// are good for measuring coverage only.
    pub is_polished: bool,
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
    /// What is said above the method and in its last assertion; only findings say something.
    pub remark: Option<Remark>,
    /// Probes of other classes that it is there for; empty where it is there for one of its own class.
    pub elsewhere: Vec<Probe>,
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

/// Chooses, minimises, asserts and names: kept runs become tests.
///
/// # Errors
/// [`ExecutorError`] when nothing can be run any more.
pub fn build(
    program: &Program,
    facts: &palus_analyze::Facts,
    subject: ClassId,
    kept: &[Run],
    executor: &mut dyn Executor,
    style: &Style,
) -> Result<TestClass, ExecutorError> {
    let is_pure = |method| facts.is_pure(method);
    assemble::assemble(program, &is_pure, subject, kept, executor, style)
}

/// Asks the default contracts about the objects of kept runs, with at most `limit` questions; gives what breaks them
/// and the number of sequences it took.
///
/// # Errors
/// [`ExecutorError`] when nothing can be run any more.
pub fn broken_contracts(
    program: &Program,
    facts: &palus_analyze::Facts,
    subject: ClassId,
    kept: &[Run],
    executor: &mut dyn Executor,
    limit: usize,
) -> Result<(Vec<Finding>, u64), ExecutorError> {
    let is_pure = |method| facts.is_pure(method);
    let suspects = suspect::suspects(program, subject, kept, executor, limit)?;
    let (violations, steps) = violation::violations(program, &is_pure, suspects, executor)?;
    Ok((finding::findings(program, subject, &violations), steps))
}

/// What [`broken_theories`] tries theories on.
#[derive(Clone, Copy, Debug)]
pub struct TheoryUnit<'a> {
    /// All classes, those test classes among them that have theories.
    pub program: &'a Program,
    /// Facts from bytecode.
    pub facts: &'a palus_analyze::Facts,
    /// Facts from traces.
    pub models: &'a palus_learn::Models,
    /// The class whose unit it is.
    pub subject: ClassId,
    /// Its kept runs.
    pub kept: &'a [Run],
    /// The theories.
    pub theories: &'a [MethodId],
    /// True if theories about no object at all belong to this unit.
    pub is_first: bool,
}

/// Calls theories with what kept runs made, at most `limit` times; gives those that do not hold and the number of
/// sequences it took.
///
/// # Errors
/// [`ExecutorError`] when nothing can be run any more.
pub fn broken_theories(
    unit: TheoryUnit<'_>,
    executor: &mut dyn Executor,
    limit: usize,
) -> Result<(Vec<Finding>, u64), ExecutorError> {
    let is_pure = |method| unit.facts.is_pure(method);
    let material = theory::Material {
        program: unit.program,
        models: unit.models,
        subject: unit.subject,
        kept: unit.kept,
        is_first: unit.is_first,
    };
    let suspects = theory::suspects(&material, unit.theories, limit);
    let (violations, steps) = violation::violations(unit.program, &is_pure, suspects, executor)?;
    let findings = finding::findings(unit.program, unit.subject, &violations);
    Ok((findings, steps))
}

/// Name of the class that holds a subject's findings: `AccountFindingsPalusTest`.
pub fn findings_class_name(program: &Program, subject: ClassId) -> String {
    let name = assemble::class_name(program, subject);
    name.replace("PalusTest", "FindingsPalusTest")
}

/// Prints a test class.
pub fn print(program: &Program, class: &TestClass, style: &Style) -> Source {
    junit::unit(program, class, style)
}
