package io.palus.gradle;

import java.util.List;
import org.gradle.api.tasks.testing.Test;
import org.gradle.api.tasks.testing.TestFrameworkOptions;
import org.gradle.api.tasks.testing.junit.JUnitOptions;
import org.gradle.api.tasks.testing.junitplatform.JUnitPlatformOptions;

/** Which kinds of tests a test task leaves out, and why: it runs those of one framework. */
final class NotRun {
  private NotRun() {}

  /** {@code KIND=why} for each kind. */
  static List<String> by(Test task) {
    TestFrameworkOptions options = task.getOptions();
    String uses = "the task `" + task.getName() + "` uses ";
    String testng = "TESTNG=" + uses;
    if (options instanceof JUnitPlatformOptions) {
      String vintage =
          "the JUnit Platform, which runs tests of JUnit 3 and 4 only where"
              + " org.junit.vintage:junit-vintage-engine is on its class path";
      return List.of(
          testng + "the JUnit Platform; `useTestNG()` runs TestNG's tests",
          "JUNIT4=" + uses + vintage,
          "JUNIT3=" + uses + vintage);
    }
    if (options instanceof JUnitOptions) {
      return List.of(
          testng + "JUnit 4; `useTestNG()` runs TestNG's tests",
          "JUPITER=" + uses + "JUnit 4; `useJUnitPlatform()` runs JUnit Jupiter's tests");
    }
    String alone = uses + "TestNG, which runs no tests of JUnit";
    return List.of("JUPITER=" + alone, "JUNIT4=" + alone, "JUNIT3=" + alone);
  }
}
