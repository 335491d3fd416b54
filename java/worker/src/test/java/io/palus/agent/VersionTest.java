package io.palus.agent;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import java.security.cert.Certificate;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Class files of every age. */
class VersionTest {
  private static final String BRANCHES =
      """
      class Main {
        static int count(int[] numbers, String text) {
          int sum = 0;
          for (int n : numbers) {
            long wide = n;
            try {
              sum += n > 2 ? n : Integer.parseInt(text);
            } catch (NumberFormatException e) {
              sum += (int) wide;
            } finally {
              sum++;
            }
          }
          return sum;
        }
        public static void main(String[] a) { System.out.print(count(new int[] {1, 2, 3}, "x")); }
      }
      """;

  @TempDir Path folder;
  private TracedProgram program;

  @BeforeEach
  void makeProgram() throws Exception {
    program = new TracedProgram(folder);
    program.jvmArguments.addAll(List.of("-cp", program.classes.toString()));
  }

  private void check(int version) throws Exception {
    byte[] main = Files.readAllBytes(program.classes.resolve("Main.class"));
    assertEquals(version, main[7]);
    TracedProgram.Run run = program.run("Main");
    assertEquals("9", run.output());
    assertEquals(List.of(), run.log());
    assertTrue(run.lines().contains("-> 9"), "" + run.lines());
  }

  @ParameterizedTest
  @ValueSource(ints = {45, 46, 49, 50})
  void class_files_without_frames_are_traced(int version) throws Exception {
    program.compile(
        8,
        BRANCHES.replace(
            "for (int n : numbers) {", "for (int i = 0; i < 3; i++) { int n = numbers[i];"));
    Path file = program.classes.resolve("Main.class");
    ClassWriter writer = new ClassWriter(0);
    new ClassReader(Files.readAllBytes(file)).accept(writer, ClassReader.SKIP_FRAMES);
    byte[] old = writer.toByteArray();
    old[7] = (byte) version;
    old[5] = (byte) (version == 45 ? 3 : 0); // before 45.3 class files had another layout
    Files.write(file, old);
    check(version);
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 11, 17})
  void class_files_with_frames_are_traced(int release) throws Exception {
    program.compile(release, BRANCHES);
    check(release + 44);
  }

  @Test
  void the_newest_jdk_of_the_machine_is_traced() throws Exception {
    Path newest = Path.of(System.getProperty("java.home"));
    int version = Runtime.version().feature();
    try (Stream<Path> others = Files.list(newest.toAbsolutePath().getParent())) {
      for (Path other : others.toList()) {
        int its = featureOf(other);
        if (its > version && its <= 26) {
          newest = other;
          version = its;
        }
      }
    }
    program.java = newest.resolve("bin/java").toString();
    program.compile(8, BRANCHES);
    Path file = program.classes.resolve("Main.class");
    byte[] main = Files.readAllBytes(file);
    main[7] = (byte) (version + 44);
    Files.write(file, main);
    check(version + 44);
  }

  private static int featureOf(Path home) throws Exception {
    Path release = home.resolve("release");
    if (!Files.isExecutable(home.resolve("bin/java")) || !Files.exists(release)) {
      return 0;
    }
    String text = Files.readString(release).replaceFirst("(?s).*JAVA_VERSION=\"([^\"]*)\".*", "$1");
    return text.matches("[0-9]+(\\..*)?") ? Integer.parseInt(text.replaceFirst("\\..*", "")) : 0;
  }

  @Test
  void subroutines_of_old_compilers_are_inlined() throws Exception {
    ClassWriter writer = new ClassWriter(0);
    writer.visit(Opcodes.V1_4, Opcodes.ACC_SUPER, "Main", null, "java/lang/Object", null);
    int access = Opcodes.ACC_STATIC | Opcodes.ACC_PUBLIC;
    MethodVisitor twice = writer.visitMethod(access, "twice", "(I)I", null, null);
    Label subroutine = new Label();
    twice.visitCode();
    twice.visitJumpInsn(Opcodes.JSR, subroutine);
    twice.visitJumpInsn(Opcodes.JSR, subroutine);
    twice.visitVarInsn(Opcodes.ILOAD, 0);
    twice.visitInsn(Opcodes.IRETURN);
    twice.visitLabel(subroutine);
    twice.visitVarInsn(Opcodes.ASTORE, 1);
    twice.visitIincInsn(0, 3);
    twice.visitVarInsn(Opcodes.RET, 1);
    twice.visitMaxs(1, 2);
    twice.visitEnd();
    MethodVisitor main = writer.visitMethod(access, "main", "([Ljava/lang/String;)V", null, null);
    main.visitCode();
    main.visitFieldInsn(Opcodes.GETSTATIC, "java/lang/System", "out", "Ljava/io/PrintStream;");
    main.visitInsn(Opcodes.ICONST_3);
    main.visitMethodInsn(Opcodes.INVOKESTATIC, "Main", "twice", "(I)I", false);
    main.visitMethodInsn(Opcodes.INVOKEVIRTUAL, "java/io/PrintStream", "print", "(I)V", false);
    main.visitInsn(Opcodes.RETURN);
    main.visitMaxs(2, 1);
    main.visitEnd();
    Files.write(program.classes.resolve("Main.class"), writer.toByteArray());
    check(48);
  }

  @Test
  void a_method_that_would_get_too_large_is_left_as_it_is() throws Exception {
    StringBuilder body = new StringBuilder();
    for (int i = 0; i < 4300; i++) {
      body.append("if (n == ").append(i + 100_000).append(") return ").append(i).append(";\n");
    }
    program.compile(
        8,
        "class Main { static int huge(int n) {"
            + body
            + "return 9; } public static void main(String[] a) { System.out.print(small()); }"
            + " static int small() { return huge(1); } }");
    check(52);
    assertTrue(program.run("Main").lines().stream().noneMatch(each -> each.contains("huge")));
  }

  @Test
  void a_class_file_from_the_future_or_cut_short_is_left_as_it_is() throws Exception {
    program.compile(8, BRANCHES);
    byte[] main = Files.readAllBytes(program.classes.resolve("Main.class"));
    Properties options = new Properties();
    options.setProperty("output", folder.toString());
    options.setProperty("classes.0", program.classes.toString());
    Path file = folder.resolve("options.properties");
    try (java.io.Writer out = Files.newBufferedWriter(file)) {
      options.store(out, null);
    }
    SubjectClasses subjects = new SubjectClasses(AgentSettings.read(file.toFile()));
    TracingTransformer transformer = new TracingTransformer(subjects);
    CodeSource source = new CodeSource(program.classes.toUri().toURL(), (Certificate[]) null);
    ProtectionDomain domain = new ProtectionDomain(source, null);
    ClassLoader loader = VersionTest.class.getClassLoader();
    byte[] before = main.clone();
    main[7] = 99;
    assertEquals(null, transformer.transform(loader, "Main", null, domain, main));
    main[7] = before[7];
    assertArrayEquals(before, main);
    byte[] half = java.util.Arrays.copyOf(main, main.length / 2);
    assertEquals(null, transformer.transform(loader, "Main", null, domain, half));
    assertTrue(transformer.transform(loader, "Main", null, domain, main).length > main.length);
  }
}
