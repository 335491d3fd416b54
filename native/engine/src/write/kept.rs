//! Which files of earlier runs stay, for this run has nothing to put in their place.
//!
//! Comes in: the settings, the project, and which classes ran to completion. Goes out: for a file, whether it stays.
//! A file goes only where its class was chosen and was worked on to the end, or was chosen and is there no more.
//! Does not know: what the file holds.

use crate::Settings;
use crate::run::unit::UnitResult;
use crate::subject::glob::matches;
use crate::subject::project::Project;
use crate::verify::DropReason;
use crate::write::manifest::Manifest;
use palus_bytecode::{Origin, Program};
use palus_suite::{Source, TestClass};
use std::collections::{BTreeMap, BTreeSet};

/// How names of files with tests end.
pub(crate) const TESTS: &str = "PalusTest.java";
/// How names of files with findings end.
pub(crate) const FINDINGS: &str = "FindingsPalusTest.java";

/// Whether the file of an earlier run stays; `completed` are names of classes as users write them.
pub(crate) fn stays(
    (settings, program): (&Settings, &Program),
    completed: &BTreeSet<String>,
    end: &str,
    file: &str,
) -> bool {
    let Some(path) = file.strip_suffix(end) else {
        return false;
    };
    let class = palus_bytecode::binary_name(path);
    let is_chosen = settings.classes.iter().any(|glob| matches(glob, &class))
        && !settings.excludes.iter().any(|glob| matches(glob, &class));
    !completed.contains(&class)
        && (!is_chosen || is_known(program, path) || has_class(settings, path))
}

/// Whether the run began with a class of this internal name: one that is gone since goes with the next run.
fn is_known(program: &Program, name: &str) -> bool {
    let class = program.class_named(name);
    class.is_some_and(|class| program.class(class).origin == Origin::Subject)
}

/// Whether the project has the class with this internal name.
fn has_class(settings: &Settings, name: &str) -> bool {
    let mut folders = settings.classes_directories.iter();
    folders.any(|folder| folder.join(format!("{name}.class")).is_file())
}

/// The listed files that are not there, though their classes are: nothing says any more what these did.
pub(crate) fn missing(settings: &Settings, manifest: &Manifest) -> Vec<String> {
    let mut missing = manifest.missing();
    missing.retain(|path| {
        let class = path.strip_suffix(TESTS);
        class.is_some_and(|class| has_class(settings, class))
    });
    missing
}

/// Names of the classes that were worked on to the end, or have new tests: earlier files of theirs have nothing to add.
pub(crate) fn completed(
    project: &Project,
    units: &[UnitResult],
    verified: &[(TestClass, Source)],
    drops: &BTreeMap<DropReason, u64>,
) -> BTreeSet<String> {
    let is_cut = drops.contains_key(&DropReason::NotVerified);
    let written: BTreeSet<_> = verified.iter().map(|(class, _)| class.subject).collect();
    let units = units.iter().filter(|unit| {
        let is_whole = !unit.cut && unit.broken.is_none() && !is_cut;
        is_whole || written.contains(&unit.subject)
    });
    units
        .map(|unit| project.program.class(unit.subject).binary_name())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use palus_bytecode::ProgramBuilder;

    #[test]
    fn a_file_goes_with_a_class_that_was_gone_before_the_run_began() {
        let compiled =
            palus_fixture::compile(&[("demo/Rates.java", "package demo; class Rates {}")]);
        let mut builder = ProgramBuilder::new();
        for (_, bytes) in &compiled.classes {
            builder.add(Origin::Subject, bytes).unwrap();
        }
        let program = builder.finish();
        let settings = Settings {
            classes_directories: vec![compiled.dir.clone()],
            ..Settings::partial(&[]).unwrap()
        };
        let none = BTreeSet::new();
        let of = |program, settings| {
            stays(
                (settings, program),
                &none,
                TESTS,
                "demo/RatesPalusTest.java",
            )
        };
        assert!(of(&program, &settings));
        // Another build takes it away while the run goes on.
        let elsewhere = Settings {
            classes_directories: Vec::new(),
            ..settings.clone()
        };
        assert!(of(&program, &elsewhere));
        let without = ProgramBuilder::new().finish();
        assert!(!of(&without, &elsewhere));
        assert!(of(&without, &settings));
    }
}
