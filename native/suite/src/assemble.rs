//! Kept runs to a finished test class.
//!
//! Comes in: kept runs of one subject class and an executor. Goes out: a [`TestClass`] of short, named, asserted tests,
//! and what was lost on the way.
//! Steps: leave out what cannot be written, choose and shorten (`minimize.rs`), append observers (`observer.rs`), run
//! everything twice from a fresh start, forwards and backwards, and keep what was equal both times.
//! Does not know: Java text.

use crate::assertion::{Assertion, Expected, expected, expected_exception, may_expect};
use crate::minimize::{choose, run_all, shorten};
use crate::mutants::{Candidate, Kills, matrix};
use crate::naming::Names;
use crate::observer::{candidates, is_to_string};
use crate::typing::type_sequence;
use crate::written::{Faults, Harm, Loss, Lost, Style, Test, TestClass};
use palus_bytecode::{ClassId, MethodId, Origin, Program, binary_name};
use palus_sequence::{
    End, Executor, ExecutorError, Observation, Outcome, Probe, Run, Sequence, Statement,
};
use std::collections::BTreeSet;

/// Assertions per test.
const MOST_ASSERTIONS: usize = 5;
/// Of these, observers that the last call did not change.
const MOST_UNCHANGED: usize = 2;
/// Passes that drop observers which throw.
const OBSERVER_ROUNDS: usize = 3;

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
        shorten(program, is_pure, &home, &mut chosen, executor)?;
    }
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
        drop_throwing_observers(&mut drafts, executor)?;
        look_before(&mut drafts, executor)?;
        builder.run_twice(&mut drafts, executor, &mut losses)?;
    }
    for draft in drafts.drain(style.max_tests_per_class.min(drafts.len())..) {
        losses.note_draft(Loss::TooMany, &draft);
    }
    drafts.sort_by_key(order);
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

/// A test in the making: the statements that matter, then observers.
struct Draft {
    sequence: Sequence,
    /// Number of statements before the observers; the last of them is under test.
    length: usize,
    /// How it ended when it was kept.
    end: End,
    /// What was seen before the last statement, by observer; shorter where it could not be asked.
    before: Vec<Option<Observation>>,
    outcome: Option<Outcome>,
    expected: Vec<Option<Expected>>,
    /// See [`Test::elsewhere`].
    elsewhere: Vec<Probe>,
    /// What it touched when it was kept.
    touched: Vec<Probe>,
    /// Mutants that it kills; none where that is not known.
    kills: Option<Kills>,
}

impl Draft {
    /// A run as it was, with nothing to assert.
    fn bare(run: &Run) -> Draft {
        Draft {
            sequence: run.sequence.clone(),
            length: run.sequence.len(),
            end: run.outcome.end.clone(),
            before: Vec::new(),
            outcome: Some(run.outcome.clone()),
            expected: Vec::new(),
            elsewhere: Vec::new(),
            touched: run.outcome.coverage.probes.clone(),
            kills: None,
        }
    }
}

struct Builder<'a> {
    program: &'a Program,
    is_pure: &'a dyn Fn(MethodId) -> bool,
    package: &'a str,
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
            for observer in candidates(self.program, self.is_pure, self.package, run) {
                let with = sequence.extended(observer);
                if type_sequence(self.program, self.package, &with)
                    .is_some_and(|typing| !typing.is_raw)
                    || type_sequence(self.program, self.package, &sequence)
                        .is_some_and(|typing| typing.is_raw)
                {
                    sequence = with;
                }
            }
        }
        Draft {
            sequence,
            length,
            end: run.outcome.end.clone(),
            before: Vec::new(),
            outcome: None,
            expected: Vec::new(),
            elsewhere: Vec::new(),
            touched: run.outcome.coverage.probes.clone(),
            kills: None,
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
            draft.outcome = Some(first);
            kept.push(draft);
        }
        *drafts = kept;
        Ok(())
    }

    fn finish(&self, draft: &Draft, names: &mut Names) -> Option<Test> {
        let mut outcome = draft.outcome.clone()?;
        let picked = self.pick(draft);
        // Observers nobody asserts go; they changed nothing.
        let mut kept: Vec<usize> = (0..draft.length).collect();
        kept.extend(
            picked
                .iter()
                .map(|&(_, index)| index)
                .filter(|&index| index >= draft.length),
        );
        kept.sort_unstable();
        let statements = kept
            .iter()
            .map(|&index| draft.sequence.statements()[index].clone());
        let sequence = Sequence::new(statements.collect());
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
            kills: draft.kills.as_ref().map_or_else(Vec::new, |kills| {
                let asserted = picked.iter().map(|&(_, index)| index);
                kills.of(asserted).into_iter().collect()
            }),
        })
    }

    /// Statements to assert, most telling first, each with its rank.
    fn pick(&self, draft: &Draft) -> Vec<(u32, usize)> {
        let last = draft.length - 1;
        let mut ranked = Vec::new();
        for (index, expected) in draft.expected.iter().enumerate() {
            let statement = &draft.sequence.statements()[index];
            if !matches!(
                statement,
                Statement::Call { .. } | Statement::GetField { .. }
            ) {
                continue;
            }
            let Some(expected) = expected else { continue };
            if let Some(rank) = self.rank(draft, index, statement, expected) {
                ranked.push((rank, index));
            }
        }
        ranked.sort_by_key(|&(rank, index)| (rank, index));
        let has_better = ranked.iter().any(|&(rank, _)| rank < ranks::NOT_NULL);
        if let Some(kills) = &draft.kills {
            ranked.retain(|&(rank, index)| rank < ranks::NOT_NULL || !has_better && index == last);
            let statements: Vec<usize> = ranked.iter().map(|&(_, index)| index).collect();
            // What the call that the test is about gave is never thrown away.
            let must = ranked
                .first()
                .is_some_and(|&(rank, _)| rank == ranks::RESULT);
            let chosen = kills.choose(&statements, must, MOST_ASSERTIONS);
            ranked.retain(|(_, index)| chosen.contains(index));
            return ranked;
        }
        let mut unchanged = 0;
        ranked.retain(|&(rank, index)| match rank {
            ranks::NOT_NULL => !has_better && index == last,
            ranks::UNCHANGED | ranks::TEXT => {
                unchanged += 1;
                unchanged <= MOST_UNCHANGED
            }
            _ => true,
        });
        ranked.truncate(MOST_ASSERTIONS);
        ranked
    }

    fn rank(
        &self,
        draft: &Draft,
        index: usize,
        statement: &Statement,
        expected: &Expected,
    ) -> Option<u32> {
        let last = draft.length - 1;
        let Statement::Call { method, .. } = statement else {
            return (index == last && *expected != Expected::NotNull).then_some(ranks::RESULT);
        };
        let method = self.program.method(*method);
        let is_constructor = method.is_constructor();
        if is_constructor || &*method.name == "hashCode" {
            return None;
        }
        let is_object = matches!(expected, Expected::NotNull | Expected::Same(_));
        if index == last {
            return Some(if *expected == Expected::NotNull {
                ranks::NOT_NULL
            } else {
                ranks::RESULT
            });
        }
        if is_object {
            return None;
        }
        if index < last {
            let is_subject = self.program.class(method.class).origin == Origin::Subject;
            return is_subject.then_some(ranks::EARLIER);
        }
        if is_to_string(self.program, statement) {
            return Some(ranks::TEXT);
        }
        let now = draft
            .outcome
            .as_ref()
            .and_then(|outcome| outcome.observations.get(index));
        Some(match draft.before.get(index - draft.length) {
            Some(Some(before)) if Some(before) == now => ranks::UNCHANGED,
            Some(Some(_)) => ranks::CHANGED,
            _ => ranks::NEW,
        })
    }
}

/// Ranks of assertions, most telling first.
mod ranks {
    /// The value of the last statement.
    pub(super) const RESULT: u32 = 0;
    /// An observer that the last statement changed.
    pub(super) const CHANGED: u32 = 1;
    /// An observer of an object that the last statement made.
    pub(super) const NEW: u32 = 2;
    /// The value of an earlier call of the subject.
    pub(super) const EARLIER: u32 = 3;
    /// An observer that the last statement left as it was.
    pub(super) const UNCHANGED: u32 = 4;
    /// `toString`
    pub(super) const TEXT: u32 = 5;
    /// Only that there is an object.
    pub(super) const NOT_NULL: u32 = 6;
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

fn drop_throwing_observers(
    drafts: &mut [Draft],
    executor: &mut dyn Executor,
) -> Result<(), ExecutorError> {
    for round in 0..=OBSERVER_ROUNDS {
        let asked: Vec<usize> = (0..drafts.len())
            .filter(|&index| drafts[index].sequence.len() > drafts[index].length)
            .collect();
        if asked.is_empty() {
            break;
        }
        executor.begin()?;
        let sequences: Vec<Sequence> = asked
            .iter()
            .map(|&index| drafts[index].sequence.clone())
            .collect();
        let mut is_clean = true;
        for (index, outcome) in asked.into_iter().zip(run_all(executor, &sequences)?) {
            let draft = &mut drafts[index];
            match &outcome.end {
                End::Completed => continue,
                End::Threw(thrown) if thrown.statement as usize >= draft.length => {
                    let at = thrown.statement as usize;
                    let mut statements = draft.sequence.statements().to_vec();
                    if round < OBSERVER_ROUNDS {
                        // Nothing uses an observer's result.
                        statements.remove(at);
                    } else {
                        // What stands before the one that threw is known to work.
                        statements.truncate(at);
                    }
                    draft.sequence = Sequence::new(statements);
                }
                _ => draft.sequence = draft.sequence.prefix(draft.length),
            }
            is_clean = false;
        }
        if is_clean {
            break;
        }
    }
    Ok(())
}

/// Asks the observers before the last statement too, to know which answers it changes.
fn look_before(drafts: &mut [Draft], executor: &mut dyn Executor) -> Result<(), ExecutorError> {
    let mut sequences = Vec::new();
    let mut askable = Vec::new();
    for draft in drafts.iter() {
        let last = draft.length - 1;
        let mut sequence = draft.sequence.prefix(last);
        let mut positions = Vec::new();
        for observer in &draft.sequence.statements()[draft.length..] {
            let can_ask = observer.uses().iter().all(|used| used.index() < last);
            positions.push(can_ask.then_some(sequence.len()));
            if can_ask {
                sequence.push(observer.clone());
            }
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
            .map(|position| {
                position.and_then(|position| outcome.observations.get(position).cloned())
            })
            .collect();
    }
    Ok(())
}

/// Tests of one method stand together, in the order of the class file, ordinary ends before exceptions.
fn order(draft: &Draft) -> (u32, bool, usize) {
    let method = match &draft.sequence.statements()[draft.length - 1] {
        Statement::Call { method, .. } => method.0,
        _ => u32::MAX,
    };
    (method, matches!(draft.end, End::Threw(_)), draft.length)
}
