//! Tests in the making.
//!
//! Comes in: a kept run. Goes out: a [`Draft`], which other modules fill: observers, what was seen, what it kills.
//! Does not know: which of it is asserted.

use crate::assertion::Expected;
use crate::mutants::{Candidate, Kills};
use crate::told::Told;
use palus_sequence::{End, Observation, Outcome, Probe, Run, Sequence, Variable};
use std::collections::{BTreeMap, BTreeSet};

/// A test in the making: the statements that matter, then observers.
#[derive(Clone)]
pub(crate) struct Draft {
    pub(crate) sequence: Sequence,
    /// Number of statements before the observers; the last of them is under test.
    pub(crate) length: usize,
    /// How it ended when it was kept.
    pub(crate) end: End,
    /// What was seen before the last statement, by observer; shorter where it could not be asked.
    pub(crate) before: Vec<Option<Observation>>,
    pub(crate) outcome: Option<Outcome>,
    pub(crate) expected: Vec<Option<Expected>>,
    /// What the exception that ends it tells.
    pub(crate) told: Vec<Told>,
    /// Whether it is about the subject: others are there for code of the subject alone.
    pub(crate) is_about_subject: bool,
    /// What it touched when it was kept.
    pub(crate) touched: Vec<Probe>,
    /// Mutants that it kills; none where that is not known.
    pub(crate) kills: Option<Kills>,
    /// What it stays for.
    pub(crate) needed: Needed,
    /// Statements to assert since nothing that any test asserts kills what they kill.
    pub(crate) wanted: Vec<usize>,
    /// What it is as a test of an earlier run; none of a new one.
    pub(crate) written: Option<Written>,
}

/// A test of an earlier run, which stays as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Written {
    /// Its place among those of its class.
    pub(crate) place: usize,
    /// What it runs.
    pub(crate) sequence: Sequence,
    /// What of that it asserts.
    pub(crate) asserted: Vec<usize>,
}

/// What a draft is to do since no other is to: a shorter one has to do it, too.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Needed {
    /// To touch.
    pub(crate) probes: BTreeSet<Probe>,
    /// To kill.
    pub(crate) mutants: BTreeSet<u32>,
}

impl Draft {
    /// A run as it was, with nothing to assert.
    pub(crate) fn bare(run: &Run) -> Draft {
        Draft {
            sequence: run.sequence.clone(),
            length: run.sequence.len(),
            end: run.outcome.end.clone(),
            before: Vec::new(),
            outcome: Some(run.outcome.clone()),
            expected: Vec::new(),
            told: Vec::new(),
            is_about_subject: true,
            touched: run.outcome.coverage.probes.clone(),
            kills: None,
            needed: Needed::default(),
            wanted: Vec::new(),
            written: None,
        }
    }
}

impl Draft {
    /// What faults are looked for with.
    pub(crate) fn candidate(&self) -> Candidate<'_> {
        Candidate {
            sequence: &self.sequence,
            length: self.length,
            end: &self.end,
            told: &self.told,
            expected: &self.expected,
        }
    }
}

/// The sequence of these statements, as far as they use no others, and where each was.
pub(crate) fn only(sequence: &Sequence, kept: &[usize]) -> (Sequence, Vec<usize>) {
    let mut places: BTreeMap<usize, Variable> = BTreeMap::new();
    let mut short = Sequence::default();
    for &index in kept {
        let statement = &sequence.statements()[index];
        let mut uses = statement.uses().into_iter();
        if uses.all(|used| places.contains_key(&used.index())) {
            let place = short.push(statement.renamed(|used| places[&used.index()]));
            places.insert(index, place);
        }
    }
    (short, places.into_keys().collect())
}
