package io.palus.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs that install a security manager, as all JDKs before 24 let them. */
class SecurityManagerTest {
  private static final String SUBJECT =
      """
      class Box implements Comparable<Box> {
        private int n;
        private Object content;
        Box(int n, Object content) { this.n = n; this.content = content; }
        Box next() { return new Box(n + 1, this); }
        String say(String text) { return text + n; }
        void put(java.sql.Timestamp time) { content = time; }
        public int compareTo(Box other) { return n - other.n; }
        static String work(String name) {
          Box box = new Box(1, null);
          StringBuilder said = new StringBuilder();
          for (int i = 0; i < 200; i++) {
            box = box.next();
            said.append(box.say(name + i));
          }
          box.put(new java.sql.Timestamp(5));
          box.compareTo(new Box(3, "x"));
          try {
            said.append(System.getProperty("user.home"));
          } catch (SecurityException e) {
            said.append(e.getMessage());
          }
          try {
            said.append(new java.io.File("/etc/hosts").exists());
          } catch (SecurityException e) {
            said.append(e.getMessage());
          }
          return said.toString();
        }
      }
      """;

  private static final String THREADS =
      """
      class Workers {
        static void work() throws Exception {
          String[] said = new String[4];
          Thread[] threads = new Thread[said.length];
          for (int i = 0; i < said.length; i++) {
            int n = i;
            // Not a subclass: these the JDK looks at, and asks whether it may.
            threads[i] = new Thread(new Runnable() {
              public void run() { said[n] = Box.work("thread"); }
            });
          }
          for (Thread each : threads) each.start();
          for (Thread each : threads) each.join();
          System.out.println(Box.work("main"));
          for (String each : said) System.out.println(each);
        }
      }
      """;

  @TempDir Path folder;
  private TracedProgram program;

  @BeforeEach
  void makeProgram() throws Exception {
    assumeTrue(TracedProgram.FEATURE < 24, "this JDK has no security managers");
    program = new TracedProgram(folder);
    program.jvmArguments.addAll(List.of("-cp", program.classes.toString()));
    if (TracedProgram.FEATURE >= 12) {
      program.jvmArguments.add(0, "-Djava.security.manager=allow");
    }
    program.compile(8, SUBJECT);
    program.compile(8, THREADS);
  }

  /** Runs with and without the agent: the same is printed, but for what a manager was asked. */
  private List<String> sameResults() throws Exception {
    TracedProgram.Run bare = program.runBare("Main");
    assertEquals(0, bare.exit(), bare.output());
    TracedProgram.Run traced = program.run("Main");
    assertEquals(rest(bare), rest(traced));
    // Nobody is asked because of the agent. What the JDK asks once, it may have asked before.
    Set<String> added = asked(traced);
    added.removeAll(asked(bare));
    assertEquals(Set.of(), added);
    return traced.lines();
  }

  private static Set<String> asked(TracedProgram.Run run) {
    return run.output()
        .lines()
        .filter(each -> each.startsWith("asked: "))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String rest(TracedProgram.Run run) {
    return run.output()
        .lines()
        .filter(each -> !each.startsWith("asked: "))
        .collect(Collectors.joining("\n"));
  }

  private void compileManager(String main) throws Exception {
    program.compile(
        8,
        """
        class Strict extends SecurityManager {
          private static final String[] LET = {
            "exitVM", "setIO", "setSecurityManager", "modifyThread", "loadLibrary", "accessSystem",
            "lib/", ".class"
          };
          final java.util.Set<String> asked = new java.util.TreeSet<>();
          public void checkPermission(java.security.Permission p) {
            String name = p.getClass().getName() + " " + p.getName();
            synchronized (this) { asked.add(name); }
            // Loops and nothing else: what needs more of the JDK would ask again.
            for (String each : LET) if (name.contains(each)) return;
            throw new SecurityException(name);
          }
        }
        """);
    program.compile(
        8,
        "class Main { public static void main(String[] a) throws Exception {"
            // The first class of a module of its own makes the JDK ask for much.
            + " new java.sql.Timestamp(1);"
            + main
            + " Strict strict = new Strict(); System.setSecurityManager(strict);"
            + " Workers.work(); System.setSecurityManager(null); Box.work(\"after\");"
            + " for (String each : strict.asked) System.out.println(\"asked: \" + each); } }");
  }

  @Test
  void a_strict_manager_is_asked_nothing_by_the_agent() throws Exception {
    compileManager("Box.work(\"before\");");
    List<String> lines = sameResults();
    assertTrue(lines.contains("Box.work(\"thread\")"), "" + lines.subList(0, 10));
  }

  @Test
  void a_strict_manager_that_comes_first_is_asked_nothing_by_the_agent() throws Exception {
    compileManager("");
    sameResults();
  }

  @Test
  void the_default_manager_changes_nothing() throws Exception {
    program.compile(
        8,
        """
        class Main {
          public static void main(String[] a) throws Exception {
            System.setSecurityManager(new SecurityManager());
            Workers.work();
          }
        }
        """);
    sameResults();
  }

  @Test
  void a_manager_that_calls_traced_code_is_not_asked_without_end() throws Exception {
    program.compile(
        8,
        """
        class Journal {
          static int deepest;
          private int depth;
          private int length;
          void note(String text) {
            depth++;
            deepest = Math.max(deepest, depth);
            try { add(text); } finally { add(""); depth--; }
          }
          private void add(String text) { length += text.length(); }
        }
        """);
    program.compile(
        8,
        """
        class Noting extends SecurityManager {
          private final Journal journal = new Journal();
          @Override public synchronized void checkPermission(java.security.Permission p) {
            journal.note(p.getName());
          }
          @Override public synchronized void checkPackageAccess(String name) {
            journal.note(name);
            super.checkPackageAccess(name);
          }
        }
        """);
    program.compile(
        8,
        """
        class Main {
          public static void main(String[] a) throws Exception {
            System.setSecurityManager(new Noting());
            Workers.work();
            System.setSecurityManager(null);
            System.out.println(Journal.deepest < 20 ? "flat" : "deep");
          }
        }
        """);
    List<String> lines = sameResults();
    assertTrue(lines.stream().anyMatch(each -> each.contains("Journal.note(")), "" + lines);
  }

  @Test
  void a_class_may_look_at_itself_as_before() throws Exception {
    program.compile(
        8,
        """
        public class Own {
          int one;
          public static int fields() { return Own.class.getDeclaredFields().length; }
        }
        """);
    program.compile(
        8,
        """
        class Main extends ClassLoader {
          protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.equals("Own")) return super.loadClass(name, resolve);
            try (java.io.InputStream in = getResourceAsStream("Own.class")) {
              byte[] bytes = new byte[9999];
              int n = in.read(bytes);
              return defineClass(name, bytes, 0, n, Main.class.getProtectionDomain());
            } catch (java.io.IOException e) {
              throw new ClassNotFoundException(name, e);
            }
          }
          public static void main(String[] a) throws Exception {
            java.lang.reflect.Method fields = new Main().loadClass("Own").getMethod("fields");
            System.setSecurityManager(new SecurityManager() {
              public void checkPermission(java.security.Permission p) {
                if (p.getName().equals("accessDeclaredMembers")) throw new SecurityException();
              }
            });
            System.out.print(fields.invoke(null));
          }
        }
        """);
    sameResults();
    assertTrue(program.run("Main").output().endsWith("1"));
  }

  @Test
  void a_jvm_that_starts_with_a_manager_is_not_traced_and_runs_as_ever() throws Exception {
    program.compile(
        8, "class Main { public static void main(String[] a) { System.out.print(7); } }");
    program.jvmArguments.add(0, "-Djava.security.manager");
    program.jvmArguments.remove("-Djava.security.manager=allow");
    TracedProgram.Run bare = program.runBare("Main");
    TracedProgram.Run traced = program.run("Main");
    assertEquals(bare.output(), traced.output());
    assertEquals(List.of(), traced.traces());
  }
}
