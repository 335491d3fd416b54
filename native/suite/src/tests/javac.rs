//! Compiles and runs written tests.
//!
//! JUnit is stood in for by a few lines with the same signatures, so that no registry is needed; the overloads of
//! `assertEquals` are JUnit's own, because they decide whether a call is ambiguous.

use crate::testing::Subject;
use crate::{Style, TestFramework};
use std::path::Path;
use std::process::Command;

const JUPITER: &[(&str, &str)] = &[
    (
        "org/junit/jupiter/api/Test.java",
        "package org.junit.jupiter.api;
        import java.lang.annotation.*;
        @Retention(RetentionPolicy.RUNTIME) public @interface Test {}",
    ),
    (
        "org/junit/jupiter/api/Assertions.java",
        "package org.junit.jupiter.api;
        public class Assertions {
          public interface Executable { void execute() throws Throwable; }
          static void same(boolean equal) { if (!equal) throw new AssertionError(); }
          static void boxes(Object a, Object b) { same(a == null ? b == null : a.equals(b)); }
          public static void assertTrue(boolean actual) { same(actual); }
          public static void assertFalse(boolean actual) { same(!actual); }
          public static void assertNull(Object actual) { same(actual == null); }
          public static void assertNotNull(Object actual) { same(actual != null); }
          public static void assertSame(Object a, Object b) { same(a == b); }
          public static void assertEquals(byte a, byte b) { same(a == b); }
          public static void assertEquals(byte a, Byte b) { boxes(a, b); }
          public static void assertEquals(Byte a, byte b) { boxes(a, b); }
          public static void assertEquals(Byte a, Byte b) { boxes(a, b); }
          public static void assertEquals(char a, char b) { same(a == b); }
          public static void assertEquals(char a, Character b) { boxes(a, b); }
          public static void assertEquals(Character a, char b) { boxes(a, b); }
          public static void assertEquals(Character a, Character b) { boxes(a, b); }
          public static void assertEquals(short a, short b) { same(a == b); }
          public static void assertEquals(short a, Short b) { boxes(a, b); }
          public static void assertEquals(Short a, short b) { boxes(a, b); }
          public static void assertEquals(Short a, Short b) { boxes(a, b); }
          public static void assertEquals(int a, int b) { same(a == b); }
          public static void assertEquals(int a, Integer b) { boxes(a, b); }
          public static void assertEquals(Integer a, int b) { boxes(a, b); }
          public static void assertEquals(Integer a, Integer b) { boxes(a, b); }
          public static void assertEquals(long a, long b) { same(a == b); }
          public static void assertEquals(long a, Long b) { boxes(a, b); }
          public static void assertEquals(Long a, long b) { boxes(a, b); }
          public static void assertEquals(Long a, Long b) { boxes(a, b); }
          public static void assertEquals(float a, float b) { boxes(a, b); }
          public static void assertEquals(float a, Float b) { boxes(a, b); }
          public static void assertEquals(Float a, float b) { boxes(a, b); }
          public static void assertEquals(Float a, Float b) { boxes(a, b); }
          public static void assertEquals(double a, double b) { boxes(a, b); }
          public static void assertEquals(double a, Double b) { boxes(a, b); }
          public static void assertEquals(Double a, double b) { boxes(a, b); }
          public static void assertEquals(Double a, Double b) { boxes(a, b); }
          public static void assertEquals(Object a, Object b) { boxes(a, b); }
          public static <T extends Throwable> T assertThrows(Class<T> type, Executable executable) {
            try { executable.execute(); } catch (Throwable t) { return type.cast(t); }
            throw new AssertionError();
          }
        }",
    ),
];

const JUNIT4: &[(&str, &str)] = &[
    (
        "org/junit/Test.java",
        "package org.junit;
        import java.lang.annotation.*;
        @Retention(RetentionPolicy.RUNTIME) public @interface Test {}",
    ),
    (
        "org/junit/Assert.java",
        "package org.junit;
        public class Assert {
          public interface ThrowingRunnable { void run() throws Throwable; }
          static void same(boolean equal) { if (!equal) throw new AssertionError(); }
          public static void fail(String message) { throw new AssertionError(message); }
          public static void assertTrue(boolean actual) { same(actual); }
          public static void assertFalse(boolean actual) { same(!actual); }
          public static void assertNull(Object actual) { same(actual == null); }
          public static void assertNotNull(Object actual) { same(actual != null); }
          public static void assertSame(Object a, Object b) { same(a == b); }
          public static void assertEquals(Object a, Object b) { same(a == null ? b == null : a.equals(b)); }
          public static void assertEquals(String message, Object a, Object b) { assertEquals(a, b); }
          public static void assertEquals(long a, long b) { same(a == b); }
          @Deprecated public static void assertEquals(double a, double b) { fail(\"use a delta\"); }
          @Deprecated public static void assertEquals(Object[] a, Object[] b) { same(java.util.Arrays.equals(a, b)); }
          public static void assertEquals(float a, float b, float delta) {
            same(Float.compare(a, b) == 0 || Math.abs(a - b) <= delta);
          }
          public static void assertEquals(double a, double b, double delta) {
            same(Double.compare(a, b) == 0 || Math.abs(a - b) <= delta);
          }
          public static <T extends Throwable> T assertThrows(Class<T> type, ThrowingRunnable runnable) {
            try { runnable.run(); } catch (Throwable t) { return type.cast(t); }
            throw new AssertionError();
          }
          public static <T extends Throwable> T assertThrows(String m, Class<T> type, ThrowingRunnable runnable) {
            return assertThrows(type, runnable);
          }
        }",
    ),
];

const RUNNER: (&str, &str) = (
    "demo/Runner.java",
    "package demo;
    import java.lang.reflect.*;
    public class Runner {
      public static void main(String[] arguments) throws Exception {
        Class<?> type = Class.forName(arguments[0]);
        int passed = 0;
        for (Method method : type.getDeclaredMethods()) {
          if (method.isSynthetic()) continue;
          Constructor<?> constructor = type.getDeclaredConstructor();
          try {
            method.invoke(constructor.newInstance());
            passed++;
          } catch (InvocationTargetException e) {
            System.out.println(method.getName() + \": \" + e.getCause());
          }
        }
        System.out.println(passed + \" passed\");
      }
    }",
);

/// Compiles with every warning an error; the class path that now holds the class.
#[expect(
    clippy::disallowed_methods,
    reason = "the compiler judges the text; nothing else starts a process here"
)]
pub(crate) fn compile(
    subject: &Subject,
    class: &str,
    text: &str,
    style: &Style,
    release: u32,
) -> (tempfile::TempDir, std::ffi::OsString) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let stub = if style.framework == TestFramework::Jupiter {
        JUPITER
    } else {
        JUNIT4
    };
    let stubs = [stub, &[RUNNER]].concat();
    let options = palus_fixture::Options {
        release: Some(8),
        ..palus_fixture::Options::default()
    };
    let stubs = palus_fixture::compile_with(&stubs, &options);
    let path = [&subject.compiled.dir, &stubs.dir, Path::new(folder.path())];
    let path = std::env::join_paths(path).expect("paths without separators");
    let file = folder.path().join(format!("{class}.java"));
    std::fs::create_dir_all(file.parent().expect("a package")).expect("a folder");
    std::fs::write(&file, text).expect("a file");
    let mut javac = Command::new("javac");
    javac.args([
        "-Xlint:all,-options",
        "-Werror",
        "-proc:none",
        "-encoding",
        "US-ASCII",
        "--release",
    ]);
    javac
        .arg(release.to_string())
        .arg("-classpath")
        .arg(&path)
        .arg("-d")
        .arg(folder.path())
        .arg(&file);
    let output = javac.output().expect("javac starts");
    assert!(
        output.status.success(),
        "{text}\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
    (folder, path)
}

/// Compiles with every warning an error, runs, and returns what was printed.
#[expect(
    clippy::disallowed_methods,
    reason = "the tests show by running that what they assert is true"
)]
pub(super) fn compile_and_run(
    subject: &Subject,
    class: &str,
    text: &str,
    style: &Style,
    release: u32,
) -> String {
    let (_folder, path) = compile(subject, class, text, style, release);
    let output = Command::new("java")
        .arg("-cp")
        .arg(&path)
        .args(["demo.Runner", &class.replace('/', ".")])
        .output()
        .expect("java starts");
    String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned()
}
