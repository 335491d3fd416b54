package io.palus.gradle;

import io.palus.host.SecretNames;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.gradle.api.Project;
import org.gradle.api.provider.Provider;

/**
 * Properties of the build that are taken for secrets by their names: those of the files {@code
 * gradle.properties} and of {@code -P}. Read when a task runs, so that no value gets into a cache.
 */
final class BuildSecrets {
  private final List<File> files = new ArrayList<>();
  private final Map<String, Provider<String>> given = new TreeMap<>();

  BuildSecrets(Project project) {
    // Gradle hands down what stands in those of projects above.
    for (Project one = project; one != null; one = one.getParent()) {
      files.add(new File(one.getProjectDir(), "gradle.properties"));
    }
    files.add(new File(project.getGradle().getGradleUserHomeDir(), "gradle.properties"));
    for (String name : project.getGradle().getStartParameter().getProjectProperties().keySet()) {
      if (SecretNames.isPlainly(name)) {
        given.put(name, project.getProviders().gradleProperty(name));
      }
    }
  }

  /** By name. */
  Map<String, String> now() {
    Properties all = new Properties();
    all.putAll(System.getProperties());
    for (File file : files) {
      try (InputStream in = Files.newInputStream(file.toPath())) {
        all.load(in);
      } catch (IOException | IllegalArgumentException e) {
        continue; // It is not there, or Gradle itself could not have read it.
      }
    }
    Map<String, String> secrets = SecretNames.among(all);
    for (Map.Entry<String, Provider<String>> one : given.entrySet()) {
      if (one.getValue().isPresent()) {
        secrets.put(one.getKey(), one.getValue().get());
      }
    }
    return secrets;
  }
}
