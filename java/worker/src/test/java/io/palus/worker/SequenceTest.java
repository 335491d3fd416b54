package io.palus.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What sequences do and how it is told. */
class SequenceTest {
  private static final String DEMO =
      """
      package demo;
      import java.util.*;
      public class Stack {
        enum Colour { GREEN, RED { @Override public String toString() { return "r"; } } }
        interface Shape { int size(); static Shape of(int n) { return () -> n; } }
        static int made;
        private final List<Object> items = new ArrayList<>();
        private Object top;
        private int limit = -1;
        private double ratio = Double.NaN;
        private boolean open = true;
        private int[] none = {};
        private Object[] some = {1, null};
        Colour colour = Colour.RED;
        Stack() { made++; }
        public void push(Object item) { items.add(item); top = item; }
        protected int size() { return items.size(); }
        Integer boxed() { return items.size(); }
        public Stack self() { return this; }
        Colour colour() { return colour; }
        public Object pop() {
          if (items.isEmpty()) { throw new IllegalStateException("empty"); }
          return items.remove(items.size() - 1);
        }
        static String join(String... parts) { return String.join("-", parts); }
        static long sum(byte b, char c, short s, long l, float f, double d, boolean z) {
          return b + c + s + l + (long) f + (long) d + (z ? 1 : 0);
        }
        static int made() { return made; }
        static Object fail() { return new Broken(); }
        static String lone() { return "\\ud800"; }
      }
      class Broken { static { if (true) throw new RuntimeException("no"); } }
      abstract class Base { abstract int f(); }
      """;

  @TempDir static Path folder;
  private static WorkerProcess worker;

  @BeforeAll
  static void startWorker() throws IOException {
    Path classes = Sources.compile(folder, 17, "demo/Stack.java", DEMO);
    worker = WorkerProcess.patient(folder, classes);
  }

  @AfterAll
  static void endWorker() {
    worker.close();
  }

  private static void check(Consumer<SequenceBuilder> sequence, String end, String... observed)
      throws IOException {
    Outcome outcome = worker.run(sequence);
    assertEquals(end, outcome.end());
    // Stubs are numbered by what other tests made before.
    List<String> said =
        outcome.observations().stream()
            .map(one -> one.replaceFirst("Stub\\d+", "Stub"))
            .collect(Collectors.toList());
    assertEquals(List.of(observed), said);
  }

  @Test
  void package_private_and_protected_members_are_called() throws IOException {
    check(
        s -> {
          int stack = s.construct("demo/Stack", "()V");
          int item = s.text("a");
          s.callVirtual("demo/Stack", "push", "(Ljava/lang/Object;)V", stack, item);
          s.callVirtual("demo/Stack", "size", "()I", stack);
          s.callVirtual("demo/Stack", "boxed", "()Ljava/lang/Integer;", stack);
          s.callVirtual("demo/Stack", "self", "()Ldemo/Stack;", stack);
          s.callVirtual("demo/Stack", "pop", "()Ljava/lang/Object;", stack);
          s.callVirtual("demo/Stack", "colour", "()Ldemo/Stack$Colour;", stack);
        },
        "completed",
        "demo/Stack [1, 0, 2, 5, 10, 6, 7, 17]",
        "boxed text a",
        "nothing",
        "int 1",
        "boxed int 1",
        "demo/Stack [1, 1, 2, 5, 10, 6, 7, 17] same as 0",
        "boxed text a",
        "enum demo/Stack$Colour.RED");
  }

  @Test
  void an_exception_is_told_with_its_statement_and_frame() throws IOException {
    check(
        s -> {
          int stack = s.construct("demo/Stack", "()V");
          s.callVirtual("demo/Stack", "pop", "()Ljava/lang/Object;", stack);
          s.constant(1);
        },
        "threw at 1 java/lang/IllegalStateException 'empty' in demo/Stack.pop",
        "demo/Stack [1, 0, 2, 5, 10, 6, 7, 17]");
  }

  @Test
  void primitives_of_all_types_are_passed() throws IOException {
    check(
        s -> {
          int b = s.callStatic("java/lang/Byte", "parseByte", "(Ljava/lang/String;)B", s.text("1"));
          int c = s.callVirtual("java/lang/String", "charAt", "(I)C", 0, s.constant(0));
          String parse = "(Ljava/lang/String;)";
          int h = s.callStatic("java/lang/Short", "parseShort", parse + "S", 0);
          int l = s.callStatic("java/lang/Long", "parseLong", parse + "J", 0);
          int f = s.callStatic("java/lang/Float", "parseFloat", parse + "F", 0);
          int d = s.callStatic("java/lang/Double", "parseDouble", parse + "D", 0);
          int z = s.callStatic("java/lang/Boolean", "parseBoolean", parse + "Z", 0);
          s.callStatic("demo/Stack", "sum", "(BCSJFDZ)J", b, c, h, l, f, d, z);
        },
        "completed",
        "boxed text 1",
        "byte 1",
        "int 0",
        "char 49",
        "short 1",
        "long 1",
        "float 1.0",
        "double 1.0",
        "boolean false",
        "long 54");
  }

  @Test
  void arrays_varargs_and_class_literals_work() throws IOException {
    check(
        s -> {
          int array = s.array("[Ljava/lang/String;", s.text("a"), s.text("b"));
          s.callStatic("demo/Stack", "join", "([Ljava/lang/String;)Ljava/lang/String;", array);
          s.array("[I", s.constant(7));
          s.classLiteral("I");
          s.classLiteral("[Ldemo/Stack;");
        },
        "completed",
        "boxed text a",
        "boxed text b",
        "[Ljava/lang/String; [8] of [boxed text a, boxed text b]",
        "boxed text a-b",
        "int 7",
        "[I [8] of [boxed int 7]",
        "java/lang/Class of 'I'",
        "java/lang/Class of '[Ldemo/Stack;'");
  }

  @Test
  void fields_enums_and_interfaces_work() throws IOException {
    String colour = "Ldemo/Stack$Colour;";
    check(
        s -> {
          int stack = s.construct("demo/Stack", "()V");
          int green = s.enumConstant("demo/Stack$Colour", "GREEN");
          s.set(false, "demo/Stack", "colour", colour, stack, green);
          s.get(false, "demo/Stack", "colour", colour, stack);
          int two = s.constant(2);
          int shape = s.call(4, "demo/Stack$Shape", "of", "(I)Ldemo/Stack$Shape;", -1, two);
          s.call(3, "demo/Stack$Shape", "size", "()I", shape);
          int mine = s.stub("demo/Stack$Shape", "size()I", two);
          s.call(3, "demo/Stack$Shape", "size", "()I", mine);
          int none = s.stub("demo/Stack$Shape", "size()I", -1);
          s.call(3, "demo/Stack$Shape", "size", "()I", none);
        },
        "completed",
        "demo/Stack [1, 0, 2, 5, 10, 6, 7, 17]",
        "enum demo/Stack$Colour.GREEN",
        "nothing",
        "enum demo/Stack$Colour.GREEN",
        "int 2",
        "demo/Stack$Shape$$Lambda",
        "int 2",
        "demo/Palus$Stub",
        "int 2",
        "demo/Palus$Stub",
        "int 0");
  }

  @Test
  void default_methods_of_a_stub_are_the_interfaces_own() throws IOException {
    String comparator = "java/util/Comparator";
    Outcome outcome =
        worker.run(
            s -> {
              String compare = "(Ljava/lang/Object;Ljava/lang/Object;)I";
              int less = s.stub(comparator, "compare" + compare, s.constant(-5));
              s.call(3, comparator, "compare", compare, less, less, less);
              int more = s.call(3, comparator, "reversed", "()Ljava/util/Comparator;", less);
              s.callVirtual("java/lang/Object", "equals", "(Ljava/lang/Object;)Z", less, less);
            });
    assertEquals("completed", outcome.end());
    assertEquals("int -5", outcome.observations().get(2));
    assertEquals("boolean true", outcome.observations().get(4));
  }

  @Test
  void a_stub_throws_what_it_cannot_return() throws IOException {
    Outcome outcome =
        worker.run(
            s -> {
              int broken = s.construct("java/lang/IllegalStateException", "()V");
              int none =
                  s.stub("java/util/concurrent/Callable", "call()Ljava/lang/Object;", broken);
              s.call(3, "java/util/concurrent/Callable", "call", "()Ljava/lang/Object;", none);
              int thrower = s.stub("java/lang/Runnable", "run()V", broken);
              s.call(3, "java/lang/Runnable", "run", "()V", thrower);
            });
    assertTrue(
        outcome.end().startsWith("threw at 4 java/lang/IllegalStateException"), outcome.end());
  }

  @Test
  void a_stub_adds_what_it_is_called_with_to_the_list_that_is_its_answer() throws IOException {
    String consumer = "java/util/function/BiConsumer";
    Outcome outcome =
        worker.run(
            s -> {
              int pairs = s.construct("java/util/ArrayList", "()V");
              String accept = "(Ljava/lang/Object;Ljava/lang/Object;)V";
              int two = s.stub(consumer, "accept" + accept, pairs);
              s.call(3, consumer, "accept", accept, two, s.text("a"), s.constant(1));
              int numbers = s.construct("java/util/ArrayList", "()V");
              int number = s.stub("java/util/function/IntConsumer", "accept(I)V", numbers);
              s.call(3, "java/util/function/IntConsumer", "accept", "(I)V", number, s.constant(7));
              int runs = s.construct("java/util/ArrayList", "()V");
              int none = s.stub("java/lang/Runnable", "run()V", runs);
              s.call(3, "java/lang/Runnable", "run", "()V", none);
              for (int list : new int[] {pairs, numbers, runs}) {
                s.callVirtual("java/util/ArrayList", "toString", "()Ljava/lang/String;", list);
              }
            });
    assertEquals("completed", outcome.end());
    List<String> said = outcome.observations();
    assertEquals(
        List.of("boxed text [[a, 1]]", "boxed text [7]", "boxed text [run]"),
        said.subList(said.size() - 3, said.size()));
  }

  @Test
  void what_cannot_be_called_is_unusable() throws IOException {
    String end = worker.run(s -> s.callStatic("demo/Stack", "none", "()V")).end();
    assertTrue(end.startsWith("unusable java.lang.NoSuchMethodError"), end);
    end = worker.run(s -> s.construct("demo/Base", "()V")).end();
    assertTrue(end.startsWith("unusable java.lang.InstantiationError"), end);
    end = worker.run(s -> s.construct("no/Such", "()V")).end();
    assertTrue(end.startsWith("unusable java.lang.NoClassDefFoundError"), end);
    Consumer<SequenceBuilder> wrongType =
        s -> {
          int a = s.text("a");
          s.callStatic("demo/Stack", "sum", "(BCSJFDZ)J", a, a, a, a, a, a, a);
        };
    end = worker.run(wrongType).end();
    assertTrue(end.startsWith("unusable java.lang.ClassCastException"), end);
    end = worker.run(s -> s.callVirtual("demo/Stack", "size", "()I", s.nothing())).end();
    assertTrue(end.startsWith("unusable java.lang.NullPointerException"), end);
  }

  @Test
  void a_failed_class_initialiser_is_told_the_same_at_every_use() throws IOException {
    Consumer<SequenceBuilder> use = s -> s.callStatic("demo/Stack", "fail", "()Ljava/lang/Object;");
    assertTrue(worker.run(use).end().startsWith("unusable java.lang.RuntimeException: no"));
    assertTrue(worker.run(use).end().startsWith("unusable java.lang.NoClassDefFoundError"));
  }

  @Test
  void text_that_is_no_constant_is_told_apart() throws IOException {
    check(
        s -> s.callStatic("demo/Stack", "lone", "()Ljava/lang/String;"), "completed", "long text");
  }

  @Test
  void statics_start_anew_with_each_sequence() throws IOException {
    Consumer<SequenceBuilder> make =
        s -> {
          s.construct("demo/Stack", "()V");
          s.callStatic("demo/Stack", "made", "()I");
        };
    worker.begin();
    assertEquals("int 1", worker.run(make).observations().get(1));
    assertEquals("int 1", worker.run(make).observations().get(1));
    worker.begin();
    assertEquals("int 1", worker.run(make).observations().get(1));
  }

  @Test
  void probes_are_told_only_when_one_is_new() throws IOException {
    Consumer<SequenceBuilder> make = s -> s.construct("demo/Stack", "()V");
    worker.begin();
    assertTrue(!worker.run(make).probes().isEmpty());
    assertEquals(List.of(), worker.run(make).probes());
    worker.begin();
    assertTrue(!worker.run(make).probes().isEmpty());
  }

  @Test
  void classes_that_cannot_be_initialised_are_listed() throws IOException {
    assertEquals(
        List.of("demo/Broken java.lang.RuntimeException: no"),
        worker.begin("demo.Stack", "demo.Broken"));
  }

  @Test
  void class_files_of_the_platform_are_read() throws IOException {
    List<byte[]> files =
        worker.readClasses("java/lang/Object", "no/Such", "com/sun/source/tree/Tree");
    assertEquals((byte) 0xca, files.get(0)[0]);
    assertEquals(null, files.get(1));
    assertEquals((byte) 0xfe, files.get(2)[1]);
  }
}
