//! Sequences to assertions to Java text.
//!
//! Comes in: kept runs of one subject class and an executor to observe them again.
//! Goes out: a [`TestClass`], printed as JUnit source by [`print`].
//! Does not know: how sequences were found, files, compilers.

mod assemble;
mod assertion;
mod body;
mod generic;
mod imports;
mod junit;
mod literal;
mod minimize;
mod naming;
mod observer;
mod overload;
mod typing;
mod variables;
mod walk;

#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;

pub use assertion::{Assertion, Expected};
pub use walk::{Calls, followed_edges};

use palus_bytecode::{ClassId, Program};
use palus_sequence::{Executor, ExecutorError, Run};

/// How source text must look for the project at hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Style {
    /// JUnit flavour.
    pub framework: TestFramework,
    /// Java source level of the project's tests (7, 8, 11, ...).
    pub language_level: u32,
    /// More tests than this per subject class are not written.
    pub max_tests_per_class: usize,
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
#[derive(Clone, Debug, PartialEq, Eq)]
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Test {
    /// Method name, unique in its class.
    pub name: String,
    /// The sequence and what it did.
    pub run: Run,
    /// What is asserted, in order.
    pub assertions: Vec<Assertion>,
}

/// The text of a test class and where its tests stand in it.
#[derive(Clone, Debug, PartialEq, Eq)]
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

/// Prints a test class.
pub fn print(program: &Program, class: &TestClass, style: &Style) -> Source {
    junit::unit(program, class, style)
}
