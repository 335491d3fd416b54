//! Dynamic targets: a target is hunted once what it depends on is covered.
//!
//! Comes in: which targets are open. Goes out: those that are hunted now.
//! Panichella, Kifetew, Tonella, "Automated Test Case Generation as a Many-Objective Optimisation Problem with Dynamic
//! Selection of the Targets", TSE 2018, section 4.
//! Does not know: sequences, fitness.
//!
//! ```text
//! open: entry, J1 (both outcomes); J2 depends on J1 taken, J3 on J2 taken        hunted: entry, J1 taken, not taken
//! a run covers the entry and J1 not taken                                        hunted: J1 taken
//! a run covers J1 taken and J2 not taken                                         hunted: J2 taken
//! ```

use crate::target::{TargetId, Targets};

/// The targets that are hunted now.
#[derive(Clone, Debug)]
pub(crate) struct Current {
    /// Per target: what it depends on is covered.
    is_revealed: Vec<bool>,
    is_dynamic: bool,
}

impl Current {
    /// Only what depends on nothing is revealed at first. Without `is_dynamic` everything is (that is MOSA).
    pub fn new(targets: &Targets, is_dynamic: bool) -> Current {
        Current {
            is_revealed: targets
                .all()
                .map(|target| !is_dynamic || targets.is_root(target))
                .collect(),
            is_dynamic,
        }
    }

    /// The targets that are hunted, ascending, after those that depend on covered ones were revealed.
    pub fn goals(&mut self, targets: &Targets, is_open: &[bool]) -> Vec<TargetId> {
        if self.is_dynamic {
            let is_covered = |target: &TargetId| !is_open[target.index()];
            let mut covered: Vec<TargetId> = targets
                .all()
                .filter(|target| self.is_revealed[target.index()])
                .filter(is_covered)
                .collect();
            while let Some(target) = covered.pop() {
                for child in &targets.children[target.index()] {
                    if !std::mem::replace(&mut self.is_revealed[child.index()], true)
                        && is_covered(child)
                    {
                        covered.push(*child);
                    }
                }
            }
        }
        let open = targets.all().filter(|target| is_open[target.index()]);
        let goals: Vec<TargetId> = open
            .clone()
            .filter(|target| self.is_revealed[target.index()])
            .collect();
        if goals.is_empty() {
            // What only exceptions lead to.
            return open.collect();
        }
        goals
    }
}
