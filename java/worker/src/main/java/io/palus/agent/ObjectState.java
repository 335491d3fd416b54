package io.palus.agent;

/**
 * What is known of an object, packed into a long: identity in the low 44 bits, the thread that saw
 * it last in the next 16, and the sign for objects whose history is not recorded. 0: never seen.
 */
final class ObjectState {
  /** Not recorded, and never mentioned in the trace. */
  static final long DROPPED = Long.MIN_VALUE;

  private static final int THREAD_AT = 44;
  private static final long ID_MASK = (1L << THREAD_AT) - 1;

  private ObjectState() {}

  static long of(long id, int thread) {
    return id | (long) thread << THREAD_AT;
  }

  static long id(long state) {
    return state & ID_MASK;
  }

  static int thread(long state) {
    return (int) (state >>> THREAD_AT) & (TraceFormat.MAX_THREADS - 1);
  }

  /** True for an object whose history is being recorded. */
  static boolean isFollowed(long state) {
    return state > 0;
  }

  /** The state of an object; 0 for objects of other classes than the subject's. */
  static long get(Object object) {
    if (object == null || object instanceof Enum) {
      return 0;
    }
    Class<?> type = object.getClass();
    return ClassInfo.of(type).isSubject ? Members.of(type).state(object) : 0;
  }

  /** Nothing of the object will be recorded; forgotten where its state is kept beside it. */
  static void drop(Object object) {
    Members members = Members.of(object.getClass());
    if (members.haveState()) {
      members.state(object, DROPPED);
    }
  }

  /** Sets the state of an object of a subject class. */
  static void set(Object object, long state) {
    Members.of(object.getClass()).state(object, state);
  }
}
