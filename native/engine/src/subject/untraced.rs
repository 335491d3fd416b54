//! A traced run in which no test ran although there are tests: an error with its likely cause, for what is learned from
//! nothing looks like a success.
//!
//! Comes in: [`Settings`]: how many tests ran, the compiled tests, and what the build's runner does not run.
//! Goes out: an [`Error`], or nothing.
//! Does not know: Maven, Gradle.

use crate::subject::class_path::class_files;
use crate::subject::input::class_file;
use crate::{Error, Settings};
use palus_bytecode::{Origin, ProgramBuilder};
use std::collections::BTreeMap;

/// What tests are written for, and what stands in class files of such tests.
const KINDS: &[(&str, &[&str])] = &[
    (
        "JUPITER",
        &["Lorg/junit/jupiter/api/", "Lorg/junit/jupiter/params/"],
    ),
    (
        "JUNIT4",
        &["Lorg/junit/Test;", "Lorg/junit/runner/RunWith;"],
    ),
    ("TESTNG", &["Lorg/testng/annotations/Test;"]),
    ("JUNIT3", &["junit/framework/TestCase"]),
];

/// An error where the traced run ran no test and some test class should have run.
///
/// # Errors
/// A configuration error that names one of them and the likely cause.
pub(crate) fn check(settings: &Settings) -> Result<(), Error> {
    if settings.trace_tests != Some(0) {
        return Ok(());
    }
    let tests = tests(settings);
    let Some((example, kind)) = tests.first_key_value() else {
        return Ok(());
    };
    let prefix = format!("{kind}=");
    let mut reasons = settings.not_run.iter();
    let cause = reasons
        .find_map(|reason| reason.strip_prefix(&prefix))
        .unwrap_or("the build's own filters (names, tags, groups) leave all of them out");
    let (count, are) = match tests.len() {
        1 => ("one test class".to_owned(), "is there"),
        more => (format!("{more} test classes"), "are there"),
    };
    Err(Error::configuration(
        format!("no test ran under the tracing agent, though {count} {are} (`{example}`)"),
        format!(
            "the likely cause: {cause}. See that your own build runs these tests; to have tests written without any \
             trace, leave the traced run out (`-DskipTests`, or `-x palusTrace`)"
        ),
    ))
}

/// Whether what the project's own tests cover is known: there is data of it, or there are no tests.
pub(crate) fn is_covered_known(settings: &Settings) -> bool {
    !settings.coverage_files.is_empty() || tests(settings).is_empty()
}

/// Classes that hold tests, by name, with their kind. Failsafe's names are not among them: those run at another time.
fn tests(settings: &Settings) -> BTreeMap<String, &'static str> {
    let mut tests = Vec::new();
    let mut builder = ProgramBuilder::new();
    for folder in &settings.test_classes_directories {
        for file in class_files(folder).unwrap_or_default() {
            let bytes = class_file(&file).unwrap_or_default();
            // One that cannot be read runs nowhere.
            if let Some(kind) = kind(&bytes)
                && let Ok(id) = builder.add(Origin::Test, &bytes)
            {
                tests.push((id, kind));
            }
        }
    }
    let program = builder.finish();
    tests
        .into_iter()
        .filter_map(|(id, kind)| {
            let class = program.class(id);
            let is_run = !class.access.is_abstract() && !class.access.is_interface();
            let name = class.binary_name();
            let outermost = name.split('$').next().unwrap_or(&name).to_owned();
            (is_run && !is_failsafes(&outermost)).then_some((outermost, kind))
        })
        .collect()
}

fn kind(bytes: &[u8]) -> Option<&'static str> {
    let has = |text: &&str| {
        bytes
            .windows(text.len())
            .any(|window| window == text.as_bytes())
    };
    let mut kinds = KINDS.iter();
    kinds
        .find(|(_, marks)| marks.iter().any(has))
        .map(|&(kind, _)| kind)
}

fn is_failsafes(name: &str) -> bool {
    let simple = name.rsplit('.').next().unwrap_or(name);
    simple.starts_with("IT") || simple.ends_with("IT") || simple.ends_with("ITCase")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_tests_are_for_is_read_from_their_annotations_and_supertypes() {
        assert_eq!(kind(b"..Lorg/testng/annotations/Test;.."), Some("TESTNG"));
        assert_eq!(
            kind(b"Lorg/junit/jupiter/params/ParameterizedTest;"),
            Some("JUPITER")
        );
        assert_eq!(kind(b"Lorg/junit/Test;"), Some("JUNIT4"));
        assert_eq!(kind(b"junit/framework/TestCase"), Some("JUNIT3"));
        assert_eq!(kind(b"Lorg/junit/Before;"), None);
    }

    #[test]
    fn names_of_integration_tests_are_failsafes() {
        assert!(is_failsafes("a.StackIT") && is_failsafes("ITStack") && is_failsafes("AITCase"));
        assert!(!is_failsafes("a.StackTest") && !is_failsafes("it.ITEMTest.Some"));
    }
}
