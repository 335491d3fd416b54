package io.palus.worker.instrument;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/** Calls of the JDK that change nothing and give a value. */
final class PlainCalls {
  private static final Set<String> OWNERS =
      new HashSet<>(
          Arrays.asList(
              "java/lang/String",
              "java/lang/Math",
              "java/lang/StrictMath",
              "java/lang/Boolean",
              "java/lang/Byte",
              "java/lang/Character",
              "java/lang/Short",
              "java/lang/Integer",
              "java/lang/Long",
              "java/lang/Float",
              "java/lang/Double",
              "java/math/BigDecimal",
              "java/math/BigInteger"));

  private PlainCalls() {}

  static boolean has(String owner, String name) {
    return OWNERS.contains(owner)
        || owner.startsWith("java/time/")
        || owner.equals("java/util/Objects") && name.startsWith("requireNonNull")
        || owner.equals("java/util/Optional") && name.equals("orElse");
  }
}
