//! Faults of single classes: the other classes get their tests.

mod project_lab;

use palus_engine::{Cancel, Level, Listener, Progress, generate};
use project_lab::Lab;
use std::sync::Mutex;

/// A class with something to test.
fn class(name: &str) -> (String, String) {
    let text = format!(
        "package demo; public class {name} {{ public int twice(int n) {{ return n > 7 ? 2 * n : 1; }} }}"
    );
    (format!("demo/{name}.java"), text)
}

fn lab(names: &[&str]) -> Lab {
    let sources: Vec<_> = names.iter().map(|name| class(name)).collect();
    Lab::new(&project_lab::borrowed(&sources), &[])
}

const FEW: &[(&str, &str)] = &[("budget", "300"), ("workers", "2")];

/// Panics in the thread of one unit.
struct Saboteur(Mutex<Vec<(Level, String)>>);

impl Listener for Saboteur {
    fn line(&self, level: Level, text: &str) {
        assert!(text != "demo.Bad begins", "planted");
        self.0.lock().unwrap().push((level, text.to_owned()));
    }

    fn progress(&self, _: Progress<'_>) {}
}

#[test]
fn a_panic_in_one_unit_costs_the_tests_of_its_class_alone() {
    let lab = lab(&["Apple", "Bad", "Cherry"]);
    let listener = Saboteur(Mutex::default());
    let summary = generate(&lab.settings(FEW), &listener, &Cancel::default()).unwrap();
    let lines = listener.0.into_inner().unwrap();
    let said = |level, part: &str| {
        let mut lines = lines.iter();
        lines.any(|(at, text)| *at == level && text.contains(part))
    };
    assert_eq!(summary.files, 2, "{lines:?}");
    for (name, is_there) in [("Apple", true), ("Bad", false), ("Cherry", true)] {
        let path = lab.at(&format!("tests/demo/{name}PalusTest.java"));
        assert_eq!(path.exists(), is_there, "{name}: {lines:?}");
    }
    let broken = "demo.Bad was given up: a defect of Palus (planted)";
    assert!(said(Level::Warning, broken), "{lines:?}");
    assert!(said(Level::Info, "S10"), "{lines:?}");
    let report = std::fs::read_to_string(lab.at("report/report.json")).unwrap();
    assert!(report.contains("S10"), "{report}");
}

#[test]
fn earlier_tests_of_a_class_whose_work_panics_stay_and_the_next_run_tries_again() {
    let lab = lab(&["Apple", "Bad"]);
    lab.run(FEW);
    let path = lab.at("tests/demo/BadPalusTest.java");
    let before = std::fs::read_to_string(&path).unwrap();
    let settings = lab.settings(&[FEW, &[("seed", "7")]].concat());
    let listener = Saboteur(Mutex::default());
    let summary = generate(&settings, &listener, &Cancel::default()).unwrap();
    let lines = listener.0.into_inner().unwrap();
    assert_eq!(summary.files, 2, "{lines:?}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), before, "{lines:?}");
    let said = lab.run(&[FEW, &[("seed", "7")]].concat());
    assert!(!said.contains("up to date"), "{said}");
    let said = lab.run(&[FEW, &[("seed", "7")]].concat());
    assert!(said.contains("up to date"), "{said}");
}

#[test]
fn a_class_name_that_leaves_no_room_for_that_of_its_test_costs_its_class_alone() {
    // With `PalusTest.java` the first is too long for a source, with `PalusTest.class` the second for a class file.
    let names = ["A".repeat(244), "B".repeat(241)];
    let lab = lab(&[&names[0], &names[1], "Cherry"]);
    let log = lab.run(FEW);
    assert!(lab.at("tests/demo/CherryPalusTest.java").exists(), "{log}");
    for name in names {
        let warning = format!("demo.{name}PalusTest is not written");
        assert!(log.contains(&warning), "{log}");
        assert!(!lab.at(&format!("tests/demo/{name}PalusTest.java")).exists());
    }
}
