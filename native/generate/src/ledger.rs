//! What a unit has reached: coverage, kept runs, steps.
//!
//! Comes in: sequences with their outcomes. Goes out: what each touched for the first time, the runs worth keeping,
//! whether to go on.
//! Does not know: how sequences are made, how their calls ended.

use crate::budget::Budget;
use crate::failures::Failures;
use crate::probes::Progress;
use crate::target::Target;
use crate::unit::Unit;
use palus_bytecode::{ClassId, MethodId};
use palus_sequence::{End, Outcome, Probe, Run, Sequence};
use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};

/// Replays of the trace that are handed on.
const MOST_REPLAYS: usize = 200;
/// Runs kept that cover only classes the unit is not after.
const KEPT_FOR_OTHERS: usize = 20;

/// The account of one unit.
pub(crate) struct Ledger<'a> {
    unit: Unit<'a>,
    /// The subject and what is nested in it.
    nest: Vec<ClassId>,
    budget: Budget,
    kept: Vec<Run>,
    /// Kept runs that cover nothing of the subject or its superclasses.
    kept_for_others: usize,
    /// Histories and tests of the trace that ran to their end, whether they covered anything new or not.
    replays: Vec<Run>,
    failures: Failures,
    /// Probes touched.
    covered: BTreeSet<Probe>,
    progress: Progress,
    /// Per class: true if its probes are what the unit is after.
    is_own: Vec<bool>,
    /// Hashes of all sequences that were run.
    known: BTreeSet<u64>,
}

/// What a run touched for the first time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Gain {
    /// Nothing.
    None,
    /// Only classes the unit is not after.
    Others,
    /// The subject, what is nested in it, or what it extends.
    Own,
}

impl<'a> Ledger<'a> {
    /// Nothing was run yet.
    pub fn new(unit: Unit<'a>, nest: &[ClassId], targets: &[Target]) -> Ledger<'a> {
        let program = unit.program;
        let mut is_own = vec![false; program.classes().len()];
        for class in nest {
            for parent in program.supertypes(*class) {
                is_own[parent.index()] = true;
            }
        }
        Ledger {
            unit,
            nest: nest.to_vec(),
            budget: Budget::new(unit.steps, unit.gives_up),
            kept: Vec::new(),
            kept_for_others: 0,
            replays: Vec::new(),
            failures: Failures::default(),
            covered: BTreeSet::new(),
            progress: Progress::new(program, &is_own, targets),
            is_own,
            known: BTreeSet::new(),
        }
    }

    /// Notes that a sequence is run; false if it was noted before.
    pub fn note(&mut self, sequence: &Sequence) -> bool {
        self.known.insert(hash(sequence))
    }

    /// Takes the outcome of a sequence; tells what it touched for the first time.
    pub fn take(&mut self, sequence: &Sequence, outcome: &Outcome) -> Gain {
        let gain = self.gain(outcome);
        if self.unit.keeps_failures {
            self.failures.take(self.unit.program, sequence, outcome);
        }
        self.budget.step(gain == Gain::Own, outcome.cost);
        if gain == Gain::Own && self.progress.is_complete(self.unit.program, &self.nest) {
            self.budget.complete();
        }
        let keeps = match gain {
            Gain::Own => true,
            Gain::Others => self.kept_for_others < KEPT_FOR_OTHERS && outcome.end == End::Completed,
            Gain::None => false,
        };
        if keeps && outcome.is_writable() {
            if gain == Gain::Others {
                self.kept_for_others += 1;
            }
            let sequence = match &outcome.end {
                End::Threw(thrown) => sequence.prefix(thrown.statement as usize + 1),
                _ => sequence.clone(),
            };
            self.kept.push(Run {
                sequence,
                outcome: outcome.clone(),
            });
        }
        gain
    }

    /// Takes what a replay of the trace did.
    pub fn take_replay(&mut self, sequence: &Sequence, outcome: &Outcome) {
        let is_whole = outcome.end == End::Completed && outcome.is_writable();
        if is_whole && self.replays.len() < MOST_REPLAYS {
            self.replays.push(Run {
                sequence: sequence.clone(),
                outcome: outcome.clone(),
            });
        }
    }

    fn gain(&mut self, outcome: &Outcome) -> Gain {
        let mut gain = Gain::None;
        if !outcome.is_writable() {
            return gain;
        }
        for &probe in &outcome.coverage.probes {
            if self.covered.insert(probe) {
                self.progress.touch(probe);
                let is_own = self
                    .is_own
                    .get(probe.class as usize)
                    .copied()
                    .unwrap_or(false);
                gain = gain.max(if is_own { Gain::Own } else { Gain::Others });
            }
        }
        gain
    }

    /// Steps that were and may be taken.
    pub fn budget(&self) -> &Budget {
        &self.budget
    }

    /// The same, for who says when phases begin.
    pub fn budget_mut(&mut self) -> &mut Budget {
        &mut self.budget
    }

    /// The runs kept so far.
    pub fn kept(&self) -> &[Run] {
        &self.kept
    }

    /// The runs kept in the end, replays of the trace, and sequences that fail in a library.
    pub fn into_kept(self) -> (Vec<Run>, Vec<Run>, Vec<Sequence>) {
        (self.kept, self.replays, self.failures.into_sequences())
    }

    /// True if a run that a test may show touched the probe.
    pub fn is_covered(&self, probe: Probe) -> bool {
        self.covered.contains(&probe)
    }

    /// True if some run entered the method, whoever called it.
    pub fn is_entered(&self, method: MethodId) -> bool {
        self.progress.is_entered(method)
    }

    /// The targets whose call may run a method.
    pub fn targets_of(&self, method: MethodId) -> &[u32] {
        self.progress.targets(method)
    }

    /// Probes that calls of a target may still cover.
    pub fn left(&self, target: usize) -> u32 {
        self.progress.left(target)
    }
}

/// A structural hash, the same on every machine.
pub(crate) fn hash(sequence: &Sequence) -> u64 {
    let mut hasher = Fold(0xcbf2_9ce4_8422_2325);
    sequence.hash(&mut hasher);
    hasher.finish()
}

/// Folds words by multiplication and rotation.
struct Fold(u64);

impl Fold {
    fn word(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95);
    }
}

impl Hasher for Fold {
    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 32)
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.word(u64::from_le_bytes(word));
        }
    }

    fn write_u8(&mut self, number: u8) {
        self.word(u64::from(number));
    }

    fn write_u32(&mut self, number: u32) {
        self.word(u64::from(number));
    }

    fn write_u64(&mut self, number: u64) {
        self.word(number);
    }

    fn write_usize(&mut self, number: usize) {
        self.word(number as u64);
    }

    fn write_isize(&mut self, number: isize) {
        self.word(u64::from_le_bytes((number as i64).to_le_bytes()));
    }
}
