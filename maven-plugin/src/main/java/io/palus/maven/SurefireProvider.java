package io.palus.maven;

import io.palus.host.PalusException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.maven.model.Dependency;
import org.apache.maven.project.MavenProject;

/**
 * Which kinds of tests Surefire runs in this project. It chooses one provider by what is on the
 * test class path, or takes those that its dependencies in the pom name, and leaves out the tests
 * of all others without a word.
 */
final class SurefireProvider {
  private static final String PLATFORM = "surefire-junit-platform";
  private static final String TESTNG = "surefire-testng";
  private static final String JUNIT4 = "surefire-junit4";
  private static final String BOTH =
      "name both of its providers, " + TESTNG + " and " + PLATFORM + ", as dependencies of it";

  private final String surefire;
  private final Set<String> providers = new TreeSet<>();
  private final boolean isNamed;
  private final boolean hasVintage;
  private final boolean knowsPlatform;

  /**
   * Needs the project's test dependencies resolved.
   *
   * @param version Surefire's
   */
  SurefireProvider(MavenProject project, String version) {
    surefire = "maven-surefire-plugin " + version;
    knowsPlatform = !version.matches("2\\.(1?\\d|2[01])(\\D.*)?");
    List<Dependency> own = new ArrayList<>();
    if (project.getPlugin(TestRun.KEY) != null) {
      own.addAll(project.getPlugin(TestRun.KEY).getDependencies());
    }
    Set<String> modules = new TreeSet<>();
    project.getArtifacts().forEach(a -> modules.add(a.getGroupId() + ":" + a.getArtifactId()));
    own.forEach(d -> modules.add(d.getGroupId() + ":" + d.getArtifactId()));
    hasVintage = modules.contains("org.junit.vintage:junit-vintage-engine");
    own.stream()
        .map(Dependency::getArtifactId)
        .filter(name -> Stream.of(PLATFORM, TESTNG, "surefire-junit").anyMatch(name::startsWith))
        .forEach(providers::add);
    isNamed = !providers.isEmpty();
    if (!isNamed) {
      providers.add(
          knowsPlatform && modules.stream().anyMatch(SurefireProvider::isPlatforms)
              ? PLATFORM
              : modules.contains("org.testng:testng") ? TESTNG : JUNIT4);
    }
  }

  private static boolean isPlatforms(String module) {
    return module.startsWith("org.junit.jupiter:") || module.startsWith("org.junit.platform:");
  }

  /** Refuses a project whose test run would take none of the tests that Palus writes. */
  void check() {
    if (providers.equals(Set.of(TESTNG))) {
      throw PalusException.configuration(
          surefire + " runs TestNG's tests alone in this project, and Palus writes tests for JUnit",
          "To have both run, add a test dependency on org.junit.jupiter:junit-jupiter and "
              + BOTH
              + ". Without those, Surefire would take the JUnit Platform alone and leave out the"
              + " tests that you have",
          null);
    }
  }

  /** {@code KIND=why} for each kind of tests that Surefire leaves out. */
  List<String> notRun() {
    List<String> notRun = new ArrayList<>();
    boolean hasPlatform = providers.contains(PLATFORM);
    if (!hasPlatform) {
      notRun.add(
          "JUPITER="
              + (knowsPlatform
                  ? chosen()
                  : surefire + " knows no JUnit Jupiter, 2.22.0 is the first that does"));
    }
    if (!providers.contains(TESTNG)) {
      notRun.add("TESTNG=" + chosen() + "; to have it run TestNG's tests too, " + BOTH);
    }
    boolean hasJunit = providers.stream().anyMatch(name -> name.matches("surefire-junit\\d.*"));
    if (!hasJunit && !(hasPlatform && hasVintage)) {
      String why = chosen() + "; org.junit.vintage:junit-vintage-engine runs JUnit 4's on it";
      notRun.add("JUNIT4=" + (hasPlatform ? why : chosen()));
      notRun.add("JUNIT3=" + (hasPlatform ? why : chosen()));
    }
    return notRun;
  }

  private String chosen() {
    return surefire
        + " runs the tests of "
        + String.join(" and ", providers)
        + " alone, "
        + (isNamed ? "which the pom names" : "chosen by what is on the test class path");
  }
}
