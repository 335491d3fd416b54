package io.palus.worker.verify;

import java.util.Arrays;
import java.util.List;

/** What is told of what a test threw: a text on one line, and the line of the test. */
final class Failure {
  /** Who reads it cuts it further, once no secret is in it. */
  private static final int LONGEST_TEXT = 8000;

  /** JUnit 4 puts what differs in brackets into the message, and leaves out what is alike. */
  private static final List<String> COMPARISONS =
      Arrays.asList("org.junit.ComparisonFailure", "junit.framework.ComparisonFailure");

  /** It has such a comparison for its cause, and no class in its text. */
  private static final String OF_ARRAYS = "org.junit.internal.ArrayComparisonFailure";

  private Failure() {}

  /** The line of the test from which it came; 0 where it came from no line of it. */
  static int line(Throwable failure, String typeName, String methodName) {
    try {
      for (StackTraceElement frame : failure.getStackTrace()) {
        if (frame.getClassName().equals(typeName) && frame.getMethodName().equals(methodName)) {
          return frame.getLineNumber();
        }
      }
    } catch (Throwable e) { // the answer is the subject's code
      return 0;
    }
    return 0;
  }

  private static String told(Throwable failure) throws ReflectiveOperationException {
    String name = failure.getClass().getName();
    boolean isOfArrays = name.equals(OF_ARRAYS);
    Throwable comparison = isOfArrays ? failure.getCause() : failure;
    if (!isComparison(comparison)) {
      return isOfArrays ? name + ": " + failure : String.valueOf(failure);
    }
    Class<?> type = comparison.getClass();
    Object expected = type.getMethod("getExpected").invoke(comparison);
    Object actual = type.getMethod("getActual").invoke(comparison);
    String message = isOfArrays ? " " + failure.getMessage() : "";
    String place = message.substring(0, message.indexOf("; ") + 1);
    return name + ":" + place + " expected:<" + expected + "> but was:<" + actual + ">";
  }

  private static boolean isComparison(Throwable failure) {
    Class<?> type = failure == null ? null : failure.getClass();
    while (type != null && !COMPARISONS.contains(type.getName())) {
      type = type.getSuperclass();
    }
    return type != null;
  }

  /** What it says of itself, escaped and cut. */
  static String text(Throwable failure) {
    String text;
    try {
      text = told(failure);
    } catch (Throwable e) { // the message is the subject's code
      text = failure.getClass().getName();
    }
    StringBuilder escaped = new StringBuilder();
    for (int i = 0; i < text.length() && escaped.length() < LONGEST_TEXT; i++) {
      char c = text.charAt(i);
      if (c == '\\') {
        escaped.append("\\\\");
      } else if (c == '\n') {
        escaped.append("\\n");
      } else if (Character.isISOControl(c) || c == '\u2028' || c == '\u2029') {
        escaped.append(String.format("\\u%04x", (int) c));
      } else {
        escaped.append(c);
      }
    }
    return escaped.toString();
  }
}
