//! Code that does harm only on some days, machines or draws becomes no test, though it does nothing here; its twins do.

use crate::worker_lab::Lab;
use palus_analyze::Facts;
use palus_sequence::{End, Executor, Outcome, Run};
use palus_suite::{Harm, Test, look_elsewhere};

const MOODY: (&str, &str) = (
    "demo/Moody.java",
    r#"
package demo;
import java.io.File;
import java.nio.file.*;
import java.time.*;
import java.util.*;
public class Moody {
  static void wipe() { new File("ledger").delete(); }
  static class Night { static final boolean IS = LocalTime.now().getHour() == 3; }
  static class Retention {
    boolean isDue(LocalDate day) { return day.getDayOfYear() == 200; }
    void tidy() { wipe(); }
  }
  final Map<String, Integer> modes = new HashMap<>();
  int size = 3;

  public void firstOfMonth() { if (LocalDate.now().getDayOfMonth() == 1) wipe(); }
  public void monday() { if (LocalDate.now().getDayOfWeek() == DayOfWeek.MONDAY) wipe(); }
  public void zoned() { if (ZonedDateTime.now(ZoneOffset.UTC).getHour() == 4) wipe(); }
  public void millis() { if (System.currentTimeMillis() % 1000 == 7) wipe(); }
  public void clock() { if (Clock.systemUTC().millis() % 60_000 > 59_000) wipe(); }
  public void calendar() { if (Calendar.getInstance().get(Calendar.HOUR_OF_DAY) == 4) wipe(); }
  public void gregorian() { if (new GregorianCalendar().get(Calendar.YEAR) == 2999) wipe(); }
  public void date() { if (new Date().getTime() / 1000 % 60 == 59) wipe(); }
  public void rarely() { if (Math.random() < 0.0001) wipe(); }
  public void draw() { if (new Random().nextInt(1000) == 7) wipe(); }
  public void uuid() { if (UUID.randomUUID().toString().endsWith("beef")) wipe(); }
  public void shortText() { String v = System.getenv("X"); if (v != null && v.length() == 41) wipe(); }
  public void number() { if (Integer.getInteger("jobs", 0) == 12) wipe(); }
  public void lookedUp() { modes.put("prod" + size, 1); if (modes.get(System.getenv("MODE")) != null) wipe(); }
  public void windows() { if (System.getProperty("os.name").startsWith("Windows 7")) wipe(); }
  public void turkish() { if (Locale.getDefault().getLanguage().equals("sv")) wipe(); }
  public void processors() { if (Runtime.getRuntime().availableProcessors() == 128) wipe(); }
  public void atNight() { if (Night.IS) wipe(); }
  public void indirect() { Retention r = new Retention(); if (r.isDue(LocalDate.now())) r.tidy(); }
  public void twoSteps() {
    int day = LocalDate.now().getDayOfMonth();
    if (day > 40 && size > 2) { Runnable r = () -> wipe(); r.run(); }
  }
  LocalDate today() { return LocalDate.now(); }
  int day() { return today().getDayOfMonth(); }
  int draw(int of) { return new Random().nextInt(of); }
  int luck() { return draw(1000); }
  static String stage() { return System.getenv("STAGE"); }
  static String named() { return stage(); }
  int year() { return LocalDate.now().getYear(); }
  int nextYear() { return year() + 1; }
  boolean isOld() { return nextYear() > 2050; }
  public void deepFlag() { if (isOld()) wipe(); }
  public void row() {
    Runnable[] jobs = {() -> {}, () -> wipe()};
    jobs[Math.min(1, LocalDate.now().getYear() / 2024)].run();
  }
  public void deep() { if (day() == 28) wipe(); }
  public void deepDraw() { if (luck() == 997) wipe(); }
  public void deepText() { String v = named(); if (v != null && v.length() == 41) wipe(); }
  public void visits() {
    if (LocalDate.now().getDayOfMonth() == 15) {
      new ArrayList<>(Arrays.asList(1)).forEach(new java.util.function.Consumer<Integer>() {
        public void accept(Integer ignored) { wipe(); }
      });
    }
  }
  static class Begins { static { if (LocalDate.now().getDayOfMonth() == 15) wipe(); } static int n = 1; }
  public int begins() { return Begins.n; }
  public int beginsLater() { return begins() + 1; }
  static class Job {
    final boolean isDue = LocalDate.now().getDayOfMonth() == 1;
    final String mode = System.getenv("MODE");
    void run() { if (isDue) wipe(); }
    void sweep() { if (mode != null && mode.length() == 41) wipe(); }
  }
  public void flagInField() { new Job().run(); }
  public void textInField() { new Job().sweep(); }
  void refuseByDay() { if (LocalDate.now().getDayOfMonth() != 1) throw new IllegalStateException(); }
  public void refusesBefore() { try { refuseByDay(); wipe(); } catch (IllegalStateException e) { size++; } }
  static class Jobs { final List<Runnable> all = new ArrayList<>(Arrays.asList(() -> {}, () -> wipe())); }
  static class Day { final int past = LocalDate.now().getYear() / 2024; }
  public void rowOfTable() { new Jobs().all.get(Math.min(1, new Day().past)).run(); }
  static final String STAGE = System.getenv("STAGE");
  public void ownStatic() { if ("prod".equals(STAGE)) wipe(); }
  static class Steps {
    static final List<java.util.function.Consumer<File>> ALL = Arrays.asList(f -> {}, f -> f.delete());
    static final File LEDGER = new File("ledger");
    static void run() { if (LocalDate.now().getDayOfMonth() == 15) ALL.forEach(step -> step.accept(LEDGER)); }
    static void handOn() { if (LocalDate.now().getDayOfMonth() == 15) Arrays.asList(LEDGER).forEach(ALL.get(1)); }
  }
  public void steps() { Steps.run(); }
  public void handsOn() { Steps.handOn(); }
  static class Finalized { protected void finalize() { wipe(); } }
  public void finalized() { new Finalized(); }
  static class Prints extends java.awt.PrintJob {
    public java.awt.Graphics getGraphics() { return null; }
    public java.awt.Dimension getPageDimension() { return null; }
    public int getPageResolution() { return 72; }
    public boolean lastPageFirst() { return false; }
    public void end() { wipe(); }
  }
  public void finalizedByJdk() { new Prints(); }
  public void shown() { if (!java.awt.GraphicsEnvironment.isHeadless()) wipe(); }
  public void builder() { String v = new ProcessBuilder("x").environment().get("Y"); if (v != null && v.length() == 41) wipe(); }
  static class Due {
    static final boolean[] IS = new boolean[1];
    static { load(); }
    static void load() { IS[0] = LocalDate.now().getDayOfMonth() == 15; }
    static void run() { if (IS[0]) wipe(); }
  }
  public void filledByCallee() { Due.run(); }
  public void gregorianOf() {
    if (new GregorianCalendar(TimeZone.getTimeZone("UTC")).get(Calendar.DAY_OF_MONTH) == 15) wipe();
  }
  public void beans() throws Exception {
    if (LocalDate.now().getDayOfMonth() == 15) new java.beans.Statement(new File("ledger"), "delete", null).execute();
  }
  static class Maker extends ClassLoader {
    Class<?> make(byte[] code) { return defineClass(null, code, 0, code.length); }
  }
  public void madeOfCode() throws Exception {
    if (LocalDate.now().getDayOfMonth() == 15) new Maker().make(new byte[9]).getMethods();
  }
  public void askedByBean() throws Exception {
    if ((Long) new java.beans.Expression(System.class, "currentTimeMillis", new Object[0]).getValue() == 7) wipe();
  }
  public void inJdk() {
    int offset = new java.text.SimpleDateFormat("yy").getTimeZone().getRawOffset();
    if (offset == 12345) wipe();
  }
  public void noted() {
    if (new java.util.logging.LogRecord(java.util.logging.Level.INFO, "x").getMillis() == 7) wipe();
  }
  public void ofOwnFile() throws Exception { if (File.createTempFile("abc", null).lastModified() == 7) wipe(); }
  public void readsAttributes() throws Exception {
    Path own = Files.createTempFile("abc", null);
    java.nio.file.attribute.BasicFileAttributes read =
        Files.readAttributes(own, java.nio.file.attribute.BasicFileAttributes.class);
    if (read.lastModifiedTime().toMillis() == 7) wipe();
  }
  public void shortYear() throws Exception {
    if (new java.text.SimpleDateFormat("yy").parse("07").getTime() == 7) wipe();
  }
  @SuppressWarnings("deprecation")
  public void offset() { if (new Date(7).getTimezoneOffset() == 1234) wipe(); }
  public void parallel() { if (java.util.concurrent.ForkJoinPool.commonPool().getParallelism() == 127) wipe(); }
  public void zones() { if (ZoneId.getAvailableZoneIds().size() == 7) wipe(); }
  public void encoding() {
    if (new java.io.InputStreamReader(new java.io.ByteArrayInputStream(new byte[1])).getEncoding().length() == 41) wipe();
  }
  public void keys() throws Exception {
    if (javax.crypto.KeyGenerator.getInstance("AES").generateKey().getEncoded().length == 7) wipe();
  }
  public void byTool() {
    if (LocalDate.now().getDayOfMonth() == 15)
      javax.tools.ToolProvider.getSystemJavaCompiler().getStandardFileManager(null, null, null)
          .getJavaFileObjects("../ledger").iterator().next().delete();
  }
  public void readBack() throws Exception {
    if (LocalDate.now().getDayOfMonth() == 15)
      new java.io.ObjectInputStream(new java.io.ByteArrayInputStream(new byte[9])).readObject();
  }
  public void fetches() throws Exception {
    if (LocalDate.now().getDayOfMonth() == 15)
      javax.xml.parsers.DocumentBuilderFactory.newInstance().newDocumentBuilder().parse("http://127.0.0.1/ledger");
  }
  interface Step { void go(); }
  static class Calm implements Step { public void go() {} }
  static class Wiping implements Step { public void go() { wipe(); } }
  static class Kept { static final Step[] ALL = {new Calm(), new Wiping()}; }
  static Step made() { return LocalDate.now().getDayOfMonth() == 15 ? new Wiping() : new Calm(); }
  public void madeHere() {
    Step step = LocalDate.now().getDayOfMonth() == 15 ? new Wiping() : new Calm();
    step.go();
  }
  public void madeByCallee() { made().go(); }
  public void madeByInitializer() { Kept.ALL[Math.min(1, LocalDate.now().getYear() / 2024)].go(); }
  public void madeByService() {
    if (LocalDate.now().getDayOfMonth() == 15) for (Step step : ServiceLoader.load(Step.class)) step.go();
  }
  static class Flag { static final boolean IS = LocalDate.now().getDayOfMonth() == 15; }
  static class ByFlag { static { if (Flag.IS) wipe(); } static int n = 1; }
  public int beginsByFlag() { return ByFlag.n; }
  public int beginsByFlagLater() { return beginsByFlag() + 1; }
  static void atEnd(Thread hook) { Runtime.getRuntime().addShutdownHook(hook); }
  public void wipesAtEnd() {
    if (LocalDate.now().getDayOfMonth() == 15) atEnd(new Thread(() -> size++));
  }
  public void wipesAtEndItself() {
    if (LocalDate.now().getDayOfMonth() == 15)
      Runtime.getRuntime().addShutdownHook(new Thread() { public void run() { wipe(); } });
  }
  public void logsAtEnd() {
    if (LocalDate.now().getDayOfMonth() == 15)
      java.util.logging.Logger.getLogger("x").addHandler(new java.util.logging.StreamHandler() {
        public void close() { wipe(); }
      });
  }
  public void deletesWhatItRead() throws Exception {
    if (LocalDate.now().getDayOfMonth() == 15)
      Files.newInputStream(Paths.get("ledger"), StandardOpenOption.DELETE_ON_CLOSE).close();
  }
  public void exits() { if (LocalDate.now().getMonthValue() == 4) System.exit(1); }

  public void plain() { if (size == 1) wipe(); }
  public int clockOnly() { return LocalDate.now().getDayOfMonth() == 1 ? 1 : 0; }
  public long bothApart() { plain(); return now(); } // nobody can tell it from twoSteps
  static long now() { return System.currentTimeMillis(); }
  public void countsAtEnd() {
    if (LocalDate.now().getDayOfMonth() == 15)
      Runtime.getRuntime().addShutdownHook(new Thread() { public void run() { size++; } });
  }
  static class Statistics {
    static int used;
    static {
      if (Flag.IS) Runtime.getRuntime().addShutdownHook(new Thread() { public void run() { used++; } });
    }
  }
  public long begunWithStatistics() { Statistics.used++; return now(); }
  public int readsOnly() throws Exception {
    return LocalDate.now().getDayOfMonth() == 15 ? Files.newInputStream(Paths.get("ledger")).read() : 1;
  }
  public int neither() { return size == 1 ? 1 : 0; }
}
"#,
);

const HARMFUL: &str = "firstOfMonth monday zoned millis clock calendar gregorian date rarely draw uuid shortText number \
    lookedUp windows turkish processors atNight indirect twoSteps deepFlag row deep deepDraw deepText visits \
    begins beginsLater flagInField textInField refusesBefore rowOfTable ownStatic steps handsOn finalized finalizedByJdk shown builder filledByCallee gregorianOf beans madeOfCode askedByBean inJdk noted ofOwnFile readsAttributes shortYear offset parallel zones encoding keys byTool readBack fetches madeHere madeByCallee madeByInitializer madeByService beginsByFlag beginsByFlagLater wipesAtEnd wipesAtEndItself logsAtEnd deletesWhatItRead exits bothApart";
const HARMLESS: &str = "plain clockOnly countsAtEnd begunWithStatistics readsOnly neither";

#[test]
fn what_may_do_harm_elsewhere_is_told_from_what_does_not() {
    let lab = Lab::new(&[MOODY], &[]);
    let facts = Facts::of(&lab.program);
    let names: Vec<&str> = HARMFUL.split(' ').chain(HARMLESS.split(' ')).collect();
    let test = |name: &&str| Test {
        name: (*name).to_owned(),
        run: Run {
            sequence: lab.simple("demo/Moody", name),
            outcome: Outcome::new(End::Completed, Vec::new()),
        },
        assertions: Vec::new(),
        remark: None,
        harm: Harm::NotAsked,
        told: Vec::new(),
        length: usize::MAX,
        kills: Vec::new(),
    };
    let mut tests: Vec<Test> = names.iter().map(test).collect();
    let pool = lab.pool().unwrap();
    let run = |tests: &mut [Test]| {
        pool.with_executor(&[lab.class("demo/Moody")], |executor| {
            executor.begin().unwrap();
            let sequences: Vec<_> = tests.iter().map(|test| test.run.sequence.clone()).collect();
            let outcomes = executor.execute(&sequences).unwrap();
            for (name, outcome) in names.iter().zip(outcomes) {
                assert_eq!(outcome.end, End::Completed, "{name} does nothing here");
            }
            let tests = tests.iter_mut().collect();
            look_elsewhere(&lab.program, facts.outside(), tests, executor).unwrap()
        })
        .unwrap()
    };
    let steps = run(&mut tests);
    assert!(steps > names.len() as u64);
    let found = tests
        .iter()
        .filter(|test| matches!(test.harm, Harm::Elsewhere(_)));
    let found: Vec<&str> = found.map(|test| &*test.name).collect();
    assert_eq!(found.join(" "), HARMFUL);
    assert!(tests.iter().all(|test| test.harm != Harm::NotAsked));
    // In the same worker, in the usual environment again.
    run(&mut tests);
}

/// In a whole run: classes that may do harm have no test, the other has.
#[test]
fn no_written_test_calls_what_may_do_harm_elsewhere() {
    let tidy = (
        "demo/Tidy.java",
        "package demo; import java.io.File; import java.time.LocalDate; public class Tidy {
          public int purge(String name) {
            if (LocalDate.now().getDayOfMonth() == 15) { new File(name).delete(); return 1; }
            return 0;
          }
        }",
    );
    let calm = (
        "demo/Calm.java",
        "package demo; import java.time.LocalDate; public class Calm {
          public int count(String name) { return name.isEmpty() ? 0 : 1; }
        }",
    );
    let begun = (
        "demo/Begun.java",
        "package demo; import java.io.File; import java.time.LocalDate; public class Begun {
          static { if (LocalDate.now().getDayOfMonth() == 15) new File(\"ledger\").delete(); }
          public int two() { return 2; }
        }",
    );
    let lab = crate::project_lab::Lab::new(&[tidy, calm, begun], &[]);
    let said = lab.run(&[("budget", "300")]);
    assert!(said.contains("harms-elsewhere"), "{said}");
    let written = std::fs::read_to_string(lab.at("tests/demo/CalmPalusTest.java")).expect(&said);
    assert!(written.contains(".count("), "{written}");
    for harmful in ["Tidy", "Begun"] {
        let file = format!("tests/demo/{harmful}PalusTest.java");
        assert!(!lab.at(&file).exists(), "{said}");
    }
}

/// In a whole run, by what a library found out when it was loaded: none of the environments has such a name.
#[test]
fn no_written_test_decides_to_do_harm_by_what_a_library_asked() {
    let library = [
        (
            "lib/Facts.java",
            "package lib; public class Facts {
              public static final String NAME = Properties.name();
              public static final boolean IS_LONG = isLongerThan(NAME, 4711), IS_SHORT = isLongerThan(\"x\", 4711);
              public static final boolean IS_OTHER = isOther(\"Plan 9 of another kind\");
              private static boolean isLongerThan(String text, int length) { return text.length() > length; }
              private static boolean isOther(String name) { return NAME.equals(name); }
            }",
        ),
        (
            "lib/Properties.java",
            "package lib; class Properties {
              static String name() { return System.getProperty(\"os.name\"); }
            }",
        ),
    ];
    let main = [
        ("demo/Long.java", "IS_LONG"),
        ("demo/Other.java", "IS_OTHER"),
        ("demo/Calm.java", "IS_SHORT"),
    ]
    .map(|(file, field)| {
        let name = &file["demo/".len()..file.len() - ".java".len()];
        let text = format!(
            "package demo; import java.io.File; public class {name} {{
              public int purge(String name) {{
                if (lib.Facts.{field}) {{ new File(name).delete(); return 1; }}
                return 0;
              }}
            }}"
        );
        (file, text)
    });
    let main = main.each_ref().map(|(file, text)| (*file, &**text));
    let lab = crate::project_lab::Lab::with_library(&main, &library);
    let said = lab.run(&[("budget", "300")]);
    let written = std::fs::read_to_string(lab.at("tests/demo/CalmPalusTest.java")).expect(&said);
    assert!(written.contains(".purge("), "{written}");
    for harmful in ["Long", "Other"] {
        let file = format!("tests/demo/{harmful}PalusTest.java");
        assert!(!lab.at(&file).exists(), "{said}");
    }
}

/// In a whole run, by classes of a library that only bodies name: one deletes, one has another library's class delete, one
/// whose object the program makes, one that calls what the program hands it, and twins that do no harm.
#[test]
fn no_written_test_does_harm_by_a_library_that_only_bodies_name() {
    let library = [
        (
            "lib/Files.java",
            "package lib; public class Files {
              public static void deleteQuietly(String name) { new java.io.File(name).delete(); }
              public static String nameOf(String path) { return path.substring(path.lastIndexOf('/') + 1); }
            }",
        ),
        (
            "other/Tidier.java",
            "package other; public class Tidier {
              public static String tidy(String name) { lib.Files.deleteQuietly(name); return name; }
              public static String trim(String name) { return lib.Files.nameOf(name).trim(); }
            }",
        ),
        (
            "lib/Cleaner.java",
            "package lib; public interface Cleaner { void clean(String name); }",
        ),
        (
            "lib/FileCleaner.java",
            "package lib; public class FileCleaner implements Cleaner {
              public void clean(String name) { Files.deleteQuietly(name); }
            }",
        ),
        (
            "lib/NoCleaner.java",
            "package lib; public class NoCleaner implements Cleaner { public void clean(String name) { } }",
        ),
    ];
    let main = [
        ("Deletes", "lib.Files.deleteQuietly(name);"),
        ("Names", "name = lib.Files.nameOf(name);"),
        ("Tidies", "name = other.Tidier.tidy(name);"),
        ("Trims", "name = other.Tidier.trim(name);"),
        (
            "Cleans",
            "lib.Cleaner one = new lib.FileCleaner(); one.clean(name);",
        ),
        (
            "Keeps",
            "lib.Cleaner one = new lib.NoCleaner(); one.clean(name);",
        ),
    ]
    .map(|(name, body)| {
        let text = format!(
            "package demo; import java.time.*; public class {name} {{
              public int purge(String name) {{
                if (LocalDate.now().getYear() == 2815) {{ {body} return name.length(); }}
                return 0;
              }}
            }}"
        );
        (format!("demo/{name}.java"), text)
    });
    // The two that call an interface are apart: there the other's class is another that its call may come to.
    for classes in [&main[..4], &main[4..5], &main[5..]] {
        let classes: Vec<(&str, &str)> = classes
            .iter()
            .map(|(file, text)| (&**file, &**text))
            .collect();
        let lab = crate::project_lab::Lab::with_library(&classes, &library);
        let said = lab.run(&[("budget", "300")]);
        for (file, _) in classes {
            let name = &file["demo/".len()..file.len() - ".java".len()];
            let written = lab.at(&format!("tests/demo/{name}PalusTest.java")).exists();
            let is_harmless = ["Names", "Trims", "Keeps"].contains(&name);
            assert_eq!(written, is_harmless, "{name}: {said}");
        }
    }
}

/// What lies where no JVM looks says nothing of the class that runs.
#[test]
fn no_class_hides_behind_one_that_lies_where_no_jvm_looks() {
    let plain = |body: &str| {
        format!(
            "package demo; public class Plain {{ public static void tidy(String name) {{ {body} }} }}"
        )
    };
    let user = "package demo; public class User { public int go(int x) { Plain.tidy(\"\"); return 2 * x; } }";
    let harm =
        "if (java.time.LocalDate.now().getYear() == 2815) { new java.io.File(name).delete(); }";
    let other = palus_fixture::compile(&[("demo/Plain.java", &plain(""))]);
    for (body, decoy, is_written) in [
        (harm, "META-INF/versions/9/demo/Plain.class", false),
        (harm, "a/Decoy.class", false),
        ("", "a/Decoy.class", true),
    ] {
        let mut lab = crate::project_lab::Lab::new(
            &[("demo/Plain.java", &plain(body)), ("demo/User.java", user)],
            &[],
        );
        let own = lab.own_classes("demo");
        let file = own.parent().unwrap().join(decoy);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, other.bytes("demo/Plain")).unwrap();
        let said = lab.run(&[("budget", "300")]);
        let written = lab.at("tests/demo/UserPalusTest.java").exists();
        assert_eq!(written, is_written, "{decoy}: {said}");
    }
}
