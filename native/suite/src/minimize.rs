//! Fewer and shorter sequences with the same coverage.
//!
//! Comes in: kept runs with the probes each touched. Goes out: a greedy choice whose runs own disjoint sets of probes,
//! each cut down to the statements its own probes need.
//!
//! ```text
//! run     statements  probes       chosen   owns
//! A       4           1 2 3        yes      1 2 3     (3 probes for 4 statements)
//! B       9           1 2 3 4      yes      4
//! C       5           2 3          no       -
//! ```
//! Shortening removes chunks of calls and what depends on them (Zeller and Hildebrandt, "Simplifying and Isolating
//! Failure-Inducing Input", TSE 2002). One pass tries one candidate of every test, so that a start with fresh classes is
//! paid for all together; after it come passes in the same classes, for the tests that cover the same there once more.
//! What these shortened is proven in the next fresh classes, or taken back. What is tried stands in `plan.rs`.
//! Does not know: assertions, text.

use crate::cut::slice;
use crate::makers::Makers;
use crate::plan::{Facts, Plan};
use palus_analyze::refuses_null;
use palus_bytecode::{MethodId, Program};
use palus_sequence::{
    End, Executor, ExecutorError, Outcome, Probe, Run, Sequence, Statement, Thrown, Value,
};
use std::collections::{BTreeSet, BinaryHeap};

/// Fresh starts for shortening.
const MOST_STARTS: usize = 16;
/// Passes from one fresh start to the next; each costs one run per test.
const PASSES_PER_START: usize = 8;

/// The [`tier`] of blame of our own `null`.
pub(crate) const BLAMES_NULL: usize = 2;

/// Sequences per request to the executor.
const BATCH: usize = 100;

/// A chosen run and the probes it is there for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Chosen {
    /// The run.
    pub run: Run,
    /// Probes no earlier choice touches.
    pub owned: Vec<Probe>,
}

/// Chooses runs until all probes are owned, best gain per statement first.
///
/// Exceptions own only what ordinary ends do not touch, and blame of our own nulls only what nothing else touches; of runs
/// that end alike, those about other classes own what none about the subject touches.
pub(crate) fn choose(
    runs: &[Run],
    generated: &BTreeSet<Probe>,
    is_about_subject: &dyn Fn(&Run) -> bool,
) -> Vec<Chosen> {
    let mut covered = generated.clone();
    let mut chosen = Vec::new();
    let preference = |run: &Run| {
        let tier = tier(&run.outcome.end, &run.sequence);
        (tier, !is_about_subject(run))
    };
    let preferences: Vec<(usize, bool)> = runs.iter().map(preference).collect();
    let in_order: BTreeSet<(usize, bool)> = preferences.iter().copied().collect();
    for wanted in in_order {
        let mut heap: BinaryHeap<(u64, std::cmp::Reverse<usize>)> = runs
            .iter()
            .enumerate()
            .filter(|(index, _)| preferences[*index] == wanted)
            .map(|(index, run)| {
                (
                    worth(run, run.outcome.coverage.probes.len()),
                    std::cmp::Reverse(index),
                )
            })
            .collect();
        while let Some((believed, std::cmp::Reverse(index))) = heap.pop() {
            let run = &runs[index];
            let owned: Vec<Probe> = run
                .outcome
                .coverage
                .probes
                .iter()
                .copied()
                .filter(|probe| !covered.contains(probe))
                .collect();
            let actual = worth(run, owned.len());
            if actual == 0 {
                continue;
            }
            if actual < believed {
                heap.push((actual, std::cmp::Reverse(index)));
                continue;
            }
            covered.extend(owned.iter().copied());
            chosen.push(Chosen {
                run: run.clone(),
                owned,
            });
        }
    }
    chosen
}

/// What a test of that is worth: 0 for what ends by itself, 1 for an exception, [`BLAMES_NULL`].
pub(crate) fn tier(end: &End, sequence: &Sequence) -> usize {
    match end {
        End::Threw(thrown) if blames_null(thrown, sequence) => BLAMES_NULL,
        End::Threw(_) => 1,
        _ => 0,
    }
}

fn worth(run: &Run, gain: usize) -> u64 {
    gain as u64 * 1_000_000 / (run.sequence.len() as u64 + 3)
}

/// True for a `NullPointerException` out of a call to which the sequence itself passed `null`, where nothing refused it on
/// purpose.
fn blames_null(thrown: &Thrown, sequence: &Sequence) -> bool {
    let statements = sequence.statements();
    let innermost = thrown.top_frame.as_ref().map(|(_, method)| &**method);
    &*thrown.class == "java/lang/NullPointerException"
        && !refuses_null(innermost, thrown.message.as_deref())
        && statements
            .get(thrown.statement as usize)
            .is_some_and(|statement| {
                statement.uses().iter().any(|used| {
                    matches!(statements[used.index()], Statement::Value(Value::Null(_)))
                })
            })
}

/// Runs sequences in batches.
pub(crate) fn run_all(
    executor: &mut dyn Executor,
    sequences: &[Sequence],
) -> Result<Vec<Outcome>, ExecutorError> {
    let mut outcomes = Vec::with_capacity(sequences.len());
    for batch in sequences.chunks(BATCH) {
        outcomes.extend(executor.execute(batch)?);
    }
    Ok(outcomes)
}

/// Settles what every chosen run is there for: not what only the first run of its class touches, nor, where there is any of
/// `home`, what it covers elsewhere. What its last statement does not depend on goes even where probes of other classes go
/// with it: those classes have tests of their own.
pub(crate) fn settle(
    program: &Program,
    is_pure: &dyn Fn(MethodId) -> bool,
    home: &BTreeSet<u32>,
    chosen: &mut Vec<Chosen>,
    executor: &mut dyn Executor,
) -> Result<(), ExecutorError> {
    release_first_times(chosen, executor)?;
    focus(program, is_pure, home, chosen, executor)?;
    for one in chosen.iter_mut() {
        stay_at_home(&mut one.owned, home);
    }
    Ok(())
}

/// Shortens every chosen run as far as it keeps its end and its own probes.
pub(crate) fn shorten(
    program: &Program,
    is_pure: &dyn Fn(MethodId) -> bool,
    chosen: &mut [Chosen],
    executor: &mut dyn Executor,
) -> Result<(), ExecutorError> {
    let mut runs: Vec<Run> = chosen.iter().map(|one| one.run.clone()).collect();
    let tails = vec![1; runs.len()];
    shorten_while(
        program,
        is_pure,
        &mut runs,
        &tails,
        executor,
        &|index, before, run| keeps(&chosen[index].owned, before, run),
    )?;
    for (one, run) in chosen.iter_mut().zip(runs) {
        one.run = run;
    }
    Ok(())
}

/// Releases what only a first run touches, as class initialisers, where any run of the class would be the first; what
/// owned nothing else goes.
fn release_first_times(
    chosen: &mut Vec<Chosen>,
    executor: &mut dyn Executor,
) -> Result<(), ExecutorError> {
    let sequences = chosen.iter().map(|one| one.run.sequence.clone());
    let mut sequences: Vec<Sequence> = sequences.collect();
    executor.begin()?;
    run_all(executor, &sequences)?;
    executor.forget()?;
    let again = run_all(executor, &sequences)?;
    let (mut lasting, mut first_times) = (BTreeSet::new(), BTreeSet::new());
    let mut lasts = Vec::with_capacity(chosen.len());
    for (one, outcome) in chosen.iter().zip(again) {
        let touched = outcome.coverage.probes;
        let is_touched = |probe: &&Probe| touched.binary_search(probe).is_ok();
        let (twice, once): (Vec<Probe>, Vec<Probe>) = one.owned.iter().partition(is_touched);
        lasting.extend(twice.iter().map(|probe| probe.class));
        lasts.push(once.is_empty());
        first_times.extend(once);
    }
    first_times.retain(|probe| lasting.contains(&probe.class));
    if first_times.is_empty() {
        return Ok(());
    }
    let mut lasts = lasts.into_iter();
    sequences.retain(|_| lasts.next() == Some(true));
    executor.begin()?;
    let outcomes = run_all(executor, &sequences)?;
    let touched = outcomes.iter().filter(|outcome| outcome.is_writable());
    let touched = touched.flat_map(|outcome| &outcome.coverage.probes);
    let released: BTreeSet<&Probe> = touched
        .filter(|probe| first_times.contains(probe))
        .collect();
    chosen.retain_mut(|one| {
        one.owned.retain(|probe| !released.contains(probe));
        !one.owned.is_empty()
    });
    Ok(())
}

/// Cuts every chosen run that owns probes of `home` down to what its last statement depends on, where it keeps these.
fn focus(
    program: &Program,
    is_pure: &dyn Fn(MethodId) -> bool,
    home: &BTreeSet<u32>,
    chosen: &mut [Chosen],
    executor: &mut dyn Executor,
) -> Result<(), ExecutorError> {
    let (mut tried, mut slices) = (Vec::new(), Vec::new());
    for (index, one) in chosen.iter().enumerate() {
        let at_home = one.owned.iter().any(|probe| home.contains(&probe.class));
        let slice = slice(program, is_pure, &one.run.sequence, 1);
        if at_home && slice.len() < one.run.sequence.len() {
            tried.push(index);
            slices.push(slice);
        }
    }
    if slices.is_empty() {
        return Ok(());
    }
    executor.begin()?;
    let outcomes = run_all(executor, &slices)?;
    for ((index, sequence), outcome) in tried.into_iter().zip(slices).zip(outcomes) {
        let one = &mut chosen[index];
        let run = Run { sequence, outcome };
        let at_home = one.owned.iter().copied();
        let at_home: Vec<Probe> = at_home
            .filter(|probe| home.contains(&probe.class))
            .collect();
        if keeps(&at_home, &one.run, &run) {
            let touched = &run.outcome.coverage.probes;
            one.owned
                .retain(|probe| touched.binary_search(probe).is_ok());
            one.run = run;
        }
    }
    Ok(())
}

/// Leaves only probes of `home`, where there is any: what a test covers elsewhere by accident is no reason for a statement.
fn stay_at_home(owned: &mut Vec<Probe>, home: &BTreeSet<u32>) {
    if owned.iter().any(|probe| home.contains(&probe.class)) {
        owned.retain(|probe| home.contains(&probe.class));
    }
}

/// Whether the run with this index may be replaced: what it is now, and the shorter one.
pub(crate) type Keeps<'a> = dyn Fn(usize, &Run, &Run) -> bool + 'a;

/// Shortens every run as long as `keeps` says so; the last statements of each, as many as `tails` says, stay. Where time is
/// over before, each is as short as it is by what was proven till then.
pub(crate) fn shorten_while(
    program: &Program,
    is_pure: &dyn Fn(MethodId) -> bool,
    runs: &mut [Run],
    tails: &[usize],
    executor: &mut dyn Executor,
    keeps: &Keeps<'_>,
) -> Result<(), ExecutorError> {
    let works = runs.iter().zip(tails).map(|(run, &tail)| Work {
        plan: Plan::new(&run.sequence, tail),
        fresh: run.clone(),
        is_proven: true,
        lasts: false,
    });
    let mut shortening = Shortening {
        works: works.collect(),
        facts: Facts {
            program,
            is_pure,
            makers: Makers::of(program, runs),
        },
        runs,
        executor,
        keeps,
    };
    match shortening.all() {
        Err(ExecutorError::OutOfTime) => {
            let works = shortening.works.into_iter();
            for (run, work) in shortening.runs.iter_mut().zip(works) {
                *run = work.fresh;
            }
            Ok(())
        }
        ended => ended,
    }
}

/// All that is shortened together.
struct Shortening<'a> {
    facts: Facts<'a>,
    /// What each is by now.
    runs: &'a mut [Run],
    works: Vec<Work>,
    executor: &'a mut dyn Executor,
    keeps: &'a Keeps<'a>,
}

/// What is known of one run.
struct Work {
    plan: Plan,
    /// What it was when it last ran in fresh classes.
    fresh: Run,
    /// True if it is still that.
    is_proven: bool,
    /// True if it can be judged in classes in which others ran before.
    lasts: bool,
}

impl Shortening<'_> {
    fn all(&mut self) -> Result<(), ExecutorError> {
        for start in 0..MOST_STARTS {
            if !self.start(true)? {
                break;
            }
            if start == 0 {
                self.find_lasting()?;
            }
            for _ in 1..PASSES_PER_START {
                if !self.pass()? {
                    break;
                }
            }
        }
        self.start(false)?;
        Ok(())
    }

    /// In fresh classes: proves what is not proven yet and, where `goes_on`, tries the next candidate of all others.
    /// False if there is nothing to run.
    fn start(&mut self, goes_on: bool) -> Result<bool, ExecutorError> {
        let (mut indices, mut sequences) = (Vec::new(), Vec::new());
        for (index, work) in self.works.iter_mut().enumerate() {
            let run = &self.runs[index];
            let tried = match work.is_proven {
                false => Some(run.sequence.clone()),
                true if goes_on => work.plan.next(&self.facts, run),
                true => None,
            };
            if let Some(sequence) = tried {
                indices.push(index);
                sequences.push(sequence);
            }
        }
        if indices.is_empty() {
            return Ok(false);
        }
        self.executor.begin()?;
        let outcomes = run_all(self.executor, &sequences)?;
        for ((index, sequence), outcome) in indices.into_iter().zip(sequences).zip(outcomes) {
            let run = Run { sequence, outcome };
            let work = &mut self.works[index];
            let is_kept = (self.keeps)(index, &work.fresh, &run);
            if work.is_proven {
                work.plan.judged(is_kept, &run.outcome.end);
            } else if !is_kept {
                work.plan.restart(&work.fresh.sequence);
                work.lasts = false;
            }
            if is_kept {
                work.fresh = run;
            }
            self.runs[index] = work.fresh.clone();
            work.is_proven = true;
        }
        Ok(true)
    }

    /// In the same classes: tries the next candidate of each run that can be judged there. False if there is none.
    fn pass(&mut self) -> Result<bool, ExecutorError> {
        let (mut indices, mut sequences) = (Vec::new(), Vec::new());
        for (index, work) in self.works.iter_mut().enumerate() {
            let run = &self.runs[index];
            if work.lasts
                && let Some(candidate) = work.plan.next(&self.facts, run)
            {
                indices.push(index);
                sequences.push(candidate);
            }
        }
        if indices.is_empty() {
            return Ok(false);
        }
        self.executor.forget()?;
        let outcomes = run_all(self.executor, &sequences)?;
        for ((index, sequence), outcome) in indices.into_iter().zip(sequences).zip(outcomes) {
            let run = Run { sequence, outcome };
            let work = &mut self.works[index];
            let is_kept = (self.keeps)(index, &self.runs[index], &run);
            work.plan.judged(is_kept, &run.outcome.end);
            if is_kept {
                self.runs[index] = run;
                work.is_proven = false;
            }
        }
        Ok(true)
    }

    /// Runs all once more in classes in which all ran.
    fn find_lasting(&mut self) -> Result<(), ExecutorError> {
        self.executor.forget()?;
        let sequences: Vec<Sequence> = self.runs.iter().map(|run| run.sequence.clone()).collect();
        let outcomes = run_all(self.executor, &sequences)?;
        for (index, (sequence, outcome)) in sequences.into_iter().zip(outcomes).enumerate() {
            let again = Run { sequence, outcome };
            self.works[index].lasts = (self.keeps)(index, &self.runs[index], &again);
        }
        Ok(())
    }
}

fn keeps(owned: &[Probe], before: &Run, candidate: &Run) -> bool {
    let touched = &candidate.outcome.coverage.probes;
    same_end(
        &before.outcome.end,
        &candidate.outcome.end,
        &candidate.sequence,
    ) && candidate.outcome.is_writable()
        && owned
            .iter()
            .all(|probe| touched.binary_search(probe).is_ok())
}

/// Whether a shorter sequence ends as the longer one did: by itself, or with the same exception out of its last statement.
pub(crate) fn same_end(before: &End, after: &End, shorter: &Sequence) -> bool {
    match (before, after) {
        (End::Completed, End::Completed) => true,
        (End::Threw(before), End::Threw(after)) => {
            before.class == after.class && after.statement as usize + 1 == shorter.len()
        }
        _ => false,
    }
}
