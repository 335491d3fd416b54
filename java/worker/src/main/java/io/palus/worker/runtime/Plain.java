package io.palus.worker.runtime;

import java.util.Collections;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** The plainest value of a type of the JDK: empty, or zero. */
public final class Plain {
  private Plain() {}

  /**
   * Whether there is one.
   *
   * @param type internal name
   * @return it
   */
  public static boolean isKnown(String type) {
    return of(type) != null;
  }

  /**
   * The value.
   *
   * @param type internal name
   * @return it; null for a type that has none here
   */
  public static Object of(String type) {
    switch (type) {
      case "java/lang/String":
      case "java/lang/CharSequence":
        return "";
      case "java/lang/Integer":
        return 0;
      case "java/lang/Long":
        return 0L;
      case "java/lang/Short":
        return (short) 0;
      case "java/lang/Byte":
        return (byte) 0;
      case "java/lang/Character":
        return (char) 0;
      case "java/lang/Float":
        return 0f;
      case "java/lang/Double":
        return 0d;
      case "java/util/List":
      case "java/util/Collection":
      case "java/lang/Iterable":
        return Collections.emptyList();
      case "java/util/Set":
        return Collections.emptySet();
      case "java/util/Map":
        return Collections.emptyMap();
      case "java/util/Optional":
        return Optional.empty();
      case "java/util/OptionalInt":
        return OptionalInt.empty();
      case "java/util/OptionalLong":
        return OptionalLong.empty();
      case "java/util/OptionalDouble":
        return OptionalDouble.empty();
      case "java/util/stream/Stream":
        return Stream.empty();
      default:
        return null;
    }
  }
}
