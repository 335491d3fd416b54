//! What breaks a rule: runs with a check at their end, and how they broke it.
//!
//! Comes in: [`Suspect`]s and their outcomes. Goes out: whether a rule is broken and how, and the test that shows it.
//! Fuel, crashes and denials never break one.
//! Does not know: which rules there are (`contract.rs`, `theory.rs`), whether it repeats (`confirm.rs`), Java text.

use crate::assertion::{Assertion, may_expect};
use crate::check::{Check, Claim, Conclusion, Guilty};
use crate::cut::slice;
use palus_bytecode::{ClassId, MethodId, Program};
use palus_sequence::{End, Outcome, Run, Sequence, Thrown};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A run with a check at its end.
#[derive(Clone, Debug)]
pub(crate) struct Suspect {
    /// Statements of the run, then the check's.
    pub sequence: Sequence,
    /// The check.
    pub check: Check,
    /// Code of the rule.
    pub code: &'static str,
    /// The rule's words for a test's name.
    pub name: &'static str,
    /// The rule's words for what is broken.
    pub broken: &'static str,
    /// Package of the test, as an internal name.
    pub package: Arc<str>,
    /// The project's class to blame: where it inherits the method from elsewhere, the object's own.
    pub owner: ClassId,
}

/// How a check was violated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Breach {
    /// What was thrown, where that is the violation.
    pub thrown: Option<Thrown>,
}

/// A suspect that broke its rule again and again, as short as it gets.
#[derive(Clone, Debug)]
pub(crate) struct Violation {
    /// The suspect.
    pub suspect: Suspect,
    /// What it did.
    pub outcome: Outcome,
    /// How it broke the rule.
    pub breach: Breach,
}

/// A refusal on purpose, and what the platform documents of a collection that was changed behind an object's back.
const NEVER_GUILTY: &[&str] = &[
    "java/lang/UnsupportedOperationException",
    "java/util/ConcurrentModificationException",
];

/// What makes two violations one bug.
pub(crate) type Identity = (
    &'static str,
    ClassId,
    MethodId,
    Option<(Arc<str>, Option<Frame>)>,
);
type Frame = (Arc<str>, Arc<str>);

impl Breach {
    pub fn kind(&self) -> Option<(Arc<str>, Option<Frame>)> {
        self.thrown
            .as_ref()
            .map(|thrown| (thrown.class.clone(), thrown.top_frame.clone()))
    }
}

impl Suspect {
    /// How an outcome of this sequence, which ends with the check's statements, breaks the rule.
    pub fn breach(
        &self,
        program: &Program,
        sequence: &Sequence,
        outcome: &Outcome,
    ) -> Option<Breach> {
        let base = sequence.len().checked_sub(self.check.tail.len())?;
        let statements = sequence.statements();
        let seen = &outcome.observations;
        let holds = |place: usize, claim: Claim| {
            claim.holds(seen, base, place, statements.get(base + place)?)
        };
        let premises = |until: usize| {
            self.check
                .premises
                .iter()
                .filter(|(place, _)| base + place < until)
                .all(|&(place, claim)| holds(place, claim) == Some(true))
        };
        match &outcome.end {
            End::Completed => {
                let is_broken = match self.check.conclusion {
                    Conclusion::Holds(place, claim) => holds(place, claim) == Some(false),
                    Conclusion::Completes => false,
                    Conclusion::Throws(_) => true,
                };
                (is_broken && premises(statements.len())).then_some(Breach { thrown: None })
            }
            End::Threw(thrown) => {
                let at = thrown.statement as usize;
                let is_wanted = matches!(self.check.conclusion,
                    Conclusion::Throws(class) if *class == *thrown.class);
                let is_last = at + 1 == statements.len();
                // A rule about the last call says nothing of those before it.
                let is_asked = at >= base
                    && (is_last || !matches!(self.check.conclusion, Conclusion::Throws(_)));
                (is_asked && !is_wanted && self.is_guilty(program, thrown) && premises(at)).then(
                    || Breach {
                        thrown: Some(thrown.clone()),
                    },
                )
            }
            _ => None,
        }
    }

    fn is_guilty(&self, program: &Program, thrown: &Thrown) -> bool {
        let class = &*thrown.class;
        match self.check.guilty {
            Guilty::None => false,
            Guilty::Only(classes) => classes.contains(&class),
            Guilty::AllBut(classes) => {
                !classes.contains(&class)
                    && !NEVER_GUILTY.contains(&class)
                    && may_expect(program, thrown)
            }
            Guilty::AssertionsToo => {
                let is_assertion = class == "java/lang/AssertionError"
                    || class.starts_with("org/junit/") && class.ends_with("Failure")
                    || class.starts_with("org/opentest4j/");
                !is_assumption(class) && (is_assertion || may_expect(program, thrown))
            }
        }
    }
}

/// True for what JUnit throws where data is not what a theory speaks of.
fn is_assumption(class: &str) -> bool {
    matches!(
        class,
        "org/junit/AssumptionViolatedException"
            | "org/junit/internal/AssumptionViolatedException"
            | "org/opentest4j/TestAbortedException"
            | "org/opentest4j/IncompleteExecutionException"
    )
}

impl Violation {
    /// What makes it the same bug as another.
    pub fn identity(&self) -> Identity {
        (
            self.suspect.code,
            self.suspect.owner,
            self.suspect.check.blamed,
            self.breach.kind(),
        )
    }

    /// Number of statements that the check's objects need.
    pub fn needed(&self, program: &Program, is_pure: &dyn Fn(MethodId) -> bool) -> usize {
        let tail = self.suspect.check.tail.len();
        slice(program, is_pure, &self.suspect.sequence, tail).len()
    }

    /// Statements before the check's.
    pub fn base(&self) -> usize {
        self.suspect.sequence.len() - self.suspect.check.tail.len()
    }

    /// The run as a test shows it: up to the statement that throws, and as if it had done what it should.
    pub fn shown(&self) -> Run {
        let mut sequence = self.suspect.sequence.clone();
        let mut outcome = self.outcome.clone();
        outcome.end = End::Completed;
        match (self.suspect.check.conclusion, &self.breach.thrown) {
            (Conclusion::Throws(class), _) => {
                outcome.end = End::Threw(Thrown {
                    statement: sequence.last().0,
                    class: class.into(),
                    message: None,
                    top_frame: None,
                    fields: Vec::new(),
                });
            }
            (_, Some(thrown)) => sequence = sequence.prefix(thrown.statement as usize + 1),
            _ => {}
        }
        outcome.observations.truncate(sequence.len());
        outcome.coverage.probes.clear();
        Run { sequence, outcome }
    }

    /// The premises, and the conclusion that fails, of the statements that a test shows.
    pub fn assertions(&self, shown: &Sequence) -> Vec<Assertion> {
        let base = self.base();
        let check = &self.suspect.check;
        let mut claims = check.premises.clone();
        if let (Conclusion::Holds(place, claim), None) = (check.conclusion, &self.breach.thrown) {
            claims.push((place, claim));
        }
        let mut said = BTreeSet::new();
        claims
            .into_iter()
            .filter(|(place, _)| base + place < shown.len())
            .filter_map(|(place, claim)| {
                let statement = &shown.statements()[base + place];
                Some(Assertion {
                    statement: (base + place) as u32,
                    expected: claim.expected(base, statement)?,
                })
            })
            .filter(|assertion| said.insert(assertion.clone()))
            .collect()
    }
}
