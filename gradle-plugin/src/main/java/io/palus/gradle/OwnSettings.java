package io.palus.gradle;

import java.io.File;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.gradle.api.tasks.testing.Test;

/**
 * What a build script sets on a task of ours itself, which holds in the place of what the task has
 * from the user's: heap, encoding, folder, arguments, system properties and environment of its JVM,
 * and after how many classes there is a new one. Comes in: the task before it is made as the user's
 * is, and a task of which the script says nothing but what it says of all test tasks. Goes out: the
 * task with its own settings again.
 */
final class OwnSettings {
  private final String minHeapSize;
  private final String maxHeapSize;
  private final String encoding;
  private final File workingDir;
  private final List<String> jvmArgs;
  private final Map<String, Object> systemProperties;
  private final Map<String, Object> environment;
  private final long forkEvery;

  /** All that the task has. */
  private OwnSettings(Test task) {
    minHeapSize = task.getMinHeapSize();
    maxHeapSize = task.getMaxHeapSize();
    encoding = task.getDefaultCharacterEncoding();
    workingDir = task.getWorkingDir();
    jvmArgs = new ArrayList<>(Objects.requireNonNullElse(task.getJvmArgs(), List.of()));
    systemProperties = new LinkedHashMap<>(task.getSystemProperties());
    environment = new LinkedHashMap<>(Environment.added(task));
    forkEvery = task.getForkEvery();
  }

  /** What a task has now. */
  static OwnSettings of(Test task) {
    return new OwnSettings(task);
  }

  /** Sets again what a plain task does not have. */
  void restore(OwnSettings plain, Test task) {
    if (isOwn(minHeapSize, plain.minHeapSize)) {
      task.setMinHeapSize(minHeapSize);
    }
    if (isOwn(maxHeapSize, plain.maxHeapSize)) {
      task.setMaxHeapSize(maxHeapSize);
    }
    if (isOwn(encoding, plain.encoding)) {
      task.setDefaultCharacterEncoding(encoding);
    }
    if (isOwn(workingDir, plain.workingDir)) {
      task.setWorkingDir(workingDir);
    }
    if (forkEvery != plain.forkEvery) {
      TestCopy.setForkEvery(task, forkEvery);
    }
    List<String> arguments = new ArrayList<>(jvmArgs);
    arguments.removeAll(plain.jvmArgs);
    // The JVM takes the last of two that contradict each other.
    task.jvmArgs(arguments);
    task.systemProperties(own(systemProperties, plain.systemProperties));
    Map<String, Object> variables = own(environment, plain.environment);
    if (!variables.isEmpty()) {
      task.environment(variables);
    }
  }

  private static boolean isOwn(Object value, Object plain) {
    return value != null && !value.equals(plain);
  }

  private static Map<String, Object> own(Map<String, Object> values, Map<String, Object> plain) {
    Map<String, Object> own = new LinkedHashMap<>(values);
    own.entrySet().removeIf(one -> Objects.equals(plain.get(one.getKey()), one.getValue()));
    return own;
  }
}
