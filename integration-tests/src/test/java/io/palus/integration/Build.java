package io.palus.integration;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs one command of a build tool on a copy of a project, and holds what it printed. */
final class Build {
  static final Path REPOSITORY = property("palus.repository");
  private static final Path TOOLS = property("palus.tools");
  private static final Path MAVEN_SETTINGS = property("palus.mavenSettings");
  private static final Path MAVEN_REPOSITORY = property("palus.mavenRepository");
  private static final String COORDINATES =
      "io.palus:palus-maven-plugin:" + System.getProperty("palus.version") + ":";
  private static final long MINUTES = 10;

  final String command;
  final int status;
  final String output;

  private Build(String command, int status, String output) {
    this.command = command;
    this.status = status;
    this.output = output;
  }

  /** {@code mvn} of a version with these arguments; goals written {@code palus:goal} are ours. */
  static Build maven(String version, Path project, String... arguments) {
    return maven(Map.of(), version, project, arguments);
  }

  /** The same with these variables in its environment. */
  static Build maven(
      Map<String, String> environment, String version, Path project, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(TOOLS.resolve("maven-" + version).resolve("bin/mvn").toString());
    command.addAll(List.of("-B", "-ntp", "-gs", MAVEN_SETTINGS.toString()));
    command.add("-Dmaven.repo.local=" + MAVEN_REPOSITORY);
    command.add("-Dstyle.color=never");
    for (String argument : arguments) {
      command.add(argument.replaceFirst("^palus:", COORDINATES));
    }
    return run(command, project, environment);
  }

  /** {@code gradle} of a version with these arguments. */
  static Build gradle(String version, Path project, String... arguments) {
    return gradle(Map.of(), version, project, arguments);
  }

  /** The same with these variables in its environment. */
  static Build gradle(
      Map<String, String> environment, String version, Path project, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(TOOLS.resolve("gradle-" + version).resolve("bin/gradle").toString());
    command.addAll(List.of("--no-daemon", "--console=plain", "-PpalusRepository=" + REPOSITORY));
    command.addAll(Arrays.asList(arguments));
    return run(command, project, environment);
  }

  /** This build, if it ended with 0. */
  Build succeeded() {
    if (status != 0) {
      throw new AssertionError(command + " ended with " + status + ":\n" + output);
    }
    return this;
  }

  /** This build, if it did not end with 0. */
  Build failed() {
    if (status == 0) {
      throw new AssertionError(command + " should have failed:\n" + output);
    }
    return this;
  }

  private static Build run(List<String> command, Path project, Map<String, String> environment) {
    try {
      Path log = Files.createTempFile("palus-build", ".log");
      ProcessBuilder builder = new ProcessBuilder(command).directory(project.toFile());
      builder.redirectErrorStream(true).redirectOutput(log.toFile());
      builder.redirectInput(new java.io.File("/dev/null"));
      builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
      builder.environment().put("GRADLE_OPTS", "-Xmx1g");
      builder.environment().putAll(environment);
      Process process = builder.start();
      if (!process.waitFor(MINUTES, TimeUnit.MINUTES)) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().waitFor();
        throw new AssertionError(
            command + " took more than " + MINUTES + " minutes:\n" + Files.readString(log));
      }
      String output = new String(Files.readAllBytes(log), StandardCharsets.UTF_8);
      Files.delete(log);
      return new Build(String.join(" ", command), process.exitValue(), output);
    } catch (IOException failure) {
      throw new AssertionError("cannot run " + command, failure);
    } catch (InterruptedException interrupted) {
      throw new AssertionError("interrupted", interrupted);
    }
  }

  private static Path property(String name) {
    String value = System.getProperty(name);
    if (value == null) {
      throw new AssertionError(
          "run these tests by ./gradlew :integration-tests:test, which sets " + name);
    }
    return Path.of(value);
  }
}
