package io.palus.gradle;

import org.gradle.api.services.BuildService;
import org.gradle.api.services.BuildServiceParameters;

/**
 * The right to run the engine. There is one in a build: a run takes all cores and the memory of as
 * many workers, so the modules of a parallel build take turns.
 */
abstract class EngineSlot implements BuildService<BuildServiceParameters.None> {
  static final String NAME = "palusEngine";
}
