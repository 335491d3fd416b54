//! Sequences to assertions to Java text.
//!
//! Comes in: kept runs of one subject class and an executor to observe them again.
//! Goes out: a [`TestClass`], printed as JUnit source by [`print`].
//! Does not know: how sequences were found, files, compilers.

mod about;
mod asking;
mod assemble;
mod assertion;
mod body;
mod check;
mod confirm;
mod contract;
mod cut;
mod differing;
mod direct;
mod draft;
mod drafting;
mod earlier;
mod environment;
mod excuse;
mod file_calls;
mod finding;
mod folder;
mod generic;
mod imports;
mod junit;
mod literal;
mod made;
mod makers;
mod minimize;
mod mutants;
mod naming;
mod observer;
mod overload;
mod pick;
mod plain;
mod plan;
mod read_back;
mod recorded;
mod reduce;
mod revalue;
mod scope;
mod simplify;
mod split;
mod stable;
mod survivors;
mod suspect;
mod theory;
mod told;
mod trim;
mod typing;
mod unsafe_use;
mod variables;
mod violation;
mod walk;
mod within;
mod written;

#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;

pub use assertion::{Assertion, Expected};
pub use environment::look_elsewhere;
pub use finding::Finding;
pub use junit::{FIELDS, HEADER};
pub use made::Made;
pub use read_back::{ReadTest, read_back};
pub use revalue::{Now, Revalued, revalued};
pub use theory::{Theories, find_theories};
pub use told::{Told, is_written_by};
pub use unsafe_use::{UnsafeUse, shorten_failing, unsafe_use};
pub use walk::{Calls, followed_edges};
pub use written::{
    Faults, FolderOf, Harm, Known, Loss, Lost, Means, Remark, Source, Style, Test, TestClass,
    TestFramework, Vary,
};

use palus_bytecode::{ClassId, MethodId, Program};
use palus_sequence::{Executor, ExecutorError, Run};

/// Chooses, minimises, asserts and names: kept runs become tests, and so does what is like them and kills mutants
/// that they do not, or differs in another version. Gives those as well that might have become one.
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
    means: Means<'_, '_, '_>,
) -> Result<(TestClass, Vec<Lost>), ExecutorError> {
    let bytecode = scope::Bytecode {
        program,
        is_pure: &|method| facts.is_pure(method),
        makers: facts.value_makers(),
    };
    assemble::assemble(bytecode, subject, kept, executor, style, means)
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
    let (violations, steps) = confirm::violations(program, &is_pure, suspects, executor)?;
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
    let (violations, steps) = confirm::violations(unit.program, &is_pure, suspects, executor)?;
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
