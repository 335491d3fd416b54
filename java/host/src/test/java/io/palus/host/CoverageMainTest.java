package io.palus.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.palus.wire.Mutator;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.zip.ZipFile;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Execution data of a real run under the agent that is shipped, analyzed in a real JVM of its own.
 */
class CoverageMainTest {
  private static final String SOURCE =
      String.join(
          "\n",
          "package p;",
          "public class Sign {",
          "  public static String of(int i) {",
          "    return i > 0 ? \"plus\" : \"minus\";", // two branches, one taken
          "  }",
          "  static void never() {",
          "    of(1);",
          "  }",
          "  public static void main(String[] args) {",
          "    of(1);",
          "  }",
          "}");

  @TempDir private Path work;
  private Path classes;
  private Path exec;

  @BeforeEach
  void compile() throws IOException {
    Path source = work.resolve("Sign.java");
    Files.writeString(source, SOURCE);
    classes = Files.createDirectories(work.resolve("classes"));
    exec = work.resolve("run.exec");
    int code =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, "-g", "-d", classes.toString(), source.toString());
    assertEquals(0, code);
  }

  private String agent() {
    List<String> patterns = CoveredClasses.patterns(List.of(classes.toFile()));
    return CoverageAgent.jvmArgument(CoverageAgent.path(), exec, patterns);
  }

  @Test
  void a_run_under_our_agent_is_read_line_by_line() throws Exception {
    run(agent(), "-cp", classes.toString(), "p.Sign");
    List<String> command =
        new ArrayList<>(List.of("-cp", classPath(), CoverageMain.class.getName()));
    command.addAll(List.of("--exec", exec.toString(), "--classes", classes.toString()));
    assertEquals(
        List.of(
            "C\tp/Sign\t3\t6\t1\t2",
            "L\tp/Sign.java\t2\t1",
            "L\tp/Sign.java\t4\t2",
            "L\tp/Sign.java\t7\t1",
            "L\tp/Sign.java\t8\t1",
            "L\tp/Sign.java\t10\t3",
            "L\tp/Sign.java\t11\t3",
            "T\t3\t6\t1\t2"),
        run(command.toArray(new String[0])));
  }

  @Test
  void without_execution_data_nothing_is_covered() throws IOException {
    assertTrue(
        analyze("--exec", exec.toString(), "--classes", classes.toString())
            .endsWith("T\t0\t6\t0\t2\n"));
    assertTrue(analyze("--classes", classes.toString()).endsWith("T\t0\t6\t0\t2\n"));
  }

  @Test
  void classes_that_ran_otherwise_than_their_files_are_said() throws Exception {
    run(agent(), "-cp", classes.toString(), "p.Sign");
    Path other = work.resolve("Sign.java");
    Files.writeString(other, SOURCE.replace("i > 0", "i > 1"));
    String[] javac = {"-g", "-d", classes.toString(), other.toString()};
    assertEquals(0, ToolProvider.getSystemJavaCompiler().run(null, null, null, javac));
    String text = analyze("--exec", exec.toString(), "--classes", classes.toString());
    assertTrue(text.startsWith("W\tthe tests ran 1 class otherwise than in the class"), text);
    assertTrue(text.endsWith("T\t0\t6\t0\t2\n"), text);
  }

  @Test
  void what_cannot_be_read_is_named_and_left_out() throws IOException {
    Files.write(classes.resolve("Broken.class"), new byte[] {(byte) 0xca, (byte) 0xfe, 1});
    Files.writeString(exec, "no execution data");
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    String[] args = {"--exec", exec.toString(), "--classes", classes.toString()};
    assertEquals(0, CoverageMain.run(args, new PrintStream(out), new PrintStream(err)));
    assertTrue(out.toString(StandardCharsets.UTF_8).endsWith("T\t0\t6\t0\t2\n"));
    assertTrue(
        err.toString(StandardCharsets.UTF_8).contains("Broken.class"),
        err.toString(StandardCharsets.UTF_8));
    assertTrue(out.toString(StandardCharsets.UTF_8).startsWith("W\t" + exec), out.toString());
  }

  @Test
  void what_stands_before_the_damage_is_used_and_no_length_is_believed() throws Exception {
    run(agent(), "-cp", classes.toString(), "p.Sign");
    byte[] whole = Files.readAllBytes(exec);
    for (int length : new int[] {Integer.MAX_VALUE, -1, Integer.MIN_VALUE}) {
      Files.write(exec, whole);
      Files.write(exec, block(length), StandardOpenOption.APPEND);
      String text = analyze("--exec", exec.toString(), "--classes", classes.toString());
      assertTrue(text.startsWith("W\t" + exec + " is no whole execution data: a class of "), text);
      assertTrue(text.endsWith("T\t3\t6\t1\t2\n"), text);
    }
  }

  @Test
  void damaged_execution_data_costs_what_is_damaged_alone() throws Exception {
    run(agent(), "-cp", classes.toString(), "p.Sign");
    List<byte[]> seeds = List.of(Files.readAllBytes(exec));
    PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream());
    String[] args = {"--exec", exec.toString(), "--classes", classes.toString()};
    Mutator.run(
        "execution data",
        100,
        seeds,
        4 << 20,
        1 << 12,
        bytes -> {
          Files.write(exec, bytes);
          assertEquals(0, CoverageMain.run(args, nowhere, nowhere));
        });
  }

  /** A class that says that it has so many probes, as JaCoCo writes it. */
  private static byte[] block(int length) throws IOException {
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    DataOutputStream data = new DataOutputStream(block);
    data.write(0x11);
    data.writeLong(1);
    data.writeUTF("p/Other");
    for (int rest = length; ; rest >>>= 7) {
      if ((rest & ~0x7f) == 0) {
        data.write(rest);
        return block.toByteArray();
      }
      data.write(rest & 0x7f | 0x80);
    }
  }

  @Test
  void names_that_would_be_lines_of_their_own_are_left_out() throws IOException {
    Path named = classes.resolve("p/Sign.class");
    String text = new String(Files.readAllBytes(named), StandardCharsets.ISO_8859_1);
    text = text.replace("p/Sign", "p/S\nT\t").replace("Sign.java", "Si\n.java\n");
    Files.write(classes.resolve("p/Other.class"), text.getBytes(StandardCharsets.ISO_8859_1));
    for (String line : analyze("--classes", classes.toString()).split("\n")) {
      assertTrue(line.startsWith("C\tp/Sign\t") || line.matches("[LT]\t.*\\d"), line);
      assertTrue(!line.startsWith("L") || line.startsWith("L\tp/Sign.java\t"), line);
    }
  }

  @Test
  void it_runs_on_java_8() throws IOException {
    try (ZipFile jar = new ZipFile(CoverageAgent.classPath().get(0).toFile())) {
      String name = CoverageMain.class.getName().replace('.', '/') + ".class";
      byte[] program = jar.getInputStream(jar.getEntry(name)).readAllBytes();
      assertEquals(52, program[7]);
    }
  }

  private static String analyze(String... args) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    assertEquals(0, CoverageMain.run(args, new PrintStream(out), System.err));
    return out.toString(StandardCharsets.UTF_8);
  }

  private static String classPath() {
    return CoverageAgent.classPath().stream()
        .map(Path::toString)
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static List<String> run(String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(Arrays.asList(arguments));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor());
    return out.lines().collect(Collectors.toList());
  }
}
