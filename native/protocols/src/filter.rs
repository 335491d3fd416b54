//! The filter: which violations are bugs beyond doubt.
//!
//! Comes in: violations of failing executions, and what methods declare to throw. Goes out: [`Warning`]s, one for each
//! place and method of the API, with the shortest test.
//! Does not know: how violations are found; how tests are run.
//!
//! A violation is a warning if the test ended with an exception that the called method of the API declares, the stack
//! of that exception has the place of the call, and the method around that place does not declare the exception: then
//! it can be provoked through the program's public methods, and is neither prevented nor announced. Pradel, Gross, ICSE
//! 2012. An exception is declared where it or a superclass is; but a method of the API that declares no more than
//! `Exception` or the like tells nothing.

use crate::exceptions::ExceptionFacts;
use crate::{
    Call, CallSite, Checker, End, Execution, Failure, Label, Machine, Signature, Violation,
    Vocabulary,
};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The conditions for a warning, each on its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "a row of a truth table")]
pub struct Conditions {
    /// The method of the API declares the exception with which the test ended.
    pub is_declared_by_api: bool,
    /// The place of the call is on that exception's stack.
    pub is_on_stack: bool,
    /// The method around the place declares the exception, too.
    pub is_declared_by_program: bool,
    /// The call itself ended with an exception of that class. Beyond the paper: else an earlier call of the same line
    /// could be taken for the one that failed.
    pub is_thrown_by_call: bool,
}

impl Conditions {
    /// True if the violation is a warning.
    pub fn hold(self) -> bool {
        self.is_declared_by_api
            && self.is_on_stack
            && !self.is_declared_by_program
            && self.is_thrown_by_call
    }

    /// Of a call in an execution that ended with an exception.
    pub fn of(
        facts: &ExceptionFacts<'_>,
        vocabulary: &Vocabulary,
        failure: &Failure,
        call: &Call,
    ) -> Self {
        let site = vocabulary.site(call.site);
        let by_api = facts.declared(&site.owner, &site.called);
        let by_program = facts.declared_around(&site.class, &site.method);
        Conditions {
            is_declared_by_api: by_api.names(&failure.lineage, &TOO_BROAD),
            is_on_stack: failure.stack.iter().any(|frame| frame.is_at(site)),
            is_declared_by_program: by_program.names(&failure.lineage, &[]),
            is_thrown_by_call: is_thrown_by(vocabulary, failure, call),
        }
    }
}

/// These match only themselves where an API declares them.
const TOO_BROAD: [&str; 4] = [
    "java/lang/Throwable",
    "java/lang/Exception",
    "java/lang/RuntimeException",
    "java/lang/Error",
];

fn is_thrown_by(vocabulary: &Vocabulary, failure: &Failure, call: &Call) -> bool {
    let thrown = call.thrown.map(|name| vocabulary.name(name));
    thrown.is_some() && thrown == failure.lineage.first()
}

/// An unsafe use of an API.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// Where it stands, and what is called.
    pub site: CallSite,
    /// Internal name of the exception with which the test ended.
    pub exception: Arc<str>,
    /// The protocol that is violated.
    pub machine: Machine,
    /// The violation, in the shortest test.
    pub violation: Violation,
    /// What would have been allowed.
    pub expected: Vec<Label>,
    /// That test.
    pub test: TestRef,
}

/// A failing test by what the caller knows it by; the shorter is the better example.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TestRef {
    /// Number of its statements.
    pub length: u32,
    /// The caller's number of it.
    pub number: u64,
}

/// Warnings, counted once for each class, method and line, and method of the API.
#[derive(Clone, Debug, Default)]
pub struct Warnings {
    by_place: BTreeMap<Place, Warning>,
}

/// Class, method around, line, called method; the owner by which it is named is no part of it.
type Place = (Arc<str>, Signature, Option<u32>, Signature);

impl Warnings {
    /// Checks a failing execution and keeps what is new, or shown by a better test. Others are passed over.
    pub fn check(
        &mut self,
        checker: &Checker,
        facts: &ExceptionFacts<'_>,
        vocabulary: &Vocabulary,
        execution: &Execution,
        test: TestRef,
    ) {
        let End::Threw(failure) = &execution.end else {
            return;
        };
        let is_asked = |call: &Call| is_thrown_by(vocabulary, failure, call);
        for violation in checker.violations(vocabulary, execution, &is_asked) {
            let call = &execution.calls[violation.call];
            if Conditions::of(facts, vocabulary, failure, call).hold() {
                let machine = checker.machine(violation.protocol);
                let states = violation
                    .states
                    .iter()
                    .map(|&state| &machine.states()[state]);
                let steps = states.flat_map(|state| &state.steps);
                let mut expected: Vec<Label> = steps.map(|(label, _)| label.clone()).collect();
                expected.sort();
                expected.dedup();
                self.keep(Warning {
                    site: vocabulary.site(call.site).clone(),
                    exception: failure.lineage[0].clone(),
                    machine: machine.clone(),
                    violation,
                    expected,
                    test,
                });
            }
        }
    }

    fn keep(&mut self, warning: Warning) {
        let site = &warning.site;
        let place = (
            site.class.clone(),
            site.method.clone(),
            site.line,
            site.called.clone(),
        );
        // The protocol of one object says more plainly what is wrong than that of two.
        let parameters = |warning: &Warning| warning.machine.types().len();
        let order =
            |warning: &Warning| (warning.test, parameters(warning), warning.violation.clone());
        match self.by_place.get_mut(&place) {
            Some(known) if order(known) <= order(&warning) => {}
            Some(known) => *known = warning,
            None => drop(self.by_place.insert(place, warning)),
        }
    }

    /// All of them, in the order of their places.
    pub fn iter(&self) -> impl Iterator<Item = &Warning> {
        self.by_place.values()
    }
}
