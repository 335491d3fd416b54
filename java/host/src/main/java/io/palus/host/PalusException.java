package io.palus.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A run that could not be done: what is wrong, who has to act, and the next step. */
public final class PalusException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Who has to act. */
  public enum Kind {
    /** The user: a setting, the project, the machine's permissions. */
    CONFIGURATION,
    /**
     * The user: code behaves in another way than when tests were written, and nobody accepted it.
     */
    BEHAVIOUR_CHANGE,
    /** Workers kept failing. */
    WORKER,
    /** A file or stream of another version. */
    FORMAT,
    /** Cancelled by the user or the build tool. */
    CANCELLED,
    /** A defect of Palus. */
    INTERNAL
  }

  /** Who has to act. */
  private final Kind kind;

  /** What to do next. */
  private final String hint;

  /** Makes an exception whose hint may be empty. */
  public PalusException(Kind kind, String message, String hint) {
    this(kind, message, hint, null);
  }

  /** Makes an exception with its cause. */
  public PalusException(Kind kind, String message, String hint, Throwable cause) {
    super(message, cause);
    this.kind = kind;
    this.hint = hint;
  }

  /** An exception for something the user has to change. */
  public static PalusException configuration(String message, String hint, Throwable cause) {
    return new PalusException(Kind.CONFIGURATION, message, hint, cause);
  }

  /** An exception for a file or folder that could not be written, with its cause and cure. */
  public static PalusException unwritable(Path path, Exception cause) {
    boolean isFull = isFull(path, String.valueOf(cause.getMessage()));
    return configuration(
        "cannot write to " + path + ": " + (isFull ? "no space left on its disk" : cause),
        isFull ? "free some space there and run again" : "make the folder writable",
        cause);
  }

  /**
   * Whether a disk that has no space left is why something could not be written. The system's words
   * depend on its language, so the disk is asked too.
   */
  public static boolean isFull(Path path, String words) {
    if (words.contains("No space left on device") || words.contains("Disk quota exceeded")) {
      return true;
    }
    try {
      Path there = path;
      while (there.getParent() != null && !Files.exists(there)) {
        there = there.getParent();
      }
      return Files.getFileStore(there).getUsableSpace() == 0;
    } catch (IOException | SecurityException e) {
      return false;
    }
  }

  /** Who has to act. */
  public Kind kind() {
    return kind;
  }

  /** What to do next; may be empty. */
  public String hint() {
    return hint;
  }

  /** Cause and next step in one text, for a build tool's failure line. */
  public String userMessage() {
    String message = String.valueOf(getMessage());
    return hint.isEmpty()
        ? message
        : message + ". " + Character.toUpperCase(hint.charAt(0)) + hint.substring(1);
  }
}
