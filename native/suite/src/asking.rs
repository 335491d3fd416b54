//! What observers say of finished runs.
//!
//! Comes in: drafts with the calls that the test is about, an executor. Goes out: drafts with observers that throw nothing,
//! and what these said before the last statement of the test.
//! Does not know: what becomes of the answers.

use crate::draft::{Draft, only};
use crate::minimize::run_all;
use crate::observer::{Observers, Question};
use crate::typing::type_sequence;
use palus_sequence::{End, Executor, ExecutorError, Run, Sequence, Variable};

/// Passes that drop observers which throw, one of each draft at a time: each list of what a stub was called with may be empty.
const OBSERVER_ROUNDS: usize = 7;
/// How often what observers gave is asked in turn: a list for its first element, and that for what it says.
const DEEPER: usize = 2;

/// Asks what observers gave, and what that gave in turn; drops what throws.
pub(crate) fn ask(
    observers: &Observers<'_>,
    drafts: &mut [Draft],
    executor: &mut dyn Executor,
) -> Result<(), ExecutorError> {
    let mut asked: Vec<usize> = (0..drafts.len()).collect();
    drop_throwing(drafts, &asked, executor)?;
    let mut from: Vec<usize> = drafts.iter().map(|draft| draft.length).collect();
    for _ in 0..DEEPER {
        asked.retain(|&index| {
            let draft = &mut drafts[index];
            let end = draft.sequence.len();
            observers.ask_deeper(draft, std::mem::replace(&mut from[index], end));
            draft.sequence.len() > end
        });
        drop_throwing(drafts, &asked, executor)?;
    }
    Ok(())
}

impl Observers<'_> {
    /// The sequence and a question, where that takes no raw types that it does not have already.
    pub(crate) fn asked(&self, sequence: Sequence, question: &Question) -> Sequence {
        let is_raw = |sequence: &Sequence| {
            type_sequence(self.program, self.package, sequence).map(|typing| typing.is_raw)
        };
        let with = question.ask(&sequence);
        match is_raw(&with) {
            Some(true) if is_raw(&sequence) == Some(false) => sequence,
            Some(_) => with,
            None => sequence,
        }
    }

    /// Asks what the observers from some statement on gave.
    fn ask_deeper(&self, draft: &mut Draft, from: usize) {
        let Some(outcome) = draft.outcome.take() else {
            return;
        };
        let run = Run {
            sequence: draft.sequence.clone(),
            outcome,
        };
        let mut sequence = run.sequence.clone();
        for question in self.deeper(&run, from) {
            sequence = self.asked(sequence, &question);
        }
        draft.sequence = sequence;
    }
}

/// Drops observers of these drafts that throw.
pub(crate) fn drop_throwing(
    drafts: &mut [Draft],
    of: &[usize],
    executor: &mut dyn Executor,
) -> Result<(), ExecutorError> {
    let mut open = of.to_vec();
    for round in 0..=OBSERVER_ROUNDS {
        open.retain(|&index| drafts[index].sequence.len() > drafts[index].length);
        let asked = std::mem::take(&mut open);
        if asked.is_empty() {
            break;
        }
        executor.begin()?;
        let sequences: Vec<Sequence> = asked
            .iter()
            .map(|&index| drafts[index].sequence.clone())
            .collect();
        for (index, outcome) in asked.into_iter().zip(run_all(executor, &sequences)?) {
            let draft = &mut drafts[index];
            draft.outcome = None;
            match &outcome.end {
                End::Completed => {
                    draft.outcome = Some(outcome);
                    continue;
                }
                End::Threw(thrown) if thrown.statement as usize >= draft.length => {
                    let at = thrown.statement as usize;
                    draft.sequence = if round < OBSERVER_ROUNDS {
                        let others: Vec<usize> =
                            (0..draft.sequence.len()).filter(|&one| one != at).collect();
                        only(&draft.sequence, &others).0
                    } else {
                        // What stands before the one that threw is known to work.
                        draft.sequence.prefix(at)
                    };
                }
                _ => draft.sequence = draft.sequence.prefix(draft.length),
            }
            open.push(index);
        }
    }
    Ok(())
}

/// Asks the observers before the last statement too, to know which answers it changes.
pub(crate) fn look_before(
    drafts: &mut [Draft],
    executor: &mut dyn Executor,
) -> Result<(), ExecutorError> {
    let mut sequences = Vec::new();
    let mut askable = Vec::new();
    for draft in drafts.iter() {
        let last = draft.length - 1;
        let mut sequence = draft.sequence.prefix(last);
        let mut positions = Vec::new();
        for observer in &draft.sequence.statements()[draft.length..] {
            let place = |used: &Variable| match used.index().checked_sub(draft.length) {
                None => (used.index() < last).then_some(*used),
                Some(observer) => positions[observer],
            };
            let can_ask = observer.uses().iter().all(|used| place(used).is_some());
            let asked = can_ask.then(|| {
                sequence.push(observer.renamed(|used| place(&used).expect("it can be asked")))
            });
            positions.push(asked);
        }
        if sequence.len() == last {
            positions.clear();
            sequence = Sequence::default();
        }
        sequences.push(sequence);
        askable.push(positions);
    }
    let asked: Vec<usize> = (0..drafts.len())
        .filter(|&index| !sequences[index].is_empty())
        .collect();
    if asked.is_empty() {
        return Ok(());
    }
    executor.begin()?;
    let batch: Vec<Sequence> = asked
        .iter()
        .map(|&index| sequences[index].clone())
        .collect();
    for (index, outcome) in asked.into_iter().zip(run_all(executor, &batch)?) {
        drafts[index].before = askable[index]
            .iter()
            .map(|position| position.and_then(|one| outcome.observations.get(one.index()).cloned()))
            .collect();
    }
    Ok(())
}
