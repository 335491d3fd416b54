//! A class that is worked on again keeps tests that are as good as new ones, through real workers and a real compiler.

use crate::project_lab::Lab;

const FEES: &str = "package demo; public class Fees {
  public int fee(int amount) { return amount > 100 ? Base.five() : 1; }
  public boolean isFree(int amount) { return amount == 0; }
}";

/// Its test methods in the other order.
fn turned(text: &str) -> String {
    let (head, rest) = text.split_once("  @Test").unwrap();
    let rest = format!("  @Test{rest}");
    let (rest, end) = rest.rsplit_once("\n}").unwrap();
    let mut tests: Vec<&str> = rest.split("\n\n  @Test").collect();
    tests[0] = tests[0].strip_prefix("  @Test").unwrap();
    tests.reverse();
    format!("{head}  @Test{}\n}}{end}", tests.join("\n\n  @Test"))
}

#[test]
fn tests_that_pass_stay_where_new_ones_of_the_same_code_notice_no_more() {
    let base = |five: &str| {
        format!("package demo; class Base {{ static int five() {{ return {five}; }} }}")
    };
    let budget = [("budget", "300")];
    let fees = |fees: &'static str| ("demo/Fees.java", fees);
    let mut lab = Lab::after_run(&[("demo/Base.java", &base("5")), fees(FEES)], &budget);
    let file = "FeesPalusTest.java";
    let other = turned(&lab.written("demo")[file]);
    assert_ne!(other, lab.written("demo")[file]);
    lab.forge("demo/FeesPalusTest.java", &other);

    // What it uses is written otherwise.
    let other_base = base("\"fives\".length()");
    lab.edit(&[("demo/Base.java", &other_base), fees(FEES)]);
    let said = lab.run(&budget);
    assert!(
        said.contains("1 class was worked on again, and new tests"),
        "{said}"
    );
    assert_eq!(lab.written("demo")[file], other, "{said}");
    assert!(lab.run(&budget).contains("up to date"));

    // Other settings are to give other tests, and another class has other faults.
    let said = lab.run(&[("budget", "300"), ("seed", "1")]);
    assert!(!said.contains("worked on again"), "{said}");
    let more = FEES.replace("amount == 0;", "amount == 0 || amount == 7;");
    lab.edit(&[("demo/Base.java", &other_base), ("demo/Fees.java", &more)]);
    let said = lab.run(&budget);
    assert!(!said.contains("worked on again"), "{said}");
}
