//! Tests of an earlier run among the drafts: what still does what it did stays as it is.
//!
//! Comes in: tests that were read back (`read_back.rs`), an executor. Goes out: drafts of those that run to an end that a test
//! may show, each with what its text asserts. They come first: a new draft stays for what they do not do (`reduce.rs`), and
//! nobody cuts them down (`trim.rs`) or chooses what they assert (`pick.rs`).
//! Does not know: where such tests come from, whether their text compiles.

use crate::draft::{Draft, Written};
use crate::drafting::Builder;
use crate::observer::Question;
use crate::read_back::ReadTest;
use palus_sequence::{End, Executor, ExecutorError, Probe, Run, Sequence, Statement};
use std::collections::BTreeSet;

/// Drafts of earlier tests, in their order, and the probes of the class that they touch.
pub(crate) fn drafts(
    builder: &Builder<'_>,
    earlier: &[ReadTest],
    executor: &mut dyn Executor,
) -> Result<(Vec<Draft>, BTreeSet<Probe>), ExecutorError> {
    let mut drafts = Vec::new();
    let mut touched = BTreeSet::new();
    if earlier.is_empty() {
        return Ok((drafts, touched));
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
        let probes = run.outcome.coverage.probes.iter().copied();
        touched.extend(probes.filter(|probe| {
            builder.home.all.contains(&probe.class) && !builder.home.generated.contains(probe)
        }));
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
    Ok((drafts, touched))
}

/// Takes drafts for new ones that cannot say any more what their texts say.
pub(crate) fn settle(drafts: &mut [Draft]) {
    for draft in drafts {
        draft.written.take_if(|written| {
            let length = written.sequence.len().min(draft.sequence.len());
            let is_whole = draft.sequence.prefix(length) == written.sequence;
            let mut asserted = written.asserted.iter();
            !is_whole || asserted.any(|&index| draft.expected[index].is_none())
        });
    }
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
