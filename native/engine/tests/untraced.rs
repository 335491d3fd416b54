//! A traced run without any test, through the whole engine.

use crate::project_lab::Lab;

const ADDER: (&str, &str) = (
    "demo/Adder.java",
    "package demo; public class Adder { public int add(int a) { return a + 1; } }",
);
const TEST: &str = "{ @org.junit.Test public void adds() { new Adder().add(1); } }";

#[test]
fn no_test_ran_where_tests_are_is_an_error_with_the_runners_cause() {
    let class = format!("package demo; public class AdderTest {TEST}");
    let lab = Lab::new(&[ADDER], &[("demo/AdderTest.java", &class)]);
    let none = ("traceTests", "0");
    let error = lab
        .try_run(&[
            ("notRun", "JUPITER=not this one"),
            ("notRun", "JUNIT4=the runner is another's"),
            none,
        ])
        .unwrap_err();
    assert!(
        error
            .message
            .contains("one test class is there (`demo.AdderTest`)"),
        "{error}"
    );
    assert!(
        error
            .hint
            .contains("the likely cause: the runner is another's."),
        "{error}"
    );
    let filtered = lab.try_run(&[none]).unwrap_err();
    assert!(filtered.hint.contains("filters"), "{filtered}");
    assert!(!lab.at("tests").exists());
    // One test that ran is enough.
    lab.run(&[("budget", "200"), ("traceTests", "1")]);
}

#[test]
fn what_no_test_run_takes_is_no_test_that_should_have_run() {
    let classes = [
        ("demo/Base.java", "abstract class Base"),
        ("demo/AdderIT.java", "class AdderIT"),
    ];
    let sources = classes.map(|(file, head)| (file, format!("package demo; public {head} {TEST}")));
    let tests: Vec<_> = sources
        .iter()
        .map(|(file, text)| (*file, &**text))
        .collect();
    let lab = Lab::new(&[ADDER], &tests);
    lab.run(&[("budget", "200"), ("traceTests", "0")]);
}
