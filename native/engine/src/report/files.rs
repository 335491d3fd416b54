//! What the run found, turned into the report's data and its files.
//!
//! Comes in: results of all stages. Goes out: `index.html`, `classes/*.html`, `codes.html`, what these share,
//! `report.json`, `palus.sarif` and `explain.json` in the report folder.
//! Does not know: how a page looks (see `report`).

use crate::listener::Listener;
use crate::message;
use crate::report::codes::{meaning, skip_code, skip_text};
use crate::report::explanations::explanations;
use crate::report::kept::{add_kept, skipped_with_kept};
use crate::report::names::method_text;
use crate::report::reached::{Reached, source_file};
use crate::report::results::{Facts, Results};
use crate::run::defect::bounded;
use crate::run::unit::UnitResult;
use crate::verify::coverage::{Counts, Coverage, LineStatus};
use crate::write::disk::{self, Found, look};
use crate::write::earlier::Earlier;
use crate::write::kept::TESTS;
use crate::{Error, Settings};
use palus_bytecode::{ClassId, Program};
use palus_generate::SkipCode;
use palus_report::{
    CLASS_FILES, ClassReport, DropReport, Explanations, Figures, GENERATED, LineMark, MethodReport,
    MethodSkip, MutantFigures, MutantReport, NOTHING_NEW, Report, SandboxReport, SourceLine,
    Survivor, WithoutTest, WrittenTest, class_page, class_page_name, codes_page, explanations_json,
    index_page, json, sarif,
};
use palus_suite::{Source, TestClass};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Where what `explain` reads is, in the report folder.
pub(crate) const EXPLANATIONS: &str = "explain.json";
/// Findings and changed behaviour for other tools, in the report folder.
pub(crate) const SARIF: &str = "palus.sarif";

/// Where the pages of classes are, in the report folder.
pub(crate) const PAGES: &str = "classes";

/// What was written.
pub(crate) struct WrittenReport {
    /// Path of the first page.
    pub(crate) first_page: String,
    /// What it could not say for a defect of Palus.
    pub(crate) faults: Vec<String>,
    /// How many small faults written tests notice; none where none were tried.
    pub(crate) mutants: Option<MutantFigures>,
    /// Why methods that a test can name have none.
    pub(crate) without_test: Vec<WithoutTest>,
    /// What it says of classes and their methods.
    pub(crate) classes: Vec<ClassReport>,
    pub(crate) explanations: Explanations,
}

/// Writes the report.
///
/// # Errors
/// A configuration error when the report folder cannot be written.
pub(crate) fn write_report(
    settings: &Settings,
    facts: &Facts,
    results: &Results<'_>,
    listener: &dyn Listener,
) -> Result<WrittenReport, Error> {
    let mut faults = Vec::new();
    let explanations = explained(settings, results, listener, &mut faults);
    let classes = class_reports(settings, results, &explanations, listener, &mut faults);
    let earlier = results.earlier.iter();
    let (staged, earlier): (Vec<&Earlier>, Vec<_>) = earlier.partition(|file| file.is_staged);
    let of_files = |files: &[&Earlier]| files.iter().map(|file| file.tests.len() as u64).sum();
    let (staged, earlier_files): (u64, u64) = (of_files(&staged), earlier.len() as u64);
    let earlier: u64 = of_files(&earlier);
    let new = results.verified.iter();
    let new: u64 = staged + new.map(|(class, _)| class.tests.len() as u64).sum::<u64>();
    let mut report = Report {
        schema_version: palus_report::SCHEMA_VERSION,
        palus_version: env!("CARGO_PKG_VERSION").to_owned(),
        project: settings.project_name.clone(),
        command_line: settings.command_line.clone(),
        java_version: facts.java_version.clone(),
        framework: facts.framework.clone(),
        seed: settings.seed,
        reproducible: results.reproducible,
        sandbox: SandboxReport {
            level: facts.guards.level().to_owned(),
            text: facts.guards.text(),
        },
        before: results.before.map(|coverage| figures(coverage.total)),
        after: results.after.map(|coverage| figures(coverage.total)),
        mutants: MutantFigures::of(&classes),
        tests: new + earlier,
        files: (results.verified.len() + results.earlier.len()) as u64,
        earlier_tests: earlier,
        earlier_files,
        stages: facts.stages.clone(),
        drops: drops(results),
        behaviour_changes: Vec::new(),
        findings: results.findings.to_vec(),
        unverified_findings: facts.unverified_findings,
        suppressed_findings: facts.suppressed_findings,
        protocols: facts.protocols.clone(),
        warnings: facts.warnings.clone(),
        classes,
        without_test: Vec::new(),
    };
    report.without_test = without_test(&explanations);
    let folder = &settings.report_directory;
    let put = |path: &Path, text: &str| put(path, &settings.secrets.redact(text));
    let pages = folder.join(PAGES);
    let _ = std::fs::remove_dir_all(&pages);
    std::fs::create_dir_all(&pages).map_err(|error| unwritable(&pages, &error))?;
    disk::sweep(folder);
    for class in &report.classes {
        let page = bounded(listener, &class.name, message::PAGE, || {
            class_page(&report, class, &explanations)
        });
        match page {
            Ok(page) => put(&pages.join(class_page_name(&class.name)), &page)?,
            Err(cause) => faults.push(message::report_given_up(&class.name, &cause)),
        }
    }
    for (name, text) in CLASS_FILES {
        put(&folder.join(name), text)?;
    }
    put(&folder.join("codes.html"), &codes_page(&report))?;
    put(
        &folder.join(EXPLANATIONS),
        &explanations_json(&explanations),
    )?;
    put(&folder.join("report.json"), &json(&report))?;
    put(&folder.join(SARIF), &sarif(&report))?;
    let index = folder.join("index.html");
    put(&index, &index_page(&report))?;
    Ok(WrittenReport {
        first_page: index.display().to_string(),
        faults,
        mutants: report.mutants,
        without_test: report.without_test,
        classes: report.classes,
        explanations,
    })
}

/// What there is to say of methods and models, also of classes that were not worked on, and of tests that stay.
fn explained(
    settings: &Settings,
    results: &Results<'_>,
    listener: &dyn Listener,
    faults: &mut Vec<String>,
) -> Explanations {
    let explanations = bounded(listener, "report", message::EXPLAIN, || {
        let mut explanations = explanations(&settings.command_line, results);
        add_kept(results, &mut explanations.classes);
        explanations
    });
    let mut explanations = explanations.unwrap_or_else(|cause| {
        faults.push(message::report_given_up("methods", &cause));
        Explanations::default()
    });
    let aside = results.set_aside.iter();
    let aside: BTreeSet<String> = aside
        .flat_map(|&class| results.program.nest(class))
        .map(|class| results.program.class(class).binary_name())
        .collect();
    let left = results.left.explanations.iter();
    let left = left.filter(|class| aside.contains(&class.name)).cloned();
    explanations.classes.extend(left);
    explanations
        .classes
        .sort_by(|left, right| left.name.cmp(&right.name));
    explanations
}

/// Candidates dropped by code, those of classes that were set aside as the last run dropped them.
fn drops(results: &Results<'_>) -> Vec<DropReport> {
    let own = results.drops.iter();
    let mut drops: BTreeMap<&str, u64> =
        own.map(|(reason, &count)| (reason.code(), count)).collect();
    let aside = results.set_aside.iter();
    let aside: BTreeSet<String> = aside
        .map(|&class| results.program.class(class).binary_name())
        .collect();
    let left = results.left.classes.iter();
    let left = left.filter(|class| aside.contains(&class.name));
    for (code, count) in left.flat_map(|class| &class.drops) {
        *drops.entry(code).or_default() += count;
    }
    let row = |(code, count): (&str, u64)| DropReport {
        text: meaning(code).to_owned(),
        code: code.to_owned(),
        count,
    };
    drops.into_iter().map(row).collect()
}

/// Why methods that a test can name and somebody wrote have none, the most frequent reason first.
fn without_test(explanations: &Explanations) -> Vec<WithoutTest> {
    let mut reasons: BTreeMap<&str, u64> = BTreeMap::new();
    let methods = explanations.classes.iter().flat_map(|class| &class.methods);
    let private = skip_code(SkipCode::NotAccessible);
    let without = methods
        .filter(|method| method.tests.is_empty())
        .map(why_without);
    for code in without.filter(|&code| code != private && code != GENERATED) {
        *reasons.entry(code).or_default() += 1;
    }
    let row = |(code, count): (&str, u64)| WithoutTest {
        text: palus_report::code(code)
            .map_or(code, |known| known.meaning)
            .to_owned(),
        code: code.to_owned(),
        count,
    };
    let mut rows: Vec<WithoutTest> = reasons.into_iter().map(row).collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.count));
    rows
}

/// The code of why a method has none.
fn why_without(method: &MethodReport) -> &str {
    let drop = method.drops.first().map(|drop| drop.code.as_str());
    method.skip.as_deref().or(drop).unwrap_or(NOTHING_NEW)
}

fn class_reports(
    settings: &Settings,
    results: &Results<'_>,
    explanations: &Explanations,
    listener: &dyn Listener,
    faults: &mut Vec<String>,
) -> Vec<ClassReport> {
    let tests: BTreeMap<ClassId, &(TestClass, Source)> = results
        .verified
        .iter()
        .map(|pair| (pair.0.subject, pair))
        .collect();
    let reached = Reached::of(results);
    let row = |subject: ClassId| {
        let class = results.program.class(subject);
        let of = |coverage: Option<&Coverage>| {
            coverage.map(|coverage| figures(with_nested(coverage, &class.name)))
        };
        ClassReport {
            name: class.binary_name(),
            tests: match tests.get(&subject) {
                Some((class, source)) => written(class, source),
                None => written_earlier(&format!("{}{TESTS}", class.name), results.earlier),
            },
            before: of(results.before),
            after: of(results.after),
            source: source_lines(settings, results, &reached, subject),
            has_model: results.models.has(subject),
            ..ClassReport::default()
        }
    };
    let one = |unit: &UnitResult| {
        let tests = tests.get(&unit.subject);
        ClassReport {
            steps: unit.steps,
            skipped: skipped_with_kept(results, unit, &explanations.classes)
                .unwrap_or_else(|| skipped(results.program, unit)),
            mutants: tests.and_then(|(class, _)| mutants(results.program, class)),
            ..row(unit.subject)
        }
    };
    let aside = |subject: ClassId| {
        let row = row(subject);
        let left = results
            .left
            .classes
            .iter()
            .find(|left| left.name == row.name);
        let left = left.cloned().unwrap_or_default();
        ClassReport {
            steps: left.steps,
            skipped: left.skipped,
            mutants: left.mutants,
            ..row
        }
    };
    let mut told = |subject: ClassId, tell: &dyn Fn() -> ClassReport| {
        let name = results.program.class(subject).binary_name();
        bounded(listener, &name, message::REPORT, tell).unwrap_or_else(|cause| {
            faults.push(message::report_given_up(&name, &cause));
            ClassReport {
                name,
                ..ClassReport::default()
            }
        })
    };
    let units = results.units.iter();
    let mut reports: Vec<ClassReport> = units
        .map(|unit| told(unit.subject, &|| one(unit)))
        .collect();
    let aside = results
        .set_aside
        .iter()
        .map(|&class| told(class, &|| aside(class)));
    reports.extend(aside);
    reports.sort_by(|left, right| left.name.cmp(&right.name));
    reports
}

/// The methods without a test.
pub(crate) fn skipped(program: &Program, unit: &UnitResult) -> Vec<MethodSkip> {
    let skip = |&(method, code): &(_, SkipCode)| MethodSkip {
        method: method_text(program, method),
        code: skip_code(code).to_owned(),
        text: skip_text(code).into_owned(),
    };
    unit.skipped.iter().map(skip).collect()
}

fn written(class: &TestClass, source: &Source) -> Vec<WrittenTest> {
    let lines: Vec<&str> = source.text.lines().collect();
    class
        .tests
        .iter()
        .zip(&source.lines)
        .map(|(test, &(first, last))| WrittenTest {
            name: test.name.clone(),
            text: lines
                .get(first.saturating_sub(1) as usize..last as usize)
                .map_or(String::new(), |lines| lines.join("\n")),
        })
        .collect()
}

/// What the written tests notice; none where no faults were tried.
pub(crate) fn mutants(program: &Program, class: &TestClass) -> Option<MutantReport> {
    let all = &class.faults.mutants;
    if all.is_empty() {
        return None;
    }
    let killed: BTreeSet<u32> = class
        .tests
        .iter()
        .flat_map(|test| &test.kills)
        .copied()
        .collect();
    let told = |place: u32| {
        let mutant = all.get(place as usize)?;
        let owner = ClassId(mutant.class);
        let method = program.declared_method(owner, &mutant.method, &mutant.descriptor)?;
        Some(Survivor {
            class: program.class(owner).binary_name(),
            method: method_text(program, method),
            line: mutant.line,
            operator: mutant.operator.to_owned(),
            detail: mutant.detail.to_string(),
        })
    };
    let covered: BTreeSet<u32> = class.faults.covered.iter().copied().collect();
    let unreached = (0..all.len() as u32).filter(|place| !covered.contains(place));
    Some(MutantReport {
        made: all.len() as u64,
        covered: covered.len() as u64,
        killed: killed.len() as u64,
        survivors: covered
            .difference(&killed)
            .copied()
            .filter_map(told)
            .collect(),
        unreached: unreached.filter_map(told).collect(),
    })
}

/// The tests of the file of an earlier run with this path.
fn written_earlier(path: &str, earlier: &[Earlier]) -> Vec<WrittenTest> {
    let of_path = earlier.iter().filter(|file| file.path == path);
    let tests = of_path.flat_map(|file| {
        file.tests.iter().map(|test| WrittenTest {
            name: test.name.clone(),
            text: file.text_of(test),
        })
    });
    tests.collect()
}

/// Coverage of a class and of those nested in it.
fn with_nested(coverage: &Coverage, name: &str) -> Counts {
    let nested = format!("{name}$");
    let mut sum = Counts::default();
    for (class, counts) in &coverage.classes {
        if class == name || class.starts_with(&nested) {
            sum.lines_covered += counts.lines_covered;
            sum.lines += counts.lines;
            sum.branches_covered += counts.branches_covered;
            sum.branches += counts.branches;
        }
    }
    sum
}

/// The source of a class with what covers each line; empty where the file is not found.
fn source_lines(
    settings: &Settings,
    results: &Results<'_>,
    reached: &Reached,
    subject: ClassId,
) -> Vec<SourceLine> {
    let Some(relative) = source_file(results.program, subject) else {
        return Vec::new();
    };
    let Some(text) = settings
        .source_directories
        .iter()
        .find_map(|folder: &PathBuf| match look(&folder.join(&relative)) {
            Found::File(bytes) => Some(bytes),
            Found::Nothing | Found::Other(_) => None,
        })
    else {
        return Vec::new();
    };
    let none = BTreeMap::new();
    let lines = |coverage: Option<&'_ Coverage>| -> BTreeMap<u32, LineStatus> {
        coverage
            .and_then(|coverage| coverage.lines.get(&relative))
            .unwrap_or(&none)
            .clone()
    };
    let (before, after) = (lines(results.before), lines(results.after));
    let name = results.program.class(subject).binary_name();
    String::from_utf8_lossy(&text)
        .lines()
        .zip(1..)
        .map(|(text, number)| {
            let (tests, more) = reached.at(&relative, number, &name);
            SourceLine {
                text: text.to_owned(),
                mark: mark(before.get(&number).copied(), after.get(&number).copied()),
                tests,
                more,
            }
        })
        .collect()
}

fn mark(before: Option<LineStatus>, after: Option<LineStatus>) -> LineMark {
    match (before, after) {
        (_, None) => LineMark::None,
        (_, Some(LineStatus::Missed)) => LineMark::Missed,
        (before, Some(after)) if before.is_none_or(|before| before < after) => LineMark::New,
        _ => LineMark::Before,
    }
}

fn figures(counts: Counts) -> Figures {
    Figures {
        lines_covered: counts.lines_covered,
        lines: counts.lines,
        branches_covered: counts.branches_covered,
        branches: counts.branches,
    }
}

/// Writes a file of the report, whole or not at all. A link in its place is replaced: what it leads to is the user's.
pub(super) fn put(path: &Path, text: &str) -> Result<(), Error> {
    disk::put(path, text).map_err(|error| unwritable(path, &error))
}

pub(super) fn unwritable(path: &Path, error: &std::io::Error) -> Error {
    Error::configuration(
        format!("cannot write {}: {error}", path.display()),
        "check the permissions and the free space of this folder; the written tests are not affected",
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use palus_report::{ClassExplanation, DroppedTest};

    #[test]
    fn a_page_takes_the_place_of_the_last_one_and_is_not_written_into_it() {
        let folder = tempfile::tempdir().unwrap();
        let [page, seen] = ["report.json", "seen.json"].map(|name| folder.path().join(name));
        put(&page, "first").unwrap();
        // Who has opened the last one goes on reading it.
        std::fs::hard_link(&page, &seen).unwrap();
        put(&page, "second").unwrap();
        let [page, seen] = [page, seen].map(|path| std::fs::read_to_string(path).unwrap());
        assert_eq!([page, seen], ["second", "first"]);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    #[test]
    fn methods_without_a_test_are_counted_by_why_but_not_those_that_no_test_can_name() {
        let method = |tests: &[&str], skip: Option<&str>, drop: Option<&str>| MethodReport {
            tests: tests.iter().map(|&test| test.to_owned()).collect(),
            skip: skip.map(str::to_owned),
            drops: drop
                .iter()
                .map(|&code| DroppedTest {
                    code: code.to_owned(),
                    ..DroppedTest::default()
                })
                .collect(),
            ..MethodReport::default()
        };
        let explanations = Explanations {
            classes: vec![ClassExplanation {
                methods: vec![
                    method(&["APalusTest#a"], None, Some("harms-elsewhere")),
                    method(&[], Some("S02"), None),
                    method(&[], Some("S04"), None),
                    method(&[], None, Some("harms-elsewhere")),
                    method(&[], None, Some("harms-elsewhere")),
                    method(&[], None, None),
                ],
                ..ClassExplanation::default()
            }],
            ..Explanations::default()
        };
        let rows = without_test(&explanations);
        let rows: Vec<_> = rows
            .iter()
            .map(|row| (row.code.as_str(), row.count))
            .collect();
        assert_eq!(rows, [("harms-elsewhere", 2), ("S04", 1), ("S15", 1)]);
    }
}
