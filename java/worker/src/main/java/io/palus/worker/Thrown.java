package io.palus.worker;

import io.palus.wire.Kinds.End;
import java.nio.file.FileSystemException;
import java.util.Arrays;
import java.util.List;

/** What is told of an exception of the subject. */
final class Thrown {
  /**
   * How the kernel says that something is used up or beyond a limit (EFBIG, ENOSPC, EDQUOT, EMFILE,
   * ENFILE, ENOMEM), in the locale that workers have. Elsewhere there is more of it.
   */
  private static final List<String> LIMITS =
      Arrays.asList(
          "File too large",
          "No space left on device",
          "Disk quota exceeded",
          "Too many open files",
          "Too many open files in system",
          "Cannot allocate memory");

  /** How it says that it refuses a call, which it may do where nobody notes what it refuses. */
  private static final String NOT_PERMITTED = "Operation not permitted";

  private static final int MOST_CAUSES = 16;

  private Thrown() {}

  /** The second use of a class whose initialiser failed throws another error than the first. */
  static boolean isInitialization(Throwable thrown) {
    return thrown instanceof ExceptionInInitializerError
        || thrown instanceof NoClassDefFoundError
            && String.valueOf(thrown.getMessage()).startsWith("Could not initialize class");
  }

  /** What one would print of an exception, without running code of the subject more than needed. */
  static String text(Throwable thrown) {
    Throwable cause = thrown.getCause();
    Throwable told =
        thrown instanceof ExceptionInInitializerError && cause != null ? cause : thrown;
    String message = message(told);
    return told.getClass().getName() + (message == null ? "" : ": " + message);
  }

  /** Its message; null where asking for it fails. */
  static String message(Throwable thrown) {
    try {
      return thrown.getMessage();
    } catch (Throwable e) { // the subject's code
      return null;
    }
  }

  /** Why no test may show it: it tells of our calls or of the JVM; null if one may. */
  private static String whyUnusable(Throwable thrown, StackTraceElement top) {
    if (thrown instanceof UnusableException) {
      return thrown.getMessage();
    }
    boolean isOurs = top != null && InvokerFactory.isOurs(top.getClassName());
    boolean isLinking =
        thrown instanceof LinkageError
            || thrown instanceof ClassCastException
            || thrown instanceof NullPointerException;
    boolean isUnusable =
        isOurs && isLinking || isInitialization(thrown) || thrown instanceof VirtualMachineError;
    return isUnusable ? text(thrown) : null;
  }

  /** Which limit of this system it tells of, itself or by a cause; null for none. */
  private static String limit(Throwable thrown) {
    try {
      Throwable told = thrown;
      for (int i = 0; told != null && i < MOST_CAUSES; i++) {
        String message = message(told);
        // The JDK writes it alone, after a path, or in brackets.
        int end = message == null ? 0 : message.length() - (message.endsWith(")") ? 1 : 0);
        for (String limit : LIMITS) {
          if (message != null && message.startsWith(limit, end - limit.length())) {
            return limit;
          }
        }
        told = told.getCause();
      }
    } catch (Throwable e) { // the subject's code
      return null;
    }
    return null;
  }

  /** Tells of the end by an exception; true if a test may show it. */
  static boolean tell(Throwable thrown, int statement, OutcomeWriter out) {
    StackTraceElement top = topFrame(thrown);
    String unusable = whyUnusable(thrown, top);
    if (unusable != null) {
      out.end(End.UNUSABLE, unusable);
      return false;
    }
    if (thrown instanceof FileSystemException
        && NOT_PERMITTED.equals(((FileSystemException) thrown).getReason())) {
      out.end(End.DENIED, "a change of a file: " + NOT_PERMITTED);
      return false;
    }
    String limit = limit(thrown);
    if (limit != null) {
      out.end(End.DENIED, "what this system has no room for: " + limit);
      return false;
    }
    out.threw(statement, thrown, message(thrown), top);
    return true;
  }

  /** Where it was thrown; null where that is not told. */
  private static StackTraceElement topFrame(Throwable thrown) {
    try {
      StackTraceElement[] frames = thrown.getStackTrace();
      return frames.length == 0 ? null : frames[0];
    } catch (Throwable e) { // the subject's code
      return null;
    }
  }
}
