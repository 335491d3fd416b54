//! Written tests that become the project's own, through real workers and a real compiler.

use crate::project_lab::Lab;
use palus_engine::ErrorKind;
use std::collections::BTreeMap;

const ADDER: (&str, &str) = (
    "demo/Adder.java",
    "package demo; public class Adder { public int add(int a) { return a + 1; } }",
);
const OTHER: (&str, &str) = (
    "demo/Other.java",
    "package demo; public class Other { public int twice(int a) { return a * 2; } }",
);

/// The promoted files of the package by name.
fn promoted(lab: &Lab) -> BTreeMap<String, String> {
    let folder = lab.at("src/test/java/demo");
    let files = std::fs::read_dir(&folder).into_iter().flatten();
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    names
        .map(|name| {
            (
                name.clone(),
                std::fs::read_to_string(folder.join(name)).unwrap(),
            )
        })
        .collect()
}

fn names(files: &BTreeMap<String, String>) -> Vec<&str> {
    files.keys().map(String::as_str).collect()
}

#[test]
fn promoted_tests_move_by_class_and_are_not_written_again_until_they_are_deleted() {
    let lab = Lab::new(&[ADDER, OTHER], &[]);
    lab.run(&[("budget", "200")]);
    let written = lab.written("demo");
    let said = lab.promote(&[("classes", "demo.Adder")]).unwrap();
    assert!(said.contains("of demo.Adder"), "{said}");
    assert!(!said.contains("before you commit"), "{said}");
    assert_eq!(names(&lab.written("demo")), ["OtherPalusTest.java"]);
    let own = promoted(&lab);
    assert_eq!(names(&own), ["AdderGeneratedTest.java"]);
    let text = &own["AdderGeneratedTest.java"];
    assert!(text.starts_with("// Written by Palus, and kept"), "{text}");
    assert!(text.contains("class AdderGeneratedTest {"), "{text}");
    assert!(!text.contains("PalusTest"), "{text}");
    let count = |text: &str| text.matches("@Test").count();
    assert_eq!(count(text), count(&written["AdderPalusTest.java"]));

    let said = lab.run(&[("budget", "200")]);
    assert!(!said.contains("up to date"), "{said}");
    assert!(said.contains("promoted"), "{said}");
    let after = lab.written("demo");
    assert_eq!(names(&after), ["OtherPalusTest.java"]);
    assert_eq!(after["OtherPalusTest.java"], written["OtherPalusTest.java"]);
    assert_eq!(promoted(&lab), own, "no run changes them");
    assert!(lab.run(&[("budget", "200")]).contains("up to date"));

    std::fs::remove_file(lab.at("src/test/java/demo/AdderGeneratedTest.java")).unwrap();
    lab.run(&[("budget", "200")]);
    assert_eq!(lab.written("demo"), written);
}

#[test]
fn promoted_tests_are_known_under_a_licence_and_in_the_layout_of_a_formatter() {
    let lab = Lab::after_run(&rates(RATES), &[("budget", "200")]);
    lab.promote(&[("classes", "demo.Rates")]).unwrap();
    let path = lab.at("src/test/java/demo/RatesGeneratedTest.java");
    let text = std::fs::read_to_string(&path).unwrap();
    let (_, code) = text.split_once('\n').unwrap();
    let code = code.replace("  ", "\t").replace("{\n", "\n\t{\n");
    std::fs::write(&path, format!("/*\n * Licensed to nobody.\n */\n\n{code}")).unwrap();
    let said = lab.run(&[("budget", "200")]);
    assert!(said.contains("promoted"), "{said}");
    assert_eq!(
        names(&lab.written("demo")),
        ["OtherPalusTest.java"],
        "{said}"
    );
}

#[test]
fn promoting_overwrites_nothing_and_says_where_there_is_nothing_to_promote() {
    let lab = Lab::new(&[ADDER], &[]);
    let error = lab.promote(&[]).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Configuration);
    lab.run(&[("budget", "200")]);
    let own = lab.at("kept/demo/AdderGeneratedTest.java");
    std::fs::create_dir_all(own.parent().unwrap()).unwrap();
    std::fs::write(&own, "mine").unwrap();
    let error = lab.promote(&[("classes", "demo.Missing")]).unwrap_err();
    assert!(error.message.contains("no written test"), "{error}");
    let module = lab.at("module");
    std::fs::create_dir_all(&module).unwrap();
    std::fs::write(module.join("module-info.class"), "").unwrap();
    let module = module.display().to_string();
    let options = [("promoteDirectory", "kept"), ("classesDirectory", &module)];
    let said = lab.promote(&options).unwrap();
    assert!(said.contains("run them in a copy of the project"), "{said}");
    assert_eq!(std::fs::read_to_string(&own).unwrap(), "mine");
    let second = lab.at("kept/demo/AdderGenerated2Test.java");
    let text = std::fs::read_to_string(second).unwrap();
    assert!(text.contains("class AdderGenerated2Test {"), "{text}");
    assert!(lab.written("demo").is_empty());
}

const RATES: &str = "package demo; public class Rates {
  public static int fee(int amount) { return amount + 5; }
  public static int limit() { return 1000; }
  public static boolean isFree(int amount) { return amount == 7; }
}";

fn rates(rates: &str) -> [(&str, &str); 2] {
    [("demo/Rates.java", rates), OTHER]
}

/// Names of the tests of a text.
fn tests(text: &str) -> Vec<&str> {
    let lines = text.lines().map(str::trim);
    let lines = lines.filter_map(|line| line.strip_prefix("public void "));
    lines.filter_map(|line| line.split('(').next()).collect()
}

/// The tests that are among the project's own now, and those that Palus has still.
fn moved(lab: &Lab) -> (Vec<String>, Vec<String>) {
    let names = |files: BTreeMap<String, String>| {
        let texts = files.values().flat_map(|text| tests(text));
        texts.map(str::to_owned).collect::<Vec<String>>()
    };
    (names(promoted(lab)), names(lab.written("demo")))
}

#[test]
fn tests_are_chosen_by_the_method_that_they_reach_and_what_stays_can_be_chosen_next() {
    let lab = Lab::after_run(&rates(RATES), &[("budget", "200")]);
    let (_, all) = moved(&lab);
    let of = |method: &str| -> Vec<String> {
        let of = all.iter().filter(|name| name.starts_with(method));
        of.cloned().collect()
    };
    let rest = |gone: &[String]| -> Vec<String> {
        all.iter()
            .filter(|one| !gone.contains(one))
            .cloned()
            .collect()
    };
    let said = lab.promote(&[("covers", "demo.Rates#isFree")]).unwrap();
    let free = of("isFree");
    assert!(free.len() > 1, "{all:?}");
    assert_eq!(moved(&lab), (free.clone(), rest(&free)), "{said}");
    assert!(said.contains("other tests of these classes stay"), "{said}");

    // The lines of `fee`; and a test of another class that does not reach it stays.
    let said = lab.promote(&[("covers", "demo.Rates:2")]).unwrap();
    let both: Vec<String> = free.iter().cloned().chain(of("fee")).collect();
    let (own, left) = moved(&lab);
    assert!(
        both.iter().all(|name| own.contains(name)) && own.len() == both.len(),
        "{said}"
    );
    assert_eq!(left, rest(&both), "{said}");

    // Another module may have what this one has not.
    let other = [
        ("hasOtherModules", "true"),
        ("covers", "demo.Rates#missing"),
    ];
    assert!(
        lab.promote(&other)
            .unwrap()
            .contains("reaches demo.Rates#missing")
    );
    let error = lab
        .promote(&[("covers", "demo.Rates#missing")])
        .unwrap_err();
    assert!(
        error.message.contains("reaches demo.Rates#missing"),
        "{error}"
    );
    assert_eq!(moved(&lab).1, rest(&both));
}

#[test]
fn a_promotion_that_was_taken_back_can_be_made_again() {
    let lab = Lab::after_run(&rates(RATES), &[("budget", "200")]);
    let copy = lab.at("copy");
    crate::project_lab::copy(&lab.at("tests"), &copy);
    let covers = [("covers", "demo.Rates#isFree")];
    lab.promote(&covers).unwrap();
    let first = promoted(&lab);
    std::fs::remove_dir_all(lab.at("src/test/java")).unwrap();
    std::fs::remove_dir_all(lab.at("tests")).unwrap();
    crate::project_lab::copy(&copy, &lab.at("tests"));
    lab.promote(&covers).unwrap();
    assert_eq!(promoted(&lab), first);
}

#[test]
fn the_tests_that_notice_most_faults_are_taken_of_each_class() {
    let lab = Lab::after_run(&rates(RATES), &[("budget", "200")]);
    let (_, all) = moved(&lab);
    lab.promote(&[("bestPerClass", "1")]).unwrap();
    let (own, left) = moved(&lab);
    assert_eq!(own.len(), 2, "one of each class: {own:?}");
    assert_eq!(own.len() + left.len(), all.len());
    // One of `limit` notices one fault, and one of the others at least as many.
    assert!(!own.iter().any(|name| name.starts_with("limit")), "{own:?}");
}

#[test]
fn what_somebody_edited_is_not_chosen_from() {
    let lab = Lab::after_run(&rates(RATES), &[("budget", "200")]);
    let text = lab.written("demo")["RatesPalusTest.java"].replace("  @Test", "  // Seen.\n  @Test");
    std::fs::write(lab.at("tests/demo/RatesPalusTest.java"), &text).unwrap();
    let error = lab.promote(&[("covers", "demo.Rates#isFree")]).unwrap_err();
    assert!(error.message.contains("no written test"), "{error}");
    assert_eq!(lab.written("demo")["RatesPalusTest.java"], text);
    assert!(promoted(&lab).is_empty());
}

#[test]
fn a_test_that_fails_or_no_longer_compiles_stays_and_its_neighbours_are_promoted() {
    let mut lab = Lab::after_run(&rates(RATES), &[("budget", "200")]);
    let written = lab.written("demo");
    let all = tests(&written["RatesPalusTest.java"]);
    let other = RATES.replace("return 1000", "return 1001");
    let (head, _) = other.split_once("  public static boolean isFree").unwrap();
    lab.edit(&rates(&format!("{head}}}")));
    let said = lab.promote(&[]).unwrap();
    assert!(
        said.contains("before it compiled, now Rates has no method isFree(int)"),
        "{said}"
    );
    assert!(
        said.contains("demo.Rates#limit: before 1000, now 1001"),
        "{said}"
    );
    assert!(said.contains("stay where Palus wrote them"), "{said}");
    let own = promoted(&lab);
    assert_eq!(
        names(&own),
        ["OtherGeneratedTest.java", "RatesGeneratedTest.java"]
    );
    let text = &own["RatesGeneratedTest.java"];
    let gone = tests(text);
    assert!(
        !gone.is_empty() && gone.iter().all(|name| name.starts_with("fee_")),
        "{text}"
    );
    assert!(
        !text.contains("isFree(") && !text.contains("limit("),
        "{text}"
    );
    // What stays is Palus's own as before: it fails the next run until somebody accepts it.
    let left = lab.written("demo");
    assert_eq!(names(&left), ["RatesPalusTest.java"]);
    let stay = tests(&left["RatesPalusTest.java"]);
    let mut both = [gone.clone(), stay.clone()].concat();
    let mut expected = all.clone();
    both.sort_unstable();
    expected.sort_unstable();
    assert_eq!(both, expected);
    let (said, ended) = lab.told(&[("budget", "200")]);
    assert_eq!(
        ended.unwrap_err().kind,
        ErrorKind::BehaviourChange,
        "{said}"
    );
    let said = lab.run(&[("budget", "200"), ("accept", "true")]);
    assert!(
        !said.contains("was changed or made by somebody else"),
        "{said}"
    );
    assert_eq!(promoted(&lab), own);
}

#[test]
fn where_no_test_passes_none_is_promoted_and_nothing_is_touched() {
    let mut lab = Lab::after_run(&rates(RATES), &[("budget", "200")]);
    let written = lab.written("demo");
    let fails = |lab: &Lab| {
        let error = lab.promote(&[("classes", "demo.Rates")]).unwrap_err();
        assert_eq!(error.kind, ErrorKind::BehaviourChange, "{error}");
        assert!(error.message.contains("no test was promoted"), "{error}");
        assert_eq!(lab.written("demo"), written);
        assert!(promoted(lab).is_empty());
    };
    lab.edit(&[OTHER]);
    fails(&lab);
    // The class that passes goes alone.
    let said = lab.promote(&[]).unwrap();
    assert!(
        said.contains("RatesPalusTest.java stays where it is"),
        "{said}"
    );
    assert_eq!(names(&promoted(&lab)), ["OtherGeneratedTest.java"]);
    assert_eq!(names(&lab.written("demo")), ["RatesPalusTest.java"]);
}

#[test]
fn an_edited_file_is_promoted_whole_or_stays_whole() {
    let mut lab = Lab::after_run(&rates(RATES), &[("budget", "200")]);
    let file = lab.at("tests/demo/RatesPalusTest.java");
    let text = std::fs::read_to_string(&file).unwrap();
    let mine = text.replace(
        "class RatesPalusTest {",
        "class RatesPalusTest {\n  // mine",
    );
    std::fs::write(&file, &mine).unwrap();
    lab.edit(&rates(&RATES.replace("return 1000", "return 1001")));
    let said = lab.promote(&[]).unwrap();
    assert!(
        said.contains("takes no file apart that somebody edited"),
        "{said}"
    );
    assert_eq!(std::fs::read_to_string(&file).unwrap(), mine);
    lab.edit(&rates(RATES));
    // An import of what is not there keeps all of it from compiling, and none of its tests needs it.
    let broken = mine.replacen("import ", "import demo.Gone;\nimport ", 1);
    std::fs::write(&file, &broken).unwrap();
    let error = lab.promote(&[]).unwrap_err();
    assert!(error.message.contains("no test was promoted"), "{error}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), broken);
    std::fs::write(&file, &mine).unwrap();
    lab.promote(&[]).unwrap();
    let own = promoted(&lab);
    assert!(
        own["RatesGeneratedTest.java"].contains("// mine"),
        "{own:?}"
    );
}
