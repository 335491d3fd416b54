//! Faults of single classes: the other classes get their tests.

use crate::project_lab::Lab;
use palus_engine::{Cancel, Level, Listener, Progress, Summary, generate};
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
    Lab::new(&crate::project_lab::borrowed(&sources), &[])
}

const FEW: &[(&str, &str)] = &[("budget", "300"), ("workers", "2")];

/// Panics where a stage says that a class's turn has come.
struct Saboteur {
    at: String,
    lines: Mutex<Vec<(Level, String)>>,
}

impl Listener for Saboteur {
    fn line(&self, level: Level, text: &str) {
        assert!(text != self.at, "planted");
        self.lines.lock().unwrap().push((level, text.to_owned()));
    }

    fn progress(&self, _: Progress<'_>) {}
}

/// Runs with a panic planted there.
fn sabotaged(lab: &Lab, settings: &[(&str, &str)], at: &str) -> (Summary, Vec<(Level, String)>) {
    let listener = Saboteur {
        at: at.to_owned(),
        lines: Mutex::default(),
    };
    let summary = generate(&lab.settings(settings), &listener, &Cancel::default()).unwrap();
    (summary, listener.lines.into_inner().unwrap())
}

fn said(lines: &[(Level, String)], level: Level, part: &str) -> bool {
    let mut lines = lines.iter();
    lines.any(|(at, text)| *at == level && text.contains(part))
}

/// Where each stage that makes tests of a class begins.
const STAGES: [&str; 4] = [
    "demo.Bad begins",
    "demo.BadPalusTest: print",
    "demo.BadPalusTest: hold back secrets",
    "demo.BadPalusTest: look for what must run often",
];
const GIVEN_UP: &str = "demo.Bad was given up: a defect of Palus (planted)";

#[test]
fn a_panic_in_one_unit_costs_the_tests_of_its_class_alone() {
    for stage in STAGES {
        let lab = lab(&["Apple", "Bad", "Cherry"]);
        let (summary, lines) = sabotaged(&lab, FEW, stage);
        assert_eq!(summary.files, 2, "{stage}: {lines:?}");
        for (name, is_there) in [("Apple", true), ("Bad", false), ("Cherry", true)] {
            let path = lab.at(&format!("tests/demo/{name}PalusTest.java"));
            assert_eq!(path.exists(), is_there, "{stage}: {name}: {lines:?}");
        }
        assert!(said(&lines, Level::Warning, GIVEN_UP), "{stage}: {lines:?}");
        assert!(
            said(&lines, Level::Info, "S10 Palus itself failed"),
            "{stage}: {lines:?}"
        );
        let report = std::fs::read_to_string(lab.at("report/report.json")).unwrap();
        assert!(report.contains("S10"), "{stage}: {report}");
    }
}

#[test]
fn a_panic_in_the_report_costs_no_test() {
    for stage in [
        "demo.Bad: report",
        "demo.Bad: write its page",
        "report: explain",
    ] {
        let lab = lab(&["Apple", "Bad"]);
        let (summary, lines) = sabotaged(&lab, FEW, stage);
        assert_eq!(summary.files, 2, "{stage}: {lines:?}");
        let warning = "the report says little of ";
        assert!(said(&lines, Level::Warning, warning), "{stage}: {lines:?}");
        let page = lab.at("report/classes/demo.Apple.html");
        assert!(page.is_file(), "{stage}: {lines:?}");
        let again = lab.run(FEW);
        assert!(!again.contains("up to date"), "{stage}: {again}");
    }
}

#[test]
fn earlier_tests_of_a_class_whose_work_panics_stay_and_the_next_run_tries_again() {
    let lab = lab(&["Apple", "Bad"]);
    lab.run(FEW);
    let path = lab.at("tests/demo/BadPalusTest.java");
    let before = std::fs::read_to_string(&path).unwrap();
    let seven = [FEW, &[("seed", "7")]].concat();
    for stage in STAGES {
        let (summary, lines) = sabotaged(&lab, &seven, stage);
        assert!(said(&lines, Level::Warning, GIVEN_UP), "{stage}: {lines:?}");
        assert_eq!(summary.files, 2, "{stage}: {lines:?}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), before, "{stage}");
    }
    let said = lab.run(&seven);
    assert!(!said.contains("up to date"), "{said}");
    let said = lab.run(&seven);
    assert!(said.contains("up to date"), "{said}");
}

#[test]
fn a_panic_over_one_finding_costs_the_findings_of_its_class_alone() {
    let class = |name: &str| {
        let text = format!(
            "package demo; public class {name} {{
                public int zero() {{ return 0; }}
                @Override public boolean equals(Object other) {{ return false; }}
                @Override public int hashCode() {{ return 1; }} }}"
        );
        (format!("demo/{name}.java"), text)
    };
    let sources = [class("Bad"), class("Good")];
    let lab = Lab::new(&crate::project_lab::borrowed(&sources), &[]);
    let path = |name: &str| lab.at(&format!("palus/findings/demo/{name}FindingsPalusTest.java"));
    for stage in [
        "demo.Bad: sort findings",
        "demo.Bad: name findings",
        "demo.BadFindingsPalusTest: print",
        "demo.BadFindingsPalusTest: hold back secrets",
        "demo.BadFindingsPalusTest: report findings",
    ] {
        let (summary, lines) = sabotaged(&lab, FEW, stage);
        let given_up = "the findings of demo.Bad were given up (S10): a defect of Palus (planted)";
        assert!(said(&lines, Level::Warning, given_up), "{stage}: {lines:?}");
        assert_eq!(summary.files, 2, "{stage}: {lines:?}");
        assert!(path("Good").exists(), "{stage}: {lines:?}");
        assert!(!path("Bad").exists(), "{stage}: {lines:?}");
        assert_eq!(lab.ids(), ["P101 demo.Good#equals"], "{stage}");
    }
    // What an earlier run wrote stays.
    lab.run(FEW);
    let before = std::fs::read_to_string(path("Bad")).unwrap();
    let seven = [FEW, &[("seed", "7")]].concat();
    let (_, lines) = sabotaged(&lab, &seven, "demo.BadFindingsPalusTest: print");
    assert_eq!(
        std::fs::read_to_string(path("Bad")).unwrap(),
        before,
        "{lines:?}"
    );
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

/// Stands for JaCoCo's analyzer.
fn analyzer(body: &str) -> palus_fixture::Compiled {
    let text = format!(
        "package io.palus.host; public class CoverageMain {{ public static void main(String[] args) {{ {body} }} }}"
    );
    palus_fixture::compile(&[("io/palus/host/CoverageMain.java", &text)])
}

#[test]
fn execution_data_that_cannot_be_analyzed_cost_the_figures_alone() {
    let lab = lab(&["Good"]);
    let data = lab.at("jacoco.exec").display().to_string();
    std::fs::write(&data, "damaged").unwrap();
    let fails = analyzer("throw new OutOfMemoryError(\"a length lied\");");
    let warns = analyzer(
        "System.out.print(\"W\\t\" + args[1] + \" is cut; the rest of it counts as no coverage\\nT\\t0\\t1\\t0\\t1\\n\");",
    );
    let failed = "coverage is not measured, and counts as none: JaCoCo's analyzer failed on";
    for (analyzer, expected) in [
        (&fails, [failed, &data, "a length lied"]),
        (&warns, [&data, " is cut;", "counts as no coverage"]),
    ] {
        let path = analyzer.dir.display().to_string();
        let settings = [("coverageClassPath", &*path), ("coverageFile", &*data)];
        let settings = [FEW, &settings].concat();
        let (said, ended) = lab.told(&settings);
        ended.unwrap();
        let warnings = said.lines().filter(|line| line.contains(expected[0]));
        let warnings: Vec<&str> = warnings.filter(|line| line.contains(expected[2])).collect();
        assert!(
            !warnings.is_empty() && warnings.iter().all(|line| line.contains(expected[1])),
            "{said}"
        );
        assert!(lab.at("tests/demo/GoodPalusTest.java").exists());
        assert!(lab.at("report/report.json").exists(), "{said}");
        std::fs::remove_dir_all(lab.at("report")).unwrap();
    }
}
