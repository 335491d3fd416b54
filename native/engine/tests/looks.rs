//! When a look at written tests counts: not for code that is compiled anew meanwhile, and also where a module has no class.

use crate::project_lab::Lab;
use palus_engine::{Error, ErrorKind};
use std::path::Path;

const BUDGET: [(&str, &str); 1] = [("budget", "200")];

/// A class whose method `fee` gives this.
fn rates(fee: &str) -> String {
    format!("package demo; public class Rates {{ public int fee() {{ return {fee}; }} }}")
}

/// Puts that class into a folder of a package, as another build does.
fn put(folder: &Path, fee: &str) {
    let compiled = palus_fixture::compile(&[("demo/Rates.java", &rates(fee))]);
    let class = compiled.dir.join("demo/Rates.class");
    std::fs::copy(class, folder.join("Rates.class")).unwrap();
}

fn is_change(said: &str, ended: Result<(), Error>) {
    let kind = ended.map_err(|error| error.kind);
    assert_eq!(kind, Err(ErrorKind::BehaviourChange), "{said}");
}

const MEANWHILE: &str = "the code was changed while Palus ran it";

#[test]
fn code_that_is_compiled_anew_during_a_run_is_looked_at_by_the_next() {
    let mut lab = Lab::new(&[("demo/Rates.java", &rates("5"))], &[]);
    let own = lab.own_classes("demo");
    let at_end = |fee: &'static str| {
        let own = own.clone();
        move |line: &str| {
            if line.starts_with("wrote") {
                put(&own, fee);
            }
        }
    };
    let (said, ended) = lab.told_while(&BUDGET, &at_end("6"));
    ended.unwrap();
    assert!(said.contains(MEANWHILE), "{said}");
    let (said, ended) = lab.compared(&BUDGET);
    is_change(&said, ended);
    assert!(said.contains("before 5, now 6"), "{said}");

    let (said, ended) = lab.accepted_while(&BUDGET, &at_end("7"));
    ended.unwrap();
    assert!(said.contains(MEANWHILE), "{said}");
    let (said, ended) = lab.compared(&BUDGET);
    is_change(&said, ended);
    assert!(said.contains("before 6, now 7"), "{said}");

    // What ran is noted where nothing changes.
    lab.accept(&BUDGET);
    let (said, ended) = lab.compared(&BUDGET);
    ended.unwrap();
    assert!(said.contains("so it runs none again"), "{said}");
}

#[test]
fn where_classes_are_gone_for_a_moment_nothing_is_replaced_or_deleted() {
    let mut lab = Lab::new(&[("demo/Rates.java", &rates("5"))], &[]);
    let own = lab.own_classes("demo");
    lab.run(&BUDGET);
    let written = lab.written("demo");
    put(&own, "6");
    let gone = own.with_file_name("gone");
    // Before the project is read, and while workers load its classes; then all is as it was.
    for (when, accept) in [("sandbox", "true"), ("check ", "true"), ("check ", "false")] {
        let options = [
            ("budget", "200"),
            ("accept", accept),
            ("incremental", "false"),
        ];
        let is_away = std::sync::atomic::AtomicBool::new(false);
        let (said, ended) = lab.told_while(&options, &|line| {
            if line.starts_with(when) && !is_away.swap(true, std::sync::atomic::Ordering::Relaxed) {
                std::fs::rename(&own, &gone).unwrap();
                std::fs::rename(&gone, &own).unwrap();
            }
        });
        let error = ended.expect_err(&said);
        assert!(
            error.message.contains("no written test was replaced")
                || error.kind == ErrorKind::BehaviourChange,
            "{error}{said}"
        );
        assert_eq!(lab.written("demo"), written, "{said}");
    }
    lab.accept(&BUDGET);
    assert_ne!(lab.written("demo"), written);
}

#[test]
fn a_test_that_is_edited_during_a_run_is_looked_at_by_the_next() {
    let lab = Lab::new(&[("demo/Rates.java", &rates("5"))], &[]);
    let file = lab.at("tests/demo/RatesPalusTest.java");
    let edit = |line: &str| {
        if line.starts_with("report ") {
            let text = std::fs::read_to_string(&file).unwrap();
            let added = "  @org.junit.Test public void mine() { new java.io.File(\"ledger\").delete(); }\n}";
            std::fs::write(&file, text.replacen("\n}", &format!("\n{added}"), 1)).unwrap();
        }
    };
    let (said, ended) = lab.told_while(&BUDGET, &edit);
    ended.unwrap();
    assert!(said.contains("was edited while Palus ran"), "{said}");
    let (said, ended) = lab.compared(&BUDGET);
    is_change(&said, ended);
    assert!(said.contains("File.delete"), "{said}");
}

#[test]
fn a_look_says_nothing_of_code_that_was_replaced_before_it_ran() {
    let mut lab = Lab::new(&[("demo/Rates.java", &rates("5"))], &[]);
    let own = lab.own_classes("demo");
    lab.run(&BUDGET);
    put(&own, "6");
    let (said, ended) = lab.compared_while(&BUDGET, &|line| {
        if line.starts_with("sandbox") {
            put(&own, "5");
        }
    });
    ended.unwrap();
    assert!(
        said.contains("all pass") && said.contains(MEANWHILE),
        "{said}"
    );
    put(&own, "6");
    let (said, ended) = lab.compared(&BUDGET);
    is_change(&said, ended);
}

#[test]
fn tests_of_a_class_that_went_to_another_module_are_looked_at_and_accepted() {
    let mut lab = Lab::new(&[("demo/Rates.java", &rates("5"))], &[]);
    let own = lab.own_classes("demo");
    lab.run(&BUDGET);
    std::fs::remove_dir_all(own.parent().unwrap()).unwrap();
    lab.edit_library(&[("demo/Rates.java", &rates("\"fee.5\".length()"))]);
    let (said, ended) = lab.compared(&BUDGET);
    ended.unwrap();
    assert!(said.contains("of the last run, all pass"), "{said}");
    let harm = rates("new java.io.File(\"ledger\").delete() ? 6 : 5");
    lab.edit_library(&[("demo/Rates.java", &harm)]);
    let (said, ended) = lab.compared(&BUDGET);
    is_change(&said, ended);
    assert!(said.contains("File.delete"), "{said}");
    let said = lab.accept(&BUDGET);
    assert!(said.contains(" gone"), "{said}");
}

#[test]
fn a_look_at_some_tests_is_none_at_those_that_rested() {
    let other = "package demo; public class Other { public int zero() { return 0; } }";
    let mut lab = Lab::new(
        &[("demo/Rates.java", &rates("5")), ("demo/Other.java", other)],
        &[],
    );
    lab.run(&BUDGET);
    let parsed = rates("Integer.parseInt(\"5\")");
    lab.edit(&[("demo/Rates.java", &parsed), ("demo/Other.java", other)]);
    let said = lab.ended_at(&BUDGET, "of the last run");
    assert!(
        said.contains("more rest on is as when they passed"),
        "{said}"
    );
    let (said, ended) = lab.compared(&BUDGET);
    ended.unwrap();
    assert!(said.contains("of the last run, all pass"), "{said}");
    let (said, ended) = lab.compared(&BUDGET);
    ended.unwrap();
    assert!(said.contains("so it runs none again"), "{said}");
}
