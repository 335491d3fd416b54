//! Broken contracts and theories, from classes to failing tests on disk, through real workers and a real compiler.
//!
//! JUnit is stood in for by a few lines with the same signatures, so that no registry is needed.

use palus_engine::{Cancel, Error, ErrorKind, Level, Listener, Settings, generate};
use palus_fixture::{Compiled, Options, compile, compile_with};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

const JUNIT: &[(&str, &str)] = &[
    (
        "org/junit/Test.java",
        "package org.junit;
        import java.lang.annotation.*;
        @Retention(RetentionPolicy.RUNTIME) public @interface Test {}",
    ),
    (
        "org/junit/experimental/theories/Theory.java",
        "package org.junit.experimental.theories;
        import java.lang.annotation.*;
        @Retention(RetentionPolicy.RUNTIME) public @interface Theory {}",
    ),
    (
        "org/junit/AssumptionViolatedException.java",
        "package org.junit;
        public class AssumptionViolatedException extends RuntimeException {}",
    ),
    (
        "org/junit/Assume.java",
        "package org.junit;
        public class Assume {
          public static void assumeNotNull(Object one) {
            if (one == null) throw new AssumptionViolatedException();
          }
        }",
    ),
    (
        "org/junit/function/ThrowingRunnable.java",
        "package org.junit.function;
        public interface ThrowingRunnable { void run() throws Throwable; }",
    ),
    (
        "org/junit/Assert.java",
        r#"package org.junit;
        import org.junit.function.ThrowingRunnable;
        public class Assert {
          public static void fail(String text) { throw new AssertionError(text); }
          static void check(String text, boolean holds) { if (!holds) fail(text); }
          public static void assertTrue(boolean a) { check(null, a); }
          public static void assertTrue(String text, boolean a) { check(text, a); }
          public static void assertFalse(boolean a) { check(null, !a); }
          public static void assertFalse(String text, boolean a) { check(text, !a); }
          public static void assertNull(Object a) { check(null, a == null); }
          public static void assertNotNull(Object a) { check(null, a != null); }
          public static void assertSame(Object a, Object b) { check(null, a == b); }
          public static void assertNotSame(String text, Object a, Object b) { check(text, a != b); }
          public static void assertEquals(long a, long b) { check(null, a == b); }
          public static void assertEquals(double a, double b, double c) { check(null, a == b); }
          public static void assertEquals(float a, float b, float c) { check(null, a == b); }
          public static void assertEquals(Object a, Object b) {
            check(null, a == null ? b == null : a.equals(b));
          }
          public static void assertEquals(String text, long a, long b) { check(text, a == b); }
          public static void assertEquals(String text, Object a, Object b) {
            check(text, a == null ? b == null : a.equals(b));
          }
          public static <T extends Throwable> T assertThrows(Class<T> type, ThrowingRunnable code) {
            try {
              code.run();
            } catch (Throwable thrown) {
              if (type.isInstance(thrown)) return type.cast(thrown);
              throw new AssertionError("expected " + type.getName() + " but was " + thrown);
            }
            throw new AssertionError("expected " + type.getName() + " to be thrown");
          }
        }"#,
    ),
    (
        "io/palus/annotations/PalusIgnore.java",
        "package io.palus.annotations;
        public @interface PalusIgnore { String[] value(); }",
    ),
    (
        "io/palus/annotations/ParamValue.java",
        "package io.palus.annotations;
        import java.lang.annotation.*;
        @Retention(RetentionPolicy.RUNTIME) public @interface ParamValue { String cn(); String mn(); }",
    ),
];

/// What a run said.
#[derive(Default)]
struct Log(Mutex<String>);

impl Listener for Log {
    fn line(&self, _: Level, text: &str) {
        let mut log = self.0.lock().unwrap();
        writeln!(log, "{text}").unwrap();
    }

    fn progress(&self, _: palus_engine::Progress<'_>) {}
}

/// A project without a build tool.
struct Lab {
    folder: tempfile::TempDir,
    main: Compiled,
    test: Option<Compiled>,
}

impl Lab {
    fn new(main: &[(&str, &str)], test: &[(&str, &str)]) -> Lab {
        let junit = compile(JUNIT).dir;
        let with = |class_path: Vec<PathBuf>| Options {
            release: Some(8),
            class_path,
            ..Options::default()
        };
        let main = compile_with(main, &with(vec![junit.clone()]));
        let test =
            (!test.is_empty()).then(|| compile_with(test, &with(vec![junit, main.dir.clone()])));
        Lab {
            folder: tempfile::tempdir().unwrap(),
            main,
            test,
        }
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Runs everything; gives what was said.
    fn run(&self, options: &[(&str, &str)]) -> String {
        self.try_run(options)
            .unwrap_or_else(|error| panic!("{error}"))
    }

    fn try_run(&self, options: &[(&str, &str)]) -> Result<String, Error> {
        let mut pairs: Vec<(String, String)> = Vec::new();
        let mut set = |name: &str, value: &Path| {
            pairs.push((name.to_owned(), value.display().to_string()));
        };
        set("outputDirectory", &self.at("tests"));
        set("projectDirectory", self.folder.path());
        set("workDirectory", &self.at("palus/work"));
        set("reportDirectory", &self.at("report"));
        set("classesDirectory", &self.main.dir);
        if let Some(test) = &self.test {
            set("testClassesDirectory", &test.dir);
            set("classPath", &test.dir);
        }
        set("classPath", &self.main.dir);
        set("classPath", &compile(JUNIT).dir);
        set("javaHome", &palus_fixture::java_home());
        set("workerJar", palus_fixture::worker_jar());
        set("launcher", palus_fixture::launcher());
        let fixed = [
            ("languageLevel", "8"),
            ("compilerArgument", "-Xlint:-options"),
            ("compilerArgument", "--release"),
            ("compilerArgument", "8"),
            ("workerMemory", "256"),
        ];
        for (name, value) in fixed.iter().chain(options) {
            pairs.push(((*name).to_owned(), (*value).to_owned()));
        }
        let log = Log::default();
        let settings = Settings::from_pairs(&pairs).unwrap();
        generate(&settings, &log, &Cancel::default())?;
        Ok(log.0.into_inner().unwrap())
    }

    /// Identities of the findings in `report.json`, and whether each is new.
    fn findings(&self) -> BTreeSet<(String, bool)> {
        let text = std::fs::read_to_string(self.at("report/report.json")).unwrap();
        assert!(text.contains("\"unverified_findings\": 0,"), "{text}");
        let value = |line: &str, name: &str| {
            let start = format!("\"{name}\": ");
            let rest = line.trim().strip_prefix(&start)?;
            Some(rest.trim_end_matches(',').trim_matches('"').to_owned())
        };
        let ids = text.lines().filter_map(|line| value(line, "id"));
        let new = text.lines().filter_map(|line| value(line, "is_new"));
        ids.zip(new.map(|new| new == "true")).collect()
    }

    fn ids(&self) -> Vec<String> {
        self.findings().into_iter().map(|(id, _)| id).collect()
    }
}

/// The sources of a sample project.
fn sources(folder: &str) -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../integration-tests/projects");
    let mut found = Vec::new();
    for entry in std::fs::read_dir(root.join(folder)).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let text = std::fs::read_to_string(&path).unwrap();
        found.push((format!("planted/{name}"), text));
    }
    found.sort();
    found
}

#[test]
fn each_planted_violation_is_found_and_nothing_else() {
    let sources = sources("planted-violations/src/main/java/planted");
    let files: Vec<(&str, &str)> = sources
        .iter()
        .map(|(name, text)| (name.as_str(), text.as_str()))
        .collect();
    let lab = Lab::new(&files, &[]);
    let said = lab.run(&[("budget", "2000")]);
    let found: Vec<String> = lab.ids();
    let short: Vec<&str> = found
        .iter()
        .map(|id| id.split(' ').take(2).map(str::len).sum::<usize>() + 1)
        .zip(&found)
        .map(|(length, id)| &id[..length])
        .collect();
    assert_eq!(
        short,
        [
            "P101 planted.NeverEqual#equals",
            "P102 planted.QuotedText#equals",
            "P103 planted.EqualsNull#equals",
            "P103 planted.ThrowsForNull#equals",
            "P104 planted.CastsBlindly#equals",
            "P105 planted.HashedByMore#hashCode",
            "P105 planted.Unhashed#hashCode",
            "P106 planted.CastsItsOwn#hashCode",
            "P106 planted.Late#hashCode",
            "P107 planted.Late#toString",
            "P108 planted.LateRank#compareTo",
            "P109 planted.AlwaysAhead#compareTo",
            "P110 planted.ByLength#compareTo",
            "P111 planted.SameClone#clone",
            "P112 planted.PromisesMore#next",
            "P113 planted.NeverEnds#next",
            "P114 planted.CountsOneMore#size",
            "P115 planted.Forgets#add",
            "P116 planted.NeverEmpty#isEmpty",
            "P117 planted.HoldsLock#HoldsLock",
        ],
        "{said}"
    );
    assert!(
        said.contains("findings  20 new   NeverEqual#equals is not reflexive (P101)"),
        "{said}"
    );
}

const NEVER_EQUAL: (&str, &str) = (
    "demo/NeverEqual.java",
    "package demo;
    public class NeverEqual {
      public int zero() { return 0; }
      @Override public boolean equals(Object other) { return false; }
      @Override public int hashCode() { return 1; }
    }",
);

#[test]
fn a_finding_is_a_failing_test_apart_from_the_others_and_known_once_it_is_in_the_baseline() {
    let lab = Lab::new(&[NEVER_EQUAL], &[]);
    let id = "P101 demo.NeverEqual#equals";
    lab.run(&[("budget", "300")]);
    assert_eq!(lab.findings(), BTreeSet::from([(id.to_owned(), true)]));
    let file = "demo/NeverEqualFindingsPalusTest.java";
    let text = std::fs::read_to_string(lab.at("palus/findings").join(file)).unwrap();
    assert_eq!(
        text,
        r#"// Generated by Palus. Do not edit: changes are kept, but the file is then no longer updated.
package demo;

import static org.junit.Assert.assertTrue;

import org.junit.Test;

public class NeverEqualFindingsPalusTest {
  /**
   * P101: NeverEqual#equals is not reflexive.
   * Where that is wanted, put @PalusIgnore("P101") on the method or its class.
   */
  @Test
  public void equals_isReflexive() {
    NeverEqual neverEqual = new NeverEqual();
    assertTrue("P101: NeverEqual#equals is not reflexive", neverEqual.equals(neverEqual));
  }
}
"#
    );
    assert!(!lab.at("tests").join(file).exists());
    assert!(!lab.at("palus-baseline.json").exists());

    let page = std::fs::read_to_string(lab.at("report/index.html")).unwrap();
    assert!(
        page.contains("NeverEqual#equals is not reflexive"),
        "{page}"
    );

    lab.run(&[("budget", "300"), ("updateBaseline", "true")]);
    let baseline = std::fs::read_to_string(lab.at("palus-baseline.json")).unwrap();
    assert!(baseline.contains(id), "{baseline}");
    let said = lab.run(&[("budget", "300")]);
    assert!(said.contains("findings  0 new, 1 known"), "{said}");
    assert_eq!(lab.findings(), BTreeSet::from([(id.to_owned(), false)]));
    let said = lab.run(&[("budget", "300")]);
    assert!(said.contains("up to date"), "{said}");

    lab.run(&[("budget", "300"), ("contracts", "false")]);
    assert!(lab.findings().is_empty());
    assert!(!lab.at("palus/findings").join(file).exists());
}

#[test]
fn a_baseline_that_cannot_be_read_is_said_before_anything_is_done_and_one_is_written_whole() {
    let lab = Lab::new(&[NEVER_EQUAL], &[]);
    let baseline = lab.at("lists/known.json");
    let name = baseline.to_str().unwrap().to_owned();
    let options = [("budget", "300"), ("baseline", name.as_str())];
    let refused = |cause: &str, cure: &str| {
        let error = lab.try_run(&options).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Configuration);
        assert!(error.message.contains(&name), "{}", error.message);
        assert!(error.message.contains(cause), "{}", error.message);
        assert!(error.hint.contains(cure), "{}", error.hint);
        assert!(!lab.at("tests").exists(), "nothing was done");
    };
    std::fs::create_dir_all(&baseline).unwrap();
    refused("cannot read the baseline", "or name another one");
    std::fs::remove_dir(&baseline).unwrap();
    std::fs::write(&baseline, [0xff, 0xfe]).unwrap();
    refused("cannot read the baseline", "the setting `updateBaseline`");
    std::fs::write(&baseline, "{}").unwrap();
    refused("is no baseline", "delete it");

    std::fs::remove_dir_all(lab.at("lists")).unwrap();
    let update = [options[0], options[1], ("updateBaseline", "true")];
    lab.run(&update);
    let text = std::fs::read_to_string(&baseline).unwrap();
    assert!(text.contains("P101 demo.NeverEqual#equals"), "{text}");
    let files = std::fs::read_dir(lab.at("lists")).unwrap();
    assert_eq!(files.count(), 1, "nothing is left beside it");
}

#[test]
fn a_finding_file_that_somebody_changed_is_left_alone() {
    let lab = Lab::new(&[NEVER_EQUAL], &[]);
    lab.run(&[("budget", "300")]);
    let file = lab.at("palus/findings/demo/NeverEqualFindingsPalusTest.java");
    std::fs::write(&file, "// mine").unwrap();
    let said = lab.run(&[("budget", "301")]);
    assert!(said.contains("is left alone"), "{said}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "// mine");
}

/// A small database driver: one statement as it should be, one that goes on after `close`, one whose `close` throws.
const DRIVER: &[(&str, &str)] = &[
    (
        "sql/Statement.java",
        r#"package sql;
        public class Statement {
          private boolean open = true;
          public int executeQuery(String sql) {
            if (sql == null || !open) { throw new IllegalStateException("closed"); }
            return sql.endsWith("id > 10") ? 2 : 1;
          }
          public void close() { open = false; }
        }"#,
    ),
    (
        "sql/Lenient.java",
        r"package sql;
        public class Lenient {
          public int executeQuery(String sql) { return 1; }
          public void close() {}
        }",
    ),
    (
        "sql/Stubborn.java",
        r#"package sql;
        public class Stubborn {
          public int executeQuery(String sql) { throw new IllegalStateException("never"); }
          public void close() { throw new IllegalStateException("stays open"); }
        }"#,
    ),
];

/// The theory of the paper's Figure 4 for each kind of statement.
fn theories() -> String {
    let theory = |class: &str| {
        format!(
            r#"@Theory public void noActionAfterClose(sql.{class} stmt, String sql) {{
              Assume.assumeNotNull(stmt);  Assume.assumeNotNull(sql);
              stmt.close();
              try {{
                stmt.executeQuery(sql);
                fail("The statement should have been closed!");
              }} catch (Exception e) {{ /* ok */ }}
            }}
            "#
        )
    };
    format!(
        r#"package sql;
        import static org.junit.Assert.fail;
        import io.palus.annotations.ParamValue;
        import org.junit.Assume;
        import org.junit.experimental.theories.Theory;
        public class StatementTheories {{
          @ParamValue(cn = "Statement", mn = "executeQuery")
          public static String queryMore = "Select * from table_name where id > 10";
          {}{}{}
        }}"#,
        theory("Statement"),
        theory("Lenient"),
        theory("Stubborn")
    )
}

#[test]
fn theories_hold_are_silent_or_are_reported_as_the_paper_says() {
    let theories = theories();
    let lab = Lab::new(DRIVER, &[("sql/StatementTheories.java", &theories)]);
    let said = lab.run(&[("budget", "1000")]);
    // Null arguments fail an assumption, a statement that throws after `close` passes: neither is reported.
    assert_eq!(
        lab.ids(),
        [
            "P201 sql.StatementTheories#noActionAfterClose java.lang.AssertionError org.junit.Assert.fail",
            "P201 sql.StatementTheories#noActionAfterClose java.lang.IllegalStateException sql.Stubborn.close",
        ],
        "{said}"
    );
    let file = lab.at("palus/findings/sql/StatementTheoriesFindingsPalusTest.java");
    let text = std::fs::read_to_string(file).unwrap();
    assert!(text.contains("noActionAfterClose(lenient, "), "{text}");
    assert!(text.contains("noActionAfterClose(stubborn, "), "{text}");
    assert!(!text.contains("null"), "{text}");
    // The user's value is in reach of generation, and written as a reference to the field.
    let tests = std::fs::read_to_string(lab.at("tests/sql/StatementPalusTest.java")).unwrap();
    assert!(
        tests.contains("executeQuery(StatementTheories.queryMore)"),
        "{tests}"
    );

    lab.run(&[("budget", "1000"), ("theories", "false")]);
    assert!(lab.findings().is_empty());
}
