//! Tests for faults that no test notices: neighbours of those that come to them.
//!
//! Comes in: drafts with the mutants that each kills, a way to vary sequences. Goes out: more drafts, each of which kills a
//! mutant that those before it do not.
//! At first all that kept runs did is looked through, and what the project's own tests did, each of their calls with what it
//! depends on: a run may have been cut down to what covers the code, and have shown more. Then in rounds: of the drafts that come to a mutant that lives the shortest are varied, cut behind each of their calls, and
//! followed by a call of the mutant's method, since nobody looks at what that gives in a set-up or to another method; all
//! these neighbours run with no mutant on,
//! which shows in one run for all mutants whether they would make a difference; of those that would the simplest become
//! drafts; and of these stay those that show the difference. The next round starts from all that became drafts, so that a fault may
//! take several changes.
//! Mutants as goals: Fraser, Zeller, "Mutation-Driven Generation of Unit Tests and Oracles", TSE 2012; weak mutation first,
//! as in Fraser, Arcuri, "Achieving Scalable Mutation-Based Generation of Whole Test Suites", EMSE 2015.
//! Does not know: how sequences are varied.

use crate::cut::slice;
use crate::direct::called;
use crate::draft::Draft;
use crate::drafting::{Builder, Losses};
use crate::earlier::{could_kill, spoken_for};
use crate::makers::Makers;
use crate::minimize::{BLAMES_NULL, run_all, tier};
use crate::mutants::infected;
use crate::pick::ranked;
use crate::recorded::record;
use crate::written::{Faults, Vary};
use palus_bytecode::{ClassId, MethodId};
use palus_sequence::{End, Executor, ExecutorError, Run, Sequence, Statement};
use std::collections::{BTreeMap, BTreeSet};

/// Rounds of one class.
const MOST_ROUNDS: usize = 3;
/// Drafts that are varied for one mutant.
const VARIED: usize = 4;
/// Neighbours that become drafts for one mutant, in one round.
const DRAFTED: usize = 4;
/// Calls of kept runs that become drafts for one mutant, each of another method.
const SHOWN: usize = 8;
/// Calls of kept runs that are looked through.
const MOST_SHOWN: usize = 1_500;

/// Adds drafts that kill mutants of these classes which none of the drafts kills; `runs` is what was kept, and what came of the trace.
pub(crate) fn hunt(
    builder: &Builder<'_>,
    classes: &[ClassId],
    faults: &Faults,
    runs: &[Run],
    drafts: &mut Vec<Draft>,
    vary: &mut Vary<'_>,
    executor: &mut dyn Executor,
) -> Result<(), ExecutorError> {
    let mut alive: BTreeSet<u32> = faults.covered.iter().copied().collect();
    let spoken_for = spoken_for(builder.program, drafts);
    for draft in &*drafts {
        alive = &alive - &could_kill(builder.program, &spoken_for, draft);
    }
    let mut varied = BTreeSet::new();
    let mut shown = shown(builder, runs);
    // What would have made a difference and showed none may show it with one thing more.
    let mut tried: Vec<Draft> = Vec::new();
    for _ in 0..MOST_ROUNDS {
        let bases = bases(drafts.iter().chain(&tried), &alive, &mut varied);
        if alive.is_empty() || bases.is_empty() && shown.is_empty() {
            return Ok(());
        }
        let mut neighbours: Vec<Sequence> = bases.iter().flat_map(beginnings).collect();
        neighbours.extend(direct(builder, faults, &alive, &bases));
        neighbours.extend(vary(&bases, executor)?);
        neighbours.extend(to_the_point(builder, &neighbours));
        let mut runs = telling(builder, classes, &alive, &neighbours, executor)?;
        let shown = std::mem::take(&mut shown);
        runs.extend(showing(builder, classes, &alive, &shown, executor)?);
        record(builder.program, runs.iter_mut().collect(), executor)?;
        let known: BTreeSet<&Sequence> = drafts.iter().map(|draft| &draft.sequence).collect();
        let new = runs.iter().map(|run| builder.draft(run));
        let mut new: Vec<Draft> = new.filter(|one| !known.contains(&one.sequence)).collect();
        for draft in &mut new {
            // They are there for faults alone; what covers the code is chosen.
            draft.touched.clear();
        }
        if new.is_empty() {
            return executor.begin();
        }
        builder.observe(&mut new, executor, &mut Losses::default())?;
        builder.find_kills(classes, Some(&alive), &mut new, executor)?;
        new.sort_by_key(|draft| (tier(&draft.end, &draft.sequence), draft.length));
        for draft in new {
            let killed = killed(builder, &draft);
            if alive.is_disjoint(&killed) {
                tried.push(draft);
            } else {
                alive = &alive - &killed;
                drafts.push(draft);
            }
        }
    }
    Ok(())
}

/// Each call of the subject in kept runs, with what it depends on; shortest first, none twice.
fn shown(builder: &Builder<'_>, runs: &[Run]) -> Vec<Sequence> {
    let calls = runs.iter().flat_map(|run| {
        let whole = (run.outcome.end == End::Completed).then(|| run.sequence.clone());
        beginnings(&run.sequence).chain(whole)
    });
    let slices = calls.map(|one| slice(builder.program, builder.is_pure, &one, 1));
    let slices: BTreeSet<Sequence> = slices.collect();
    let mut slices: Vec<Sequence> = slices.into_iter().collect();
    slices.sort_by_key(Sequence::len);
    slices.truncate(MOST_SHOWN);
    slices
}

/// The calls in which mutants that live would make a difference, the first of some methods for each mutant: which of them
/// shows the difference is seen by running them with it.
fn showing(
    builder: &Builder<'_>,
    classes: &[ClassId],
    alive: &BTreeSet<u32>,
    calls: &[Sequence],
    executor: &mut dyn Executor,
) -> Result<Vec<Run>, ExecutorError> {
    let mut methods: BTreeMap<u32, BTreeSet<MethodId>> = BTreeMap::new();
    let mut runs = infecting(builder, classes, alive, calls, executor)?;
    runs.retain(|(run, told)| {
        let Some(Statement::Call { method, .. }) = run.sequence.statements().last() else {
            return false;
        };
        let mut is_wanted = false;
        for mutant in told.intersection(alive) {
            let had = methods.entry(*mutant).or_default();
            is_wanted |= had.len() < SHOWN && had.insert(*method);
        }
        is_wanted
    });
    let runs = runs.into_iter().map(|(run, _)| run);
    Ok(runs.filter(|run| builder.home.is_about(run)).collect())
}

/// What a sequence does up to each of its calls but the last.
fn beginnings(sequence: &Sequence) -> impl Iterator<Item = Sequence> + '_ {
    let statements = sequence.statements().split_last();
    let before_last = statements.into_iter().flat_map(|(_, others)| others);
    let calls = before_last.enumerate();
    let calls = calls.filter(|(_, one)| matches!(one, Statement::Call { .. }));
    calls.map(|(index, _)| sequence.prefix(index + 1))
}

/// What the last call of each depends on, where that is less than all: of those that show the same the shortest stay.
fn to_the_point(builder: &Builder<'_>, sequences: &[Sequence]) -> Vec<Sequence> {
    let slices = sequences
        .iter()
        .map(|one| (one, slice(builder.program, builder.is_pure, one, 1)));
    let shorter = slices.filter(|(one, slice)| slice.len() < one.len());
    shorter.map(|(_, slice)| slice).collect()
}

/// Sequences that end with a call of a method whose mutants live.
fn direct(
    builder: &Builder<'_>,
    faults: &Faults,
    alive: &BTreeSet<u32>,
    bases: &[Sequence],
) -> Vec<Sequence> {
    let program = builder.program;
    let alive = alive.iter().map(|&mutant| &faults.mutants[mutant as usize]);
    let methods = alive.filter_map(|mutant| {
        program.declared_method(ClassId(mutant.class), &mutant.method, &mutant.descriptor)
    });
    let methods = methods.filter(|&method| {
        !program.method(method).is_constructor()
            && program.is_method_accessible(method, builder.package)
    });
    let methods: BTreeSet<MethodId> = methods.collect();
    let of = |method| {
        let called = bases
            .iter()
            .filter_map(move |base| called(program, &Makers::default(), base, method));
        called.take(VARIED)
    };
    methods.into_iter().flat_map(of).collect()
}

/// What a draft kills if it asserts all that it may.
pub(crate) fn killed(builder: &Builder<'_>, draft: &Draft) -> BTreeSet<u32> {
    let Some(kills) = &draft.kills else {
        return BTreeSet::new();
    };
    let asserted = ranked(builder.program, draft).into_iter();
    kills.of(asserted.map(|(_, index)| index))
}

/// The shortest drafts that come to mutants which live, without their observers; none twice.
fn bases<'a>(
    drafts: impl Iterator<Item = &'a Draft>,
    alive: &BTreeSet<u32>,
    varied: &mut BTreeSet<Sequence>,
) -> Vec<Sequence> {
    let mut by_length: Vec<&Draft> = drafts.collect();
    by_length.sort_by_key(|draft| draft.length);
    let mut left: BTreeMap<u32, usize> = alive.iter().map(|&mutant| (mutant, VARIED)).collect();
    let mut bases = Vec::new();
    for draft in by_length {
        let Some(kills) = &draft.kills else { continue };
        let body = draft.sequence.prefix(draft.length);
        if varied.contains(&body) {
            continue;
        }
        let mut is_wanted = false;
        for mutant in &kills.reached {
            if let Some(left) = left.get_mut(mutant).filter(|left| **left > 0) {
                *left -= 1;
                is_wanted = true;
            }
        }
        if is_wanted {
            varied.insert(body.clone());
            bases.push(body);
        }
    }
    bases
}

/// The simplest runs in which mutants that live would make a difference, some for each.
fn telling(
    builder: &Builder<'_>,
    classes: &[ClassId],
    alive: &BTreeSet<u32>,
    sequences: &[Sequence],
    executor: &mut dyn Executor,
) -> Result<Vec<Run>, ExecutorError> {
    let mut runs = infecting(builder, classes, alive, sequences, executor)?;
    let mut left: BTreeMap<u32, usize> = alive.iter().map(|&mutant| (mutant, DRAFTED)).collect();
    let mut seen = BTreeSet::new();
    runs.retain(|(run, told)| {
        let is_new = seen.insert(run.sequence.clone());
        let mut is_wanted = false;
        for mutant in told {
            if let Some(left) = left.get_mut(mutant).filter(|left| is_new && **left > 0) {
                *left -= 1;
                is_wanted = true;
            }
        }
        is_wanted
    });
    Ok(runs.into_iter().map(|(run, _)| run).collect())
}

/// Runs that can be written in which mutants that live would make a difference, each with all that would; simplest first.
/// None of them shows only what becomes of `null` that nobody checks.
fn infecting(
    builder: &Builder<'_>,
    classes: &[ClassId],
    alive: &BTreeSet<u32>,
    sequences: &[Sequence],
    executor: &mut dyn Executor,
) -> Result<Vec<(Run, BTreeSet<u32>)>, ExecutorError> {
    if sequences.is_empty() {
        return Ok(Vec::new());
    }
    executor.begin_mutated(classes)?;
    let outcomes = run_all(executor, sequences)?;
    let mut runs = Vec::new();
    for (sequence, outcome) in sequences.iter().zip(outcomes) {
        let told = infected(&outcome);
        let tier = tier(&outcome.end, sequence);
        if outcome.is_writable() && tier != BLAMES_NULL && !told.is_disjoint(alive) {
            let run = Run {
                sequence: sequence.clone(),
                outcome,
            };
            runs.extend(builder.writable(&run).map(|run| (run, told)));
        }
    }
    runs.sort_by_key(|(run, _)| (tier(&run.outcome.end, &run.sequence), run.sequence.len()));
    Ok(runs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::gates::{GATE, Gates, builder, run};
    use crate::testing::{Subject, subject};
    use palus_sequence::Observation;

    /// Drafts of these runs, then those that hunting adds; and what was varied, for these neighbours.
    fn hunted(subject: &Subject, runs: &[Run], near: &[Run]) -> (Vec<Draft>, Vec<Sequence>) {
        hunted_among(subject, runs, &[], near)
    }

    /// The same where these runs were kept.
    fn hunted_among(
        subject: &Subject,
        runs: &[Run],
        kept: &[Run],
        near: &[Run],
    ) -> (Vec<Draft>, Vec<Sequence>) {
        let builder = builder(subject);
        let mut executor = Gates::default();
        let classes = [subject.class("demo/Gate")];
        let mut drafts: Vec<Draft> = runs.iter().map(|run| builder.draft(run)).collect();
        builder
            .observe(&mut drafts, &mut executor, &mut Losses::default())
            .unwrap();
        let faults = builder.find_kills(&classes, None, &mut drafts, &mut executor);
        let faults = faults.unwrap();
        assert_eq!(faults.covered, [0]);
        let mut varied = Vec::new();
        let mut vary = |bases: &[Sequence], _: &mut dyn Executor| {
            varied.extend(bases.to_vec());
            Ok(near.iter().map(|run| run.sequence.clone()).collect())
        };
        hunt(
            &builder,
            &classes,
            &faults,
            kept,
            &mut drafts,
            &mut vary,
            &mut executor,
        )
        .unwrap();
        for draft in &drafts[runs.len()..] {
            assert_eq!(killed(&builder, draft), BTreeSet::from([0]));
        }
        (drafts, varied)
    }

    #[test]
    fn a_neighbour_that_shows_a_fault_becomes_a_test_and_nobody_is_varied_twice() {
        let subject = subject(&[GATE]);
        let runs = [0, 11].map(|weight| run(&subject, &[weight]));
        let near = [9, 10, 11, 10].map(|weight| run(&subject, &[weight]));
        let (drafts, varied) = hunted(&subject, &runs, &near);
        assert_eq!(varied, runs.map(|run| run.sequence));
        let added: Vec<&Sequence> = drafts[2..].iter().map(|draft| &draft.sequence).collect();
        assert_eq!(added, [&near[1].sequence]);
    }

    #[test]
    fn what_the_last_call_does_not_depend_on_is_left_out() {
        let subject = subject(&[GATE]);
        let mut script = subject.script();
        script.construct("demo/Gate", "()V", &[]);
        let weight = script.int(10);
        let gate = script.construct("demo/Gate", "()V", &[]);
        script.call(
            "demo/Gate.pass(I)Z",
            Some(gate),
            &[weight],
            Observation::Nothing,
        );
        let near = Run {
            outcome: Gates::default().run(&script.run().sequence),
            sequence: script.run().sequence,
        };
        let runs = [0, 11].map(|weight| run(&subject, &[weight]));
        let (drafts, _) = hunted(&subject, &runs, &[near]);
        let added: Vec<usize> = drafts[2..]
            .iter()
            .map(|draft| draft.sequence.len())
            .collect();
        assert_eq!(added, [3]);
    }

    #[test]
    fn what_a_kept_run_showed_before_it_was_cut_down_is_found_again() {
        let subject = subject(&[GATE]);
        let runs = [0, 11].map(|weight| run(&subject, &[weight]));
        let kept = run(&subject, &[11, 10, 0]);
        let (drafts, _) = hunted_among(&subject, &runs, &[kept], &[]);
        let added: Vec<&Sequence> = drafts[2..].iter().map(|draft| &draft.sequence).collect();
        assert_eq!(added, [&run(&subject, &[11, 10]).sequence]);
    }

    #[test]
    fn each_call_of_the_set_up_may_be_what_a_test_is_about() {
        let subject = subject(&[GATE]);
        let whole = run(&subject, &[10, 0, 9]).sequence;
        let cut: Vec<Sequence> = beginnings(&whole).collect();
        let expected = [&[] as &[i32], &[10], &[10, 0]].map(|all| run(&subject, all).sequence);
        assert_eq!(cut, expected);
    }
}
