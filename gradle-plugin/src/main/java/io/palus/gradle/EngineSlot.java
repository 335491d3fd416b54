package io.palus.gradle;

import org.gradle.api.invocation.Gradle;
import org.gradle.api.provider.Provider;
import org.gradle.api.services.BuildService;
import org.gradle.api.services.BuildServiceParameters;

/**
 * The right to run the engine. There is one in a build: a run takes all cores and the memory of as
 * many workers, so the modules of a parallel build take turns.
 */
abstract class EngineSlot implements BuildService<BuildServiceParameters.None> {
  private static final String NAME = "palusEngine";

  static Provider<EngineSlot> of(Gradle gradle) {
    return gradle
        .getSharedServices()
        .registerIfAbsent(NAME, EngineSlot.class, spec -> spec.getMaxParallelUsages().set(1));
  }
}
