package io.palus.maven;

import io.palus.host.BaseRevision;
import io.palus.host.OtherBuild;
import java.io.File;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.TreeSet;
import org.apache.maven.execution.MavenExecutionRequest;
import org.apache.maven.execution.MavenSession;
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

  /** Lays the revision out in the work folder and compiles the module and what it needs. */
  BaseRevision compiled(Layout layout) {
    Path target = Paths.get(project.getBuild().getDirectory()).toAbsolutePath();
    Path folder = layout.work().resolve("base");
    BaseRevision revision = BaseRevision.of(project.getBasedir().toPath(), since, target, folder);
    File top = session.getTopLevelProject().getFile();
    Path pom = revision.at(top.toPath());
    OtherBuild.run(command(pom), folder, since);
    return revision;
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
    if (!request.getActiveProfiles().isEmpty()) {
      command.addAll(List.of("-P", String.join(",", request.getActiveProfiles())));
    }
    if (session.getProjects().size() > 1) {
      String module = project.getGroupId() + ":" + project.getArtifactId();
      command.addAll(List.of("-pl", module, "-am"));
    }
    Properties properties = session.getUserProperties();
    for (String property : new TreeSet<>(properties.stringPropertyNames())) {
      if (!property.startsWith("palus.") && !property.equals("maven.repo.local")) {
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
