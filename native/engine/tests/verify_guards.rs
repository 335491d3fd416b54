//! Classes that have no guards where written tests are verified: what used them is dropped, whatever it swallows.

use palus_engine::verify::{Repeat, TestId, Verdict, Verification, verify};

const TESTS: (&str, &str) = (
    "demo/DeepTest.java",
    "package demo; public class DeepTest {
      public void uses_a_class_at_the_stacks_end() { deep(); }
      static void deep() {
        try { deep(); } catch (StackOverflowError e) { }
        try { Late.touch(); } catch (Throwable e) { }
      }
      public void uses_a_class_that_is_too_large() {
        try { Large.delete(null); } catch (LinkageError e) { }
      }
      public void uses_a_class_at_the_stacks_end_when_it_is_loaded_anew() {
        if (isAnew()) { deep(); }
      }
      public void defines_a_class_at_the_stacks_end_when_it_is_loaded_anew() throws Exception {
        if (!isAnew()) { return; }
        try (java.io.InputStream in = DeepTest.class.getResourceAsStream(\"Late.class\")) {
          define(new Own(), in.readAllBytes());
        }
      }
      public void uses_a_class_with_a_name_of_an_agents_at_the_stacks_end() { deepInJacoco(); }
      static void deepInJacoco() {
        try { deepInJacoco(); } catch (StackOverflowError e) { }
        try { org.jacoco.Late.touch(); } catch (Throwable e) { }
      }
      static void define(Own loader, byte[] bytes) {
        try { define(loader, bytes); } catch (StackOverflowError e) { }
        try { loader.define(bytes); } catch (Throwable e) { }
      }
      static class Own extends ClassLoader {
        void define(byte[] bytes) { defineClass(\"demo.Late\", bytes, 0, bytes.length); }
      }
      static boolean isAnew() {
        return DeepTest.class.getClassLoader() != ClassLoader.getSystemClassLoader();
      }
      public void speaks_for_its_jvm() throws Exception {
        Object[] wire = {\"/proc/self/fd/4\"};
        Object out = new java.beans.Expression(java.io.FileOutputStream.class, \"new\", wire).getValue();
        Object[] verdict = {\"pass 0\\n\".getBytes()};
        new java.beans.Statement(out, \"write\", verdict).execute();
        new java.beans.Statement(Runtime.getRuntime(), \"halt\", new Object[] {0}).execute();
      }
      public void does_nothing() { }
    }
    class Late {
      static int touched;
      static void touch() { touched++; }
    }",
);

const NAMED_LIKE_AN_AGENTS: (&str, &str) = (
    "org/jacoco/Late.java",
    "package org.jacoco; public class Late { static int touched; public static void touch() { touched++; } }",
);

const LATE: &str = "it is denied demo.Late, which has no guards against harm";

/// The verdict on each of some tests.
fn verdicts(names: &[&str], orders: u32) -> Vec<String> {
    let call = "new java.io.File(\"/no such folder/file\").delete();".repeat(5000);
    let large = format!(
        "package demo; class Large {{ static void delete(String name) {{ if (name != null) {{ {call} }} }} }}"
    );
    let compiled =
        palus_fixture::compile(&[TESTS, NAMED_LIKE_AN_AGENTS, ("demo/Large.java", &large)]);
    let folder = tempfile::tempdir().unwrap();
    let settings = crate::worker_lab::settings(Vec::new(), folder.path().join("workers"));
    let id = |name: &&str| TestId {
        class: "demo.DeepTest".into(),
        method: (*name).to_owned(),
        repeat: Repeat::Never,
        is_kept: false,
    };
    let tests: Vec<TestId> = names.iter().map(id).collect();
    let verified = verify(&Verification {
        settings: &settings,
        test_classes: &compiled.dir,
        tests: &tests,
        coverage_agent: None,
        workers: 1,
        orders,
        once: false,
        blames: true,
        is_last: true,
    });
    let text = |verdict: &Verdict| match verdict {
        Verdict::Stable => "stable".to_owned(),
        Verdict::Failed { text, .. } => text.clone(),
    };
    verified.unwrap().verdicts.iter().map(text).collect()
}

#[test]
fn a_test_that_first_uses_a_class_at_the_stacks_end_is_dropped() {
    let verdicts = verdicts(&["uses_a_class_at_the_stacks_end", "does_nothing"], 0);
    assert_eq!(verdicts, [LATE, "stable"]);
}

#[test]
fn a_test_that_goes_on_without_a_class_that_cannot_take_its_guards_is_dropped() {
    assert_eq!(
        verdicts(&["uses_a_class_that_is_too_large", "does_nothing"], 0),
        [
            "it is denied demo.Large, which has no guards against harm",
            "stable"
        ]
    );
}

#[test]
fn classes_that_are_loaded_anew_are_to_have_their_guards_whoever_loads_them() {
    for name in [
        "uses_a_class_at_the_stacks_end_when_it_is_loaded_anew",
        "defines_a_class_at_the_stacks_end_when_it_is_loaded_anew",
    ] {
        let verdicts = verdicts(&[name, "does_nothing"], 3);
        assert_eq!(verdicts, [LATE, "stable"], "{name}");
    }
}

#[test]
fn a_name_of_an_agents_package_keeps_no_class_from_its_guards() {
    let names = [
        "uses_a_class_with_a_name_of_an_agents_at_the_stacks_end",
        "does_nothing",
    ];
    assert_eq!(
        verdicts(&names, 0),
        [
            "it is denied org.jacoco.Late, which has no guards against harm",
            "stable"
        ]
    );
}

#[test]
fn a_test_cannot_write_what_the_engine_believes_of_it() {
    let verdicts = verdicts(&["speaks_for_its_jvm", "does_nothing"], 0);
    assert!(verdicts[0].starts_with("it is denied "), "{verdicts:?}");
    assert_eq!(verdicts[1], "stable");
}
