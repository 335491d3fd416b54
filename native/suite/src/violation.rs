//! What breaks a rule: checks run, run again, shortened and written down as tests that fail.
//!
//! Comes in: [`Suspect`]s, runs with the statements of a check at their end, and an executor.
//! Goes out: [`Finding`]s, one per bug identity (rule, method to blame, exception with its top frame), each with the
//! shortest sequence that still breaks the rule.
//! A violation counts only where it repeats after a fresh start, and where the sequence has no part in it (`excuse.rs`).
//! Fuel, crashes and denials never are one.
//! Does not know: which rules there are (`contract.rs`, `theory.rs`), Java text.

use crate::assertion::{Assertion, may_expect};
use crate::contract::{Check, Claim, Conclusion, Guilty};
use crate::excuse::is_excused;
use crate::minimize::{run_all, shorten_while, slice};
use crate::typing::type_sequence;
use palus_bytecode::{ClassId, MethodId, Program};
use palus_sequence::{End, Executor, ExecutorError, Outcome, Run, Sequence, Thrown};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Sequences shortened per bug identity; the shortest is reported.
const TRIED_PER_BUG: usize = 3;
/// Violations followed up per unit.
const MOST_BUGS: usize = 60;

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
type Identity = (
    &'static str,
    ClassId,
    MethodId,
    Option<(Arc<str>, Option<Frame>)>,
);
type Frame = (Arc<str>, Arc<str>);

/// Runs suspects, follows up what they break, and gives one violation per bug, and how many sequences it took.
///
/// # Errors
/// [`ExecutorError`] when nothing can be run any more.
pub(crate) fn violations(
    program: &Program,
    is_pure: &dyn Fn(MethodId) -> bool,
    suspects: Vec<Suspect>,
    executor: &mut dyn Executor,
) -> Result<(Vec<Violation>, u64), ExecutorError> {
    if suspects.is_empty() {
        return Ok((Vec::new(), 0));
    }
    let mut steps = suspects.len() as u64;
    let broken = breaking(program, suspects, executor)?;
    // What does not break its rule after another start, in another order, is left to chance.
    let mut by_bug: BTreeMap<Identity, Vec<Violation>> = BTreeMap::new();
    for violation in broken {
        by_bug
            .entry(violation.identity())
            .or_default()
            .push(violation);
    }
    let mut chosen = Vec::new();
    for (_, mut group) in by_bug.into_iter().take(MOST_BUGS) {
        group.sort_by_cached_key(|violation| {
            (
                is_excused(program, violation),
                violation.needed(program, is_pure),
                violation.suspect.sequence.len(),
            )
        });
        group.truncate(TRIED_PER_BUG);
        chosen.extend(group);
    }
    if chosen.is_empty() {
        return Ok((Vec::new(), steps));
    }
    steps += chosen.len() as u64;
    let mut again: Vec<Suspect> = chosen.into_iter().map(|one| one.suspect).collect();
    again.reverse();
    let mut repeated = breaking(program, again, executor)?;
    shorten(program, is_pure, &mut repeated, executor)?;
    steps += 10 * repeated.len() as u64;
    let last: Vec<Suspect> = repeated.into_iter().map(|one| one.suspect).collect();
    let mut by_bug: BTreeMap<Identity, Violation> = BTreeMap::new();
    for violation in breaking(program, last, executor)? {
        let suspect = &violation.suspect;
        if is_excused(program, &violation)
            || type_sequence(program, &suspect.package, &suspect.sequence).is_none()
        {
            continue;
        }
        let size = |one: &Violation| (one.suspect.sequence.len(), one.suspect.sequence.clone());
        let known = by_bug.get(&violation.identity());
        if known.is_none_or(|known| size(&violation) < size(known)) {
            by_bug.insert(violation.identity(), violation);
        }
    }
    Ok((by_bug.into_values().collect(), steps))
}

/// Runs suspects after a fresh start; gives those that break their rule.
fn breaking(
    program: &Program,
    suspects: Vec<Suspect>,
    executor: &mut dyn Executor,
) -> Result<Vec<Violation>, ExecutorError> {
    executor.begin()?;
    let sequences: Vec<Sequence> = suspects.iter().map(|one| one.sequence.clone()).collect();
    let outcomes = run_all(executor, &sequences)?;
    Ok(suspects
        .into_iter()
        .zip(outcomes)
        .filter_map(|(suspect, outcome)| {
            let breach = suspect.breach(program, &suspect.sequence, &outcome)?;
            Some(Violation {
                suspect,
                outcome,
                breach,
            })
        })
        .collect())
}

/// Cuts sequences down to what still breaks the same rule in the same way.
fn shorten(
    program: &Program,
    is_pure: &dyn Fn(MethodId) -> bool,
    violations: &mut [Violation],
    executor: &mut dyn Executor,
) -> Result<(), ExecutorError> {
    let mut runs: Vec<Run> = violations
        .iter()
        .map(|one| Run {
            sequence: one.suspect.sequence.clone(),
            outcome: one.outcome.clone(),
        })
        .collect();
    let tails: Vec<usize> = violations
        .iter()
        .map(|one| one.suspect.check.tail.len())
        .collect();
    let broken = &*violations;
    shorten_while(
        program,
        is_pure,
        &mut runs,
        &tails,
        executor,
        &|index, _, run| {
            let violation = &broken[index];
            violation
                .suspect
                .breach(program, &run.sequence, &run.outcome)
                .is_some_and(|breach| breach.kind() == violation.breach.kind())
        },
    )?;
    for (violation, run) in violations.iter_mut().zip(runs) {
        violation.suspect.sequence = run.sequence;
        violation.outcome = run.outcome;
    }
    Ok(())
}

impl Breach {
    fn kind(&self) -> Option<(Arc<str>, Option<Frame>)> {
        self.thrown
            .as_ref()
            .map(|thrown| (thrown.class.clone(), thrown.top_frame.clone()))
    }
}

impl Suspect {
    /// How an outcome of this sequence, which ends with the check's statements, breaks the rule.
    fn breach(&self, program: &Program, sequence: &Sequence, outcome: &Outcome) -> Option<Breach> {
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
    fn identity(&self) -> Identity {
        (
            self.suspect.code,
            self.suspect.owner,
            self.suspect.check.blamed,
            self.breach.kind(),
        )
    }

    /// Number of statements that the check's objects need.
    fn needed(&self, program: &Program, is_pure: &dyn Fn(MethodId) -> bool) -> usize {
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
