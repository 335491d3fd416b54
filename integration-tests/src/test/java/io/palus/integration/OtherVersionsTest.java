package io.palus.integration;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What works with the newest Maven 3 and the newest Gradle works with older and coming ones. */
@Tag("versions")
class OtherVersionsTest {
  private static final String OLD_GRADLE = "7.6";

  @TempDir Path temp;

  @ParameterizedTest
  @ValueSource(strings = {"3.8.7", "4.0.0-rc-4"})
  void mavenWritesTestsOfSeveralModules(String version) throws IOException {
    MavenGenerateTest.writesTestsThatSurefireThenRuns(version, "multi-module", temp);
  }

  @ParameterizedTest
  @ValueSource(strings = {"road-map-junit4", "multi-module"})
  void gradleWritesTests(String project) throws IOException {
    GradleGenerateTest.writesTestsThatCheckThenRuns(OLD_GRADLE, project, temp);
  }

  @Test
  void gradleNamesTheSettingThatAMisspeltOneIsNearest() throws IOException {
    GradleGenerateTest.namesTheSettingThatAMisspeltOneIsNearest(OLD_GRADLE, temp);
  }

  @Test
  void gradleExplainsOverloads() throws IOException {
    ExplainTest.explainsOverloadsAndNamesWhatIsNearest(OLD_GRADLE, temp);
  }
}
