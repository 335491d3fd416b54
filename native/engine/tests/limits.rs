//! What the clock ends: a class whose every call takes long costs neither the run nor the classes beside it.

use crate::project_lab::Lab;

#[test]
fn a_run_cut_by_the_time_limit_names_the_classes_and_keeps_their_tests() {
    let quick = (
        "demo/Quick.java",
        "package demo; public class Quick { public int twice(int n) { return 2 * n; } }",
    );
    let slow = (
        "demo/Slow.java",
        "package demo;
        public class Slow {
          private long sum;
          public long add(int n) {
            for (int i = 0; i < 100_000; i++) {
              sum = sum * 31 + (i ^ n);
            }
            return sum == 4711 ? 0 : sum;
          }
        }",
    );
    let lab = Lab::new(&[quick, slow], &[]);
    let log = lab.run(&[
        ("timeLimit", "30"),
        ("budget", "100000000"),
        ("workers", "1"),
        // Or else a fast machine gives the class up before its time is over.
        ("patience", "false"),
    ]);
    let cut = "the time limit cut demo.Slow short, so another run may give other tests";
    assert!(log.contains(cut), "{log}");
    for name in ["demo/Quick", "demo/Slow"] {
        let path = lab.at(&format!("tests/{name}PalusTest.java"));
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(text.contains("@Test"), "{name}: {log}");
    }
}
