//! What verifying needs of a test class before anything is compiled: its text, which tests are held back, and how often
//! each must run.
//!
//! Comes in: a test class. Goes out: [`Prepared`]; or, where Palus fails on the class, what the panic said.
//! Does not know: what becomes of the other classes.

use crate::message;
use crate::report::codes::meaning;
use crate::run::defect::bounded;
use crate::verify::verifier::{Bad, Verifier, binary_name, relative_path};
use crate::verify::{DropReason, Repeat};
use palus_bytecode::Program;
use palus_sequence::{Observation, Statement, Value, Variable};
use palus_suite::{Harm, Source, Test, TestClass, print};
use std::path::PathBuf;

/// What there is to a test class once it is text.
pub(crate) struct Prepared {
    pub(crate) source: Source,
    /// Tests that may do harm elsewhere or hold a secret, or that no file can be made for.
    pub(crate) held: Vec<HeldBack>,
    /// Per test.
    pub(crate) repeats: Vec<Repeat>,
}

/// A test that may not be written.
pub(crate) struct HeldBack {
    test: usize,
    reason: DropReason,
    text: String,
}

impl Prepared {
    /// True where no file can be made for the class.
    pub(crate) fn is_refused(&self) -> bool {
        let mut held = self.held.iter();
        held.any(|one| one.reason == DropReason::NameRefused)
    }
}

impl HeldBack {
    /// Where the meaning of the reason says all there is to say.
    fn plainly(test: usize, reason: DropReason) -> HeldBack {
        HeldBack {
            test,
            reason,
            text: meaning(reason.code()).to_owned(),
        }
    }

    /// As a test to drop of the class with this number.
    pub(crate) fn of(&self, class: usize) -> Bad {
        Bad {
            class,
            test: self.test,
            reason: self.reason,
            text: self.text.clone(),
        }
    }
}

impl Verifier<'_> {
    /// Prints a class and looks at its tests.
    ///
    /// # Errors
    /// Where Palus itself fails on the class: what the panic said.
    pub(crate) fn prepare(&self, class: &TestClass) -> Result<Prepared, String> {
        let (program, style) = (&self.project.program, &self.project.style);
        let (listener, name) = (self.listener, binary_name(class));
        let source = bounded(listener, &name, message::PRINT, || {
            print(program, class, style)
        })?;
        let held = bounded(listener, &name, message::HOLD_BACK, || {
            self.held_back(class, &source)
        })?;
        let repeats = bounded(listener, &name, message::REPEAT, || {
            class.tests.iter().map(|test| self.repeat(test)).collect()
        })?;
        Ok(Prepared {
            source,
            held,
            repeats,
        })
    }

    /// True if no file can have the name that a class's source or class file needs.
    fn name_is_refused(&self, class: &TestClass) -> bool {
        use std::io::ErrorKind::{InvalidFilename, InvalidInput};
        let settings = self.settings;
        let source = PathBuf::from(relative_path(class));
        let compiled = source.with_extension("class");
        [
            &settings.output_directory,
            &settings.findings_directory,
            &settings.work_directory,
        ]
        .into_iter()
        .flat_map(|folder| [&source, &compiled].map(|file| (folder, file)))
        // Nothing need be there: a name is looked at before the file is looked for. The whole path may be too long, too.
        .flat_map(|(folder, file)| {
            let name = file.file_name().expect("a source has a name");
            [
                folder.join(name),
                folder.join("verify-findings/sources").join(file),
            ]
        })
        .filter_map(|path| path.symlink_metadata().err())
        .any(|error| matches!(error.kind(), InvalidFilename | InvalidInput))
    }

    fn held_back(&self, class: &TestClass, source: &Source) -> Vec<HeldBack> {
        if self.name_is_refused(class) {
            let reason = DropReason::NameRefused;
            let all = 0..class.tests.len();
            return all.map(|test| HeldBack::plainly(test, reason)).collect();
        }
        let secrets = &self.settings.secrets;
        let lines: Vec<&str> = source.text.lines().collect();
        let of_harm = |test: usize| match &class.tests[test].harm {
            Harm::None => None,
            Harm::NotAsked => Some(HeldBack::plainly(test, DropReason::NotVerified)),
            Harm::Elsewhere(why) => Some(HeldBack {
                test,
                reason: DropReason::HarmsElsewhere,
                text: format!("it may do elsewhere what the sandbox denies: {why}"),
            }),
        };
        let tests = (0..class.tests.len()).filter(|&test| {
            let (first, last) = source.lines[test];
            let text = lines.get(first.saturating_sub(1) as usize..last as usize);
            of_harm(test).is_none()
                && text.is_some_and(|lines| secrets.are_in_source(&lines.join("\n")))
        });
        let subject = &self.project.program.class(class.subject).name;
        let subject = palus_bytecode::binary_name(subject);
        let is_promoted = |test: usize| {
            let (first, last) = source.lines[test];
            let text = lines.get(first.saturating_sub(1) as usize..last as usize);
            text.is_some_and(|lines| self.project.promoted.holds(&subject, &lines.join("\n")))
        };
        let secret = tests.map(|test| HeldBack::plainly(test, DropReason::HoldsSecret));
        let harmful = (0..class.tests.len()).filter_map(&of_harm);
        let twins = (0..class.tests.len()).filter(|&test| is_promoted(test));
        let twins = twins.map(|test| HeldBack::plainly(test, DropReason::Promoted));
        secret.chain(harmful).chain(twins).collect()
    }

    /// How often a test must run, by what it may rest on.
    fn repeat(&self, test: &Test) -> Repeat {
        let program = &self.project.program;
        let statements = test.run.sequence.statements();
        let (mut is_weak, mut is_by_chance, mut draws) = (false, false, false);
        for statement in statements {
            let Statement::Call {
                method, arguments, ..
            } = statement
            else {
                continue;
            };
            let class = program.method(*method).class;
            let is_by_identity = |argument: &Variable| {
                let made = &statements[argument.index()];
                let seen = test.run.outcome.observations.get(argument.index());
                has_identity_hash(program, made, seen)
            };
            is_weak |= self.facts.is_weak(class);
            draws |= self.facts.draws(class);
            is_by_chance |= self.facts.is_by_chance(class) || arguments.iter().any(is_by_identity);
        }
        Repeat::of(is_weak, is_by_chance, draws)
    }
}

/// True if the hash code of what a statement gave is another one in each JVM: where it is among others in a hash table
/// rests on chance.
fn has_identity_hash(program: &Program, made: &Statement, seen: Option<&Observation>) -> bool {
    if let Statement::Value(Value::ClassLiteral(_)) = made {
        return true;
    }
    match seen {
        Some(Observation::EnumConstant { .. }) => true,
        Some(Observation::Object { class, .. }) => {
            let hash_code = program
                .class_named(class)
                .and_then(|class| program.find_method(class, "hashCode", "()I"));
            // Arrays and classes that a worker made have no method of their own either.
            hash_code.is_none_or(|method| {
                matches!(
                    &*program.class(program.method(method).class).name,
                    "java/lang/Object" | "java/lang/Enum"
                )
            })
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palus_bytecode::{Origin, ProgramBuilder, Type};

    #[test]
    fn what_has_no_hash_code_of_its_own_has_that_of_its_identity() {
        let java = "package demo; class Plain { } class Sub extends Plain { }
            class Valued { public int hashCode() { return 1; } } class Heir extends Valued { }";
        let mut builder = ProgramBuilder::new();
        for (_, bytes) in &palus_fixture::compile(&[("demo/Plain.java", java)]).classes {
            builder.add(Origin::Subject, bytes).unwrap();
        }
        let object = palus_fixture::platform_class("java/lang/Object").unwrap();
        builder.add(Origin::Platform, &object).unwrap();
        let program = builder.finish();
        let call = Statement::Value(Value::Int(1));
        let seen = |class: &str| {
            let object = Observation::Object {
                class: class.into(),
                profile: None,
                same_as: None,
                content: None,
            };
            has_identity_hash(&program, &call, Some(&object))
        };
        assert!(seen("demo/Plain") && seen("demo/Sub") && seen("[I") && seen("Palus$Lambda1"));
        assert!(!seen("demo/Valued") && !seen("demo/Heir"));
        let class = Statement::Value(Value::ClassLiteral(Type::object("demo/Valued")));
        assert!(has_identity_hash(&program, &class, None));
        assert!(!has_identity_hash(
            &program,
            &call,
            Some(&Observation::Null)
        ));
    }
}
