package io.palus.gradle;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import org.gradle.api.invocation.Gradle;
import org.gradle.api.logging.Logger;
import org.gradle.api.provider.Provider;
import org.gradle.api.services.BuildService;
import org.gradle.api.services.BuildServiceParameters;

/**
 * Warnings that a build reads once, whichever of its tasks and modules say them. In a build that
 * loads this plugin twice it may be a class of another loader, so it is used as a function.
 */
public abstract class Once
    implements BuildService<BuildServiceParameters.None>, BiConsumer<Logger, String> {
  private static final String NAME = "palusOnce";

  private final Set<String> said = ConcurrentHashMap.newKeySet();

  static Provider<Once> of(Gradle gradle) {
    return gradle.getSharedServices().registerIfAbsent(NAME, Once.class, spec -> {});
  }

  @Override
  public void accept(Logger logger, String warning) {
    if (said.add(warning)) {
      logger.warn(warning);
    }
  }
}
