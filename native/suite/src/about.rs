//! Which class a test is about: the file of that class is where a reader looks for it.
//!
//! Comes in: a run, what it is there for. Goes out: whether the file of the subject is its place.
//! A test is about the class whose object or method its last call is a call of. It stands in the file of the subject where it
//! is about that, or covers something of the subject that none about it does: code of its own that others alone call.
//! Nobody asks what tests of other classes cover, so that what is written for a class is no matter of theirs.
//! Does not know: how runs are chosen.

use palus_bytecode::{ClassId, ClassProbes, Program, Type};
use palus_sequence::{Observation, Probe, Run, Statement};
use std::collections::BTreeSet;

/// The subject of a test class.
pub(crate) struct Home<'a> {
    program: &'a Program,
    /// The subject and what is nested in it.
    own: BTreeSet<u32>,
    /// And what it extends: what its tests may be there for.
    pub(crate) all: BTreeSet<u32>,
    /// Code of these that a tool or the compiler made, which no test is there for.
    pub(crate) generated: BTreeSet<Probe>,
}

impl<'a> Home<'a> {
    pub(crate) fn of(program: &'a Program, subject: ClassId) -> Home<'a> {
        let own: BTreeSet<u32> = program.nest(subject).iter().map(|class| class.0).collect();
        let supertypes = program.supertypes(subject).into_iter();
        let all = supertypes.map(|class| class.0).chain(own.iter().copied());
        let all: BTreeSet<u32> = all.collect();
        let generated = all
            .iter()
            .flat_map(|&class| generated(program, ClassId(class)));
        Home {
            program,
            generated: generated.collect(),
            all,
            own,
        }
    }

    /// Whether code with this probe is the subject's own, not inherited.
    pub(crate) fn is_own(&self, probe: Probe) -> bool {
        self.own.contains(&probe.class)
    }

    /// Whether there is a place for a run in the subject's file that is there for these probes.
    pub(crate) fn has_place_for(&self, run: &Run, owned: &[Probe]) -> bool {
        self.is_about(run) || owned.iter().any(|&probe| self.is_own(probe))
    }

    /// Whether a run ends with a call of the subject, or on an object of it.
    pub(crate) fn is_about(&self, run: &Run) -> bool {
        let is_own = |class: ClassId| self.own.contains(&class.0);
        let (declaring, receiver) = match run.sequence.statements().last() {
            Some(Statement::Call {
                method, receiver, ..
            }) => (self.program.method(*method).class, *receiver),
            Some(
                Statement::GetField { field, receiver }
                | Statement::SetField {
                    field, receiver, ..
                },
            ) => (self.program.field(*field).class, *receiver),
            _ => return false,
        };
        if is_own(declaring) {
            return true;
        }
        let Some(receiver) = receiver else {
            return false;
        };
        let seen = match run.outcome.observations.get(receiver.index()) {
            Some(Observation::Object { class, .. } | Observation::EnumConstant { class, .. }) => {
                self.program.class_named(class)
            }
            _ => None,
        };
        let declared = || match run.sequence.type_of(self.program, receiver) {
            Type::Object(name) => self.program.class_named(&name),
            _ => None,
        };
        seen.or_else(declared).is_some_and(is_own)
    }
}

/// The probes of what nobody wrote in a class.
fn generated(program: &Program, class: ClassId) -> Vec<Probe> {
    let probes = ClassProbes::of(program, class);
    let methods = probes.methods().iter().map(|&(_, method)| method);
    let generated = methods.filter(|&method| program.is_generated(method));
    let indices = generated.flat_map(|method| probes.of_method(method));
    let probe = |index| Probe {
        class: class.0,
        index,
    };
    indices.map(probe).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{int, object, subject};

    const SHAPES: (&str, &str) = (
        "demo/Box.java",
        "package demo; public class Box extends Lid { \
           static Lid some() { return new Box(); } \
           int depth = 3; public int size() { return 1; } \
           static class Inner { int rank() { return 2; } } }
         class Lid { public int width() { return 7; } int size() { return 0; } }
         class User { int use(Box box) { return box.size(); } }",
    );

    #[test]
    fn a_test_is_about_the_class_that_its_last_call_is_made_of_or_on() {
        let subject = subject(&[SHAPES]);
        let home = Home::of(&subject.program, subject.class("demo/Box"));
        let about = |class: &str, member: Option<&str>| {
            let mut script = subject.script();
            let made = script.construct(class, "()V", &[]);
            if let Some(member) = member {
                script.call(member, Some(made), &[], int(7));
            }
            home.is_about(&script.run())
        };
        assert!(about("demo/Box", None), "a constructor");
        assert!(about("demo/Box$Inner", Some("demo/Box$Inner.rank()I")));
        assert!(about("demo/Box", Some("demo/Lid.width()I")), "inherited");
        assert!(!about("demo/Lid", Some("demo/Lid.width()I")));
        // Whatever the type that it is declared with.
        let mut script = subject.script();
        let some = script.call("demo/Box.some()Ldemo/Lid;", None, &[], object("demo/Box"));
        assert!(home.is_about(&script.run()));
        script.call("demo/Lid.width()I", Some(some), &[], int(7));
        assert!(home.is_about(&script.run()));
    }

    #[test]
    fn a_test_about_others_has_a_place_for_code_of_the_subject_alone() {
        let subject = subject(&[SHAPES]);
        let (made, lid) = (subject.class("demo/Box"), subject.class("demo/Lid"));
        let home = Home::of(&subject.program, made);
        let mut script = subject.script();
        let made_box = script.construct("demo/Box", "()V", &[]);
        let user = script.construct("demo/User", "()V", &[]);
        script.call(
            "demo/User.use(Ldemo/Box;)I",
            Some(user),
            &[made_box],
            int(1),
        );
        let probe = |class: ClassId| Probe {
            class: class.0,
            index: 1,
        };
        assert!(home.has_place_for(&script.run(), &[probe(lid), probe(made)]));
        assert!(!home.has_place_for(&script.run(), &[probe(lid)]));
    }
}
