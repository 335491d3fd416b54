//! Makes values, calls and sequences for one unit.
//!
//! Comes in: a [`Unit`], and what outcomes taught ([`learning`](Maker::learn)). Goes out: statements added to drafts.
//! Its parts: how types relate (`kinds.rs`), who makes what (`producers.rs`), objects of earlier sequences (`pool.rs`),
//! constants, random numbers, and how calls ended so far, for a call that hangs is made no more.
//! Does not know: what is covered, which runs are kept, when to stop (`ledger.rs`); in which order candidates come.

mod argument;
mod calls;
mod content;
mod learning;
mod stubs;

use crate::call_statistics::CallStatistics;
use crate::constants::ConstantPool;
use crate::draft::Draft;
use crate::generics::Resolved;
use crate::kinds::{Kind, Kinds};
use crate::mode::Mode;
use crate::pool::{Pool, Thrift};
use crate::producers::{Finder, Producers};
use crate::rng::Rng;
use crate::serialization::RoundTrip;
use crate::signatures::Signatures;
use crate::target::{Targets, callable, nest, targets};
use crate::unit::Unit;
use palus_analyze::Facts;
use palus_bytecode::{ClassId, MethodId, Program, Type};
use palus_learn::{ArgumentRecord, Observation};
use palus_sequence::{ObjectProfile, Value, Variable};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What may stand at a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Nullable {
    /// An object is needed.
    No,
    /// `null` will do, and is worth a try.
    Yes,
}

/// Methods with the number of fields that they and those before them share with a tested one.
type Related = Arc<[(MethodId, usize)]>;

/// What a unit makes values with.
pub(crate) struct Maker<'a> {
    unit: Unit<'a>,
    program: &'a Program,
    package: String,
    kinds: Kinds<'a>,
    rng: Rng,
    pool: Pool,
    thrift: Thrift,
    constants: ConstantPool,
    finder: Finder<'a>,
    signatures: Signatures,
    calls: CallStatistics,
    /// The subject and what is nested in it.
    nest: Vec<ClassId>,
    /// Accessible classes of the nest that can have instances.
    own_kinds: Vec<Kind>,
    /// Observed calls of the subject's methods.
    recorded: BTreeMap<MethodId, Vec<&'a Observation>>,
    /// Per tested method and class of the receiver: methods that share fields with it.
    related: BTreeMap<(MethodId, ClassId), Related>,
    /// How to write and read objects, where that runs code of the subject.
    round_trip: Option<RoundTrip>,
    /// How often random numbers began anew.
    restarts: u32,
}

impl<'a> Maker<'a> {
    /// Prepares a unit; gives its unreachable methods as well.
    pub fn new(unit: Unit<'a>) -> (Self, Vec<MethodId>) {
        let program = unit.program;
        let package = program.package(unit.subject).to_owned();
        let mut kinds = Kinds::new(program);
        let nest = nest(program, unit.subject);
        let Targets { list, unreachable } = targets(program, &mut kinds, unit.subject);
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
        let finder = Finder::new(program, &mut kinds, &package);
        let mut maker = Maker {
            unit,
            program,
            rng: Rng::of(unit.seed, &program.class(unit.subject).name),
            pool: Pool::default(),
            thrift: if unit.mode.is_plain() {
                Thrift::None
            } else {
                Thrift::default()
            },
            constants,
            finder,
            signatures: Signatures::new(program),
            calls: CallStatistics::new(program, list),
            own_kinds,
            recorded: BTreeMap::new(),
            related: BTreeMap::new(),
            round_trip: RoundTrip::of(program, &nest),
            nest,
            restarts: 0,
            package,
            kinds,
        };
        maker.read_models();
        (maker, unreachable)
    }

    /// Takes the values that traces recorded for the subject's methods.
    fn read_models(&mut self) {
        let methods: BTreeSet<MethodId> = self
            .calls
            .targets()
            .iter()
            .map(|target| target.call)
            .collect();
        let models = self.unit.models;
        for method in methods {
            let edges = models.edges_of(method).map(|(_, edge)| &*edge.observations);
            for seen in edges.chain([models.static_calls(method)]) {
                if !seen.is_empty() {
                    self.recorded.entry(method).or_default().extend(seen);
                }
                let records = seen.iter().flat_map(|observation| &observation.arguments);
                for record in records.take(200) {
                    self.see_record(record);
                }
            }
        }
    }

    fn see_record(&mut self, record: &ArgumentRecord) {
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

    /// What is asked of the unit.
    pub fn unit(&self) -> Unit<'a> {
        self.unit
    }

    /// All classes.
    pub fn program(&self) -> &'a Program {
        self.program
    }

    /// Facts from bytecode.
    pub fn facts(&self) -> &'a Facts {
        self.unit.facts
    }

    /// The package that tests are in.
    pub fn package(&self) -> &str {
        &self.package
    }

    /// The subject and what is nested in it.
    pub fn nest(&self) -> &[ClassId] {
        &self.nest
    }

    /// How types relate.
    pub fn kinds(&mut self) -> &mut Kinds<'a> {
        &mut self.kinds
    }

    /// The unit's random numbers; there are no others.
    pub fn rng(&mut self) -> &mut Rng {
        &mut self.rng
    }

    /// How calls ended so far.
    pub fn calls(&self) -> &CallStatistics {
        &self.calls
    }

    /// Notes that nothing could be made to call a target with.
    pub fn could_not_call(&mut self, target: usize) {
        self.calls.could_not_call(target);
    }

    /// True where calling a method has cost enough already.
    pub fn is_barred(&self, method: MethodId) -> bool {
        self.calls.is_barred(method)
    }

    /// How much it matters what objects cost.
    #[cfg(test)]
    pub fn thrift(&self) -> Thrift {
        self.thrift
    }

    /// Sets how much it matters what objects cost.
    pub fn set_thrift(&mut self, thrift: Thrift) {
        self.thrift = thrift;
    }

    /// A constant of a primitive type or `String`; none for other types.
    pub fn constant(&mut self, wanted: &Type) -> Option<Value> {
        self.constants.draw(&mut self.rng, wanted)
    }

    /// A value that was met while running, for later draws.
    pub fn see(&mut self, value: &Value) {
        self.constants.see(&mut self.rng, value);
    }

    /// Who makes objects of a kind.
    pub fn producers(&mut self, kind: Kind) -> Arc<Producers> {
        self.finder.producers(&mut self.kinds, kind)
    }

    /// True if the pool has an object of a kind.
    pub fn has_pooled(&mut self, kind: Kind) -> bool {
        self.pool.has(&mut self.kinds, kind)
    }

    /// An object of the pool with exactly this class and profile.
    pub fn pooled_like(
        &mut self,
        draft: &mut Draft,
        class: Kind,
        profile: &ObjectProfile,
    ) -> Option<Variable> {
        let snippet = self
            .pool
            .with_profile(&self.kinds, &mut self.rng, class, profile)?;
        draft.append(&snippet)
    }

    /// New random numbers, as after the restart of a process.
    pub fn restart_draws(&mut self) {
        self.restarts += 1;
        let name = format!(
            "{} {}",
            self.program.class(self.unit.subject).name,
            self.restarts
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

    /// Kinds of a call's parameters and result.
    pub fn resolve(
        &mut self,
        method: MethodId,
        receiver: Option<Kind>,
        wanted: Option<Kind>,
    ) -> Arc<Resolved> {
        let (kinds, rng) = (&mut self.kinds, &mut self.rng);
        self.signatures
            .resolve(self.program, kinds, rng, method, receiver, wanted)
    }

    /// Methods to call on an object of a class.
    pub fn instance_methods(&mut self, kind: Kind) -> Arc<[MethodId]> {
        self.signatures
            .instance_methods(self.program, &self.kinds, &self.package, kind)
    }

    /// The body that runs when a method is called on an object of a class.
    pub fn body(&mut self, kind: Kind, method: MethodId) -> Option<MethodId> {
        self.signatures
            .body(self.program, &self.kinds, kind, method)
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

    /// True if a variable may stand where a kind is wanted, by what it holds if not by its type.
    pub fn may_stand(&mut self, draft: &Draft, variable: Variable, wanted: Kind) -> bool {
        let known = draft.of(variable);
        let is_primitive = self.kinds.erased(wanted).is_primitive();
        known.actual != Kind::VOID
            && (self.kinds.fits(known.declared, wanted)
                || (!is_primitive && self.kinds.fits(known.actual, wanted)))
    }

    /// What a test writes to call a method on objects of a class.
    pub fn callable(&self, method: MethodId, class: ClassId) -> Option<MethodId> {
        callable(self.program, &self.package, method, class)
    }
}
