//! The state of one unit's generation, shared by its phases.
//!
//! Comes in: a [`Unit`]. Goes out: batches of candidates to the executor, and what is [`Generated`] in the end.
//! Does not know: how candidates are made (`random.rs`, `guided.rs`) or what outcomes teach (`filing.rs`).

use crate::budget::Budget;
use crate::constants::ConstantPool;
use crate::cost::Cost;
use crate::dependent::Related;
use crate::draft::Candidate;
use crate::generics::{Resolved, is_drawn, is_generic, resolve};
use crate::kinds::{Kind, Kinds};
use crate::mode::Mode;
use crate::pool::{Pool, Thrift};
use crate::probes::Progress;
use crate::producers::Finder;
use crate::rng::Rng;
use crate::serialization::RoundTrip;
use crate::skip::Tally;
use crate::target::{Target, instance_methods, nest, targets};
use crate::{Generated, Replayed, Unit};
use palus_bytecode::{ClassId, MethodId, Program};
use palus_learn::{ArgumentRecord, Observation};
use palus_sequence::{Executor, ExecutorError, Probe, Run, Sequence, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// Sequences sent to the executor at once.
pub(crate) const BATCH: usize = 100;

/// Runs that may hang or kill the worker in one method before it is no longer called.
const DEATHS: u8 = 2;
/// Runs that leave a thread running, at least and for each that does not, after which a call is made no more.
const THREADS: u32 = 16;

/// Everything a unit learns while it runs.
pub(crate) struct Generator<'a> {
    pub unit: Unit<'a>,
    pub program: &'a Program,
    pub package: String,
    pub kinds: Kinds<'a>,
    pub rng: Rng,
    pub pool: Pool,
    pub thrift: Thrift,
    pub constants: ConstantPool,
    pub finder: Finder<'a>,
    /// The subject and what is nested in it.
    pub nest: Vec<ClassId>,
    /// Accessible classes of the nest that can have instances.
    pub own_kinds: Vec<Kind>,
    pub targets: Vec<Target>,
    pub tallies: Vec<Tally>,
    /// What all runs cost.
    pub cost: Cost,
    /// Per method: the target that calls it directly.
    pub target_of: Vec<Option<u32>>,
    /// Per method: calls and those that completed.
    pub calls: Vec<(u32, u32)>,
    /// Per method: runs that hung or killed the worker in its call.
    pub deaths: Vec<u8>,
    /// Per method: runs after which a thread was running, and other runs in which it completed.
    pub threads: Vec<(u32, u32)>,
    /// Per tested method and class of the receiver: methods that share fields with it.
    pub related: BTreeMap<(MethodId, ClassId), Related>,
    /// Targets that the random phase leaves out; none without models.
    pub left_out: BTreeSet<MethodId>,
    /// Observed calls of the subject's methods.
    pub recorded: BTreeMap<MethodId, Vec<&'a Observation>>,
    pub budget: Budget,
    pub kept: Vec<Run>,
    /// Kept runs that cover nothing of the subject or its superclasses.
    pub kept_for_others: usize,
    /// Probes touched.
    pub covered: BTreeSet<Probe>,
    pub progress: Progress,
    /// Per class: true if its probes are what the unit is after.
    pub is_own: Vec<bool>,
    /// How to write and read objects, where that runs code of the subject.
    pub round_trip: Option<RoundTrip>,
    /// How the trace's histories came back.
    pub replayed: Replayed,
    attempt: u32,
    resolved: Vec<Option<Arc<Resolved>>>,
    /// Kinds of calls in which type variables stand, by what binds these.
    resolved_for: BTreeMap<(MethodId, Option<Kind>, Option<Kind>), Arc<Resolved>>,
    instance: BTreeMap<Kind, Arc<[MethodId]>>,
    bodies: BTreeMap<(Kind, MethodId), Option<MethodId>>,
    hashes: BTreeSet<u64>,
    unreachable: Vec<MethodId>,
}

impl<'a> Generator<'a> {
    /// Prepares a unit.
    pub fn new(unit: Unit<'a>) -> Self {
        let program = unit.program;
        let package = program.package(unit.subject).to_owned();
        let mut kinds = Kinds::new(program);
        let nest = nest(program, unit.subject);
        let found = targets(program, &mut kinds, unit.subject);
        let own_kinds = nest
            .iter()
            .filter(|&&class| program.is_class_accessible(class, &package))
            .map(|&class| kinds.of_class(class))
            .collect();
        let types: Vec<_> = [kinds.of_class(unit.subject)]
            .map(|kind| kinds.erased(kind).clone())
            .into();
        let constants = if unit.mode == Mode::Blind {
            ConstantPool::blind(&types)
        } else if unit.mode.is_plain() {
            ConstantPool::plain(&types)
        } else {
            ConstantPool::new(
                nest.iter().map(|&class| unit.facts.constants(class)),
                &types,
            )
        };
        let mut is_own = vec![false; program.classes().len()];
        for class in &nest {
            for parent in program.supertypes(*class) {
                is_own[parent.index()] = true;
            }
        }
        let mut target_of = vec![None; program.methods().len()];
        for (number, target) in found
            .list
            .iter()
            .enumerate()
            .filter(|(_, target)| !target.is_virtual)
        {
            target_of[target.call.index()] = Some(number as u32);
        }
        let finder = Finder::new(program, &mut kinds, &package);
        let mut generator = Generator {
            unit,
            program,
            rng: Rng::of(unit.seed, &program.class(unit.subject).name),
            pool: Pool::default(),
            thrift: if unit.mode.is_plain() {
                Thrift::None
            } else {
                Thrift::default()
            },
            cost: Cost::default(),
            constants,
            finder,
            own_kinds,
            tallies: vec![Tally::default(); found.list.len()],
            target_of,
            calls: vec![(0, 0); program.methods().len()],
            deaths: vec![0; program.methods().len()],
            threads: vec![(0, 0); program.methods().len()],
            related: BTreeMap::new(),
            left_out: BTreeSet::new(),
            recorded: BTreeMap::new(),
            budget: Budget::new(unit.steps, unit.gives_up),
            kept: Vec::new(),
            kept_for_others: 0,
            covered: BTreeSet::new(),
            progress: Progress::new(program, &is_own, &found.list),
            is_own,
            round_trip: RoundTrip::of(program, &nest),
            nest,
            replayed: Replayed::default(),
            attempt: 0,
            resolved: vec![None; program.methods().len()],
            resolved_for: BTreeMap::new(),
            instance: BTreeMap::new(),
            bodies: BTreeMap::new(),
            hashes: BTreeSet::new(),
            unreachable: found.unreachable,
            targets: found.list,
            package,
            kinds,
        };
        generator.read_models();
        generator
    }

    /// Takes the values that traces recorded for the subject's methods.
    fn read_models(&mut self) {
        let methods: BTreeSet<MethodId> = self.targets.iter().map(|target| target.call).collect();
        let models = self.unit.models;
        for (method, edge) in methods
            .into_iter()
            .flat_map(|method| models.edges_of(method).map(move |(_, edge)| (method, edge)))
        {
            self.recorded
                .entry(method)
                .or_default()
                .extend(&edge.observations);
            let records = edge
                .observations
                .iter()
                .flat_map(|observation| &observation.arguments);
            for record in records.take(200) {
                match record {
                    ArgumentRecord::Constant(value) => self.constants.see(&mut self.rng, value),
                    ArgumentRecord::ConstantArray { elements, .. } => {
                        for value in elements.iter().flatten() {
                            self.constants.see(&mut self.rng, value);
                        }
                    }
                    _ => {}
                }
            }
        }
    }

    /// Ends the unit.
    pub fn finish(self) -> Generated {
        let is_used_up = self.budget.is_used_up();
        let mut skipped: Vec<_> = self
            .unreachable
            .iter()
            .map(|&method| (method, crate::SkipCode::NotAccessible))
            .collect();
        skipped.retain(|(method, _)| !self.progress.is_entered(*method));
        for (target, tally) in self.targets.iter().zip(&self.tallies) {
            // What only other calls can make was waited for all along.
            let code = tally.skip_code(is_used_up && !target.is_virtual);
            if let Some(code) = code.filter(|_| !self.progress.is_entered(target.implementation)) {
                skipped.push((target.implementation, code));
            }
        }
        skipped.sort();
        skipped.dedup_by_key(|(method, _)| *method);
        Generated {
            kept: self.kept,
            steps: self.budget.spent(),
            skipped,
            replayed: self.replayed,
        }
    }

    /// True where calling a method has cost enough already.
    pub fn is_barred(&self, method: MethodId) -> bool {
        match self.target_of[method.index()] {
            Some(target) => self.tallies[target as usize].is_barred(),
            None => self.deaths[method.index()] >= DEATHS || self.leaves_threads(method),
        }
    }

    /// True where tests can hardly show what comes after a call, since it leaves a thread running nearly always.
    fn leaves_threads(&self, method: MethodId) -> bool {
        let (with, without) = self.threads[method.index()];
        with >= THREADS && with >= THREADS * without
    }

    /// New random numbers, as after the restart of a process.
    pub fn restart_draws(&mut self) {
        self.attempt += 1;
        let name = format!(
            "{} {}",
            self.program.class(self.unit.subject).name,
            self.attempt
        );
        self.rng = Rng::of(self.unit.seed, &name);
    }

    /// A value that the user offers for a position of this kind, drawn against `recorded` others.
    pub fn user_value(&mut self, method: MethodId, kind: Kind, recorded: usize) -> Option<Value> {
        let offered = self.unit.user_values.of(method);
        if offered.is_empty() {
            return None;
        }
        let fitting = offered
            .iter()
            .filter(|value| self.constant_fits(value, kind));
        let fitting: Vec<&Value> = fitting.collect();
        let others = if recorded == 0 {
            fitting.len()
        } else {
            recorded
        };
        let drawn = self.rng.below(fitting.len() + others);
        fitting.get(drawn).map(|&value| value.clone())
    }

    /// Makes and runs candidates while the phase lasts.
    pub fn run(
        &mut self,
        executor: &mut dyn Executor,
        mut candidate: impl FnMut(&mut Self) -> Option<Candidate>,
        mut file: impl FnMut(&mut Self, &Candidate, &palus_sequence::Outcome),
    ) -> Result<(), ExecutorError> {
        let mut empty = 0;
        while self.budget.left() > 0 && empty < 5 && !executor.is_over(self.budget.percent()) {
            let size = BATCH.min(usize::try_from(self.budget.left()).unwrap_or(BATCH));
            let size = size.min(executor.batch_limit()).max(1);
            let mut sequences: Vec<Sequence> = Vec::with_capacity(size);
            let mut candidates: Vec<Candidate> = Vec::with_capacity(size);
            for _ in 0..size * 3 {
                if sequences.len() == size {
                    break;
                }
                let Some(mut made) = candidate(self) else {
                    continue;
                };
                if made.sequence.is_empty() || !self.note(&made.sequence) {
                    continue;
                }
                debug_assert_eq!(
                    palus_sequence::check(self.program, &made.sequence),
                    Ok(()),
                    "{:?}",
                    made.sequence
                );
                sequences.push(std::mem::take(&mut made.sequence));
                candidates.push(made);
            }
            if sequences.is_empty() {
                empty += 1;
                continue;
            }
            empty = 0;
            let outcomes = executor.execute(&sequences)?;
            for ((mut made, sequence), outcome) in
                candidates.into_iter().zip(sequences).zip(outcomes)
            {
                made.sequence = sequence;
                self.file(&mut made, &outcome);
                file(self, &made, &outcome);
            }
        }
        Ok(())
    }

    /// Notes that a sequence is run; false if it was noted before.
    pub fn note(&mut self, sequence: &Sequence) -> bool {
        self.hashes.insert(hash(sequence))
    }

    /// Kinds of a call's parameters and result.
    pub fn resolve(
        &mut self,
        method: MethodId,
        receiver: Option<Kind>,
        wanted: Option<Kind>,
    ) -> Arc<Resolved> {
        if let Some(known) = &self.resolved[method.index()] {
            return Arc::clone(known);
        }
        let declared = self.program.method(method);
        let is_generic = is_generic(self.program, declared);
        if is_generic && let Some(known) = self.resolved_for.get(&(method, receiver, wanted)) {
            return Arc::clone(known);
        }
        let found = resolve(
            self.program,
            &mut self.kinds,
            &mut self.rng,
            declared,
            receiver,
            wanted,
        );
        let found = Arc::new(found);
        if !is_generic {
            self.resolved[method.index()] = Some(Arc::clone(&found));
        } else if !is_drawn(declared) {
            let key = (method, receiver, wanted);
            self.resolved_for.insert(key, Arc::clone(&found));
        }
        found
    }

    /// Methods to call on an object of a class.
    pub fn instance_methods(&mut self, kind: Kind) -> Arc<[MethodId]> {
        let kind = self.kinds.base(kind);
        if let Some(known) = self.instance.get(&kind) {
            return Arc::clone(known);
        }
        let class: Option<ClassId> = self.kinds.class(kind);
        let found: Arc<[MethodId]> = class
            .map_or_else(Vec::new, |class| {
                instance_methods(self.program, class, &self.package)
            })
            .into();
        self.instance.insert(kind, Arc::clone(&found));
        found
    }

    /// The body that runs when a method is called on an object of a class.
    pub fn body(&mut self, kind: Kind, method: MethodId) -> Option<MethodId> {
        let kind = self.kinds.base(kind);
        let (program, kinds) = (self.program, &self.kinds);
        *self.bodies.entry((kind, method)).or_insert_with(|| {
            let declared = program.method(method);
            program.find_method(kinds.class(kind)?, &declared.name, &declared.descriptor)
        })
    }

    /// True if a constant of this kind is written as a value.
    pub fn constant_fits(&mut self, value: &Value, wanted: Kind) -> bool {
        let kind = match value {
            Value::EnumConstant { class, .. } => self.kinds.of_class(*class),
            Value::StaticField(field) => self.kinds.of_type(&self.program.field(*field).field_type),
            other => {
                let Some(plain) = other.plain_type() else {
                    return false;
                };
                self.kinds.of_type(&plain)
            }
        };
        self.kinds.fits(kind, wanted)
    }
}

/// A structural hash, the same on every machine.
fn hash(sequence: &Sequence) -> u64 {
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
