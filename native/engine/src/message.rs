//! The console's lines: what a stage found, counted, wrote and left out, and what it warns of.
//!
//! Comes in: figures. Goes out: lines, each a stage's name in a fixed column and plain words.
//! Does not know: how a figure came about; what an error says, which is worded where it arises; what a code means, which
//! `palus_report::codes` says.

mod behaviour;
mod promoted;
mod stages;

pub(crate) use behaviour::*;
pub(crate) use promoted::*;
pub(crate) use stages::*;

use crate::report::codes::skip_code;
use crate::run::unit::Seconds;
use crate::subject::traces::Learned;
use crate::verify::coverage::Counts;
use crate::{Error, Settings};
use palus_generate::{Replayed, SkipCode};
use palus_report::{MutantFigures, WithoutTest};
use palus_search::Hunted;
use palus_suite::TestFramework;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// `Palus 0.1.0 · JDK 17 · JUnit 4 · seed 0 · 2 workers`
pub(crate) fn header(settings: &Settings, java_version: &str, framework: TestFramework) -> String {
    format!(
        "Palus {} · JDK {java_version} · {} · seed {} · {}",
        env!("CARGO_PKG_VERSION"),
        framework_name(framework),
        settings.seed,
        count(settings.workers as u64, "worker", "workers"),
    )
}

/// `JUnit 4`, `JUnit Jupiter`
pub(crate) fn framework_name(framework: TestFramework) -> &'static str {
    match framework {
        TestFramework::Junit4Early | TestFramework::Junit4 => "JUnit 4",
        TestFramework::Jupiter => "JUnit Jupiter",
    }
}

/// Said where nobody can tell whether another run works in a folder.
pub(crate) fn no_locks(folder: &Path, error: &std::io::Error) -> String {
    format!(
        "{} is on a file system without locks ({error}): run one build of it at a time",
        folder.display()
    )
}

/// Said while another run works in the same folder.
pub(crate) fn waiting(holder: &str, folder: &Path) -> String {
    line(
        "palus",
        &format!(
            "{holder} works in {}; waiting until it ends",
            folder.display()
        ),
    )
}

/// A stage's line: its name, what it did, how long it took.
pub(crate) fn stage(name: &str, text: &str, seconds: f64) -> String {
    format!("{name:<10}{text}   {seconds:.1} s")
}

/// A line that is no stage of its own.
pub(crate) fn line(name: &str, text: &str) -> String {
    format!("{name:<10}{text}")
}

/// A path as a reader in the folder would write it.
pub(crate) fn shown_in(folder: &Path, path: &Path) -> String {
    path.strip_prefix(folder)
        .unwrap_or(path)
        .display()
        .to_string()
}

/// A page as a reader anywhere can click or paste it: `file:///home/me/my%20shop/build/reports/palus/index.html`.
pub(crate) fn link(page: &Path) -> String {
    let path = std::path::absolute(page).unwrap_or_else(|_| page.to_owned());
    let path = path.display().to_string().replace('\\', "/");
    let mut link = "file://".to_owned();
    if !path.starts_with('/') {
        link.push('/');
    }
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"/-._~:".contains(&byte) {
            link.push(char::from(byte));
        } else {
            let _ = write!(link, "%{byte:02X}");
        }
    }
    link
}

/// What the trace held.
pub(crate) fn trace(files: usize, tests: u64, classes: usize, calls: u64) -> String {
    format!(
        "{} in {}, {} seen, {}",
        count(tests, "test", "tests"),
        count(files as u64, "trace file", "trace files"),
        count(classes as u64, "class", "classes"),
        count(calls, "call", "calls"),
    )
}

/// The same of a trace that this build has not made.
pub(crate) fn of_earlier_build(trace: &str) -> String {
    format!("{trace}; of an earlier build: no test was traced in this one")
}

/// Said when there is nothing to learn from.
pub(crate) const NO_TRACE: &str = "no existing test was traced, so there is nothing to learn from: tests are found at random only";

/// `31 call sequence models, 212 states; 38 classes read`
pub(crate) fn model(learned: &Learned, classes: usize) -> String {
    let models = learned.models.len() as u64;
    format!(
        "{}, {}{}; {} read",
        count(models, "call sequence model", "call sequence models"),
        count(learned.states as u64, "state", "states"),
        if learned.from_cache {
            ", kept from an earlier run"
        } else {
            ""
        },
        count(classes as u64, "class", "classes"),
    )
}

/// What is at work while classes are read.
pub(crate) const LOADING: &str = "reading classes";

/// What is at work while coverage is measured.
pub(crate) const MEASURING: &str = "measuring";

/// What is at work while traces are read.
pub(crate) const READING: &str = "reading traces";

/// A row of an explanation; without a name it goes on with the row before.
pub(crate) fn explained(name: &str, text: &str) -> String {
    format!("  {name:<12}{text}")
}

/// `212 tests in 36 files under ...`, and what that makes with the tests and files of earlier runs that stay.
pub(crate) fn wrote(new: (u64, u64), on_disk: (u64, u64), folder: &Path, project: &Path) -> String {
    let folder = folder.strip_prefix(project).unwrap_or(folder);
    let counted = |(tests, files)| {
        let (tests, files) = (count(tests, "test", "tests"), count(files, "file", "files"));
        format!("{tests} in {files}")
    };
    let all = counted(on_disk);
    if new == on_disk {
        format!("{all} under {}", folder.display())
    } else if new.0 == 0 {
        format!(
            "no new test; of earlier runs {all} under {}",
            folder.display()
        )
    } else {
        let new = counted(new);
        format!(
            "{new} under {}; with those of earlier runs {all}",
            folder.display()
        )
    }
}

/// `line 61.2 -> 78.9 % (+17.7)   branch 48.0 -> 66.3 % (+18.3)`
pub(crate) fn coverage(before: &Counts, after: &Counts) -> String {
    let part = |name: &str, before: f64, after: f64| {
        format!(
            "{name} {before:.1} -> {after:.1} % ({:+.1})",
            after - before
        )
    };
    format!(
        "{}   {}",
        part("line", before.line_percent(), after.line_percent()),
        part("branch", before.branch_percent(), after.branch_percent())
    )
}

/// `written tests notice 86 of 97 small faults put into the classes they are for; the report names the others`
pub(crate) fn faults(mutants: MutantFigures) -> String {
    let said = format!(
        "written tests notice {} of {} put into the classes they are for",
        mutants.killed,
        count(mutants.made, "small fault", "small faults"),
    );
    if mutants.killed < mutants.made {
        format!("{said}; the report names the others")
    } else {
        said
    }
}

/// `14 methods without a test: 9x S04 no instance ..., 3x S07 ...`
pub(crate) fn skipped(rows: &[WithoutTest]) -> String {
    let all: u64 = rows.iter().map(|row| row.count).sum();
    let parts: Vec<String> = rows
        .iter()
        .map(|row| format!("{}x {} {}", row.count, row.code, row.text))
        .collect();
    format!(
        "{}: {}",
        count(all, "method without a test", "methods without a test"),
        parts.join(", ")
    )
}

/// `1 test`, `2 tests`
pub(crate) fn count(number: u64, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// Said when nothing has changed since the last complete run.
pub(crate) fn up_to_date(files: u64) -> String {
    format!(
        "up to date, {} kept",
        count(files, "test file", "test files")
    )
}

/// `2 new, 1 known   Account#equals is not symmetric (P102)   Ring#next ... (P113)   and 3 more`
pub(crate) fn findings(rows: &[palus_report::FindingReport]) -> String {
    let new: Vec<_> = rows.iter().filter(|row| row.is_new).collect();
    let mut text = format!("{} new", new.len());
    let known = rows.len() - new.len();
    if known > 0 {
        let _ = write!(text, ", {known} known");
    }
    for row in new.iter().take(SHOWN_FINDINGS) {
        let _ = write!(text, "   {} ({})", row.text, row.code);
    }
    if new.len() > SHOWN_FINDINGS {
        let _ = write!(text, "   and {} more", new.len() - SHOWN_FINDINGS);
    }
    text
}

/// What is known of the protocols of APIs.
pub(crate) fn protocols(learned: &palus_report::ProtocolsReport) -> String {
    format!("{} known   {}", learned.protocols, learned.file)
}

/// Said of a pattern of the setting `protocols` that means no class.
pub(crate) fn no_api(name: &str) -> String {
    format!(
        "the setting `protocols` names `{name}`, which is no class of a library that the project uses; no protocol is learned \
         for it"
    )
}

/// Said of a file of protocols that cannot be read.
pub(crate) fn protocols_anew(file: &Path, cause: &str) -> String {
    format!("{} is not read and begun anew: {cause}", file.display())
}

/// Findings that the console names.
const SHOWN_FINDINGS: usize = 3;

/// Said of a file that Palus may not touch.
pub(crate) fn left_alone(path: &str) -> String {
    format!(
        "{path} was changed or made by somebody else and is left alone; delete it to get Palus's own"
    )
}

/// Said where the analyzer of coverage did not end in time.
pub(crate) const NO_COVERAGE: &str = "coverage is not measured: JaCoCo's analyzer had not ended when the time limit came; raise `timeLimit`";

/// Said where the analyzer of coverage failed on these files.
pub(crate) fn no_coverage(files: &[PathBuf], error: &Error) -> String {
    let names: Vec<String> = files
        .iter()
        .map(|file| file.display().to_string())
        .collect();
    format!(
        "coverage is not measured, and counts as none: JaCoCo's analyzer failed on {}: {}",
        names.join(", "),
        error.message
    )
}

/// Said where the project has tests and none was measured.
pub(crate) const NOTHING_BEFORE: &str = "what the project's own tests cover was not measured, as none of them ran in a \
     traced run: coverage is that of written tests alone";

/// `line 78.9 %   branch 66.3 %`
pub(crate) fn coverage_alone(counts: &Counts) -> String {
    let (line, branch) = (counts.line_percent(), counts.branch_percent());
    format!("line {line:.1} %   branch {branch:.1} %   by written tests alone")
}

/// Said of a test class that no file can be made for.
pub(crate) fn refused(class: &str) -> String {
    format!(
        "{class} is not written: the file system refuses so long a name; shorten that of the class or of the output folder"
    )
}

/// Said for the log when a class's turn comes.
pub(crate) fn begins(class: &str) -> String {
    format!("{} begins", palus_bytecode::binary_name(class))
}

/// Said of a jar of the class path that somebody wrote while it was read.
pub(crate) fn changed(path: &Path) -> String {
    format!(
        "{} was changed while it was read, so classes of it may be missing here; let whatever builds it end, and run again",
        path.display()
    )
}

/// Stages that handle one test class, or one finding, at a time.
pub(crate) const PRINT: &str = "print";
pub(crate) const LOOK_BACK: &str = "look what is as the last run left it";
pub(crate) const HOLD_BACK: &str = "hold back secrets";
pub(crate) const REPEAT: &str = "look for what must run often";
pub(crate) const SORT: &str = "sort findings";
pub(crate) const NAME: &str = "name findings";
pub(crate) const REPORT: &str = "report";
pub(crate) const PAGE: &str = "write its page";
pub(crate) const EXPLAIN: &str = "explain";
pub(crate) const SHOW: &str = "report findings";

/// Said for the log when a class's turn comes in a stage: `demo.AccountPalusTest: print`.
pub(crate) fn at_stage(name: &str, stage: &str) -> String {
    format!("{name}: {stage}")
}

/// Said of a class that Palus itself, or a worker, failed on.
pub(crate) fn given_up(class: &str, cause: &str) -> String {
    format!("{class} was given up: {cause}")
}

/// Said of a class whose findings Palus itself failed on.
pub(crate) fn findings_given_up(class: &str, cause: &str) -> String {
    format!(
        "the findings of {class} were given up ({}): {cause}",
        skip_code(SkipCode::Defect)
    )
}

/// Said of a class that Palus itself failed to report on; its tests are written.
pub(crate) fn report_given_up(class: &str, cause: &str) -> String {
    format!("the report says little of {class}, whose tests are written all the same: {cause}")
}

/// `demo.A, demo.B, demo.C and 4 more`
fn first_of(names: &[String]) -> String {
    const SHOWN: usize = 3;
    let first = names.iter().take(SHOWN).map(String::as_str);
    let first = first.collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(SHOWN) {
        0 => first,
        more => format!("{first} and {more} more"),
    }
}

/// Said when the clock, not the count of steps, ended the work on these classes.
pub(crate) fn cut(classes: &[String]) -> String {
    let names = first_of(classes);
    format!(
        "the time limit cut {names} short, so another run may give other tests; raise `timeLimit` or lower `budget`"
    )
}

/// Said of files of earlier runs whose classes this run did not choose, or did not finish.
fn kept(files: &[String], is_cut: bool) -> String {
    const SHOWN: usize = 3;
    let names = files.iter().take(SHOWN).map(String::as_str);
    let names = names.collect::<Vec<_>>().join(", ");
    let more = match files.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let (why, cure) = if is_cut {
        (
            "choose or finish",
            "with all classes and a longer `timeLimit`",
        )
    } else {
        (
            "choose",
            "without `classes` and `excludes`, or with these classes,",
        )
    };
    let (classes, them) = match files.len() {
        1 => ("its class", "it"),
        _ => ("their classes", "them"),
    };
    format!(
        "{} of earlier runs kept, since this run did not {why} {classes}: {names}{more}; run {cure} to renew {them}",
        count(files.len() as u64, "test file", "test files")
    )
}

/// Said when a defect of Palus kept it from seeing which classes are as they were.
pub(crate) fn not_looked_back(cause: &str) -> String {
    format!(
        "all classes are worked on again: a defect of Palus ({cause}) kept it from seeing which are as they were"
    )
}

/// `197 of 200 classes are as the last run left them, and keep their tests`
pub(crate) fn set_aside(same: usize, all: usize) -> String {
    let what = if same == 1 {
        "is as the last run left it, and keeps its tests"
    } else {
        "are as the last run left them, and keep their tests"
    };
    format!("{same} of {} {what}", count(all as u64, "class", "classes"))
}

/// `2 classes were worked on again, and new tests of theirs notice no more than those that pass: these stay`
pub(crate) fn as_good(classes: u64) -> String {
    let were = if classes == 1 { "was" } else { "were" };
    format!(
        "{} {were} worked on again, and new tests would notice no more than those that pass: these stay",
        count(classes, "class", "classes")
    )
}

/// `12 tests of 3 classes that an interrupted run had verified are taken up`
pub(crate) fn taken_up(tests: u64, classes: u64) -> String {
    let verb = if tests == 1 { "is" } else { "are" };
    format!(
        "{} of {} that an interrupted run had verified {verb} taken up",
        count(tests, "test", "tests"),
        count(classes, "class", "classes")
    )
}

/// Said of tests among these that fail beside others.
pub(crate) fn not_taken_up(tests: &[String]) -> String {
    format!(
        "verified by an interrupted run, but fails beside other tests: {}; it is not written, and the next run writes the \
         tests of its class anew",
        named_tests(tests)
    )
}

/// Said of a file of an earlier run for whose class this run keeps no test.
pub(crate) fn goes(path: &str, tests: u64) -> String {
    let tests = count(tests, "test", "tests");
    format!(
        "{path} goes, with {tests} of an earlier run: this run worked on the class again and keeps none for it; `explain` says \
         why of each method"
    )
}

/// `3 tests of 2 classes that passed are not written again: this run found others in their place`
pub(crate) fn replaced(tests: u64, classes: u64) -> String {
    format!(
        "{} of {} that passed {} not written again: this run found others in their place",
        count(tests, "test", "tests"),
        count(classes, "class", "classes"),
        if tests == 1 { "is" } else { "are" }
    )
}

/// Which, for the log.
pub(crate) fn not_written_again(class: &str, test: &str) -> String {
    format!("not written again, of {class}: {test}")
}

/// What stays of earlier runs, and that there is nothing to work on or nothing new.
pub(crate) fn little_written(
    (kept_files, is_cut): (&[String], bool),
    classes: usize,
    written: usize,
) -> Vec<String> {
    let mut texts = Vec::new();
    if !kept_files.is_empty() {
        texts.push(kept(kept_files, is_cut));
    }
    if classes == 0 {
        texts.push(NO_CLASS.to_owned());
    } else if written == 0 {
        texts.push(NOTHING_WRITTEN.to_owned());
    }
    texts
}

/// Said when the project has no class to choose.
const NO_CLASS: &str = "no class with code matches `classes` without `excludes`, so nothing was done; check the patterns";

/// Said when the patterns choose nothing: `idle` are those that match no class, `near` the classes that they may mean.
pub(crate) fn no_class(idle: &[String], near: &[String]) -> String {
    let check = match near {
        [] => "check the patterns".to_owned(),
        near => format!("nearest to {}: {}", patterns(idle), near.join(", ")),
    };
    format!(
        "no class with code matches `classes` without `excludes`, so nothing was done, and the report of the last run \
         stays; {check}"
    )
}

/// Said of patterns that choose nothing, where others do.
pub(crate) fn idle_patterns(idle: &[String], near: &[String]) -> String {
    let patterns = patterns(idle);
    match near {
        [] => format!("{IDLE}{patterns} of `classes`; check the patterns"),
        near => format!(
            "{IDLE}{patterns} of `classes`; nearest: {}",
            near.join(", ")
        ),
    }
}

/// How what is said of such patterns begins.
const IDLE: &str = "no class with code matches ";

/// Whether a text is of what the user asked of a run, and says nothing where one is part of something else.
pub(crate) fn is_of_whole_run(text: &str) -> bool {
    text == NOTHING_WRITTEN || text.starts_with(IDLE)
}

fn patterns(texts: &[String]) -> String {
    let quoted: Vec<String> = texts.iter().map(|text| format!("`{text}`")).collect();
    quoted.join(", ")
}

/// Said where tests ran with the agents in these jars.
pub(crate) fn with_agents(jars: &[String]) -> String {
    let text = format!(
        "tests ran with the project's Java agents ({}) in the sandbox; none is written of code that one changes there, and \
         where one changes code in your build alone, a test of that fails there",
        jars.join(", ")
    );
    line("agents", &text)
}

/// Said when no JVM ran a test with the agents in these jars.
pub(crate) fn without_agents(jars: &[String]) -> String {
    format!(
        "a JVM with the project's Java agents ({}) ran no test in the sandbox, so written tests are verified without them; one \
         that rests on what an agent changes may fail in your build",
        jars.join(", ")
    )
}

/// Said when there is no test in the end.
const NOTHING_WRITTEN: &str =
    "no test was written; the report says why candidates were dropped and methods have none";

/// Said when the last run of all tests did not end; whether the next run takes up those that are not written.
pub(crate) fn not_together(
    tests: u64,
    are_taken_up: bool,
    (took, limit, needed): (Duration, u64, u64),
) -> String {
    let what = if tests == 1 { "it is" } else { "they are" };
    let next = if are_taken_up {
        ", and the next run takes them up"
    } else {
        ""
    };
    format!(
        "the time limit ended before all tests had run in one JVM: {} passed in groups of classes, but {what} written only \
         when all have passed together{next}; that was not over after {} s: raise `timeLimit` from {limit} to {needed} or \
         more",
        count(tests, "new test", "new tests"),
        took.as_secs()
    )
}

/// Said of candidates that there was no time for.
pub(crate) fn not_verified(tests: u64) -> String {
    format!(
        "the time limit ended before {} had been verified, so they are not written; raise `timeLimit`",
        count(tests, "more test", "more tests")
    )
}

/// Said where the time for generation was over, though no class was cut.
pub(crate) const SHORT: &str = "the time for generation was over before all classes were done, so their tests were verified in small groups, and another run may give others; raise `timeLimit`";

/// Some of these tests by name.
fn named_tests(tests: &[String]) -> String {
    const SHOWN: usize = 5;
    let names = tests.iter().take(SHOWN).map(String::as_str);
    let names = names.collect::<Vec<_>>().join(", ");
    match tests.len().saturating_sub(SHOWN) {
        0 => names,
        more => format!("{names} and {more} more"),
    }
}

/// Said of tests of the last run that pass as they are written, and then fail, of classes that are not worked on again.
pub(crate) fn unsteady(tests: &[String]) -> String {
    format!(
        "kept from the last run, but fails beside new tests, or in another order, time zone or locale: {}; that is no \
         change of behaviour, and the next run writes the tests of its class anew",
        named_tests(tests)
    )
}

/// Said of tests of earlier runs that were denied something when they ran together with all others, and what it was.
pub(crate) fn denied_beside_others(tests: &[String]) -> String {
    format!(
        "kept from earlier runs, but denied what no test may do when all ran together: {}; without the sandbox it may \
         do that: delete the test, or mend the code that it calls, before you run it",
        named_tests(tests)
    )
}

/// Said of tests of earlier runs that fail now.
pub(crate) fn stale(tests: &[String]) -> String {
    let names = named_tests(tests);
    format!(
        "kept from earlier runs, but does not compile or pass now: {names}; it stays as it is, since its class was \
         not chosen or not finished by this run: see what changed there, or run with that class to renew it"
    )
}

/// What a unit cost, for the log.
pub(crate) fn unit(
    name: &str,
    steps: u64,
    replayed: Replayed,
    hunted: &Hunted,
    seconds: Seconds,
) -> String {
    let [
        seeds,
        operands,
        offspring,
        fresh,
        templates,
        explored,
        slots,
    ] = hunted
        .by_origin
        .map(|(run, covered)| format!("{covered} of {run}"));
    format!(
        "{name}: {steps} sequences in {:.2} s, after {:.2} s for fresh classes, tests made in {:.2} s; histories \
         replayed exactly {}, with look-ups {}, not to their end {}; of {} open targets {} covered by search in {} \
         sequences: {seeds} seeds, {operands} with operands, {offspring} offspring, {fresh} fresh, {templates} templates, \
         {explored} in turns of the other phases, {slots} with one constant changed",
        seconds.finding,
        seconds.beginning,
        seconds.making,
        replayed.exactly,
        replayed.with_look_ups,
        replayed.failed,
        hunted.open,
        hunted.covered,
        hunted.steps
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn a_page_is_told_as_a_link_that_needs_no_folder_to_start_from() {
        let path = Path::new("/home/ü/my shop/build/reports/palus/index.html");
        let expected = "file:///home/%C3%BC/my%20shop/build/reports/palus/index.html";
        assert_eq!(link(path), expected);
        let relative = link(Path::new("reports/index.html"));
        assert!(relative.starts_with("file:///"), "{relative}");
    }

    #[test]
    fn methods_without_a_test_are_told_by_code_with_its_meaning() {
        let row = |code: &str, count| WithoutTest {
            code: code.to_owned(),
            text: crate::report::codes::meaning(code).to_owned(),
            count,
        };
        let console = skipped(&[row("S06", 2), row("S10", 1)]);
        let expected = "3 methods without a test: 2x S06 every try ended the JVM or took too much memory, 1x S10 Palus \
                        itself failed on its class";
        assert_eq!(console, expected);
    }
}
