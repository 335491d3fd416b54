//! The loop of one unit: makes candidates, runs them in batches, files what came of them.
//!
//! Comes in: a [`Unit`]. Goes out: batches of sequences to the executor, and what is [`Generated`] in the end.
//! Its two halves: the [`Maker`] makes sequences and learns from outcomes, the [`Ledger`] knows what is reached.
//! Does not know: in which order phases come (`phases.rs`), models (`guided.rs`).

mod random;

use crate::draft::Candidate;
use crate::ledger::{Gain, Ledger};
use crate::maker::Maker;
use crate::skip::SkipCode;
use crate::unit::{Generated, Replayed, Unit};
use palus_bytecode::MethodId;
use palus_sequence::{Executor, ExecutorError, Outcome, Sequence};
use std::collections::{BTreeMap, BTreeSet};

/// Sequences sent to the executor at once.
const BATCH: usize = 100;

/// One unit while it runs.
pub(crate) struct Generator<'a> {
    maker: Maker<'a>,
    ledger: Ledger<'a>,
    /// Targets that the random phase leaves out; none without models.
    left_out: BTreeSet<MethodId>,
    /// How the trace's histories came back.
    replayed: Replayed,
    /// Methods that no test can call.
    unreachable: Vec<MethodId>,
}

impl<'a> Generator<'a> {
    /// Prepares a unit.
    pub fn new(unit: Unit<'a>) -> Self {
        let (maker, unreachable) = Maker::new(unit);
        Generator {
            ledger: Ledger::new(unit, maker.nest(), maker.calls().targets()),
            maker,
            left_out: BTreeSet::new(),
            replayed: Replayed::default(),
            unreachable,
        }
    }

    /// Makes and runs candidates while the phase lasts.
    pub fn run(
        &mut self,
        executor: &mut dyn Executor,
        mut candidate: impl FnMut(&mut Self) -> Option<Candidate>,
        mut file: impl FnMut(&mut Self, &Candidate, &Outcome),
    ) -> Result<(), ExecutorError> {
        let mut empty = 0;
        while self.ledger.budget().left() > 0
            && empty < 5
            && !executor.is_over(self.ledger.budget().percent())
        {
            let size = BATCH.min(usize::try_from(self.ledger.budget().left()).unwrap_or(BATCH));
            let size = size.min(executor.batch_limit()).max(1);
            let mut sequences: Vec<Sequence> = Vec::with_capacity(size);
            let mut candidates: Vec<Candidate> = Vec::with_capacity(size);
            for _ in 0..size * 3 {
                if sequences.len() == size {
                    break;
                }
                let Some(mut made) = candidate(self) else {
                    continue;
                };
                if made.sequence.is_empty() || !(self.ledger.note(&made.sequence) || made.is_needed)
                {
                    continue;
                }
                debug_assert_eq!(
                    palus_sequence::check(self.maker.program(), &made.sequence),
                    Ok(()),
                    "{:?}",
                    made.sequence
                );
                sequences.push(std::mem::take(&mut made.sequence));
                candidates.push(made);
            }
            if sequences.is_empty() {
                empty += 1;
                continue;
            }
            empty = 0;
            let outcomes = executor.execute(&sequences)?;
            for ((mut made, sequence), outcome) in
                candidates.into_iter().zip(sequences).zip(outcomes)
            {
                made.sequence = sequence;
                self.file(&mut made, &outcome);
                file(self, &made, &outcome);
            }
        }
        Ok(())
    }

    /// Files one outcome; tells what it touched for the first time.
    pub fn file(&mut self, candidate: &mut Candidate, outcome: &Outcome) -> Gain {
        let gain = self.ledger.take(&candidate.sequence, outcome);
        let (is_gain, is_new) = (gain == Gain::Own, gain != Gain::None);
        self.maker.learn(candidate, outcome, is_gain, is_new);
        gain
    }

    /// What makes sequences.
    pub fn maker(&self) -> &Maker<'a> {
        &self.maker
    }

    /// The same, to make some.
    pub fn maker_mut(&mut self) -> &mut Maker<'a> {
        &mut self.maker
    }

    /// What is reached.
    pub fn ledger(&self) -> &Ledger<'a> {
        &self.ledger
    }

    /// The same, to say when phases begin, and what was run.
    pub fn ledger_mut(&mut self) -> &mut Ledger<'a> {
        &mut self.ledger
    }

    /// Notes how the trace's histories and tests came back.
    pub fn set_replayed(&mut self, replayed: Replayed) {
        self.replayed = replayed;
    }

    /// Ends the unit.
    pub fn finish(self) -> Generated {
        let ledger = &self.ledger;
        let is_used_up = ledger.budget().is_used_up();
        let mut skipped: Vec<_> = self
            .unreachable
            .iter()
            .map(|&method| (method, SkipCode::NotAccessible))
            .collect();
        let mut causes = BTreeMap::new();
        let calls = self.maker.calls();
        for (number, target) in calls.targets().iter().enumerate() {
            // What only other calls can make was waited for all along.
            let tally = calls.tally(number);
            let code = tally.skip_code(is_used_up && !target.is_virtual);
            let cause = code.and_then(|code| tally.cause(code));
            skipped.extend(code.map(|code| (target.implementation, code)));
            causes.extend(cause.map(|cause| (target.implementation, cause)));
        }
        let program = self.maker.program();
        skipped.retain(|&(method, _)| !ledger.is_entered(method) && !program.is_generated(method));
        skipped.sort();
        skipped.dedup_by_key(|(method, _)| *method);
        let steps = ledger.budget().spent();
        let (kept, replays, failing) = self.ledger.into_kept();
        Generated {
            steps,
            kept,
            replays,
            failing,
            skipped,
            causes,
            replayed: self.replayed,
        }
    }
}
