//! Offspring of random parents are well-formed.

use super::door::{Doorman, Fixture};
use crate::casts::Casts;
use crate::crossover::cross;
use crate::mutation::mutated;
use crate::parameters::LONGEST;
use crate::splice::tidied;
use palus_bytecode::Type;
use palus_sequence::{End, Outcome, Sequence, Statement, Thrown, Value, check};
use std::collections::BTreeSet;

#[test]
fn offspring_of_random_parents_pass_the_check_and_differ_from_them() {
    let fixture = Fixture::new();
    let program = &fixture.program;
    for seed in 0..4 {
        let mut doorman = Doorman::new(program);
        let mut sources = fixture.sources(&mut doorman, seed, 200);
        let parents: Vec<Sequence> = (0..80).filter_map(|_| sources.fresh()).collect();
        let goals: Vec<_> = program.class(doorman.class).methods.clone();
        let (mut crossed, mut changed) = (0, BTreeSet::new());
        for couple in parents.windows(2) {
            if let Some((left, right)) = cross(&mut sources, &couple[0], &couple[1]) {
                for offspring in [left, right] {
                    assert_eq!(
                        check(program, &offspring),
                        Ok(()),
                        "{couple:?}: {offspring:?}"
                    );
                    crossed += usize::from(tidied(program, &offspring, LONGEST).is_some());
                }
            }
            if let Some(offspring) = mutated(&mut sources, &couple[0], &goals) {
                assert_eq!(
                    check(program, &offspring),
                    Ok(()),
                    "{couple:?}: {offspring:?}"
                );
                assert_ne!(offspring, couple[0]);
                changed.insert(offspring);
            }
        }
        assert!(crossed > 20, "{crossed}");
        assert!(changed.len() > 50, "{}", changed.len());
    }
}

#[test]
fn what_a_failed_cast_wanted_goes_where_the_other_went_in() {
    let fixture = Fixture::new();
    let program = &fixture.program;
    let mut doorman = Doorman::new(program);
    let mut sources = fixture.sources(&mut doorman, 0, 50);
    let list = program.class_named("java/util/ArrayList").unwrap();
    let method = |class, name, descriptor| program.find_method(class, name, descriptor).unwrap();
    let call = |method, receiver, arguments| Statement::Call {
        method,
        receiver,
        arguments,
    };
    let mut sequence = Sequence::default();
    let new = sequence.push(call(method(list, "<init>", "()V"), None, Vec::new()));
    let text = sequence.push(Statement::Value(Value::Text("a".into())));
    let number = sequence.push(Statement::Value(Value::Int(5)));
    let add = method(list, "add", "(Ljava/lang/Object;)Z");
    sequence.push(call(add, Some(new), vec![text]));
    sequence.push(call(add, Some(new), vec![number]));
    let knock = method(doorman.class, "knock", "()V");
    let door = method(doorman.class, "<init>", "()V");
    let door = sequence.push(call(door, None, Vec::new()));
    sequence.push(call(knock, Some(door), Vec::new()));
    let message = "java.lang.Integer cannot be cast to java.lang.Long";
    let thrown = Thrown {
        statement: 6,
        class: "java/lang/ClassCastException".into(),
        message: Some(message.into()),
        top_frame: None,
        fields: Vec::new(),
    };
    let outcome = Outcome::new(End::Threw(thrown), Vec::new());

    let mut casts = Casts::default();
    casts.note(&sequence, &outcome);
    let mended = casts.mended(&mut sources);
    assert_eq!(mended.len(), 1, "only one number went in");
    assert_eq!(check(program, &mended[0]), Ok(()));
    let added = mended[0].statements().iter().filter_map(|statement| {
        let Statement::Call {
            method, arguments, ..
        } = statement
        else {
            return None;
        };
        (*method == add).then(|| mended[0].type_of(program, arguments[0]))
    });
    let added: Vec<Type> = added.collect();
    let long = added[1].unboxed().unwrap_or_else(|| added[1].clone());
    assert_eq!(added[0], Type::object("java/lang/String"));
    assert_eq!(long, Type::Long);
    assert_eq!(casts.mended(&mut sources), [], "each run once");
}
