//! Runs batches and keeps the books: what is open, what each run came near to, what is worth going on for.
//!
//! Comes in: sequences with the way they were made. Goes out: [`Individual`]s; covered targets enter the archive, runs
//! that cover something new are kept by the unit's sources.
//! Watched are the open targets and what decides whether they are reached.
//! Does not know: how sequences are made, who outlives whom.

use crate::archive::Archive;
use crate::fitness::Fitness;
use crate::parameters::{BATCH, PATIENCE, PATIENCE_SHARE};
use crate::target::{TargetId, Targets};
use crate::{Hunted, Origin, Template};
use palus_generate::Sources;
use palus_sequence::{Comparison, End, Executor, ExecutorError, Outcome, Sequence};
use std::collections::BTreeSet;
use std::sync::Arc;

/// An improvement that is less says nothing.
const SLIGHT: f64 = 1e-3;

/// A sequence that was run.
#[derive(Clone, Debug)]
pub(crate) struct Individual {
    pub sequence: Arc<Sequence>,
    pub fitness: Fitness,
    /// What decided targets that were open then, ascending by target.
    pub comparisons: Arc<[(TargetId, Comparison)]>,
    /// Targets whose comparisons have been fed back.
    pub fed: BTreeSet<TargetId>,
    /// True if the clock, the fuel or a guard ended it.
    pub is_cut: bool,
}

impl Individual {
    /// The comparisons that decided a target.
    pub fn comparisons(&self, target: TargetId) -> impl Iterator<Item = &Comparison> {
        let from = self
            .comparisons
            .partition_point(|(known, _)| *known < target);
        let own = self.comparisons[from..].iter();
        own.take_while(move |(known, _)| *known == target)
            .map(|(_, comparison)| comparison)
    }
}

/// The state of one hunt.
pub(crate) struct Evaluation<'h, 'a> {
    pub sources: &'h mut Sources<'a>,
    executor: &'h mut dyn Executor,
    /// Makes tests for branches, where there is one who can.
    pub template: Option<&'h mut Template<'h>>,
    pub targets: Targets,
    pub archive: Archive,
    /// Per target.
    pub is_open: Vec<bool>,
    /// Per target: the best fitness of any run.
    best: Vec<f64>,
    open: usize,
    /// Watched whatever is covered.
    always: Vec<TargetId>,
    /// Something was covered since the executor was told what to watch.
    is_watch_stale: bool,
    limit: u64,
    last_gain: u64,
    pub hunted: Hunted,
}

impl<'h, 'a> Evaluation<'h, 'a> {
    /// Everything that the sources have not covered is open.
    pub fn new(
        sources: &'h mut Sources<'a>,
        executor: &'h mut dyn Executor,
        targets: Targets,
        limit: u64,
    ) -> Evaluation<'h, 'a> {
        let is_open: Vec<bool> = targets
            .list
            .iter()
            .map(|target| {
                let method = targets.methods[target.method as usize].method;
                // Classes are initialised once, so what is left there stays so.
                let runs_once = &*sources.program().method(method).name == "<clinit>";
                !runs_once && !sources.is_covered(target.probe) && !sources.is_barred(method)
            })
            .collect();
        let open = is_open.iter().filter(|is_open| **is_open).count();
        Evaluation {
            sources,
            executor,
            template: None,
            best: vec![f64::INFINITY; targets.list.len()],
            targets,
            archive: Archive::default(),
            is_open,
            open,
            always: Vec::new(),
            is_watch_stale: true,
            limit,
            last_gain: 0,
            hunted: Hunted {
                open: open as u64,
                ..Hunted::default()
            },
        }
    }

    /// Targets that are open, ascending.
    pub fn open(&self) -> impl Iterator<Item = TargetId> + '_ {
        self.targets
            .all()
            .filter(|target| self.is_open[target.index()])
    }

    /// Keeps watching these when they are covered.
    pub fn always_watch(&mut self, targets: Vec<TargetId>) {
        self.always = targets;
        self.is_watch_stale = true;
    }

    /// What is watched even when it is covered.
    pub fn always(&self) -> &[TargetId] {
        &self.always
    }

    /// Steps that may still be taken: none where nothing is open, or nothing has moved for long.
    pub fn left(&self) -> u64 {
        let stale = self.hunted.steps - self.last_gain;
        let patience = PATIENCE.max(self.hunted.steps / PATIENCE_SHARE);
        if self.open == 0 || stale >= patience {
            0
        } else {
            self.limit.saturating_sub(self.hunted.steps)
        }
    }

    /// Runs sequences as far as steps are left, in batches.
    ///
    /// # Errors
    /// When nothing can be run any more.
    pub fn run(
        &mut self,
        mut made: Vec<(Sequence, Origin)>,
    ) -> Result<Vec<Individual>, ExecutorError> {
        made.truncate(usize::try_from(self.left()).unwrap_or(usize::MAX));
        let mut individuals = Vec::with_capacity(made.len());
        while !made.is_empty() {
            self.watch()?;
            let rest = made.split_off(made.len().min(BATCH));
            let (batch, origins): (Vec<Sequence>, Vec<Origin>) = made.into_iter().unzip();
            let outcomes = self.executor.execute(&batch)?;
            for ((sequence, origin), outcome) in batch.into_iter().zip(origins).zip(outcomes) {
                individuals.push(self.take(sequence, origin, outcome));
            }
            made = rest;
        }
        Ok(individuals)
    }

    /// Ends watching.
    pub fn end(&mut self) -> Result<(), ExecutorError> {
        self.executor.watch(&[])
    }

    fn watch(&mut self) -> Result<(), ExecutorError> {
        if !std::mem::take(&mut self.is_watch_stale) {
            return Ok(());
        }
        let wanted: Vec<TargetId> = self.open().chain(self.always.iter().copied()).collect();
        let watched = self.targets.with_ancestors(wanted.into_iter());
        let mut probes: Vec<_> = watched
            .into_iter()
            .map(|target| self.targets.get(target).probe)
            .collect();
        probes.sort_unstable();
        self.executor.watch(&probes)
    }

    fn take(&mut self, sequence: Sequence, origin: Origin, mut outcome: Outcome) -> Individual {
        self.hunted.steps += 1;
        let nearness = std::mem::take(&mut outcome.nearness);
        let is_writable = outcome.is_writable();
        let threw = match &outcome.end {
            End::Threw(thrown) => Some(thrown.statement as usize),
            _ => None,
        };
        let sequence = match threw {
            Some(last) if last + 1 < sequence.len() => sequence.prefix(last + 1),
            _ => sequence,
        };
        let fitness = if is_writable {
            Fitness::of(&self.targets, &nearness)
        } else {
            Fitness::worst(&self.targets)
        };
        let mut comparisons: Vec<(TargetId, Comparison)> = Vec::new();
        for comparison in nearness.comparisons {
            for value in crate::operands::values(&comparison) {
                self.sources.see(value);
            }
            if let Some(target) = self.targets.at(comparison.probe).filter(|_| is_writable) {
                comparisons.push((target, comparison));
            }
        }
        comparisons.sort_by_key(|(target, _)| *target);
        let sequence = Arc::new(sequence);
        if is_writable {
            let touched = outcome.coverage.probes.iter();
            let mut covered: Vec<TargetId> = touched
                .filter_map(|&probe| self.targets.at(probe))
                .collect();
            let reached = fitness.distances().iter();
            covered.extend(
                reached
                    .filter(|(_, distance)| *distance <= 0.0)
                    .map(|(target, _)| *target),
            );
            self.cover(&covered, &sequence, threw.is_some(), origin);
            for target in self.targets.all() {
                let near = fitness.to(target);
                let best = &mut self.best[target.index()];
                if self.is_open[target.index()] && near < *best - SLIGHT {
                    *best = near;
                    self.last_gain = self.hunted.steps;
                }
            }
        }
        self.sources.file(&sequence, &outcome);
        Individual {
            sequence,
            fitness,
            comparisons: comparisons.into(),
            fed: BTreeSet::new(),
            is_cut: !is_writable,
        }
    }

    fn cover(
        &mut self,
        covered: &[TargetId],
        sequence: &Arc<Sequence>,
        threw: bool,
        origin: Origin,
    ) {
        let mut gained = false;
        for &target in covered {
            if std::mem::replace(&mut self.is_open[target.index()], false) {
                self.open -= 1;
                self.hunted.covered += 1;
                self.hunted.by_origin[origin as usize].1 += 1;
                gained = true;
            }
            self.archive.cover(target, sequence, threw);
        }
        if gained {
            self.is_watch_stale = true;
            self.last_gain = self.hunted.steps;
        }
        self.hunted.by_origin[origin as usize].0 += 1;
    }
}
