//! What the code does now that it did not do in another revision, and the other way round.
//!
//! Comes in: the settings of a run, with the compiled classes of the base revision. Goes out: differences, each with a test
//! that passes on one side and fails on the other, on the console and as files in the report folder.
//! Tests are generated for the classes that changed and those that use them, or what changed in another module: on the
//! base, to be run on what the code is now, and on that, to be run on the base. A method that there is on one side alone is told of where it is gone; that
//! there are new ones is no difference. All is done in a part of the work folder that is empty at the start, so earlier
//! runs change nothing.
//! Source: Xie, Taneja, Kale, Marinov, "Towards a Framework for Differential Unit Testing of Object-Oriented Programs",
//! AST 2007 (tests of one version run on the other, both ways); generation looks for what differs (`other.rs`).
//! Does not know: how the base was got and compiled.

mod changed;
mod entries;

use crate::listener::{Cancel, Level, Listener, Progress};
use crate::report::differences::show;
use crate::report::places::{place_in, place_of_named};
use crate::run::pipeline::generate;
use crate::run::regression::{Tests, compare};
use crate::subject::glob::matches;
use crate::subject::project::class_path_release;
use crate::worker::WorkerSettings;
use crate::worker::platform::PlatformReader;
use crate::write::earlier::Earlier;
use crate::write::lock::Lock;
use crate::write::manifest::Manifest;
use crate::{Error, Settings, Summary, folders, message};
use changed::{Changed, Code, changed};
use palus_report::{BehaviourChange, Difference, Differences, PassesOn};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Where all of it is, in the work folder.
const FOLDER: &str = "differences";

/// Differences of one method that are told;
const OF_METHOD: usize = 4;
/// and of one whose class is the same in both revisions: it is another for what it uses, of which more is told.
const OF_USER: usize = 1;

/// Differences that are named one by one on the console.
const NAMED: usize = 20;

/// Told of a run inside: what it warns of and how far it is, but not what it wrote where.
struct Inner<'a>(&'a dyn Listener);

impl Listener for Inner<'_> {
    fn line(&self, level: Level, text: &str) {
        let level = if level == Level::Info {
            Level::Debug
        } else {
            level
        };
        if !message::is_of_whole_run(text) {
            self.0.line(level, text);
        }
    }

    fn progress(&self, progress: Progress<'_>) {
        self.0.progress(progress);
    }
}

/// Code of one revision.
struct Side<'a> {
    name: PassesOn,
    classes: &'a [PathBuf],
    /// Without the project's own tests, which only one side has: code that finds a class of theirs by its name does not
    /// differ for that.
    class_path: Vec<PathBuf>,
}

impl Side<'_> {
    fn code(&self) -> Code<'_> {
        Code {
            classes: self.classes,
            class_path: &self.class_path,
        }
    }
}

/// Compares the code with that of the base revision.
///
/// # Errors
/// A configuration error where there is nothing to compare with, and as of a run.
pub fn differences(
    settings: &Settings,
    listener: &dyn Listener,
    cancel: &Cancel,
) -> Result<Summary, Error> {
    folders::check(settings)?;
    let is_tests = |path: &&PathBuf| settings.test_classes_directories.contains(path);
    let without_tests = |path: &[PathBuf]| -> Vec<PathBuf> {
        let path = path.iter().filter(|entry| !is_tests(entry));
        path.cloned().collect()
    };
    let before = Side {
        name: PassesOn::Base,
        classes: &settings.base_classes_directories,
        class_path: without_tests(&settings.base_class_path),
    };
    let now = Side {
        name: PassesOn::Now,
        classes: &settings.classes_directories,
        class_path: without_tests(&settings.class_path),
    };
    if !before.classes.iter().any(|folder| folder.is_dir()) {
        return Err(Error::configuration(
            format!("{} has no compiled classes of this project", settings.since),
            "check that the project is there in that revision and compiles",
        ));
    }
    let _lock = Lock::of_work(settings, listener, cancel)?;
    let folder = settings.work_directory.join(FOLDER);
    let _ = std::fs::remove_dir_all(&folder);
    let release = class_path_release(settings);
    let changed = changed(before.code(), now.code(), release)?;
    if !settings.compared_with.is_empty() {
        listener.line(Level::Info, &message::line("diff", &settings.compared_with));
    }
    tell_changed(&settings.since, &changed, listener);
    let mut found = Vec::new();
    let mut sandbox = "";
    let mut is_cut = false;
    for (own, other) in [(&before, &now), (&now, &before)] {
        let (name, revision) = match own.name {
            PassesOn::Base => ("base", Some(settings.since.as_str())),
            PassesOn::Now => ("now", None),
        };
        let own = side(settings, &folder.join(name), (own, other), &changed);
        if own.classes.is_empty() {
            continue;
        }
        if sandbox.is_empty() {
            // The runs inside warn of what is missing.
            let guards = PlatformReader::new(&WorkerSettings::of(settings, None, cancel))?.guards();
            listener.line(Level::Info, &message::line("sandbox", &guards.text()));
            sandbox = guards.level();
        }
        listener.line(Level::Info, &message::generating_for(revision));
        is_cut |= generate(&own, &Inner(listener), cancel)?.is_cut;
        let (differing, unfit) = run_on(&own, other, &changed, cancel)?;
        found.extend(differing);
        if unfit > 0 {
            let text = message::unfit_for_base(&settings.since, unfit);
            listener.line(Level::Warning, &text);
        }
    }
    let differences = Differences {
        project: settings.project_name.clone(),
        since: settings.since.clone(),
        compared_with: settings.compared_with.clone(),
        changed: changed.own.iter().cloned().collect(),
        changed_elsewhere: changed.elsewhere.into_iter().collect(),
        users: changed.users.into_iter().collect(),
        resources: changed.resources.into_iter().collect(),
        sandbox,
        is_cut,
        differences: smallest(found, &changed.own),
    };
    tell(&differences, listener);
    let report = show(settings, &differences)?;
    listener.line(
        Level::Info,
        &message::line("report", &message::link(Path::new(&report))),
    );
    Ok(Summary {
        report,
        ..Summary::default()
    })
}

/// The settings of a run that generates tests for the code of one side.
fn side(
    settings: &Settings,
    folder: &Path,
    (side, other): (&Side<'_>, &Side<'_>),
    changed: &Changed,
) -> Settings {
    let is_there = |name: &&String| {
        let file = format!("{}.class", palus_bytecode::internal_name(name));
        side.classes
            .iter()
            .any(|classes| classes.join(&file).is_file())
    };
    let is_chosen = |name: &&String| {
        let fits = |pattern: &String| matches(pattern, name);
        settings.classes.iter().any(fits) && !settings.excludes.iter().any(fits)
    };
    let names = changed.own.iter().chain(&changed.users);
    Settings {
        classes: names.filter(is_there).filter(is_chosen).cloned().collect(),
        classes_directories: side.classes.to_vec(),
        class_path: side.class_path.clone(),
        base_classes_directories: other.classes.to_vec(),
        base_class_path: other.class_path.clone(),
        work_directory: folder.join("work"),
        output_directory: folder.join("tests"),
        findings_directory: folder.join("findings"),
        report_directory: folder.join("report"),
        promote_directory: folder.join("promoted"),
        // There are two sides.
        time_limit_seconds: settings.time_limit_seconds.div_ceil(2),
        contracts: false,
        theories: false,
        update_baseline: false,
        incremental: false,
        coverage_agent: None,
        ..settings.clone()
    }
}

/// Runs the tests of one side on the code of the other. Tests of the code as it is that do not compile on the other are
/// counted alone: they call what is new.
fn run_on(
    own: &Settings,
    other: &Side<'_>,
    changed: &Changed,
    cancel: &Cancel,
) -> Result<(Vec<Difference>, usize), Error> {
    let settings = Settings {
        classes_directories: other.classes.to_vec(),
        class_path: other.class_path.clone(),
        ..own.clone()
    };
    let manifest = Manifest::of_tests(&settings)?;
    let whole = WorkerSettings::of(&settings, None, cancel);
    let compared = compare(
        &settings,
        &whole,
        &manifest,
        Tests::OfEarlierRuns,
        &BTreeSet::new(),
        Some(changed.files.clone()),
        cancel,
    )?;
    let passes_on = match other.name {
        PassesOn::Base => PassesOn::Now,
        PassesOn::Now => PassesOn::Base,
    };
    let is_new = |change: &BehaviourChange| change.is_broken && passes_on == PassesOn::Now;
    let mut texts: BTreeMap<String, Earlier> = BTreeMap::new();
    let (mut found, mut unfit) = (Vec::new(), 0);
    for change in compared.changes {
        if is_new(&change) {
            unfit += 1;
            continue;
        }
        let file = texts.entry(change.file.clone()).or_insert_with(|| {
            let text = manifest.earlier(&change.file).unwrap_or_default();
            Earlier::new(&change.file, text)
        });
        let method = change.test.rsplit('#').next().unwrap_or_default();
        let of_name = file.tests.iter().find(|test| test.name == method);
        let text = of_name.map_or_else(String::new, |test| file.text_of(test));
        found.push(difference(&settings, change, passes_on, text));
    }
    Ok((found, unfit))
}

/// Before and now are those of the revisions, whichever side the test was made on.
fn difference(
    settings: &Settings,
    change: BehaviourChange,
    passes_on: PassesOn,
    text: String,
) -> Difference {
    let (before, now) = match passes_on {
        PassesOn::Base => (change.before, change.now),
        PassesOn::Now => (change.now, change.before),
    };
    let file = settings.output_directory.join(&change.file);
    Difference {
        place: place_of_named(settings, &change.class)
            .unwrap_or_else(|| place_in(settings, &file, change.line)),
        class: change.class,
        method: change.method,
        before,
        now,
        line: change.source,
        passes_on,
        test: text,
    }
}

/// One for each method and pair of values, where a line of a test is no value: that with the shortest test; of one method
/// those with the shortest tests. What is told of classes that changed stands before what follows from it elsewhere.
fn smallest(found: Vec<Difference>, changed: &BTreeSet<String>) -> Vec<Difference> {
    let is_of_user = |one: &Difference| {
        let outermost = one.class.split('$').next().unwrap_or_default();
        !changed.contains(outermost)
    };
    let mut smallest: BTreeMap<[String; 4], Difference> = BTreeMap::new();
    for one in found {
        let value = |text: &String| match text.strip_prefix("throws ") {
            // One side knows the class alone, and by its simple name.
            Some(thrown) => {
                let class = thrown.split(':').next().unwrap_or(thrown);
                format!("throws {}", class.rsplit('.').next().unwrap_or(class))
            }
            None if *text == one.line => String::new(),
            None => text.clone(),
        };
        let (before, now) = (value(&one.before), value(&one.now));
        let key = [one.class.clone(), one.method.clone(), before, now];
        let other = smallest.get(&key);
        if other.is_none_or(|other| size(&one) < size(other)) {
            smallest.insert(key, one);
        }
    }
    let mut by_size: Vec<Difference> = smallest.into_values().collect();
    by_size.sort_by_key(size);
    let mut told: BTreeMap<(String, String), usize> = BTreeMap::new();
    by_size.retain(|one| {
        let of_method = (one.class.clone(), one.method.clone());
        let count = told.entry(of_method).or_default();
        *count += 1;
        *count <= if is_of_user(one) { OF_USER } else { OF_METHOD }
    });
    by_size.sort_by_cached_key(|one| {
        let texts = [&one.class, &one.method, &one.before, &one.now];
        (is_of_user(one), texts.map(String::clone))
    });
    by_size
}

/// Lines, then characters, of the test.
fn size(one: &Difference) -> (usize, usize) {
    (one.test.lines().count(), one.test.len())
}

/// Which classes are compared, and what is not.
fn tell_changed(since: &str, changed: &Changed, listener: &dyn Listener) {
    let (own, elsewhere) = (changed.own.len(), changed.elsewhere.len());
    let text = message::changed_classes(since, own, elsewhere, changed.users.len());
    listener.line(Level::Info, &text);
    if !changed.resources.is_empty() {
        let text = message::changed_resources(&changed.resources);
        listener.line(Level::Info, &text);
    }
}

/// What differs, line by line.
fn tell(differences: &Differences, listener: &dyn Listener) {
    let all = &differences.differences;
    listener.line(
        Level::Info,
        &message::differences(&differences.since, all.len()),
    );
    for one in all.iter().take(NAMED) {
        listener.line(Level::Info, &message::difference(one));
    }
    let more = all.len().saturating_sub(NAMED);
    if more > 0 {
        listener.line(Level::Info, &message::more_differences(more));
    }
    if differences.is_cut {
        listener.line(Level::Warning, message::DIFFERENCES_CUT);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rates() -> BTreeSet<String> {
        BTreeSet::from(["demo.Rates".to_owned()])
    }

    fn one(now: &str, test: &str) -> Difference {
        Difference {
            class: "demo.Rates".to_owned(),
            method: "fee".to_owned(),
            before: "5".to_owned(),
            now: now.to_owned(),
            test: test.to_owned(),
            ..Difference::default()
        }
    }

    #[test]
    fn of_tests_that_show_the_same_difference_the_shortest_stays() {
        let found = vec![
            one("6", "a();\nb();"),
            one("6", "a();"),
            one("7", "c();\nd();"),
        ];
        assert_eq!(
            smallest(found, &rates()),
            [one("6", "a();"), one("7", "c();\nd();")]
        );
    }

    #[test]
    fn a_line_of_a_test_is_no_value_and_few_differences_of_a_method_are_told() {
        let thrown = |line: &str| Difference {
            before: line.to_owned(),
            line: line.to_owned(),
            ..one("throws nothing", line)
        };
        let found = vec![thrown("charge(11);"), thrown("charge(1);")];
        assert_eq!(smallest(found, &rates()), [thrown("charge(1);")]);
        let found = (0..9).map(|now| one(&now.to_string(), &"a".repeat(now + 1)));
        let now: Vec<String> = smallest(found.collect(), &rates())
            .into_iter()
            .map(|one| one.now)
            .collect();
        assert_eq!(now, ["0", "1", "2", "3"]);
    }

    #[test]
    fn an_exception_is_one_difference_whichever_side_shows_it() {
        let thrown = |before: &str, test: &str| Difference {
            before: before.to_owned(),
            ..one("throws nothing", test)
        };
        let found = vec![
            thrown("throws DeskException", "a();"),
            thrown("throws demo.DeskException: moved twice", "a();\nb();"),
        ];
        assert_eq!(
            smallest(found, &rates()),
            [thrown("throws DeskException", "a();")]
        );
    }

    #[test]
    fn what_follows_elsewhere_is_told_once_and_last() {
        let till = |now: &str, test: &str| Difference {
            class: "demo.Cart".to_owned(),
            ..one(now, test)
        };
        let found = vec![till("8", "b();"), till("9", "a(); "), one("6", "a();")];
        assert_eq!(
            smallest(found, &rates()),
            [one("6", "a();"), till("8", "b();")]
        );
    }

    #[test]
    fn a_test_made_on_what_the_code_is_now_has_its_values_the_other_way_round() {
        let folder = tempfile::tempdir().unwrap();
        let settings = Settings {
            output_directory: folder.path().to_owned(),
            ..Settings::partial(&[]).unwrap()
        };
        let change = BehaviourChange {
            before: "6".to_owned(),
            now: "5".to_owned(),
            ..BehaviourChange::default()
        };
        let made = difference(&settings, change.clone(), PassesOn::Now, String::new());
        assert_eq!((made.before.as_str(), made.now.as_str()), ("5", "6"));
        let made = difference(&settings, change, PassesOn::Base, String::new());
        assert_eq!((made.before.as_str(), made.now.as_str()), ("6", "5"));
    }
}
