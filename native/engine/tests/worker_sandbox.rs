//! What subject code can do to the machine: with landlock, without it as on an old kernel, and without a launcher.

mod worker_lab;

use palus_sequence::{End, Outcome, Sequence, Value};
use std::net::TcpListener;
use std::path::Path;
use worker_lab::{Lab, ends};

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
    return own.delete() && new File("relative").createNewFile() && new File("relative").delete();
  }
  public void reflect(String path) throws Exception {
    Files.class.getMethod("delete", Path.class).invoke(null, Paths.get(path));
  }
  public void print(String text) {
    System.out.println(text);
    System.err.println(text);
  }
  public int read(String ignored) throws IOException {
    return System.in.read();
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

#[test]
fn files_outside_the_work_folder_are_not_harmed() {
    for walls in EACH {
        let lab = lab(walls);
        let precious = lab.folder.path().join("precious");
        std::fs::write(&precious, "text").unwrap();
        let path = precious.to_str().unwrap();
        let batch = [
            "delete",
            "deletePath",
            "write",
            "truncate",
            "rename",
            "exec",
        ]
        .map(|method| attempt(&lab, method, path));
        let outcomes = lab.run(&batch);
        for outcome in &outcomes {
            assert_ne!(outcome.end, End::Completed, "{walls:?} {outcomes:?}");
        }
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
        let batch =
            ["connect", "listen", "killParent", "halt"].map(|method| attempt(&lab, method, &port));
        let outcomes = lab.run(&batch);
        for outcome in &outcomes {
            assert_ne!(outcome.end, End::Completed, "{walls:?} {outcomes:?}");
        }
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
    assert_eq!(outcome.end, End::Completed);
}

#[test]
fn the_pool_tells_which_guards_hold() {
    for (walls, landlock, seccomp) in [
        (Walls::All, true, true),
        (Walls::NoLandlock, false, true),
        (Walls::GuardsOnly, false, false),
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
