//! Accepting replaces the tests that fail by a changed behaviour, and leaves every other test and file as it is.

use crate::project_lab::Lab;
use palus_engine::ErrorKind;
use std::collections::{BTreeMap, BTreeSet};

const BUDGET: [(&str, &str); 1] = [("budget", "300")];

const RATES: &str = "package demo; public class Rates {
  public int fee() { return 5; }
  public int limit(int amount) { return amount > 100 ? amount / 10 : 3; }
  public java.util.List<String> names() { return java.util.Arrays.asList(\"low\"); }
}";
/// It uses the other one, by a method that does not change.
const TILL: &str = "package demo; public class Till {
  private int sum;
  public int pay(int amount) { sum += new Rates().limit(amount); return sum; }
}";
/// It breaks a rule: `equals` is not reflexive.
const ODD: &str = "package demo; public class Odd {
  public boolean equals(Object other) { return false; }
  public int hashCode() { return 1; }
}";

fn sources(rates: &str) -> [(&str, &str); 3] {
    [
        ("demo/Rates.java", rates),
        ("demo/Till.java", TILL),
        ("demo/Odd.java", ODD),
    ]
}

fn lab() -> Lab {
    let lab = Lab::after_run(&sources(RATES), &BUDGET);
    assert_eq!(lab.written("demo").len(), 3);
    lab
}

/// Tests of a file.
fn blocks(text: &str) -> BTreeSet<&str> {
    let (_, tests) = text.split_once("  @Test").unwrap();
    tests.split("\n\n  @Test").collect()
}

/// Every file of the lab but those of work, by path.
fn files(lab: &Lab) -> BTreeMap<String, String> {
    let mut all = BTreeMap::new();
    let mut folders = vec![lab.at("tests"), lab.at("report"), lab.at("palus/findings")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if let Ok(text) = std::fs::read_to_string(&path) {
                all.insert(path.display().to_string(), text);
            }
        }
    }
    all
}

fn is_changed(before: &BTreeMap<String, String>, after: &BTreeMap<String, String>) -> Vec<String> {
    let names: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    let names = names.into_iter();
    let names = names.filter(|&name| before.get(name) != after.get(name));
    names.cloned().collect()
}

#[test]
fn only_a_test_that_fails_is_replaced_and_every_other_test_and_file_stays() {
    let mut lab = lab();
    let (before, all) = (lab.written("demo"), files(&lab));
    // A method more, too, whose tests are no matter of accepting.
    let now = RATES.replace("return 5;", "return 6;");
    let now = now.replace(
        "public int limit",
        "public int more(int a) { return a; } public int limit",
    );
    lab.edit(&sources(&now));
    let said = lab.accept(&BUDGET);
    let file = "demo/RatesPalusTest.java";
    assert!(
        said.contains(&format!("accepted  {file}: 1 test says the new value")),
        "{said}"
    );
    let after = lab.written("demo");
    let (old, new) = (
        &before["RatesPalusTest.java"],
        &after["RatesPalusTest.java"],
    );
    let gone: Vec<_> = blocks(old).difference(&blocks(new)).copied().collect();
    let come: Vec<_> = blocks(new).difference(&blocks(old)).copied().collect();
    assert!(
        gone.len() == 1 && gone[0].contains("assertEquals(5, "),
        "{gone:?}"
    );
    assert!(
        come.len() == 1 && come[0].contains("assertEquals(6, "),
        "{come:?}"
    );
    assert!(!new.contains("more("), "{new}");
    let changed = is_changed(&all, &files(&lab));
    let ends = [".palus-manifest", file];
    assert_eq!(changed.len(), ends.len(), "{changed:?}");
    assert!(
        changed
            .iter()
            .zip(ends)
            .all(|(name, end)| name.ends_with(end)),
        "{changed:?}"
    );

    // All passes now, and there is nothing more to accept.
    let (said, ended) = lab.compared(&BUDGET);
    ended.unwrap_or_else(|error| panic!("{error} {said}"));
    let said = lab.accept(&BUDGET);
    assert!(said.contains("no written test fails"), "{said}");
    assert_eq!(lab.written("demo"), after);
    // The next run has the new method tested.
    lab.run(&BUDGET);
    assert!(lab.written("demo")["RatesPalusTest.java"].contains("more("));
}

const DESK: &str = "package demo; public class Desk {
  public enum Mood { CALM, VERY_CALM }
  private int waiting;
  public String greet(String name) { return \"Dear \" + name; }
  public boolean isOpen(int hour) { return hour > 8; }
  public Mood mood() { return Mood.CALM; }
  public int fee(int amount) {
    if (amount < 0) throw new IllegalArgumentException(\"less than nothing\");
    return amount * 2 + 1;
  }
  public void come() { waiting++; }
  public int waiting() { return waiting; }
}";

/// What tests do: their lines without what is asserted and how they are called.
fn deeds(text: &str) -> BTreeSet<Vec<String>> {
    let deed = |line: &str| {
        let at = line.find("desk.").or_else(|| line.find("new Desk("));
        at.map(|at| line[at..].to_owned())
    };
    blocks(text)
        .into_iter()
        .map(|test| test.lines().filter_map(deed).collect())
        .collect()
}

#[test]
fn a_test_does_what_it_did_and_says_the_new_values() {
    let mut lab = Lab::after_run(&[("demo/Desk.java", DESK)], &BUDGET);
    let before = lab.written("demo")["DeskPalusTest.java"].clone();
    let mut now = DESK.to_owned();
    for (from, to) in [
        ("Dear ", "Hello "),
        ("hour > 8", "hour <= 8"),
        ("return Mood.CALM", "return Mood.VERY_CALM"),
        (
            "IllegalArgumentException(\"less than nothing\")",
            "IllegalStateException(\"owing\")",
        ),
        ("amount * 2 + 1", "amount * 3 + 2"),
        ("waiting++", "waiting += 2"),
    ] {
        assert!(now.contains(from), "{from}");
        now = now.replace(from, to);
    }
    lab.edit(&[("demo/Desk.java", &now)]);
    let said = lab.accept(&BUDGET);
    let accepted = said
        .lines()
        .find(|line| line.contains("accepted  demo/DeskPalusTest.java:"));
    let accepted = accepted.unwrap_or_else(|| panic!("{said}"));
    assert!(accepted.contains("say the new value"), "{said}");
    assert!(
        !accepted.contains("replaced") && !accepted.contains("gone"),
        "{said}"
    );
    let after = lab.written("demo")["DeskPalusTest.java"].clone();
    assert_eq!(deeds(&before), deeds(&after), "{before}\n{after}");
    for (old, new) in [
        ("\"Dear ", "\"Hello "),
        ("Mood.CALM", "Mood.VERY_CALM"),
        (
            "mood_onNewDesk_returnsCalm",
            "mood_onNewDesk_returnsVeryCalm",
        ),
        ("IllegalArgumentException", "IllegalStateException"),
        ("throwsIllegalArgument", "throwsIllegalState"),
        ("\"less than nothing\"", "\"owing\""),
        ("WaitingIsOne", "WaitingIsTwo"),
    ] {
        let (old, new) = (old.to_lowercase(), new.to_lowercase());
        let (before, after) = (before.to_lowercase(), after.to_lowercase());
        assert!(
            before.contains(&old) && !after.contains(&old),
            "{old} {after}"
        );
        assert!(after.contains(&new), "{new} {after}");
    }
    let (said, ended) = lab.compared(&BUDGET);
    ended.unwrap_or_else(|error| panic!("{error} {said}"));
}

#[test]
fn no_test_comes_to_say_the_value_of_code_that_does_harm_on_another_day_or_of_a_folder_of_this_machine()
 {
    let mut lab = lab();
    let harm = "if (\"prod\".equals(System.getenv(\"STAGE_NAME\"))) new java.io.File(\"/data/ledger\").delete();";
    lab.edit(&sources(
        &RATES.replace("return 5;", &format!("{harm} return 6;")),
    ));
    let said = lab.accept(&BUDGET);
    assert!(
        !said.contains("say the new value") && !said.contains("says the new value"),
        "{said}"
    );
    let rates = &lab.written("demo")["RatesPalusTest.java"];
    assert!(!rates.contains("fee("), "{rates}");
    let (said, ended) = lab.compared(&BUDGET);
    ended.unwrap_or_else(|error| panic!("{error} {said}"));

    let named = |name: &str| {
        format!("package demo; public class Named {{ public String name() {{ return {name}; }} }}")
    };
    let mut lab = Lab::after_run(&[("demo/Named.java", &named("\"low\""))], &BUDGET);
    // As a build writes it into a resource.
    let folder = lab.at("data").display().to_string();
    lab.edit(&[("demo/Named.java", &named(&format!("\"{folder}\"")))]);
    lab.accept(&BUDGET);
    let named = lab.written("demo").remove("NamedPalusTest.java");
    assert!(named.is_none_or(|text| !text.contains(&folder)));
}

#[test]
fn no_test_comes_to_say_a_value_of_the_code_of_a_library_or_one_of_this_zone() {
    let made =
        |body: &str| format!("package lib; public class Made {{ public int cost() {{ {body} }} }}");
    let main = [(
        "demo/Till.java",
        "package demo; public class Till { private final lib.Made made = new lib.Made(); public lib.Made made() { return made; } }",
    )];
    let mut lab = Lab::with_library(&main, &[("lib/Made.java", &made("return 5;"))]);
    lab.run(&BUDGET);
    let till = &lab.written("demo")["TillPalusTest.java"];
    assert!(till.contains("cost()"), "{till}");
    let harm = "if (\"prod\".equals(System.getenv(\"STAGE_NAME\"))) new java.io.File(\"/data/ledger\").delete(); return 6;";
    lab.edit_library(&[("lib/Made.java", &made(harm))]);
    let said = lab.accept(&BUDGET);
    assert!(!said.contains("the new value"), "{said}");

    let named = |name: &str| {
        format!("package demo; public class Named {{ public String name() {{ return {name}; }} }}")
    };
    let mut lab = Lab::after_run(&[("demo/Named.java", &named("\"low\""))], &BUDGET);
    let zone = "java.util.TimeZone.getDefault().getID()";
    lab.edit(&[("demo/Named.java", &named(zone))]);
    let said = lab.accept(&BUDGET);
    assert!(!said.contains("the new value"), "{said}");
    let (said, ended) = lab.compared(&BUDGET);
    ended.unwrap_or_else(|error| panic!("{error} {said}"));
}

#[test]
fn where_nothing_fails_nothing_is_written() {
    let mut lab = lab();
    let all = files(&lab);
    let more = RATES.replace(
        "public int limit",
        "public int more() { return 7; } public int limit",
    );
    lab.edit(&sources(&more));
    let said = lab.accept(&BUDGET);
    assert!(said.contains("no written test fails"), "{said}");
    assert_eq!(is_changed(&all, &files(&lab)), Vec::<String>::new());
}

#[test]
fn tests_of_what_is_gone_go_and_with_a_renamed_class_its_file() {
    let mut lab = lab();
    let before = lab.written("demo");
    lab.edit(&sources(
        &RATES.replace("public int fee() { return 5; }", ""),
    ));
    let said = lab.accept(&BUDGET);
    assert!(said.contains(" gone"), "{said}");
    let after = lab.written("demo");
    let (old, new) = (
        &before["RatesPalusTest.java"],
        &after["RatesPalusTest.java"],
    );
    assert!(!new.contains("fee("), "{new}");
    assert!(blocks(new).is_subset(&blocks(old)), "{new}");
    let (_, ended) = lab.compared(&BUDGET);
    ended.unwrap();

    let renamed = RATES.replace("class Rates", "class Fees");
    let till = TILL.replace("Rates", "Fees");
    lab.edit(&[
        ("demo/Fees.java", &renamed),
        ("demo/Till.java", &till),
        ("demo/Odd.java", ODD),
    ]);
    lab.accept(&BUDGET);
    let files: Vec<String> = lab.written("demo").into_keys().collect();
    assert_eq!(files, ["OddPalusTest.java", "TillPalusTest.java"]);
    assert_eq!(
        lab.written("demo")["TillPalusTest.java"],
        before["TillPalusTest.java"]
    );
    let (_, ended) = lab.compared(&BUDGET);
    ended.unwrap();
}

#[test]
fn a_test_in_an_edited_file_or_of_a_class_that_is_not_chosen_stays_and_fails() {
    let mut lab = lab();
    let path = lab.at("tests/demo/RatesPalusTest.java");
    let written = lab.written("demo")["RatesPalusTest.java"].clone();
    lab.edit(&sources(&RATES.replace("return 5;", "return 6;")));
    let said = lab.accept(&[BUDGET[0], ("classes", "demo.Till")]);
    assert!(said.contains("tests that fail in 1 file stay"), "{said}");
    assert_eq!(lab.written("demo")["RatesPalusTest.java"], written);

    let edited = written + "// mine\n";
    std::fs::write(&path, &edited).unwrap();
    let said = lab.accept(&BUDGET);
    assert!(said.contains("mend them, or delete these files"), "{said}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), edited);
    let (_, ended) = lab.compared(&BUDGET);
    assert_eq!(ended.unwrap_err().kind, ErrorKind::BehaviourChange);
}

#[test]
fn a_change_that_is_taken_back_after_it_was_accepted_is_a_change_again() {
    let mut lab = lab();
    let before = lab.written("demo");
    lab.edit(&sources(&RATES.replace("return 5;", "return 6;")));
    lab.accept(&BUDGET);
    lab.edit(&sources(RATES));
    let (said, ended) = lab.told(&BUDGET);
    assert_eq!(
        ended.unwrap_err().kind,
        ErrorKind::BehaviourChange,
        "{said}"
    );
    lab.accept(&BUDGET);
    assert_eq!(lab.written("demo"), before);
}

#[test]
fn a_test_elsewhere_that_fails_in_another_zone_keeps_no_test_from_being_replaced() {
    let mut lab = lab();
    let before = lab.written("demo");
    let there = "java.util.TimeZone.getDefault().getID().equals(\"Pacific/Chatham\")";
    let till = TILL.replace("return sum;", &format!("return {there} ? -1 : sum;"));
    let rates = RATES.replace("return 5;", "return 6;");
    lab.edit(&[
        ("demo/Rates.java", &rates),
        ("demo/Till.java", &till),
        ("demo/Odd.java", ODD),
    ]);
    let said = lab.accept(&BUDGET);
    assert!(said.contains(": 1 test says the new value"), "{said}");
    assert!(!said.contains(" gone"), "{said}");
    let after = lab.written("demo");
    let rates = &after["RatesPalusTest.java"];
    assert!(rates.contains("assertEquals(6, "), "{rates}");
    // What fails there is named, and left alone.
    let unsteady = said
        .lines()
        .find(|line| line.contains("is no change of behaviour"));
    let names = unsteady.unwrap_or_else(|| panic!("{said}"));
    assert!(
        names.contains("demo.TillPalusTest#") && !names.contains("demo.RatesPalusTest#"),
        "{said}"
    );
    assert_eq!(after["TillPalusTest.java"], before["TillPalusTest.java"]);
}

/// The options of a run that nothing but the time limit ends.
fn endless(limit: &str) -> [(&str, &str); 3] {
    [
        ("budget", "1000000000"),
        ("patience", "false"),
        ("timeLimit", limit),
    ]
}

#[test]
fn what_a_run_that_was_cut_found_takes_the_place_of_a_failing_test_and_the_limit_is_named() {
    let mut lab = lab();
    let rates = RATES.replace("\"low\"", "\"high\"");
    // Nothing finds this, so the class is worked on until the time is over.
    let hard = "public boolean isKey(String text) { return text.hashCode() == 1234567891 && text.length() == 40; }
        public int limit";
    lab.edit(&sources(&rates.replace("public int limit", hard)));
    let said = lab.accept(&endless("20"));
    assert!(said.contains("the time limit cut demo.Rates"), "{said}");
    assert!(said.contains(": 1 test replaced"), "{said}");
    let rates = &lab.written("demo")["RatesPalusTest.java"];
    assert!(rates.contains("\"high\""), "{rates}");
}

#[test]
fn where_the_time_limit_ends_before_a_test_is_found_nothing_is_written() {
    let mut lab = lab();
    let all = files(&lab);
    lab.edit(&sources(&RATES.replace("\"low\"", "\"high\"")));
    let (said, ended) = lab.accepted_while(&endless("1"), &|_| {});
    let error = ended.unwrap_err();
    assert!(
        error.message.contains("nothing was written"),
        "{error} {said}"
    );
    assert!(error.hint.contains("timeLimit"), "{}", error.hint);
    assert_eq!(is_changed(&all, &files(&lab)), Vec::<String>::new());
    // With time enough they are replaced.
    let said = lab.accept(&BUDGET);
    assert!(said.contains(": 1 test replaced"), "{said}");
}
