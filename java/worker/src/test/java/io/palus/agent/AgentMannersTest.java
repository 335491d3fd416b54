package io.palus.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the agent keeps to itself, leaves alone and marks, each in its own JVM. */
class AgentMannersTest {
  @TempDir Path folder;
  private TracedProgram program;

  @BeforeEach
  void makeProgram() throws Exception {
    program = new TracedProgram(folder);
    program.jvmArguments.addAll(List.of("-cp", program.classes.toString()));
  }

  private List<String> linesOf(String source) throws Exception {
    TracedProgram.Run run = program.compile(8, source).run("Main");
    assertEquals("", run.output());
    assertEquals(List.of(), run.log());
    assertTrue(run.trace().isClosed());
    return run.lines();
  }

  @Test
  void the_machine_itself_is_secret() throws Exception {
    List<String> lines =
        linesOf(
            """
            class Main {
              static void say(String text) {}
              public static void main(String[] a) {
                say(System.getProperty("user.dir") + "/x");
                say("in " + System.getProperty("user.home"));
                say(System.getProperty("java.io.tmpdir"));
              }
            }
            """);
    assertEquals(3, lines.stream().filter(each -> each.equals("Main.say(unknown)")).count());
  }

  @Test
  void no_code_of_the_program_runs_while_recording() throws Exception {
    linesOf(
        """
        class Main {
          int n;
          static void take(Object o) {}
          public static void main(String[] a) { take(new Trap()); new Trap().go(new Trap[] {new Trap()}); }
        }
        class Trap {
          public int hashCode() { throw new Error(); }
          public boolean equals(Object o) { throw new Error(); }
          public String toString() { throw new Error(); }
          Object go(Trap[] traps) { return traps; }
        }
        """);
  }

  @Test
  void without_a_readable_options_file_the_program_runs_as_ever() throws Exception {
    program.compile(
        8, "class Main { public static void main(String[] a) { System.out.print(7); } }");
    program.jvmArguments.add(0, "-javaagent:" + TracedProgram.agentJar() + "=/no/such/file");
    TracedProgram.Run run = program.runBare("Main");
    assertEquals("7", run.output());
    program.jvmArguments.remove(0);
    program.options.add("cap=many");
    run = program.run("Main");
    assertEquals("7", run.output());
    assertEquals(List.of(), run.traces());
    String told = Files.readString(folder.resolve("agent.log"));
    assertTrue(told.contains("`cap` is `many`"), told);
  }

  @Test
  void test_methods_are_marked_and_failures_told() throws Exception {
    Path tests = Files.createDirectories(folder.resolve("tests"));
    program.compile(8, "class Subject { static int half(int n) { return n / 2; } }");
    program.compileInto(
        tests,
        8,
        """
        package org.junit;
        import java.lang.annotation.*;
        @Retention(RetentionPolicy.RUNTIME)
        public @interface Test { Class<? extends Throwable> expected() default Error.class; }
        """);
    program.compileInto(
        tests,
        8,
        """
        import org.junit.Test;
        public class Cases {
          @Test public void halves() { Subject.half(4); }
          @Test(expected = RuntimeException.class) public void expects() { throw new IllegalStateException(); }
          @Test public void fails() { throw new IllegalStateException(); }
          public void testNothing() {}
        }
        """);
    program.compileInto(
        tests, 8, "public class OldCases { public void testOld() { } public void helper() { } }");
    program.compileInto(
        tests,
        8,
        """
        public class Main {
          public static void main(String[] a) {
            Cases cases = new Cases();
            cases.halves();
            try { cases.expects(); } catch (IllegalStateException e) { }
            try { cases.fails(); } catch (IllegalStateException e) { }
            cases.testNothing();
            new OldCases().testOld();
            new OldCases().helper();
          }
        }
        """);
    program.options.add("testClasses.0=" + tests);
    program.jvmArguments.set(1, program.classes + System.getProperty("path.separator") + tests);
    assertEquals(
        List.of(
            "test Cases.halves",
            "Subject.half(4)",
            "-> 2",
            "passed",
            "test Cases.expects",
            "passed",
            "test Cases.fails",
            "failed",
            "test OldCases.testOld",
            "passed"),
        program.run("Main").lines());
  }
}
