//! What is open, and what came nearest to it.
//!
//! Comes in: which targets runs covered and how near they came. Goes out: the goals, and the probes to watch for them.
//! Does not know: sequences beyond the nearest ones, who made them.

use crate::fitness::Fitness;
use crate::target::{TargetId, Targets};
use palus_sequence::{Probe, Sequence};
use std::sync::Arc;

/// An improvement that is less says nothing.
const SLIGHT: f64 = 1e-3;

/// What came nearest to a target.
#[derive(Clone, Debug)]
pub(crate) struct Nearest {
    pub sequence: Arc<Sequence>,
    /// The outcome that it did not take where it left the way.
    pub left_at: Option<TargetId>,
}

/// All targets of a hunt, with what became of them.
#[derive(Debug)]
pub(crate) struct Goals {
    targets: Targets,
    /// Per target.
    is_open: Vec<bool>,
    open: usize,
    /// Per target: the best fitness of any run.
    best: Vec<f64>,
    /// Per target, as long as it is open.
    nearest: Vec<Option<Nearest>>,
    /// Watched whatever is covered.
    always: Vec<TargetId>,
    /// True if the executor watches something else than it should.
    is_watch_stale: bool,
}

impl Goals {
    /// The targets, of which those are open that the closure says.
    pub fn new(targets: Targets, is_open: impl FnMut(TargetId) -> bool) -> Goals {
        let is_open: Vec<bool> = targets.all().map(is_open).collect();
        Goals {
            open: is_open.iter().filter(|is_open| **is_open).count(),
            best: vec![f64::INFINITY; is_open.len()],
            nearest: vec![None; is_open.len()],
            is_open,
            targets,
            always: Vec::new(),
            is_watch_stale: true,
        }
    }

    /// All targets, open or not.
    pub fn targets(&self) -> &Targets {
        &self.targets
    }

    /// Targets that are open, ascending.
    pub fn open(&self) -> impl Iterator<Item = TargetId> + '_ {
        self.targets
            .all()
            .filter(|target| self.is_open[target.index()])
    }

    /// How many are open.
    pub fn count(&self) -> usize {
        self.open
    }

    /// Per target: true if it is open.
    pub fn is_open(&self) -> &[bool] {
        &self.is_open
    }

    /// The best fitness of any run; infinite where none was writable.
    pub fn best(&self, target: TargetId) -> f64 {
        self.best[target.index()]
    }

    /// What came nearest to a target.
    pub fn nearest(&self, target: TargetId) -> Option<&Nearest> {
        self.nearest[target.index()].as_ref()
    }

    /// True for a branch that nothing else decides, or that depends on a covered one.
    pub fn is_within_reach(&self, goal: TargetId) -> bool {
        let Some((jump, _)) = self.targets.get(goal).branch else {
            return false;
        };
        let mut parents = self.targets.jumps[jump as usize].parents.iter();
        self.targets.is_root(goal) || parents.any(|parent| !self.is_open[parent.index()])
    }

    /// A target was covered; true if it was open.
    pub fn cover(&mut self, target: TargetId) -> bool {
        let was_open = std::mem::replace(&mut self.is_open[target.index()], false);
        if was_open {
            self.open -= 1;
            self.is_watch_stale = true;
        }
        was_open
    }

    /// Closes the targets that others have covered; gives their number.
    pub fn close(&mut self, is_covered: impl Fn(Probe) -> bool) -> u64 {
        let covered: Vec<TargetId> = self
            .open()
            .filter(|&target| is_covered(self.targets.get(target).probe))
            .collect();
        for &target in &covered {
            self.cover(target);
        }
        covered.len() as u64
    }

    /// Takes how near a run came; true if it came nearer to an open target than all before.
    pub fn come_nearer(&mut self, sequence: &Arc<Sequence>, fitness: &Fitness) -> bool {
        let mut is_nearer = false;
        for target in self.targets.all() {
            let near = fitness.to(target);
            let best = &mut self.best[target.index()];
            if self.is_open[target.index()] && near < *best - SLIGHT {
                *best = near;
                self.nearest[target.index()] = Some(Nearest {
                    sequence: Arc::clone(sequence),
                    left_at: fitness.left_at(&self.targets, target),
                });
                is_nearer = true;
            }
        }
        is_nearer
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

    /// The executor watches something else now.
    pub fn watch_again(&mut self) {
        self.is_watch_stale = true;
    }

    /// The probes to watch from now on; none where they are watched already.
    pub fn newly_watched(&mut self) -> Option<Vec<Probe>> {
        if !std::mem::take(&mut self.is_watch_stale) {
            return None;
        }
        let wanted: Vec<TargetId> = self.open().chain(self.always.iter().copied()).collect();
        let watched = self.targets.with_ancestors(wanted.into_iter());
        let mut probes: Vec<Probe> = watched
            .into_iter()
            .map(|target| self.targets.get(target).probe)
            .collect();
        probes.sort_unstable();
        Some(probes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::vectors::{CHECK, INIT, NO_ACTOR, game, nearness, outcome};

    /// Open goals with what came near to them, one a line.
    fn said(goals: &Goals) -> String {
        let lines = goals.open().map(|goal| {
            let near = goals.nearest(goal).map_or("none", |_| "some");
            format!("{} {:.2} {near}\n", goal.0, goals.best(goal))
        });
        lines.collect()
    }

    #[test]
    fn a_goal_keeps_what_came_nearest_until_it_is_covered() {
        let (_, targets) = game();
        let run = Fitness::of(&targets, &nearness(&targets, NO_ACTOR));
        let mut goals = Goals::new(targets, |goal| {
            [CHECK, outcome(1, false), outcome(1, true)].contains(&goal.0)
        });
        assert!(!goals.is_open()[INIT as usize]);
        let sequence = Arc::new(Sequence::default());
        assert!(goals.cover(TargetId(CHECK)));
        assert!(!goals.cover(TargetId(CHECK)), "it was covered before");
        assert!(goals.come_nearer(&sequence, &run));
        assert!(!goals.come_nearer(&sequence, &run), "no nearer than before");
        assert_eq!(said(&goals), "2 0.00 some\n3 0.50 some\n");
        assert!(goals.newly_watched().is_some());
        assert!(goals.newly_watched().is_none(), "they are watched already");
        assert_eq!(goals.close(|_| true), 2);
        assert_eq!((goals.count(), said(&goals)), (0, String::new()));
        assert!(goals.newly_watched().is_some());
    }
}
