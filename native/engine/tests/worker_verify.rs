//! Written tests in fresh JVMs: what is kept, what is dropped and why.

use palus_engine::verify::{
    CoverageAgent, DropReason, Repeat, TestId, Verdict, Verification, Verified, verify,
};
use palus_engine::worker::WorkerSettings;
use palus_engine::{Cancel, ErrorKind};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

const TESTS: (&str, &str) = (
    "demo/SampleTest.java",
    r#"
package demo;
public class SampleTest {
  static int before;
  public void first() { before++; }
  public void stable() { assert true; }
  public void fails() { throw new AssertionError("expected 1\nbut was 2"); }
  public void first_in_order() { if (OrderTest.calls++ > 0) throw new IllegalStateException("not first"); }
  public void locale() { check("TITLE".toLowerCase().equals("title")); }
  public void zone() { check(java.util.TimeZone.getDefault().getRawOffset() % 3600000 == 0); }
  public void user() { check(System.getProperty("user.name").equals("ann")); }
  public void heap() { check(Runtime.getRuntime().maxMemory() >> 20 <= 32); }
  public void environment() { check(System.getenv("PALUS_TEST_VARIABLE") != null); }
  public void hoards() throws Exception {
    java.util.List<java.util.zip.Deflater> all = new java.util.ArrayList<>();
    byte[] input = new byte[1 << 17];
    for (int i = 0; i < 3000; i++) {
      java.util.zip.Deflater deflater = new java.util.zip.Deflater();
      deflater.setInput(input);
      deflater.deflate(new byte[16]);
      all.add(deflater);
    }
    Thread.sleep(2000);
    for (java.util.zip.Deflater deflater : all) { deflater.end(); }
  }
  public void asserts() { assert 1 > 2 : "asserts are on"; }
  /** No guard stands before this. */
  public void exits() throws Exception {
    Class<?> type = Class.forName("sun.misc.Unsafe");
    java.lang.reflect.Field field = type.getDeclaredField("theUnsafe");
    field.setAccessible(true);
    type.getMethod("getInt", long.class).invoke(field.get(null), 0L);
  }
  public void hangs() throws Exception { Thread.sleep(3600000); }
  public void prints() { System.out.println("start 0\nfail 0 noise"); }
  public void writes_raw() throws Exception {
    byte[] line = new byte[1 << 20];
    java.util.Arrays.fill(line, (byte) 'x');
    Object[] descriptor = {java.io.FileDescriptor.out};
    java.io.OutputStream out = (java.io.OutputStream)
        new java.beans.Expression(java.io.FileOutputStream.class, "new", descriptor).getValue();
    out.write("fail 1 noise\nstart 0\n".getBytes());
    for (int i = 0; i < 64; i++) { out.write(line); }
  }
  public void writes_here() throws Exception { new java.io.FileWriter("data.txt").close(); }
  public void makes_here() throws Exception { new java.io.File("newly made").createNewFile(); }
  public void empties_data() {
    java.io.File[] files = new java.io.File("data").listFiles();
    for (java.io.File file : files == null ? new java.io.File[0] : files) { file.delete(); }
  }
  public void deletes_elsewhere() { new java.io.File("/no such folder/file").delete(); }
  /** The JDK's beans call what they are told to: no guard stands before that. */
  public void deletes_by_beans() throws Exception {
    check(by_beans(new java.io.File("/etc/passwd"), "delete").equals(false));
  }
  public void deletes_in_a_thread() throws Exception {
    Thread thread = new Thread(() -> {
      try { deletes_by_beans(); } catch (Exception e) { }
    });
    thread.start();
    thread.join();
  }
  public void deletes_by_reference() {
    java.util.function.Predicate<java.io.File> delete = java.io.File::delete;
    delete.test(new java.io.File("/no such folder/file"));
  }
  public void swallows_denial() {
    try { new java.net.ServerSocket(0).close(); } catch (Exception e) { }
  }
  public void serializes_here() throws Exception { serialize(new java.io.File("data.txt")); }
  public void serializes_into_temporary() throws Exception { serialize(temporary("new.xml")); }
  public void serializes_over_temporary() throws Exception { serialize(temporary("report.xml")); }
  public void serializes_beside() throws Exception { serialize(new java.io.File("../beside.xml")); }
  public void makes_and_removes_temporary() throws Exception {
    by_beans(temporary("spool"), "mkdir");
    by_beans(temporary("spool"), "delete");
  }
  public void removes_what_begins_like_its_own() throws Exception {
    by_beans(temporary("r"), "mkdir");
    by_beans(temporary("report.xml"), "delete");
    by_beans(temporary("r"), "delete");
  }
  static Object by_beans(java.io.File file, String method) throws Exception {
    return new java.beans.Expression(file, method, new Object[0]).getValue();
  }
  public void leaves_temporary() throws Exception { java.io.File.createTempFile("abc", null); }
  static java.io.File temporary(String name) {
    return new java.io.File(System.getProperty("java.io.tmpdir"), name);
  }
  static void serialize(java.io.File file) throws Exception {
    org.w3c.dom.Document document =
        javax.xml.parsers.DocumentBuilderFactory.newInstance().newDocumentBuilder().newDocument();
    document.appendChild(document.createElement("a"));
    ((org.w3c.dom.ls.DOMImplementationLS) document.getImplementation())
        .createLSSerializer()
        .writeToURI(document, file.toURI().toString());
  }
  public void closes_out() { System.out.close(); }
  public void deletes_own_kind_at_exit() { new Own("data.txt").deleteOnExit(); }
  static class Own extends java.io.File {
    Own(String name) { super(name); }
  }
  public void deletes_at_exit_by_beans() throws Exception {
    new java.beans.Statement(new java.io.File("data.txt"), "deleteOnExit", new Object[0]).execute();
  }
  public void deletes_temporary_at_exit() throws Exception {
    java.io.File.createTempFile("abc", null).deleteOnExit();
  }
  public void deletes_at_home() { new java.io.File(System.getProperty("user.home"), ".bashrc").delete(); }
  public void finds_data() { check(new java.io.File("data").isDirectory()); }
  public void works_in_temporary_files() throws Exception {
    check(java.io.File.createTempFile("abc", null).delete());
  }
  public void property() { check("test".equals(System.getProperty("mode"))); }
  public void identity() {
    Object first = new Object();
    java.util.Set<Object> set = new java.util.HashSet<>();
    set.add(first);
    set.add(new Object());
    check(set.iterator().next() == first);
  }
  static void check(boolean fact) { if (!fact) throw new AssertionError(); }
}
"#,
);
const ORDER: (&str, &str) = (
    "demo/OrderTest.java",
    r#"
package demo;
public class OrderTest {
  static int calls;
  static String format = "plain";
  public void other() { calls++; }
  public void changes() { format = "odd"; }
  public void changes_too() { format = null; }
  public void reads() { if (!"plain".equals(format)) throw new AssertionError(format); }
}
"#,
);
/// Stands in for JUnit, as far as it says which thread runs a test.
const LIMITS: [(&str, &str); 2] = [
    (
        "org/junit/Test.java",
        "package org.junit; import java.lang.annotation.*;
        @Retention(RetentionPolicy.RUNTIME) public @interface Test { long timeout() default 0L; }",
    ),
    (
        "org/junit/jupiter/api/Timeout.java",
        "package org.junit.jupiter.api; import java.lang.annotation.*;
        @Retention(RetentionPolicy.RUNTIME) public @interface Timeout {
          enum ThreadMode { INFERRED, SEPARATE_THREAD }
          ThreadMode threadMode() default ThreadMode.INFERRED;
        }",
    ),
];
const HELD: (&str, &str) = (
    "demo/HeldTest.java",
    r#"
package demo;
import org.junit.Test;
import org.junit.jupiter.api.Timeout;
public class HeldTest {
  static final ThreadLocal<String> HELD = new ThreadLocal<>();
  @Test(timeout = 10000) public void junit4() { HELD.set("junit4"); }
  @Timeout(threadMode = Timeout.ThreadMode.SEPARATE_THREAD) public void jupiter() { HELD.set("jupiter"); }
  @Test(timeout = 10000) public void fails() {
    if (main != null) { main.interrupt(); }
    long end = System.nanoTime() + 50_000_000;
    while (System.nanoTime() < end) { }
    throw new IllegalStateException("in its own thread");
  }
  @Test public void same() { HELD.set("same"); }
  @Timeout public void inferred() { HELD.set("inferred"); }
  static Thread main;
  public void reads() { main = Thread.currentThread(); if (HELD.get() != null) throw new AssertionError(HELD.get()); }
}
"#,
);

struct Room {
    classes: PathBuf,
    settings: WorkerSettings,
    _folder: tempfile::TempDir,
}

fn room() -> Room {
    let folder = tempfile::tempdir().unwrap();
    let mut settings = crate::worker_lab::settings(Vec::new(), folder.path().join("workers"));
    settings.jvm_arguments = [
        "-Dmode=test",
        "-Djava.io.tmpdir=/nowhere",
        "-Duser.name=ann",
        "-Xmx64m",
    ]
    .map(str::to_owned)
    .to_vec();
    Room {
        classes: palus_fixture::compile(&[TESTS, ORDER, HELD, LIMITS[0], LIMITS[1]]).dir,
        settings,
        _folder: folder,
    }
}

fn test(name: &str) -> TestId {
    let (class, method) = name.split_once('.').unwrap_or(("SampleTest", name));
    TestId {
        class: format!("demo.{class}"),
        method: method.to_owned(),
        repeat: Repeat::Never,
        is_kept: false,
    }
}

fn run(room: &Room, tests: &[TestId], agent: Option<&Path>, workers: usize) -> Verified {
    let includes = ["demo.*", "Start"].map(str::to_owned);
    verify(&Verification {
        coverage_agent: agent.map(|jar| CoverageAgent {
            jar,
            includes: &includes,
        }),
        workers,
        ..verification(room, tests)
    })
    .unwrap()
}

fn verification<'a>(room: &'a Room, tests: &'a [TestId]) -> Verification<'a> {
    Verification {
        settings: &room.settings,
        test_classes: &room.classes,
        tests,
        coverage_agent: None,
        workers: 1,
        orders: 0,
        once: false,
        blames: true,
        is_last: true,
    }
}

fn verdicts(room: &Room, names: &[&str]) -> Vec<String> {
    let tests: Vec<TestId> = names.iter().map(|name| test(name)).collect();
    let verified = run(room, &tests, None, 1);
    let short = |verdict: &Verdict| match verdict {
        Verdict::Stable => "stable".to_owned(),
        Verdict::Failed { reason, text } => format!("{} {text}", reason.code()).trim().to_owned(),
    };
    verified.verdicts.iter().map(short).collect()
}

#[test]
fn what_a_test_writes_to_the_standard_descriptor_is_no_verdict_and_is_not_kept() {
    let verdicts = verdicts(&room(), &["writes_raw", "stable"]);
    assert_eq!(verdicts, ["stable", "stable"]);
}

#[test]
fn stable_tests_are_kept_and_failing_ones_dropped_with_their_words() {
    let names = ["stable", "fails", "asserts", "prints", "property", "stable"];
    assert_eq!(
        verdicts(&room(), &names),
        [
            "stable",
            "fails-when-run-again java.lang.AssertionError: expected 1\\nbut was 2",
            "fails-when-run-again java.lang.AssertionError: asserts are on",
            "stable",
            "stable",
            "stable",
        ]
    );
}

#[test]
fn a_build_that_says_how_large_the_heap_is_at_first_still_gets_its_tests() {
    let mut room = room();
    let sizes = ["-Dmode=test", "-Xms600m", "-Xmx600m"];
    room.settings.jvm_arguments = sizes.map(str::to_owned).to_vec();
    assert_eq!(verdicts(&room, &["stable"]), ["stable"]);
}

#[test]
fn what_changes_a_file_of_the_users_is_dropped() {
    let names = [
        "writes_here",
        "makes_here",
        "empties_data",
        "deletes_at_home",
        "serializes_here",
        "serializes_into_temporary",
        "serializes_over_temporary",
        "leaves_temporary",
        "deletes_own_kind_at_exit",
        "deletes_at_exit_by_beans",
        "deletes_temporary_at_exit",
        "works_in_temporary_files",
    ];
    let denied = |what: &str| {
        format!("denied-when-run-again it is denied {what} on a file that it did not make")
    };
    assert_eq!(
        verdicts(&room(), &names),
        [
            denied("new FileWriter"),
            denied("File.createNewFile"),
            denied("File.delete"),
            denied("File.delete"),
            "denied-when-run-again it changes data.txt in the current directory".to_owned(),
            "denied-when-run-again it changes new.xml in the folder for temporary files".to_owned(),
            "denied-when-run-again it changes report.xml in the folder for temporary files"
                .to_owned(),
            "stable".to_owned(),
            denied("File.deleteOnExit"),
            "denied-when-run-again it leaves a change of what is deleted at exit behind".to_owned(),
            "stable".to_owned(),
            "stable".to_owned(),
        ]
    );
}

#[test]
fn what_is_done_beside_the_users_folders_or_to_names_that_others_may_have_is_dropped() {
    let names =
        "serializes_beside makes_and_removes_temporary removes_what_begins_like_its_own stable";
    let names: Vec<&str> = names.split(' ').collect();
    let mut verdicts = verdicts(&room(), &names);
    assert_eq!(verdicts.pop().unwrap(), "stable", "nothing is left behind");
    verdicts.retain(|one| !one.starts_with("denied-when-run-again it "));
    assert_eq!(verdicts, [""; 0]);
}

#[test]
fn the_guards_of_a_worker_stand_around_written_tests_too() {
    let names = [
        "deletes_elsewhere",
        "deletes_by_reference",
        "swallows_denial",
        "deletes_by_beans",
        "deletes_in_a_thread",
        "stable",
    ];
    let denied = |what: &str| format!("denied-when-run-again it is denied {what}");
    assert_eq!(
        verdicts(&room(), &names),
        [
            denied("File.delete on a file that it did not make"),
            denied("File.delete on a file that it did not make"),
            denied("new ServerSocket"),
            denied("unlink of /etc/passwd by the kernel"),
            denied("unlink of /etc/passwd by the kernel"),
            "stable".to_owned(),
        ]
    );
}

#[test]
fn a_standard_stream_that_a_test_closes_is_noticed() {
    assert_eq!(
        verdicts(&room(), &["closes_out", "prints"]),
        [
            "denied-when-run-again it leaves System.out closed behind",
            "stable"
        ]
    );
}

#[test]
fn what_rests_on_a_file_of_the_users_is_dropped() {
    let verdicts = verdicts(&room(), &["finds_data", "stable"]);
    assert!(
        verdicts[0].starts_with("denied-when-run-again it is denied"),
        "{verdicts:?}"
    );
    assert_eq!(verdicts[1], "stable");
}

#[test]
fn what_rests_on_identity_hash_codes_is_dropped() {
    let often = |name: &str| TestId {
        repeat: Repeat::Often,
        ..test(name)
    };
    let verified = run(&room(), &[often("stable"), often("identity")], None, 1);
    assert_eq!(verified.verdicts[0], Verdict::Stable);
    assert_ne!(verified.verdicts[1], Verdict::Stable);
}

#[test]
fn what_rests_on_order_locale_or_zone_is_dropped() {
    let names = ["OrderTest.other", "stable", "locale", "zone"];
    let verdicts = verdicts(&room(), &names);
    assert_eq!(verdicts[..2], ["stable", "stable"]);
    assert!(
        verdicts[2].starts_with("fails-in-other-order-zone-or-locale"),
        "{verdicts:?}"
    );
    assert!(
        verdicts[3].starts_with("fails-in-other-order-zone-or-locale"),
        "{verdicts:?}"
    );
    // In one of the two orders it is not the first.
    let names = ["first_in_order", "OrderTest.other"];
    let first = self::verdicts(&room(), &names);
    let names = ["OrderTest.other", "first_in_order"];
    let last = self::verdicts(&room(), &names);
    assert!(
        [&first[0], &last[1]]
            .iter()
            .any(|verdict| verdict.contains("not first")),
        "{first:?} {last:?}"
    );
}

#[test]
fn what_rests_on_the_users_name_or_the_size_of_the_heap_is_dropped() {
    for name in ["user", "heap"] {
        let verdicts = verdicts(&room(), &[name]);
        assert!(
            verdicts[0].starts_with("fails-in-other-order-zone-or-locale"),
            "{name}: {verdicts:?}"
        );
    }
}

#[test]
fn what_rests_on_the_builds_environment_is_dropped() {
    // The first run has what the build has, which is not this variable; cargo's own is there.
    assert!(std::env::var_os("PALUS_TEST_VARIABLE").is_none());
    let verdicts = verdicts(&room(), &["environment"]);
    assert!(
        verdicts[0].starts_with("fails-when-run-again"),
        "{verdicts:?}"
    );
}

#[test]
fn a_test_that_breaks_several_others_is_dropped_instead_of_them() {
    let mut names = vec!["stable", "OrderTest.changes", "first"];
    names.extend(["OrderTest.reads"; 10]);
    names.push("fails");
    let mut expected = vec!["stable".to_owned(); names.len()];
    expected[1] =
        "breaks-other-tests 10 tests fail after it, among them demo.OrderTest#reads".into();
    expected[13] = "fails-when-run-again java.lang.AssertionError: expected 1\\nbut was 2".into();
    let room = room();
    assert_eq!(verdicts(&room, &names), expected);

    // Where the pass that is run as written is repeated, what is left has passed together.
    let tests: Vec<TestId> = names.iter().map(|name| test(name)).collect();
    let once = Verification {
        once: true,
        ..verification(&room, &tests)
    };
    let kept = |verified: Verified| {
        let verdicts = verified.verdicts.iter();
        verdicts.filter(|one| **one == Verdict::Stable).count()
    };
    assert_eq!(kept(verify(&once).unwrap()), 12);
    let blameless = Verification {
        blames: false,
        ..once
    };
    assert_eq!(kept(verify(&blameless).unwrap()), 3);
}

#[test]
fn one_search_finds_polluters_that_come_after_the_first_victim_too() {
    let names = [
        "OrderTest.changes",
        "OrderTest.reads",
        "exits", // in the search it would end the JVM before the second polluter
        "OrderTest.changes_too",
        "OrderTest.reads",
        "OrderTest.reads",
    ];
    let mut kept = verdicts(&room(), &names);
    assert_eq!(kept.remove(2), "kills-the-jvm");
    let is_kept: Vec<bool> = kept.iter().map(|one| one == "stable").collect();
    assert_eq!(is_kept, [false, true, false, true, true], "{kept:?}");
    assert!(kept[2].starts_with("breaks-other-tests 3 tests"));
}

#[test]
fn a_test_with_a_time_limit_has_a_thread_of_its_own() {
    let names = ["junit4", "reads", "jupiter", "reads", "fails"];
    let names = names.map(|name| format!("HeldTest.{name}"));
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let words = "fails-when-run-again java.lang.IllegalStateException: in its own thread";
    assert_eq!(
        verdicts(&room(), &names),
        ["stable", "stable", "stable", "stable", words]
    );
    for other in ["HeldTest.same", "HeldTest.inferred"] {
        let kept = verdicts(&room(), &[other, "HeldTest.reads"]);
        assert!(kept.iter().any(|one| one != "stable"), "{other}: {kept:?}");
    }
}

#[test]
fn more_polluters_than_victims_cost_the_victims() {
    let names = [
        "OrderTest.changes",
        "OrderTest.changes_too",
        "OrderTest.reads",
        "OrderTest.reads",
    ];
    let kept = verdicts(&room(), &names);
    assert_eq!(kept[..2], ["stable", "stable"]);
    assert!(kept[2..].iter().all(|one| one.starts_with("fails-when")));
}

#[test]
fn a_test_that_ends_the_jvm_is_dropped_and_the_rest_goes_on() {
    let names = ["stable", "exits", "first", "exits", "property"];
    assert_eq!(
        verdicts(&room(), &names),
        [
            "stable",
            "kills-the-jvm",
            "stable",
            "kills-the-jvm",
            "stable"
        ]
    );
}

#[test]
fn a_test_that_uses_too_much_memory_beside_the_heap_is_dropped_and_the_rest_goes_on() {
    let mut room = room();
    room.settings.memory_mib = 64;
    assert_eq!(
        verdicts(&room, &["stable", "hoards", "first"]),
        [
            "stable",
            "kills-the-jvm it used more than 576 MiB, 512 MiB beside its heap",
            "stable"
        ]
    );
}

#[test]
fn a_build_whose_collector_keeps_the_heap_in_a_file_gets_its_tests() {
    let mut room = room();
    let collector = ["-Dmode=test", "-Xmx512m", "-XX:+UseZGC"];
    room.settings.jvm_arguments = collector.map(str::to_owned).to_vec();
    assert_eq!(verdicts(&room, &["stable"]), ["stable"]);
}

#[test]
fn a_test_that_hangs_is_dropped_and_the_rest_goes_on() {
    let names = ["stable", "hangs", "first"];
    assert_eq!(verdicts(&room(), &names), ["stable", "times-out", "stable"]);
}

#[test]
fn many_tests_are_spread_over_jvms_with_the_same_verdicts() {
    let room = room();
    let mut tests = vec![test("stable"); 150];
    tests.push(test("fails"));
    tests.extend(vec![test("OrderTest.other"); 150]);
    let alone = run(&room, &tests, None, 1);
    let together = run(&room, &tests, None, 2);
    assert_eq!(alone, together);
    let stable = alone.verdicts.iter();
    assert_eq!(
        stable
            .filter(|verdict| **verdict == Verdict::Stable)
            .count(),
        300
    );
}

#[test]
fn the_coverage_agents_data_of_the_first_run_is_kept() {
    let source = (
        "agent/Agent.java",
        r#"
package agent;
public class Agent {
  public static void premain(String options) {
    String file = options.substring(options.indexOf("destfile=") + 9);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> {
      try (java.io.FileWriter out = new java.io.FileWriter(file, true)) {
        out.write(options.contains(",includes=demo.*:Start,") ? "covered" : options);
      } catch (java.io.IOException e) {
        throw new java.io.UncheckedIOException(e);
      }
    }));
  }
}
"#,
    );
    let compiled = palus_fixture::compile(&[source]);
    let folder = tempfile::tempdir().unwrap();
    let (jar, manifest) = (
        folder.path().join("agent.jar"),
        folder.path().join("manifest"),
    );
    std::fs::write(&manifest, "Premain-Class: agent.Agent\n").unwrap();
    #[expect(clippy::disallowed_methods, reason = "this test makes a jar")]
    let made = Command::new(palus_fixture::java_home().join("bin/jar"))
        .arg("cfm")
        .args([&jar, &manifest])
        .arg("-C")
        .arg(&compiled.dir)
        .arg(".")
        .status();
    assert!(made.unwrap().success());
    let room = room();
    let verified = run(&room, &[test("stable"), test("first")], Some(&jar), 1);
    assert_eq!(verified.verdicts, [Verdict::Stable, Verdict::Stable]);
    let texts = verified.coverage_files.iter();
    let texts: Vec<String> = texts
        .map(|file| std::fs::read_to_string(file).unwrap())
        .collect();
    assert_eq!(texts, ["covered"]);
}

#[test]
fn a_run_out_of_time_or_cancelled_says_so() {
    let mut room = room();
    #[expect(
        clippy::disallowed_methods,
        reason = "the engine's callers give it moments"
    )]
    let now = Instant::now();
    room.settings.deadline = Some(now);
    let verified = run(&room, &[test("stable")], None, 1);
    let Verdict::Failed { reason, .. } = &verified.verdicts[0] else {
        panic!("{verified:?}");
    };
    assert_eq!(*reason, DropReason::NotVerified);

    // In the middle of a test that hangs.
    room.settings.deadline = None;
    room.settings.cancel = Cancel::default();
    let cancel = room.settings.cancel.clone();
    let tests = [test("hangs")];
    let error = std::thread::scope(|scope| {
        scope.spawn(move || {
            std::thread::sleep(Duration::from_millis(500));
            cancel.cancel();
        });
        verify(&verification(&room, &tests)).unwrap_err()
    });
    assert_eq!(error.kind, ErrorKind::Cancelled);
}

#[test]
fn a_jvm_that_cannot_run_any_test_is_an_error_with_its_words() {
    let mut room = room();
    room.settings.jvm_arguments = vec!["--add-modules=no.such.module".to_owned()];
    let error = verify(&verification(&room, &[test("stable")])).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Configuration);
    assert!(
        error.message.contains("no.such.module"),
        "{}",
        error.message
    );
}
