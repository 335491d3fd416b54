//! Runs batches and keeps the books: what is open, what each run came near to, what is worth going on for.
//!
//! Comes in: sequences with the way they were made. Goes out: [`Individual`]s; covered targets enter the archive, runs
//! that cover something new are kept by the unit's sources.
//! Watched are the open targets and what decides whether they are reached.
//! Does not know: how sequences are made, who outlives whom.

use crate::archive::Archive;
use crate::attempts::{Attempts, Left};
use crate::casts::Casts;
use crate::fitness::Fitness;
use crate::parameters::{BATCH, LONGEST_TEMPLATE, PATIENCE, PATIENCE_SHARE, WHERE_LEFT};
use crate::slots::Slots;
use crate::splice::tidied;
use crate::target::{TargetId, Targets};
use crate::yields::Yields;
use crate::{Hunted, Near, Origin, Template};
use palus_generate::{Refusal, Sources, TURN, Turns};
use palus_sequence::{Comparison, End, Executor, ExecutorError, Outcome, Sequence};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Who has turns.
const SEARCHING: usize = 0;
const EXPLORING: usize = 1;
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
    pub feeds_operands: bool,
    pub gives_up: bool,
    /// Whose turn is next; none where the search has them all.
    turns: Option<Turns<2>>,
    /// Steps of the hunt and gains of the unit when the search's turn began.
    turn_began: (u64, u64),
    /// Per target, as long as it is open: what came nearest, and the outcome that it did not take where it left the way.
    nearest: Vec<Option<(Arc<Sequence>, Option<TargetId>)>>,
    /// What became of templates, per target.
    pub attempts: BTreeMap<TargetId, Attempts>,
    /// Whether templates are worth their time.
    pub yields: Yields,
    /// Templates that are to be run, and for what.
    pub posed: Vec<(Sequence, TargetId)>,
    /// Which constants goals depend on.
    pub slots: Slots,
    /// Casts that failed lately.
    pub casts: Casts,
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
            turn_began: (0, sources.gains()),
            turns: None,
            sources,
            executor,
            template: None,
            feeds_operands: true,
            gives_up: true,
            nearest: vec![None; targets.list.len()],
            attempts: BTreeMap::new(),
            yields: Yields::default(),
            posed: Vec::new(),
            slots: Slots::default(),
            casts: Casts::default(),
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

    /// What is open, with what became of it.
    pub fn still_open(&self) -> Vec<Left> {
        let open = self.open().filter_map(|target| {
            Some(Left {
                branch: self.targets.get(target).branch.as_ref()?.1,
                best: self.best[target.index()],
                attempts: self.attempts.get(&target).cloned().unwrap_or_default(),
            })
        });
        open.collect()
    }

    /// A template for a goal, on what came nearest or from nothing; none where that cannot be, or was run before.
    pub fn pose(&mut self, goal: TargetId, is_on_nearest: bool) -> Option<Sequence> {
        let template = self.template.as_mut()?;
        let (_, branch) = self.targets.get(goal).branch?;
        let nearest = self.nearest[goal.index()].clone().filter(|_| is_on_nearest);
        let near = nearest.as_ref().map(|(sequence, _)| Near {
            sequence,
            reached: self.best[goal.index()] < 1.0,
        });
        // What ran shows where the way was left: nothing else has to change first.
        let left_at = nearest.as_ref().and_then(|(_, left_at)| *left_at);
        let left_at = left_at.and_then(|outcome| self.targets.get(outcome).branch);
        let first = match (left_at, near) {
            (Some((_, left_at)), Some(near)) if self.sources.rng().percent(WHERE_LEFT) => {
                let near = Near {
                    reached: true,
                    ..near
                };
                template(self.sources, left_at, Some(near)).ok()
            }
            _ => None,
        };
        let made = match first {
            Some(made) => Ok(made),
            None => template(self.sources, branch, near),
        };
        let made = made.and_then(|made| {
            tidied(self.sources.program(), &made, LONGEST_TEMPLATE).ok_or(Refusal::Unusable)
        });
        let attempts = self.attempts.entry(goal).or_default();
        attempts.asked += 1;
        match made {
            Ok(tidy) if self.sources.is_new(&tidy) => {
                self.posed.push((tidy.clone(), goal));
                return Some(tidy);
            }
            Ok(_) => attempts.known += 1,
            Err(reason) => {
                self.hunted.templates_failed += 1;
                *attempts.refused.entry(reason).or_default() += 1;
            }
        }
        None
    }

    /// True as long as a goal is worth a template before chance gives it one.
    pub fn is_due(&self, goal: TargetId) -> bool {
        let attempts = self.attempts.get(&goal);
        self.takes_template(goal) && attempts.is_none_or(Attempts::is_due)
    }

    /// True if a template may be made for a goal: a branch that nothing else decides, or that depends on a covered one.
    /// What lies farther away waits: what is built for it would fail where nearer branches are still open.
    pub fn takes_template(&self, goal: TargetId) -> bool {
        let Some((jump, _)) = self.targets.get(goal).branch else {
            return false;
        };
        let mut parents = self.targets.jumps[jump as usize].parents.iter();
        let is_within_reach =
            self.targets.is_root(goal) || parents.any(|parent| !self.is_open[parent.index()]);
        is_within_reach && self.template.is_some()
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
        if self.open == 0 || (self.gives_up && stale >= patience) {
            0
        } else {
            self.limit.saturating_sub(self.hunted.steps)
        }
    }

    /// Gives the unit's own phases turns from now on; what they last did in vain counts.
    pub fn explore_too(&mut self) {
        let mut turns = Turns::default();
        turns.took(EXPLORING, self.sources.idle(), 0);
        self.turns = Some(turns);
    }

    /// Ends the search's turn, if it had one; as long as the unit's own phases have yielded more lately, they go on. What
    /// they cover is no longer open, and what they kept is run again to see how near it comes.
    ///
    /// # Errors
    /// When nothing can be run any more.
    pub fn give_turns(&mut self) -> Result<Vec<Individual>, ExecutorError> {
        let (steps, gains) = self.turn_began;
        let taken = self.hunted.steps - steps;
        let gained = self.sources.gains() - gains;
        match &mut self.turns {
            Some(turns) if taken >= TURN => turns.took(SEARCHING, taken, gained),
            _ => return Ok(Vec::new()),
        }
        let kept = self.sources.kept().len();
        while self.left() > 0 && self.is_to_explore() {
            self.explore()?;
        }
        let new = self.sources.kept()[kept..].iter();
        let new = new
            .map(|run| (run.sequence.clone(), Origin::Seed))
            .collect();
        let individuals = self.run(new)?;
        self.turn_began = (self.hunted.steps, self.sources.gains());
        Ok(individuals)
    }

    fn is_to_explore(&self) -> bool {
        let next = self.turns.as_ref().and_then(|turns| turns.next([true; 2]));
        next == Some(EXPLORING)
    }

    /// A turn of the unit's own phases.
    fn explore(&mut self) -> Result<(), ExecutorError> {
        let (steps, gains) = (self.sources.steps(), self.sources.gains());
        // Nobody asks how near these runs come.
        self.executor.watch(&[])?;
        self.is_watch_stale = true;
        let turn = TURN.min(self.left());
        let ended = self.sources.go_on(&mut *self.executor, turn);
        let steps = self.sources.steps() - steps;
        let gains = self.sources.gains() - gains;
        if let Some(turns) = &mut self.turns {
            turns.took(EXPLORING, steps.max(TURN), gains);
        }
        self.hunted.steps += steps;
        let mut covered = 0;
        for target in self.targets.all() {
            let is_open = &mut self.is_open[target.index()];
            if *is_open && self.sources.is_covered(self.targets.get(target).probe) {
                *is_open = false;
                covered += 1;
            }
        }
        if covered > 0 {
            self.last_gain = self.hunted.steps;
        }
        self.open -= covered;
        self.hunted.covered += covered as u64;
        let (run, found) = &mut self.hunted.by_origin[Origin::Explored as usize];
        *run += steps;
        *found += covered as u64;
        ended
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
        let length = sequence.len();
        let posed = match origin {
            Origin::Template => {
                let at = self.posed.iter().position(|(made, _)| *made == sequence);
                at.map(|at| self.posed.swap_remove(at).1)
            }
            _ => None,
        };
        let asked = (origin == Origin::Slot).then(|| sequence.clone());
        let sequence = match threw {
            Some(last) if last + 1 < sequence.len() => sequence.prefix(last + 1),
            _ => sequence,
        };
        if self.feeds_operands && is_writable {
            self.casts.note(&sequence, &outcome);
        }
        let fitness = if is_writable {
            Fitness::of(&self.targets, &nearness)
        } else {
            Fitness::worst(&self.targets)
        };
        let mut comparisons: Vec<(TargetId, Comparison)> = Vec::new();
        for comparison in nearness.comparisons {
            if self.feeds_operands {
                for value in crate::operands::values(&comparison) {
                    self.sources.see(value);
                }
            }
            if let Some(target) = self.targets.at(comparison.probe).filter(|_| is_writable) {
                comparisons.push((target, comparison));
            }
        }
        comparisons.sort_by_key(|(target, _)| *target);
        let sequence = Arc::new(sequence);
        if let Some(asked) = &asked {
            let known = |goal| {
                if is_writable {
                    fitness.to(goal)
                } else {
                    f64::INFINITY
                }
            };
            self.slots.answer(asked, known);
        }
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
            if let Some(target) = posed {
                let best = self.best[target.index()];
                let attempts = self.attempts.entry(target).or_default();
                attempts.take(&sequence, length, threw, fitness.to(target), best);
            }
            self.cover(&covered, &sequence, threw.is_some(), origin);
            for target in self.targets.all() {
                let near = fitness.to(target);
                let best = &mut self.best[target.index()];
                if self.is_open[target.index()] && near < *best - SLIGHT {
                    *best = near;
                    let left_at = fitness.left_at(&self.targets, target);
                    self.nearest[target.index()] = Some((Arc::clone(&sequence), left_at));
                    self.last_gain = self.hunted.steps;
                }
            }
        }
        let is_gain = self.last_gain == self.hunted.steps;
        self.yields.took(origin, outcome.cost, is_gain);
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
