package io.palus.gradle;

import org.gradle.api.InvalidUserDataException;

/** What {@code check} does by itself. */
public enum Automatic {
  /** Nothing. */
  OFF,

  /** The tests that have been written run in it. */
  JOIN,

  /**
   * It traces the test task that it runs anyway, writes tests anew where something has changed, and
   * runs them.
   */
  GENERATE;

  /** Reads a value of the setting, which may be one of these or its name. */
  static Automatic of(Object value) {
    for (Automatic automatic : values()) {
      if (automatic.name().equals(value.toString())) {
        return automatic;
      }
    }
    throw new InvalidUserDataException(
        "the setting `automatic` has the value `" + value + "`. Allowed: OFF, JOIN or GENERATE");
  }
}
