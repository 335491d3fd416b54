//! Facts from bytecode alone.
//!
//! Comes in: a [`Program`]. Goes out: [`Facts`], computed once for all classes and then only read.
//! Does not know: traces, randomness, how the facts are used.

mod access;
mod answers;
mod asked_fields;
mod bounded;
mod call_graph;
mod call_sites;
mod called_back;
mod chance;
mod changing;
mod constants;
mod construction_graph;
mod control_dependence;
mod control_flow;
mod data_dependence;
mod entries;
mod finalizers;
mod first_use;
#[cfg(test)]
mod fixture;
mod freshness;
mod guarded;
mod harmless;
mod horizon;
mod lambdas;
mod logging;
mod method_dependence;
mod null_checks;
mod outside;
mod platform;
mod purity;
mod setter;
mod slice;
mod stack;
mod static_state;
mod uses;
mod value_class;

pub use access::FieldAccess;
pub use call_graph::{CallGraph, Targets};
pub use constants::Constants;
pub use construction_graph::{
    CALL_DEPTH, ConstructionGraph, ConstructionGraphs, Node, NodeId, NodeKind,
};
pub use control_dependence::ControlDependence;
pub use control_flow::{ControlFlow, Edge, EdgeKind};
pub use guarded::writes_logs;
pub use method_dependence::Relevance;
pub use null_checks::{checks_for_null, refuses_null};
pub use outside::Outside;
pub use palus_bytecode::{ClassProbes, Jump, Place, TargetBranch};
pub use setter::{Effect, Getter, Setter, SetterKind, Setters};
pub use slice::Role;
pub use static_state::has_static_state;
pub use uses::{Reach, UseGraph, Uses};
pub use value_class::{Stored, ValueMaker};

use method_dependence::MethodDependence;
use palus_bytecode::{ClassId, FieldId, MethodId, Program};
use rayon::prelude::*;
use std::collections::BTreeMap;

/// All facts of a program.
#[derive(Debug, Default)]
pub struct Facts {
    constants: Vec<Constants>,
    pure: Vec<bool>,
    weak: Vec<bool>,
    hashing: Vec<bool>,
    timed: Vec<bool>,
    drawing: Vec<bool>,
    orders_of_each_jvm: bool,
    accesses: Vec<FieldAccess>,
    dependence: MethodDependence,
    outside: Outside,
    makers: BTreeMap<ClassId, Vec<ValueMaker>>,
}

impl Facts {
    /// Computes the facts of every class with code.
    pub fn of(program: &Program) -> Facts {
        Facts::within(program, program, true)
    }

    /// The same, where `whole` is the program with classes of libraries behind its own, which tell what its bodies may come
    /// to outside of the JVM and by chance, and nothing else; `is_whole` where none of those are left out.
    pub fn within(program: &Program, whole: &Program, is_whole: bool) -> Facts {
        let accesses = access::of(program);
        let pure = purity::of(program);
        let makers = program.classes().par_iter().filter_map(|class| {
            let makers = value_class::makers(program, class, &pure);
            (!makers.is_empty()).then_some((class.id, makers))
        });
        Facts {
            makers: makers.collect(),
            constants: program
                .classes()
                .par_iter()
                .map(|class| constants::of(program, class))
                .collect(),
            pure,
            weak: chance::weak(program),
            hashing: chance::hashing(program),
            timed: chance::timed(program),
            drawing: chance::drawing(program),
            orders_of_each_jvm: !is_whole || chance::has_orders_of_each_jvm(whole),
            dependence: MethodDependence::of(program, &accesses),
            outside: Outside::of(whole, program.classes().len()),
            accesses,
        }
    }

    /// Constants in the code of a class.
    pub fn constants(&self, class: ClassId) -> &Constants {
        &self.constants[class.index()]
    }

    /// True if a call of the method changes no state that existed before the call.
    pub fn is_pure(&self, method: MethodId) -> bool {
        self.pure[method.index()]
    }

    /// True if what objects of the class do may depend on when garbage is collected.
    pub fn is_weak(&self, class: ClassId) -> bool {
        self.weak[class.index()]
    }

    /// True if what the class does may be another thing each time: it asks any object for its hash code, or rests on
    /// random numbers or the time.
    pub fn is_by_chance(&self, class: ClassId) -> bool {
        self.hashing[class.index()] || self.timed[class.index()] || self.draws(class)
    }

    /// True if it rests on random numbers.
    pub fn draws(&self, class: ClassId) -> bool {
        self.drawing[class.index()]
    }

    /// True if code of the project or its libraries may make a set or map whose elements have an order of each JVM's own.
    pub fn has_orders_of_each_jvm(&self) -> bool {
        self.orders_of_each_jvm
    }

    /// Where subject code decides to reach out of the JVM.
    pub fn outside(&self) -> &Outside {
        &self.outside
    }

    /// What makes objects with given fields, by value class.
    pub fn value_makers(&self) -> &BTreeMap<ClassId, Vec<ValueMaker>> {
        &self.makers
    }

    /// The fields a method reads and writes, private callees and constructors included.
    pub fn accesses(&self, method: MethodId) -> &FieldAccess {
        &self.accesses[method.index()]
    }

    /// The methods whose call may change what this one does. Computed at each call; keep it where it is asked often.
    pub fn relevance(&self, method: MethodId) -> Relevance {
        self.dependence.relevance(&self.accesses, method)
    }

    /// How much each field that a method touches says about it: its tf-idf, in order of fields.
    pub fn importance(&self, method: MethodId) -> Vec<(FieldId, f64)> {
        self.dependence.importance(&self.accesses[method.index()])
    }
}
