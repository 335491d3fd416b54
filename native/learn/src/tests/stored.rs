//! Models that were stored and read again are the same, and damaged ones are none.

use super::builder::Sample;
use super::road_map;
use crate::{Models, fingerprint};
use palus_bytecode::{MethodId, Origin, Program, ProgramBuilder};
use palus_fixture::compile;
use palus_wire::models::{StoredModels, StoredRecord, StoredValue};

const JAVA: &str = "class A { enum Kind { ONE } A(int x) {} void f(Object o) {} void g(int[] n, String s) {} \
    static A make(A other) { return other; } static int sum(int a, String b) { return a; } }";
const OBJECTS: &[(&str, &str)] = &[("a", "A"), ("b", "A"), ("list", "java/util/ArrayList")];
const TRACE: &str = "@test\na = new A(1)\na.f(\"text\")\na.g([I{1 2}, null)\nb = A.make(a)\n  b = new A(7)\n\
    b.f(a)\na.f(list)\na.g([I{1 ..}, \"x\")\nA.sum(4, \"b\")\nA.sum(4, \"b\")\n@passed";

fn again(sample: &Sample, models: &Models) -> Option<Models> {
    let bytes = models.store(&sample.program).encode();
    Models::restore(&sample.program, &StoredModels::decode(&bytes).unwrap())
}

#[test]
fn stored_models_come_back_as_they_were() {
    let sample = Sample::new(JAVA, &[]);
    let models = sample.learn(OBJECTS, &[TRACE, "a = new A(1)\nb.f(a)"]);
    assert_eq!(models.statistics().dropped.len(), 1);
    assert!(models.state_dependences().len() > 1);
    assert_eq!(again(&sample, &models).as_ref(), Some(&models));
    let sample = Sample::new(road_map::JAVA, road_map::PURE);
    let models = sample.learn(road_map::OBJECTS, &[road_map::RUN]);
    assert_eq!(again(&sample, &models).as_ref(), Some(&models));
    assert_eq!(again(&sample, &Models::default()), Some(Models::default()));
}

/// The classes in another order, so that all numbers differ.
fn reversed(java: &str) -> Program {
    let mut builder = ProgramBuilder::new();
    for (_, bytes) in compile(&[("All.java", java)]).classes.iter().rev() {
        builder.add(Origin::Subject, bytes).unwrap();
    }
    builder.finish()
}

#[test]
fn numbers_of_classes_may_have_changed() {
    let mut sample = Sample::new(road_map::JAVA, road_map::PURE);
    let models = sample.learn(road_map::OBJECTS, &[road_map::RUN]);
    let stored = models.store(&sample.program);
    sample.program = reversed(road_map::JAVA);
    let restored = Models::restore(&sample.program, &stored).unwrap();
    assert_ne!(restored, models);
    assert_eq!(restored, sample.learn(road_map::OBJECTS, &[road_map::RUN]));
}

#[test]
fn models_of_another_program_are_none() {
    let sample = Sample::new(JAVA, &[]);
    let stored = sample.learn(OBJECTS, &[TRACE]).store(&sample.program);
    let other = Sample::new(&JAVA.replace("void f(Object", "void f(String"), &[]);
    assert_eq!(Models::restore(&other.program, &stored), None);
}

#[test]
fn indices_beyond_their_lists_make_models_none() {
    let sample = Sample::new(JAVA, &[]);
    let good = sample.learn(OBJECTS, &[TRACE]).store(&sample.program);
    let damages: &[fn(&mut StoredModels)] = &[
        |stored| stored.models[0].class = 99,
        |stored| stored.models[0].nodes = u32::MAX,
        |stored| stored.models[0].nodes = 0,
        |stored| stored.models[0].edges[0].method = 99,
        |stored| stored.models[0].edges[0].source = 99,
        |stored| stored.models[0].edges[0].target = 99,
        |stored| stored.models[0].edges[0].observations[0].0.push(0),
        |stored| stored.models[0].edges[0].observations[0].0[0] = 99,
        |stored| stored.models[0].histories[0].0[0] = (99, 0),
        |stored| stored.models[0].histories[0].0[0] = (0, 99),
        |stored| stored.static_calls[0].0 = 99,
        |stored| stored.static_calls[0].1[0].0[0] = 99,
        |stored| stored.static_calls[0].1[0].0.clear(),
        |stored| stored.tests[0].calls[0].method = 99,
        |stored| stored.tests[0].calls[0].values[0] = StoredValue::Other(999),
        |stored| stored.tests[0].calls[0].values.clear(),
        |stored| stored.tests[0].calls[0].result = Some((0, 99)),
        |stored| stored.tests[0].methods[0] = 99,
        |stored| stored.methods[0].class = 99,
        |stored| stored.methods[0].name = "gone".into(),
        |stored| stored.statistics.truncate(3),
        |stored| {
            let again = stored.models[0].clone();
            stored.models.push(again);
        },
        |stored| {
            let states = stored.records.iter_mut().find_map(|record| match record {
                StoredRecord::Constrained { states, .. } if !states.is_empty() => Some(states),
                _ => None,
            });
            states.unwrap()[0].1 = 99;
        },
    ];
    assert!(Models::restore(&sample.program, &good).is_some());
    for (number, damage) in damages.iter().enumerate() {
        let mut stored = good.clone();
        damage(&mut stored);
        assert_eq!(Models::restore(&sample.program, &stored), None, "{number}");
    }
}

#[test]
fn any_changed_byte_is_read_without_a_panic() {
    let sample = Sample::new(JAVA, &[]);
    let bytes = sample
        .learn(OBJECTS, &[TRACE])
        .store(&sample.program)
        .encode();
    for place in 0..bytes.len() {
        for flip in [1, 0x80, 0xff] {
            let mut changed = bytes.clone();
            changed[place] ^= flip;
            if let Ok(stored) = StoredModels::decode(&changed) {
                let _ = Models::restore(&sample.program, &stored);
            }
        }
    }
}

#[test]
fn the_fingerprint_follows_what_learning_asks_and_nothing_else() {
    let print = |java: &str, pure: bool| {
        let sample = Sample::new(java, &[]);
        fingerprint(&sample.program, &|_: MethodId| pure)
    };
    let base = print(JAVA, false);
    assert_eq!(
        base,
        print(&JAVA.replace("return other", "return null"), false)
    );
    assert_ne!(
        base,
        print(&JAVA.replace("void f", "private void f"), false)
    );
    assert_ne!(base, print(&JAVA.replace("void f(", "void h("), false));
    assert_ne!(base, print(JAVA, true));
    let sample = Sample::new(JAVA, &[]);
    assert_eq!(base, fingerprint(&sample.program, &|_| false));
    let ordered = fingerprint(&Sample::new(road_map::JAVA, &[]).program, &|_| false);
    assert_eq!(ordered, fingerprint(&reversed(road_map::JAVA), &|_| false));
}
