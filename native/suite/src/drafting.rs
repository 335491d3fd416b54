//! Kept runs to drafts: what can be written, with observers, seen twice, and what each kills.
//!
//! Comes in: a run, an executor. Goes out: a [`Draft`] that ended and said the same each time; what did not is lost.
//! Does not know: which drafts become tests, which of what was seen is asserted.

use crate::about::Home;
use crate::asking::{ask, drop_throwing, look_before};
use crate::assertion::{expected_exception, expected_of, may_expect};
use crate::draft::{Draft, Needed};
use crate::folder::Files;
use crate::minimize::run_all;
use crate::mutants::{Candidate, matrix};
use crate::observer::Observers;
use crate::scope::Scope;
use crate::told::told;
use crate::typing::type_sequence;
use crate::written::{Faults, Loss, Lost};
use palus_analyze::ValueMaker;
use palus_bytecode::{ClassId, MethodId, Program};
use palus_sequence::{ABROAD, End, Executor, ExecutorError, Outcome, Run, Sequence, Statement};
use std::collections::{BTreeMap, BTreeSet};

/// What was lost so far.
#[derive(Default)]
pub(crate) struct Losses(pub(crate) Vec<Lost>);

impl Losses {
    pub(crate) fn note(&mut self, why: Loss, outcome: &Outcome) {
        let probes = outcome.coverage.probes.clone();
        self.0.push(Lost { why, probes });
    }

    pub(crate) fn note_draft(&mut self, why: Loss, draft: &Draft) {
        let probes = draft.touched.clone();
        self.0.push(Lost { why, probes });
    }
}

/// What drafts are made with.
pub(crate) struct Builder<'a> {
    pub(crate) program: &'a Program,
    pub(crate) is_pure: &'a dyn Fn(MethodId) -> bool,
    pub(crate) package: &'a str,
    pub(crate) makers: &'a BTreeMap<ClassId, Vec<ValueMaker>>,
    pub(crate) home: Home<'a>,
    pub(crate) observers: Observers<'a>,
    /// What asks about files; none where the program has none.
    pub(crate) files: Option<Files>,
}

impl Builder<'_> {
    /// What its tests can say.
    pub(crate) fn scope(&self) -> Scope<'_> {
        Scope {
            program: self.program,
            package: self.package,
            makers: self.makers,
        }
    }

    /// The run up to its end, if a test may show it and source text can.
    pub(crate) fn writable(&self, run: &Run) -> Option<Run> {
        let length = match &run.outcome.end {
            // Trailing constants show nothing.
            End::Completed => {
                run.sequence.statements().iter().rposition(|statement| {
                    !matches!(
                        statement,
                        Statement::Value(_) | Statement::NewArray { .. } | Statement::Stub { .. }
                    )
                })? + 1
            }
            End::Threw(thrown) => {
                let is_call = matches!(
                    run.sequence.statements().get(thrown.statement as usize),
                    Some(Statement::Call { .. } | Statement::SetField { .. })
                );
                let is_expected = is_call
                    && may_expect(self.program, thrown)
                    && expected_exception(self.program, self.package, &thrown.class).is_some();
                if !is_expected {
                    return None;
                }
                thrown.statement as usize + 1
            }
            _ => return None,
        };
        let sequence = run.sequence.prefix(length);
        type_sequence(self.program, self.package, &sequence)?;
        let mut outcome = run.outcome.clone();
        outcome.observations.truncate(length);
        Some(Run { sequence, outcome })
    }

    pub(crate) fn draft(&self, run: &Run) -> Draft {
        let length = run.sequence.len();
        let mut sequence = run.sequence.clone();
        if run.outcome.end == End::Completed {
            for question in self.observers.first(run) {
                sequence = self.observers.asked(sequence, &question);
            }
        }
        Draft {
            sequence,
            length,
            end: run.outcome.end.clone(),
            before: Vec::new(),
            outcome: None,
            expected: Vec::new(),
            told: Vec::new(),
            is_about_subject: self.home.is_about(run),
            touched: run.outcome.coverage.probes.clone(),
            kills: None,
            needed: Needed::default(),
            wanted: Vec::new(),
            written: None,
        }
    }

    /// Observers, what they said before the call and after it, and only what is the same each time.
    pub(crate) fn observe(
        &self,
        drafts: &mut Vec<Draft>,
        executor: &mut dyn Executor,
        losses: &mut Losses,
    ) -> Result<(), ExecutorError> {
        ask(&self.observers, drafts, executor)?;
        if let Some(files) = &self.files {
            let asked = files.ask(self.program, drafts, executor)?;
            drop_throwing(drafts, &asked, executor)?;
        }
        look_before(drafts, executor)?;
        self.run_twice(drafts, executor, losses)
    }

    /// Finds out which mutants of these classes, or which of some, each draft kills, and by what.
    pub(crate) fn find_kills(
        &self,
        classes: &[ClassId],
        only: Option<&BTreeSet<u32>>,
        drafts: &mut [Draft],
        executor: &mut dyn Executor,
    ) -> Result<Faults, ExecutorError> {
        let candidates: Vec<Candidate<'_>> = drafts.iter().map(Draft::candidate).collect();
        let found = matrix(self.scope(), classes, only, &candidates, executor)?;
        for (draft, kills) in drafts.iter_mut().zip(found.kills) {
            draft.kills = kills;
        }
        Ok(Faults {
            mutants: found.mutants,
            covered: found.covered.into_iter().collect(),
            is_cut: found.is_cut,
        })
    }

    /// Runs all drafts forwards and backwards, each time from a fresh start, and drops what differs; of those that end the
    /// same in another locale, time zone and so on also what they give otherwise there.
    fn run_twice(
        &self,
        drafts: &mut Vec<Draft>,
        executor: &mut dyn Executor,
        losses: &mut Losses,
    ) -> Result<(), ExecutorError> {
        if drafts.is_empty() {
            return Ok(());
        }
        let mut sequences: Vec<Sequence> =
            drafts.iter().map(|draft| draft.sequence.clone()).collect();
        executor.begin()?;
        let forwards = run_all(executor, &sequences)?;
        executor.begin_elsewhere(ABROAD)?;
        let abroad = run_all(executor, &sequences)?;
        sequences.reverse();
        executor.begin()?;
        let mut backwards = run_all(executor, &sequences)?;
        backwards.reverse();
        let outcomes = forwards.into_iter().zip(backwards).zip(abroad);
        let mut kept = Vec::new();
        for (mut draft, ((first, second), abroad)) in drafts.drain(..).zip(outcomes) {
            if !same_end(&first.end, &second.end) || !same_end(&first.end, &draft.end) {
                losses.note_draft(Loss::Unsteady, &draft);
                continue;
            }
            let seen = |outcome: &Outcome, index: usize| {
                outcome.observations.get(index).and_then(|observation| {
                    let statement = &draft.sequence.statements()[index];
                    expected_of(self.scope(), statement, observation)
                })
            };
            draft.expected = (0..draft.sequence.len())
                .map(|index| {
                    seen(&first, index).filter(|one| seen(&second, index).as_ref() == Some(one))
                })
                .collect();
            // What ends otherwise there is for verifying to see.
            if same_end(&first.end, &abroad.end) {
                for (index, expected) in draft.expected.iter_mut().enumerate() {
                    expected.take_if(|one| seen(&abroad, index).as_ref() != Some(one));
                }
            }
            let told = |outcome: &Outcome| told(self.scope(), &draft.sequence, &outcome.end);
            let others = [told(&second), told(&abroad)];
            draft.told = told(&first);
            draft
                .told
                .retain(|one| others.iter().all(|other| other.contains(one)));
            draft.outcome = Some(first);
            kept.push(draft);
        }
        *drafts = kept;
        Ok(())
    }
}

fn same_end(first: &End, second: &End) -> bool {
    match (first, second) {
        (End::Completed, End::Completed) => true,
        (End::Threw(first), End::Threw(second)) => {
            first.class == second.class && first.statement == second.statement
        }
        _ => false,
    }
}
