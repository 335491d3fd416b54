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
    if (stopped) {
      return null;
    }
    boolean followed = false;
    for (Object argument : arguments) {
      followed |= isFollowed(argument);
    }
    return decide(receiver, null, null, arguments, method, followed);
  }

  private static boolean isFollowed(Object object) {
    if (object instanceof Traced) {
      return ((Traced) object).$palus$state() > 0;
    }
    if (object == null || object instanceof Enum || !ClassInfo.of(object.getClass()).isSubject) {
      return false;
    }
    IdentityMap.Entry entry = IdentityMap.find(object, false);
    return entry != null && entry.state > 0;
  }

  private static CallFrame decide(
      Object receiver, Object a, Object b, Object[] more, int number, boolean argumentFollowed) {
    Lane lane = null;
    try {
      if (receiver != null && !argumentFollowed && !isReceiverFollowed(receiver)) {
        return null;
      }
      MethodInfo method = MethodInfo.get(number);
      if (receiver == null && !method.isConstructor && !argumentFollowed && method.count >= cap) {
        return null;
      }
      lane = Lane.current();
      if (lane == null || lane.busy) {
        return null;
      }
      lane.busy = true;
      if (count(lane, method, receiver, argumentFollowed)) {
        return open(lane, method, receiver);
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
    }
    int entries = counted.count(method.number);
    if (entries > cap) {
      counted.isFull = true;
    }
    return entries <= (receiver == null && !argumentFollowed ? cap : limit);
  }

  private static boolean isReceiverFollowed(Object receiver) {
    long state;
    if (receiver instanceof Traced) {
      state = ((Traced) receiver).$palus$state();
    } else if (receiver instanceof Enum) {
      return !ClassInfo.of(receiver.getClass()).isFull;
    } else {
      IdentityMap.Entry entry = IdentityMap.find(receiver, false);
      state = entry == null ? 0 : entry.state;
    }
    return state > 0 || state == 0 && !ClassInfo.of(receiver.getClass()).isFull;
  }

  private static void giveUp(Lane lane, Object object) {
    if (object instanceof Traced) {
      Traced traced = (Traced) object;
      traced.$palus$state(drop(lane, traced.$palus$state()));
    } else if (object != null && ClassInfo.of(object.getClass()).isSubject) {
      IdentityMap.Entry entry = IdentityMap.find(object, true);
      entry.state = drop(lane, entry.state);
    }
  }

  private static long drop(Lane lane, long state) {
    if (!ObjectState.isFollowed(state)) {
      return state == 0 ? ObjectState.DROPPED : state;
    }
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

  private static CallFrame open(Lane lane, MethodInfo method, Object receiver) {
    if (lane.depth > 0 && lane.frames[lane.depth - 1].stage == CallFrame.Stage.FOREIGN_SUPER) {
      CallEnd.closeLeftConstructors(lane);
    }
    int number = lane.defined(method);
    CallFrame frame = lane.frame(lane.depth);
    frame.method = method;
    frame.stage = method.isConstructor ? CallFrame.Stage.ARGUMENTS : CallFrame.Stage.BODY;
    frame.isSuperOfBelow = method.isConstructor && isAwaited(lane, method.owner);
    lane.payload.length = 0;
    lane.payload.varint(number);
    if (receiver != null) {
      lane.values.value(receiver);
    }
    return frame;
  }

  /** Something of ours went wrong, such as the stack's end: the call is not recorded. */
  static void failed(Lane lane, Throwable cause) {
    if (lane != null) {
      lane.busy = false;
      lane.payload.length = 0;
    }
    if (!(cause instanceof StackOverflowError)) {
      ExceptionSink.report("a call could not be recorded", cause);
    }
  }
}
