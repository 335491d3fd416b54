//! Tests of an earlier run among the drafts: what still does what it did stays as it is.
//!
//! Comes in: tests that were read back (`read_back.rs`), an executor. Goes out: drafts of those that run to an end that a test
//! may show, each with what its text asserts. They come first: a new draft stays for what they do not do (`reduce.rs`), and
//! nobody cuts them down (`trim.rs`) or chooses what they assert (`pick.rs`).
//! Does not know: where such tests come from, whether their text compiles.

use crate::draft::{Draft, Written};
use crate::drafting::Builder;
use crate::observer::Question;
use crate::pick::{noticed, ranked};
use crate::read_back::ReadTest;
use palus_bytecode::Program;
use palus_sequence::{End, Executor, ExecutorError, Probe, Run, Sequence, Statement};
use std::collections::BTreeSet;

/// Adds drafts of earlier tests, in their order.
pub(crate) fn drafts(
    builder: &Builder<'_>,
    earlier: &[ReadTest],
    drafts: &mut Vec<Draft>,
    executor: &mut dyn Executor,
) -> Result<(), ExecutorError> {
    if earlier.is_empty() {
        return Ok(());
    }
    executor.begin()?;
    for (place, test) in earlier.iter().enumerate() {
        let sequence = test.sequence.prefix(test.length);
        // So that it tells all that it touches, whatever the others did.
        executor.forget()?;
        let outcomes = executor.execute(std::slice::from_ref(&sequence))?;
        let Some(outcome) = outcomes.into_iter().next() else {
            continue;
        };
        let run = Run { sequence, outcome };
        // Another end than it had is another test.
        let is_end = test.throws == matches!(run.outcome.end, End::Threw(_));
        let writable = builder
            .writable(&run)
            .filter(|one| one.sequence == run.sequence);
        let Some(run) = writable.filter(|_| is_end) else {
            continue;
        };
        let mut draft = builder.draft(&run);
        draft.sequence = test.sequence.clone();
        if run.outcome.end == End::Completed {
            for question in builder.observers.first(&run) {
                if !is_asked(&test.sequence, test.length, &question) {
                    draft.sequence = builder.observers.asked(draft.sequence, &question);
                }
            }
        }
        draft.written = Some(Written {
            place,
            sequence: test.sequence.clone(),
            asserted: test.asserted.clone(),
        });
        drafts.push(draft);
    }
    Ok(())
}

/// The probes that drafts touch of the class, of those nested in it, and of what it extends.
pub(crate) fn touched(builder: &Builder<'_>, drafts: &[Draft]) -> BTreeSet<Probe> {
    let home = &builder.home;
    let touched = drafts
        .iter()
        .flat_map(|draft| draft.touched.iter().copied());
    let wanted =
        touched.filter(|probe| home.all.contains(&probe.class) && !home.generated.contains(probe));
    wanted.collect()
}

/// Takes drafts for new ones of which an observer throws now, and drops those that assert what is not the same each time.
pub(crate) fn settle(drafts: &mut Vec<Draft>) {
    drafts.retain_mut(|draft| {
        let Some(written) = &draft.written else {
            return true;
        };
        let length = written.sequence.len().min(draft.sequence.len());
        if draft.sequence.prefix(length) != written.sequence {
            draft.written = None;
            return true;
        }
        let mut asserted = written.asserted.iter();
        asserted.all(|&index| draft.expected[index].is_some())
    });
}

/// The mutants that tests of an earlier run come to by themselves, or kill.
pub(crate) fn spoken_for(program: &Program, drafts: &[Draft]) -> BTreeSet<u32> {
    let written = drafts.iter().filter(|draft| draft.written.is_some());
    let kills = written.filter_map(|draft| Some((draft, draft.kills.as_ref()?)));
    let of = kills.flat_map(|(draft, kills)| {
        let reached = kills.reached.iter().copied();
        reached.chain(noticed(program, draft))
    });
    of.collect()
}

/// The mutants that a draft kills if it asserts all that it may. A test of an earlier run kills what it does kill, and of
/// what such tests come to also what it could: nobody asserted that when they were chosen, so nobody is to now.
pub(crate) fn could_kill(
    program: &Program,
    spoken_for: &BTreeSet<u32>,
    draft: &Draft,
) -> BTreeSet<u32> {
    let Some(kills) = &draft.kills else {
        return BTreeSet::new();
    };
    let could = ranked(program, draft).into_iter();
    let mut killed = kills.of(could.map(|(_, index)| index));
    if draft.written.is_some() {
        killed.retain(|mutant| spoken_for.contains(mutant));
        killed.extend(noticed(program, draft));
    }
    killed
}

/// Puts earlier tests into the order that they had, in the places that they have together.
pub(crate) fn in_their_order(drafts: &mut [Draft]) {
    let place = |draft: &Draft| draft.written.as_ref().map(|written| written.place);
    let places: Vec<usize> = (0..drafts.len())
        .filter(|&at| place(&drafts[at]).is_some())
        .collect();
    let mut earlier: Vec<Draft> = places.iter().map(|&at| drafts[at].clone()).collect();
    earlier.sort_by_key(place);
    for (at, draft) in places.into_iter().zip(earlier) {
        drafts[at] = draft;
    }
}

/// Whether a test asks that already.
fn is_asked(sequence: &Sequence, length: usize, question: &Question) -> bool {
    let mut observers = sequence.statements()[length..].iter();
    observers.any(|statement| {
        matches!(statement, Statement::Call { method, receiver: Some(receiver), .. }
            if *method == question.method && *receiver == question.asked)
    })
}
