package io.palus.integration;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/** Runs one command of a build tool on a copy of a project, and holds what it printed. */
final class Build {
  static final Path REPOSITORY = property("palus.repository");
  private static final Path TOOLS = property("palus.tools");
  private static final Path MAVEN_SETTINGS = property("palus.mavenSettings");
  private static final Path MAVEN_REPOSITORY = property("palus.mavenRepository");
  private static final String COORDINATES =
      "io.palus:palus-maven-plugin:" + System.getProperty("palus.version") + ":";
  private static final long MINUTES = 10;

  /**
   * Maven's local repositories, each with a lock: older Mavens share theirs with no other process
   * while they download. A test starts two Mavens at once where both are its own.
   */
  private static final Map<Path, ReentrantLock> MAVEN_REPOSITORIES =
      new TreeMap<>(
          Map.of(
              MAVEN_REPOSITORY,
              new ReentrantLock(),
              MAVEN_REPOSITORY.resolveSibling("m2-second"),
              new ReentrantLock()));

  /** By a test's folder: with another one its next build has another class path, and is new. */
  private static final Map<Path, Path> REPOSITORY_OF = new ConcurrentHashMap<>();

  /**
   * For the JVMs of Maven and Gradle alone, which live for seconds or do little: compiling more
   * thoroughly takes them more time than it saves. What they fork has its own.
   */
  private static final String SHORT_LIVED = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC";

  /**
   * As most people build with Gradle: its JVM serves one build after another, and ends a minute
   * after the last. Nothing else here uses it, since no other JVM of Gradle has these arguments.
   * The older Gradle cannot start one here: its launcher, as it comes from public artifacts, names
   * no class path.
   */
  private static final List<String> GRADLE_DAEMON =
      List.of(
          "--daemon",
          "-Dorg.gradle.jvmargs=-Xmx1g -XX:MaxMetaspaceSize=512m " + SHORT_LIVED,
          "-Dorg.gradle.daemon.idletimeout=60000");

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
    return startMaven(environment, version, project, arguments).end();
  }

  /** {@code mvn} of a version with these arguments, going on. */
  static Running startMaven(String version, Path project, String... arguments) {
    return startMaven(Map.of(), version, project, arguments);
  }

  private static Running startMaven(
      Map<String, String> environment, String version, Path project, String... arguments) {
    Path repository = repositoryOf(project);
    ReentrantLock lock = MAVEN_REPOSITORIES.get(repository);
    try {
      if (!lock.tryLock(2 * MINUTES, TimeUnit.MINUTES)) {
        throw new AssertionError("a Maven still runs whose test failed before its end");
      }
    } catch (InterruptedException interrupted) {
      throw new AssertionError("interrupted", interrupted);
    }
    try {
      return new Running(
          mavenCommand(version, repository, arguments), project, environment, lock::unlock);
    } catch (AssertionError failure) {
      lock.unlock();
      throw failure;
    }
  }

  private static Path repositoryOf(Path project) {
    return REPOSITORY_OF.computeIfAbsent(
        testFolder(project),
        folder -> {
          List<Path> all = List.copyOf(MAVEN_REPOSITORIES.keySet());
          return all.stream()
              .filter(path -> !MAVEN_REPOSITORIES.get(path).isLocked())
              .findFirst()
              .orElse(all.get(REPOSITORY_OF.size() % all.size()));
        });
  }

  /** A copy with all that builds left in it is built as the project that it is a copy of was. */
  static void takeRepositoryOf(Path project, Path copy) {
    REPOSITORY_OF.put(testFolder(copy), repositoryOf(project));
  }

  /** JUnit's temporary folder that a project is in. */
  private static Path testFolder(Path project) {
    Path folder = project;
    while (folder.getParent() != null && !folder.getFileName().toString().startsWith("junit")) {
      folder = folder.getParent();
    }
    return folder;
  }

  private static List<String> mavenCommand(String version, Path repository, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(TOOLS.resolve("maven-" + version).resolve("bin/mvn").toString());
    command.addAll(List.of("-B", "-ntp", "-gs", MAVEN_SETTINGS.toString()));
    command.add("-Dmaven.repo.local=" + repository);
    command.add("-Dstyle.color=never");
    for (String argument : arguments) {
      command.add(argument.replaceFirst("^palus:", COORDINATES));
    }
    return command;
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
    command.addAll(version.startsWith("7.") ? List.of("--no-daemon") : GRADLE_DAEMON);
    command.addAll(List.of("--console=plain", "-PpalusRepository=" + REPOSITORY));
    command.addAll(Arrays.asList(arguments));
    return new Running(command, project, environment, () -> {}).end();
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

  /** A build that goes on. */
  static final class Running {
    private final List<String> command;
    private final Path log;
    private final Process process;
    private final Runnable over;
    private final long start = System.nanoTime();

    private Running(
        List<String> command, Path project, Map<String, String> environment, Runnable over) {
      this.command = command;
      this.over = over;
      try {
        log = Files.createTempFile("palus-build", ".log");
        ProcessBuilder builder = new ProcessBuilder(command).directory(project.toFile());
        builder.redirectErrorStream(true).redirectOutput(log.toFile());
        builder.redirectInput(new java.io.File("/dev/null"));
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("GRADLE_OPTS", SHORT_LIVED);
        builder.environment().put("MAVEN_OPTS", SHORT_LIVED);
        builder.environment().putAll(environment);
        process = builder.start();
      } catch (IOException failure) {
        throw new AssertionError("cannot run " + command, failure);
      }
    }

    long pid() {
      return process.pid();
    }

    /** What it printed so far. */
    String output() {
      try {
        return new String(Files.readAllBytes(log), StandardCharsets.UTF_8);
      } catch (IOException failure) {
        throw new AssertionError(command + " has no log", failure);
      }
    }

    /** Waits until this holds, while the build goes on. */
    void await(BooleanSupplier moment) {
      long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(MINUTES);
      while (!moment.getAsBoolean()) {
        if (!process.isAlive() || System.nanoTime() > end) {
          process.destroyForcibly();
          over.run();
          throw new AssertionError(command + " never came so far:\n" + output());
        }
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
      }
    }

    /** Sends a signal to the build's JVM. */
    void signal(String name) throws IOException, InterruptedException {
      String[] kill = {"kill", "-" + name, Long.toString(pid())};
      if (new ProcessBuilder(kill).start().waitFor() != 0) {
        throw new AssertionError(command + " is gone:\n" + output());
      }
    }

    /** Ends the build's JVM at once, as `kill -9` does. */
    void kill() throws InterruptedException {
      process.destroyForcibly().waitFor();
      over.run();
    }

    /** What it was in the end. */
    Build end() {
      try {
        if (!process.waitFor(MINUTES, TimeUnit.MINUTES)) {
          process.descendants().forEach(ProcessHandle::destroyForcibly);
          process.destroyForcibly().waitFor();
          throw new AssertionError(
              command + " took more than " + MINUTES + " minutes:\n" + output());
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        System.out.printf("%.1f s, ended with %d: %s%n", seconds, process.exitValue(), command);
        String output = output();
        Files.delete(log);
        return new Build(String.join(" ", command), process.exitValue(), output);
      } catch (IOException failure) {
        throw new AssertionError("cannot delete " + log, failure);
      } catch (InterruptedException interrupted) {
        throw new AssertionError("interrupted", interrupted);
      } finally {
        over.run();
      }
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
