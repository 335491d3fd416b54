//! What a hunt is asked, and what it says in the end.
//!
//! Comes in: nothing. Goes out: [`Algorithm`], [`Means`], [`Hunted`].
//! Does not know: how anything is hunted.

use crate::template_statistics::Left;
use palus_bytecode::TargetBranch;
use palus_generate::{Refusal, Sources};
use palus_sequence::Sequence;

/// How open branches are hunted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// Many objectives, those whose conditions are met (Panichella, Kifetew, Tonella, TSE 2018).
    Dynamosa,
    /// Many objectives, all at once (Panichella, Kifetew, Tonella, ICST 2015).
    Mosa,
    /// Whole suites, of which the best never gets worse (Fraser, Arcuri, TSE 2013).
    MonotonicGa,
}

/// Makes a test whose objects a branch reads, with everything that matters a constant, or says why it cannot.
pub type Template<'t> =
    dyn FnMut(&mut Sources<'_>, TargetBranch, Option<Near<'_>>) -> Result<Sequence, Refusal> + 't;

/// The run that came nearest to a branch.
#[derive(Clone, Copy, Debug)]
pub struct Near<'s> {
    /// What was run.
    pub sequence: &'s Sequence,
    /// True if it reached the jump.
    pub reached: bool,
}

/// What a hunt may do beside evolution.
pub struct Means<'h> {
    /// Makes tests for branches, where there is one who can.
    pub template: Option<&'h mut Template<'h>>,
    /// Whether operands of comparisons are fed back, and kept as constants.
    pub feeds_operands: bool,
    /// Whether a hunt that no longer comes nearer gives up before its steps are used up.
    pub gives_up: bool,
    /// Whether the unit's own phases have turns as well, as long as they yield more than the search.
    pub explores: bool,
}

impl Default for Means<'_> {
    /// Operands; no templates, and no turns for others.
    fn default() -> Self {
        Means {
            template: None,
            feeds_operands: true,
            gives_up: true,
            explores: false,
        }
    }
}

/// How a sequence of the search was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// By an earlier phase, and run again.
    Seed,
    /// With an operand of a comparison fed back.
    Operand,
    /// From parents.
    Offspring,
    /// Afresh.
    Fresh,
    /// From an object construction graph.
    Template,
    /// By the unit's own phases, in turns that the search gave them.
    Explored,
    /// With one constant changed, to learn what a goal depends on, or since it depends on that.
    Slot,
}

/// What a hunt did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Hunted {
    /// Targets that were open when it began.
    pub open: u64,
    /// Those of them that were covered.
    pub covered: u64,
    /// Sequences run.
    pub steps: u64,
    /// By [`Origin`]: sequences run to an end that tests may show, and targets that they covered.
    pub by_origin: [(u64, u64); 7],
    /// Templates that could not be made.
    pub templates_failed: u64,
    /// What is still open, and what became of it, in class-file order.
    pub left: Vec<Left>,
    /// True if it ended since the time was over or nothing could be run.
    pub is_cut: bool,
}

impl Hunted {
    /// Adds what a later hunt did that began where this one ended.
    pub fn add(&mut self, later: Hunted) {
        self.covered += later.covered;
        self.steps += later.steps;
        for (all, more) in self.by_origin.iter_mut().zip(later.by_origin) {
            *all = (all.0 + more.0, all.1 + more.1);
        }
        self.templates_failed += later.templates_failed;
        self.left = later.left;
        self.is_cut |= later.is_cut;
    }
}
