//! No secret of a build is written, through real workers, a real compiler and real verification.

use crate::project_lab::Lab;
use palus_engine::Secrets;
use palus_engine::verify::{Repeat, TestId, Verdict, Verification, verify};
use std::path::{Path, PathBuf};
use std::sync::Arc;

const JWT: &str = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbm4ifQ.c2lnbmF0dXJl";

const CONFIG: (&str, &str) = (
    "demo/Config.java",
    r#"
package demo;
public class Config {
  private final String token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbm4ifQ.c2lnbmF0dXJl";
  public String token() { return token; }
  public char[] characters() { return token.toCharArray(); }
  public byte[] bytes() { return token.getBytes(); }
  public String password() { return System.getProperty("db.password"); }
  public String fails(int n) { throw new IllegalStateException("no " + token + n); }
  public int check(String given) {
    if (given == null) return -1;
    if (token.equals(given)) return 2;
    return given.startsWith("s3cr3t") ? 1 : 0;
  }
  public long pin() { return 73914682L; }
  public double rate() { return 73914682; }
  public long high() { return 4583568751104511077L; }
  public long low() { return -7061227823671621402L; }
  public long other() { return 73914683L; }
  private int[] letters() { return new StringBuilder("22retnuh").reverse().chars().toArray(); }
  public short[] shorts() {
    short[] all = new short[8];
    for (int i = 0; i < 8; i++) all[i] = (short) letters()[i];
    return all;
  }
  public long[] longs() { return java.util.stream.IntStream.of(letters()).asLongStream().toArray(); }
  public float[] floats() {
    float[] all = new float[8];
    for (int i = 0; i < 8; i++) all[i] = letters()[i];
    return all;
  }
  public double[] doubles() { return java.util.stream.IntStream.of(letters()).asDoubleStream().toArray(); }
  public String[] texts() { return new StringBuilder("22retnuh").reverse().toString().split(""); }
  public String[] otherTexts() { return "other".split(""); }
  public Long[] boxed() { return java.util.stream.LongStream.of(longs()).boxed().toArray(Long[]::new); }
  public java.util.List<Double> list() {
    java.util.List<Double> all = new java.util.ArrayList<>();
    for (double each : doubles()) all.add(each);
    return all;
  }
  public long[] others() { return new long[] {104, 117, 110, 117}; }
  public String twice(String text) { return text + text; }
}
"#,
);

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else {
            found.push(path);
        }
    }
}

#[test]
fn no_file_of_a_run_holds_a_token_of_the_code_or_a_property_of_the_build() {
    let lab = Lab::new(&[CONFIG], &[]);
    let said = lab.run(&[
        ("budget", "3000"),
        ("jvmArgument", "-Ddb.password=s3cr3t-from-build"),
        ("buildProperty", "my.key=hunter22"),
        ("buildProperty", "pin.key=73914682"),
        (
            "buildProperty",
            "api.key=3f9c1b7e-8d2a-4c65-9e01-7ab4d3f2c8e6",
        ),
        ("commandLine", "gradle palusGenerate -Dmy.key=hunter22"),
    ]);
    let mut found = Vec::new();
    for part in ["tests", "report", "palus"] {
        files(&lab.at(part), &mut found);
    }
    let mut written = String::new();
    for path in &found {
        let text = std::fs::read(path).unwrap();
        let text = String::from_utf8_lossy(&text);
        for secret in [
            JWT,
            "eyJhbGci",
            "s3cr3t-from",
            "hunter22",
            "73914682",
            "4583568751104511077",
            "7061227823671621402",
            // "unter" of hunter22.
            "(short) 117, (short) 110, (short) 116, (short) 101, (short) 114",
            "117L, 110L, 116L, 101L, 114L",
            "117.0f, 110.0f, 116.0f, 101.0f, 114.0f",
            "117.0, 110.0, 116.0, 101.0, 114.0",
            r#""u", "n", "t", "e", "r""#,
        ] {
            assert!(!text.contains(secret), "{secret} in {}", path.display());
        }
        if path.extension().is_some_and(|kind| kind == "java") {
            written.push_str(&text);
        }
    }
    assert!(written.contains("config.check("), "{said}\n{written}");
    assert!(written.contains("73914683L, config.other()"), "{written}");
    assert!(written.contains("104L, 117L, 110L, 117L"), "{written}");
    assert!(written.contains("config.list()"), "{written}");
    assert!(written.contains(r#""o", "t", "h", "e", "r""#), "{written}");
    assert!(!written.contains("palus-held-back"), "{written}");
    assert!(!said.contains("eyJhbGci") && !said.contains("s3cr3t-from"));
    let report = std::fs::read_to_string(lab.at("report/report.json")).unwrap();
    assert!(
        report.contains("gradle palusGenerate -Dmy.key=***"),
        "{report}"
    );
}

const TESTS: (&str, &str) = (
    "demo/SeenTest.java",
    r#"
package demo;
public class SeenTest {
  public void variable() { throw new AssertionError(System.getenv("CARGO_MANIFEST_DIR")); }
  public void variables() {
    for (java.util.Map.Entry<String, String> each : System.getenv().entrySet()) {
      if (each.getValue().contains("palus-engine")) throw new AssertionError(each.getValue());
    }
  }
  public void path() { if (!"/usr/bin:/bin".equals(System.getenv("PATH"))) throw new AssertionError("no path, or the build's"); }
  public void set() { if (System.getenv("CARGO_PKG_NAME") == null) throw new AssertionError("not set"); }
  public void property() { if (System.getProperty("db.password").length() != 15) throw new AssertionError("long"); }
  public void mode() { if (System.getProperty("acme.mode") != null) throw new AssertionError(System.getProperty("acme.mode")); }
  public void key() { if (System.getProperty("acme.key") != null) throw new AssertionError(System.getProperty("acme.key")); }
  public void unset() { if (System.getenv("ACME_TOKEN") != null) throw new AssertionError(System.getenv("ACME_TOKEN")); }
  public void unsetOfAll() {
    if (System.getenv().get("ACME_TOKEN") != null) throw new AssertionError(System.getenv().get("ACME_TOKEN"));
  }
  public void unsetProperty() {
    String pin = System.getProperty("acme.password", "none");
    if (!pin.equals("none")) throw new AssertionError(pin);
  }
  public void writtenBefore() { System.getenv("REGION_OF_THE_TESTS"); }
  public void region() { if (System.getenv("REGION_OF_THE_TESTS") == null) throw new AssertionError("not set"); }
}
"#,
);

#[test]
fn verification_sees_what_is_set_and_no_secret() {
    let folder = tempfile::tempdir().unwrap();
    let mut settings = crate::worker_lab::settings(Vec::new(), folder.path().join("workers"));
    // As settings have it, which never hold the value.
    settings.jvm_arguments = vec!["-Ddb.password=palus-held-back".to_owned()];
    settings.command_line_properties = ["-Dacme.mode=fast", "-Dacme.key=palus-held-back"]
        .map(str::to_owned)
        .to_vec();
    settings.test_variables = vec!["REGION_OF_THE_TESTS".to_owned()];
    settings.secrets = Arc::new(Secrets::default());
    let test = |name: &str| TestId {
        class: "demo.SeenTest".to_owned(),
        method: name.to_owned(),
        repeat: Repeat::Never,
        // It runs as it did where another build sets more.
        is_kept: name == "writtenBefore",
    };
    let verified = verify(&Verification {
        settings: &settings,
        test_classes: &palus_fixture::compile(&[TESTS]).dir,
        tests: &[
            "variable",
            "variables",
            "path",
            "set",
            "property",
            "region",
            "mode",
            "key",
            "unset",
            "unsetOfAll",
            "unsetProperty",
            "writtenBefore",
        ]
        .map(test),
        coverage_agent: None,
        workers: 1,
        orders: 0,
        once: false,
        blames: true,
        is_last: true,
    })
    .unwrap();
    let short = |verdict: &Verdict| match verdict {
        Verdict::Stable => "stable".to_owned(),
        Verdict::Failed { reason, text } => format!("{} {text}", reason.code()),
    };
    assert_eq!(
        verified.verdicts.iter().map(short).collect::<Vec<_>>(),
        [
            "denied-when-run-again it is denied the value of the variable `CARGO_MANIFEST_DIR`, which is held back",
            "stable",
            "fails-in-other-order-zone-or-locale java.lang.AssertionError: no path, or the build's",
            "denied-when-run-again it is denied the value of the variable `CARGO_PKG_NAME`, which is held back",
            "denied-when-run-again it is denied the value of the property `db.password`, which is held back",
            "denied-when-run-again it is denied the value of the variable `REGION_OF_THE_TESTS`, which is held back",
            "fails-in-other-order-zone-or-locale java.lang.AssertionError: fast",
            "fails-in-other-order-zone-or-locale java.lang.AssertionError: 7",
            "fails-in-other-order-zone-or-locale java.lang.AssertionError: 7",
            "fails-in-other-order-zone-or-locale java.lang.AssertionError: 7",
            "fails-in-other-order-zone-or-locale java.lang.AssertionError: 7",
            "stable",
        ]
    );
}

const CUT: (&str, &str) = (
    "demo/CutTest.java",
    r#"
package demo;
public class CutTest {
  public void atTheEnd() {
    StringBuilder all = new StringBuilder();
    for (int i = 0; i < 450; i++) all.append('a');
    throw new AssertionError(all + " s3cr3tvalue9");
  }
  public void inBrackets() { throw new org.junit.ComparisonFailure("", "none9", "s3cr3tvalue9"); }
}
"#,
);
/// As JUnit 4 has it.
const COMPARISON: (&str, &str) = (
    "org/junit/ComparisonFailure.java",
    r#"
package org.junit;
public class ComparisonFailure extends AssertionError {
  private final String expected, actual;
  public ComparisonFailure(String text, String expected, String actual) {
    super(text + "expected:<[non]e9> but was:<[s3cr3tvalu]e9>");
    this.expected = expected;
    this.actual = actual;
  }
  public String getExpected() { return expected; }
  public String getActual() { return actual; }
}
"#,
);

#[test]
fn a_secret_is_held_back_before_what_a_test_says_is_cut_or_taken_apart() {
    let folder = tempfile::tempdir().unwrap();
    let mut settings = crate::worker_lab::settings(Vec::new(), folder.path().join("workers"));
    let token = ("APP_TOKEN".to_owned(), "s3cr3tvalue9".to_owned());
    settings.secrets = Arc::new(Secrets::of([token], []));
    let test = |name: &str| TestId {
        class: "demo.CutTest".to_owned(),
        method: name.to_owned(),
        repeat: Repeat::Never,
        is_kept: false,
    };
    let verified = verify(&Verification {
        settings: &settings,
        test_classes: &palus_fixture::compile(&[CUT, COMPARISON]).dir,
        tests: &["atTheEnd", "inBrackets"].map(test),
        coverage_agent: None,
        workers: 1,
        orders: 0,
        once: false,
        blames: true,
        is_last: true,
    })
    .unwrap();
    for verdict in &verified.verdicts {
        let Verdict::Failed { text, .. } = verdict else {
            panic!("{verdict:?}");
        };
        assert!(text.contains("***") && !text.contains("s3cr"), "{text}");
    }
}
