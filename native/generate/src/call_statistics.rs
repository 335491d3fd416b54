//! How calls ended so far, by method and by target.
//!
//! Comes in: candidates with their outcomes. Goes out: which methods are called no more, which targets still need a
//! test, and what they cost.
//! Does not know: how candidates are made, what they covered.

use crate::cost::Cost;
use crate::draft::Candidate;
use crate::skip::Tally;
use crate::target::Target;
use palus_bytecode::{MethodId, Program};
use palus_sequence::{End, Outcome, Statement};

/// Runs that may hang or kill the worker in one method before it is no longer called.
const DEATHS: u8 = 2;
/// Runs that leave a thread running, at least and for each that does not, after which a call is made no more.
const THREADS: u32 = 16;
/// Weight of a target after a gain.
pub(crate) const FULL_ENERGY: u32 = 64;

/// Counts of one unit.
#[derive(Debug)]
pub(crate) struct CallStatistics {
    targets: Vec<Target>,
    /// Per target.
    tallies: Vec<Tally>,
    /// What all runs cost.
    cost: Cost,
    /// Per method.
    methods: Vec<MethodCalls>,
}

/// Calls of one method.
#[derive(Clone, Debug, Default)]
struct MethodCalls {
    /// The target that calls it directly.
    target: Option<u32>,
    tried: u32,
    completed: u32,
    /// Runs that hung or killed the worker in its call.
    deaths: u8,
    /// Runs after which a thread was running, and other runs in which it completed.
    threads: (u32, u32),
}

impl CallStatistics {
    /// Nothing was called yet.
    pub fn new(program: &Program, targets: Vec<Target>) -> CallStatistics {
        let mut methods = vec![MethodCalls::default(); program.methods().len()];
        for (number, target) in targets.iter().enumerate() {
            if !target.is_virtual {
                methods[target.call.index()].target = Some(number as u32);
            }
        }
        CallStatistics {
            tallies: vec![Tally::default(); targets.len()],
            targets,
            cost: Cost::default(),
            methods,
        }
    }

    /// All targets, by number.
    pub fn targets(&self) -> &[Target] {
        &self.targets
    }

    /// One target.
    pub fn target(&self, number: usize) -> &Target {
        &self.targets[number]
    }

    /// The target that calls a method directly.
    pub fn target_of(&self, method: MethodId) -> Option<usize> {
        self.methods[method.index()]
            .target
            .map(|target| target as usize)
    }

    /// How the tries of a target ended.
    pub fn tally(&self, target: usize) -> &Tally {
        &self.tallies[target]
    }

    /// The part of a target's weight that is left for what its runs cost.
    pub fn share(&self, target: usize, weight: u32) -> u32 {
        self.tallies[target].cost.share(weight, self.cost)
    }

    /// Calls of a method, and those of them that completed.
    pub fn of(&self, method: MethodId) -> (u32, u32) {
        let calls = &self.methods[method.index()];
        (calls.tried, calls.completed)
    }

    /// True where calling a method has cost enough already.
    pub fn is_barred(&self, method: MethodId) -> bool {
        let calls = &self.methods[method.index()];
        match calls.target {
            Some(target) => self.tallies[target as usize].is_barred(),
            None => calls.deaths >= DEATHS || calls.leaves_threads(),
        }
    }

    /// Notes that nothing could be made to call a target with.
    pub fn could_not_call(&mut self, target: usize) {
        self.tallies[target].void += 1;
    }

    /// Counts the calls of a run; `is_gain` tells if it covered something new of what the unit is after.
    pub fn count(&mut self, candidate: &Candidate, outcome: &Outcome, is_gain: bool) {
        self.cost.add(outcome.cost);
        let ran = outcome.observations.len();
        let statements = candidate.sequence.statements();
        for (index, statement) in statements.iter().enumerate().take(ran + 1) {
            let Statement::Call { method, .. } = statement else {
                continue;
            };
            let calls = &mut self.methods[method.index()];
            let has_died = index == ran && matches!(outcome.end, End::Crashed(_) | End::TimedOut);
            calls.deaths = calls.deaths.saturating_add(u8::from(has_died));
            calls.tried += 1;
            if index < ran {
                calls.completed += 1;
            }
            let (with, without) = &mut calls.threads;
            if outcome.end == End::StartedThread {
                *with += 1;
            } else if index < ran {
                *without += 1;
            }
            if let Some(target) = calls.target {
                self.tallies[target as usize].ended(index, outcome);
            }
        }
        for &(statement, target) in &candidate.calls {
            let is_virtual = self.targets[target].is_virtual;
            let tally = &mut self.tallies[target];
            tally.cost.add(outcome.cost);
            let index = statement as usize;
            if index > ran {
                tally.missed += 1;
            } else if is_virtual {
                tally.ended(index, outcome);
            }
            tally.energy = if is_gain {
                FULL_ENERGY
            } else {
                tally.energy.saturating_sub(1)
            };
        }
    }
}

impl MethodCalls {
    /// True where tests can hardly show what comes after a call, since it leaves a thread running nearly always.
    fn leaves_threads(&self) -> bool {
        let (with, without) = self.threads;
        with >= THREADS && with >= THREADS * without
    }
}
