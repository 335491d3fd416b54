//! Assertions chosen by faults, through whole runs.

mod project_lab;

use project_lab::Lab;

const GATE: (&str, &str) = (
    "demo/Gate.java",
    r"package demo;
public class Gate {
  private int passed;
  private int refused;
  public boolean pass(int weight) {
    if (weight > 10) {
      refused++;
      return false;
    }
    passed++;
    return true;
  }
  public int getPassed() { return passed; }
  public int getRefused() { return refused; }
  public boolean isOpen() { return true; }
  public int getLimit() { return 10; }
}
",
);

/// Assertions in all written tests.
fn assertions(lab: &Lab) -> usize {
    let files = lab.written("demo");
    files
        .values()
        .map(|text| text.matches(" assert").count())
        .sum()
}

#[test]
fn fewer_assertions_notice_as_many_faults_whatever_the_number_of_workers() {
    let lab = Lab::new(&[GATE], &[]);
    let settings = [("budget", "2000"), ("workers", "1")];
    lab.run(&settings);
    let all = assertions(&lab);
    let report = std::fs::read_to_string(lab.at("report/report.json")).unwrap();
    assert!(report.contains("\"mutants\": null"), "{report}");
    let mutants = ("mutants", "true");
    lab.run(&[settings[0], settings[1], mutants]);
    let chosen = lab.written("demo");
    let text: String = chosen.values().cloned().collect();
    assert!(
        0 < assertions(&lab) && assertions(&lab) < all,
        "{all}: {text}"
    );
    // What nothing else shows: the calls themselves only say whether the weight was let through.
    assert!(
        text.contains("getPassed()") && text.contains("getRefused()"),
        "{text}"
    );
    // A boundary that no value found, no more.
    let report = std::fs::read_to_string(lab.at("report/report.json")).unwrap();
    assert!(report.contains("\"made\": "), "{report}");
    let survivors = report.matches("\"operator\": ").count();
    let boundaries = report
        .matches("\"operator\": \"CONDITIONALS_BOUNDARY\"")
        .count();
    assert_eq!(survivors, boundaries, "{report}");
    lab.run(&[settings[0], ("workers", "2"), mutants]);
    assert_eq!(lab.written("demo"), chosen);
}
