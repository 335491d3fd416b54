//! What the kernel denies to code before which no guard stands is no fact of a test.
#![cfg(target_os = "linux")]

use crate::worker_lab::Lab;
use palus_sequence::{End, Outcome, Sequence, Value};
use std::net::TcpListener;

/// The JDK's beans call what they are told to, so that no guard stands before these calls.
const SNEAK: (&str, &str) = (
    "demo/Sneak.java",
    r#"
package demo;
import java.beans.Expression;
import java.io.*;
import java.nio.file.*;
public class Sneak {
  private static Object call(Object target, String method, Object... arguments) throws Exception {
    return new Expression(target, method, arguments).getValue();
  }
  public Object delete(String path) throws Exception {
    return call(new File(path), "delete");
  }
  public Object make(String path) throws Exception {
    return call(new File(path), "createNewFile");
  }
  public Object open(String path) throws Exception {
    return call(FileOutputStream.class, "new", path);
  }
  public Object makeFolder(String path) throws Exception {
    return call(new File(path), "mkdir");
  }
  public Object move(String path) throws Exception {
    return call(new File(path), "renameTo", new File(System.getProperty("java.io.tmpdir"), "moved"));
  }
  public Object lock(String path) throws Exception {
    return call(new File(path), "setReadOnly");
  }
  public Object touch(String path) throws Exception {
    return call(new File(path), "setLastModified", 1000L);
  }
  public Object read(String path) throws Exception {
    return new FileInputStream(path).read();
  }
  public Object list(String path) {
    return new File(path).list();
  }
  public boolean swallow(String path) {
    try {
      call(Files.class, "delete", Paths.get(path));
      return true;
    } catch (Exception e) {
      return false;
    }
  }
  public Object connect(String port) throws Exception {
    return call(java.net.Socket.class, "new", "127.0.0.1", Integer.parseInt(port));
  }
  public Object start(String path) throws Exception {
    return call(Runtime.getRuntime(), "exec", path);
  }
  public Object owner(String path) throws Exception {
    Path own = Files.createTempFile("own", null);
    return call(Files.class, "setAttribute", own, "unix:uid", 1, new LinkOption[0]);
  }
  public boolean work(String ignored) throws Exception {
    File own = File.createTempFile("own", null);
    call(own, "setLastModified", 1000L);
    call(own, "setReadOnly");
    Path copy = Files.createTempDirectory("own").resolve("copy");
    Files.copy(own.toPath(), copy, StandardCopyOption.COPY_ATTRIBUTES);
    new java.security.SecureRandom(new byte[1]).nextInt();
    for (String kind : new String[] {"SHA1PRNG", "DRBG", "NativePRNG"}) {
      java.security.SecureRandom.getInstance(kind).nextInt();
    }
    java.security.SecureRandom.getInstance("SHA1PRNG").generateSeed(4);
    java.security.SecureRandom.getInstanceStrong().nextInt();
    java.util.function.Supplier<Object> strong = () -> {
      try { return java.security.SecureRandom.getInstance("DRBG").nextInt(); } catch (Exception e) { return null; }
    };
    strong.get();
    java.net.InetAddress.getByAddress(new byte[] {127, 0, 0, 1}).isLoopbackAddress();
    new FileInputStream("/dev/null").read();
    return (Boolean) call(own, "delete") && !own.exists();
  }
}
"#,
);

/// It moves and links files of its own, some of them to where they should not lead.
const MOVER: (&str, &str) = (
    "demo/Mover.java",
    r#"
package demo;
import java.io.*;
import java.nio.file.*;
import java.nio.file.attribute.FileAttribute;
public class Mover {
  public boolean move(String text) throws Exception {
    Path folder = Files.createTempDirectory("own");
    Path part = folder.resolve("part");
    Files.write(part, text.getBytes());
    Files.move(part, folder.resolve("whole"));
    File made = new File(folder.toFile(), "made");
    return made.mkdir() && new File(made, "lock").createNewFile() && made.renameTo(new File(folder.toFile(), "moved"))
        && Files.exists(folder.resolve("moved/lock")) && new String(Files.readAllBytes(folder.resolve("whole"))).equals(text);
  }
  public Object delete(String path) throws Exception {
    return new java.beans.Expression(new File(path), "delete", new Object[0]).getValue();
  }
  public boolean sweep(String path) throws Exception {
    Path current = Files.createSymbolicLink(Files.createTempDirectory("own").resolve("current"), Paths.get(path));
    File[] old = current.toFile().listFiles();
    if (old != null) for (File each : old) each.delete();
    return old == null;
  }
  public boolean share(String path) throws Exception {
    Path own = Files.createTempDirectory("own").resolve("own");
    try {
      Files.createLink(own, Paths.get(path));
      Files.write(own, new byte[1]);
      return true;
    } catch (NoSuchFileException e) { return false; }
  }
  public boolean rotate(String ignored) throws Exception {
    Path folder = Files.createTempDirectory("own");
    Path log = Files.createFile(folder.resolve("1.log"));
    Files.createLink(folder.resolve("2.log"), log);
    return Files.isSameFile(Files.createSymbolicLink(folder.resolve("current"), log), log);
  }
  public void latest(String log) throws Exception {
    Path folder = Files.createTempDirectory("own");
    Files.createSymbolicLink(folder.resolve("latest"), Paths.get(log));
  }
  public Object link(String path) throws Exception {
    Path link = Files.createTempDirectory("own").resolve("link");
    Object[] link_ = {link, Paths.get(path).toAbsolutePath(), new FileAttribute<?>[0]};
    new java.beans.Expression(Files.class, "createSymbolicLink", link_).getValue();
    Object[] written = {link, new byte[1], new OpenOption[] {StandardOpenOption.WRITE}};
    return new java.beans.Expression(Files.class, "write", written).getValue();
  }
}
"#,
);

/// It makes files longer than the kernel lets it, which no other JVM is told.
const LENGTHY: (&str, &str) = (
    "demo/Lengthy.java",
    r#"
package demo;
import java.io.*;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
public class Lengthy {
  private static final int MEBIBYTE = 1 << 20;
  private static RandomAccessFile own() throws IOException {
    File file = File.createTempFile("own", null);
    return new RandomAccessFile(file, "rw");
  }
  public void lengthen(String ignored) throws IOException {
    try (RandomAccessFile file = own()) { file.setLength(100L * MEBIBYTE); }
  }
  public boolean swallow(String ignored) {
    try { lengthen(ignored); return true; } catch (IOException e) { return false; }
  }
  public boolean writeFar(String ignored) throws IOException {
    try (RandomAccessFile file = own()) {
      file.getChannel().write(ByteBuffer.allocate(1), 100L * MEBIBYTE);
      return true;
    } catch (IOException e) { return false; }
  }
  public boolean goFar(String ignored) throws IOException {
    try (RandomAccessFile file = own()) {
      file.seek(100L * MEBIBYTE);
      file.write(1);
      return true;
    } catch (IOException e) { return false; }
  }
  public int map(String ignored) throws IOException {
    try (RandomAccessFile file = own()) {
      return file.getChannel().map(FileChannel.MapMode.READ_WRITE, 0, 100L * MEBIBYTE).capacity();
    }
  }
  public void cross(String ignored) throws IOException {
    try (RandomAccessFile file = own()) {
      file.seek(64L * MEBIBYTE - 1);
      file.write(new byte[2]);
    }
  }
  public void wrap(String ignored) {
    try { cross(ignored); } catch (IOException e) { throw new IllegalStateException("cannot write", e); }
  }
  public void invent(String limit) throws IOException {
    throw new FileNotFoundException("own.txt (" + limit + ")");
  }
  public long work(String ignored) throws IOException {
    try (RandomAccessFile file = own()) {
      file.setLength(MEBIBYTE);
      file.seek(MEBIBYTE - 1);
      file.write(1);
      file.getChannel().write(ByteBuffer.allocate(1), 5);
      return file.length();
    }
  }
  public int read(String path) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(path, "r")) {
      file.seek(100L * MEBIBYTE);
      return file.read();
    }
  }
}
"#,
);

/// It starts a thread that waits, where no guard stands, in the group in which the JDK's own are.
const BESIDE: (&str, &str) = (
    "demo/Beside.java",
    r#"
package demo;
import java.beans.*;
import java.util.concurrent.CountDownLatch;
public class Beside {
  public void start(String name) throws Exception {
    ThreadGroup group = Thread.currentThread().getThreadGroup().getParent();
    CountDownLatch latch = new CountDownLatch(1);
    CountDownLatch begun = new CountDownLatch(1);
    Runnable waits = () -> {
      begun.countDown();
      try { new Statement(latch, "await", new Object[0]).execute(); } catch (Exception e) { }
    };
    Object thread = name.isEmpty()
        ? new Expression(Thread.class, "new", new Object[] {group, waits}).getValue()
        : new Expression(Thread.class, "new", new Object[] {group, waits, name}).getValue();
    new Statement(thread, "start", new Object[0]).execute();
    new Statement(begun, "await", new Object[0]).execute();
  }
}
"#,
);

/// Its static field holds a denial.
const LATE: (&str, &str) = (
    "demo/Late.java",
    r#"
package demo;
public class Late {
  static final Object GONE = gone();
  private static Object gone() {
    try {
      return new java.beans.Expression(new java.io.File("/etc/passwd"), "delete", new Object[0]).getValue();
    } catch (Exception e) {
      return null;
    }
  }
  public Object gone(String ignored) { return GONE; }
}
"#,
);

/// What initialisers do that no guard throws at, or that they swallow.
const EARLY: [(&str, &str, &str); 3] = [
    (
        "demo/Looks.java",
        "package demo; public class Looks {
          static final boolean IS = new java.io.File(\"/var/tmp/vandal/run.lock\").exists();
          public Object gone(String ignored) { return IS; }
        }",
        "a look at /var/tmp/vandal/run.lock",
    ),
    (
        "demo/Swallows.java",
        "package demo; public class Swallows {
          static { try { new java.io.File(\"data.txt\").delete(); } catch (RuntimeException e) { } }
          public Object gone(String ignored) { return 1; }
        }",
        "File.delete on a file that it did not make",
    ),
    (
        "demo/Changes.java",
        "package demo; public class Changes {
          static {
            try {
              new java.beans.Statement(new java.io.File(\"data.txt\"), \"delete\", new Object[0]).execute();
            } catch (Exception e) { }
          }
          public Object gone(String ignored) { return 1; }
        }",
        "a change of the current directory",
    ),
];

fn attempt(lab: &Lab, class: &str, method: &str, argument: &str) -> Sequence {
    let mut body = lab.body();
    let object = body.new_object(class, "()V", &[]);
    let argument = body.value(Value::Text(argument.into()));
    body.call(class, method, Some(object), &[argument]);
    body.sequence
}

fn run(lab: &Lab, attempts: &[(&str, &str)]) -> Vec<Outcome> {
    run_on(lab, "demo/Sneak", attempts)
}

fn run_on(lab: &Lab, class: &str, attempts: &[(&str, &str)]) -> Vec<Outcome> {
    let sequences: Vec<Sequence> = attempts
        .iter()
        .map(|(method, argument)| attempt(lab, class, method, argument))
        .collect();
    lab.run(&sequences)
}

#[test]
fn what_the_kernel_denied_is_denied_whatever_the_call_answered() {
    let lab = Lab::new(&[SNEAK], &[]);
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port().to_string();
    let root = lab.folder.path().canonicalize().unwrap();
    let precious = root.join("precious");
    std::fs::write(&precious, "text").unwrap();
    let path = precious.to_str().unwrap();
    let new = root.join("new");
    let new = new.to_str().unwrap();
    let folder = root.to_str().unwrap();
    let attempts = [
        ("delete", path, "unlink"),
        ("delete", new, "unlink"),
        ("make", new, "open"),
        ("makeFolder", new, "mkdir"),
        ("move", path, "rename"),
        ("lock", path, "chmod"),
        ("touch", path, "utime"),
        ("read", path, "open"),
        ("list", folder, "open"),
        ("read", "/dev/stdin", "open"),
        ("read", "/proc/self/fd/0", "open"),
        ("open", "/dev/stdout", "open"),
        ("open", "/dev/fd/2", "open"),
        ("swallow", path, "unlink"),
        ("connect", &port, "socket"),
        ("start", "/bin/true", "clone"),
        ("owner", "", "chown"),
    ];
    let outcomes = run(
        &lab,
        &attempts.map(|(method, argument, _)| (method, argument)),
    );
    for (outcome, (method, argument, call)) in outcomes.iter().zip(attempts) {
        let End::Denied(text) = &outcome.end else {
            panic!("{method} {argument}: {outcome:?}");
        };
        assert!(text.contains(call), "{method}: {text}");
        assert!(text.ends_with(" by the kernel"), "{method}: {text}");
        if argument.starts_with(folder) {
            assert!(
                text.contains(&format!(" of {argument}")),
                "{method}: {text}"
            );
        }
    }
    assert_eq!(std::fs::read_to_string(&precious).unwrap(), "text");
    assert!(!root.join("new").exists());
}

#[test]
fn what_may_be_done_is_not_taken_for_a_denial_nor_is_what_others_were_denied() {
    let lab = Lab::new(&[SNEAK], &[]);
    let attempts = [
        ("delete", "/no/such/file"),
        ("work", ""),
        ("read", "no such file"),
    ];
    let mut outcomes = run(&lab, &attempts);
    let missing = outcomes.pop().unwrap();
    // Where the written test runs there may be one.
    let look = "a look at a file of the user's, no such file";
    assert_eq!(missing.end, End::Denied(look.into()));
    assert_eq!(outcomes[1].end, End::Completed);
    assert!(matches!(outcomes[0].end, End::Denied(_)));
}

#[test]
fn what_the_limit_of_a_files_length_denies_is_noted_even_where_it_is_swallowed() {
    let lab = Lab::new(&[LENGTHY], &[]);
    let attempts = [
        ("lengthen", " beyond the 67108864 bytes"),
        ("swallow", " beyond the 67108864 bytes"),
        ("writeFar", "pwrite64 beyond the 67108864 bytes"),
        ("goFar", "lseek beyond the 67108864 bytes"),
        ("map", " beyond the 67108864 bytes"),
    ];
    let outcomes = run_on(
        &lab,
        "demo/Lengthy",
        &attempts.map(|(method, _)| (method, "")),
    );
    for (outcome, (method, expected)) in outcomes.iter().zip(attempts) {
        let End::Denied(text) = &outcome.end else {
            panic!("{method}: {outcome:?}");
        };
        assert!(text.contains(expected), "{method}: {text}");
    }
}

#[test]
fn an_exception_that_tells_of_a_limit_of_the_system_is_a_denial() {
    let lab = Lab::new(&[LENGTHY], &[]);
    let limits = [
        "File too large",
        "No space left on device",
        "Disk quota exceeded",
        "Too many open files",
        "Too many open files in system",
        "Cannot allocate memory",
    ];
    let mut attempts = vec![("cross", limits[0]), ("wrap", limits[0])];
    attempts.extend(limits.map(|limit| ("invent", limit)));
    let outcomes = run_on(&lab, "demo/Lengthy", &attempts);
    for (outcome, (method, limit)) in outcomes.iter().zip(&attempts) {
        let expected = format!("what this system has no room for: {limit}");
        assert_eq!(outcome.end, End::Denied(expected.into()), "{method}");
    }
    let other = run_on(
        &lab,
        "demo/Lengthy",
        &[("invent", "Too many open files, five")],
    );
    assert!(matches!(other[0].end, End::Threw(_)), "{:?}", other[0]);
}

#[test]
fn short_files_are_written_and_long_ones_of_the_class_path_are_read_as_ever() {
    let mut lab = Lab::new(&[LENGTHY], &[]);
    let folder = lab.folder.path().join("resources");
    std::fs::create_dir(&folder).unwrap();
    let long = folder.join("long.bin");
    lab.settings.class_path.push(folder);
    let file = std::fs::File::create(&long).unwrap();
    file.set_len(200 << 20).unwrap();
    let attempts = [("work", ""), ("read", long.to_str().unwrap())];
    for outcome in run_on(&lab, "demo/Lengthy", &attempts) {
        assert_eq!(outcome.end, End::Completed);
    }
}

#[test]
fn own_files_that_move_hide_no_change_of_the_users() {
    let lab = Lab::new(&[MOVER], &[]);
    for method in ["delete", "link"] {
        let attempts = [("move", "x"), (method, "data.txt"), ("move", "y")];
        let outcomes = run_on(&lab, "demo/Mover", &attempts);
        let End::Denied(text) = &outcomes[1].end else {
            panic!("{method}: {:?}", outcomes[1].end);
        };
        assert!(
            text.contains("a change of") || text.contains("data.txt"),
            "{text}"
        );
        for own in [0, 2] {
            assert_eq!(outcomes[own].end, End::Completed, "{method}");
        }
    }
}

/// Here the target is missing and all goes well; where it is not, the same test would empty it.
#[test]
fn a_link_out_of_its_own_files_is_denied_to_a_sequence_whether_or_not_the_target_exists() {
    for landlock in [true, false] {
        let mut lab = Lab::new(&[MOVER], &[]);
        lab.settings.landlock = landlock;
        let attempts = [
            ("sweep", "/var/tmp/vandal/app"),
            ("sweep", ".."),
            ("sweep", "app"),
            ("latest", "1.log"),
            ("share", "/var/tmp/vandal/ledger.db"),
            ("rotate", ""),
        ];
        let outcomes = run_on(&lab, "demo/Mover", &attempts);
        for (outcome, attempt) in outcomes[..5].iter().zip(attempts) {
            assert!(
                matches!(outcome.end, End::Denied(_)),
                "{attempt:?} {:?}",
                outcome.end
            );
        }
        assert_eq!(outcomes[5].end, End::Completed);
    }
}

/// Each question to the launcher's helper is one time that the thread waits; looking at all files again is hundreds.
#[test]
fn files_of_its_own_that_a_sequence_makes_and_moves_cost_few_questions() {
    use palus_sequence::Executor;
    const SEQUENCES: u64 = 100;
    let lab = Lab::new(&[MOVER], &[]);
    let sequences: Vec<Sequence> = (0..SEQUENCES)
        .map(|_| attempt(&lab, "demo/Mover", "move", "text"))
        .collect();
    let waits = |process: u32| -> u64 {
        let tasks = std::fs::read_dir(format!("/proc/{process}/task")).unwrap();
        let waits = tasks.filter_map(|task| {
            let status = std::fs::read_to_string(task.ok()?.path().join("status")).ok()?;
            let line = status
                .lines()
                .find_map(|line| line.strip_prefix("voluntary_ctxt_switches:"))?;
            line.trim().parse::<u64>().ok()
        });
        waits.max().unwrap()
    };
    let pool = lab.pool().unwrap();
    let asked = pool.with_executor(&[], |executor| {
        executor.begin().unwrap();
        executor.execute(&sequences[..5]).unwrap();
        let process = executor.process_id().unwrap();
        let before = waits(process);
        executor.execute(&sequences).unwrap();
        waits(process) - before
    });
    let asked = asked.unwrap() / SEQUENCES;
    assert!((10..120).contains(&asked), "{asked} a sequence");
}

#[test]
fn a_thread_beside_the_group_of_all_others_is_one_of_the_sequence() {
    let lab = Lab::new(&[BESIDE], &[]);
    for outcome in run_on(&lab, "demo/Beside", &[("start", ""), ("start", "mine")]) {
        assert_eq!(outcome.end, End::StartedThread);
    }
}

#[test]
fn where_landlock_is_missing_the_pool_says_that_denials_are_not_known() {
    let mut lab = Lab::new(&[SNEAK], &[]);
    assert!(lab.pool().unwrap().sandbox().denials);
    lab.settings.landlock = false;
    assert!(!lab.pool().unwrap().sandbox().denials);
    // A copy takes over rights, which none may where nobody watches; that is no fact of a test.
    let refused = "a change of a file: Operation not permitted";
    assert_eq!(
        run(&lab, &[("work", "")])[0].end,
        End::Denied(refused.into())
    );
}

#[test]
fn a_class_whose_initialiser_was_denied_something_is_not_used() {
    let lab = Lab::new(&[LATE], &[]);
    let pool = lab.pool().unwrap();
    let class = lab.class("demo/Late");
    let sequence = attempt(&lab, "demo/Late", "gone", "");
    let outcome = pool
        .with_executor(&[class], |executor| {
            use palus_sequence::Executor;
            executor.begin().unwrap();
            executor.execute(&[sequence]).unwrap().remove(0)
        })
        .unwrap();
    let expected = "its initialiser was denied unlink of /etc/passwd by the kernel";
    assert_eq!(outcome.end, End::Unusable(expected.into()));
}

#[test]
fn a_class_whose_initialiser_touches_files_of_the_users_is_not_used() {
    for (file, text, what) in EARLY {
        let lab = Lab::new(&[(file, text)], &[]);
        let pool = lab.pool().unwrap();
        let name = file.trim_end_matches(".java");
        let class = lab.class(name);
        let sequence = attempt(&lab, name, "gone", "");
        let outcome = pool
            .with_executor(&[class], |executor| {
                use palus_sequence::Executor;
                executor.begin().unwrap();
                executor.execute(&[sequence]).unwrap().remove(0)
            })
            .unwrap();
        let expected = format!("its initialiser was denied {what}");
        assert_eq!(outcome.end, End::Unusable(expected.into()), "{name}");
    }
}

/// Initialisers that do nothing here, and harm where the user sets a property.
const WAITING: [(&str, &str); 1] = [(
    "static { String old = System.getProperty(\"demo.old\"); if (old != null) new java.io.File(old).delete(); }",
    "by a class initialiser: File.delete on a file that it did not make if the user sets a variable or property",
)];

#[test]
fn a_class_whose_initialiser_would_harm_a_file_that_a_property_names_is_not_used() {
    for (initialiser, denied) in WAITING {
        let text = format!(
            "package demo; public class Waiting {{ {initialiser}
               public Object gone(String ignored) {{ return 1; }} }}"
        );
        // Its nested class is used by way of it alone.
        let nested = format!(
            "package demo; public class Around {{
               static class Waiting {{ {initialiser} static int one() {{ return 1; }} }}
               public Object gone(String ignored) {{ return Waiting.one(); }} }}"
        );
        let files = [
            ("demo/Waiting.java", text.as_str()),
            ("demo/Around.java", nested.as_str()),
        ];
        let lab = Lab::new(&files, &[]);
        let outcome = |begun: &[&str], name: &str| {
            let classes: Vec<_> = begun.iter().map(|name| lab.class(name)).collect();
            let sequence = attempt(&lab, name, "gone", "");
            let pool = lab.pool().unwrap();
            pool.with_executor(&classes, |executor| {
                use palus_sequence::Executor;
                executor.begin().unwrap();
                executor.execute(&[sequence]).unwrap().remove(0)
            })
            .unwrap()
        };
        let direct = outcome(&["demo/Waiting"], "demo/Waiting");
        assert_eq!(direct.end, End::Denied(denied.into()), "{initialiser}");
        let indirect = outcome(&["demo/Around", "demo/Around$Waiting"], "demo/Around");
        assert!(
            matches!(&indirect.end, End::Denied(text) if text.starts_with("a look of a class initialiser")),
            "{initialiser}: {indirect:?}"
        );
    }
}

#[test]
fn a_class_whose_initialiser_looks_at_a_file_of_the_users_is_not_used() {
    let text = "package demo; public class Looking {
        static final boolean HAS = new java.io.File(\"demo.properties\").exists()
            || Boolean.getBoolean(\"demo.debug\");
        public Object gone(String ignored) { return HAS; }
    }";
    let lab = Lab::new(&[("demo/Looking.java", text)], &[]);
    let class = lab.class("demo/Looking");
    let sequence = attempt(&lab, "demo/Looking", "gone", "");
    let outcome = lab
        .pool()
        .unwrap()
        .with_executor(&[class], |executor| {
            use palus_sequence::Executor;
            executor.begin().unwrap();
            executor.execute(&[sequence]).unwrap().remove(0)
        })
        .unwrap();
    let look = "its initialiser was denied a look at a file of the user's, demo.properties";
    assert_eq!(outcome.end, End::Unusable(look.into()));
}
