//! Findings from units to files: what is suppressed, verified to fail, known, written and reported.
//!
//! Comes in: findings of all units, the baseline, and findings that stand where the last run left them. Goes out: test
//! classes in the findings folder, rows for the report, and the baseline anew where that is wanted.
//! A finding is written only if its test compiles and fails in two fresh JVMs for the reason it names; the folder is
//! under a manifest, as the folder of tests is. Findings fail nothing.
//! Does not know: how a finding was found.

use crate::report::places::place_of;
use crate::run::defect::bounded;
use crate::run::unchanged::{Finders, Standing};
use crate::verify::verifier::{Verifier, binary_name, relative_path};
use crate::verify::{DropReason, Verdict};
use crate::write::disk::{replace, unwritable};
use crate::write::kept::{FINDINGS, stays};
use crate::write::manifest::{Manifest, hash};
use crate::write::sources::left_alone;
use crate::{Error, Listener, Settings, message};
use palus_bytecode::{ClassId, Mark, Origin, Program};
use palus_report::{FindingReport, read_baseline, write_baseline};
use palus_suite::{Finding, Source, TestClass, findings_class_name};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// More rounds than this drop what is left.
const ROUNDS: usize = 5;

/// What became of the findings of a run.
#[derive(Debug, Default)]
pub(crate) struct Reported {
    /// Those written, by code and class.
    pub(crate) rows: Vec<FindingReport>,
    /// How many a `@PalusIgnore` names, by the class whose work found them.
    pub(crate) suppressed: BTreeMap<String, u64>,
    /// How many have a test that does not fail as it should, by such a class.
    pub(crate) unverified: BTreeMap<String, u64>,
    /// Those whose test does not fail as it should, with what was seen.
    pub(crate) dropped: Vec<String>,
    /// Files that are not ours and were left alone.
    pub(crate) left_alone: Vec<String>,
    /// Classes whose findings Palus itself failed on, and the cause.
    pub(crate) defects: BTreeMap<ClassId, String>,
    /// Names of the classes whose work found these.
    pub(crate) again: BTreeSet<String>,
    /// Which classes found what, and what stands in which file.
    pub(crate) finders: Finders,
}

/// A finding and the test class it stands in.
struct Kept {
    class: usize,
    finding: Finding,
}

/// Verifies, writes and compares with those that were known before.
///
/// # Errors
/// When a folder or the baseline cannot be written, or no JVM starts.
pub(crate) fn report(
    verifier: &Verifier<'_>,
    known: &BTreeSet<String>,
    standing: &Standing,
    findings: impl Iterator<Item = (ClassId, Finding)>,
    completed: &BTreeSet<String>,
) -> Result<Reported, Error> {
    let settings = verifier.settings;
    let program = &*verifier.project.program;
    let mut reported = Reported::default();
    let mut by_bug: BTreeMap<String, Finding> = BTreeMap::new();
    let mut units: BTreeMap<ClassId, BTreeSet<String>> = BTreeMap::new();
    for (unit, finding) in findings {
        let unit = name(program, unit);
        units
            .entry(finding.subject)
            .or_default()
            .insert(unit.clone());
        let sorted = bounded(
            verifier.listener,
            &name(program, finding.subject),
            message::SORT,
            || (!is_suppressed(program, &finding)).then(|| finding.identity()),
        );
        let identity = match sorted {
            Ok(Some(identity)) => identity,
            Ok(None) => {
                *reported.suppressed.entry(unit).or_default() += 1;
                continue;
            }
            Err(cause) => {
                reported.defects.insert(finding.subject, cause);
                continue;
            }
        };
        let of_bug = reported.finders.units.entry(identity.clone()).or_default();
        of_bug.insert(unit);
        if standing.holds(&identity) {
            continue;
        }
        let size = |one: &Finding| one.test.run.sequence.len();
        let other = by_bug.get(&identity);
        if other.is_none_or(|other| size(&finding) < size(other)) {
            by_bug.insert(identity, finding);
        }
    }
    let (mut classes, mut kept) = classes(
        program,
        verifier.listener,
        by_bug.into_values(),
        &mut reported,
    );
    let sources = verify(verifier, &mut classes, &mut kept, &mut reported)?;
    for (number, class) in classes.iter_mut().enumerate() {
        let of_class = || kept.iter().filter(|one| one.class == number);
        let rows = bounded(
            verifier.listener,
            &binary_name(class),
            message::SHOW,
            || {
                let findings = of_class().map(|one| &one.finding);
                rows(verifier, findings, class, &sources[number], known)
            },
        );
        match rows {
            Ok(rows) => reported.rows.extend(rows),
            Err(cause) => give_up(number, class, &mut kept, cause, &mut reported),
        }
    }
    // What stands in the folder of a class that Palus failed on is as good as it was.
    let failed: BTreeSet<String> = reported
        .defects
        .keys()
        .map(|&class| name(program, class))
        .collect();
    let completed: BTreeSet<String> = completed.difference(&failed).cloned().collect();
    let of_failed = reported.defects.keys().filter_map(|class| units.get(class));
    reported.again = of_failed.flatten().cloned().collect();
    let keeps =
        |file: &str| stays((settings, program), &completed, FINDINGS, file) || standing.keeps(file);
    write(settings, &classes, &sources, &keeps, &mut reported)?;
    if settings.update_baseline {
        let found = reported.finders.units.keys();
        let found = found.filter(|id| standing.holds(id));
        // Another module may have written it since this run began.
        let there = self::known(settings)?;
        let others = there.iter().filter(|id| !is_about(program, id));
        let rows = reported.rows.iter().map(|row| &row.id);
        let ids = rows.chain(found).chain(others);
        save(&settings.baseline, &write_baseline(ids.cloned().collect()))?;
    }
    reported
        .rows
        .sort_by(|left, right| (&left.code, &left.id).cmp(&(&right.code, &right.id)));
    Ok(reported)
}

/// The report's rows for the findings of one class, in the order of its tests.
fn rows<'f>(
    verifier: &Verifier<'_>,
    findings: impl Iterator<Item = &'f Finding>,
    class: &TestClass,
    source: &Source,
    known: &BTreeSet<String>,
) -> Vec<FindingReport> {
    let rows = findings.enumerate().map(|(place, finding)| {
        let id = finding.identity();
        FindingReport {
            is_new: !known.contains(&id),
            id,
            code: finding.code.to_owned(),
            class: finding.class.clone(),
            method: finding.member.clone(),
            place: place_of(verifier.settings, &verifier.project.program, finding.method)
                .unwrap_or_default(),
            broken: finding.broken.clone(),
            text: finding.text(),
            file: relative_path(class),
            test: finding.test.name.clone(),
            source: lines(source, place),
            unsafe_use: None,
        }
    });
    rows.collect()
}

/// `demo.Account`
fn name(program: &Program, class: ClassId) -> String {
    program.class(class).binary_name()
}

/// Takes out the findings of a class that Palus itself failed on.
fn give_up(
    number: usize,
    class: &mut TestClass,
    kept: &mut Vec<Kept>,
    cause: String,
    reported: &mut Reported,
) {
    class.tests.clear();
    kept.retain(|one| one.class != number);
    reported.defects.insert(class.subject, cause);
}

/// True where a `@PalusIgnore` on the method, its class or a class around it names the code.
fn is_suppressed(program: &Program, finding: &Finding) -> bool {
    let names = |marks: &[Mark]| {
        marks
            .iter()
            .filter(|mark| &*mark.name == "PalusIgnore")
            .any(|mark| mark.texts("value").any(|code| code == finding.code))
    };
    if names(&program.method(finding.method).marks) {
        return true;
    }
    let mut next = Some(finding.owner);
    while let Some(class) = next.map(|id| program.class(id)) {
        if names(&class.marks) {
            return true;
        }
        next = class
            .outer
            .as_deref()
            .and_then(|outer| program.class_named(outer));
    }
    false
}

/// One test class per subject, by name, with unique names.
fn classes(
    program: &Program,
    listener: &dyn Listener,
    findings: impl Iterator<Item = Finding>,
    reported: &mut Reported,
) -> (Vec<TestClass>, Vec<Kept>) {
    let mut by_subject: BTreeMap<(&str, ClassId), Vec<Finding>> = BTreeMap::new();
    for finding in findings {
        by_subject
            .entry((&program.class(finding.subject).name, finding.subject))
            .or_default()
            .push(finding);
    }
    let mut classes = Vec::new();
    let mut kept = Vec::new();
    for ((_, subject), group) in by_subject {
        let made = bounded(listener, &name(program, subject), message::NAME, || {
            named(program, subject, group)
        });
        match made {
            Ok((class, findings)) => {
                let number = classes.len();
                kept.extend(findings.into_iter().map(|finding| Kept {
                    class: number,
                    finding,
                }));
                classes.push(class);
            }
            Err(cause) => {
                reported.defects.insert(subject, cause);
            }
        }
    }
    (classes, kept)
}

/// The test class of these findings, which get names of their own.
fn named(
    program: &Program,
    subject: ClassId,
    mut group: Vec<Finding>,
) -> (TestClass, Vec<Finding>) {
    let mut names = BTreeSet::new();
    for finding in &mut group {
        let name = finding.test.name.clone();
        finding.test.name = std::iter::once(name.clone())
            .chain((2..u32::MAX).map(|count| format!("{name}_{count}")))
            .find(|name| names.insert(name.clone()))
            .expect("there are more numbers than findings");
    }
    let class = TestClass {
        subject,
        package: palus_bytecode::binary_name(program.package(subject)),
        name: findings_class_name(program, subject),
        tests: group.iter().map(|finding| finding.test.clone()).collect(),
        faults: palus_suite::Faults::default(),
    };
    (class, group)
}

/// Drops what is refused by the compiler or does not fail as it should, twice in fresh JVMs.
fn verify(
    verifier: &Verifier<'_>,
    classes: &mut [TestClass],
    kept: &mut Vec<Kept>,
    reported: &mut Reported,
) -> Result<Vec<Source>, Error> {
    let folder = verifier.settings.work_directory.join("verify-findings");
    for round in 0..=ROUNDS {
        let mut sources = Vec::new();
        let mut held = Vec::new();
        for (number, class) in classes.iter_mut().enumerate() {
            // A class without tests would be compiled for nothing; it stays to keep the numbers.
            let prepared = (!class.tests.is_empty()).then(|| verifier.prepare(class));
            let source = match prepared {
                Some(Ok(prepared)) => {
                    held.extend(prepared.held.iter().map(|one| one.of(number)));
                    prepared.source
                }
                Some(Err(cause)) => {
                    give_up(number, class, kept, cause, reported);
                    Source::default()
                }
                None => Source::default(),
            };
            sources.push(source);
        }
        if kept.is_empty() {
            return Ok(sources);
        }
        let mut bad: BTreeMap<usize, String> = BTreeMap::new();
        let compiled = if held.is_empty() {
            verifier.compile(classes, &sources, &[], &folder)?
        } else {
            Err(held)
        };
        match compiled {
            Err(refused) => {
                for one in refused {
                    let mut of_class =
                        (0..kept.len()).filter(|&index| kept[index].class == one.class);
                    if let Some(index) = of_class.nth(one.test) {
                        bad.insert(index, one.text);
                    }
                }
            }
            Ok(compiled) => {
                for _ in 0..2 {
                    let verdicts = verifier.verdicts(classes, &compiled)?;
                    for (index, verdict) in verdicts.into_iter().enumerate() {
                        if let Some(text) = wrong(&kept[index].finding, &verdict) {
                            bad.insert(index, text);
                        }
                    }
                }
            }
        }
        if bad.is_empty() {
            return Ok(sources);
        }
        let is_last = round + 1 >= ROUNDS;
        let mut index = 0;
        kept.retain(|one| {
            let text = bad.get(&index);
            index += 1;
            if text.is_some() || is_last {
                let identity = one.finding.identity();
                let units = reported.finders.units.get(&identity);
                if let Some(unit) = units.and_then(|units| units.first()) {
                    *reported.unverified.entry(unit.clone()).or_default() += 1;
                }
                reported.dropped.push(format!(
                    "finding {identity} dropped: {}",
                    text.map_or("not verified", |text| text)
                ));
            }
            text.is_none() && !is_last
        });
        for (number, class) in classes.iter_mut().enumerate() {
            class.tests = kept
                .iter()
                .filter(|one| one.class == number)
                .map(|one| one.finding.test.clone())
                .collect();
        }
    }
    Ok(Vec::new())
}

/// What is wrong with a verdict; none where the test fails for the reason it names.
fn wrong(finding: &Finding, verdict: &Verdict) -> Option<String> {
    match verdict {
        Verdict::Stable => Some("the test passes in a fresh JVM".to_owned()),
        Verdict::Failed {
            reason: DropReason::FailsWhenRunAgain,
            text,
        } if finding.failure.iter().any(|part| text.contains(part)) => None,
        Verdict::Failed { reason, text } => Some(format!("{}: {text}", reason.code())),
    }
}

/// Identities that the baseline holds; none without a baseline.
///
/// # Errors
/// When there is a file that cannot be read, or that is no baseline.
pub(crate) fn known(settings: &Settings) -> Result<BTreeSet<String>, Error> {
    let path = &settings.baseline;
    match std::fs::read_to_string(path) {
        Ok(text) => read_baseline(&text).map_err(|error| {
            Error::configuration(
                format!("{} is no baseline: {error}", path.display()),
                "delete it, and have it written anew with the setting `updateBaseline`",
            )
        }),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(BTreeSet::new()),
        Err(error) => Err(Error::configuration(
            format!("cannot read the baseline {}: {error}", path.display()),
            "it must be a file that the setting `updateBaseline` wrote: make it readable, or name \
             another one with the setting `baseline`",
        )),
    }
}

/// Whether the class that an identity names is in the project: modules may share a baseline, and each knows only its own.
fn is_about(program: &Program, id: &str) -> bool {
    let class = id
        .split_once(' ')
        .and_then(|(_, rest)| rest.split_once('#'));
    class.is_some_and(|(class, _)| {
        let own = program.classes().iter();
        let mut own = own.filter(|one| matches!(one.origin, Origin::Subject | Origin::Test));
        own.any(|one| {
            program.source_name(one.id).as_deref() == Some(class) || one.binary_name() == class
        })
    })
}

/// Writes the baseline, and the folder it is wanted in.
fn save(path: &Path, text: &str) -> Result<(), Error> {
    let made = path.parent().map_or(Ok(()), std::fs::create_dir_all);
    made.and_then(|()| replace(path, text))
        .map_err(|error| unwritable(path, &error))
}

fn write(
    settings: &Settings,
    classes: &[TestClass],
    sources: &[Source],
    keeps: &dyn Fn(&str) -> bool,
    reported: &mut Reported,
) -> Result<(), Error> {
    let folder = &settings.findings_directory;
    if classes.iter().all(|class| class.tests.is_empty()) && !folder.exists() {
        return Ok(());
    }
    let mut manifest = Manifest::of_findings(settings)?;
    let full = classes.iter().zip(sources);
    let full = full.filter(|(class, _)| !class.tests.is_empty());
    let files: Vec<_> = full
        .map(|(class, source)| (relative_path(class), source.text.as_str()))
        .collect();
    reported
        .left_alone
        .extend(left_alone(&mut manifest, &files)?);
    manifest.finish(keeps)?;
    let hashes = files
        .into_iter()
        .map(|(path, text)| (path, hash(text.as_bytes())));
    reported.finders.files = hashes.collect();
    Ok(())
}

fn lines(source: &Source, test: usize) -> String {
    let (first, last) = source.lines.get(test).copied().unwrap_or_default();
    let lines: Vec<&str> = source.text.lines().collect();
    lines
        .get(first.saturating_sub(1) as usize..last as usize)
        .map_or(String::new(), |lines| lines.join("\n"))
}
