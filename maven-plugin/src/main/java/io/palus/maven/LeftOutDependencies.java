package io.palus.maven;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.maven.artifact.Artifact;
import org.apache.maven.artifact.resolver.filter.ScopeArtifactFilter;
import org.apache.maven.project.MavenProject;

/**
 * The dependencies that Surefire leaves out of the class path of the tests, where the pom says so:
 * {@code classpathDependencyExcludes} by name, {@code classpathDependencyScopeExclude} by scope.
 */
final class LeftOutDependencies {
  private LeftOutDependencies() {}

  /** Their files, as entries of the class path. */
  static List<String> of(EffectiveConfiguration configuration, MavenProject project) {
    List<Pattern> names = new ArrayList<>();
    for (String exclude : configuration.values("classpathDependencyExcludes")) {
      names.add(pattern(exclude.trim()));
    }
    Optional<ScopeArtifactFilter> scope =
        configuration.value("classpathDependencyScopeExclude").map(ScopeArtifactFilter::new);
    List<String> files = new ArrayList<>();
    for (Artifact artifact : project.getArtifacts()) {
      boolean isOut =
          scope.filter(each -> each.include(artifact)).isPresent()
              || names.stream().anyMatch(each -> matches(each, artifact));
      if (isOut && artifact.getFile() != null) {
        files.add(artifact.getFile().getPath());
      }
    }
    return files;
  }

  /** {@code group:name}, {@code group:name:type} or {@code group:name:type:classifier}. */
  private static boolean matches(Pattern pattern, Artifact artifact) {
    String name = artifact.getGroupId() + ":" + artifact.getArtifactId();
    String withType = name + ":" + artifact.getType();
    return pattern.matcher(name).matches()
        || pattern.matcher(withType).matches()
        || pattern.matcher(withType + ":" + artifact.getClassifier()).matches();
  }

  private static Pattern pattern(String exclude) {
    return Pattern.compile(Pattern.quote(exclude).replace("*", "\\E.*\\Q"));
  }
}
