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
    assert!(said.contains("Run them before you commit"), "{said}");
    assert_eq!(std::fs::read_to_string(&own).unwrap(), "mine");
    let second = lab.at("kept/demo/AdderGenerated2Test.java");
    let text = std::fs::read_to_string(second).unwrap();
    assert!(text.contains("class AdderGenerated2Test {"), "{text}");
    assert!(lab.written("demo").is_empty());
}
