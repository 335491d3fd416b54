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
use palus_bytecode::{ClassId, ClassProbes, FieldId, MethodId, Program, binary_name};
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
        match initializes_harm(program, outside, sequence) {
            Some(class) => harms[at] = Harm::Elsewhere(at_first_use(program, class)),
            None => rest.push(at),
        }
    }
    let entries = Entries::of(outside);
    if entries.are_harmless() || rest.is_empty() {
        return Ok((harms, 0));
    }
    let watched = entries.watched();
    let all: Vec<Sequence> = rest.iter().map(|&at| sequences[at].clone()).collect();
    let usual = run(0, &watched, &all, executor)?;
    let watched: Vec<Probe> = entries.outcomes.iter().copied().collect();
    let mut steps = all.len() as u64;
    let mut open = Vec::new();
    for (place, (&at, outcome)) in rest.iter().zip(&usual).enumerate() {
        let seen = Seen::of(outcome);
        let why = entries.why((program, outside), &sequences[at], outcome, &seen);
        if let Some(why) = why {
            harms[at] = Harm::Elsewhere(why);
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
                let why = "it was denied something in another environment";
                harms[at] = Harm::Elsewhere(why.to_owned());
            }
        }
        open.retain(|(place, seen)| {
            let outcome = &outcomes[*place];
            let is_same = Seen::of(outcome) == *seen;
            if !is_same {
                let near = seen.distances.first().map(|near| near.probe);
                let name = near.map_or_else(String::new, |near| method_of(program, near));
                let why = format!("{name} came nearer to it in another environment");
                harms[rest[*place]] = Harm::Elsewhere(why);
            }
            is_same
        });
    }
    Ok((harms, steps))
}

/// The probes of [`Outside`].
struct Entries {
    asking: BTreeSet<Probe>,
    reaching: BTreeSet<Probe>,
    finalizing: BTreeSet<Probe>,
    using: BTreeSet<Probe>,
    outcomes: BTreeSet<Probe>,
}

impl Entries {
    fn of(outside: &Outside) -> Entries {
        let probe = |(class, index): (ClassId, u32)| Probe {
            class: class.0,
            index,
        };
        let entries = |of: &[(ClassId, u32)]| of.iter().copied().map(probe).collect();
        Entries {
            asking: entries(outside.asking()),
            reaching: entries(outside.reaching()),
            finalizing: entries(outside.finalizing()),
            using: entries(outside.using()),
            outcomes: outside.outcomes().map(probe).collect(),
        }
    }

    fn are_harmless(&self) -> bool {
        let all = [
            &self.outcomes,
            &self.reaching,
            &self.finalizing,
            &self.using,
        ];
        all.iter().all(|of| of.is_empty())
    }

    fn watched(&self) -> Vec<Probe> {
        let others = [&self.asking, &self.reaching, &self.finalizing, &self.using];
        let all = others.into_iter().flatten().chain(&self.outcomes);
        let all: BTreeSet<Probe> = all.copied().collect();
        all.into_iter().collect()
    }

    /// Why a sequence may do harm, by what it entered in the usual environment; none where nothing says so.
    fn why(
        &self,
        (program, outside): (&Program, &Outside),
        sequence: &Sequence,
        outcome: &Outcome,
        seen: &Seen<'_>,
    ) -> Option<String> {
        let entered = |of: &BTreeSet<Probe>| {
            let mut near = outcome.nearness.distances.iter();
            let entered = near.find(|near| near.distance == 0.0 && of.contains(&near.probe));
            entered.map(|near| near.probe)
        };
        let name = |probe: Probe| method_of(program, probe);
        if is_harm(&outcome.end) {
            return Some("it was denied something here".to_owned());
        }
        if let Some(made) = entered(&self.finalizing) {
            let made = name(made);
            return Some(format!(
                "objects that {made} makes reach out when they are finalized"
            ));
        }
        if let Some(user) = entered(&self.using) {
            let user = name(user);
            return Some(format!(
                "{user} may be the first to use a class whose initialiser reaches out by what it asks"
            ));
        }
        let asked = entered(&self.asking).map(name);
        let asked = asked.or_else(|| asked_by(program, outside, sequence))?;
        let near = || seen.distances.first().map(|distance| distance.probe);
        let reach = name(entered(&self.reaching).or_else(near)?);
        Some(format!(
            "{asked} asks for the date, chance, what other tests left or another fact of the machine, and {reach} has code that reaches out"
        ))
    }
}

/// What a statement itself asks by.
fn asked_by(program: &Program, outside: &Outside, sequence: &Sequence) -> Option<String> {
    let mut statements = sequence.statements().iter();
    statements.find_map(|statement| match statement {
        Statement::Call { method, .. } => {
            outside.asks(*method).then(|| method_name(program, *method))
        }
        Statement::GetField { field, .. } | Statement::Value(Value::StaticField(field)) => {
            let is_asked = outside.was_asked(*field);
            is_asked.then(|| format!("`{}`", program.field(*field).name))
        }
        _ => None,
    })
}

/// A class whose initialiser does harm elsewhere and may run by a statement.
fn initializes_harm(program: &Program, outside: &Outside, sequence: &Sequence) -> Option<ClassId> {
    let risky = |class: ClassId| outside.may_harm_at_first_use(class).then_some(class);
    let of_field = |field: FieldId| risky(program.field(field).class);
    let mut statements = sequence.statements().iter();
    statements.find_map(|statement| match statement {
        Statement::Call { method, .. } => {
            let class = program.method(*method).class;
            outside.may_initialize_harm(*method).then_some(class)
        }
        Statement::GetField { field, .. }
        | Statement::SetField { field, .. }
        | Statement::Value(Value::StaticField(field)) => of_field(*field),
        Statement::Value(Value::EnumConstant { class, .. }) | Statement::Stub { class, .. } => {
            risky(*class)
        }
        Statement::Value(_) | Statement::NewArray { .. } => None,
    })
}

fn at_first_use(program: &Program, class: ClassId) -> String {
    let class = binary_name(&program.class(class).name);
    format!("the initialiser of `{class}`, or one that it runs, reaches out by what it asks")
}

/// `demo.Job.tidy`
fn method_name(program: &Program, method: MethodId) -> String {
    let method = program.method(method);
    let class = binary_name(&program.class(method.class).name);
    format!("`{class}.{}`", method.name)
}

/// The method that a probe is in.
fn method_of(program: &Program, probe: Probe) -> String {
    let class = ClassId(probe.class);
    let probes = ClassProbes::of(program, class);
    let mut entries = probes.methods().iter();
    let last = entries.rfind(|(entry, _)| *entry <= probe.index);
    last.map_or_else(
        || binary_name(&program.class(class).name),
        |(_, method)| method_name(program, *method),
    )
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
