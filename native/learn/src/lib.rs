//! Facts from traces alone: object histories, call sequence models, and the calls of whole tests.
//!
//! Comes in: the events of trace files and the names of the program.
//! Goes out: [`Models`], one call sequence model per class, with state dependences between them.
//! Does not know: method bodies (purity is passed in as a predicate), randomness, files.

mod calls;
mod carving;
mod decoder;
mod history;
mod k_tail;
mod learner;
mod merge;
mod model;
mod order;
mod places;
mod profile;
mod recorder;
mod state_dependence;
mod static_calls;
mod stored;
mod table;
#[cfg(test)]
mod tests;
mod values;

pub use carving::{CarvedCall, CarvedTest, CarvedValue};
pub use learner::Learner;
pub use model::{
    ArgumentRecord, CallEdge, CallSequenceModel, Constraint, EdgeId, EdgeKind, NodeId, Observation,
    Position, Role, SampleHistory,
};
pub use state_dependence::StateDependence;
pub use stored::fingerprint;

use palus_bytecode::{ClassId, MethodId};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

/// What was read and what was left out, and why.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Trace files read.
    pub files: u64,
    /// Trace files cut short; what they hold was used.
    pub truncated_files: u64,
    /// Calls of subject methods.
    pub calls: u64,
    /// Calls of methods the program does not have.
    pub unknown_calls: u64,
    /// Calls removed because they ended with an exception.
    pub throwing_calls: u64,
    /// Test methods seen.
    pub tests: u64,
    /// Test methods that failed; the objects they used are left out.
    pub failed_tests: u64,
    /// Objects whose histories became part of a model.
    pub histories: u64,
    /// Objects left out, by class; classes of which none was are not in it.
    pub dropped: BTreeMap<ClassId, Dropped>,
}

/// Objects that became part of no model, by why.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dropped {
    /// They were not seen being created.
    pub unseen_creation: u64,
    /// The agent stopped recording them.
    pub capped: u64,
    /// A test that failed used them.
    pub failed_test: u64,
    /// Their class had more than enough of them.
    pub too_many: u64,
}

impl Statistics {
    /// Objects left out of a class.
    pub fn dropped_of(&self, class: ClassId) -> Dropped {
        self.dropped.get(&class).copied().unwrap_or_default()
    }

    pub(crate) fn drop_of(&mut self, class: ClassId) -> &mut Dropped {
        self.dropped.entry(class).or_default()
    }
}

/// The call sequence models of all traced classes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Models {
    pub(crate) by_class: BTreeMap<ClassId, CallSequenceModel>,
    pub(crate) dependences: Vec<StateDependence>,
    pub(crate) static_calls: BTreeMap<MethodId, Vec<Observation>>,
    pub(crate) statistics: Statistics,
    pub(crate) carved: Vec<CarvedTest>,
    pub(crate) by_method: ByMethod,
}

/// Where each method stands: found on first demand, once for all units.
#[derive(Clone, Debug, Default)]
pub(crate) struct ByMethod {
    edges: OnceLock<BTreeMap<MethodId, Vec<(ClassId, EdgeId)>>>,
    tests: OnceLock<BTreeMap<MethodId, Vec<u32>>>,
}

impl PartialEq for ByMethod {
    /// It says nothing that the models do not say.
    fn eq(&self, _: &ByMethod) -> bool {
        true
    }
}

impl Models {
    /// True without any model.
    pub fn is_empty(&self) -> bool {
        self.by_class.is_empty()
    }

    /// Number of models.
    pub fn len(&self) -> usize {
        self.by_class.len()
    }

    /// True if the class has a model.
    pub fn has(&self, class: ClassId) -> bool {
        self.by_class.contains_key(&class)
    }

    /// The model of a class.
    pub fn get(&self, class: ClassId) -> Option<&CallSequenceModel> {
        self.by_class.get(&class)
    }

    /// All models in class-id order.
    pub fn iter(&self) -> impl Iterator<Item = &CallSequenceModel> {
        self.by_class.values()
    }

    /// State dependences between nodes of all models, in order.
    pub fn state_dependences(&self) -> &[StateDependence] {
        &self.dependences
    }

    /// The methods that label an edge of any model.
    pub fn covered_methods(&self) -> BTreeSet<MethodId> {
        self.edges_by_method().keys().copied().collect()
    }

    /// The edges that a method labels, in class-id and edge-id order.
    pub fn edges_of(&self, method: MethodId) -> impl Iterator<Item = (ClassId, &CallEdge)> {
        let found = self.edges_by_method().get(&method);
        let found = found.map_or(&[][..], Vec::as_slice).iter();
        found.map(|&(class, edge)| (class, self.by_class[&class].edge(edge)))
    }

    /// What a static method was called with where no object of a subject class took part: such calls are in no model.
    /// Distinct calls in order of first appearance, at most [`CallEdge::MAXIMUM_OBSERVATIONS`].
    pub fn static_calls(&self, method: MethodId) -> &[Observation] {
        let found = self.static_calls.get(&method);
        found.map_or(&[], Vec::as_slice)
    }

    fn edges_by_method(&self) -> &BTreeMap<MethodId, Vec<(ClassId, EdgeId)>> {
        self.by_method.edges.get_or_init(|| {
            let mut by_method: BTreeMap<_, Vec<_>> = BTreeMap::new();
            for model in self.iter() {
                for (index, edge) in model.edges().iter().enumerate() {
                    let place = (model.class(), EdgeId(index as u32));
                    by_method.entry(edge.method).or_default().push(place);
                }
            }
            by_method
        })
    }

    /// Tests whose calls are known whole, in the order they ended.
    pub fn carved_tests(&self) -> &[CarvedTest] {
        &self.carved
    }

    /// Places of the carved tests in which a method ran, in order.
    pub fn tests_that_ran(&self, method: MethodId) -> &[u32] {
        let by_method = self.by_method.tests.get_or_init(|| {
            let mut by_method: BTreeMap<_, Vec<_>> = BTreeMap::new();
            for (place, test) in (0..).zip(&self.carved) {
                for &method in &test.methods {
                    by_method.entry(method).or_default().push(place);
                }
            }
            by_method
        });
        by_method.get(&method).map_or(&[], Vec::as_slice)
    }

    /// What was read and left out.
    pub fn statistics(&self) -> &Statistics {
        &self.statistics
    }
}
