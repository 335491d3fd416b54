package io.palus.maven;

import io.palus.host.BaseRevision;
import io.palus.host.OtherBuild;
import io.palus.host.PalusException;
import io.palus.host.SecretNames;
import java.io.File;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.TreeSet;
import org.apache.maven.execution.MavenExecutionRequest;
import org.apache.maven.execution.MavenSession;
import org.apache.maven.model.Build;
import org.apache.maven.project.MavenProject;

/** A module as it was in another revision, compiled by Maven with what this build was given. */
final class MavenBase {
  private final MavenProject project;
  private final MavenSession session;
  private final String since;

  MavenBase(MavenProject project, MavenSession session, String since) {
    this.project = project;
    this.session = session;
    this.since = since;
  }

  /** Refuses what cannot be compared, before anything is compiled or run. */
  void check(Layout layout) {
    checkRelative();
    BaseRevision.check(project.getBasedir().toPath(), since, List.of(layout.classes()));
  }

  /** Lays the revision out in the work folder and compiles the module and what it needs. */
  BaseRevision compiled(Layout layout) {
    checkRelative();
    Path target = Paths.get(project.getBuild().getDirectory()).toAbsolutePath();
    BaseRevision revision =
        BaseRevision.of(project.getBasedir().toPath(), since, target, layout.work());
    try {
      revision.checkBuilt(List.of(layout.classes()));
      Path pom = revision.at(session.getTopLevelProject().getFile().toPath());
      OtherBuild.run(command(pom), revision.folder(), since);
      return revision;
    } catch (RuntimeException e) {
      revision.close();
      throw e;
    }
  }

  /** Refuses an absolute build folder: the other revision would be compiled into this one's. */
  private void checkRelative() {
    for (MavenProject one = project; one != null; one = one.getParent()) {
      Build build = one.getOriginalModel().getBuild();
      String[] folders =
          build == null
              ? new String[0]
              : new String[] {build.getDirectory(), build.getOutputDirectory()};
      for (String folder : folders) {
        if (folder != null && !isRelative(folder)) {
          throw PalusException.configuration(
              "the build folder of "
                  + one.getArtifactId()
                  + " is the same for each revision: "
                  + folder,
              "name it from the project's folder on, such as `target`, to compare revisions",
              null);
        }
      }
    }
  }

  private static boolean isRelative(String folder) {
    boolean isOwn =
        folder.startsWith("${project.basedir}")
            || folder.startsWith("${basedir}")
            || folder.startsWith("${project.build.directory}");
    return isOwn || !folder.startsWith("${") && !new File(folder).isAbsolute();
  }

  private List<String> command(Path pom) {
    MavenExecutionRequest request = session.getRequest();
    String home = session.getSystemProperties().getProperty("maven.home");
    String name = File.separatorChar == '\\' ? "mvn.cmd" : "mvn";
    List<String> command = new ArrayList<>();
    command.add(home == null ? name : Paths.get(home, "bin", name).toString());
    command.addAll(List.of("-B", "-q", "-f", pom.toString()));
    add(command, "-s", request.getUserSettingsFile());
    add(command, "-gs", request.getGlobalSettingsFile());
    if (request.isOffline()) {
      command.add("-o");
    }
    List<String> profiles = new ArrayList<>(request.getActiveProfiles());
    request.getInactiveProfiles().forEach(profile -> profiles.add("!" + profile));
    if (!profiles.isEmpty()) {
      command.addAll(List.of("-P", String.join(",", profiles)));
    }
    if (session.getProjects().size() > 1) {
      String module = project.getGroupId() + ":" + project.getArtifactId();
      command.addAll(List.of("-pl", module, "-am"));
    }
    Properties properties = session.getUserProperties();
    for (String property : new TreeSet<>(properties.stringPropertyNames())) {
      boolean isOurs = property.startsWith("palus.") || property.equals("maven.repo.local");
      // Everybody on the machine can read the command line of a process.
      if (!isOurs && !SecretNames.isSecret(property)) {
        command.add("-D" + property + "=" + properties.getProperty(property));
      }
    }
    command.add("-Dmaven.repo.local=" + request.getLocalRepositoryPath().getAbsolutePath());
    // Goals of ours that are bound in the pom.
    command.add("-Dpalus.skip=true");
    command.add("process-classes");
    return command;
  }

  private static void add(List<String> command, String option, File file) {
    if (file != null && file.isFile()) {
      command.addAll(List.of(option, file.getAbsolutePath()));
    }
  }
}
