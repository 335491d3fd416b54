//! Runs batches, and hands what each run showed to those who keep it.
//!
//! Comes in: sequences with the way they were made. Goes out: [`Individual`]s; covered targets enter the archive, runs
//! that cover something new are kept by the unit's sources.
//! Watched are the open targets and what decides whether they are reached (`goals.rs`).
//! Does not know: how sequences are made, who outlives whom; which goals get templates (`template_maker.rs`), how steps
//! are shared with the unit's own phases (`sharing.rs`).

use crate::archive::Archive;
use crate::casts::Casts;
use crate::fitness::Fitness;
use crate::goals::Goals;
use crate::hunted::{Hunted, Means, Origin};
use crate::individual::Individual;
use crate::parameters::{BATCH, PATIENCE, PATIENCE_SHARE};
use crate::sharing::Sharing;
use crate::slots::Slots;
use crate::target::{TargetId, Targets};
use crate::template_maker::TemplateMaker;
use crate::template_statistics::Left;
use palus_bytecode::Program;
use palus_generate::{Rng, Sources, TURN};
use palus_sequence::{Comparison, End, Executor, ExecutorError, Nearness, Outcome, Sequence};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The state of one hunt.
pub(crate) struct Evaluation<'h, 'a> {
    sources: &'h mut Sources<'a>,
    executor: &'h mut dyn Executor,
    goals: Goals,
    templates: TemplateMaker<'h>,
    sharing: Sharing,
    /// Which constants goals depend on.
    slots: Slots,
    /// Casts that failed lately.
    casts: Casts,
    archive: Archive,
    feeds_operands: bool,
    gives_up: bool,
    limit: u64,
    /// Steps when something was covered or came nearer.
    last_gain: u64,
    hunted: Hunted,
}

impl<'h, 'a> Evaluation<'h, 'a> {
    /// Everything that the sources have not covered is open.
    pub fn new(
        sources: &'h mut Sources<'a>,
        executor: &'h mut dyn Executor,
        targets: Targets,
        limit: u64,
        means: Means<'h>,
    ) -> Evaluation<'h, 'a> {
        let open: Vec<bool> = targets
            .list
            .iter()
            .map(|target| {
                let method = targets.methods[target.method as usize].method;
                // Classes are initialised once, so what is left there stays so.
                let runs_once = &*sources.program().method(method).name == "<clinit>";
                !runs_once && !sources.is_covered(target.probe) && !sources.is_barred(method)
            })
            .collect();
        let goals = Goals::new(targets, |target| open[target.index()]);
        Evaluation {
            sharing: if means.explores {
                Sharing::with_phases(sources.gains(), sources.idle())
            } else {
                Sharing::with_nobody(sources.gains())
            },
            sources,
            executor,
            templates: TemplateMaker::new(means.template),
            slots: Slots::default(),
            casts: Casts::default(),
            archive: Archive::default(),
            feeds_operands: means.feeds_operands,
            gives_up: means.gives_up,
            limit,
            last_gain: 0,
            hunted: Hunted {
                open: goals.count() as u64,
                ..Hunted::default()
            },
            goals,
        }
    }

    /// What makes sequences.
    pub fn sources(&mut self) -> &mut Sources<'a> {
        self.sources
    }

    /// All classes.
    pub fn program(&self) -> &'a Program {
        self.sources.program()
    }

    /// The unit's random numbers.
    pub fn rng(&mut self) -> &mut Rng {
        self.sources.rng()
    }

    /// What is open.
    pub fn goals(&self) -> &Goals {
        &self.goals
    }

    /// All targets, open or not.
    pub fn targets(&self) -> &Targets {
        self.goals.targets()
    }

    /// Keeps watching these when they are covered.
    pub fn always_watch(&mut self, targets: Vec<TargetId>) {
        self.goals.always_watch(targets);
    }

    /// Which constants goals depend on.
    pub fn slots(&mut self) -> &mut Slots {
        &mut self.slots
    }

    /// Whether operands of comparisons are fed back.
    pub fn feeds_operands(&self) -> bool {
        self.feeds_operands
    }

    /// Sequences run so far.
    pub fn steps(&self) -> u64 {
        self.hunted.steps
    }

    /// Sequences that may get past casts which failed in the last batch.
    pub fn mended_casts(&mut self) -> Vec<Sequence> {
        self.casts.mended(self.sources)
    }

    /// Puts a kept run into the archive.
    pub fn begin_with(&mut self, sequence: Arc<Sequence>) {
        self.archive.begin_with(sequence);
    }

    /// A drawn sequence of the archive.
    pub fn archived(&mut self) -> Option<Arc<Sequence>> {
        self.archive.draw(self.sources.rng())
    }

    /// True if a template may be made for a goal.
    pub fn takes_template(&self, goal: TargetId) -> bool {
        self.templates.takes(&self.goals, goal)
    }

    /// A template for a goal, on what came nearest or from nothing; none where that cannot be, or was run before.
    pub fn template(&mut self, goal: TargetId, is_on_nearest: bool) -> Option<Sequence> {
        self.templates
            .make(&self.goals, self.sources, goal, is_on_nearest)
    }

    /// The same for a goal that has not had its first ones, on what came nearest and from nothing in turn.
    pub fn first_template(&mut self, goal: TargetId) -> Option<Sequence> {
        if !self.templates.is_due(&self.goals, goal) {
            return None;
        }
        let asked = self.templates.asked(goal);
        self.template(goal, asked.is_multiple_of(2))
    }

    /// Most first templates of the next generation.
    pub fn templates_at_once(&mut self) -> usize {
        self.templates.at_once()
    }

    /// Steps that may still be taken: none where nothing is open, or nothing has moved for long.
    pub fn left(&self) -> u64 {
        let stale = self.hunted.steps - self.last_gain;
        let patience = PATIENCE.max(self.hunted.steps / PATIENCE_SHARE);
        if self.goals.count() == 0 || (self.gives_up && stale >= patience) {
            0
        } else {
            self.limit.saturating_sub(self.hunted.steps)
        }
    }

    /// Ends the search's slice, if it had one; as long as the unit's own phases have yielded more lately, they go on. What
    /// they cover is no longer open, and what they kept is run again to see how near it comes.
    ///
    /// # Errors
    /// When nothing can be run any more.
    pub fn share(&mut self) -> Result<Vec<Individual>, ExecutorError> {
        if !self
            .sharing
            .ends_slice(self.hunted.steps, self.sources.gains())
        {
            return Ok(Vec::new());
        }
        let kept = self.sources.kept().len();
        while self.left() > 0 && self.sharing.is_to_explore() {
            self.explore()?;
        }
        let new = self.sources.kept()[kept..].iter();
        let new = new
            .map(|run| (run.sequence.clone(), Origin::Seed))
            .collect();
        let individuals = self.run(new)?;
        self.sharing
            .begin_slice(self.hunted.steps, self.sources.gains());
        Ok(individuals)
    }

    /// A slice of the unit's own phases.
    fn explore(&mut self) -> Result<(), ExecutorError> {
        let (steps, gains) = (self.sources.steps(), self.sources.gains());
        // Nobody asks how near these runs come.
        self.executor.watch(&[])?;
        self.goals.watch_again();
        let slice = TURN.min(self.left());
        let ended = self.sources.go_on(&mut *self.executor, slice);
        let steps = self.sources.steps() - steps;
        self.sharing.explored(steps, self.sources.gains() - gains);
        self.hunted.steps += steps;
        let covered = self.goals.close(|probe| self.sources.is_covered(probe));
        if covered > 0 {
            self.last_gain = self.hunted.steps;
        }
        self.hunted.covered += covered;
        let (run, found) = &mut self.hunted.by_origin[Origin::Explored as usize];
        *run += steps;
        *found += covered;
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
            if let Some(probes) = self.goals.newly_watched() {
                self.executor.watch(&probes)?;
            }
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

    /// What was done, and what is still open.
    pub fn finish(mut self) -> Hunted {
        let open = self.goals.open().filter_map(|target| {
            Some(Left {
                branch: self.targets().get(target).branch.as_ref()?.1,
                best: self.goals.best(target),
                templates: self.templates.of(target),
            })
        });
        self.hunted.left = open.collect();
        self.hunted.templates_failed = self.templates.failed();
        self.hunted
    }

    /// Takes one run: what it showed goes to the constants, casts, slots, templates, goals and sources.
    fn take(&mut self, made: Sequence, origin: Origin, mut outcome: Outcome) -> Individual {
        self.hunted.steps += 1;
        let nearness = std::mem::take(&mut outcome.nearness);
        let is_writable = outcome.is_writable();
        let threw = match &outcome.end {
            End::Threw(thrown) => Some(thrown.statement as usize),
            _ => None,
        };
        let made = Arc::new(made);
        let sequence = match threw {
            Some(last) if last + 1 < made.len() => Arc::new(made.prefix(last + 1)),
            _ => Arc::clone(&made),
        };
        if self.feeds_operands && is_writable {
            self.casts.note(&sequence, &outcome);
        }
        let fitness = if is_writable {
            Fitness::of(self.targets(), &nearness)
        } else {
            Fitness::worst(self.targets())
        };
        let comparisons = self.compared(nearness, is_writable);
        if origin == Origin::Slot {
            self.slots.answer(&made, |goal| {
                if is_writable {
                    fitness.to(goal)
                } else {
                    f64::INFINITY
                }
            });
        }
        let template = (origin == Origin::Template).then(|| self.templates.made_for(&made));
        if is_writable {
            if let Some(goal) = template.flatten() {
                let goal = (goal, self.goals.best(goal));
                self.templates
                    .ran(goal, &sequence, made.len(), threw, &fitness);
            }
            self.cover(&sequence, &outcome, &fitness, origin);
            if self.goals.come_nearer(&sequence, &fitness) {
                self.last_gain = self.hunted.steps;
            }
        }
        let is_gain = self.last_gain == self.hunted.steps;
        self.templates.reward(origin, outcome.cost, is_gain);
        self.sources.file(&sequence, &outcome);
        Individual {
            sequence,
            fitness,
            comparisons: comparisons.into(),
            fed: BTreeSet::new(),
            is_cut: !is_writable,
        }
    }

    /// What decided targets, ascending by target; the values compared become constants.
    fn compared(&mut self, nearness: Nearness, is_writable: bool) -> Vec<(TargetId, Comparison)> {
        let mut found: Vec<(TargetId, Comparison)> = Vec::new();
        for comparison in nearness.comparisons {
            if self.feeds_operands {
                for value in crate::operands::values(&comparison) {
                    self.sources.see(value);
                }
            }
            if let Some(target) = self
                .goals
                .targets()
                .at(comparison.probe)
                .filter(|_| is_writable)
            {
                found.push((target, comparison));
            }
        }
        found.sort_by_key(|(target, _)| *target);
        found
    }

    /// Closes the targets that a run covered, and puts it into the archive for each.
    fn cover(
        &mut self,
        sequence: &Arc<Sequence>,
        outcome: &Outcome,
        fitness: &Fitness,
        origin: Origin,
    ) {
        let touched = outcome.coverage.probes.iter();
        let mut covered: Vec<TargetId> = touched
            .filter_map(|&probe| self.targets().at(probe))
            .collect();
        let reached = fitness.distances().iter();
        covered.extend(
            reached
                .filter(|(_, distance)| *distance <= 0.0)
                .map(|(target, _)| *target),
        );
        let (run, found) = &mut self.hunted.by_origin[origin as usize];
        *run += 1;
        for &target in &covered {
            if self.goals.cover(target) {
                self.hunted.covered += 1;
                *found += 1;
                self.last_gain = self.hunted.steps;
            }
            let threw = matches!(outcome.end, End::Threw(_));
            self.archive.cover(target, sequence, threw);
        }
    }
}
