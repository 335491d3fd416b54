//! The tests of the last run, run on what the code is now before any of them is replaced: the regression loop.
//!
//! Comes in: the output folder with its manifest. Goes out: what no longer passes, as behaviour that changed: which method,
//! what was so before, what is so now. While there is any, and nobody accepts it, nothing is replaced and the run fails.
//! Files that somebody edited are run like the others, by every run. A look alone takes what else stands in the folder as
//! well: the list of files may be lost, or be that of another branch. Where a build runs the tests itself next, of these
//! files only what is denied counts; whether they pass, that build will say.
//! A test that no longer compiles is a change too, and is taken out by itself: the others of its file still run.
//! A run that has looked at exactly this before does not look again; nor at a file whose tests rest on nothing that differs
//! since they passed (`rested.rs`).
//! Does not know: how tests are found.

mod blame;
mod null;
mod rested;
mod revalued;
mod said;

use crate::report::places::{place_in, place_of_named};
use crate::run::state;
use crate::subject::class_path::Below;
use crate::subject::project::Project;
use crate::verify::rerun::{Rerun, rerun};
use crate::verify::toolchain::{Compilation, CompileError, compile};
use crate::verify::{DropReason, Repeat, TestId, Verification};
use crate::worker::WorkerSettings;
use crate::write::earlier::{Earlier, EarlierTest};
use crate::write::kept::TESTS;
use crate::write::manifest::{Manifest, hash};
use crate::{Cancel, Error, Settings};
use blame::{Blame, Classes};
use null::{Null, null};
use palus_report::{BehaviourChange, SourcePlace};
use rested::{Rested, rested};
pub(crate) use revalued::{Revalued, revalued};
use said::{Values, method, missing, unknown, values};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Lines of the tests of a file that are about a method of the project, whatever made them fail; for the fuzzer.
pub(crate) fn lines_about_methods(earlier: &Earlier, settings: &Settings) -> usize {
    let classes = Classes::new(settings);
    let blame = Blame::new(&earlier.text, &classes);
    let is_about = |test: &EarlierTest, line: u32| {
        let held = Null::Held("held");
        let gave = blame.of_null(test.lines, line, &held);
        gave.or_else(|| blame.of(test.lines, line)).is_some()
    };
    let of_test = |test: &EarlierTest| {
        let (first, last) = test.lines;
        (first..=last).filter(|&line| is_about(test, line)).count()
    };
    earlier.tests.iter().map(of_test).sum()
}

/// What looking at the tests of the last run may take, also beyond the time limit: without it nothing may be replaced.
pub(crate) const NEEDS: Duration = Duration::from_mins(3);

/// The tests that are run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tests {
    /// Those that an earlier run wrote, also where somebody edited them.
    OfEarlierRuns,
    /// All in the folder.
    All,
    /// The same, before a build runs them itself.
    AllBeforeTheyRun,
}

/// What became of the tests of the last run.
#[derive(Debug, Default)]
pub(crate) struct Compared {
    /// Tests that ran or were to run.
    pub(crate) tests: u64,
    /// Tests that need not run.
    pub(crate) resting: u64,
    /// Files with `@Test` that cannot be read as a test, and how many.
    pub(crate) unread: Vec<(String, u64)>,
    /// By file and line.
    pub(crate) changes: Vec<BehaviourChange>,
    /// Files that no list names with tests that no longer compile or pass, and how many: the build says so that runs them
    /// next.
    pub(crate) left_to_build: BTreeMap<String, u64>,
}

/// A file of the last run.
struct File {
    earlier: Earlier,
    whose: Whose,
    /// Its lines, without those that no longer compile.
    lines: Vec<String>,
    /// Why tests of it do not compile, by their number.
    broken: BTreeMap<usize, CompileError>,
}

/// Whose text it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Whose {
    Ours,
    /// Somebody else changed it since.
    Edited,
    /// No list names it.
    Unknown,
}

impl File {
    fn new(path: &str, text: String, whose: Whose) -> File {
        File {
            lines: text.lines().map(str::to_owned).collect(),
            earlier: Earlier::new(path, text),
            whose,
            broken: BTreeMap::new(),
        }
    }

    /// True where something of it is to be compiled: a test, or what tests of other files may need.
    fn is_left(&self) -> bool {
        let tests = self.earlier.tests.len();
        self.broken.len() < tests || tests == 0
    }

    /// Takes out what an error is about: a test, an import, or all of it.
    fn take_out(&mut self, error: &CompileError) {
        let tests = &self.earlier.tests;
        let is_inside = |test: &EarlierTest| (test.lines.0..=test.lines.1).contains(&error.line);
        let number = error.line.saturating_sub(1) as usize;
        if let Some(at) = tests.iter().position(is_inside) {
            let (first, last) = tests[at].lines;
            for line in &mut self.lines[first as usize - 1..last as usize] {
                line.clear();
            }
            self.broken.entry(at).or_insert_with(|| error.clone());
        } else if let Some(line) = self
            .lines
            .get_mut(number)
            .filter(|line| line.starts_with("import "))
        {
            // Who needs it does not compile in the next round.
            line.clear();
        } else {
            for at in 0..tests.len() {
                self.broken.entry(at).or_insert_with(|| error.clone());
            }
            self.lines.iter_mut().for_each(String::clear);
        }
    }

    /// The line as it was written, without blanks around it.
    fn source(&self, line: u32) -> &str {
        let line = self
            .earlier
            .text
            .lines()
            .nth(line.saturating_sub(1) as usize);
        line.unwrap_or_default().trim()
    }

    fn change(
        &self,
        settings: &Settings,
        classes: &Classes<'_>,
        at: usize,
        line: u32,
        values: Values,
        null: Option<&Null<'_>>,
    ) -> BehaviourChange {
        let test = &self.earlier.tests[at];
        let path = &self.earlier.path;
        let blame = Blame::new(&self.earlier.text, classes);
        let gone = self
            .broken
            .get(&at)
            .and_then(|error| unknown(error, &blame));
        let called = || {
            let gave = null.and_then(|null| blame.of_null(test.lines, line, null));
            let name = method_word(&test.name);
            let several = || blame.of_several(test.lines, line, name);
            let blamed = gave
                .or_else(several)
                .or_else(|| blame.of(test.lines, line))?;
            Some((blamed.class, blamed.method, blamed.place))
        };
        let (class, method, place) = gone
            .map(|(class, method)| (class, method, None))
            .or_else(called)
            .or_else(|| {
                let blamed = blame.called(test.lines, line, method_word(&test.name))?;
                Some((blamed.class, blamed.method, blamed.place))
            })
            .unwrap_or_else(|| self.by_name(classes, test));
        BehaviourChange {
            place: place
                .or_else(|| place_of_named(settings, &class))
                .unwrap_or_else(|| place_in(settings, &settings.output_directory.join(path), line)),
            class,
            method,
            test: format!("{}#{}", self.earlier.binary_name(), test.name),
            file: path.clone(),
            line,
            source: self.source(line).to_owned(),
            before: values.before,
            now: values.now,
            is_broken: self.broken.contains_key(&at),
            is_edited: self.whose != Whose::Ours,
            is_unlisted: self.whose == Whose::Unknown,
        }
    }

    /// What a test is about by its name; the class alone where it has no such method.
    fn by_name(
        &self,
        classes: &Classes<'_>,
        test: &EarlierTest,
    ) -> (String, String, Option<SourcePlace>) {
        let path = &self.earlier.path;
        let internal = path.strip_suffix(TESTS).unwrap_or(path);
        let class = palus_bytecode::binary_name(internal);
        let method = method(&class, &test.name, &self.earlier.text_of(test)).to_owned();
        if !classes.has(internal) {
            return (class, method, None);
        }
        match classes.named(internal, &method) {
            Some(blamed) => (class, method, blamed.place),
            None => (class, String::new(), None),
        }
    }
}

/// The first part of the name of a test, `{method}_{when}_{then}`.
fn method_word(name: &str) -> &str {
    name.split('_').next().unwrap_or(name)
}

/// Runs the tests of the last run, but for those of files that rest; `differing` are files of the code that are others than
/// when all passed, where that is known.
///
/// # Errors
/// When no compiler or JVM starts, the time is over first, or the run is cancelled.
pub(crate) fn compare(
    settings: &Settings,
    worker_settings: &WorkerSettings,
    manifest: &Manifest,
    tests: Tests,
    resting: &BTreeSet<String>,
    differing: Option<BTreeSet<String>>,
    cancel: &Cancel,
) -> Result<Compared, Error> {
    let files = files(settings, manifest, tests);
    let with_unread = files.iter().filter(|file| file.earlier.unread > 0);
    let unread: Vec<(String, u64)> = with_unread
        .map(|file| (file.earlier.path.clone(), file.earlier.unread))
        .collect();
    let is_resting = |file: &File| resting.contains(&file.earlier.path);
    let (rest, mut files): (Vec<File>, Vec<File>) = files.into_iter().partition(is_resting);
    let all = |files: &[File]| -> u64 {
        let tests = files.iter().map(|file| file.earlier.tests.len() as u64);
        tests.sum()
    };
    let (number, resting) = (all(&files), all(&rest));
    if number == 0 {
        return Ok(Compared {
            resting,
            unread,
            ..Compared::default()
        });
    }
    let folder = settings.work_directory.join("verify-earlier");
    let compiled = compile_all(settings, worker_settings, &mut files, &folder, cancel)?;
    let classes = Classes::new(settings).with_differing(differing);
    let mut left_to_build = BTreeMap::new();
    // They may also compile where they are to run.
    let is_left = |file: &File| tests == Tests::AllBeforeTheyRun && file.whose == Whose::Unknown;
    let mut changes = Vec::new();
    let all_of = |_: &File, _: usize| true;
    for (file, at, failed) in run_all(settings, worker_settings, &files, &compiled, &all_of)? {
        if is_left(file) && failed.reason != DropReason::Denied {
            *left_to_build.entry(file.earlier.path.clone()).or_default() += 1;
            continue;
        }
        let source = failed.line.map_or("", |line| file.source(line));
        let values = values(failed.reason, &failed.text, source);
        let line = failed.line.unwrap_or(file.earlier.tests[at].lines.0);
        let null = null(&failed.text);
        changes.push(file.change(settings, &classes, at, line, values, null.as_ref()));
    }
    for file in &files {
        if is_left(file) && !file.broken.is_empty() {
            *left_to_build.entry(file.earlier.path.clone()).or_default() +=
                file.broken.len() as u64;
            continue;
        }
        for (&at, error) in &file.broken {
            let values = Values {
                before: "it compiled".to_owned(),
                now: missing(error),
            };
            changes.push(file.change(settings, &classes, at, error.line, values, None));
        }
    }
    for change in &mut changes {
        for text in [&mut change.source, &mut change.before, &mut change.now] {
            *text = settings.secrets.redact(text).into_owned();
        }
    }
    changes.sort_by(|one, other| {
        (&one.file, one.line, &one.test).cmp(&(&other.file, other.line, &other.test))
    });
    Ok(Compared {
        tests: number,
        resting,
        unread,
        changes,
        left_to_build,
    })
}

fn files(settings: &Settings, manifest: &Manifest, tests: Tests) -> Vec<File> {
    let mut found: BTreeMap<String, (String, Whose)> = BTreeMap::new();
    for path in manifest.unwritten() {
        let ours = manifest.earlier(&path).map(|text| (text, Whose::Ours));
        let text = ours.or_else(|| Some((manifest.edited(&path)?, Whose::Edited)));
        found.extend(text.map(|text| (path, text)));
    }
    let are_all = tests != Tests::OfEarlierRuns;
    if are_all {
        for (path, text) in sources(&settings.output_directory) {
            found.entry(path).or_insert((text, Whose::Unknown));
        }
    }
    let is_test = |path: &str| path.ends_with(TESTS) || are_all;
    found.retain(|path, _| is_test(path));
    let files = found.into_iter();
    files
        .map(|(path, (text, whose))| File::new(&path, text, whose))
        .collect()
}

/// All Java files below a folder, by their paths from there.
fn sources(folder: &Path) -> BTreeMap<String, String> {
    let files = Below::of(folder).files.into_iter();
    let java = files.filter(|file| file.extension().is_some_and(|end| end == "java"));
    java.filter_map(|file| {
        let path = file.strip_prefix(folder).ok()?.to_str()?.to_owned();
        let bytes = std::fs::read(&file).ok()?;
        Some((path, String::from_utf8_lossy(&bytes).into_owned()))
    })
    .collect()
}

/// Compiles what compiles; the rest is noted.
fn compile_all(
    settings: &Settings,
    worker_settings: &WorkerSettings,
    files: &mut [File],
    folder: &Path,
    cancel: &Cancel,
) -> Result<PathBuf, Error> {
    loop {
        let left = files.iter().filter(|file| file.is_left());
        let text = |file: &File| {
            (
                PathBuf::from(&file.earlier.path),
                file.lines.join("\n") + "\n",
            )
        };
        let sources: Vec<_> = left.map(text).collect();
        if sources.is_empty() {
            return Ok(folder.join("classes"));
        }
        let result = compile(
            &Compilation {
                java_home: &settings.java_home,
                language_level: settings.language_level,
                arguments: &settings.compiler_arguments,
                class_path: &settings.class_path,
                sources: &sources,
                folder,
                own_files: worker_settings.own_files(),
            },
            worker_settings.deadline,
            cancel,
        )?;
        if result.is_cut {
            return Err(out_of_time());
        }
        if result.errors.is_empty() {
            return Ok(result.classes);
        }
        for error in &result.errors {
            let about = files.iter_mut();
            let about = about.filter(|file| error.file.ends_with(&file.earlier.path));
            // Of `Fees.java` and `demo/Fees.java` both may be the end of one path.
            let file = about.max_by_key(|file| file.earlier.path.len());
            let Some(file) = file else {
                return Err(Error::configuration(
                    format!(
                        "javac fails before it reads the tests of the last run: {}",
                        error.message
                    ),
                    "check the compiler settings of the project's tests",
                ));
            };
            file.take_out(error);
        }
    }
}

/// What was seen of a test that failed.
struct Failed {
    reason: DropReason,
    text: String,
    line: Option<u32>,
}

/// Runs what is compiled and wanted; tells what fails: a file, the number of the test there, and what was seen.
fn run_all<'f>(
    settings: &Settings,
    worker_settings: &WorkerSettings,
    files: &'f [File],
    compiled: &Path,
    is_wanted: &dyn Fn(&File, usize) -> bool,
) -> Result<Vec<(&'f File, usize, Failed)>, Error> {
    let mut places = Vec::new();
    let mut tests = Vec::new();
    for file in files.iter().filter(|file| file.is_left()) {
        for (at, test) in file.earlier.tests.iter().enumerate() {
            if !file.broken.contains_key(&at) && is_wanted(file, at) {
                places.push((file, at));
                tests.push(TestId {
                    class: file.earlier.binary_name(),
                    method: test.name.clone(),
                    repeat: Repeat::Never,
                    is_kept: true,
                });
            }
        }
    }
    if tests.is_empty() {
        return Ok(Vec::new());
    }
    let results = rerun(&Verification {
        settings: worker_settings,
        test_classes: compiled,
        tests: &tests,
        coverage_agent: None,
        workers: settings.workers,
        orders: 0,
        once: true,
        blames: false,
        is_last: true,
    })?;
    let mut failed = Vec::new();
    for (result, (file, at)) in results.into_iter().zip(places) {
        match result {
            Rerun::Passed => {}
            Rerun::NotRun => return Err(out_of_time()),
            Rerun::Failed { reason, text, line } => {
                failed.push((file, at, Failed { reason, text, line }));
            }
        }
    }
    Ok(failed)
}

fn out_of_time() -> Error {
    Error::configuration(
        "the time limit ended before the tests of the last run had run, so nothing was replaced",
        "raise `timeLimit`, or run again when the machine has less to do",
    )
}

/// Kinds of what is noted of a run in which all passed.
const CODE: &str = "code";
/// In place of the digest of all where a part ran.
const PART: &str = "part";
const RESTS: &str = "rests";

/// What a run has looked at: the same text for the same code and the same tests.
pub(crate) struct Looked {
    file: PathBuf,
    digest: String,
    /// Hashes of what the code is, by name.
    code: BTreeMap<String, String>,
    /// Texts of the files with tests.
    texts: BTreeMap<String, String>,
    /// What these rest on, as far as that is known.
    rested: Rested,
}

impl Looked {
    /// At these inputs, of which the digest is, and at what the manifest lists.
    pub(crate) fn at(
        settings: &Settings,
        digest: &str,
        manifest: &Manifest,
        tests: Tests,
    ) -> Looked {
        let mut text = digest.to_owned();
        let files = files(settings, manifest, tests);
        let has_unknown = files.iter().any(|file| file.whose == Whose::Unknown);
        let name = if has_unknown {
            "compared-all"
        } else {
            "compared"
        };
        let files = files.into_iter();
        let files: BTreeMap<String, String> = files
            .map(|file| (file.earlier.path, file.earlier.text))
            .collect();
        for (path, of) in &files {
            let hash = hash(of.as_bytes());
            let _ = write!(text, "\n{hash} {path}");
        }
        Looked {
            file: settings.state_file().with_file_name(name),
            digest: hash(text.as_bytes()),
            code: state::code(settings),
            texts: files,
            rested: Rested::new(),
        }
    }

    /// True where there is no file with tests.
    pub(crate) fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// With what the tests rest on in a project.
    pub(crate) fn in_project(mut self, settings: &Settings, project: &Project) -> Looked {
        self.rested = rested(settings, project, &self.texts);
        self
    }

    /// Files that passed when they rested on what they rest on now.
    pub(crate) fn resting(&self) -> BTreeSet<String> {
        let then = self.noted(RESTS);
        let same = self.rested.iter();
        let same = same.filter(|(path, digest)| then.get(*path) == Some(digest));
        same.map(|(path, _)| path.clone()).collect()
    }

    /// What was noted of this kind when all passed the last time: hashes by name.
    fn noted(&self, kind: &str) -> BTreeMap<String, String> {
        let text = std::fs::read_to_string(&self.file).unwrap_or_default();
        let lines = text.lines().filter_map(|line| line.strip_prefix(kind));
        lines
            .filter_map(|line| line.trim_start().split_once(' '))
            .map(|(hash, name)| (name.to_owned(), hash.to_owned()))
            .collect()
    }

    /// Whether all passed then.
    pub(crate) fn is_done(&self) -> bool {
        let text = std::fs::read_to_string(&self.file);
        text.is_ok_and(|text| text.lines().next() == Some(&self.digest))
    }

    /// All passed.
    pub(crate) fn done(&self) {
        self.note(&self.digest);
    }

    /// All that did not rest passed. That is no look at all tests: those that rested never ran beside these.
    pub(crate) fn done_but_for_resting(&self) {
        self.note(PART);
    }

    fn note(&self, of_whole: &str) {
        let mut text = format!("{of_whole}\n");
        for (name, hash) in &self.code {
            let _ = writeln!(text, "{CODE} {hash} {name}");
        }
        // What passed with such a digest passes with it, whoever looked since.
        let mut rested = self.noted(RESTS);
        rested.retain(|path, _| self.texts.contains_key(path));
        rested.extend(self.rested.clone());
        for (path, digest) in &rested {
            let _ = writeln!(text, "{RESTS} {digest} {path}");
        }
        let _ = std::fs::write(&self.file, text);
    }

    /// What of the code is another than when all passed the last time; none where that is not known.
    pub(crate) fn differing(&self) -> Option<BTreeSet<String>> {
        if !self.file.is_file() {
            return None;
        }
        let then = self.noted(CODE);
        let now = self.code.iter();
        let changed = now.filter(|(name, hash)| then.get(*name) != Some(hash));
        let mut names: BTreeSet<String> = changed.map(|(name, _)| name.clone()).collect();
        let gone = then
            .into_keys()
            .filter(|name| !self.code.contains_key(name));
        names.extend(gone);
        Some(names)
    }
}
