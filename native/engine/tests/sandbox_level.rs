//! Whole runs on systems whose kernel holds everything, or a part, or nothing.
#![cfg(target_os = "linux")]

use crate::project_lab::Lab;
use palus_engine::ErrorKind;
use std::os::unix::fs::PermissionsExt;

const COUNTER: (&str, &str) = (
    "demo/Counter.java",
    "package demo;
    public class Counter {
      private int runs;
      public int run() { return ++runs; }
    }",
);

fn lab() -> Lab {
    Lab::new(&[COUNTER], &[])
}

/// A launcher that does what the real one does on a kernel without landlock.
fn launcher_without_landlock(lab: &Lab) -> String {
    let path = lab.at("launcher");
    let real = palus_fixture::launcher().display();
    std::fs::write(
        &path,
        format!("#!/bin/sh\nexec {real} --no-landlock \"$@\"\n"),
    )
    .unwrap();
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o700)).unwrap();
    path.display().to_string()
}

#[test]
fn the_second_line_the_report_and_its_json_say_what_the_kernel_holds() {
    let lab = lab();
    let log = lab.run(&[("budget", "200"), ("workers", "1")]);
    let text = "the kernel guards files (landlock), network and processes (seccomp)";
    assert_eq!(log.lines().nth(1), Some(&*format!("sandbox   {text}")));
    let json = std::fs::read_to_string(lab.at("report/report.json")).unwrap();
    assert!(json.contains("\"level\": \"FULL\""), "{json}");
    assert!(json.contains(text), "{json}");
    let page = std::fs::read_to_string(lab.at("report/index.html")).unwrap();
    assert!(page.contains(&format!("Sandbox FULL: {text}")), "{page}");
}

#[test]
fn a_run_refuses_where_landlock_is_missing_and_names_the_setting() {
    let lab = lab();
    let launcher = launcher_without_landlock(&lab);
    let error = lab.try_run(&[("launcher", &launcher)]).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Configuration);
    assert!(error.message.contains("landlock cannot be used"), "{error}");
    assert!(
        error.hint.contains("sandbox = BEST_EFFORT"),
        "{}",
        error.hint
    );
    assert!(!lab.at("tests/demo").exists());
}

#[test]
fn best_effort_goes_on_and_says_what_is_not_held() {
    let lab = lab();
    let launcher = launcher_without_landlock(&lab);
    let log = lab.run(&[
        ("launcher", &launcher),
        ("sandbox", "BEST_EFFORT"),
        ("budget", "200"),
        ("workers", "1"),
    ]);
    assert!(
        log.contains("does not protect files outside the work folder"),
        "{log}"
    );
    let json = std::fs::read_to_string(lab.at("report/report.json")).unwrap();
    assert!(json.contains("\"level\": \"PARTIAL\""), "{json}");
    let text = "the kernel guards network and processes (seccomp); what it denies is not known";
    assert!(log.contains(text) && json.contains(text), "{log}{json}");
    assert!(lab.at("tests/demo/CounterPalusTest.java").exists());
}

#[test]
fn a_look_at_written_tests_and_a_comparison_of_revisions_say_what_the_kernel_holds() {
    let mut lab = lab();
    lab.run(&[("budget", "200"), ("workers", "1")]);
    // Code that is as it was when all tests passed is not run.
    let with = |more: &str| {
        COUNTER
            .1
            .replacen("public int", &format!("{more} public int"), 1)
    };
    let line = "sandbox   the kernel guards files (landlock), network and processes (seccomp)\n";
    let options = [("budget", "200"), ("workers", "1")];
    lab.edit(&[(COUNTER.0, &with("public int one() { return 1; }"))]);
    let (said, ended) = lab.compared(&options);
    ended.unwrap();
    assert_eq!(said.matches(line).count(), 1, "{said}");
    let launcher = launcher_without_landlock(&lab);
    let best_effort = [("launcher", &*launcher), ("sandbox", "BEST_EFFORT")];
    lab.edit(&[(COUNTER.0, &with("public int two() { return 2; }"))]);
    let (said, ended) = lab.compared(&[&options[..], &best_effort].concat());
    ended.unwrap();
    let missing = "does not protect files outside the work folder";
    let held = "sandbox   the kernel guards network and processes (seccomp)";
    assert!(said.contains(missing) && said.contains(held), "{said}");

    let text = COUNTER.1.replace("++runs", "runs += 2");
    let base = palus_fixture::compile(&[(COUNTER.0, &text)]);
    let said = lab.differences(&base, &options).unwrap();
    // The runs inside say it for the log alone.
    let (before, _) = said.split_once("generating tests").unwrap();
    assert_eq!(before.matches(line).count(), 1, "{said}");
    let json = std::fs::read_to_string(lab.at("report/differences/differences.json")).unwrap();
    assert!(json.contains("\"sandbox\": \"FULL\""), "{json}");
    let said = lab.differences(&base, &[&options[..], &best_effort].concat());
    let said = said.unwrap();
    let (before, inside) = said.split_once("generating tests").unwrap();
    assert!(before.contains(held) && inside.contains(missing), "{said}");
}
