package io.palus.gradle;

import io.palus.host.OptionNames;
import java.io.Serializable;
import org.gradle.api.Task;
import org.gradle.api.initialization.Settings;
import org.gradle.api.invocation.Gradle;
import org.gradle.api.provider.Provider;
import org.gradle.api.specs.Spec;
import org.gradle.caching.configuration.BuildCache;

/**
 * Keeps traces out of a build cache that others share: they hold what the tests saw. A cache of
 * this machine's own may have them.
 */
final class TraceCaching implements Spec<Task>, Serializable {
  static final String REASON =
      "traces hold what the tests saw, and this build writes to a remote build cache; the setting `"
          + OptionNames.CACHE_TRACES
          + "` allows it";

  private static final long serialVersionUID = 1L;

  private final boolean shared;

  private TraceCaching(boolean shared) {
    this.shared = shared;
  }

  static TraceCaching of(Gradle gradle, Provider<Boolean> allowed) {
    return new TraceCaching(!allowed.get() && pushes(gradle));
  }

  @Override
  public boolean isSatisfiedBy(Task task) {
    return shared;
  }

  /** Whether the build may write to a remote cache; where that cannot be known, it may. */
  private static boolean pushes(Gradle gradle) {
    Gradle root = gradle;
    while (root.getParent() != null) {
      root = root.getParent();
    }
    try {
      // Every version has it, none has it in its public interface.
      Object settings = root.getClass().getMethod("getSettings").invoke(root);
      BuildCache remote = ((Settings) settings).getBuildCache().getRemote();
      return remote != null && remote.isEnabled() && remote.isPush();
    } catch (ReflectiveOperationException | RuntimeException e) {
      return true;
    }
  }
}
