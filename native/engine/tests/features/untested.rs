//! `explain` says why methods that ran have no test.

use crate::project_lab::Lab;
use palus_engine::{ExplainSettings, Level, Listener, explain};
use std::sync::Mutex;

/// Each of its calls returns, and leaves something for all code of the JVM.
const MARK: (&str, &str) = (
    "demo/Mark.java",
    "package demo; public class Mark {
      public static int set(int n) { System.setProperty(\"mark\", \"x\"); return n + 1; }
    }",
);

/// Returns but once after its class was loaded: so many objects are not put back between sequences.
const ONCE: (&str, &str) = (
    "demo/Once.java",
    "package demo; public class Once {
      private static final int[][] CELLS = new int[100_000][1];
      private Once() {}
      public static int take() {
        if (++CELLS[0][0] > 1) throw new IllegalStateException();
        return 1;
      }
    }",
);

/// A failed assertion is no exception that a test expects.
const NEVER: (&str, &str) = (
    "demo/Never.java",
    "package demo; public class Never {
      private Never() {}
      public static int get(int n) { throw new AssertionError(n); }
    }",
);

/// Gives nothing, and changes nothing that anybody can ask for.
const MUTE: (&str, &str) = (
    "demo/Mute.java",
    "package demo; public class Mute {
      private int calls;
      public void note(int n) { calls = n; }
      public int twice(int n) { return 2 * n; }
    }",
);

#[derive(Default)]
struct Heard(Mutex<Vec<String>>);

impl Listener for Heard {
    fn line(&self, _: Level, text: &str) {
        self.0.lock().unwrap().push(text.to_owned());
    }

    fn progress(&self, _: palus_engine::Progress<'_>) {}
}

#[test]
fn methods_that_ran_and_have_no_test_say_why() {
    let lab = Lab::new(&[MARK, ONCE, NEVER, MUTE], &[]);
    let said = lab.run(&[("budget", "300")]);
    let rows = [
        (
            "demo.Mark#set",
            "S07: every try wanted to leave the sandbox",
            Some("the first try: to leave a change of the system property mark"),
        ),
        (
            "demo.Once#take",
            "S11: what it does differs from run to run",
            None,
        ),
        (
            "demo.Never#get",
            "S12: no source text can show how it ended",
            None,
        ),
        (
            "demo.Mute#note",
            "S17: it ran, and a test could say nothing of what it did",
            None,
        ),
    ];
    for (method, reason, cause) in rows {
        let heard = Heard::default();
        let settings = ExplainSettings {
            method: method.into(),
            report_directory: lab.at("report"),
            command_line: String::new(),
        };
        explain(&settings, &heard).unwrap();
        let lines = heard.0.into_inner().unwrap();
        let told = lines.iter().find(|line| line.contains("no test"));
        let told = told.map(String::as_str).unwrap_or_default();
        assert!(
            told.contains(reason),
            "{lines:?}\n{said}\n{:?}",
            lab.written("demo")
        );
        let met = lines.iter().find(|line| line.contains("the first try:"));
        assert_eq!(met.map(|line| line.trim()), cause, "{lines:?}");
        assert!(said.contains(&reason[..3]), "{said}");
    }
}
