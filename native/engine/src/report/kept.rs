//! What files of earlier runs say of methods: a method that a test on disk calls has one, whatever this run came to.
//!
//! Comes in: results of all stages, and what this run says of the methods. Goes out: the same with the tests that stay, by
//! what the run said that wrote them.
//! Does not know: how tests are read from their files (see `write/earlier.rs`).

use crate::report::codes::{meaning, skip_code};
use crate::report::results::Results;
use crate::run::unit::UnitResult;
use crate::write::earlier::Earlier;
use crate::write::kept::TESTS;
use palus_generate::SkipCode;
use palus_report::{ClassExplanation, MethodReport, MethodSkip};
use std::collections::{BTreeMap, BTreeSet};

/// Adds what earlier runs said of the tests of theirs that stay, and why a method has none where this run did not come to
/// know it.
pub(crate) fn add_kept(results: &Results<'_>, classes: &mut [ClassExplanation]) {
    if results.earlier.is_empty() {
        return;
    }
    let on_disk: BTreeSet<String> = results.earlier.iter().flat_map(names).collect();
    let unfinished: BTreeSet<String> = results
        .units
        .iter()
        .filter(|unit| keeps_file(results, unit))
        .flat_map(|unit| results.program.nest(unit.subject))
        .map(|class| results.program.class(class).binary_name())
        .collect();
    let left = results.left.explanations.iter();
    let left: BTreeMap<&str, &ClassExplanation> =
        left.map(|class| (class.name.as_str(), class)).collect();
    for class in classes {
        let Some(left) = left.get(class.name.as_str()) else {
            continue;
        };
        let is_unfinished = unfinished.contains(&class.name);
        for method in &mut class.methods {
            let before = left.methods.iter().find(|one| one.method == method.method);
            if let Some(before) = before {
                add(method, before, &on_disk, is_unfinished);
            }
        }
    }
}

fn add(
    method: &mut MethodReport,
    before: &MethodReport,
    on_disk: &BTreeSet<String>,
    is_unfinished: bool,
) {
    let stay = before.tests.iter().filter(|test| on_disk.contains(*test));
    let stay: Vec<String> = stay
        .filter(|test| !method.tests.contains(test))
        .cloned()
        .collect();
    let had_none = method.tests.is_empty();
    method.tests.extend(stay);
    if !method.tests.is_empty() {
        if had_none {
            method.skip = None;
            method.cause.clear();
            method.missing.clear();
        }
    } else if is_unfinished && before.tests.is_empty() && is_out_of_budget(method) {
        method.skip.clone_from(&before.skip);
        method.cause.clone_from(&before.cause);
        method.missing.clone_from(&before.missing);
        method.drops.clone_from(&before.drops);
    }
}

/// The methods of a class without a test; none where this run's work on it says why.
pub(crate) fn skipped_with_kept(
    results: &Results<'_>,
    unit: &UnitResult,
    classes: &[ClassExplanation],
) -> Option<Vec<MethodSkip>> {
    if !keeps_file(results, unit) {
        return None;
    }
    let program = results.program;
    let nest = program.nest(unit.subject).into_iter();
    let names: BTreeSet<String> = nest
        .map(|class| program.class(class).binary_name())
        .collect();
    let classes = classes.iter().filter(|class| names.contains(&class.name));
    let methods = classes.flat_map(|class| &class.methods);
    // Private ones are tested through others, and no unit tells of them.
    let private = skip_code(SkipCode::NotAccessible);
    let skip = |method: &MethodReport| {
        let code = method.skip.clone().filter(|code| code != private)?;
        Some(MethodSkip {
            method: method.method.clone(),
            text: meaning(&code).to_owned(),
            code,
        })
    };
    Some(methods.filter_map(skip).collect())
}

/// Whether a class got no test by this run, and has a file of an earlier one.
fn keeps_file(results: &Results<'_>, unit: &UnitResult) -> bool {
    let is_new = |(class, _): &(palus_suite::TestClass, _)| class.subject == unit.subject;
    let path = format!("{}{TESTS}", results.program.class(unit.subject).name);
    !results.verified.iter().any(is_new) && results.earlier.iter().any(|file| file.path == path)
}

fn is_out_of_budget(method: &MethodReport) -> bool {
    method.skip.as_deref() == Some(skip_code(SkipCode::OutOfBudget))
}

/// `APalusTest#adds`, as explanations name tests.
fn names(file: &Earlier) -> impl Iterator<Item = String> + '_ {
    let class = file.path.strip_suffix(".java").unwrap_or(&file.path);
    let class = class.rsplit('/').next().unwrap_or(class).to_owned();
    let tests = file.tests.iter();
    tests.map(move |test| format!("{class}#{}", test.name))
}
