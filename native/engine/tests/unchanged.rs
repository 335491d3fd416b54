//! What a second run does again: nothing where nothing changed; otherwise what changed, and what uses that.

mod project_lab;

use project_lab::Lab;
use std::collections::BTreeMap;
use std::path::Path;

const RATES: &str = "package demo; public class Rates {
  public static int fee(int amount) { return amount > 100 ? amount / 10 : 5; }
  public static int limit() { return 1000; }
}";
const TILL: &str = "package demo; public class Till {
  private int sum;
  public int pay(int amount) { sum += amount - Rates.fee(amount); return sum; }
}";
const NAMES: &str = "package demo; public class Names {
  public String initial(String name) { return name.isEmpty() ? \"?\" : name.substring(0, 1); }
}";
/// It breaks a rule: `equals` is not reflexive.
const ODD: &str = "package demo; public class Odd {
  public boolean equals(Object other) { return false; }
  public int hashCode() { return 1; }
}";

const BUDGET: (&str, &str) = ("budget", "300");
const ACCEPT: [(&str, &str); 2] = [BUDGET, ("accept", "true")];

fn sources(rates: &str) -> [(&str, &str); 4] {
    [
        ("demo/Rates.java", rates),
        ("demo/Till.java", TILL),
        ("demo/Names.java", NAMES),
        ("demo/Odd.java", ODD),
    ]
}

/// Steps by class, and names of methods without a test, from `report.json`.
fn told(lab: &Lab) -> String {
    let text = std::fs::read_to_string(lab.at("report/report.json")).unwrap();
    let report: serde_json::Value = serde_json::from_str(&text).unwrap();
    let classes = report["classes"].as_array().unwrap().iter();
    let row = |class: &serde_json::Value| {
        let tests = class["tests"].as_array().unwrap().len();
        format!(
            "{} {} {tests} {}",
            class["name"], class["steps"], class["skipped"]
        )
    };
    classes.map(row).collect::<Vec<_>>().join("\n")
}

fn differing<'a>(
    before: &BTreeMap<String, String>,
    after: &'a BTreeMap<String, String>,
) -> Vec<&'a str> {
    let files = after
        .iter()
        .filter(|(name, text)| before.get(*name) != Some(text));
    files.map(|(name, _)| name.as_str()).collect()
}

#[test]
fn a_method_more_changes_the_tests_of_its_class_alone() {
    let mut lab = Lab::new(&sources(RATES), &[]);
    let first = lab.run(&[BUDGET]);
    assert!(!first.contains("as the last run left them"), "{first}");
    let (before, ids) = (lab.written("demo"), lab.findings());
    assert!(!ids.is_empty(), "{first}");

    let more = RATES.replace(
        "public static int limit",
        "public static int cap(int a) { return a > 9 ? 9 : a; } public static int limit",
    );
    lab.edit(&sources(&more));
    let said = lab.run(&[BUDGET]);
    assert!(
        said.contains("3 of 4 classes are as the last run left them, and keep their tests"),
        "{said}"
    );
    assert!(!said.contains("did not choose"), "{said}");
    let after = lab.written("demo");
    assert_eq!(differing(&before, &after), ["RatesPalusTest.java"]);
    assert!(after["RatesPalusTest.java"].contains("cap("), "{said}");
    // What is not done again is told again.
    assert_eq!(lab.findings(), ids);
    let rows = told(&lab);
    let steps = |class: &str| {
        let row = rows.lines().find(|row| row.contains(class)).unwrap();
        row.split(' ').nth(1).unwrap().parse::<u64>().unwrap()
    };
    assert!(
        ["Rates", "Till", "Names", "Odd"]
            .iter()
            .all(|name| steps(name) > 0),
        "{rows}"
    );
    let explained = std::fs::read_to_string(lab.at("report/explain.json")).unwrap();
    assert!(explained.contains("demo.Names") && explained.contains("demo.Rates"));
}

#[test]
fn what_uses_a_changed_method_is_worked_on_again() {
    let mut lab = Lab::new(&sources(RATES), &[]);
    lab.run(&[BUDGET]);
    let before = lab.written("demo");
    lab.edit(&sources(&RATES.replace(": 5", ": 6")));
    let (said, ended) = lab.told(&[BUDGET]);
    assert!(ended.is_err(), "{said}");
    assert_eq!(lab.written("demo"), before);
    let said = lab.run(&ACCEPT);
    assert!(
        said.contains("2 of 4 classes are as the last run left them"),
        "{said}"
    );
    let after = lab.written("demo");
    assert_eq!(
        differing(&before, &after),
        ["RatesPalusTest.java", "TillPalusTest.java"]
    );
    // Taken back, all is as it was.
    lab.edit(&sources(RATES));
    lab.run(&ACCEPT);
    assert_eq!(lab.written("demo"), before);
}

#[test]
fn a_deleted_file_another_setting_or_a_wish_is_enough_to_work_again() {
    let lab = Lab::new(&sources(RATES), &[]);
    lab.run(&[BUDGET]);
    let before = lab.written("demo");
    std::fs::remove_file(lab.at("tests/demo/TillPalusTest.java")).unwrap();
    let said = lab.run(&[BUDGET]);
    assert!(said.contains("3 of 4 classes are as"), "{said}");
    let after = lab.written("demo");
    assert!(after["TillPalusTest.java"].contains(".pay("), "{said}");
    let others = differing(&before, &after);
    assert!(others.iter().all(|&name| name == "TillPalusTest.java"));
    // A run that chooses others takes nothing of that back.
    let said = lab.run(&[BUDGET, ("classes", "demo.Names")]);
    assert!(
        said.contains("1 of 1 class is as the last run left it"),
        "{said}"
    );
    let said = lab.run(&[BUDGET]);
    assert!(said.contains("4 of 4 classes are as"), "{said}");
    for other in [
        &[BUDGET, ("seed", "7")][..],
        &[BUDGET, ("incremental", "false")],
    ] {
        let said = lab.run(other);
        assert!(!said.contains("as the last run left them"), "{said}");
    }
    assert_eq!(lab.written("demo"), before);
}

#[test]
fn what_a_run_left_holds_where_project_and_folders_are_moved() {
    let mut lab = Lab::new(&sources(RATES), &[]);
    lab.run(&[BUDGET]);
    let before = lab.written("demo");
    let moved = tempfile::tempdir().unwrap();
    copy(lab.folder.path(), moved.path());
    lab.folder = moved;
    let said = lab.run(&[BUDGET]);
    assert!(said.contains("up to date"), "{said}");
    lab.edit(&sources(&RATES.replace("1000", "1001")));
    let said = lab.run(&ACCEPT);
    assert!(said.contains("3 of 4 classes are as"), "{said}");
    assert_eq!(
        differing(&before, &lab.written("demo")),
        ["RatesPalusTest.java"]
    );
}

#[test]
fn what_cannot_be_read_of_the_last_run_is_done_again() {
    let lab = Lab::new(&sources(RATES), &[]);
    lab.run(&[BUDGET]);
    let before = lab.written("demo");
    std::fs::remove_file(lab.at("palus").join("work/state")).unwrap();
    std::fs::write(
        lab.at("palus").join("work/classes.json"),
        "{\"version\":1}\nno",
    )
    .unwrap();
    let said = lab.run(&[BUDGET]);
    assert!(!said.contains("as the last run left them"), "{said}");
    assert_eq!(lab.written("demo"), before);
}

fn copy(from: &Path, to: &Path) {
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            std::fs::create_dir_all(&target).unwrap();
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}
