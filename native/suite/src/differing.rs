//! Tests for what another version of the code does otherwise.
//!
//! Comes in: drafts, a way to vary sequences, an executor of the code as it is and one of the other version. Goes out: more
//! drafts, and of all of them which ends otherwise there or gives something else; each such difference counts as a fault
//! that the test notices, so that the test stays and asserts it.
//! Neighbours of the drafts run on both sides with what a first look asks of their objects; those that differ become drafts.
//! Source: Evans, Savoia, "Differential Testing: A New Approach to Change Detection", ESEC/FSE 2007; as a goal of the search
//! Shamshiri, Fraser, McMinn, Orso, "Search-Based Propagation of Regression Faults", ICSTW 2013.
//! Does not know: what the versions are, how sequences are varied.

use crate::draft::Draft;
use crate::drafting::{Builder, Losses};
use crate::minimize::{run_all, tier};
use crate::mutants::noticed;
use crate::written::{DIFFERENCES, Vary};
use palus_sequence::{End, Executor, ExecutorError, Outcome, Run, Sequence, Statement};
use std::collections::{BTreeMap, BTreeSet};

/// Drafts that are varied, shortest first.
const VARIED: usize = 200;
/// Neighbours that become drafts for one method.
const DRAFTED: usize = 8;
/// Differences of one method that have tests of their own.
const OF_METHOD: usize = 3;
/// Rounds; the next varies what the last one found.
const ROUNDS: usize = 2;

/// Differences that have a number: by method, how each shows first.
#[derive(Default)]
struct Known(BTreeMap<(u32, String), u32>);

impl Known {
    /// The number of a difference of a method; none where the method has enough.
    fn number(&mut self, method: u32, how: String) -> Option<u32> {
        let next = DIFFERENCES + u32::try_from(self.0.len()).ok()?;
        let had = self
            .0
            .range((method, String::new())..(method + 1, String::new()));
        let had = had.count();
        match self.0.get(&(method, how.clone())) {
            Some(&number) => Some(number),
            None if had < OF_METHOD => {
                self.0.insert((method, how), next);
                Some(next)
            }
            None => None,
        }
    }
}

/// Adds drafts that the other version answers otherwise, and notes in all drafts what is answered otherwise.
pub(crate) fn differ(
    builder: &Builder<'_>,
    drafts: &mut Vec<Draft>,
    vary: &mut Vary<'_>,
    executor: &mut dyn Executor,
    other: &mut dyn Executor,
) -> Result<(), ExecutorError> {
    let mut known = Known::default();
    note(builder, drafts, &mut known, other)?;
    let mut by_length: Vec<&Draft> = drafts.iter().collect();
    by_length.sort_by_key(|draft| draft.length);
    let bodies = by_length
        .iter()
        .map(|draft| draft.sequence.prefix(draft.length));
    let mut bases: Vec<Sequence> = bodies.take(VARIED).collect();
    for _ in 0..ROUNDS {
        if bases.is_empty() {
            break;
        }
        let neighbours = vary(&bases, executor)?;
        let seen: BTreeSet<Sequence> = drafts.iter().map(body).collect();
        let mut new = differing(builder, &neighbours, &seen, executor, other)?;
        builder.observe(&mut new, executor, &mut Losses::default())?;
        new.sort_by_key(|draft| (tier(&draft.end, &draft.sequence), draft.length));
        let numbers = known.0.len();
        note(builder, &mut new, &mut known, other)?;
        new.retain(|draft| draft.kills.is_some());
        bases = new.iter().map(body).collect();
        drafts.extend(new);
        if known.0.len() == numbers {
            break;
        }
    }
    executor.begin()
}

fn body(draft: &Draft) -> Sequence {
    draft.sequence.prefix(draft.length)
}

/// Number of the method that a draft is about.
fn method_of(draft: &Draft) -> u32 {
    match &draft.sequence.statements()[draft.length - 1] {
        Statement::Call { method, .. } => method.0,
        _ => u32::MAX - 1,
    }
}

/// Notes in drafts what the other version answers otherwise.
fn note(
    builder: &Builder<'_>,
    drafts: &mut [Draft],
    known: &mut Known,
    other: &mut dyn Executor,
) -> Result<(), ExecutorError> {
    other.begin()?;
    let sequences: Vec<Sequence> = drafts.iter().map(|draft| draft.sequence.clone()).collect();
    let outcomes = run_all(other, &sequences)?;
    for (draft, outcome) in drafts.iter_mut().zip(outcomes) {
        if matches!(outcome.end, End::Unusable(_)) {
            continue; // what is gone is told of elsewhere
        }
        let method = method_of(draft);
        let Some(own) = &draft.outcome else { continue };
        let how = first_difference(own, &outcome);
        let seen = noticed(builder.scope(), draft.candidate(), &outcome, 0, None);
        if seen.by_end.is_empty() && seen.by_statement.is_empty() {
            continue;
        }
        let Some(number) = known.number(method, how) else {
            continue;
        };
        let found = noticed(builder.scope(), draft.candidate(), &outcome, number, None);
        let kills = draft.kills.get_or_insert_default();
        kills.own.insert(number);
        kills.add(found);
    }
    Ok(())
}

/// What is the first to differ, on both sides.
fn first_difference(own: &Outcome, other: &Outcome) -> String {
    let mut pairs = own.observations.iter().zip(&other.observations);
    match pairs.find(|(own, other)| own != other) {
        Some((own, other)) => format!("{own:?} {other:?}"),
        None => format!("{:?} {:?}", kind(&own.end), kind(&other.end)),
    }
}

/// How it ended, without what may hold anything.
fn kind(end: &End) -> &str {
    match end {
        End::Completed => "completed",
        End::Threw(thrown) => &thrown.class,
        _ => "other",
    }
}

/// Drafts of neighbours that differ at a first look, the simplest of each method.
fn differing(
    builder: &Builder<'_>,
    neighbours: &[Sequence],
    seen: &BTreeSet<Sequence>,
    executor: &mut dyn Executor,
    other: &mut dyn Executor,
) -> Result<Vec<Draft>, ExecutorError> {
    executor.begin()?;
    let outcomes = run_all(executor, neighbours)?;
    let mut drafts = Vec::new();
    let mut had = BTreeSet::new();
    for (sequence, outcome) in neighbours.iter().zip(outcomes) {
        if !outcome.is_writable() {
            continue;
        }
        let run = Run {
            sequence: sequence.clone(),
            outcome,
        };
        let Some(run) = builder.writable(&run) else {
            continue;
        };
        if !seen.contains(&run.sequence) && had.insert(run.sequence.clone()) {
            drafts.push(builder.draft(&run));
        }
    }
    let sequences: Vec<Sequence> = drafts.iter().map(|draft| draft.sequence.clone()).collect();
    executor.begin()?;
    let own = run_all(executor, &sequences)?;
    other.begin()?;
    let theirs = run_all(other, &sequences)?;
    let mut differs = own.iter().zip(&theirs).map(|(own, other)| {
        let is_usable = !matches!(other.end, End::Unusable(_));
        let is_end = kind(&own.end) != kind(&other.end);
        is_usable && (is_end || own.observations != other.observations)
    });
    drafts.retain(|_| differs.next() == Some(true));
    drafts.sort_by_key(|draft| (tier(&draft.end, &draft.sequence), draft.length));
    let mut left: BTreeMap<u32, usize> = BTreeMap::new();
    drafts.retain(|draft| {
        let taken = left.entry(method_of(draft)).or_default();
        *taken += 1;
        *taken <= DRAFTED
    });
    Ok(drafts)
}
