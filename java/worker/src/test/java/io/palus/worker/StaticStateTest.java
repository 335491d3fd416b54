package io.palus.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every sequence starts from the static state that class initialisers leave. */
class StaticStateTest {
  /** Each class has a method that tells its state and changes it: a second call tells another. */
  private static final String CODE =
      """
      package code;
      import java.util.*;
      public class Counter {
        static int count;
        static byte tiny; static short small; static long large = 7; static double half = 0.5;
        static boolean flag; static char letter = 'a'; static float ratio;
        static String next() {
          String text = count + " " + tiny + small + large + half + flag + letter + ratio;
          count++; tiny--; small++; large *= 3; half += 1; flag = !flag; letter++; ratio += 1;
          return text;
        }
        static int sub() { return Heir.inherited++; }
      }
      class Parent { static int inherited; }
      class Heir extends Parent { }
      class Registry {
        static final Map<String, List<Integer>> ALL = new HashMap<>();
        static final StringBuilder TEXT = new StringBuilder();
        static final int[][] TABLE = {{1}, {2, 3}};
        static final Set<Integer> ORDER = new TreeSet<>(), IDENTICAL = Collections.synchronizedSet(new HashSet<>());
        static final java.util.concurrent.ConcurrentHashMap<String, Object> SAFE =
            new java.util.concurrent.ConcurrentHashMap<>();
        static final Random LUCK = new Random(5);
        static { ALL.put("first", new ArrayList<>()); }
        static String next() {
          String text = ALL + "" + TEXT + TABLE[1][0] + TABLE[0][0] + ORDER + SAFE + LUCK.nextInt(100);
          ALL.get("first").add(1);
          for (int i = 0; i < 100; i++) { ALL.put("k" + i, null); }
          TEXT.append("some text that is longer than it was");
          TABLE[1][0]++; TABLE[0] = new int[] {9}; ORDER.add(ORDER.size()); SAFE.put("a", "b");
          return text;
        }
      }
      class Single {
        private static final Single ONLY = new Single();
        private static Single lazy;
        private int calls;
        private Object last = "none";
        static Single get() { return ONLY; }
        static String next() {
          Single made = lazy == null ? lazy = new Single() : lazy;
          Single only = get();
          String text = only.calls++ + " " + made.calls++ + only.last;
          only.last = made;
          return text;
        }
      }
      enum Colour {
        RED, GREEN;
        int uses;
        String next() { return name() + uses++ + (this == Paint.DEFAULT) + (valueOf("RED") == Paint.DEFAULT); }
        static String nextOfAll() { String text = ""; for (Colour c : values()) { text += c.next(); } return text; }
      }
      class Paint { static final Colour DEFAULT = Colour.RED; }
      interface Constants {
        List<String> NAMES = new ArrayList<>(Arrays.asList("a"));
      }
      class Reader implements Constants {
        static String next() { NAMES.add("b"); return "" + NAMES; }
      }
      class Plugins {
        static final List<String> KNOWN = new ArrayList<>();
        static List<String> lazy;
        static void add(String name) {
          KNOWN.add(name);
          if (lazy == null) { lazy = new ArrayList<>(); }
          lazy.add(name);
        }
        static String next() {
          Plugin.use();
          KNOWN.add("more"); lazy.add("more");
          return "" + KNOWN + lazy;
        }
      }
      class Plugin {
        static { Plugins.add("plugin"); }
        static void use() { }
      }
      class Strict {
        static int runs;
        static int state;
        static { if (runs++ > 0) { throw new IllegalStateException(); } state = 3; }
        static String next() { return state++ + " " + runs; }
      }
      class Large {
        static final List<Object> MANY = new ArrayList<>();
        static int count;
        static { for (int i = 0; i < 100000; i++) { MANY.add(new int[1]); } }
        static String next() { MANY.size(); return "" + count++; }
      }
      class Stamp implements java.io.Serializable {
        static final List<String> LIST = new ArrayList<>();
        static long next() { LIST.add("a"); return java.io.ObjectStreamClass.lookup(Stamp.class).getSerialVersionUID(); }
      }
      """;

  private static final List<String> CLASSES =
      List.of("Counter", "Registry", "Single", "Reader", "Plugins", "Strict", "Large");
  private static final String TEXT = "()Ljava/lang/String;";

  @TempDir static Path folder;
  private static Path classes;
  private static WorkerProcess worker;

  @BeforeAll
  static void startWorker() throws IOException {
    classes = Sources.compile(folder, 8, "code/Counter.java", CODE);
    worker = WorkerProcess.patient(folder, classes);
  }

  @AfterAll
  static void endWorker() {
    worker.close();
  }

  private static Consumer<SequenceBuilder> next(String type) {
    return s -> s.callStatic("code/" + type, "next", TEXT);
  }

  private static String run(Consumer<SequenceBuilder> sequence) throws IOException {
    return run(worker, sequence);
  }

  private static String run(WorkerProcess in, Consumer<SequenceBuilder> sequence)
      throws IOException {
    Outcome outcome = in.run(sequence);
    assertEquals("completed", outcome.end());
    return String.join(", ", outcome.observations());
  }

  @Test
  void a_sequence_does_the_same_whatever_ran_before() throws IOException {
    worker.begin();
    for (String type : CLASSES) {
      String first = run(next(type));
      String twice = run(next(type).andThen(next(type)));
      assertTrue(twice.startsWith(first + ", ") && !twice.endsWith(first), type + ": " + twice);
      for (String other : CLASSES) {
        run(next(other));
      }
      assertEquals(first, run(next(type)), type);
      assertEquals(twice, run(next(type).andThen(next(type))), type);
    }
  }

  @Test
  void what_initialisers_left_is_what_sequences_start_from() throws IOException {
    worker.begin("code.Plugins");
    assertEquals("boxed text 0 0070.5falsea0.0", run(next("Counter")));
    assertEquals("boxed text 3 1", run(next("Strict")));
    assertEquals("boxed text [a, b]", run(next("Reader")));
    String plugins = "boxed text [plugin, more][plugin, more]";
    assertEquals(plugins, run(next("Plugins")));
    assertEquals(plugins, run(next("Plugins")));
  }

  @Test
  void enum_constants_stay_the_ones_they_are() throws IOException {
    worker.begin();
    Consumer<SequenceBuilder> red =
        s -> {
          int constant = s.enumConstant("code/Colour", "RED");
          s.callVirtual("code/Colour", "next", TEXT, constant);
        };
    String text = "enum code/Colour.RED, boxed text RED0truetrue";
    assertEquals(text, run(red));
    assertEquals(text, run(red));
    Consumer<SequenceBuilder> all = s -> s.callStatic("code/Colour", "nextOfAll", TEXT);
    assertEquals(run(all), run(all));
  }

  @Test
  void static_fields_that_a_sequence_itself_sets_and_inherited_ones_are_put_back()
      throws IOException {
    worker.begin();
    Consumer<SequenceBuilder> set =
        s -> {
          s.get(true, "code/Counter", "count", "I", -1);
          s.set(true, "code/Counter", "count", "I", -1, s.constant(8));
          s.callStatic("code/Counter", "sub", "()I");
        };
    assertEquals("int 0, int 8, nothing, int 0", run(set));
    assertEquals("int 0, int 8, nothing, int 0", run(set));
  }

  @Test
  void a_class_keeps_its_serial_version() throws IOException {
    worker.begin();
    Consumer<SequenceBuilder> stamp = s -> s.callStatic("code/Stamp", "next", "()J");
    try (java.net.URLClassLoader plain =
        new java.net.URLClassLoader(new java.net.URL[] {classes.toUri().toURL()})) {
      long expected =
          java.io.ObjectStreamClass.lookup(plain.loadClass("code.Stamp")).getSerialVersionUID();
      assertEquals("long " + expected, run(stamp));
    } catch (ClassNotFoundException e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {49, 50, 51, 61})
  void class_files_of_all_versions_tell_of_static_state(int version, @TempDir Path other)
      throws IOException {
    Path old = Sources.compile(other, Math.max(8, version - 44), "code/Counter.java", CODE);
    for (String name : Sources.names(old)) {
      Path file = old.resolve(name + ".class");
      byte[] bytes = Files.readAllBytes(file);
      bytes[7] = (byte) version;
      Files.write(file, bytes);
    }
    try (WorkerProcess each = WorkerProcess.patient(other, old)) {
      for (String type : List.of("Counter", "Single", "Registry")) {
        assertEquals(run(each, next(type)), run(each, next(type)));
      }
    }
  }
}
