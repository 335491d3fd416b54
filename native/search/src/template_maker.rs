//! Templates for goals: which goals get one, what became of each, and whether they are worth their steps.
//!
//! Comes in: a goal, and what came nearest to it. Goes out: a sequence to run, and counts of what came of it.
//! Does not know: how templates are made, the executor.

use crate::fitness::Fitness;
use crate::goals::Goals;
use crate::hunted::{Near, Origin, Template};
use crate::operator_credit::OperatorCredit;
use crate::parameters::{LONGEST_TEMPLATE, WHERE_LEFT};
use crate::splice::tidied;
use crate::target::TargetId;
use crate::template_statistics::TemplateStatistics;
use palus_generate::{Refusal, Sources};
use palus_sequence::Sequence;
use std::collections::BTreeMap;

/// Makes and counts the templates of one hunt.
pub(crate) struct TemplateMaker<'h> {
    /// Makes tests for branches, where there is one who can.
    template: Option<&'h mut Template<'h>>,
    /// Templates that are to be run, and for what.
    waiting: Vec<(Sequence, TargetId)>,
    statistics: BTreeMap<TargetId, TemplateStatistics>,
    /// Whether templates are worth their time.
    credit: OperatorCredit,
    /// Templates that could not be made.
    failed: u64,
}

impl<'h> TemplateMaker<'h> {
    /// None was made.
    pub fn new(template: Option<&'h mut Template<'h>>) -> TemplateMaker<'h> {
        TemplateMaker {
            template,
            waiting: Vec::new(),
            statistics: BTreeMap::new(),
            credit: OperatorCredit::default(),
            failed: 0,
        }
    }

    /// True if a template may be made for a goal. What lies farther away waits: what is built for it would fail where
    /// nearer branches are still open.
    pub fn takes(&self, goals: &Goals, goal: TargetId) -> bool {
        self.template.is_some() && goals.is_within_reach(goal)
    }

    /// True as long as a goal is worth a template before chance gives it one.
    pub fn is_due(&self, goals: &Goals, goal: TargetId) -> bool {
        let known = self.statistics.get(&goal);
        self.takes(goals, goal) && known.is_none_or(TemplateStatistics::is_due)
    }

    /// How often one was wanted for a goal.
    pub fn asked(&self, goal: TargetId) -> u64 {
        self.statistics.get(&goal).map_or(0, |known| known.asked)
    }

    /// What became of those for a goal.
    pub fn of(&self, goal: TargetId) -> TemplateStatistics {
        self.statistics.get(&goal).cloned().unwrap_or_default()
    }

    /// Templates that could not be made.
    pub fn failed(&self) -> u64 {
        self.failed
    }

    /// Most first templates of the next generation.
    pub fn at_once(&mut self) -> usize {
        self.credit.templates_at_once()
    }

    /// A template for a goal, on what came nearest or from nothing; none where that cannot be, or was run before.
    pub fn make(
        &mut self,
        goals: &Goals,
        sources: &mut Sources<'_>,
        goal: TargetId,
        is_on_nearest: bool,
    ) -> Option<Sequence> {
        let template = self.template.as_mut()?;
        let (_, branch) = goals.targets().get(goal).branch?;
        let nearest = goals.nearest(goal).filter(|_| is_on_nearest);
        let near = nearest.map(|nearest| Near {
            sequence: &nearest.sequence,
            reached: goals.best(goal) < 1.0,
        });
        // What ran shows where the way was left: nothing else has to change first.
        let left_at = nearest.and_then(|nearest| nearest.left_at);
        let left_at = left_at.and_then(|outcome| goals.targets().get(outcome).branch);
        let first = match (left_at, near) {
            (Some((_, left_at)), Some(near)) if sources.rng().percent(WHERE_LEFT) => {
                let near = Near {
                    reached: true,
                    ..near
                };
                template(sources, left_at, Some(near)).ok()
            }
            _ => None,
        };
        let made = match first {
            Some(made) => Ok(made),
            None => template(sources, branch, near),
        };
        let made = made.and_then(|made| {
            tidied(sources.program(), &made, LONGEST_TEMPLATE).ok_or(Refusal::Unusable)
        });
        let statistics = self.statistics.entry(goal).or_default();
        statistics.asked += 1;
        match made {
            Ok(tidy) if sources.is_new(&tidy) => {
                self.waiting.push((tidy.clone(), goal));
                return Some(tidy);
            }
            Ok(_) => statistics.known += 1,
            Err(reason) => {
                self.failed += 1;
                *statistics.refused.entry(reason).or_default() += 1;
            }
        }
        None
    }

    /// The goal that a template was made for, now that it was run.
    pub fn made_for(&mut self, template: &Sequence) -> Option<TargetId> {
        let at = self.waiting.iter().position(|(made, _)| made == template)?;
        Some(self.waiting.swap_remove(at).1)
    }

    /// Counts the run of a template of this length, of which this is what ran.
    pub fn ran(
        &mut self,
        (goal, best): (TargetId, f64),
        ran: &Sequence,
        length: usize,
        threw: Option<usize>,
        fitness: &Fitness,
    ) {
        let statistics = self.statistics.entry(goal).or_default();
        statistics.take(ran, length, threw, fitness.to(goal), best);
    }

    /// Credits who made a run.
    pub fn reward(&mut self, origin: Origin, cost: u32, is_gain: bool) {
        self.credit.reward(origin, cost, is_gain);
    }
}
