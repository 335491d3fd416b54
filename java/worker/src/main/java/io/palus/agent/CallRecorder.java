package io.palus.agent;

/**
 * What instrumented code calls. Decides whether a call is recorded: a call is, if one of its
 * objects is followed. New objects are followed until a method was entered as often as the cap says
 * with receivers of their class; so histories are recorded as a whole or not at all. An object for
 * which even twice the cap is not enough is given up, and the trace says so.
 */
public final class CallRecorder {
  private static boolean stopped = true;
  private static int cap = Integer.MAX_VALUE;
  private static int limit = Integer.MAX_VALUE;

  private CallRecorder() {}

  static void start(int entriesPerMethod) {
    cap = entriesPerMethod == 0 ? Integer.MAX_VALUE : entriesPerMethod;
    limit = cap > Integer.MAX_VALUE / 2 ? Integer.MAX_VALUE : cap * 2;
    stopped = false;
  }

  static void stop() {
    stopped = true;
  }

  /**
   * A method without arguments that could be followed is entered.
   *
   * @param receiver null for static methods and constructors
   * @param method its number
   * @return null if the call is not recorded
   */
  public static CallFrame enter(Object receiver, int method) {
    return stopped ? null : decide(receiver, null, null, null, method, false);
  }

  /**
   * As {@link #enter(Object, int)}, with one argument that could be followed.
   *
   * @param receiver null for static methods and constructors
   * @param a argument
   * @param method its number
   * @return null if the call is not recorded
   */
  public static CallFrame enter(Object receiver, Object a, int method) {
    return stopped ? null : decide(receiver, a, null, null, method, isFollowed(a));
  }

  /**
   * As {@link #enter(Object, int)}, with two arguments that could be followed.
   *
   * @param receiver null for static methods and constructors
   * @param a argument
   * @param b argument
   * @param method its number
   * @return null if the call is not recorded
   */
  public static CallFrame enter(Object receiver, Object a, Object b, int method) {
    return stopped ? null : decide(receiver, a, b, null, method, isFollowed(a) || isFollowed(b));
  }

  /**
   * As {@link #enter(Object, int)}, with any number of arguments that could be followed.
   *
   * @param receiver null for static methods and constructors
   * @param arguments arguments
   * @param method its number
   * @return null if the call is not recorded
   */
  public static CallFrame enter(Object receiver, Object[] arguments, int method) {
    return stopped
        ? null
        : decide(receiver, null, null, arguments, method, isAnyFollowed(arguments));
  }

  /**
   * As {@link #enter(Object, int)}, with a receiver that told its state, without arguments that
   * could be followed.
   *
   * @param receiver the receiver
   * @param state its state
   * @param method its number
   * @return null if the call is not recorded
   */
  public static CallFrame enter(Object receiver, long state, int method) {
    return stopped || state < 0 ? null : decide(receiver, null, null, null, method, false);
  }

  /**
   * As {@link #enter(Object, int)}, with a receiver that told its state, with one argument that
   * could be followed.
   *
   * @param receiver the receiver
   * @param state its state
   * @param a argument
   * @param method its number
   * @return null if the call is not recorded
   */
  public static CallFrame enter(Object receiver, long state, Object a, int method) {
    if (stopped) {
      return null;
    }
    boolean followed = isFollowed(a);
    return state < 0 && !followed ? null : decide(receiver, a, null, null, method, followed);
  }

  /**
   * As {@link #enter(Object, int)}, with a receiver that told its state, with two arguments that
   * could be followed.
   *
   * @param receiver the receiver
   * @param state its state
   * @param a argument
   * @param b argument
   * @param method its number
   * @return null if the call is not recorded
   */
  public static CallFrame enter(Object receiver, long state, Object a, Object b, int method) {
    if (stopped) {
      return null;
    }
    boolean followed = isFollowed(a) || isFollowed(b);
    return state < 0 && !followed ? null : decide(receiver, a, b, null, method, followed);
  }

  /**
   * As {@link #enter(Object, int)}, with a receiver that told its state, with any number of
   * arguments that could be followed.
   *
   * @param receiver the receiver
   * @param state its state
   * @param arguments arguments
   * @param method its number
   * @return null if the call is not recorded
   */
  public static CallFrame enter(Object receiver, long state, Object[] arguments, int method) {
    if (stopped) {
      return null;
    }
    boolean followed = isAnyFollowed(arguments);
    return state < 0 && !followed
        ? null
        : decide(receiver, null, null, arguments, method, followed);
  }

  private static boolean isAnyFollowed(Object[] arguments) {
    for (Object argument : arguments) {
      if (isFollowed(argument)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isFollowed(Object object) {
    // The commonest by far.
    if (object == null || object.getClass() == String.class || object.getClass() == Integer.class) {
      return false;
    }
    try {
      return ObjectState.get(object) > 0;
    } catch (Throwable e) {
      return false;
    }
  }

  /**
   * Null if the call is not recorded, else its frame. All in one method for the reason that {@link
   * CallFrame#record} has: every instrumented method would get a copy of it.
   */
  private static CallFrame decide(
      Object receiver, Object a, Object b, Object[] more, int number, boolean argumentFollowed) {
    Lane lane = null;
    try {
      if (receiver != null && !argumentFollowed && !isReceiverFollowed(receiver)) {
        return null;
      }
      MethodInfo method = MethodInfo.get(number);
      if (receiver == null && !method.isConstructor && !argumentFollowed && method.count >= cap) {
        MethodInfo.isDone[number] = true;
        return null;
      }
      lane = Lane.current();
      if (lane == null || lane.busy) {
        return null;
      }
      lane.busy = true;
      if (count(lane, method, receiver, argumentFollowed)) {
        boolean isInSuper =
            lane.depth > 0 && lane.frames[lane.depth - 1].stage == CallFrame.Stage.FOREIGN_SUPER;
        if (isInSuper) {
          CallEnd.closeLeftConstructors(lane);
        }
        int defined = lane.defined(method);
        CallFrame frame = lane.frame(lane.depth);
        frame.method = method;
        frame.stage = method.isConstructor ? CallFrame.Stage.ARGUMENTS : CallFrame.Stage.BODY;
        frame.isSuperOfBelow = method.isConstructor && isAwaited(lane, method.owner);
        lane.payload.length = 0;
        lane.payload.varint(defined);
        if (receiver != null) {
          lane.values.value(receiver);
        }
        return frame;
      }
      if (argumentFollowed || receiver != null) {
        // Whoever is still followed here is called without end. Its history ends.
        giveUp(lane, receiver);
        giveUp(lane, a);
        giveUp(lane, b);
        for (int i = 0; more != null && i < more.length; i++) {
          giveUp(lane, more[i]);
        }
      }
      lane.busy = false;
      return null;
    } catch (Throwable e) {
      if (lane != null) {
        lane.busy = false; // here, because the call below may be one too many for the stack
      }
      failed(lane, e);
      return null;
    }
  }

  /** Counts the entry; false if it is not to be recorded. */
  private static boolean count(
      Lane lane, MethodInfo method, Object receiver, boolean argumentFollowed) {
    if (receiver == null && !method.isConstructor) {
      return ++method.count <= limit;
    }
    ClassInfo counted;
    if (receiver != null) {
      counted = ClassInfo.of(receiver.getClass());
    } else {
      counted = method.owner;
      String skipped = lane.skippedSuper;
      lane.skippedSuper = null;
      if (counted.name.equals(skipped) && !argumentFollowed) {
        return false;
      }
      if (isAwaited(lane, counted)) {
        return true;
      }
      if (counted.isFull && !argumentFollowed) {
        return false;
      }
    }
    int entries = counted.count(method.number);
    if (entries > cap) {
      counted.isFull = true;
    }
    return entries <= (receiver == null && !argumentFollowed ? cap : limit);
  }

  /**
   * An object of which nothing will be recorded is marked, so that its next call costs one look.
   */
  private static boolean isReceiverFollowed(Object receiver) {
    long state = ObjectState.get(receiver);
    if (state != 0) {
      return state > 0;
    }
    ClassInfo info = ClassInfo.of(receiver.getClass());
    if (info.isFull) {
      ObjectState.drop(receiver);
    }
    return !info.isFull;
  }

  private static void giveUp(Lane lane, Object object) {
    long state = ObjectState.get(object);
    if (ObjectState.isFollowed(state)) {
      ObjectState.set(object, drop(lane, state));
    }
  }

  private static long drop(Lane lane, long state) {
    long id = ObjectState.id(state);
    if (ObjectState.thread(state) != lane.number) {
      lane.after(ObjectState.thread(state));
    }
    lane.capped(id);
    return id | ObjectState.DROPPED;
  }

  private static boolean isAwaited(Lane lane, ClassInfo owner) {
    if (lane.depth == 0) {
      return false;
    }
    CallFrame below = lane.frames[lane.depth - 1];
    return below.stage == CallFrame.Stage.SUPER && owner.name.equals(below.superName);
  }

  /**
   * Something went wrong in here: the call is not recorded. The end of the stack or of memory is
   * the program's; after anything else tracing stops, and the program goes on.
   */
  static void failed(Lane lane, Throwable cause) {
    if (lane != null) {
      lane.busy = false;
      lane.payload.length = 0;
    }
    if (cause instanceof StackOverflowError || cause instanceof OutOfMemoryError) {
      return;
    }
    if (cause.getClass().getName().equals("java.lang.ThreadDeath")) {
      throw (Error) cause; // Somebody stops this thread.
    }
    if (!stopped) {
      stopped = true;
      try {
        Lane own = lane == null ? Lane.current() : lane;
        if (own != null) {
          own.flush();
        }
      } catch (Throwable ignored) {
        // Then the trace ends before what this thread recorded last.
      }
      try {
        Lane.stop(cause);
      } catch (Throwable ignored) {
        // Nobody is left to be told.
      }
    }
  }
}
