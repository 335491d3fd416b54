package io.palus.worker.instrument;

/** What happens at a call site of one method of the JDK. */
final class GuardRule {
  /** The kinds of rules. */
  enum Kind {
    /** The call is denied. */
    DENY,
    /** Denied if one of the arguments is a path of anything but an own temporary file. */
    PATH,
    /** Like PATH, unless the next argument is the mode {@code r}. */
    PATH_MODE,
    /** Like PATH, unless the last argument opens for reading only. */
    PATH_OPTIONS,
    /** The arguments are a symbolic link and its target: like PATH for both. */
    PATH_LINK,
    /** The receiver or argument is a Method or another that calls one, which may be guarded. */
    REFLECTION,
    /** The receiver, or the last argument where it is an executor, may let another thread work. */
    HANDS_OVER,
    /** The receiver is a thread that is started, or what makes one and starts it. */
    STARTS,
    /** The arguments are a class, or an object of it, and the name of a method to look up. */
    LOOKUP,
    /** The receiver or argument is a field that is to be written. */
    FIELD_WRITE,
    /** The receiver or argument is a field that is to be read. */
    FIELD_READ,
    /** The arguments are a class and the name of a field to look up, in order to write it. */
    FIELD_LOOKUP,
    /** The argument is an object whose memory is to be written; none where it is an address. */
    MEMORY,
    /** A look at a file. */
    LOOK,
    /** A look at the names in a folder. */
    LIST,
    /** The argument is the name of a host, which would be asked of the network. */
    HOST,
    /** The receiver may let this thread wait for another. */
    WAIT,
    /** The argument is held weakly, and is to stay while the sequence runs. */
    HOLDS,
    /** Denied if the receiver is of a class of the JDK's own, which all code of the JVM uses. */
    OF_JDK,
    /**
     * Denied if the argument is what logging would close when the JVM ends, and that may do more.
     */
    AT_EXIT,
    /** A static method of ours is called before, without arguments. */
    BEFORE,
    /** A static method of ours is called instead; a receiver becomes its first argument. */
    REPLACE,
    /** A static method of ours is handed the object that the constructor made. */
    MADE,
    /** A static method of ours gives one more, last argument, in place of those that it takes. */
    ARGUMENT
  }

  /** Index of the receiver among {@link #indexes}. */
  static final int RECEIVER = -1;

  /** Index of the last argument. */
  static final int LAST = -2;

  final Kind kind;
  final String text;
  final int[] indexes;

  /** For BEFORE, REPLACE, MADE and ARGUMENT: class, name and descriptor of our method. */
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

  static GuardRule made(String owner, String name, String descriptor) {
    return new GuardRule(Kind.MADE, null, new int[0], owner, name, descriptor);
  }

  static GuardRule argument(String owner, String name, String descriptor) {
    return new GuardRule(Kind.ARGUMENT, null, new int[0], owner, name, descriptor);
  }

  /**
   * Whether a call may change something outside of the JVM or for all of its code. A field that is
   * only read changes nothing.
   */
  boolean mayReachOut() {
    boolean isHarmless = kind == Kind.BEFORE && (name.startsWith("wait") || name.equals("gather"));
    return preventsHarm() && kind != Kind.FIELD_READ
        || kind == Kind.HANDS_OVER
        || kind == Kind.STARTS
        || kind == Kind.BEFORE && !isHarmless;
  }

  /** Whether it is about fields and memory. */
  boolean isOfFields() {
    return kind == Kind.MEMORY || kind.name().startsWith("FIELD");
  }

  /** Whether what the guard is handed must be the path of a file. */
  boolean takesPaths() {
    boolean isOfCode = kind == Kind.REFLECTION || kind == Kind.LOOKUP || kind == Kind.AT_EXIT;
    return !isOfCode && !isOfFields() && !handsOver();
  }

  /** Whether it tells that another thread does something, now or later. */
  boolean handsOver() {
    boolean isLater = kind == Kind.BEFORE && owner.equals(GuardRules.HAND_OVERS);
    return kind == Kind.HANDS_OVER || kind == Kind.STARTS || isLater;
  }

  /** False for what only makes runs repeatable, or tells of them. */
  boolean preventsHarm() {
    switch (kind) {
      case DENY:
      case PATH:
      case PATH_MODE:
      case PATH_OPTIONS:
      case PATH_LINK:
      case REFLECTION:
      case LOOKUP:
      case FIELD_WRITE:
      case FIELD_READ:
      case FIELD_LOOKUP:
      case MEMORY:
      case HOST:
      case OF_JDK:
      case AT_EXIT:
        return true;
      default:
        return false;
    }
  }
}
