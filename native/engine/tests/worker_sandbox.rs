//! What subject code can do to the machine: with landlock, without it as on an old kernel, and without a launcher.

use crate::worker_lab::{Lab, ends};
use palus_engine::worker::guards::Landlock;
use palus_sequence::{End, Observation, Outcome, Sequence, Value};
use std::net::TcpListener;
use std::path::Path;

const VANDAL: (&str, &str) = (
    "demo/Vandal.java",
    r#"
package demo;
import java.io.*;
import java.net.*;
import java.nio.file.*;
public class Vandal {
  public boolean delete(String path) {
    return new File(path).delete();
  }
  public void deletePath(String path) throws IOException {
    Files.delete(Paths.get(path));
  }
  public void write(String path) throws IOException {
    try (Writer out = new FileWriter(path)) {
      out.write("ruined");
    }
  }
  public void truncate(String path) throws IOException {
    new RandomAccessFile(path, "rw").setLength(0);
  }
  public boolean rename(String path) {
    return new File(path).renameTo(new File(path + ".gone"));
  }
  public void connect(String port) throws IOException {
    new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(port)).close();
  }
  public void listen(String ignored) throws IOException {
    new ServerSocket(0).close();
  }
  public void exec(String path) throws Exception {
    new ProcessBuilder("rm", path).start().waitFor();
  }
  public boolean killParent(String ignored) {
    return ProcessHandle.current().parent().get().destroyForcibly();
  }
  public void halt(String ignored) {
    Runtime.getRuntime().halt(7);
  }
  public boolean work(String ignored) throws IOException {
    File own = File.createTempFile("own", ".txt");
    try (Writer out = new FileWriter(own)) {
      out.write("fine");
    }
    File moved = new File(own.getPath() + ".moved");
    Path folder = Files.createTempDirectory("own");
    Files.write(folder.resolve("file"), new byte[1]);
    return own.renameTo(moved) && moved.delete() && new File(folder.toFile(), "more").mkdir();
  }
  /** Empties a folder beside the program, as a program does that takes it for its own. */
  public int reset(String folder) {
    int gone = 0;
    File[] files = new File(folder).listFiles();
    for (File file : files == null ? new File[0] : files) {
      if (file.delete()) { gone++; }
    }
    return gone;
  }
  public int resetLogs(String folder) {
    int gone = 0;
    for (File file : new File(folder).listFiles((where, name) -> name.endsWith(".log"))) {
      if (file.delete()) { gone++; }
    }
    return gone;
  }
  public void resetDeep(String folder) throws IOException {
    Path path = Paths.get(folder, "deeper");
    if (Files.isDirectory(path)) {
      try (java.util.stream.Stream<Path> all = Files.walk(path)) {
        all.sorted(java.util.Comparator.reverseOrder()).forEach(p -> p.toFile().delete());
      }
    }
  }
  public void rotate(String path) throws IOException {
    File file = new File(System.getProperty("user.home"), path);
    if (file.isFile() && file.length() > 0) { new FileWriter(file).close(); }
  }
  public int size(String path) throws IOException {
    try (InputStream in = new FileInputStream(path)) { return in.read(); }
  }
  public int resetTemporary(String folder) {
    return reset(new File(System.getProperty("java.io.tmpdir"), folder).getPath());
  }
  public boolean unlock(String path) throws IOException {
    Path lock = Paths.get(path);
    if (Files.exists(lock)) { Files.delete(lock); return true; }
    return false;
  }
  public int first(String path) throws IOException {
    try (RandomAccessFile in = new RandomAccessFile(path, "r")) { return in.read(); }
  }
  public boolean canLook(String ignored) throws IOException {
    File made = File.createTempFile("own", null);
    return new File(made + ".bak").exists() | new File("/dev/null").exists()
        | new File(System.getProperty("java.home"), "no such file").exists()
        | new File("").getAbsoluteFile().getParentFile().isDirectory();
  }
  public int looksOften(String name) {
    int found = 0;
    for (int i = 0; i < 40; i++) {
      File file = new File(name + i);
      if (file.exists() && i == 39) { file.delete(); }
    }
    return found;
  }
  public int resetNamed(String variable) {
    String folder = System.getenv(variable);
    return folder == null ? -1 : reset(folder);
  }
  public int resetMapped(String variable) {
    return reset(System.getenv().getOrDefault(variable, "/dev/null"));
  }
  public int resetProperty(String property) {
    String base = System.getProperty(property);
    return base == null ? -1 : reset(base + "/deeper");
  }
  public int resetOther(String property) {
    return reset(System.getProperty(property, "data/ledger.db"));
  }
  public int resetFlag(String property) { return "true".equals(System.getProperty(property)) ? reset("data") : -1; }
  public int resetMode(String property) { return "nightly".equals(System.getProperty(property)) ? reset("data") : -1; }
  public int resetStage(String variable) { return "prod".equals(System.getenv(variable)) ? reset("data") : -1; }
  public int resetTable(String property) {
    String base = System.getProperties().getProperty(property);
    return base == null ? -1 : reset(base + "/deeper");
  }
  public int resetKey(String property) {
    java.util.Properties all = System.getProperties();
    return all.containsKey(property) ? reset("" + all.get(property) + "/deeper") : -1;
  }
  public int resetBoolean(String property) {
    return Boolean.getBoolean(property) ? reset("data") : -1;
  }
  public int resetInteger(String property) {
    return Integer.getInteger(property, 0) > 0 ? reset("data") : -1;
  }
  public int resetLong(String property) {
    return Long.getLong(property) != null ? reset("data") : -1;
  }
  public String variable(String name) {
    return System.getenv(name) + System.getProperty(name) + System.getenv().size();
  }
  public boolean resetHome(String folder) {
    return new File(System.getProperty("user.home"), folder).delete();
  }
  public boolean makeHere(String name) throws IOException {
    return new File(name).createNewFile();
  }
  public boolean makeTemporary(String name) throws IOException {
    return new File(System.getProperty("java.io.tmpdir"), name).createNewFile();
  }
  public File temporaryHere(String folder) throws IOException {
    return File.createTempFile("abc", null, new File(folder));
  }
  /** No guard stands before what the JDK itself does. */
  public void serialize(String path) throws Exception {
    org.w3c.dom.Document document =
        javax.xml.parsers.DocumentBuilderFactory.newInstance().newDocumentBuilder().newDocument();
    document.appendChild(document.createElement("a"));
    ((org.w3c.dom.ls.DOMImplementationLS) document.getImplementation())
        .createLSSerializer()
        .writeToURI(document, new File(path).toURI().toString());
  }
  public void serializeTemporary(String name) throws Exception {
    serialize(new File(System.getProperty("java.io.tmpdir"), name).getPath());
  }
  public void deleteTemporary(String name) throws Exception {
    File file = new File(System.getProperty("java.io.tmpdir"), name);
    new java.beans.Statement(file, "delete", new Object[0]).execute();
  }
  public void dumpTemporary(String name) throws Exception {
    java.lang.management.ManagementFactory.getPlatformMXBean(
            com.sun.management.HotSpotDiagnosticMXBean.class)
        .dumpHeap(new File(System.getProperty("java.io.tmpdir"), name).getPath(), true);
  }
  public boolean existsTemporary(String name) { return new File(System.getProperty("java.io.tmpdir"), name).exists(); }
  public boolean exists(String path) { return new File(path).exists(); }
  public void reflect(String path) throws Exception {
    Files.class.getMethod("delete", Path.class).invoke(null, Paths.get(path));
  }
  public void print(String text) {
    System.out.println(text);
    System.err.println(text);
  }
  public void closeStream(String stream) throws IOException {
    switch (stream) {
      case "System.out": System.out.close(); break;
      case "System.err": System.err.close(); break;
      case "System.in": System.in.close(); break;
      default: new java.util.Scanner(System.in).close();
    }
  }
  public void writeRaw(String text) throws Exception {
    ((OutputStream) raw(FileOutputStream.class, FileDescriptor.out)).write(text.getBytes());
    ((OutputStream) raw(FileOutputStream.class, FileDescriptor.err)).write(text.getBytes());
  }
  private static Object raw(Class<?> stream, Object... descriptor) throws Exception {
    return new java.beans.Expression(stream, "new", descriptor).getValue();
  }
  public int readRaw(String ignored) throws Exception {
    return ((InputStream) raw(FileInputStream.class, FileDescriptor.in)).read();
  }
  public void closeRaw(String ignored) throws Exception {
    ((OutputStream) raw(FileOutputStream.class, FileDescriptor.out)).close();
    ((InputStream) raw(FileInputStream.class, FileDescriptor.in)).close();
  }
  public int read(String ignored) throws IOException {
    return System.in.read();
  }
  public int names(String folder) {
    return new File(folder).list().length;
  }
  public long space(String path) {
    File file = new File(path);
    return file.getUsableSpace() > 0 && file.delete() ? 1 : 0;
  }
  public void copyOut(String path) throws IOException {
    Path own = Files.createTempFile("own", null);
    Files.copy(Paths.get(path), own, StandardCopyOption.REPLACE_EXISTING);
  }
  public String realPath(String path) throws IOException {
    return Paths.get(path).toRealPath().toString();
  }
  public boolean scan(String path) throws IOException {
    try (java.util.Scanner in = new java.util.Scanner(new File(path), "UTF-8")) {
      return in.hasNext();
    }
  }
  private static Object ask(Object target, String method) throws Exception {
    return new java.beans.Expression(target, method, new Object[0]).getValue();
  }
  public Object spaceByBeans(String path) throws Exception {
    return ask(new File(path), "getUsableSpace");
  }
  public Object deleteByBeans(String path) throws Exception {
    return ask(new File(path), "delete");
  }
  public Object listByBeans(String path) throws Exception {
    return ask(new File(path), "list");
  }
  public boolean ownByBeans(String ignored) throws Exception {
    File own = File.createTempFile("own", ".txt");
    return Boolean.TRUE.equals(ask(own, "exists")) && Boolean.TRUE.equals(ask(own, "delete"))
        && Boolean.FALSE.equals(ask(own, "exists"));
  }
  public Object readByAddress(String path) throws Exception {
    return ask(new URL("file:" + path), "openStream");
  }
  public long openFile(String ignored) throws Exception {
    return Opened.FILE.length();
  }
  public void writeOpenFile(String text) throws Exception {
    Opened.FILE.writeBytes(text);
  }
  /** Holds a file open that is there, and changes nothing yet; no guard stands before it. */
  static class Opened {
    static final RandomAccessFile FILE = open();
    static RandomAccessFile open() {
      try {
        Object[] arguments = {new File("data.txt").getAbsolutePath(), "rw"};
        return (RandomAccessFile)
            new java.beans.Expression(RandomAccessFile.class, "new", arguments).getValue();
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
"#,
);

/// The walls to try.
#[derive(Clone, Copy, Debug)]
enum Walls {
    All,
    NoLandlock,
    GuardsOnly,
}

fn lab(walls: Walls) -> Lab {
    let mut lab = Lab::new(&[VANDAL], &[]);
    match walls {
        Walls::All => {}
        Walls::NoLandlock => lab.settings.landlock = false,
        Walls::GuardsOnly => lab.settings.launcher = None,
    }
    lab
}

fn attempt(lab: &Lab, method: &str, argument: &str) -> Sequence {
    let mut body = lab.body();
    let vandal = body.new_object("demo/Vandal", "()V", &[]);
    let argument = body.value(Value::Text(argument.into()));
    body.call("demo/Vandal", method, Some(vandal), &[argument]);
    body.sequence
}

fn run(lab: &Lab, method: &str, argument: &str) -> Outcome {
    lab.run(&[attempt(lab, method, argument)]).remove(0)
}

const EACH: [Walls; 3] = [Walls::All, Walls::NoLandlock, Walls::GuardsOnly];

/// Each call is denied with one of its texts, but for numbers, and a harmless one goes on right after it.
fn denied_and_then_work(lab: &Lab, denied: &[(&str, &str)], argument: &str) {
    let pairs = denied
        .iter()
        .flat_map(|&(method, _)| [attempt(lab, method, argument), attempt(lab, "work", "")]);
    let outcomes = lab.run(&pairs.collect::<Vec<_>>());
    for (pair, (method, texts)) in outcomes.chunks(2).zip(denied) {
        let is_denied = matches!(&pair[0].end, End::Denied(text)
            if texts.split(" | ").any(|one| one == text.replace(|c: char| c.is_ascii_digit(), "")));
        assert!(is_denied, "{method}: {:?}", pair[0].end);
        assert_eq!(pair[1].end, End::Completed, "after {method}");
    }
}

#[test]
fn files_outside_the_work_folder_are_not_harmed() {
    for walls in EACH {
        let lab = lab(walls);
        let precious = lab.folder.path().join("precious");
        std::fs::write(&precious, "text").unwrap();
        let path = precious.to_str().unwrap();
        let denied = [
            ("delete", "File.delete on a file that it did not make"),
            ("deletePath", "Files.delete on a file that it did not make"),
            ("write", "new FileWriter on a file that it did not make"),
            (
                "truncate",
                "new RandomAccessFile on a file that it did not make",
            ),
            ("rename", "File.renameTo on a file that it did not make"),
            ("exec", "ProcessBuilder.start"),
        ];
        denied_and_then_work(&lab, &denied, path);
        assert_eq!(std::fs::read_to_string(&precious).unwrap(), "text");
    }
}

#[test]
fn nothing_is_connected_and_nobody_is_killed() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let port = listener.local_addr().unwrap().port().to_string();
    for walls in EACH {
        let lab = lab(walls);
        let denied = [
            ("connect", "new Socket"),
            ("listen", "new ServerSocket"),
            (
                "killParent",
                "openat of /proc//stat by the kernel | ProcessHandle.destroyForcibly",
            ),
            ("halt", "Runtime.halt"),
        ];
        denied_and_then_work(&lab, &denied, &port);
        // This very process would be gone; and nobody has knocked.
        assert!(listener.accept().is_err(), "{walls:?}");
    }
}

#[test]
fn work_in_the_own_folder_goes_on() {
    for walls in EACH {
        let outcome = run(&lab(walls), "work", "");
        assert_eq!(outcome.end, End::Completed, "{walls:?}");
    }
}

#[test]
fn a_file_that_a_sequence_did_not_make_may_be_the_users() {
    for walls in EACH {
        let lab = lab(walls);
        let batch = [
            ("reset", "data", "File.delete"),
            ("resetHome", ".bashrc", "File.delete"),
            ("makeHere", "new", "File.createNewFile"),
            ("makeTemporary", "new", "File.createNewFile"),
            ("write", "data/ledger.db", "new FileWriter"),
        ];
        let sequences = batch.map(|(method, argument, _)| attempt(&lab, method, argument));
        for (outcome, (method, _, what)) in lab.run(&sequences).iter().zip(batch) {
            let denied = End::Denied(format!("{what} on a file that it did not make").into());
            assert_eq!(outcome.end, denied, "{walls:?} {method}");
        }
        let outcome = run(&lab, "temporaryHere", ".");
        let text = "File.createTempFile in a folder that it did not make";
        assert_eq!(outcome.end, End::Denied(text.into()), "{walls:?}");
    }
}

#[test]
fn a_look_at_a_file_of_the_users_is_denied_whether_or_not_there_is_one() {
    for walls in EACH {
        let lab = lab(walls);
        let batch = [
            ("reset", "ledger", "at a file of the user's, ledger"),
            ("resetLogs", "ledger/x", "at a file of the user's, x"),
            ("resetDeep", "ledger", "at a file of the user's, deeper"),
            ("rotate", "ledger", "at a file of the user's, ledger"),
            (
                "resetTemporary",
                "vandal-cache",
                "at a file of the user's, vandal-cache",
            ),
            ("exists", "ledger", "at a file of the user's, ledger"),
            ("exists", "data.txt", "at a file of the user's, data.txt"),
            ("size", "ledger", "at a file of the user's, ledger"),
            ("names", ".", "into a folder of the user's, checkout"),
            ("names", "", "into a folder of the user's, checkout"),
            ("names", "..", "into a folder of the user's, worker"),
            ("space", "ledger", "at a file of the user's, ledger"),
            ("copyOut", "ledger", "at a file of the user's, ledger"),
            ("realPath", "ledger", "at a file of the user's, ledger"),
            ("scan", "ledger", "at a file of the user's, ledger"),
        ];
        let sequences = batch.map(|(method, argument, _)| attempt(&lab, method, argument));
        let outcomes = lab.run(&sequences);
        for (outcome, (method, _, what)) in outcomes.iter().zip(batch) {
            let look = format!("a look {what}");
            let is_denied = matches!(&outcome.end, End::Denied(text)
                if text.starts_with(look.as_str())
                    || text.starts_with("Files.copy on a file")
                    || &**text == "openat of .. by the kernel");
            assert!(is_denied, "{walls:?} {method}: {:?}", outcome.end);
        }
    }
}

#[test]
fn what_no_guard_sees_is_seen_on_the_files() {
    for walls in EACH {
        let lab = lab(walls);
        let places = ["data.txt", "README.md", "data/new.xml", "data.txt"];
        let mut sequences = places
            .map(|place| attempt(&lab, "serialize", place))
            .to_vec();
        // Nobody finds what another left.
        sequences.push(attempt(&lab, "exists", "data/new.xml"));
        let outcomes = lab.run(&sequences);
        let changed = [
            "data.txt in the current directory",
            "README.md in the current directory",
            "data in the current directory",
            "data.txt in the current directory",
        ];
        for (outcome, changed) in outcomes.iter().zip(changed) {
            let denied = End::Denied(format!("a change of {changed}").into());
            assert_eq!(outcome.end, denied, "{walls:?}");
        }
        assert!(matches!(outcomes[4].end, End::Denied(_)), "{walls:?}");
    }
}

#[test]
fn the_kernel_tells_of_looks_and_changes_that_no_guard_sees() {
    let lab = lab(Walls::All);
    let batch = [
        ("spaceByBeans", "ledger"),
        ("deleteByBeans", "ledger"),
        ("deleteByBeans", "data.txt"),
        ("listByBeans", "."),
        ("readByAddress", "ledger"),
    ];
    let sequences = batch.map(|(method, argument)| attempt(&lab, method, argument));
    let outcomes = lab.run(&sequences);
    for (outcome, (method, _)) in outcomes.iter().zip(batch) {
        let is_known = matches!(&outcome.end, End::Denied(text)
            if text.ends_with(" by the kernel") || text.starts_with("a change of "));
        assert!(is_known, "{method}: {:?}", outcome.end);
    }
    // Own temporary files are looked at, changed and looked for by the same ways.
    assert_eq!(run(&lab, "ownByBeans", "").end, End::Completed);
}

#[test]
fn a_file_that_one_sequence_opened_and_another_changes_is_seen_to_change() {
    for walls in EACH {
        let lab = lab(walls);
        let outcomes = lab.run(&[
            attempt(&lab, "openFile", ""),
            attempt(&lab, "work", ""),
            attempt(&lab, "writeOpenFile", "ruined"),
        ]);
        let change = "a change of data.txt in the current directory";
        assert_eq!(outcomes[1].end, End::Completed, "{walls:?}");
        assert_eq!(outcomes[2].end, End::Denied(change.into()), "{walls:?}");
    }
}

#[test]
fn what_no_guard_sees_is_seen_in_the_folder_for_temporary_files() {
    for walls in EACH {
        let lab = lab(walls);
        let batch = [
            ("serializeTemporary", "new.xml"),
            ("serializeTemporary", "report.xml"),
            ("deleteTemporary", "app.lock"),
            ("deleteTemporary", "app.lock"),
            ("dumpTemporary", "new.hprof"),
        ];
        let mut sequences = batch
            .map(|(method, name)| attempt(&lab, method, name))
            .to_vec();
        sequences.push(attempt(&lab, "existsTemporary", "new.xml"));
        sequences.push(attempt(&lab, "work", ""));
        let outcomes = lab.run(&sequences);
        for (outcome, (method, name)) in outcomes.iter().zip(batch) {
            let text = format!("a change of {name} in the folder for temporary files");
            assert_eq!(outcome.end, End::Denied(text.into()), "{walls:?} {method}");
        }
        let after = [&outcomes[5].end, &outcomes[6].end];
        let is_seen = matches!(after[0], End::Denied(text) if !text.contains("new.hprof"));
        assert!(
            is_seen && *after[1] == End::Completed,
            "{walls:?} {after:?}"
        );
    }
}

#[test]
fn what_would_harm_a_file_that_a_variable_names_is_denied() {
    for walls in EACH {
        let lab = lab(walls);
        let harmful = [
            "resetNamed",
            "resetMapped",
            "resetProperty",
            "resetOther",
            "resetFlag",
            "resetMode",
            "resetStage",
            "resetTable",
            "resetKey",
            "resetBoolean",
            "resetInteger",
            "resetLong",
        ];
        let mut sequences = harmful
            .map(|method| attempt(&lab, method, "VANDAL_DATA"))
            .to_vec();
        sequences.push(attempt(&lab, "variable", "VANDAL_DATA"));
        let outcomes = lab.run(&sequences);
        for (outcome, method) in outcomes.iter().zip(harmful) {
            let is_denied = matches!(&outcome.end, End::Denied(text)
                if text.starts_with("a look at a file of the user's")
                    || text.starts_with("File.delete on a file that it did not make if"));
            assert!(is_denied, "{walls:?} {method} {:?}", outcome.end);
        }
        assert_eq!(
            outcomes[harmful.len()].observations[2],
            Observation::Value {
                value: Value::Text("nullnull0".into()),
                boxed: true,
            }
        );
    }
}

#[test]
fn a_standard_stream_that_is_closed_stays_closed_for_others() {
    let lab = lab(Walls::All);
    let batch = ["System.out", "System.err", "System.in", "a scanner"]
        .map(|stream| attempt(&lab, "closeStream", stream));
    let closed = ["System.out", "System.err", "System.in", "System.in"];
    for (outcome, stream) in lab.run(&batch).iter().zip(closed) {
        let text = format!("to leave {stream} closed");
        assert_eq!(outcome.end, End::Denied(text.into()));
    }
    assert_eq!(run(&lab, "print", "text").end, End::Completed);
}

#[test]
fn a_look_at_a_file_elsewhere_is_no_fact() {
    for walls in EACH {
        let lab = lab(walls);
        let elsewhere = "/var/tmp/vandal/run.lock";
        let above = "../../vandal";
        let batch = [
            attempt(&lab, "unlock", elsewhere),
            attempt(&lab, "first", elsewhere),
            attempt(&lab, "exists", above),
            attempt(&lab, "looksOften", "missing"),
            attempt(&lab, "canLook", ""),
        ];
        let outcomes = lab.run(&batch);
        let denied = End::Denied(format!("a look at {elsewhere}").into());
        assert_eq!(outcomes[0].end, denied, "{walls:?}");
        assert_eq!(outcomes[1].end, denied, "{walls:?}");
        let is_look =
            matches!(&outcomes[2].end, End::Denied(what) if what.starts_with("a look at /"));
        assert!(is_look, "{walls:?} {:?}", outcomes[2]);
        let text = "a look at a file of the user's, missing0";
        assert_eq!(outcomes[3].end, End::Denied(text.into()), "{walls:?}");
        assert_eq!(outcomes[4].end, End::Completed, "{walls:?}");
    }
}

#[test]
fn reflection_finds_no_way_around_landlock() {
    let lab = lab(Walls::All);
    let precious = lab.folder.path().join("precious");
    std::fs::write(&precious, "text").unwrap();
    let outcome = run(&lab, "reflect", precious.to_str().unwrap());
    assert_ne!(outcome.end, End::Completed);
    assert!(precious.exists());
}

#[test]
fn the_subjects_own_streams_disturb_nobody() {
    let lab = lab(Walls::All);
    let text = "x".repeat(1 << 16);
    let batch = vec![attempt(&lab, "print", &text); 20];
    let outcomes = lab.run(&batch);
    assert!(ends(&outcomes).iter().all(|end| end == "Completed"));
    let outcome = run(&lab, "read", "");
    assert_eq!(outcome.end, End::Denied("to leave System.in read".into()));
}

#[test]
fn the_standard_descriptors_are_not_the_workers_wire() {
    let lab = lab(Walls::All);
    // The beginning of a frame that would never end.
    let text = format!("log {}", "x".repeat(1 << 16));
    let mut batch = vec![attempt(&lab, "writeRaw", &text); 20];
    batch.push(attempt(&lab, "readRaw", ""));
    batch.push(attempt(&lab, "closeRaw", ""));
    batch.push(attempt(&lab, "work", ""));
    let outcomes = lab.run(&batch);
    assert!(
        ends(&outcomes).iter().all(|end| end == "Completed"),
        "{:?}",
        ends(&outcomes)
    );
    let end = Observation::Value {
        value: Value::Int(-1),
        boxed: false,
    };
    assert_eq!(outcomes[20].observations[2], end);
}

#[test]
fn without_a_launcher_the_standard_descriptors_are_closed_to_the_subject() {
    let lab = lab(Walls::GuardsOnly);
    let batch = ["writeRaw", "readRaw", "closeRaw", "print"]
        .map(|method| attempt(&lab, method, "log in plain text"));
    let ends = ends(&lab.run(&batch));
    let threw = "Threw java/io/IOException at 2";
    assert_eq!(ends, [threw, threw, "Completed", "Completed"]);
}

#[test]
fn the_pool_tells_which_guards_hold() {
    for (walls, landlock, seccomp) in [
        (Walls::All, Landlock::Full, true),
        (Walls::NoLandlock, Landlock::None, true),
        (Walls::GuardsOnly, Landlock::None, false),
    ] {
        let guards = lab(walls).pool().unwrap().sandbox();
        // True on every kernel that these tests are run on; others would have to say less.
        let kernel = Path::new("/proc/sys/kernel/seccomp").exists();
        assert!(kernel);
        assert_eq!(
            (guards.landlock, guards.seccomp),
            (landlock, seccomp),
            "{walls:?}"
        );
    }
}

#[test]
fn workers_that_must_be_locked_in_do_not_start_without_the_kernels_help() {
    for (walls, missing) in [
        (Walls::NoLandlock, "landlock cannot be used"),
        (Walls::GuardsOnly, "landlock and seccomp cannot be used"),
    ] {
        let mut lab = lab(walls);
        lab.settings.required = true;
        let error = lab.pool().err().unwrap();
        assert!(error.message.contains(missing), "{walls:?} {error}");
        assert!(
            error.hint.contains("sandbox = BEST_EFFORT"),
            "{}",
            error.hint
        );
    }
    let mut lab = lab(Walls::All);
    lab.settings.required = true;
    assert!(lab.pool().is_ok());
}
