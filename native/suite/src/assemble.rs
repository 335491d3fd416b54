//! Kept runs to a finished test class.
//!
//! Comes in: kept runs of one subject class and an executor. Goes out: a [`TestClass`] of short, named, asserted tests,
//! and what was lost on the way.
//! Steps: leave out what cannot be written, choose (`minimize.rs`), split (`split.rs`) and shorten, append observers
//! (`observer.rs`), run everything twice from a fresh start, forwards and backwards, and keep what was equal both times; find
//! what each kills (`mutants.rs`), drop what others make superfluous (`reduce.rs`), choose assertions (`pick.rs`).
//! Does not know: Java text.

use crate::asking::{ask, look_before};
use crate::assertion::{Assertion, expected, expected_exception, may_expect};
use crate::draft::{Draft, only};
use crate::minimize::{choose, run_all, settle, shorten};
use crate::mutants::{Candidate, matrix};
use crate::naming::Names;
use crate::observer::Observers;
use crate::pick::{assert_what_no_other_does, pick, ranks};
use crate::reduce::reduce;
use crate::split::split;
use crate::told::told;
use crate::typing::type_sequence;
use crate::written::{Faults, Harm, Loss, Lost, Style, Test, TestClass};
use palus_bytecode::{ClassId, MethodId, Program, binary_name};
use palus_sequence::{End, Executor, ExecutorError, Outcome, Probe, Run, Sequence, Statement};
use std::collections::BTreeSet;

/// Builds the tests of a subject class; `is_pure` says which methods change nothing.
pub(crate) fn assemble(
    program: &Program,
    is_pure: &dyn Fn(MethodId) -> bool,
    subject: ClassId,
    kept: &[Run],
    executor: &mut dyn Executor,
    style: &Style,
) -> Result<(TestClass, Vec<Lost>), ExecutorError> {
    let package = program.package(subject).to_owned();
    let builder = Builder {
        program,
        is_pure,
        package: &package,
        observers: Observers {
            program,
            is_pure,
            package: &package,
        },
    };
    let mut losses = Losses::default();
    let mut runs = Vec::new();
    for run in kept {
        match builder.writable(run) {
            Some(writable) => runs.push(writable),
            None => losses.note(Loss::Unnameable, &run.outcome),
        }
    }
    let mut chosen = choose(&runs);
    let most = style.max_tests_per_class.saturating_mul(2);
    for one in chosen.drain(most.min(chosen.len())..) {
        losses.note(Loss::TooMany, &one.run.outcome);
    }
    let home = home(program, subject);
    if style.is_polished {
        settle(program, is_pure, &home, &mut chosen, executor)?;
        split(&mut chosen, executor)?;
        shorten(program, is_pure, &mut chosen, executor)?;
    }
    let owned = chosen.iter().flat_map(|one| &one.owned);
    let wanted: BTreeSet<Probe> = owned.copied().collect();
    let mut drafts = Vec::new();
    let mut seen = BTreeSet::new();
    for one in chosen {
        if !seen.insert(one.run.sequence.clone()) {
            continue;
        }
        if builder.writable(&one.run).is_none() {
            losses.note(Loss::Unnameable, &one.run.outcome);
            continue;
        }
        let mut draft = if style.is_polished {
            builder.draft(&one.run)
        } else {
            Draft::bare(&one.run)
        };
        if !one.owned.iter().any(|probe| home.contains(&probe.class)) {
            draft.elsewhere = one.owned;
        }
        drafts.push(draft);
    }
    if style.is_polished {
        ask(&builder.observers, &mut drafts, executor)?;
        look_before(&mut drafts, executor)?;
        builder.run_twice(&mut drafts, executor, &mut losses)?;
    }
    let faults = if style.is_polished && style.has_mutants {
        let found = builder.find_kills(&program.nest(subject), &mut drafts, executor);
        match found {
            Err(ExecutorError::Cancelled) => return Err(ExecutorError::Cancelled),
            Err(_) => {
                // The tests are good without. Whatever still has to run begins anew, and sees what is wrong.
                let _ = executor.begin();
                Faults::default()
            }
            Ok(faults) => faults,
        }
    } else {
        Faults::default()
    };
    if style.is_polished {
        reduce(program, &home, &wanted, &mut drafts, executor)?;
    }
    for draft in drafts.drain(style.max_tests_per_class.min(drafts.len())..) {
        losses.note_draft(Loss::TooMany, &draft);
    }
    drafts.sort_by_key(order);
    assert_what_no_other_does(program, &mut drafts);
    let mut names = Names::default();
    let mut tests = Vec::new();
    for draft in &drafts {
        match builder.finish(draft, &mut names) {
            Some(test) => tests.push(test),
            None => losses.note_draft(Loss::Unnameable, draft),
        }
    }
    let class = TestClass {
        subject,
        package: binary_name(&package),
        name: class_name(program, subject),
        tests,
        faults,
    };
    Ok((class, losses.0))
}

/// What was lost so far.
#[derive(Default)]
struct Losses(Vec<Lost>);

impl Losses {
    fn note(&mut self, why: Loss, outcome: &Outcome) {
        let probes = outcome.coverage.probes.clone();
        self.0.push(Lost { why, probes });
    }

    fn note_draft(&mut self, why: Loss, draft: &Draft) {
        let probes = draft.touched.clone();
        self.0.push(Lost { why, probes });
    }
}

/// `RoadMapPalusTest`; nested classes are tested with the class around them.
pub(crate) fn class_name(program: &Program, subject: ClassId) -> String {
    let mut class = program.class(subject);
    while let Some(outer) = class
        .outer
        .as_deref()
        .and_then(|outer| program.class_named(outer))
    {
        class = program.class(outer);
    }
    let simple = class.name.rsplit('/').next().unwrap_or(&class.name);
    format!("{simple}PalusTest")
}

/// Numbers of the classes that the subject's tests are about: itself, what is nested in it, and what it extends.
fn home(program: &Program, subject: ClassId) -> BTreeSet<u32> {
    let supertypes = program.supertypes(subject).into_iter();
    supertypes
        .chain(program.nest(subject))
        .map(|class| class.0)
        .collect()
}

struct Builder<'a> {
    program: &'a Program,
    is_pure: &'a dyn Fn(MethodId) -> bool,
    package: &'a str,
    observers: Observers<'a>,
}

impl Builder<'_> {
    /// The run up to its end, if a test may show it and source text can.
    fn writable(&self, run: &Run) -> Option<Run> {
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

    fn draft(&self, run: &Run) -> Draft {
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
            elsewhere: Vec::new(),
            touched: run.outcome.coverage.probes.clone(),
            kills: None,
            wanted: Vec::new(),
        }
    }

    /// Finds out which mutants of these classes each draft kills, and by what.
    fn find_kills(
        &self,
        classes: &[ClassId],
        drafts: &mut [Draft],
        executor: &mut dyn Executor,
    ) -> Result<Faults, ExecutorError> {
        let candidates: Vec<Candidate<'_>> = drafts
            .iter()
            .map(|draft| Candidate {
                sequence: &draft.sequence,
                length: draft.length,
                end: &draft.end,
                told: &draft.told,
                expected: &draft.expected,
            })
            .collect();
        let found = matrix(self.program, self.package, classes, &candidates, executor)?;
        for (draft, kills) in drafts.iter_mut().zip(found.kills) {
            draft.kills = kills;
        }
        Ok(Faults {
            mutants: found.mutants,
            covered: found.covered.into_iter().collect(),
        })
    }

    /// Runs all drafts forwards and backwards, each time from a fresh start, and drops what differs.
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
        sequences.reverse();
        executor.begin()?;
        let mut backwards = run_all(executor, &sequences)?;
        backwards.reverse();
        let outcomes = forwards.into_iter().zip(backwards);
        let mut kept = Vec::new();
        for (mut draft, (first, second)) in drafts.drain(..).zip(outcomes) {
            if !same_end(&first.end, &second.end) || !same_end(&first.end, &draft.end) {
                losses.note_draft(Loss::Unsteady, &draft);
                continue;
            }
            let seen = |outcome: &Outcome, index: usize| {
                outcome
                    .observations
                    .get(index)
                    .and_then(|observation| expected(self.program, self.package, observation))
            };
            draft.expected = (0..draft.sequence.len())
                .map(|index| {
                    seen(&first, index).filter(|one| seen(&second, index).as_ref() == Some(one))
                })
                .collect();
            let told =
                |outcome: &Outcome| told(self.program, self.package, &draft.sequence, &outcome.end);
            let second = told(&second);
            draft.told = told(&first);
            draft.told.retain(|one| second.contains(one));
            draft.outcome = Some(first);
            kept.push(draft);
        }
        *drafts = kept;
        Ok(())
    }

    fn finish(&self, draft: &Draft, names: &mut Names) -> Option<Test> {
        let mut outcome = draft.outcome.clone()?;
        let picked = pick(self.program, draft);
        // Observers nobody asserts go; they changed nothing.
        let mut kept: BTreeSet<usize> = (0..draft.length).collect();
        let mut open: Vec<usize> = picked.iter().map(|&(_, index)| index).collect();
        while let Some(index) = open.pop() {
            if kept.insert(index) {
                let uses = draft.sequence.statements()[index].uses();
                open.extend(uses.iter().map(|used| used.index()));
            }
        }
        let kept: Vec<usize> = kept.into_iter().collect();
        let (sequence, kept) = only(&draft.sequence, &kept);
        outcome.observations = kept
            .iter()
            .filter_map(|&index| outcome.observations.get(index).cloned())
            .collect();
        let mut ranked: Vec<(usize, Assertion)> = picked
            .iter()
            .enumerate()
            .filter_map(|(rank, &(_, index))| {
                let statement = kept.binary_search(&index).ok()? as u32;
                Some((
                    rank,
                    Assertion {
                        statement,
                        expected: draft.expected[index].clone()?,
                    },
                ))
            })
            .collect();
        // What the last statement left as it was does not tell what it did.
        let telling: Vec<Assertion> = ranked
            .iter()
            .zip(&picked)
            .filter(|(_, (rank, _))| *rank <= ranks::NEW)
            .map(|((_, assertion), _)| assertion.clone())
            .collect();
        ranked.sort_by_key(|(rank, assertion)| (assertion.statement, *rank));
        let assertions = ranked.into_iter().map(|(_, assertion)| assertion).collect();
        type_sequence(self.program, self.package, &sequence)?;
        let run = Run { sequence, outcome };
        let name = names.claim(self.program, self.is_pure, &run, draft.length - 1, &telling);
        Some(Test {
            name,
            run,
            assertions,
            remark: None,
            elsewhere: draft.elsewhere.clone(),
            harm: Harm::NotAsked,
            told: draft.told.clone(),
            length: draft.length,
            kills: draft.kills.as_ref().map_or_else(Vec::new, |kills| {
                let asserted = picked.iter().map(|&(_, index)| index);
                kills.of(asserted).into_iter().collect()
            }),
        })
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

/// Tests of one method stand together, in the order of the class file, ordinary ends before exceptions.
fn order(draft: &Draft) -> (u32, bool, usize) {
    let method = match &draft.sequence.statements()[draft.length - 1] {
        Statement::Call { method, .. } => method.0,
        _ => u32::MAX,
    };
    (method, matches!(draft.end, End::Threw(_)), draft.length)
}
