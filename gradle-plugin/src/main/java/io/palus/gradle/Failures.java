package io.palus.gradle;

import io.palus.host.PalusException;
import org.gradle.api.BuildCancelledException;
import org.gradle.api.GradleException;
import org.gradle.api.InvalidUserDataException;

/** How an error of Palus becomes one of Gradle. */
final class Failures {
  private Failures() {}

  static GradleException of(PalusException e) {
    switch (e.kind()) {
      case CONFIGURATION:
        return new InvalidUserDataException(e.userMessage(), e);
      case CANCELLED:
        return new BuildCancelledException(e.userMessage(), e);
      default:
        return new GradleException(e.userMessage(), e);
    }
  }
}
