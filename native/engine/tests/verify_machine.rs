//! What tells of the machine and its JDK, or of the date, is no fact of a test.

use crate::worker_lab::verified;
use palus_engine::verify::{Repeat, TestId, Verdict};

/// Facts of a machine, as Java finds them.
const FACTS: [&str; 15] = [
    "System.getProperty(\"os.version\")",
    "System.getProperty(\"java.vendor\")",
    "System.getProperty(\"java.vendor.url\")",
    "System.getProperty(\"java.vm.vendor\")",
    "System.getProperty(\"java.vm.name\")",
    "System.getProperty(\"java.vm.version\")",
    "System.getProperty(\"java.runtime.name\")",
    "System.getProperty(\"java.runtime.version\")",
    "System.getProperty(\"java.version\")",
    "System.getProperty(\"java.home\")",
    "System.getProperty(\"java.library.path\")",
    // The class path itself has a folder of this test's.
    "System.getProperty(\"java.class.path\").split(java.io.File.pathSeparator).length",
    "Runtime.getRuntime().availableProcessors()",
    "java.util.concurrent.ForkJoinPool.commonPool().getParallelism()",
    // Surefire's is `main`, and Gradle's another one.
    "Thread.currentThread().getName()",
];

/// What the build tool makes of the JVM of tests, or only some builds set.
const BUILD: [&str; 25] = [
    "System.getProperty(\"basedir\")",
    "System.getProperty(\"surefire.test.class.path\") != null",
    "System.getProperty(\"org.gradle.test.worker\") == null",
    "System.getProperty(\"sun.java.command\").contains(\"surefire\")",
    "System.getenv(\"PATH\") != null",
    "System.getenv(\"JAVA_HOME\")",
    "System.getenv(\"CI\") == null",
    "System.out.getClass().getName()",
    "System.in.getClass().getSimpleName()",
    "new Throwable().getStackTrace().length > 20",
    "Thread.currentThread().getStackTrace().length > 50",
    "has(\"org.junit.\")",
    "has(\"surefire\")",
    "has(\"org.gradle\")",
    "printed().length() > 3000",
    "StackWalker.getInstance().walk(frames -> frames.count()) > 30",
    "isThere(\"org.apache.maven.surefire.booter.ForkedBooter\")",
    "isThere(\"org.junit.platform.launcher.Launcher\")",
    "java.util.Collections.list(MachineTest.class.getClassLoader().getResources(\"META-INF/MANIFEST.MF\")).size()",
    "System.in instanceof java.io.BufferedInputStream",
    "System.in instanceof java.io.FilterInputStream",
    "System.in.getClass() == java.io.BufferedInputStream.class",
    "System.in instanceof java.io.ByteArrayInputStream",
    "System.out.getClass() == java.io.PrintStream.class",
    "System.err.getClass() == java.io.PrintStream.class",
];

/// What holds as long as the machine has nothing else to do.
const SOON: [&str; 5] = [
    "System.currentTimeMillis() - System.currentTimeMillis() > -900",
    "((java.util.function.LongSupplier) System::currentTimeMillis).getAsLong() - System.currentTimeMillis() > -900",
    "System.nanoTime() - System.nanoTime() > -900_000_000L",
    "new java.util.Date().getTime() - new java.util.Date().getTime() > -900",
    "java.time.Instant.now().plusMillis(900).isAfter(java.time.Instant.now())",
];

/// How far code comes that swallows what the end of its means throws, coarse enough to be the same in each JVM of a kind.
const LIMITS: &str = "
  static java.io.File own() throws Exception {
    java.io.File own = java.io.File.createTempFile(\"limits\", null);
    own.deleteOnExit();
    return own;
  }
  static int opened() throws Exception {
    java.io.File own = own();
    java.util.List<java.io.InputStream> open = new java.util.ArrayList<>();
    try {
      while (true) open.add(new java.io.FileInputStream(own));
    } catch (java.io.IOException e) {
      return open.size() / 100;
    } finally {
      for (java.io.InputStream one : open) one.close();
      own.delete();
    }
  }
  static int written() throws Exception {
    java.io.File own = own();
    byte[] chunk = new byte[1 << 20];
    int chunks = 0;
    try (java.io.OutputStream out = new java.io.FileOutputStream(own)) {
      for (; chunks < 1000; chunks++) out.write(chunk);
    } catch (java.io.IOException e) {
      return chunks;
    } finally {
      own.delete();
    }
    return chunks;
  }
  static long sum(long n, long a, long b, long c, long d, long e) {
    return n == 0 ? a : 1 + sum(n - 1, a, c, b, e, d);
  }
  static long deep(int n) {
    try { return sum(n, 0, 1, 2, 3, 4); } catch (StackOverflowError e) { return -1; }
  }
  static long buffers() {
    java.util.List<Object> all = new java.util.ArrayList<>();
    try {
      while (true) all.add(java.nio.ByteBuffer.allocateDirect(8 << 20));
    } catch (OutOfMemoryError e) {
      return all.size();
    }
  }
";

/// Limits of the machine, as Java finds them.
const FOUND: [&str; 5] = [
    "opened()",
    "written()",
    "deep(12_000)",
    "buffers()",
    "Runtime.getRuntime().maxMemory() >> 20",
];

/// Facts of the day, asked by a test itself, by what the JDK makes for it, and by what the JDK alone asks.
const DATES: [&str; 19] = [
    "System.currentTimeMillis() >> 36",
    "((java.util.function.LongSupplier) System::currentTimeMillis).getAsLong() >> 36",
    "new java.util.Date().getYear()",
    "new java.util.Date().getDay()",
    "java.util.Calendar.getInstance().get(java.util.Calendar.MONTH)",
    "new java.util.GregorianCalendar().get(java.util.Calendar.DAY_OF_WEEK)",
    "java.util.Calendar.getInstance(new java.util.Locale(\"th\", \"TH\")).get(java.util.Calendar.YEAR)",
    "java.time.LocalDate.now().getYear()",
    "java.time.Year.now()",
    "java.time.Clock.systemUTC().instant().getEpochSecond() >> 26",
    "java.time.Clock.systemUTC().millis() >> 36",
    "((java.util.function.Supplier<java.time.YearMonth>) java.time.YearMonth::now).get()",
    "java.time.chrono.ThaiBuddhistDate.now().get(java.time.temporal.ChronoField.YEAR)",
    "new java.text.SimpleDateFormat(\"yy\").get2DigitYearStart().getTime() >> 36",
    "new java.text.SimpleDateFormat(\"dd.MM.yy\").parse(\"01.02.24\").getYear()",
    "new java.text.SimpleDateFormat(\"dd.MM.yy\").parse(\"01.02.99\").getYear()",
    "java.text.DateFormat.getDateInstance(java.text.DateFormat.SHORT, java.util.Locale.US).parse(\"2/1/45\").getYear()",
    "new java.text.SimpleDateFormat(\"HH:mm\").getCalendar().get(java.util.Calendar.YEAR)",
    "new java.util.logging.LogRecord(java.util.logging.Level.INFO, \"\").getMillis() >> 36",
];

/// What holds on each machine with this release, and on each day.
const LASTING: [&str; 14] = [
    "System.currentTimeMillis() - System.currentTimeMillis() > -3_600_000",
    "System.getProperty(\"os.name\")",
    "System.getProperty(\"java.specification.version\")",
    "System.getProperty(\"java.version\").replaceFirst(\"^1[.]\", \"\").split(\"[^0-9]\")[0]",
    "new java.io.File(System.getProperty(\"java.home\"), \"lib\").isDirectory()",
    "java.time.ZoneId.of(\"Asia/Tokyo\").getRules().isFixedOffset()",
    "java.util.Currency.getInstance(\"EUR\").getDefaultFractionDigits()",
    "java.security.Security.getProviders().length > 0",
    "new java.text.SimpleDateFormat(\"dd.MM.yyyy HH:mm\", java.util.Locale.US).parse(\"01.02.2024 10:30\").getMinutes()",
    "java.time.LocalDate.of(2024, 2, 29).plusYears(1)",
    "Math.abs(new java.util.Date().getTime() - java.time.Instant.now().toEpochMilli()) < 60_000",
    "Math.abs(System.currentTimeMillis() - java.util.Calendar.getInstance().getTimeInMillis()) < 60_000",
    "waited()",
    "slept()",
];

/// What is above a test on the stack, and beside it on the class path.
const RUNNER: &str = "
  static boolean has(String name) {
    for (StackTraceElement frame : new Throwable().getStackTrace()) {
      if (frame.getClassName().contains(name)) return true;
    }
    return false;
  }
  static String printed() {
    java.io.StringWriter text = new java.io.StringWriter();
    new Throwable().printStackTrace(new java.io.PrintWriter(text, true));
    return text.toString();
  }
  static boolean isThere(String name) {
    try {
      Class.forName(name);
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }
";

/// Waits until a date end.
const WAITS: &str = "
  static boolean waited() throws Exception {
    java.util.concurrent.locks.ReentrantLock lock = new java.util.concurrent.locks.ReentrantLock();
    lock.lock();
    return lock.newCondition().awaitUntil(new java.util.Date(System.currentTimeMillis() + 50));
  }
  static boolean slept() {
    long until = System.currentTimeMillis() + 50;
    while (System.currentTimeMillis() < until) java.util.concurrent.locks.LockSupport.parkUntil(until);
    return true;
  }
";

/// Compiles a test for each statement and verifies them.
fn verdicts(statements: &[String]) -> Vec<Verdict> {
    verdicts_in(statements, 0)
}

/// The same in so many further orders, each with all classes loaded anew.
fn verdicts_in(statements: &[String], orders: u32) -> Vec<Verdict> {
    let methods = statements.iter().enumerate();
    let methods: Vec<String> = methods
        .map(|(at, statement)| format!("public void fact{at}() throws Exception {{ {statement} }}"))
        .collect();
    let methods = methods.join("\n");
    let text =
        format!("package demo; public class MachineTest {{\n{LIMITS}{WAITS}{RUNNER}{methods}}}");
    let compiled = palus_fixture::compile(&[("demo/MachineTest.java", &text)]);
    let tests = (0..statements.len()).map(|at| TestId {
        class: "demo.MachineTest".into(),
        method: format!("fact{at}"),
        repeat: Repeat::Never,
        is_kept: false,
    });
    verified(&compiled.dir, &tests.collect::<Vec<_>>(), orders)
}

/// What each is here: a test that throws it says so.
fn values(facts: &[&str]) -> Vec<String> {
    let statements = facts.iter();
    let statements = statements.map(|fact| format!("throw new Error(\"\" + ({fact}));"));
    let verdicts = verdicts(&statements.collect::<Vec<_>>()).into_iter();
    let values = verdicts.map(|verdict| match verdict {
        Verdict::Failed { text, .. } => text.strip_prefix("java.lang.Error: ").unwrap().to_owned(),
        Verdict::Stable => panic!("it throws"),
    });
    values.collect()
}

/// Tests that assert these values.
fn asserted(facts: &[&str]) -> Vec<Verdict> {
    let facts = facts.iter().zip(values(facts));
    let statements = facts.map(|(fact, value)| {
        format!("if (!(\"\" + ({fact})).equals(\"{value}\")) throw new Error(\"\" + ({fact}));")
    });
    verdicts(&statements.collect::<Vec<_>>())
}

#[test]
fn what_rests_on_the_machine_or_the_build_of_its_jdk_is_dropped() {
    are_dropped(&FACTS);
}

#[test]
fn what_rests_on_the_build_tool_that_runs_the_tests_is_dropped() {
    are_dropped(&BUILD);
}

#[test]
fn what_rests_on_a_limit_of_the_machine_is_dropped_where_its_exception_is_swallowed() {
    are_dropped(&FOUND);
}

#[test]
fn what_rests_on_the_date_is_dropped_also_where_the_jdk_alone_asks_for_it() {
    are_dropped(&DATES);
}

#[test]
fn what_rests_on_little_time_between_two_questions_is_dropped() {
    are_dropped(&SOON);
}

#[test]
fn who_deletes_a_file_only_below_junit_is_denied() {
    let delete = "new java.io.File(\"data.txt\").delete();";
    let statements = [
        format!("if (has(\"org.junit.\")) {delete}"),
        format!("if (has(\"no.such.name\")) {delete}"),
    ];
    let verdicts = verdicts(&statements);
    let Verdict::Failed { reason, .. } = &verdicts[0] else {
        panic!("it is kept");
    };
    assert_eq!(reason.code(), "denied-when-run-again");
    assert_eq!(verdicts[1], Verdict::Stable);
}

#[test]
fn a_look_for_a_class_that_is_missing_is_no_denial_with_classes_loaded_anew() {
    let statement = "if (isThere(\"no.such.Name\")) throw new Error();".to_owned();
    assert_eq!(verdicts_in(&[statement], 2), [Verdict::Stable]);
}

/// All pass as they are written, and fail elsewhere.
fn are_dropped(facts: &[&str]) {
    for (verdict, fact) in asserted(facts).iter().zip(facts) {
        let Verdict::Failed { reason, .. } = verdict else {
            panic!("{fact} is asserted");
        };
        assert_eq!(
            reason.code(),
            "fails-in-other-order-zone-or-locale",
            "{fact}"
        );
    }
}

#[test]
fn what_holds_on_each_machine_is_kept() {
    for (verdict, fact) in asserted(&LASTING).iter().zip(LASTING) {
        assert_eq!(*verdict, Verdict::Stable, "{fact}");
    }
}
