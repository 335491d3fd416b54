//! Runs that are interrupted between verifying single classes and verifying all of them together: none of their tests is
//! in the output folder, and the next run takes them up.

use crate::project_lab::{Lab, borrowed};
use palus_engine::{Cancel, ErrorKind, Level, Listener, Progress, generate};
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Which classes a child works on, and where.
const SOURCES: &str = "PALUS_TEST_SOURCES";
const FOLDER: &str = "PALUS_TEST_FOLDER";
/// What the child says when it is to be killed.
const HERE: &str = "waits to be killed";

const BUDGET: &[(&str, &str)] = &[("budget", "100"), ("workers", "2")];

type Sources = Vec<(String, String)>;

/// A class with something to test.
fn plain(name: &str) -> (String, String) {
    let text = format!(
        "package demo; public class {name} {{ public int twice(int n) {{ return n > 7 ? 2 * n : 1; }} }}"
    );
    (format!("demo/{name}.java"), text)
}

/// So many classes of which there is nothing to call: with three more they are verified in two batches, and then together.
const BARE: usize = 31;

/// Three classes of which there is something to call; one breaks a rule: `equals` is not reflexive.
fn few() -> Sources {
    let bare = |number: usize| {
        let text = format!(
            "package demo; final class Bare{number:02} {{ private Bare{number:02}() {{}} }}"
        );
        (format!("demo/Bare{number:02}.java"), text)
    };
    let odd = "package demo; public class Odd {
      public boolean equals(Object other) { return false; }
      public int hashCode() { return 1; }
    }";
    let mut all = vec![plain("First"), plain("Second")];
    all.push(("demo/Odd.java".to_owned(), odd.to_owned()));
    all.extend((0..BARE).map(bare));
    all
}

/// Two classes, tests of which fail beside those of the other, and so many between them that these are verified in
/// batches of their own.
fn polluting() -> Sources {
    let counts = |class: &str| {
        let text = format!(
            "package demo; public class {class} {{
              private {class}() {{}}
              public static int next() {{ return Counter.next(); }}
            }}"
        );
        (format!("demo/{class}.java"), text)
    };
    let counter = "package demo; final class Counter {
          private static int next;
          private Counter() {}
          static int next() { return next++; }
        }";
    let mut all: Sources = (10..42)
        .map(|number| plain(&format!("Plain{number}")))
        .collect();
    all.extend([counts("First"), counts("Second")]);
    all.push(("demo/Counter.java".to_owned(), counter.to_owned()));
    all
}

/// Classes whose tests pass in every second JVM: two objects of the same set have any order.
fn flaky() -> Sources {
    let class = |number: u32| {
        let text = format!(
            "package demo; import java.util.*; public class Order{number} {{
              public boolean isKept() {{
                Object first = new Object();
                Set<Object> all = new HashSet<>(Arrays.asList(first, new Object()));
                return all.iterator().next() == first;
              }}
            }}"
        );
        (format!("demo/Order{number}.java"), text)
    };
    let plain = [plain("First"), plain("Second")];
    plain.into_iter().chain((10..50).map(class)).collect()
}

fn lab(sources: &Sources) -> Lab {
    Lab::new(&borrowed(sources), &[])
}

fn options(sources: &Sources) -> Vec<(&'static str, &'static str)> {
    let excludes = sources.iter().any(|(name, _)| name == "demo/Counter.java");
    let excludes = excludes.then_some(("excludes", "demo.Counter"));
    BUDGET.iter().copied().chain(excludes).collect()
}

/// Does something when all classes have passed in their groups, and all are to be verified together.
struct Together<'a> {
    has_generated: AtomicBool,
    act: &'a (dyn Fn() + Sync),
}

impl<'a> Together<'a> {
    fn of(act: &'a (dyn Fn() + Sync)) -> Together<'a> {
        Together {
            has_generated: AtomicBool::new(false),
            act,
        }
    }
}

impl Listener for Together<'_> {
    fn line(&self, _: Level, text: &str) {
        if text.starts_with("generate ") {
            self.has_generated.store(true, Ordering::Relaxed);
        } else if text.ends_with(": print") && self.has_generated.load(Ordering::Relaxed) {
            (self.act)();
        }
    }

    fn progress(&self, _: Progress<'_>) {}
}

/// Cancels a run as soon as it works on a class.
struct AtBegin(Cancel);

impl Listener for AtBegin {
    fn line(&self, _: Level, text: &str) {
        if text.ends_with(" begins") {
            self.0.cancel();
        }
    }

    fn progress(&self, _: Progress<'_>) {}
}

/// Runs as a process of its own too: see `killed`. One that nobody kills writes its tests.
#[test]
fn victim() {
    let own = tempfile::tempdir().unwrap();
    let folder = std::env::var_os(FOLDER).map_or(own.path().to_owned(), PathBuf::from);
    let sources = match std::env::var(SOURCES).as_deref() {
        Ok("polluting") => polluting(),
        Ok("flaky") => flaky(),
        _ => few(),
    };
    let wait = || {
        if std::env::var_os(FOLDER).is_some() {
            writeln!(std::io::stdout(), "\n{HERE}").unwrap();
            loop {
                std::thread::park();
            }
        }
    };
    let listener = Together::of(&wait);
    let settings = lab(&sources).settings_in(&folder, &options(&sources));
    generate(&settings, &listener, &Cancel::default()).unwrap();
    assert!(written(&folder).contains("FirstPalusTest.java"));
}

/// A run that is killed before all is verified together: a lab with what it left.
#[expect(clippy::disallowed_methods, reason = "it is to be killed")]
fn killed(name: &str, sources: &Sources) -> Lab {
    let lab = lab(sources);
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "interrupted::victim", "--nocapture"])
        .env(SOURCES, name)
        .env(FOLDER, lab.folder.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut lines = lines.map_while(Result::ok);
    let is_there = lines.any(|line| line == HERE);
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(is_there, "it came to its end");
    lab
}

/// Names of the test files in the output folder.
fn written(folder: &Path) -> BTreeSet<String> {
    let files = std::fs::read_dir(folder.join("tests/demo"));
    let names = files.into_iter().flatten();
    names
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .collect()
}

/// The classes that a run worked on.
fn worked_on(said: &str) -> Vec<&str> {
    let classes = said.lines().filter_map(|line| line.strip_suffix(" begins"));
    let mut classes: Vec<&str> = classes.collect();
    classes.sort_unstable();
    classes
}

/// Files of classes that wait to be written.
fn staged(lab: &Lab) -> Vec<PathBuf> {
    let files = std::fs::read_dir(lab.work().join("staged"));
    let files = files.into_iter().flatten();
    let mut files: Vec<_> = files.map(|file| file.unwrap().path()).collect();
    files.sort();
    files
}

/// Those of them with tests.
fn staged_tests(lab: &Lab) -> Vec<PathBuf> {
    let mut files = staged(lab);
    files.retain(|file| {
        std::fs::read_to_string(file)
            .unwrap()
            .contains("PalusTest {")
    });
    files
}

#[test]
fn of_one_batch_all_are_verified_together_at_once_and_there_is_nothing_to_interrupt() {
    let few = few();
    let (two, _) = few.split_at(2);
    for (sources, times) in [(two, 1), (&few, 2)] {
        let lab = lab(&sources.to_vec());
        let said = lab.run(&options(&sources.to_vec()));
        let is_printed = |line: &&str| *line == "demo.FirstPalusTest: print";
        assert_eq!(said.lines().filter(is_printed).count(), times, "{said}");
        assert!(written(lab.folder.path()).contains("FirstPalusTest.java"));
    }
}

#[test]
fn a_killed_run_leaves_no_file_and_the_next_one_writes_what_it_verified() {
    let sources = few();
    let lab = killed("few", &sources);
    assert_eq!(written(lab.folder.path()), BTreeSet::new());
    assert_eq!(staged_tests(&lab).len(), 3);

    let said = lab.run(&options(&sources));
    // What breaks a rule is told by a run that worked on it.
    assert_eq!(worked_on(&said), ["demo.Odd"], "{said}");
    assert!(
        said.contains(&format!(
            "of {} classes that an interrupted run had verified are taken up",
            BARE + 2
        )),
        "{said}"
    );
    assert!(!lab.ids().is_empty(), "{said}");
    let whole = lab.written("demo");
    assert_eq!(whole.len(), 3, "{said}");
    let wrote = said.lines().find(|line| line.starts_with("wrote "));
    assert!(wrote.unwrap().ends_with("in 3 files under tests"), "{said}");
    assert_eq!(staged(&lab), Vec::<PathBuf>::new());
    let report = std::fs::read_to_string(lab.at("report/report.json")).unwrap();
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    let has_all = |class: &serde_json::Value| {
        class["steps"].as_u64().unwrap() > 0 && !class["tests"].as_array().unwrap().is_empty()
    };
    let classes = report["classes"].as_array().unwrap().iter();
    assert_eq!(classes.filter(|class| has_all(class)).count(), 3, "{said}");
    let explained = std::fs::read_to_string(lab.at("report/explain.json")).unwrap();
    assert!(explained.contains("demo.First"), "{explained}");

    // As if nobody had killed it.
    let other = self::lab(&sources);
    other.run(&options(&sources));
    assert_eq!(whole, other.written("demo"));
    assert!(lab.run(&options(&sources)).contains("up to date"));
}

#[test]
fn what_a_killed_run_left_damaged_or_of_other_code_is_made_anew() {
    let sources = few();
    let mut lab = killed("few", &sources);
    // One is cut short, and one is nobody's.
    let first = staged(&lab).into_iter();
    let is_first = |path: &PathBuf| {
        let text = std::fs::read_to_string(path).unwrap();
        text.contains("class FirstPalusTest")
    };
    let first = first.into_iter().find(is_first).unwrap();
    let text = std::fs::read_to_string(&first).unwrap();
    std::fs::write(&first, &text[..text.len() - 2]).unwrap();
    std::fs::write(lab.work().join("staged/other"), "class Other { }").unwrap();
    let mut edited = sources.clone();
    edited[1].1 = edited[1].1.replace("2 * n", "3 * n");
    lab.edit(&borrowed(&edited));

    let said = lab.run(&options(&sources));
    let all = ["demo.First", "demo.Odd", "demo.Second"];
    assert_eq!(worked_on(&said), all, "{said}");
    let resumed = said.lines().find(|line| line.starts_with("resumed "));
    assert!(
        resumed.is_none_or(|line| line.contains(&format!(" 0 tests of {BARE} classes"))),
        "{said}"
    );
    let files = lab.written("demo");
    assert_eq!(files.len(), 3, "{said}");
    assert!(files["SecondPalusTest.java"].contains("24"), "{said}");
    assert_eq!(staged(&lab), Vec::<PathBuf>::new());
}

#[test]
fn nothing_is_taken_up_for_a_file_that_was_edited_or_by_a_whole_run_and_nothing_is_lost() {
    let sources = few();
    let lab = killed("few", &sources);
    let own = "package demo; class FirstPalusTest { }";
    std::fs::create_dir_all(lab.at("tests/demo")).unwrap();
    std::fs::write(lab.at("tests/demo/FirstPalusTest.java"), own).unwrap();
    let narrow = [&options(&sources)[..], &[("classes", "demo.First")]].concat();
    let said = lab.run(&narrow);
    assert_eq!(worked_on(&said), ["demo.First"], "{said}");
    assert_eq!(lab.written("demo")["FirstPalusTest.java"], own, "{said}");
    // Those that were not chosen wait.
    assert_eq!(staged_tests(&lab).len(), 2, "{said}");
    let anew = [&options(&sources)[..], &[("incremental", "false")]].concat();
    // One that is cut as well, before it has tests, leaves what waited.
    let cut = AtBegin(Cancel::default());
    let ended = generate(&lab.settings(&anew), &cut, &cut.0);
    assert_eq!(ended.unwrap_err().kind, ErrorKind::Cancelled);
    assert_eq!(staged_tests(&lab).len(), 2);
    let said = lab.run(&anew);
    assert_eq!(worked_on(&said).len(), BARE + 3, "{said}");
    assert_eq!(staged(&lab), Vec::<PathBuf>::new());
}

#[test]
fn a_run_that_is_cancelled_before_all_is_verified_together_writes_nothing_and_loses_nothing() {
    let sources = few();
    let lab = lab(&sources);
    let cancel = Cancel::default();
    let act = || cancel.cancel();
    let listener = Together::of(&act);
    let ended = generate(&lab.settings(&options(&sources)), &listener, &cancel);
    assert_eq!(ended.unwrap_err().kind, ErrorKind::Cancelled);
    assert_eq!(written(lab.folder.path()), BTreeSet::new());
    let said = lab.run(&options(&sources));
    assert_eq!(worked_on(&said), ["demo.Odd"], "{said}");
    assert_eq!(lab.written("demo").len(), 3, "{said}");
}

#[test]
fn what_an_interrupted_run_saw_pass_by_chance_is_not_written_by_the_next() {
    let sources = flaky();
    let lab = killed("flaky", &sources);
    let is_order = |file: &&String| file.starts_with("Order");
    // Of forty one in four passes both times: all but one run in ten thousand leaves some.
    let left = staged(&lab);
    assert!(left.len() > 2, "{left:?}");
    lab.run(&options(&sources));
    let files = lab.written("demo");
    assert!(files.contains_key("FirstPalusTest.java"), "{left:?}");
    let asserting: Vec<&String> = files.keys().filter(is_order).collect();
    let asserting: Vec<&&String> = asserting
        .iter()
        .filter(|file| files[**file].contains("isKept()"))
        .collect();
    assert!(asserting.is_empty(), "{asserting:?} {left:?}");
}

/// Lets the time end while all are verified together, and notes what is said.
struct Late<'a> {
    together: Together<'a>,
    said: Mutex<Vec<String>>,
}

impl Listener for Late<'_> {
    fn line(&self, level: Level, text: &str) {
        self.said.lock().unwrap().push(text.to_owned());
        self.together.line(level, text);
    }

    fn progress(&self, _: Progress<'_>) {}
}

/// All numbers that stand before such a word.
fn numbers_before(text: &str, words: &[&str]) -> u64 {
    let all: Vec<&str> = text.split_whitespace().collect();
    let pairs = all
        .windows(2)
        .filter(|pair| words.contains(&pair[1].trim_end_matches(',')));
    pairs.map(|pair| pair[0].parse::<u64>().unwrap()).sum()
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the time is to end")]
fn where_the_time_ends_before_all_ran_together_nothing_is_written_and_the_limit_it_takes_is_told() {
    let sources = few();
    let lab = lab(&sources);
    let started = Instant::now();
    let has_slept = AtomicBool::new(false);
    let act = || {
        if !has_slept.swap(true, Ordering::Relaxed) {
            // Together they have 45 seconds, and three times as long as the groups took.
            std::thread::sleep(Duration::from_secs(47) + 3 * started.elapsed());
        }
    };
    let late = Late {
        together: Together::of(&act),
        said: Mutex::default(),
    };
    let short = [("budget", "100"), ("workers", "1"), ("timeLimit", "20")];
    let summary = generate(&lab.settings(&short), &late, &Cancel::default()).unwrap();
    let said = late.said.into_inner().unwrap().join("\n");
    assert!(summary.is_cut && summary.files == 0, "{said}");
    assert_eq!(written(lab.folder.path()), BTreeSet::new());
    assert_eq!(staged_tests(&lab).len(), 3, "{said}");
    let line = |start: &str| said.lines().find(|line| line.starts_with(start));
    let told = line("the time limit ended before all tests had run in one JVM").unwrap();
    let (_, limits) = told.split_once("raise `timeLimit` from 20 to ").unwrap();
    let needed = limits.split(' ').next().unwrap().parse::<u64>().unwrap();
    assert!(needed > started.elapsed().as_secs(), "{told}");
    assert!(needed % 60 == 0 && needed < 1000, "{told}");
    let verify = line("verify ").unwrap();
    assert!(verify.contains(", 0 stable, "), "{verify}");
    let fates = numbers_before(verify, &["stable", "dropped", "not"]);
    assert_eq!(
        numbers_before(verify, &["test", "tests"]),
        fates,
        "{verify}"
    );

    let said = lab.run(&options(&sources));
    let resumed = said.lines().find(|line| line.starts_with("resumed "));
    assert!(
        resumed.is_some_and(|line| line.contains(&format!("of {} classes", BARE + 2))),
        "{said}"
    );
    assert_eq!(lab.written("demo").len(), 3, "{said}");
    let verify = said
        .lines()
        .find(|line| line.starts_with("verify "))
        .unwrap();
    let fates = numbers_before(verify, &["stable", "dropped", "behind", "not"]);
    assert_eq!(
        numbers_before(verify, &["test", "tests"]),
        fates,
        "{verify}"
    );
}

/// The classes whose tests fail beside one another's.
const BOTH: [&str; 2] = ["FirstPalusTest.java", "SecondPalusTest.java"];

/// Notes every line at which the files of both are there.
struct Watch<'a> {
    folder: &'a Path,
    lines: Mutex<Vec<String>>,
}

impl Listener for Watch<'_> {
    fn line(&self, _: Level, text: &str) {
        let files = written(self.folder);
        if BOTH.iter().all(|&file| files.contains(file)) {
            self.lines.lock().unwrap().push(text.to_owned());
        }
    }

    fn progress(&self, _: Progress<'_>) {}
}

#[test]
fn tests_that_do_harm_beside_others_alone_are_never_in_the_output_folder() {
    let sources = polluting();
    let whole = lab(&sources);
    let watch = Watch {
        folder: whole.folder.path(),
        lines: Mutex::default(),
    };
    let settings = whole.settings(&options(&sources));
    let summary = generate(&settings, &watch, &Cancel::default()).unwrap();
    assert!(summary.failing > 0);
    let lines = watch.lines.into_inner().unwrap();
    assert_eq!(lines, Vec::<String>::new());

    // Both were verified by a run that was killed before it saw them together.
    let lab = killed("polluting", &sources);
    assert_eq!(written(lab.folder.path()), BTreeSet::new());
    let said = lab.run(&options(&sources));
    assert_eq!(worked_on(&said), Vec::<&str>::new(), "{said}");
    let dropped = "verified by an interrupted run, but fails beside other tests: demo.";
    assert!(said.contains(dropped), "{said}");
    let files = written(lab.folder.path());
    assert!(!BOTH.iter().all(|&file| files.contains(file)), "{files:?}");
    assert!(files.contains("Plain41PalusTest.java"), "{said}");

    // Its class is done again, and then all is as if nobody had killed the run.
    let said = lab.run(&options(&sources));
    assert_eq!(worked_on(&said).len(), 1, "{said}");
    assert_eq!(lab.written("demo"), whole.written("demo"), "{said}");
    assert!(lab.run(&options(&sources)).contains("up to date"));
}
