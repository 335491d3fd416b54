package io.palus.gradle;

import org.gradle.api.Project;

/** Whether the command line names a task, as it may: from a project on, and abbreviated. */
final class Asked {
  private Asked() {}

  static boolean byName(String task, Project project) {
    return project.getGradle().getStartParameter().getTaskNames().stream()
        .anyMatch(name -> isShortFor(name.substring(name.lastIndexOf(':') + 1), task));
  }

  /** Each word of a name may be cut: {@code pG} is {@code palusGenerate}. */
  static boolean isShortFor(String asked, String name) {
    return asked.matches("[A-Za-z]+")
        && name.matches(asked.replaceAll("(?=[A-Z])", "[a-z]*") + "[a-z]*");
  }
}
