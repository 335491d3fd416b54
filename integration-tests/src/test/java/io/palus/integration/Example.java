package io.palus.integration;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Names the examples of README.md and docs/ that a test runs. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@interface Example {
  /** What stands in {@code <!-- example: NAME -->} above the example. */
  String[] value();
}
