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
  static int trusted() throws Exception {
    javax.net.ssl.TrustManagerFactory all = javax.net.ssl.TrustManagerFactory
        .getInstance(javax.net.ssl.TrustManagerFactory.getDefaultAlgorithm());
    all.init((java.security.KeyStore) null);
    return ((javax.net.ssl.X509TrustManager) all.getTrustManagers()[0]).getAcceptedIssuers().length;
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

/// Limits of the machine, as Java finds them, and whom it trusts.
const FOUND: [&str; 6] = [
    "opened()",
    "trusted()",
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

/// Where the folder lies in which tests make files, and how long its path is.
const DEPTHS: [&str; 3] = [
    "made().toAbsolutePath().getNameCount()",
    "made().getParent().toString().length()",
    "made().getParent().getParent().getFileName().toString().startsWith(\"verify-\")",
];

/// The order in which a folder is listed, by each way to list it.
const LISTINGS: [&str; 20] = [
    "made().toFile().list()[0]",
    "made().toFile().list()[1]",
    "made().toFile().list()[2]",
    "made().toFile().list((folder, name) -> name.length() > 2)[0]",
    "made().toFile().listFiles()[2].getName()",
    "made().toFile().listFiles((folder, name) -> name.length() > 2)[1].getName()",
    "made().toFile().listFiles(java.io.File::isFile)[1].getName()",
    "java.util.Arrays.toString(((java.util.function.Function<java.io.File, String[]>) java.io.File::list).apply(made().toFile()))",
    "java.nio.file.Files.list(made()).findFirst().get().getFileName()",
    "names(java.nio.file.Files.list(made()))",
    "names(java.nio.file.Files.walk(made()))",
    "names(java.nio.file.Files.walk(made(), 1))",
    "names(java.nio.file.Files.find(made(), 9, (path, data) -> data.isRegularFile()))",
    "java.nio.file.Files.newDirectoryStream(made()).iterator().next().getFileName()",
    "java.nio.file.Files.newDirectoryStream(made(), \"*e*\").iterator().next().getFileName()",
    "java.nio.file.Files.newDirectoryStream(made(), path -> path.toString().length() > 1).iterator().next().getFileName()",
    "visited(9, null)",
    "visited(1, null)",
    "visited(9, \"sub\").contains(\"two\")",
    "visited(9, null).indexOf(\"two\") < visited(9, null).indexOf(\"one\")",
];

/// Rights and the kind of user, as far as the file system says.
const RIGHTS: [&str; 13] = [
    "java.nio.file.attribute.PosixFilePermissions.toString(java.nio.file.Files.getPosixFilePermissions(made().resolve(\"sub\")))",
    "java.nio.file.Files.getAttribute(made().resolve(\"one\"), \"unix:mode\")",
    "java.nio.file.Files.getPosixFilePermissions(made().resolve(\"one\")).contains(java.nio.file.attribute.PosixFilePermission.OTHERS_READ)",
    "locked().canWrite()",
    "locked().canRead()",
    "java.nio.file.Files.isWritable(locked().toPath())",
    "java.nio.file.Files.isReadable(locked().toPath())",
    "readable(locked())",
    "writable(locked())",
    "closed().list() == null",
    "closed().canExecute()",
    "java.nio.file.Files.isExecutable(closed().toPath())",
    "new java.io.File(closed(), \"x\").exists()",
];

/// What the file system says of a file or folder.
const ATTRIBUTES: [&str; 15] = [
    "made().toFile().length()",
    "java.nio.file.Files.size(made())",
    "java.nio.file.Files.readAttributes(made(), java.nio.file.attribute.BasicFileAttributes.class).size()",
    "java.nio.file.Files.readAttributes(made(), \"size\").get(\"size\")",
    "java.nio.file.Files.getAttribute(made(), \"size\")",
    "java.nio.file.Files.getAttribute(made(), \"unix:nlink\")",
    "java.nio.file.Files.getAttribute(made(), \"unix:uid\")",
    "java.nio.file.Files.getAttribute(made(), \"unix:dev\")",
    "java.nio.file.Files.getFileStore(made()).type()",
    "java.nio.file.Files.getFileStore(made()).name()",
    "java.nio.file.Files.getFileStore(made()).getTotalSpace()",
    "java.nio.file.Files.getFileStore(made()).getBlockSize()",
    "made().toFile().getTotalSpace()",
    "age(\"creationTime\") < 600_000",
    "age(\"lastAccessTime\") < 600_000",
];

/// What differs between JDKs of one release, their screens and what lies on the class path.
const OTHER_JDK: [&str; 15] = [
    "java.awt.GraphicsEnvironment.isHeadless()",
    "java.util.Locale.getAvailableLocales().length",
    "java.text.NumberFormat.getAvailableLocales().length",
    "java.time.ZoneId.getAvailableZoneIds().size()",
    "java.util.TimeZone.getAvailableIDs().length",
    "java.nio.charset.Charset.availableCharsets().size()",
    "((java.util.function.Supplier<java.util.SortedMap<String, ?>>) java.nio.charset.Charset::availableCharsets).get().lastKey()",
    "java.util.Currency.getAvailableCurrencies().size()",
    "Runtime.version()",
    "Runtime.version().toString().length()",
    "Runtime.version().pre().isPresent() + \" \" + Runtime.version().update()",
    "ClassLoader.getSystemResource(\"META-INF/MANIFEST.MF\")",
    "MachineTest.class.getResource(\"/META-INF/MANIFEST.MF\").getPath()",
    "MachineTest.class.getClassLoader().getResource(\"META-INF/MANIFEST.MF\").getPath()",
    "MachineTest.class.getResource(\"MachineTest.class\").getPath().contains(\"/./\")",
];

/// What holds with any file system, rights, JDK and class path.
const ANYWHERE: [&str; 24] = [
    // A parser of class files looks for them there.
    "java.util.Arrays.stream(System.getProperty(\"java.class.path\").split(java.io.File.pathSeparator))\
     .allMatch(one -> new java.io.File(one).exists())",
    "made().toFile().list().length",
    "sorted(made().toFile().list())",
    "names(java.nio.file.Files.list(made()).sorted())",
    "names(java.nio.file.Files.walk(made()).sorted())",
    "names(java.nio.file.Files.walk(made().resolve(\"sub\").resolve(\"x\")))",
    "java.nio.file.Files.walk(made()).findFirst().get().getFileName().toString().startsWith(\"made\")",
    "java.nio.file.Files.walk(made()).reduce((one, next) -> next).get().getFileName().toString().startsWith(\"made\")",
    "visited(9, null).length()",
    "visited(9, null).indexOf(\"sub\") < visited(9, null).indexOf(\"x\")",
    "new java.io.File(\"missing\").getName() + made().resolve(\"missing\").toFile().list()",
    "made().resolve(\"missing\").toFile().canRead()",
    "made().resolve(\"one\").toFile().canRead()",
    "made().resolve(\"one\").toFile().canWrite()",
    "made().toFile().canExecute()",
    "made().resolve(\"one\").toFile().length()",
    "java.nio.file.Files.size(made().resolve(\"one\"))",
    "java.nio.file.Files.isWritable(made().resolve(\"one\"))",
    "java.nio.file.Files.getPosixFilePermissions(made()).size()",
    "java.nio.charset.Charset.availableCharsets().containsKey(\"UTF-8\")",
    "java.time.ZoneId.getAvailableZoneIds().contains(\"Europe/Berlin\")",
    "Runtime.version().feature()",
    "new java.io.File(MachineTest.class.getResource(\"MachineTest.class\").toURI()).isFile()",
    "MachineTest.class.getResourceAsStream(\"MachineTest.class\").read()",
];

/// Makes a folder, and looks at it.
const FOLDERS: &str = "
  static java.nio.file.Path made() throws Exception {
    java.nio.file.Path folder = java.nio.file.Files.createTempDirectory(\"made\");
    java.nio.file.Path below = java.nio.file.Files.createDirectory(folder.resolve(\"sub\"));
    for (String name : \"two one three\".split(\" \")) java.nio.file.Files.createFile(folder.resolve(name));
    for (String name : \"x y\".split(\" \")) java.nio.file.Files.createFile(below.resolve(name));
    return folder;
  }
  static java.io.File locked() throws Exception {
    java.io.File file = made().resolve(\"one\").toFile();
    file.setReadOnly();
    file.setReadable(false);
    return file;
  }
  static java.io.File closed() throws Exception {
    java.io.File folder = made().resolve(\"sub\").toFile();
    folder.setReadable(false);
    folder.setExecutable(false);
    return folder;
  }
  static boolean readable(java.io.File file) throws Exception {
    try (java.io.InputStream in = new java.io.FileInputStream(file)) {
      return in.read() == -1;
    } catch (java.io.FileNotFoundException e) {
      return false;
    }
  }
  static boolean writable(java.io.File file) throws Exception {
    try (java.io.OutputStream out = new java.io.FileOutputStream(file)) {
      return true;
    } catch (java.io.FileNotFoundException e) {
      return false;
    }
  }
  static String names(java.util.stream.Stream<java.nio.file.Path> paths) {
    return paths.map(path -> path.getFileName().toString()).filter(name -> !name.startsWith(\"made\"))
        .collect(java.util.stream.Collectors.joining(\" \"));
  }
  static String sorted(String[] names) {
    java.util.Arrays.sort(names);
    return String.join(\" \", names);
  }
  static long age(String time) throws Exception {
    java.nio.file.Path file = made().resolve(\"one\");
    long last = java.nio.file.Files.getLastModifiedTime(file).toMillis();
    java.nio.file.attribute.BasicFileAttributes data =
        java.nio.file.Files.readAttributes(file, java.nio.file.attribute.BasicFileAttributes.class);
    return last - (time.startsWith(\"c\") ? data.creationTime() : data.lastAccessTime()).toMillis();
  }
  static String visited(int depth, String last) throws Exception {
    java.util.List<String> names = new java.util.ArrayList<>();
    java.nio.file.Files.walkFileTree(made(), java.util.EnumSet.noneOf(java.nio.file.FileVisitOption.class), depth,
        new java.nio.file.SimpleFileVisitor<java.nio.file.Path>() {
      @Override public java.nio.file.FileVisitResult preVisitDirectory(
          java.nio.file.Path path, java.nio.file.attribute.BasicFileAttributes data) {
        String name = path.getFileName().toString();
        if (!name.startsWith(\"made\")) names.add(name);
        return name.equals(last)
            ? java.nio.file.FileVisitResult.TERMINATE : java.nio.file.FileVisitResult.CONTINUE;
      }
      @Override public java.nio.file.FileVisitResult visitFile(
          java.nio.file.Path path, java.nio.file.attribute.BasicFileAttributes data) {
        names.add(path.getFileName().toString());
        return java.nio.file.FileVisitResult.CONTINUE;
      }
    });
    return String.join(\" \", names);
  }
";

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
    let text = format!(
        "package demo; public class MachineTest {{\n{LIMITS}{WAITS}{RUNNER}{FOLDERS}{methods}}}"
    );
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
        Verdict::Failed { text, .. } => match text.strip_prefix("java.lang.Error: ") {
            Some(value) => value.to_owned(),
            None => panic!("{text}"),
        },
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
fn what_rests_on_where_the_folder_of_a_test_lies_is_dropped() {
    are_dropped(&DEPTHS);
}

#[test]
fn what_rests_on_the_order_of_a_listing_is_dropped() {
    are_dropped(&LISTINGS);
}

#[test]
fn what_rests_on_rights_or_on_the_kind_of_user_is_dropped() {
    are_dropped(&RIGHTS);
}

#[test]
fn what_rests_on_the_kind_of_file_system_is_dropped() {
    are_dropped(&ATTRIBUTES);
}

#[test]
fn what_rests_on_the_lists_of_a_jdk_its_screen_or_its_class_path_is_dropped() {
    are_dropped(&OTHER_JDK);
}

#[test]
fn what_holds_with_any_file_system_is_kept() {
    are_kept(&ANYWHERE);
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
    let verdicts = asserted(facts);
    let is_dropped = |verdict: &Verdict| matches!(verdict, Verdict::Failed { reason, .. } if reason.code() == ELSEWHERE);
    let all = verdicts.iter().zip(facts);
    let others: Vec<_> = all.filter(|(verdict, _)| !is_dropped(verdict)).collect();
    assert!(others.is_empty(), "{others:#?}");
}

/// Why what passes as it is written is dropped.
const ELSEWHERE: &str = "fails-in-other-order-zone-or-locale";

fn are_kept(facts: &[&str]) {
    for (verdict, fact) in asserted(facts).iter().zip(facts) {
        assert_eq!(*verdict, Verdict::Stable, "{fact}");
    }
}

#[test]
fn what_holds_on_each_machine_is_kept() {
    are_kept(&LASTING);
}
