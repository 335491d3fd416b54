package io.palus.agent;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import org.jacoco.core.data.ExecutionData;
import org.jacoco.core.tools.ExecFileLoader;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;

/** The agent beside other agents, and what the program can see of it. */
class CoexistenceTest {
  private static final String SUBJECT =
      """
      class Subject implements Comparable<Subject> {
        private int n;
        Subject(int n) { this.n = n > 2 ? n : -n; }
        int half() { return n / 2; }
        void fail() { throw new IllegalStateException(); }
        public int compareTo(Subject other) { return n < other.n ? -1 : 1; }
      }
      """;

  @TempDir Path folder;
  private TracedProgram program;

  @BeforeEach
  void makeProgram() throws Exception {
    program = new TracedProgram(folder);
    program.jvmArguments.addAll(List.of("-cp", program.classes.toString()));
    program.compile(8, SUBJECT);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void jacoco_beside_us_covers_the_same_in_either_order(boolean agentFirst) throws Exception {
    program.compile(
        8,
        """
        class Main {
          public static void main(String[] a) {
            Subject s = new Subject(3);
            s.half();
            try { s.fail(); } catch (IllegalStateException e) { }
            s.compareTo(new Subject(1));
          }
        }
        """);
    Path exec = folder.resolve("jacoco.exec");
    String jacoco = "-javaagent:" + jacocoAgent() + "=destfile=" + exec;
    program.jvmArguments.add(0, jacoco);
    program.runBare("Main");
    ExecutionData alone = subject(exec);
    Files.delete(exec);
    program.agentFirst = agentFirst;
    TracedProgram.Run run = program.run("Main");
    assertEquals("", run.output());
    ExecutionData beside = subject(exec);
    assertEquals(alone.getId(), beside.getId());
    assertArrayEquals(alone.getProbes(), beside.getProbes());
    List<String> lines = run.lines();
    assertTrue(lines.contains("Subject@2[4].Subject.half()"), "" + lines);
    assertTrue(lines.stream().noneMatch(each -> each.contains("jacoco")), "" + lines);
  }

  private static ExecutionData subject(Path exec) throws Exception {
    ExecFileLoader loader = new ExecFileLoader();
    loader.load(exec.toFile());
    return loader.getExecutionDataStore().getContents().stream()
        .filter(each -> each.getName().equals("Subject"))
        .findFirst()
        .orElseThrow();
  }

  private static String jacocoAgent() {
    String[] path = System.getProperty("java.class.path").split(File.pathSeparator);
    String pattern = ".*org\\.jacoco\\.agent-[^/\\\\]*-runtime\\.jar";
    return Arrays.stream(path).filter(each -> each.matches(pattern)).findFirst().orElseThrow();
  }

  @Test
  void what_is_instrumented_is_not_instrumented_again() {
    ClassReader before = new ClassReader(named("demo/Fees"));
    assertFalse(TracingTransformer.isInstrumented(before));
    ClassReader after = new ClassReader(named("io/palus/agent/CallRecorder"));
    assertTrue(TracingTransformer.isInstrumented(after));
  }

  @Test
  void members_that_another_agent_gives_back_without_their_code_are_there_once() {
    ClassNode given = new ClassNode();
    new ClassReader(named("demo/Fees")).accept(given, 0);
    given.visitField(Opcodes.ACC_PRIVATE, MemberWriter.STATE, "J", null, null).visitEnd();
    ClassWriter writer = new ClassWriter(0);
    given.accept(writer);
    ClassReader reader = new ClassReader(writer.toByteArray());
    assertFalse(TracingTransformer.isInstrumented(reader));
    ClassLoader loader = getClass().getClassLoader();
    ClassNode traced = new ClassNode();
    new ClassReader(new ClassRewriter(loader, reader, Set.of()).subjectClass()).accept(traced, 0);
    assertEquals(
        List.of(MemberWriter.STATE),
        traced.fields.stream().map(field -> field.name).collect(Collectors.toList()));
  }

  /** A class that calls a method of another. */
  private static byte[] named(String other) {
    ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    writer.visit(Opcodes.V1_8, 0, "demo/Rates", null, "java/lang/Object", null);
    MethodVisitor method = writer.visitMethod(Opcodes.ACC_STATIC, "a", "()V", null, null);
    method.visitCode();
    method.visitMethodInsn(Opcodes.INVOKESTATIC, other, "b", "()V", false);
    method.visitInsn(Opcodes.RETURN);
    method.visitMaxs(0, 0);
    method.visitEnd();
    return writer.toByteArray();
  }

  @Test
  void a_class_transformed_again_keeps_its_members_and_numbers() throws Exception {
    // Another agent asks for retransformation, as mocking libraries do.
    program.compile(
        8,
        """
        public class Again {
          static java.lang.instrument.Instrumentation instrumentation;
          public static void premain(String a, java.lang.instrument.Instrumentation i) { instrumentation = i; }
        }
        """);
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().putValue("Premain-Class", "Again");
    manifest.getMainAttributes().putValue("Can-Retransform-Classes", "true");
    Path jar = folder.resolve("again.jar");
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest)) {
      out.putNextEntry(new JarEntry("Again.class"));
      Files.copy(program.classes.resolve("Again.class"), out);
    }
    Files.delete(program.classes.resolve("Again.class"));
    program.jvmArguments.add(0, "-javaagent:" + jar);
    program.jvmArguments.set(2, program.classes + File.pathSeparator + jar);
    program.compileInto(
        program.classes,
        8,
        """
        class Main {
          public static void main(String[] a) throws Exception {
            Subject s = new Subject(3);
            Class<?> again = Class.forName("Again");
            java.lang.reflect.Field f = again.getDeclaredField("instrumentation");
            f.setAccessible(true);
            ((java.lang.instrument.Instrumentation) f.get(null)).retransformClasses(Subject.class);
            s.half();
          }
        }
        """);
    TracedProgram.Run run = program.run("Main");
    assertEquals("", run.output());
    List<String> lines = run.lines();
    assertTrue(lines.contains("Subject@2[4].Subject.half()"), "" + lines);
  }

  private static final String MEMBERS =
      """
      class Main {
        public static void main(String[] a) {
          Class<?> c = Subject.class;
          java.util.function.Function<Class<?>, java.lang.reflect.Field[]> fields =
              Class::getDeclaredFields;
          java.util.function.Supplier<java.lang.reflect.Method[]> methods = c::getDeclaredMethods;
          System.out.print(names(fields.apply(c)) + names(methods.get()));
          System.out.print(names(c.getDeclaredFields()) + names(c.getDeclaredMethods())
              + names(c.getMethods()) + java.util.Arrays.toString(c.getInterfaces())
              + java.util.Arrays.toString(c.getGenericInterfaces())
              + java.lang.reflect.Modifier.toString(c.getModifiers()));
        }
        static String names(java.lang.reflect.Member[] members) {
          java.util.TreeSet<String> names = new java.util.TreeSet<>();
          for (java.lang.reflect.Member member : members) names.add(member.getName());
          return names.toString();
        }
      }
      """;

  @Test
  void reflection_sees_no_added_members() throws Exception {
    program.compile(8, MEMBERS);
    String bare = program.runBare("Main").output();
    assertTrue(bare.contains("half"), bare);
    assertEquals(bare, program.run("Main").output());
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 17})
  void nor_does_it_see_those_of_a_jacoco_that_we_brought(int release) throws Exception {
    program.compile(release, SUBJECT);
    program.compile(release, MEMBERS);
    String bare = program.runBare("Main").output();
    program.jvmArguments.add(0, "-javaagent:" + jacocoAgent() + "=destfile=" + folder + "/j.exec");
    String measured = program.runBare("Main").output();
    assertTrue(measured.contains("$jacoco"), measured);
    // The project's own is there without us, too.
    assertEquals(measured, program.run("Main").output());
    program.options.add("measuresCoverage=true");
    assertEquals(bare, program.run("Main").output());
  }

  @Test
  void a_serial_version_is_not_changed_and_the_object_is_still_followed() throws Exception {
    program.compile(
        8,
        """
        class Main {
          public static void main(String[] a) {
            for (Class<?> c : new Class<?>[] {Computed.class, Stated.class, Heir.class, Late.class})
              System.out.print(java.io.ObjectStreamClass.lookup(c).getSerialVersionUID() + " ");
            new Computed().get();
            new Stated().get();
            new Heir().get();
            new Late().get();
            new Computed().copy().get();
          }
        }
        class Computed implements java.io.Serializable, Cloneable {
          int v = 1;
          int get() { return v; }
          Computed copy() {
            try { return (Computed) clone(); } catch (CloneNotSupportedException e) { throw new Error(e); }
          }
          protected Object clone() throws CloneNotSupportedException { return super.clone(); }
        }
        class Late extends Computed { static final long serialVersionUID = 8; int w = -1; }
        class Stated implements java.io.Serializable {
          static final long serialVersionUID = 7;
          int get() { return 1; }
        }
        class Heir extends Stated { int own = 1; }
        """);
    String bare = program.runBare("Main").output();
    TracedProgram.Run run = program.run("Main");
    assertEquals(bare, run.output());
    List<String> lines = run.lines();
    assertTrue(lines.contains("Computed@2[4].Computed.get()"), "" + lines);
    assertTrue(lines.contains("Stated@3[].Stated.get()"), "" + lines);
    assertTrue(lines.contains("Heir@4[4].Stated.get()"), "" + lines);
    assertTrue(lines.contains("Late@5[4 2].Computed.get()"), "" + lines);
    assertTrue(lines.contains("Computed@7[4].Computed.get()"), "" + lines);
  }

  @Test
  void a_named_module_is_traced() throws Exception {
    program.compile(9, "module road { }");
    Path moved = Files.createDirectories(program.classes.resolve("road"));
    program.compile(
        9, "package road; class Main { public static void main(String[] a) { new Main(); } }");
    assertTrue(Files.exists(moved.resolve("Main.class")));
    Files.delete(program.classes.resolve("Subject.class"));
    program.jvmArguments.clear();
    String path = program.classes.toString();
    program.jvmArguments.addAll(List.of("--module-path", path, "-m", "road/road.Main"));
    TracedProgram.Run run = program.run();
    assertEquals("", run.output());
    assertTrue(run.lines().contains("Main.<init>()"), "" + run.lines());
  }

  @Test
  void classes_that_only_claim_to_come_from_the_subject_are_left_alone() throws Exception {
    program.compile(
        8,
        """
        class Main extends ClassLoader {
          public static void main(String[] a) throws Exception {
            java.io.InputStream in = Main.class.getResourceAsStream("Subject.class");
            byte[] bytes = new byte[9999];
            int n = in.read(bytes);
            // As a mocking library does: another name, the same origin.
            String text = new String(bytes, 0, n, "ISO-8859-1").replace("Subject", "Mockery");
            byte[] renamed = text.getBytes("ISO-8859-1");
            Class<?> c = new Main().defineClass(
                null, renamed, 0, n, Main.class.getProtectionDomain());
            java.lang.reflect.Constructor<?> made = c.getDeclaredConstructor(int.class);
            made.setAccessible(true);
            System.out.print(made.newInstance(3).getClass().getName());
          }
        }
        """);
    TracedProgram.Run run = program.run("Main");
    assertEquals("Mockery", run.output());
    assertTrue(run.lines().stream().noneMatch(each -> each.contains("Mockery.")), "" + run.lines());
  }
}
