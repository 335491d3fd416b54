//! What was seen of each class, as a number: which classes have other models than before is told by it.
//!
//! Comes in: stored models. Goes out: a digest per class, of its model, its static calls and the tests that call it, by
//! names, so that it is the same wherever classes and methods are numbered otherwise.
//! Does not know: what a model means.

use super::{StoredElement, StoredModels, StoredObservation, StoredRecord, StoredValue};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{Debug, Write as _};
use std::hash::{DefaultHasher, Hasher as _};
use std::sync::Arc;

impl StoredModels {
    /// By internal name of a class: the same where the same was seen, in every run of one build of Palus.
    pub fn digests(&self) -> BTreeMap<Arc<str>, u64> {
        let records: Vec<u64> = self.records.iter().map(|one| self.record(one)).collect();
        let named = Named {
            all: self,
            records: &records,
        };
        let mut digests: BTreeMap<Arc<str>, u64> = BTreeMap::new();
        let mut add = |class: Option<&Arc<str>>, digest: u64| {
            if let Some(class) = class {
                let sum = digests.entry(class.clone()).or_default();
                *sum = sum.wrapping_add(digest);
            }
        };
        for model in &self.models {
            let edges = model.edges.iter().map(|edge| {
                let ways = (&edge.roles, edge.source, edge.target, edge.is_main);
                let seen = named.observations(&edge.observations);
                digest(&(named.method(edge.method), ways, edge.count, seen))
            });
            let edges: Vec<u64> = edges.collect();
            let shape = (model.nodes, model.objects, edges, &model.histories);
            add(self.names.get(model.class as usize), digest(&shape));
        }
        for (method, seen) in &self.static_calls {
            let seen = named.observations(seen);
            let class = named.class_of(*method);
            add(class, digest(&("static", named.method(*method), seen)));
        }
        for test in &self.tests {
            let calls = test.calls.iter().map(|call| {
                let values: Vec<u64> = call.values.iter().map(|one| named.value(one)).collect();
                let result = call
                    .result
                    .map(|(number, class)| (number, self.name(class)));
                digest(&(named.method(call.method), values, result))
            });
            let calls = digest(&calls.collect::<Vec<u64>>());
            let methods = test.calls.iter().map(|call| call.method);
            let classes: BTreeSet<_> = methods.filter_map(|one| named.class_of(one)).collect();
            for class in classes {
                add(Some(class), calls);
            }
        }
        digests
    }

    fn name(&self, place: u32) -> Option<&Arc<str>> {
        self.names.get(place as usize)
    }

    fn record(&self, record: &StoredRecord) -> u64 {
        match record {
            StoredRecord::SelfObject | StoredRecord::Constant(_) => digest(record),
            StoredRecord::ConstantArray { class, elements } => {
                digest(&(self.name(*class), elements))
            }
            StoredRecord::Constrained {
                is_null,
                class,
                profile,
                states,
            } => {
                let states = states.iter().map(|&(class, node)| (self.name(class), node));
                let states: Vec<_> = states.collect();
                let class = class.and_then(|class| self.name(class));
                digest(&(is_null, class, profile, states))
            }
        }
    }
}

/// What stands for places in lists.
struct Named<'a> {
    all: &'a StoredModels,
    /// Of the records, in their order.
    records: &'a [u64],
}

impl<'a> Named<'a> {
    fn class_of(&self, method: u32) -> Option<&'a Arc<str>> {
        let method = self.all.methods.get(method as usize)?;
        self.all.name(method.class)
    }

    fn method(&self, place: u32) -> Option<(Option<&'a Arc<str>>, &'a str, &'a str)> {
        let method = self.all.methods.get(place as usize)?;
        Some((self.class_of(place), &method.name, &method.descriptor))
    }

    fn recorded(&self, place: u32) -> Option<u64> {
        self.records.get(place as usize).copied()
    }

    fn observations(&self, all: &[StoredObservation]) -> Vec<(Vec<Option<u64>>, u32)> {
        let one = |(places, count): &StoredObservation| {
            let records = places.iter().map(|&place| self.recorded(place));
            (records.collect(), *count)
        };
        all.iter().map(one).collect()
    }

    fn value(&self, value: &StoredValue) -> u64 {
        match value {
            StoredValue::Object(number, record) => digest(&(number, self.recorded(*record))),
            StoredValue::Array(record, elements) => {
                let elements = elements.iter().map(|element| match element {
                    StoredElement::Object(number, record) => (Some(number), self.recorded(*record)),
                    StoredElement::Other(record) => (None, self.recorded(*record)),
                });
                digest(&(self.recorded(*record), elements.collect::<Vec<_>>()))
            }
            StoredValue::Other(record) => digest(&self.recorded(*record)),
        }
    }
}

/// Of what prints as the same text, the same number.
fn digest(part: &dyn Debug) -> u64 {
    struct Digest(DefaultHasher);
    impl std::fmt::Write for Digest {
        fn write_str(&mut self, text: &str) -> std::fmt::Result {
            self.0.write(text.as_bytes());
            Ok(())
        }
    }
    let mut digest = Digest(DefaultHasher::new());
    let _ = write!(digest, "{part:?}");
    digest.0.finish()
}

#[cfg(test)]
mod tests {
    use super::super::{StoredCall, StoredEdge, StoredMethod, StoredModel, StoredTest};
    use super::*;
    use crate::request::WireConstant;

    /// Models of two classes, with classes, methods and records numbered from this place on.
    fn models(shift: u32, text: &str, count: u64) -> StoredModels {
        let unused = |_| "unused".into();
        let method = |class| StoredMethod {
            class: class + shift,
            name: "call".into(),
            descriptor: "()V".into(),
        };
        let model = |class, record| StoredModel {
            class: class + shift,
            nodes: 2,
            objects: 1,
            edges: vec![StoredEdge {
                method: class + shift,
                roles: vec![1],
                source: 0,
                target: 1,
                is_main: true,
                count,
                observations: vec![(vec![record + shift], 1)],
            }],
            histories: vec![(vec![(0, 0)], 1)],
        };
        let texts = [WireConstant::Text(text.into()), WireConstant::Int(7)];
        let constants = texts.map(StoredRecord::Constant);
        let padding = |_| StoredRecord::SelfObject;
        StoredModels {
            names: (0..shift)
                .map(unused)
                .chain(["p/A".into(), "p/B".into()])
                .collect(),
            methods: (0..shift)
                .map(|_| method(0))
                .chain([method(0), method(1)])
                .collect(),
            records: (0..shift).map(padding).chain(constants).collect(),
            models: vec![model(0, 0), model(1, 1)],
            ..StoredModels::default()
        }
    }

    fn of(models: &StoredModels, class: &str) -> u64 {
        models.digests()[class]
    }

    #[test]
    fn numbers_of_classes_methods_and_records_are_no_matter() {
        assert_eq!(models(0, "x", 1).digests(), models(3, "x", 1).digests());
    }

    #[test]
    fn only_the_classes_whose_models_differ_have_another_digest() {
        let (one, other) = (models(0, "x", 1), models(0, "y", 1));
        assert_ne!(of(&one, "p/A"), of(&other, "p/A"));
        assert_eq!(of(&one, "p/B"), of(&other, "p/B"));
        assert_ne!(of(&one, "p/B"), of(&models(0, "x", 2), "p/B"));
    }

    #[test]
    fn a_test_counts_for_each_class_that_it_calls() {
        let plain = models(0, "x", 1);
        let mut tested = plain.clone();
        let call = |method, value| StoredCall {
            method,
            values: vec![StoredValue::Other(value)],
            result: None,
        };
        tested.tests = vec![StoredTest {
            calls: vec![call(0, 1)],
            methods: vec![0, 1],
            events: 2,
        }];
        assert_ne!(of(&plain, "p/A"), of(&tested, "p/A"));
        assert_eq!(of(&plain, "p/B"), of(&tested, "p/B"));
        let mut other = tested.clone();
        other.tests[0].calls[0] = call(0, 0);
        assert_ne!(of(&tested, "p/A"), of(&other, "p/A"));
    }
}
