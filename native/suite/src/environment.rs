//! Which tests may do elsewhere what no test may do: where the date, a random number, a variable or the machine is another.
//!
//! Comes in: finished tests of one unit, the outcomes that lead out of the JVM ([`palus_analyze::Outside`]), an executor.
//! Goes out: [`Test::harm`].
//! A test is not written where a method that it runs asks for what differs, and one that it runs may reach out: what was
//! asked may decide that in ways that nobody sees, by values that no environment of ours has. Neither is one which, where
//! nothing seems to ask, runs into a denial in one of several environments, or comes nearer to an outcome that leads out in
//! one of them than in another: libraries ask as well. What makes an object whose finalizer may reach out is none either:
//! it runs when nobody looks; nor is what uses a class whose initialiser may reach out by what it asks: it runs once only.
//! Does not know: what lies behind an outcome, and what a test asserts.
//!
//! ```text
//! void tidy(File f) { if (LocalDate.now().getDayOfMonth() == 1) f.delete(); }    // 9 == 1, 29 == 1, 31 == 1: depends
//! ```

use crate::written::{Harm, Test};
use palus_analyze::Outside;
use palus_bytecode::{ClassId, FieldId, Program};
use palus_sequence::{
    Comparison, Distance, ENVIRONMENTS, End, Executor, ExecutorError, Outcome, Probe, Sequence,
    Statement, Value,
};
use std::collections::BTreeSet;

/// Sequences at once.
const BATCH: usize = 100;

/// Finds out of tests whether they may do harm elsewhere; gives how many sequences ran.
///
/// # Errors
/// [`ExecutorError`] when nothing can be run any more; nobody knows of these tests then.
pub fn look_elsewhere(
    program: &Program,
    outside: &Outside,
    tests: Vec<&mut Test>,
    executor: &mut dyn Executor,
) -> Result<u64, ExecutorError> {
    let sequences: Vec<Sequence> = tests.iter().map(|test| test.run.sequence.clone()).collect();
    let (harms, steps) = harms(program, outside, &sequences, executor)?;
    for (test, harm) in tests.into_iter().zip(harms) {
        test.harm = harm;
    }
    Ok(steps)
}

/// Per sequence; and how many ran.
fn harms(
    program: &Program,
    outside: &Outside,
    sequences: &[Sequence],
    executor: &mut dyn Executor,
) -> Result<(Vec<Harm>, u64), ExecutorError> {
    let mut harms = vec![Harm::None; sequences.len()];
    let mut rest = Vec::new();
    for (at, sequence) in sequences.iter().enumerate() {
        if may_initialize_harm(program, outside, sequence) {
            harms[at] = Harm::Elsewhere;
        } else {
            rest.push(at);
        }
    }
    let probe = |(class, index): (ClassId, u32)| Probe {
        class: class.0,
        index,
    };
    let entries = |of: &[(ClassId, u32)]| of.iter().copied().map(probe).collect();
    let (asking, reaching): (BTreeSet<Probe>, BTreeSet<Probe>) =
        (entries(outside.asking()), entries(outside.reaching()));
    let finalizing: BTreeSet<Probe> = entries(outside.finalizing());
    let using: BTreeSet<Probe> = entries(outside.using());
    let outcomes: BTreeSet<Probe> = outside.outcomes().map(probe).collect();
    let is_harmless = [&outcomes, &reaching, &finalizing, &using]
        .iter()
        .all(|of| of.is_empty());
    if is_harmless || rest.is_empty() {
        return Ok((harms, 0));
    }
    let entries = asking.union(&reaching);
    let watched = outcomes
        .iter()
        .chain(entries)
        .chain(&finalizing)
        .chain(&using);
    let watched: BTreeSet<Probe> = watched.copied().collect();
    let watched: Vec<Probe> = watched.into_iter().collect();
    let all: Vec<Sequence> = rest.iter().map(|&at| sequences[at].clone()).collect();
    let usual = run(0, &watched, &all, executor)?;
    let watched: Vec<Probe> = outcomes.iter().copied().collect();
    let mut steps = all.len() as u64;
    let mut open = Vec::new();
    for (place, (&at, outcome)) in rest.iter().zip(&usual).enumerate() {
        let seen = Seen::of(outcome);
        let entered = |of: &BTreeSet<Probe>| {
            let mut near = outcome.nearness.distances.iter();
            near.any(|near| near.distance == 0.0 && of.contains(&near.probe))
        };
        let asks = entered(&asking) || asks(outside, &sequences[at]);
        let may_reach_out = entered(&reaching) || !seen.distances.is_empty();
        let is_unseen = entered(&finalizing) || entered(&using);
        if is_harm(&outcome.end) || is_unseen || asks && may_reach_out {
            harms[at] = Harm::Elsewhere;
        } else if !seen.distances.is_empty() {
            open.push((place, seen));
        }
    }
    for environment in 1..ENVIRONMENTS {
        if open.is_empty() {
            break;
        }
        // All again, so that the same sequence is the first to use a class.
        let outcomes = run(environment, &watched, &all, executor)?;
        steps += all.len() as u64;
        for (&at, outcome) in rest.iter().zip(&outcomes) {
            if is_harm(&outcome.end) {
                harms[at] = Harm::Elsewhere;
            }
        }
        open.retain(|(place, seen)| {
            let outcome = &outcomes[*place];
            let is_same = Seen::of(outcome) == *seen;
            if !is_same {
                harms[rest[*place]] = Harm::Elsewhere;
            }
            is_same
        });
    }
    Ok((harms, steps))
}

/// True if a statement itself asks.
fn asks(outside: &Outside, sequence: &Sequence) -> bool {
    let mut statements = sequence.statements().iter();
    statements.any(|statement| match statement {
        Statement::Call { method, .. } => outside.asks(*method),
        Statement::GetField { field, .. } | Statement::Value(Value::StaticField(field)) => {
            outside.was_asked(*field)
        }
        _ => false,
    })
}

/// True if a statement may be what runs an initialiser that does harm elsewhere.
fn may_initialize_harm(program: &Program, outside: &Outside, sequence: &Sequence) -> bool {
    let of_field = |field: FieldId| outside.may_harm_at_first_use(program.field(field).class);
    let mut statements = sequence.statements().iter();
    statements.any(|statement| match statement {
        Statement::Call { method, .. } => outside.may_initialize_harm(*method),
        Statement::GetField { field, .. }
        | Statement::SetField { field, .. }
        | Statement::Value(Value::StaticField(field)) => of_field(*field),
        Statement::Value(Value::EnumConstant { class, .. }) | Statement::Stub { class, .. } => {
            outside.may_harm_at_first_use(*class)
        }
        Statement::Value(_) | Statement::NewArray { .. } => false,
    })
}

/// How near a run came to outcomes that it did not take.
#[derive(PartialEq)]
struct Seen<'a> {
    distances: Vec<&'a Distance>,
    comparisons: Vec<&'a Comparison>,
}

impl<'a> Seen<'a> {
    fn of(outcome: &'a Outcome) -> Seen<'a> {
        let near = &outcome.nearness;
        let distances: Vec<&Distance> = near
            .distances
            .iter()
            .filter(|one| one.distance > 0.0)
            .collect();
        let is_open = |probe: &Probe| distances.iter().any(|one| one.probe == *probe);
        let comparisons = near
            .comparisons
            .iter()
            .filter(|one| is_open(&one.probe))
            .collect();
        Seen {
            distances,
            comparisons,
        }
    }
}

/// True for what no test may do; one that takes longer there is another matter.
fn is_harm(end: &End) -> bool {
    matches!(end, End::Denied(_) | End::StartedThread | End::Crashed(_))
}

fn run(
    environment: u32,
    watched: &[Probe],
    sequences: &[Sequence],
    executor: &mut dyn Executor,
) -> Result<Vec<Outcome>, ExecutorError> {
    executor.begin_elsewhere(environment)?;
    executor.watch(watched)?;
    let mut outcomes = Vec::with_capacity(sequences.len());
    for batch in sequences.chunks(BATCH) {
        outcomes.extend(executor.execute(batch)?);
    }
    Ok(outcomes)
}
