package io.palus.worker.instrument;

/** What happens at a call site of one method of the JDK. */
final class GuardRule {
  /** The kinds of rules. */
  enum Kind {
    /** The call is denied. */
    DENY,
    /** Denied if one of the arguments is a path outside the work folder. */
    PATH,
    /** Like PATH, and the work folder itself must stay. */
    REMOVAL,
    /** Like PATH, unless the next argument is the mode {@code r}. */
    PATH_MODE,
    /** Like PATH, unless the last argument opens for reading only. */
    PATH_OPTIONS,
    /** A temporary file, in the folder of the argument if there is such an argument. */
    TEMPORARY,
    /** The receiver is a Method, which may be a guarded one. */
    REFLECTION,
    /** The receiver may let this thread wait for another. */
    WAIT,
    /** A static method of ours is called before, without arguments. */
    BEFORE,
    /** A static method of ours is called instead; a receiver becomes its first argument. */
    REPLACE,
    /** A static method of ours gives one more, last argument. */
    ARGUMENT
  }

  /** Index of the receiver among {@link #indexes}. */
  static final int RECEIVER = -1;

  final Kind kind;
  final String text;
  final int[] indexes;

  /** For BEFORE, REPLACE and ARGUMENT: class, name and descriptor of our method. */
  final String owner;

  final String name;
  final String descriptor;

  private GuardRule(
      Kind kind, String text, int[] indexes, String owner, String name, String descriptor) {
    this.kind = kind;
    this.text = text;
    this.indexes = indexes;
    this.owner = owner;
    this.name = name;
    this.descriptor = descriptor;
  }

  static GuardRule of(Kind kind, String text, int... indexes) {
    return new GuardRule(kind, text, indexes, null, null, null);
  }

  static GuardRule before(String owner, String name) {
    return new GuardRule(Kind.BEFORE, null, new int[0], owner, name, "()V");
  }

  static GuardRule replace(String owner, String name, String descriptor) {
    return new GuardRule(Kind.REPLACE, null, new int[0], owner, name, descriptor);
  }

  static GuardRule argument(String owner, String name, String descriptor) {
    return new GuardRule(Kind.ARGUMENT, null, new int[0], owner, name, descriptor);
  }
}
