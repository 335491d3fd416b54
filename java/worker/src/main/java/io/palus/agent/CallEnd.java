package io.palus.agent;

/** What instrumented code calls when a recorded call ends, and on the way through a constructor. */
public final class CallEnd {
  static final String UNKNOWN = "java/lang/Throwable";

  private CallEnd() {}

  /**
   * A method without result returns.
   *
   * @param frame from its entry
   */
  public static void exit(CallFrame frame) {
    if (frame != null) {
      frame.record('V', 0, null);
    }
  }

  /**
   * A method returns a boolean.
   *
   * @param result its result
   * @param frame from its entry
   */
  public static void exit(boolean result, CallFrame frame) {
    if (frame != null) {
      frame.record('Z', result ? 1 : 0, null);
    }
  }

  /**
   * A method returns a byte.
   *
   * @param result its result
   * @param frame from its entry
   */
  public static void exit(byte result, CallFrame frame) {
    if (frame != null) {
      frame.record('B', result, null);
    }
  }

  /**
   * A method returns a char.
   *
   * @param result its result
   * @param frame from its entry
   */
  public static void exit(char result, CallFrame frame) {
    if (frame != null) {
      frame.record('C', result, null);
    }
  }

  /**
   * A method returns a short.
   *
   * @param result its result
   * @param frame from its entry
   */
  public static void exit(short result, CallFrame frame) {
    if (frame != null) {
      frame.record('S', result, null);
    }
  }

  /**
   * A method returns an int.
   *
   * @param result its result
   * @param frame from its entry
   */
  public static void exit(int result, CallFrame frame) {
    if (frame != null) {
      frame.record('I', result, null);
    }
  }

  /**
   * A method returns a long.
   *
   * @param result its result
   * @param frame from its entry
   */
  public static void exit(long result, CallFrame frame) {
    if (frame != null) {
      frame.record('J', result, null);
    }
  }

  /**
   * A method returns a float.
   *
   * @param result its result
   * @param frame from its entry
   */
  public static void exit(float result, CallFrame frame) {
    if (frame != null) {
      frame.record('F', Float.floatToRawIntBits(result), null);
    }
  }

  /**
   * A method returns a double.
   *
   * @param result its result
   * @param frame from its entry
   */
  public static void exit(double result, CallFrame frame) {
    if (frame != null) {
      frame.record('D', Double.doubleToRawLongBits(result), null);
    }
  }

  /**
   * A method returns a reference, or a constructor its new object.
   *
   * @param result its result
   * @param frame from its entry
   */
  public static void exit(Object result, CallFrame frame) {
    if (frame != null) {
      frame.record('L', 0, result);
    }
  }

  /**
   * A method throws.
   *
   * @param thrown what
   * @param frame from its entry
   */
  public static void thrown(Throwable thrown, CallFrame frame) {
    if (frame == null) {
      return;
    }
    Lane lane = frame.lane;
    try {
      if (frame.isOpen) {
        String name = ClassInfo.of(thrown.getClass()).name;
        closeAbove(lane, frame.depth + 1, UNKNOWN);
        closeAbove(lane, frame.depth, name);
      } else {
        // Thrown while the arguments were recorded: the stack's end.
        CallRecorder.failed(lane, thrown);
      }
    } catch (Throwable e) {
      CallRecorder.failed(lane, e);
    }
  }

  /**
   * A constructor is about to call another one, which may be instrumented.
   *
   * @param frame from its entry; null if the object is not recorded
   * @param owner internal name of the class of that constructor
   */
  public static void superCall(CallFrame frame, String owner) {
    if (frame != null) {
      frame.stage = CallFrame.Stage.SUPER;
      frame.superName = owner;
      return;
    }
    try {
      Lane lane = Lane.current();
      if (lane != null) {
        lane.skippedSuper = owner;
      }
    } catch (Throwable e) {
      CallRecorder.failed(null, e);
    }
  }

  /**
   * A constructor is about to call another one, which is not instrumented.
   *
   * @param frame from its entry; null if the object is not recorded
   */
  public static void foreignSuperCall(CallFrame frame) {
    if (frame != null) {
      frame.stage = CallFrame.Stage.FOREIGN_SUPER;
    }
  }

  /**
   * The other constructor is done.
   *
   * @param frame from the entry; null if the object is not recorded
   */
  public static void constructed(CallFrame frame) {
    if (frame != null) {
      frame.stage = CallFrame.Stage.BODY;
    }
  }

  /**
   * An object was copied field by field, its identity included: the copy has none yet.
   *
   * @param original the object
   * @param copy its copy
   */
  public static void cloned(Object original, Object copy) {
    try {
      if (copy != null && copy != original) {
        long state = ObjectState.get(original);
        if (state != 0 && ObjectState.get(copy) == state) {
          ObjectState.set(copy, 0);
        }
      }
    } catch (Throwable e) {
      CallRecorder.failed(null, e);
    }
  }

  /** Ends, as thrown, every call of the lane from the given depth on. */
  static void closeAbove(Lane lane, int depth, String thrownName) {
    while (lane.depth > depth) {
      CallFrame top = lane.frames[lane.depth - 1];
      int number = lane.defined(ClassInfo.named(thrownName));
      lane.payload.length = 0;
      lane.payload.varint(number);
      lane.write(TraceFormat.THROW, lane.payload);
      top.isOpen = false;
      lane.depth = top.depth;
      if (top.depth == 0) {
        lane.flush();
      }
      if (top.isSuperOfBelow && lane.depth == depth && depth > 0) {
        // A constructor whose super constructor throws has no handler that could tell.
        depth--;
      }
    }
  }

  /**
   * A call is entered while the innermost open one is a constructor in the call of a foreign super
   * constructor. Either that one calls us, or it has thrown, which nothing could tell us.
   */
  static void closeLeftConstructors(Lane lane) {
    CallFrame top = lane.frames[lane.depth - 1];
    String name = top.method.owner.name.replace('/', '.');
    int real = 0;
    for (StackTraceElement element : new Throwable().getStackTrace()) {
      if (element.getMethodName().equals("<init>") && element.getClassName().equals(name)) {
        real++;
      }
    }
    int open = 0;
    for (int i = 0; i < lane.depth; i++) {
      MethodInfo method = lane.frames[i].method;
      open += method.isConstructor && method.owner == top.method.owner ? 1 : 0;
    }
    if (open > real) {
      closeAbove(lane, top.depth, UNKNOWN);
    }
  }
}
