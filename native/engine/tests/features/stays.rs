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

const USER: &str = "package demo; public class FeesTest {
  static int amount;
  @org.junit.Test public void fee() { new Fees().fee(amount); }
  public static void main(String[] arguments) { amount = Integer.parseInt(arguments[0]); new FeesTest().fee(); }
}";

#[test]
fn tests_that_pass_stay_where_new_ones_of_the_same_code_notice_no_more() {
    let base = |five: &str| {
        format!("package demo; class Base {{ static int five() {{ return {five}; }} }}")
    };
    let fees = |fees: &'static str| ("demo/Fees.java", fees);
    let main = [("demo/Base.java", &*base("5")), fees(FEES)];
    let mut lab = Lab::new(&main, &[("demo/FeesTest.java", USER)]);
    let trace = lab.at("trace").display().to_string();
    let options = [("budget", "300"), ("traceDirectory", &*trace)];
    lab.trace("demo.FeesTest", "150");
    lab.run(&options);
    let file = "FeesPalusTest.java";
    let other = turned(&lab.written("demo")[file]);
    assert_ne!(other, lab.written("demo")[file]);
    lab.forge("demo/FeesPalusTest.java", &other);

    // The project's own tests do something else.
    lab.trace("demo.FeesTest", "151");
    std::fs::remove_file(lab.work().join("state")).unwrap();
    let said = lab.run(&options);
    assert!(
        said.contains("1 class was worked on again, and new tests"),
        "{said}"
    );
    assert_eq!(lab.written("demo")[file], other, "{said}");
    assert!(lab.run(&options).contains("up to date"));

    // Other settings are to give other tests, and another class has other faults.
    let said = lab.run(&[options[0], options[1], ("seed", "1")]);
    assert!(!said.contains("worked on again"), "{said}");
    let more = FEES.replace("amount == 0;", "amount == 0 || amount == 7;");
    lab.edit(&[main[0], ("demo/Fees.java", &more)]);
    let said = lab.run(&options);
    assert!(!said.contains("worked on again"), "{said}");

    // What the class uses may do another thing on another day, though its tests pass today.
    lab.forge(
        "demo/FeesPalusTest.java",
        &turned(&lab.written("demo")[file]),
    );
    lab.edit(&[
        ("demo/Base.java", &base("\"fives\".length()")),
        ("demo/Fees.java", &more),
    ]);
    let said = lab.run(&options);
    assert!(!said.contains("worked on again"), "{said}");
}
