package io.palus.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the agent records of small programs, each in its own JVM. */
class AgentTest {
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
  void calls_carry_receivers_arguments_results_and_profiles() throws Exception {
    assertEquals(
        List.of(
            "Main.main(String;@1#0:6{})",
            "City.<init>(\"Rome\")",
            "-> City@2[1 3 0]",
            "City.<init>(\"Oslo\")",
            "-> City@3[1 3 0]",
            "City@2[1 3 0].City.road(City@3[1 3 0], 300)",
            "-> 600L",
            "City@2[1 4 1].City.far()",
            "-> true",
            "-> void"),
        linesOf(
            """
            class Main {
              public static void main(String[] a) {
                City rome = new City("Rome"), oslo = new City("Oslo");
                rome.road(oslo, 300);
                rome.far();
              }
            }
            class City {
              final String name; int length; City to;
              City(String name) { this.name = name; }
              long road(City to, int length) { this.to = to; this.length = length; return 2L * length; }
              boolean far() { return length > 100; }
            }
            """));
  }

  @Test
  void a_profile_has_superclass_fields_first_and_a_code_per_kind() throws Exception {
    List<String> lines =
        linesOf(
            """
            class Main {
              public static void main(String[] a) { new Sub().touch(); }
            }
            class Base { private int below = -1; static int none = 5; }
            class Sub extends Base {
              private double nan = Double.NaN, zero = -0.0;
              char letter = 'a'; boolean on = true; byte b; short s = -3; long l = 1; float f = -1;
              Object[] empty = {}, holes = {1, null}, full = {1}, missing;
              int[] ints = {0}; Object o = ""; String t; Kind kind = Kind.SECOND;
              void touch() {}
            }
            enum Kind { FIRST, SECOND }
            """);
    String expected = "[2 5 3 4 10 3 2 4 2 6 7 8 0 8 1 0 17]";
    assertTrue(
        lines.stream().anyMatch(each -> each.endsWith(expected + ".Sub.touch()")), "" + lines);
  }

  @Test
  void every_kind_of_value_is_recorded_by_value() throws Exception {
    List<String> lines =
        linesOf(
            """
            class Main {
              static void all(Object... values) {}
              static void plain(byte b, char c, short s, float f, double d, boolean z, long l) {}
              public static void main(String[] a) {
                all(1, 2L, 'c', (short) 3, (byte) 4, true, 1.5f, 2.5, "t", null, Kind.BIG, int[].class,
                    Main.class, void.class, new long[] {7}, new Object[][] {{"in"}});
                plain((byte) -1, 'x', (short) -300, 1f, -2d, false, 1L << 40);
                all(new int[20]);
              }
            }
            enum Kind { SMALL, BIG { } }
            """);
    String values =
        "1, 2L, char 99, short 3, byte 4, true, 1.5f, 2.5, \"t\", null, Kind.BIG, class [I, "
            + "class LMain;, class V, [J@";
    assertTrue(lines.stream().anyMatch(each -> each.contains(values)), "" + lines);
    assertTrue(lines.stream().anyMatch(each -> each.contains("#1:8{\"in\"}")), "" + lines);
    String plain = "Main.plain(byte -1, char 120, short -300, 1.0f, -2.0, false, 1099511627776L)";
    assertTrue(lines.contains(plain), "" + lines);
    assertTrue(
        lines.stream().anyMatch(each -> each.contains("#20:8{0, 0, 0, 0, 0, 0, 0, 0, 0, 0")));
  }

  @Test
  void a_call_that_throws_ends_as_thrown_wherever_the_exception_comes_from() throws Exception {
    List<String> lines =
        linesOf(
            """
            class Main {
              static int fail(int n) { return 1 / n; }
              static void caught() { try { fail(0); } catch (ArithmeticException e) { } finally { } }
              public static void main(String[] a) {
                caught();
                for (int i = 0; i < 3; i++) {
                  try { new Sub(i); } catch (RuntimeException e) { }
                }
                try { new Listed(-1); } catch (RuntimeException e) { }
                caught();
              }
            }
            class Base { Base(int n) { if (n == 1) throw new IllegalStateException(); } }
            class Sub extends Base {
              Sub(int n) { super(n == 0 ? Integer.parseInt("x") : n); }
            }
            class Listed extends Deep { Listed(int n) { super(n); } }
            class Deep extends java.util.ArrayList<String> { Deep(int n) { super(n); } }
            """);
    assertEquals(
        List.of(
            "Main.caught()",
            "Main.fail(0)",
            "throws java/lang/ArithmeticException",
            "-> void",
            "Sub.<init>(0)",
            "throws java/lang/NumberFormatException",
            "Sub.<init>(1)",
            "Base.<init>(1)",
            "throws java/lang/IllegalStateException",
            "throws java/lang/IllegalStateException",
            "Sub.<init>(2)",
            "Base.<init>(2)",
            "-> Sub@2[]",
            "-> Sub@2[]",
            "Listed.<init>(-1)",
            "Deep.<init>(-1)",
            "throws java/lang/Throwable",
            "throws java/lang/Throwable",
            "Main.caught()",
            "Main.fail(0)",
            "throws java/lang/ArithmeticException",
            "-> void",
            "-> void"),
        lines.subList(1, lines.size()));
  }

  @Test
  void a_copy_is_another_object() throws Exception {
    List<String> lines =
        linesOf(
            """
            class Main {
              public static void main(String[] a) throws Exception {
                Sheep dolly = new Lamb().copy();
                dolly.bleat();
              }
            }
            class Sheep implements Cloneable {
              public Object clone() throws CloneNotSupportedException { return super.clone(); }
              Sheep copy() throws CloneNotSupportedException { return (Sheep) clone(); }
              void bleat() {}
            }
            class Lamb extends Sheep {
              public Object clone() throws CloneNotSupportedException { return super.clone(); }
            }
            """);
    assertTrue(lines.contains("Lamb@2[].Sheep.copy()"), "" + lines);
    assertTrue(lines.contains("Lamb@3[].Sheep.bleat()"), "" + lines);
    assertEquals(3, lines.stream().filter(each -> each.equals("-> Lamb@3[]")).count());
  }

  @Test
  void lambdas_bridges_accessors_and_class_initialisers_are_left_out() throws Exception {
    List<String> lines =
        linesOf(
            """
            class Main implements java.util.function.Function<String, String> {
              static final int SET = String.valueOf("x").length();
              private int hidden;
              class Inner { int peek() { return hidden; } }
              public String apply(String s) { return s; }
              public static void main(String[] a) {
                Main main = new Main();
                java.util.function.Function<String, String> erased = main;
                erased.apply("q");
                Runnable run = () -> main.new Inner().peek();
                run.run();
              }
            }
            """);
    List<String> calls = lines.stream().filter(each -> each.contains("(")).toList();
    assertEquals(
        List.of(
            "Main.main(String;@1#0:6{})",
            "Main.<init>()",
            "Main@2[3].Main.apply(\"q\")",
            "Main$Inner.<init>(Main@2[3])",
            "Main$Inner@3[].Main$Inner.peek()"),
        calls);
  }

  @Test
  void interfaces_enums_and_records_are_traced_too() throws Exception {
    TracedProgram.Run run =
        program
            .compile(
                17,
                """
                class Main {
                  public static void main(String[] a) {
                    new Point(3, null).twice();
                    Kind.A.other();
                    Shape.none();
                  }
                }
                interface Shape {
                  default int twice() { return 2; }
                  static void none() {}
                }
                record Point(int x, String y) implements Shape {}
                enum Kind { A; Kind other() { return this; } }
                """)
            .run("Main");
    List<String> lines = run.lines();
    assertTrue(lines.contains("Point@2[4 0].Shape.twice()"), "" + lines);
    assertTrue(lines.contains("Kind.A.Kind.other()"), "" + lines);
    assertTrue(lines.contains("Shape.none()"), "" + lines);
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"secret-word here\"", "\"\\ud800\"", "new String(new char[70000])"})
  void a_text_that_is_secret_or_no_constant_is_not_recorded(String text) throws Exception {
    program.options.add("secrets.0=et-word");
    List<String> lines =
        linesOf(
            """
            class Main {
              static void say(String text) {}
              public static void main(String[] a) { say(%s); say("plain"); }
            }
            """
                .formatted(text));
    assertTrue(lines.contains("Main.say(unknown)"), "" + lines);
    assertTrue(lines.contains("Main.say(\"plain\")"), "" + lines);
  }
}
