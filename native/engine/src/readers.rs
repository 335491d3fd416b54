//! What reads bytes from elsewhere, as functions of bytes: for the fuzzer (`native/fuzz`), and for nobody else.
//!
//! Comes in: bytes as a jar, a file of an earlier run or another process may hold them. Goes out: how much was read.
//! Does not know: files, processes.

use crate::report::explain::lines;
use crate::run::regression::lines_about_methods;
use crate::run::staged::StagedClass;
use crate::secrets::argument_files;
use crate::subject::class_path::{member, open_archive};
use crate::subject::{model_cache, outside};
use crate::verify::coverage;
use crate::verify::report::Report;
use crate::verify::toolchain;
use crate::worker::guards::Guards;
use crate::worker::sandbox::interpreter;
use crate::worker::translate::outcome;
use crate::write::earlier::{Earlier, body};
use crate::write::manifest;
use crate::{Secrets, Settings};
use palus_bytecode::Program;
use palus_report::{read_baseline, read_changes, read_explanations, read_left, with_changes};
use palus_sequence::Probe;
use palus_wire::models::open;
use palus_wire::response::Response;
use std::io::Cursor;
use std::path::Path;

/// Class files that a jar has and that are whole.
pub fn jar(bytes: &[u8]) -> usize {
    let Ok((mut archive, places)) = open_archive(Cursor::new(bytes), 17) else {
        return 0;
    };
    let whole = places
        .values()
        .filter(|place| member(&mut archive, **place).is_some());
    whole.count()
}

/// Classes that the constants of a class file name.
pub fn constants(bytes: &[u8]) -> Option<usize> {
    outside::named(bytes).map(|names| names.len())
}

/// Files that a manifest names; whose folder it is is read too.
pub fn manifest(bytes: &[u8]) -> usize {
    let other = manifest::other_project(bytes, Path::new("/p/tests"), Path::new("/p"));
    assert_eq!(other, None, "no folder is below one that is not there");
    manifest::parse(bytes).len()
}

/// Words of a file of arguments, as the launcher of Java reads it and as the JVM does.
pub fn argument_file(text: &str) -> usize {
    argument_files::words(text, true).len() + argument_files::words(text, false).len()
}

/// True if this is the report of an earlier run, which gets other changes of behaviour.
pub fn report(text: &str) -> bool {
    let otherwise = palus_report::Report::default();
    let page = palus_report::index_page(&otherwise);
    let with = with_changes(Some(text), Some(&page), &[], &otherwise);
    with.json.contains("P101") && with.sarif.contains("P101")
}

/// True if this is a program that names what loads it.
pub fn program(bytes: &[u8]) -> bool {
    interpreter(bytes).is_some()
}

/// Length of the text of a staged class; its digest is taken to be right, as that of models is.
pub fn staged(bytes: &[u8]) -> Option<usize> {
    StagedClass::parse(bytes).map(|class| class.text.len())
}

/// Models in a cache file; its digest is taken to be right, since whoever damages the rest can mend that too.
pub fn models(program: &Program, bytes: &[u8]) -> usize {
    let Ok(Some((_, body))) = open(bytes, &[0; 32]) else {
        return 0;
    };
    model_cache::restore(program, body).map_or(0, |models| models.len())
}

/// Outcomes in a worker's answer, in generation's words.
pub fn outcomes(program: &Program, secrets: &Secrets, body: &[u8]) -> Option<usize> {
    let watched = [Probe { class: 0, index: 0 }, Probe { class: 0, index: 1 }];
    let answer = Response::decode(body).ok()?;
    let Response::Outcomes(outcomes) = answer else {
        return Some(0);
    };
    let outcomes = outcomes
        .into_iter()
        .map(|wire| outcome(program, secrets, &watched, wire));
    Some(outcomes.count())
}

/// Lines that `explain` tells of a method, from the text of `explain.json`.
pub fn explanations(text: &str) -> Option<usize> {
    let explanations = read_explanations(text).ok()?;
    let told = lines(&explanations, &[], "road.Map#add");
    Some(told.map_or(0, |lines| lines.len()))
}

/// Classes of which a run left a note for the next one.
pub fn notes_of_classes(text: &str) -> Option<usize> {
    read_left(text).ok().map(|left| left.classes.len())
}

/// Findings that a baseline knows.
pub fn baseline(text: &str) -> Option<usize> {
    read_baseline(text).ok().map(|known| known.len())
}

/// Changes of behaviour that the last run told.
pub fn changes(text: &str) -> usize {
    read_changes(text).len()
}

/// Tests of a file that somebody may have edited, each asked what each of its lines is about.
pub fn edited_tests(settings: &Settings, text: &str) -> usize {
    let earlier = Earlier::new("demo/APalusTest.java", text.to_owned());
    let about = lines_about_methods(&earlier, settings);
    let bodies = earlier.tests.iter();
    let bodies = bodies.filter(|test| !body(&earlier.text_of(test)).is_empty());
    bodies.count() + about
}

/// What was understood of the lines of the launcher, of the compiler, and of the JVMs that verify tests and measure
/// coverage.
pub fn lines_of_processes(text: &str) -> usize {
    let guards = usize::from(Guards::read(text).is_some());
    let errors = toolchain::parse(text, Path::new("/p/src")).len();
    let covered = coverage::parse(text).map_or(0, |coverage| coverage.classes.len());
    let mut report = Report::default();
    for line in text.lines() {
        report.read(line);
    }
    guards + errors + covered + report.passed.len() + report.failed.len()
}

/// True if these are settings: lines `name=value`.
pub fn settings(text: &str) -> bool {
    let pairs = text.lines().filter_map(|line| line.split_once('='));
    let pairs: Vec<(String, String)> = pairs
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    Settings::from_pairs(&pairs).is_ok()
}
