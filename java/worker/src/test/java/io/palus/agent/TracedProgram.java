package io.palus.agent;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/**
 * A small program, compiled and run in its own JVM with the agent that is shipped. That JVM is the
 * one of {@code palus.otherJdk}, which needs no compiler, else our own.
 */
final class TracedProgram {
  private static final Path JAVA =
      Path.of(System.getProperty("palus.otherJdk", System.getProperty("java.home")), "bin", "java");

  /** The release of Java that programs run on. */
  static final int FEATURE = featureOf(JAVA);

  /** What a run left behind. */
  record Run(int exit, String output, List<TraceText> traces, List<String> log) {
    TraceText trace() {
      if (traces.size() != 1) {
        throw new AssertionError(traces.size() + " traces; " + output + log);
      }
      return traces.get(0);
    }

    List<String> lines() {
      return trace().lines();
    }
  }

  final Path folder;
  final Path classes;
  final List<String> jvmArguments = new ArrayList<>();
  final List<String> options = new ArrayList<>();
  final List<Path> libraries = new ArrayList<>();
  String java = JAVA.toString();
  List<String> wrapper = List.of();
  boolean agentFirst = true;

  TracedProgram(Path folder) throws IOException {
    this.folder = folder;
    classes = Files.createDirectories(folder.resolve("classes"));
  }

  static Path agentJar() {
    return Path.of(System.getProperty("palus.workerJar"));
  }

  /** Compiles a source file; its first `class`, `enum` or `interface` names it. */
  TracedProgram compile(int release, String source) throws IOException {
    return compileInto(classes, release, source);
  }

  /** Classes and libraries, as a class path. */
  String classPath() {
    List<Path> all = new ArrayList<>(libraries);
    all.add(0, classes);
    return all.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
  }

  /** Does so into another folder; a test ends here where the JVM is older than the classes. */
  TracedProgram compileInto(Path target, int release, String source) throws IOException {
    assumeTrue(release <= FEATURE, () -> "classes of Java " + release + " on " + FEATURE);
    String name = source.replaceFirst("(?s).*?\\b(?:class|enum|interface|module) (\\w+).*", "$1");
    boolean isModule = source.startsWith("module ");
    Path file = folder.resolve((isModule ? "module-info" : name) + ".java");
    Files.writeString(file, source);
    List<String> arguments =
        List.of(
            "--release",
            "" + release,
            "-nowarn",
            "-Xlint:-options",
            "-g",
            "-d",
            target.toString(),
            "-cp",
            target + File.pathSeparator + classPath(),
            file.toString());
    int exit =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, arguments.toArray(new String[0]));
    if (exit != 0) {
      throw new AssertionError("does not compile: " + source);
    }
    return this;
  }

  private static int featureOf(Path java) {
    try {
      Process process =
          new ProcessBuilder(java.toString(), "-XshowSettings:properties", "-version")
              .redirectErrorStream(true)
              .start();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      Matcher version =
          Pattern.compile("java\\.specification\\.version = (?:1\\.)?(\\d+)").matcher(said);
      if (!version.find()) {
        throw new AssertionError(java + " names no version: " + said);
      }
      return Integer.parseInt(version.group(1));
    } catch (IOException e) {
      throw new AssertionError("cannot run " + java, e);
    }
  }

  Run run(String... programArguments) throws Exception {
    Path output = Files.createDirectories(folder.resolve("traces"));
    Path optionsFile = folder.resolve("options ü.properties");
    List<String> lines = new ArrayList<>(options);
    lines.add("output=" + output);
    lines.add("classes.0=" + classes);
    Files.write(optionsFile, lines, StandardCharsets.UTF_8);
    List<String> command = new ArrayList<>(wrapper);
    command.add(java);
    String agent = "-javaagent:" + agentJar() + "=" + optionsFile;
    if (agentFirst) {
      command.add(agent);
    }
    command.addAll(jvmArguments);
    if (!agentFirst) {
      command.add(agent);
    }
    command.addAll(List.of(programArguments));
    return start(command, output);
  }

  /** Runs without the agent. */
  Run runBare(String... programArguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(java));
    command.addAll(jvmArguments);
    command.addAll(List.of(programArguments));
    return start(command, folder.resolve("traces"));
  }

  private Run start(List<String> command, Path output) throws Exception {
    Path printed = folder.resolve("printed.txt");
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(printed.toFile())
            .start();
    if (!process.waitFor(60, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new AssertionError("still running: " + Files.readString(printed));
    }
    List<TraceText> traces = new ArrayList<>();
    List<String> log = List.of();
    if (Files.isDirectory(output)) {
      try (Stream<Path> files = Files.list(output)) {
        for (Path file : files.filter(each -> each.toString().endsWith(".trace")).toList()) {
          traces.add(TraceText.read(file));
          Files.delete(file);
        }
      }
      Path logFile = output.resolve("agent.log");
      log = Files.exists(logFile) ? Files.readAllLines(logFile) : log;
    }
    return new Run(process.exitValue(), Files.readString(printed), traces, log);
  }
}
