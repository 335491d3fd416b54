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

/// It breaks a rule for all that extend it.
const BASE: (&str, &str) = (
    "demo/Base.java",
    "package demo; public class Base {
      public boolean equals(Object other) { return false; }
      public int hashCode() { return 1; }
    }",
);
const APPLE: &str =
    "package demo; public class Apple extends Base { public int weight() { return 2; } }";
const PEAR: &str =
    "package demo; public class Pear extends Base { public int weight() { return 3; } }";

/// Names of the files with findings.
fn files_of_findings(lab: &Lab) -> Vec<String> {
    let entries = std::fs::read_dir(lab.at("palus/findings/demo")).into_iter();
    let names = entries.flatten().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<String> = names.map(|name| name.into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_finding_stays_in_one_file_as_long_as_there_is_a_class_that_shows_it() {
    let fruit = |apple, pear| [BASE, ("demo/Apple.java", apple), ("demo/Pear.java", pear)];
    let mut lab = Lab::new(&fruit(APPLE, PEAR), &[]);
    let said = lab.run(&[BUDGET]);
    let ids = lab.findings();
    assert_eq!(ids.len(), 1, "{said}");
    assert_eq!(files_of_findings(&lab), ["AppleFindingsPalusTest.java"]);
    // Found again by a class that was edited, it stays where it stands.
    let heavy = PEAR.replace("return 3", "return 33");
    lab.edit(&fruit(APPLE, &heavy));
    let said = lab.run(&ACCEPT);
    assert!(said.contains("2 of 3 classes are as"), "{said}");
    assert_eq!(lab.findings(), ids);
    assert_eq!(files_of_findings(&lab), ["AppleFindingsPalusTest.java"]);
    // The class with the file breaks the rule no more; the others do.
    let sound = "public boolean equals(Object other) { return other == this; } public int weight";
    let sound = APPLE.replace("public int weight", sound);
    lab.edit(&fruit(&sound, &heavy));
    let said = lab.run(&ACCEPT);
    assert_eq!(lab.findings(), ids, "{said}");
    assert_eq!(files_of_findings(&lab), ["BaseFindingsPalusTest.java"]);
    // It goes with the last class that shows it.
    let alone = sound.replace("extends Base", "");
    lab.edit(&[("demo/Apple.java", &alone)]);
    lab.run(&ACCEPT);
    assert!(lab.findings().is_empty());
    assert!(files_of_findings(&lab).is_empty());
}

#[test]
fn a_file_of_findings_that_is_deleted_or_edited_has_its_class_worked_on_again() {
    let lab = Lab::new(&sources(RATES), &[]);
    lab.run(&[BUDGET]);
    let ids = lab.findings();
    let file = lab.at("palus/findings/demo/OddFindingsPalusTest.java");
    let text = std::fs::read_to_string(&file).unwrap();
    let mine = text.clone() + "// mine\n";
    for edited in [None, Some(&mine)] {
        match edited {
            None => std::fs::remove_file(&file).unwrap(),
            Some(mine) => std::fs::write(&file, mine).unwrap(),
        }
        std::fs::remove_file(lab.at("palus/work/state")).unwrap();
        let said = lab.run(&[BUDGET]);
        assert!(said.contains("3 of 4 classes are as"), "{said}");
        assert_eq!(said.contains("OddFindingsPalusTest.java was"), edited.is_some(), "{said}");
        let now = std::fs::read_to_string(&file).unwrap();
        assert_eq!(&now, edited.unwrap_or(&text));
        assert_eq!(lab.findings(), ids);
    }
}

/// One that an object breaks, and one about no object, which the first class tries.
const THEORIES: &str = "package demo;
import static org.junit.Assert.assertTrue;
import org.junit.experimental.theories.Theory;
public class RatesTheories {
  @Theory public void paysNothing(Till till) { assertTrue(till.pay(7) == 0); }
  @Theory public void isSmall(int number) { assertTrue(number < 1); }
}";

#[test]
fn a_broken_theory_is_told_while_there_is_a_class_that_breaks_it() {
    let mut lab = Lab::new(&sources(RATES), &[("demo/RatesTheories.java", THEORIES)]);
    let said = lab.run(&[BUDGET]);
    let ids = lab.findings();
    let broken = ids.iter().filter(|(id, _)| id.starts_with("P201"));
    assert_eq!(broken.count(), 2, "{ids:?} {said}");
    let file = lab.at("palus/findings/demo/RatesTheoriesFindingsPalusTest.java");
    let text = std::fs::read_to_string(&file).unwrap();
    // A class that breaks none of them is edited.
    let higher = RATES.replace("1000", "1001");
    lab.edit(&sources(&higher));
    lab.run(&ACCEPT);
    assert_eq!(lab.findings(), ids);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), text);
    // The first class is gone: the theory about no object is the next one's matter.
    let fewer = sources(&higher).into_iter();
    let fewer: Vec<_> = fewer.filter(|(name, _)| *name != "demo/Names.java").collect();
    lab.edit(&fewer);
    let said = lab.run(&ACCEPT);
    assert_eq!(lab.findings(), ids, "{said}");
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
