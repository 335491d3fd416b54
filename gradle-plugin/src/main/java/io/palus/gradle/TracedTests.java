package io.palus.gradle;

import org.gradle.api.logging.Logger;
import org.gradle.api.tasks.testing.TestDescriptor;
import org.gradle.api.tasks.testing.TestListener;
import org.gradle.api.tasks.testing.TestResult;

/** Says every five seconds how many tests have been traced. */
final class TracedTests implements TestListener {
  private static final long PAUSE_NANOS = 5_000_000_000L;
  private final Logger logger;
  private long last = System.nanoTime();
  private long tests;

  TracedTests(Logger logger) {
    this.logger = logger;
  }

  @Override
  public void beforeSuite(TestDescriptor suite) {}

  @Override
  public void afterSuite(TestDescriptor suite, TestResult result) {}

  @Override
  public void beforeTest(TestDescriptor test) {}

  @Override
  public synchronized void afterTest(TestDescriptor test, TestResult result) {
    tests++;
    long now = System.nanoTime();
    if (now - last >= PAUSE_NANOS) {
      last = now;
      logger.lifecycle("trace     {} tests so far", tests);
    }
  }
}
