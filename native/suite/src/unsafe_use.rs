//! Unsafe uses of an API, as test methods that fail for the exception they name.
//!
//! Comes in: runs that end with an exception of an API, and where it was called. Goes out: shorter runs, [`Finding`]s.
//! Does not know: which uses are unsafe, and why; protocols.

use crate::finding::Finding;
use crate::minimize::shorten_while;
use crate::typing::type_sequence;
use crate::variables::{capitalised, simple_name};
use crate::written::{Harm, Remark, Test};
use palus_bytecode::{ClassId, MethodId, Program, binary_name};
use palus_sequence::{End, Executor, ExecutorError, Run};

/// Code of an unsafe use.
const CODE: &str = "P301";

/// A run that ends with an exception of an API.
#[derive(Clone, Copy, Debug)]
pub struct UnsafeUse<'a> {
    /// The run.
    pub run: &'a Run,
    /// The method that calls the API.
    pub around: MethodId,
    /// Internal name of the class by which it calls.
    pub owner: &'a str,
    /// Name of the called method.
    pub called: &'a str,
}

/// Shortens runs that fail in their last statement as long as `keeps` says so of the run with this index.
///
/// # Errors
/// [`ExecutorError`] when nothing can be run any more.
pub fn shorten_failing(
    program: &Program,
    facts: &palus_analyze::Facts,
    runs: &mut [Run],
    executor: &mut dyn Executor,
    keeps: &dyn Fn(usize, &Run) -> bool,
) -> Result<(), ExecutorError> {
    let tails = vec![1; runs.len()];
    shorten_while(
        program,
        &|method| facts.is_pure(method),
        runs,
        &tails,
        executor,
        &|index, _, run| keeps(index, run),
    )
}

/// The finding of a unit that shows an unsafe use; none where no test can be written, or nothing was thrown.
pub fn unsafe_use(program: &Program, subject: ClassId, shown: UnsafeUse<'_>) -> Option<Finding> {
    let End::Threw(thrown) = &shown.run.outcome.end else {
        return None;
    };
    let package = program.package(subject);
    type_sequence(program, package, &shown.run.sequence)?;
    let around = program.method(shown.around);
    let owner = program.class(around.class);
    let member = if around.is_constructor() {
        simple_name(program, &owner.name)
    } else {
        of_source(&around.name).to_owned()
    };
    let called = format!("{}.{}", simple_name(program, shown.owner), shown.called);
    let exception = simple_name(program, &thrown.class);
    let mut run = shown.run.clone();
    run.sequence = run.sequence.prefix(thrown.statement as usize + 1);
    run.outcome.end = End::Completed;
    run.outcome.observations.truncate(run.sequence.len());
    run.outcome.coverage.probes.clear();
    run.outcome.recording = None;
    let failure = vec![binary_name(&thrown.class)];
    let mut finding = Finding {
        code: CODE,
        subject,
        owner: owner.id,
        method: around.id,
        class: program
            .source_name(owner.id)
            .unwrap_or_else(|| owner.binary_name()),
        member: member.clone(),
        broken: format!("uses an API unsafely: {called} throws {exception}"),
        thrown: Some(format!(
            "{} {}.{}",
            binary_name(&thrown.class),
            binary_name(shown.owner),
            shown.called
        )),
        failure,
        test: Test {
            name: name(&member, around.is_constructor(), shown.called),
            run,
            assertions: Vec::new(),
            remark: None,
            harm: Harm::NotAsked,
            kills: Vec::new(),
            told: Vec::new(),
            length: usize::MAX,
        },
    };
    let place = if around.is_constructor() {
        "class"
    } else {
        "method or its class"
    };
    finding.test.remark = Some(Remark {
        above: vec![
            format!("{CODE}: {}.", finding.text()),
            format!("Where that is wanted, put @PalusIgnore(\"{CODE}\") on the {place}."),
        ],
        message: None,
    });
    Some(finding)
}

/// The method of the source: `get` for `lambda$get$0`.
fn of_source(name: &str) -> &str {
    let of_lambda = name.strip_prefix("lambda$");
    let parts = of_lambda.and_then(|rest| rest.rsplit_once('$'));
    parts.map_or(name, |(around, _)| around)
}

/// `report_usesPeekSafely`
fn name(member: &str, is_constructor: bool, called: &str) -> String {
    let member = if is_constructor {
        format!("new{}", capitalised(member))
    } else {
        member.to_owned()
    };
    let called = if called == "<init>" { "new" } else { called };
    format!("{member}_uses{}Safely", capitalised(called))
        .chars()
        .filter(|one| one.is_ascii_alphanumeric() || *one == '_')
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_lambda_does_is_said_of_the_method_around_it() {
        assert_eq!(of_source("lambda$get$0"), "get");
        assert_eq!(of_source("get"), "get");
        assert_eq!(name("get", false, "peek"), "get_usesPeekSafely");
        assert_eq!(name("C", true, "pop"), "newC_usesPopSafely");
    }
}
