//! Handlers that `java.util.logging` closes when the JVM ends: what they do then nobody sees, so no test leaves one.

use crate::worker_lab::{Lab, verified};
use palus_engine::verify::{Repeat, TestId, Verdict};
use palus_sequence::End;

/// Each initialiser and method gives a logger a handler; those of `HARMFUL` and `UNSEEN` write, or run code, when it is closed.
const LOGS: (&str, &str) = (
    "demo/Logs.java",
    r#"
package demo;
import java.beans.Statement;
import java.io.*;
import java.util.logging.*;
public class Logs {
  private static final Logger LOG = Logger.getLogger("demo");
  static class Lazy extends OutputStream {
    public void write(int one) throws IOException {
      try (FileWriter out = new FileWriter("report.xml")) { out.write("lost"); }
    }
  }
  static class Own extends Handler {
    public void publish(LogRecord record) { }
    public void flush() { }
    public void close() {
      try (FileWriter out = new FileWriter("report.xml")) { out.write("lost"); } catch (IOException e) { }
    }
  }
  static class Tail extends XMLFormatter {
    public String getTail(Handler handler) { new Own().close(); return ""; }
  }
  static class OwnLogger extends Logger {
    OwnLogger() { super("own", null); }
    public Handler[] getHandlers() { new Own().close(); return super.getHandlers(); }
  }
  static class Streams { static int n = 1; static { LOG.addHandler(new StreamHandler(new Lazy(), new XMLFormatter())); } }
  static class Closes { static int n = 1; static { LOG.addHandler(new Own()); } }
  static class Behind {
    static int n = 1;
    static { LOG.addHandler(new MemoryHandler(new Own(), 9, Level.OFF)); }
  }
  static class Sneaks {
    static int n = 1;
    static {
      try { new Statement(LOG, "addHandler", new Object[] {new Own()}).execute(); } catch (Exception e) { n = 2; }
    }
  }
  static class Console { static int n = 1; static { LOG.addHandler(new ConsoleHandler()); } }
  static class Out { static int n = 1; static { LOG.addHandler(new StreamHandler(System.out, new SimpleFormatter())); } }
  static class Level2 { static int n = 1; static { LOG.setLevel(Level.FINE); } }
  public int streams() { return Streams.n; }
  public int closes() { return Closes.n; }
  public int behind() { return Behind.n; }
  public int sneaks() { return Sneaks.n; }
  public int adds() { LOG.addHandler(new Own()); return 1; }
  public int refers() { java.util.function.Consumer<Handler> add = LOG::addHandler; add.accept(new Own()); return 1; }
  public int tail() { LOG.addHandler(new StreamHandler(System.out, new Tail())); return 1; }
  public int logger() { LogManager.getLogManager().addLogger(new OwnLogger()); return 1; }
  public int console() { return Console.n; }
  public int out() { return Out.n; }
  public int level() { return Level2.n; }
}
"#,
);

const HARMFUL: [&str; 7] = [
    "streams", "closes", "behind", "adds", "refers", "tail", "logger",
];

/// No guard stands before it, and an initialiser does it but once, so only a fresh JVM tells: where tests are verified.
const UNSEEN: &str = "sneaks";

const HARMLESS: [&str; 3] = ["console", "out", "level"];

#[test]
fn what_logging_would_close_when_the_jvm_ends_is_denied() {
    let lab = Lab::new(&[LOGS], &[]);
    for (names, is_denied) in [(&HARMFUL[..], true), (&HARMLESS[..], false)] {
        for name in names {
            // Anew, since a class is begun but once.
            let outcomes = lab.run(&[lab.simple("demo/Logs", name)]);
            let end = &outcomes[0].end;
            assert_eq!(matches!(end, End::Denied(_)), is_denied, "{name}: {end:?}");
        }
    }
}

#[test]
fn a_written_test_that_leaves_logging_what_it_closes_is_dropped() {
    let test = (
        "demo/LogsTest.java",
        "package demo; public class LogsTest {
          public void streams() { new Logs().streams(); }
          public void closes() { new Logs().closes(); }
          public void behind() { new Logs().behind(); }
          public void sneaks() { new Logs().sneaks(); }
          public void adds() { new Logs().adds(); }
          public void refers() { new Logs().refers(); }
          public void tail() { new Logs().tail(); }
          public void logger() { new Logs().logger(); }
          public void console() { new Logs().console(); }
          public void out() { new Logs().out(); }
          public void level() { new Logs().level(); }
        }",
    );
    let compiled = palus_fixture::compile(&[LOGS, test]);
    let id = |name: &&str| TestId {
        class: "demo.LogsTest".into(),
        method: (*name).to_owned(),
        repeat: Repeat::Never,
        is_kept: false,
    };
    let names: Vec<&str> = HARMFUL
        .into_iter()
        .chain([UNSEEN])
        .chain(HARMLESS)
        .collect();
    let tests: Vec<TestId> = names.iter().map(id).collect();
    let verdicts = verified(&compiled.dir, &tests, 0);
    for (name, verdict) in names.iter().zip(&verdicts) {
        let is_kept = *verdict == Verdict::Stable;
        assert_eq!(is_kept, HARMLESS.contains(name), "{name}: {verdict:?}");
    }
}
