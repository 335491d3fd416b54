//! What is no violation, because the sequence itself brought it about against what its callees may ask of it.
//!
//! Comes in: a violation. Goes out: whether it is excused.
//! Raw types let a sequence put anything anywhere, so an object may well fail over what it was given. That is told
//! from the object's own failing by class: of what could not be cast, or written.
//!
//! ```text
//! set = new TreeSet()   set.add("b")   sorted = decorate(set)   part = sorted.headSet(41)
//! part.hashCode()       ClassCastException: class java.lang.Integer cannot be cast to class java.lang.String
//! ```
//! Integer is the class of what `headSet` was given as an `Object`, so that is excused. Were it the class of the object
//! itself, of what `equals` was asked about, or of what was given as just that, the cast would be blind.
//! Does not know: theories, which say themselves what they do not speak of.

use crate::check::Guilty;
use crate::violation::Violation;
use palus_bytecode::{Origin, Program, Type, internal_name};
use palus_sequence::{Observation, Statement, Thrown, Value, Variable};
use std::sync::Arc;

/// Rules about collections: what the sequence gave a collection may change what it takes.
const OF_COLLECTIONS: &[&str] = &["P114", "P115", "P116"];
/// The rule about writing and reading.
const OF_WRITING: &str = "P117";

/// True where the sequence, and not the project, is to blame.
pub(crate) fn is_excused(program: &Program, violation: &Violation) -> bool {
    let suspect = &violation.suspect;
    if suspect.check.guilty == Guilty::AssertionsToo {
        return false;
    }
    let sequence = suspect.sequence.statements();
    let (before, tail) = sequence.split_at(violation.base());
    let scene = Scene {
        program,
        violation,
        before,
        tail,
    };
    let has = |what: fn(&Program, &Statement) -> bool| {
        before.iter().any(|statement| what(program, statement))
    };
    has(is_comparator)
        || has(is_internal)
        || scene.asks_old_entry()
        || violation.breach.thrown.as_ref().is_some_and(|thrown| {
            scene.is_thrown_for_null(thrown) || scene.is_cast_of_what_was_given(thrown)
        })
        || (OF_COLLECTIONS.contains(&suspect.code) && scene.has_others())
        || (suspect.code == OF_WRITING && scene.holds_what_was_given())
}

/// True for a stub that compares nothing, where an order is asked for.
fn is_comparator(program: &Program, statement: &Statement) -> bool {
    let Statement::Stub { class, .. } = statement else {
        return false;
    };
    program
        .class_named("java/util/Comparator")
        .is_some_and(|comparator| program.is_subclass(*class, comparator))
}

/// True for a member less visible than its class, and for making an object of a nested class that is: its callers know
/// what they do.
fn is_internal(program: &Program, statement: &Statement) -> bool {
    let (access, class, makes) = match statement {
        Statement::Call { method, .. } => {
            let method = program.method(*method);
            (method.access, method.class, method.is_constructor())
        }
        Statement::SetField { field, .. } => {
            let field = program.field(*field);
            (field.access, field.class, false)
        }
        _ => return false,
    };
    let class = program.class(class);
    let makes_nested = makes && class.outer.is_some() && !class.access.is_public();
    let is_hidden = !access.is_public() && (class.access.is_public() || class.outer.is_some());
    class.origin == Origin::Subject && (is_hidden || makes_nested)
}

/// The object that a statement calls or sets something of.
fn receiver(statement: &Statement) -> Option<Variable> {
    match statement {
        Statement::Call { receiver, .. }
        | Statement::GetField { receiver, .. }
        | Statement::SetField { receiver, .. } => *receiver,
        _ => None,
    }
}

/// What a statement hands over, each with the type that it is handed over as.
fn handed<'a>(program: &'a Program, statement: &'a Statement) -> Vec<(Variable, &'a Type)> {
    match statement {
        Statement::Call {
            method, arguments, ..
        } => {
            let parameters = &program.method(*method).method_type.parameters;
            arguments.iter().copied().zip(parameters).collect()
        }
        Statement::SetField { field, value, .. } => {
            vec![(*value, &program.field(*field).field_type)]
        }
        Statement::NewArray { element, elements } => {
            elements.iter().map(|&one| (one, element)).collect()
        }
        _ => Vec::new(),
    }
}

/// Internal name of the class that could not be cast, as the platform says it: `class demo.A cannot be cast to ...`.
fn cast_class(message: &str) -> Option<String> {
    let (class, _) = message.split_once(" cannot be cast to ")?;
    Some(internal_name(class.strip_prefix("class ").unwrap_or(class)))
}

/// A violation taken apart.
struct Scene<'a> {
    program: &'a Program,
    violation: &'a Violation,
    /// Statements before the check's.
    before: &'a [Statement],
    /// The check's.
    tail: &'a [Statement],
}

impl Scene<'_> {
    /// True for a `NullPointerException` where the sequence itself handed in `null`.
    fn is_thrown_for_null(&self, thrown: &Thrown) -> bool {
        &*thrown.class == "java/lang/NullPointerException"
            && self.before.iter().any(|statement| {
                statement.uses().iter().any(|used| {
                    matches!(self.before[used.index()], Statement::Value(Value::Null(_)))
                })
            })
    }

    /// True where a cast failed on an element, a key, a value: neither on the object nor on what it was asked about.
    fn is_cast_of_what_was_given(&self, thrown: &Thrown) -> bool {
        if &*thrown.class != "java/lang/ClassCastException" {
            return false;
        }
        let Some(blamed) = thrown.message.as_deref().and_then(cast_class) else {
            // A cast that fails again and again is thrown without words.
            return self.given_loosely().next().is_some();
        };
        let asked = self
            .violation
            .suspect
            .sequence
            .statements()
            .get(thrown.statement as usize);
        let is_asked = asked.is_some_and(|statement| {
            let mut used = statement.uses().into_iter();
            used.any(|variable| self.class_of(variable).as_deref() == Some(&*blamed))
        });
        // Of two that cannot be compared, either may be the stranger.
        let frame = thrown.top_frame.as_ref();
        let comparing = frame.filter(|(_, method)| &**method == "compareTo");
        let is_stranger =
            |class: &str| class == blamed || comparing.is_some_and(|(owner, _)| **owner == *class);
        !is_asked && (self.has_others() || self.given_loosely().any(|class| is_stranger(&class)))
    }

    /// True where an entry of a map is asked after calls of something else: once its map changed, what it does is not
    /// defined.
    fn asks_old_entry(&self) -> bool {
        let Some(entry) = self.program.class_named("java/util/Map$Entry") else {
            return false;
        };
        let is_entry = |variable: Variable| {
            let class = self.class_of(variable);
            let class = class.and_then(|class| self.program.class_named(&class));
            class.is_some_and(|class| self.program.is_subclass(class, entry))
        };
        let asked = self.tail.iter().filter_map(receiver);
        asked
            .filter(|asked| asked.index() < self.before.len() && is_entry(*asked))
            .any(|asked| {
                let made = receiver(&self.before[asked.index()]);
                let mut later = self.before[asked.index() + 1..].iter();
                made.is_some() && later.any(|one| receiver(one).is_some_and(|one| one != asked))
            })
    }

    /// True where other objects of the project or stubs take part.
    fn has_others(&self) -> bool {
        let is_stub = |statement: &Statement| matches!(statement, Statement::Stub { .. });
        self.before.iter().any(is_stub) || self.classes().any(|class| self.is_other(class))
    }

    /// True where what cannot be written came from the sequence, or is part of that, or the object was put into itself.
    fn holds_what_was_given(&self) -> bool {
        let thrown = self.violation.breach.thrown.as_ref();
        let said = thrown.and_then(|thrown| thrown.message.as_deref());
        let blamed = internal_name(said.unwrap_or_default());
        let owner = self.violation.suspect.owner;
        let is_own = |class: &str| self.program.class_named(class) == Some(owner);
        self.given()
            .filter_map(|variable| self.object_class(variable))
            .any(|class| is_own(class) || self.is_part(&blamed, class))
            || self.classes().any(|class| {
                **class == *blamed
                    || self.program.class_named(class).is_none()
                    || self.is_other(class)
            })
    }

    /// True for a view, an iterator, an entry of something of the platform: `java/util/ArrayList$SubList`.
    fn is_part(&self, blamed: &str, whole: &str) -> bool {
        let is_ours = |name: &str| {
            let class = self.program.class_named(name);
            class.is_some_and(|class| self.program.class(class).origin == Origin::Subject)
        };
        let package = |name: &str| name.rfind('/').map(|end| name[..end].to_owned());
        blamed.contains('$') && !is_ours(blamed) && package(blamed) == package(whole)
    }

    fn is_other(&self, class: &str) -> bool {
        self.program.class_named(class).is_some_and(|id| {
            id != self.violation.suspect.owner && self.program.class(id).origin == Origin::Subject
        })
    }

    /// What statements before the check hand to others.
    fn given(&self) -> impl Iterator<Item = Variable> {
        let handed = self.before.iter().flat_map(|one| handed(self.program, one));
        handed.map(|(variable, _)| variable)
    }

    /// Runtime classes of what statements before the check hand over as something wider, such as `Object`.
    fn given_loosely(&self) -> impl Iterator<Item = Arc<str>> {
        let handed = self.before.iter().flat_map(|one| handed(self.program, one));
        handed.filter_map(|(variable, wanted)| {
            let class = self.class_of(variable)?;
            (wanted.is_reference() && wanted.class_name() != Some(&*class)).then_some(class)
        })
    }

    /// Runtime classes of the objects before the check.
    fn classes(&self) -> impl Iterator<Item = &Arc<str>> {
        let variables = (0..self.before.len() as u32).map(Variable);
        variables.filter_map(|variable| self.object_class(variable))
    }

    fn object_class(&self, variable: Variable) -> Option<&Arc<str>> {
        match self.violation.outcome.observations.get(variable.index())? {
            Observation::Object { class, .. } => Some(class),
            _ => None,
        }
    }

    /// Runtime class of a variable as an object: `java/lang/Integer` for an `int`.
    fn class_of(&self, variable: Variable) -> Option<Arc<str>> {
        match self.violation.outcome.observations.get(variable.index())? {
            Observation::Object { class, .. } | Observation::EnumConstant { class, .. } => {
                Some(class.clone())
            }
            Observation::Value { value, .. } => match value.plain_type()? {
                Type::Object(name) => Some(name),
                primitive => primitive.box_name().map(Arc::from),
            },
            Observation::LongText => Some("java/lang/String".into()),
            Observation::Nothing | Observation::Null => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::{Check, Conclusion};
    use crate::testing::{Script, Subject, object, subject};
    use crate::violation::{Breach, Suspect};
    use palus_sequence::{End, Run};

    /// A view, as decorators give it out; a class that casts blindly; a map's entry.
    const FILES: &[(&str, &str)] = &[
        (
            "demo/View.java",
            "package demo; public class View implements java.io.Serializable { \
             public View(java.util.Collection<?> all) {} public View() {} \
             public View from(Object least) { return this; } \
             public void number(int number) {} public void name(String name) {} \
             public Pair first() { return new Pair(); } \
             public boolean equals(Object other) { return ((View) other) == this; } \
             public int hashCode() { return 1; } }",
        ),
        ("demo/Other.java", "package demo; public class Other {}"),
        (
            "demo/Table.java",
            "package demo; public class Table { static class Rows { public Rows(int count) {} } \
             public static class Columns { public Columns(int count) {} } }",
        ),
        (
            "demo/Pair.java",
            "package demo; public class Pair extends java.util.AbstractMap.SimpleEntry<String, String> { \
             public Pair() { super(null, null); } }",
        ),
    ];
    const HASH: &str = "java/lang/Object.hashCode()I";
    const EQUALS: &str = "java/lang/Object.equals(Ljava/lang/Object;)Z";
    const CAST: &str = "java/lang/ClassCastException";
    const UNWRITABLE: &str = "java/io/NotSerializableException";

    /// Builds what comes before the check, asks one question that throws, and says whether that is excused.
    fn excused(
        code: &'static str,
        thrown: Thrown,
        build: impl FnOnce(&mut Script<'_>) -> (&'static str, Variable, Vec<Variable>),
    ) -> bool {
        let subject = subject(FILES);
        let mut script = subject.script();
        let (member, asked, arguments) = build(&mut script);
        script.call(member, Some(asked), &arguments, Observation::Nothing);
        let mut run = script.threw(&thrown.class);
        let statement = run.sequence.last().0;
        run.outcome.end = End::Threw(Thrown {
            statement,
            ..thrown
        });
        is_excused(&subject.program, &violation(&subject, code, run))
    }

    fn thrown(class: &str, message: Option<&str>) -> Thrown {
        Thrown {
            statement: 0,
            class: class.into(),
            message: message.map(Into::into),
            top_frame: None,
            fields: Vec::new(),
        }
    }

    fn violation(subject: &Subject, code: &'static str, run: Run) -> Violation {
        let last = run.sequence.statements().last().cloned().unwrap();
        let Statement::Call { method, .. } = last else {
            unreachable!("the question is a call");
        };
        let mut check = Check::of(method).concluding(Conclusion::Completes, Guilty::AllBut(&[]));
        check.tail = vec![last];
        let End::Threw(thrown) = run.outcome.end.clone() else {
            unreachable!("it was said to throw");
        };
        Violation {
            suspect: Suspect {
                sequence: run.sequence,
                check,
                code,
                name: "throwsNothing",
                broken: "throws",
                package: "demo".into(),
                owner: subject.class("demo/View"),
            },
            outcome: run.outcome,
            breach: Breach {
                thrown: Some(thrown),
            },
        }
    }

    /// `new ArrayList()` with a text in it, and a view of it.
    fn view(script: &mut Script<'_>) -> Variable {
        let list = script.construct("java/util/ArrayList", "()V", &[]);
        let text = script.text("b");
        let add = "java/util/ArrayList.add(Ljava/lang/Object;)Z";
        script.call(add, Some(list), &[text], Observation::Nothing);
        script.construct("demo/View", "(Ljava/util/Collection;)V", &[list])
    }

    fn part(script: &mut Script<'_>) -> Variable {
        let all = view(script);
        let number = script.int(41);
        let from = "demo/View.from(Ljava/lang/Object;)Ldemo/View;";
        script.call(from, Some(all), &[number], object("demo/View"))
    }

    #[test]
    fn a_cast_of_what_the_sequence_put_in_is_excused() {
        for message in [
            "class java.lang.Integer cannot be cast to class java.lang.String (both are of ...)",
            "java.lang.String cannot be cast to java.lang.Integer",
        ] {
            assert!(
                excused("P106", thrown(CAST, Some(message)), |script| (
                    HASH,
                    part(script),
                    Vec::new()
                )),
                "{message}"
            );
        }
        assert!(
            excused("P106", thrown(CAST, None), |script| (
                HASH,
                part(script),
                Vec::new()
            )),
            "one that is thrown without words"
        );
    }

    #[test]
    fn what_a_nested_class_hidden_from_users_was_made_of_is_not_their_doing() {
        let made = |class: &'static str| {
            excused(
                "P106",
                thrown("java/lang/IllegalStateException", None),
                |script| {
                    let count = script.int(41);
                    (HASH, script.construct(class, "(I)V", &[count]), Vec::new())
                },
            )
        };
        assert!(made("demo/Table$Rows"));
        assert!(!made("demo/Table$Columns"));
    }

    #[test]
    fn of_two_that_cannot_be_compared_either_may_be_the_stranger() {
        let message = "class java.lang.String cannot be cast to class java.lang.Integer";
        let asked = |method: &str| {
            let thrown = Thrown {
                top_frame: Some(("java/lang/Integer".into(), method.into())),
                ..thrown(CAST, Some(message))
            };
            excused("P106", thrown, |script| {
                let all = script.construct("demo/View", "()V", &[]);
                let text = script.text("b");
                script.void("demo/View.name(Ljava/lang/String;)V", all, &[text]);
                let number = script.int(41);
                let from = "demo/View.from(Ljava/lang/Object;)Ldemo/View;";
                let part = script.call(from, Some(all), &[number], object("demo/View"));
                (HASH, part, Vec::new())
            })
        };
        assert!(asked("compareTo"));
        assert!(!asked("sum"));
    }

    #[test]
    fn a_cast_of_what_the_object_made_or_was_asked_about_is_blind() {
        let own = "class java.lang.Long cannot be cast to class java.lang.String";
        assert!(!excused("P106", thrown(CAST, Some(own)), |script| {
            (HASH, part(script), Vec::new())
        }));
        assert!(!excused("P106", thrown(CAST, None), |script| {
            let alone = script.construct("demo/View", "()V", &[]);
            (HASH, alone, Vec::new())
        }));
        let number = "class java.lang.Integer cannot be cast to class java.lang.String";
        assert!(!excused("P106", thrown(CAST, Some(number)), |script| {
            let all = view(script);
            let number = script.int(41);
            script.void("demo/View.number(I)V", all, &[number]);
            (HASH, all, Vec::new())
        }));
        let text = "class java.lang.String cannot be cast to class demo.View";
        assert!(!excused("P104", thrown(CAST, Some(text)), |script| {
            let all = view(script);
            let text = script.text("text");
            (EQUALS, all, vec![text])
        }));
        let other = "class demo.Other cannot be cast to class demo.View";
        assert!(!excused("P104", thrown(CAST, Some(other)), |script| {
            let all = view(script);
            let other = script.construct("demo/Other", "()V", &[]);
            (EQUALS, all, vec![other])
        }));
    }

    #[test]
    fn what_is_part_of_something_given_may_be_beyond_writing() {
        let unwritable = |class| thrown(UNWRITABLE, Some(class));
        let list = |script: &mut Script<'_>| (HASH, part(script), Vec::new());
        assert!(excused(
            "P117",
            unwritable("java.util.ArrayList$SubList"),
            list
        ));
        assert!(excused("P117", unwritable("java.util.ArrayList"), list));
        for own in ["java.lang.Object", "java.util.Optional", "demo.Other"] {
            assert!(!excused("P117", unwritable(own), list), "{own}");
        }
        assert!(
            !excused(
                "P117",
                unwritable("java.util.ArrayList$SubList"),
                |script| {
                    let alone = script.construct("demo/View", "()V", &[]);
                    (HASH, alone, Vec::new())
                }
            ),
            "nothing was given"
        );
    }

    #[test]
    fn an_entry_is_asked_only_while_nothing_else_happened() {
        let gone = thrown("java/lang/IllegalStateException", None);
        let first = "demo/View.first()Ldemo/Pair;";
        let asked = |is_later: bool, is_made: bool| {
            excused("P106", gone.clone(), |script| {
                let all = view(script);
                let entry = if is_made {
                    script.construct("demo/Pair", "()V", &[])
                } else {
                    script.call(first, Some(all), &[], object("demo/Pair"))
                };
                if is_later {
                    script.call(HASH, Some(all), &[], Observation::Nothing);
                }
                (HASH, entry, Vec::new())
            })
        };
        assert!(asked(true, false));
        assert!(!asked(false, false), "nothing happened since");
        assert!(!asked(true, true), "an entry of no map");
    }

    #[test]
    fn null_is_excused_where_it_was_handed_in() {
        let thrown = thrown("java/lang/NullPointerException", None);
        assert!(excused("P106", thrown.clone(), |script| {
            let null = script.null("Ljava/util/Collection;");
            let of = "(Ljava/util/Collection;)V";
            (HASH, script.construct("demo/View", of, &[null]), Vec::new())
        }));
        let stub = |script: &mut Script<'_>| {
            let null = script.null("Ljava/lang/Object;");
            script.lambda("java/lang/Comparable", Some(null));
            (HASH, view(script), Vec::new())
        };
        assert!(excused("P106", thrown.clone(), stub), "by a stub");
        assert!(!excused("P106", thrown, |script| {
            (HASH, view(script), Vec::new())
        }));
    }
}
