package io.palus.worker.verify;

/** What is told of what a test threw: a text on one line, and the line of the test. */
final class Failure {
  private static final int LONGEST_TEXT = 500;

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

  /** What it says of itself, escaped and cut. */
  static String text(Throwable failure) {
    String text;
    try {
      text = String.valueOf(failure);
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
