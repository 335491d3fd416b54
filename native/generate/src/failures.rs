//! Sequences that end with an exception which a library threw.
//!
//! Comes in: sequences with their outcomes. Goes out: the shortest for each method that was called last, exception and
//! place in the library.
//! Does not know: which of them are faults of the subject.
//!
//! They are kept apart from runs that cover something new: a call that fails where another one passed covers nothing.

use palus_bytecode::{MethodId, Origin, Program};
use palus_sequence::{End, Outcome, Sequence, Statement};
use std::collections::BTreeMap;
use std::sync::Arc;

/// More are not kept.
const MOST: usize = 300;

/// What was called last, the exception's class, and class and method of its innermost frame.
type Key = (MethodId, Arc<str>, Arc<str>, Arc<str>);

#[derive(Default)]
pub(crate) struct Failures {
    shortest: BTreeMap<Key, Sequence>,
}

impl Failures {
    /// Takes an outcome; only of what a test may show.
    pub fn take(&mut self, program: &Program, sequence: &Sequence, outcome: &Outcome) {
        let End::Threw(thrown) = &outcome.end else {
            return;
        };
        let Some((class, method)) = &thrown.top_frame else {
            return;
        };
        let is_subjects = program
            .class_named(class)
            .is_some_and(|class| program.class(class).origin == Origin::Subject);
        let length = thrown.statement as usize + 1;
        let last = sequence.statements().get(length - 1);
        let Some(Statement::Call { method: called, .. }) = last else {
            return;
        };
        if is_subjects || !outcome.is_writable() {
            return;
        }
        let key = (*called, thrown.class.clone(), class.clone(), method.clone());
        let is_wanted = match self.shortest.get(&key) {
            Some(known) => length < known.len(),
            None => self.shortest.len() < MOST,
        };
        if is_wanted {
            self.shortest.insert(key, sequence.prefix(length));
        }
    }

    pub fn into_sequences(self) -> Vec<Sequence> {
        self.shortest.into_values().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palus_sequence::{Thrown, Variable};

    #[test]
    fn the_shortest_sequence_is_kept_for_each_call_and_exception_of_a_library() {
        let source = "public class C { public void a(Object o) {} public void b() {} }";
        let program = crate::tests::program(&[("C.java", source)]);
        let class = program.class_named("C").unwrap();
        let method = |name: &str| {
            let methods = &program.class(class).methods;
            let named = |&&id: &&MethodId| &*program.method(id).name == name;
            *methods.iter().find(named).unwrap()
        };
        let call = |name, receiver| Statement::Call {
            method: method(name),
            receiver,
            arguments: Vec::new(),
        };
        let sequence = |names: &[&'static str]| {
            let mut sequence = Sequence::default();
            sequence.push(call("<init>", None));
            for name in names {
                sequence.push(call(name, Some(Variable(0))));
            }
            sequence
        };
        let threw = |sequence: &Sequence, class: &str, frame: &str| {
            let thrown = Thrown {
                statement: sequence.len() as u32 - 1,
                class: class.into(),
                message: None,
                top_frame: Some((frame.into(), "m".into())),
                fields: Vec::new(),
            };
            Outcome::new(End::Threw(thrown), Vec::new())
        };
        let mut failures = Failures::default();
        for (names, class, frame) in [
            (&["a", "b"][..], "E", "java/util/Stack"),
            (&["b"][..], "E", "java/util/Stack"),
            (&["a", "a", "b"][..], "E", "java/util/Stack"),
            (&["a", "b"][..], "F", "java/util/Stack"),
            // The subject's own.
            (&["a"][..], "E", "C"),
        ] {
            let sequence = sequence(names);
            failures.take(&program, &sequence, &threw(&sequence, class, frame));
        }
        let passed = sequence(&["a"]);
        failures.take(&program, &passed, &Outcome::new(End::Completed, Vec::new()));
        assert_eq!(
            failures.into_sequences(),
            [sequence(&["b"]), sequence(&["a", "b"])]
        );
    }
}
