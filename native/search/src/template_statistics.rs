//! What became of templates: the statistics of one target.
//!
//! Comes in: how templates for the target could not be made, and how those that were made ran. Goes out: counts.
//! Does not know: how templates are made, other tests.

use crate::parameters::FIRST_TEMPLATES;
use palus_bytecode::{MethodId, TargetBranch};
use palus_generate::Refusal;
use palus_sequence::{Sequence, Statement};
use std::collections::BTreeMap;

/// A target that a hunt left open.
#[derive(Clone, Debug, PartialEq)]
pub struct Left {
    /// Which.
    pub branch: TargetBranch,
    /// The best fitness of any run; infinite where none was writable.
    pub best: f64,
    /// What became of its templates.
    pub templates: TemplateStatistics,
}

/// Templates for one target.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TemplateStatistics {
    /// How often one was wanted.
    pub asked: u64,
    /// Those that could not be made, by reason.
    pub refused: BTreeMap<Refusal, u64>,
    /// Those that were run before.
    pub known: u64,
    /// Those that ran to an outcome that a test may show.
    pub run: u64,
    /// Of them, those that threw before their last call, by the method that threw.
    pub threw: BTreeMap<Option<MethodId>, u64>,
    /// Of them, those that came nearer than all runs before.
    pub nearer: u64,
    /// The best fitness of any template; none where none was run.
    pub best: Option<f64>,
}

impl TemplateStatistics {
    /// True as long as it is worth a try before chance gives it one.
    pub(crate) fn is_due(&self) -> bool {
        let is_hopeless = self.refused.keys().any(|reason| {
            matches!(
                reason,
                Refusal::NothingToBuild | Refusal::TooLarge | Refusal::NotCallable
            )
        });
        self.asked < FIRST_TEMPLATES && !is_hopeless
    }

    /// Takes the run of a template of this length, of which this is what ran.
    pub(crate) fn take(
        &mut self,
        ran: &Sequence,
        length: usize,
        threw: Option<usize>,
        fitness: f64,
        best: f64,
    ) {
        self.run += 1;
        if let Some(at) = threw.filter(|at| at + 1 < length) {
            let method = match ran.statements().get(at) {
                Some(Statement::Call { method, .. }) => Some(*method),
                _ => None,
            };
            *self.threw.entry(method).or_default() += 1;
        }
        self.nearer += u64::from(fitness < best);
        self.best = Some(self.best.map_or(fitness, |known| known.min(fitness)));
    }
}
