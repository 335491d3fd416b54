package io.palus.agent;

/**
 * An open call that is being recorded; one object per depth of a lane, used again. Public only
 * because instrumented code keeps it in a local variable and hands it the call's arguments.
 */
public final class CallFrame {
  /** How far a constructor is. */
  enum Stage {
    /** In the body, or no constructor. */
    BODY,
    /** Before the call of the other constructor. */
    ARGUMENTS,
    /** In the call of a constructor that may be instrumented. */
    SUPER,
    /** In the call of a constructor that is not. */
    FOREIGN_SUPER
  }

  /** HotSpot's FreqInlineSize: bytes of a method that is copied where it is called often. */
  static final int MOST_INLINED = 325;

  private static final int ARGUMENT = 1 << 16;

  final Lane lane;
  final int depth;
  MethodInfo method;
  Stage stage;

  /** Internal name of the class whose constructor is called in stage SUPER. */
  String superName;

  /** True if this is the constructor call that the frame below waits for. */
  boolean isSuperOfBelow;

  boolean isOpen;

  CallFrame(Lane lane, int depth) {
    this.lane = lane;
    this.depth = depth;
  }

  /**
   * Records an argument.
   *
   * @param value the argument
   */
  public void argument(boolean value) {
    record(ARGUMENT | 'Z', value ? 1 : 0, null);
  }

  /**
   * Records an argument.
   *
   * @param value the argument
   */
  public void argument(byte value) {
    record(ARGUMENT | 'B', value, null);
  }

  /**
   * Records an argument.
   *
   * @param value the argument
   */
  public void argument(char value) {
    record(ARGUMENT | 'C', value, null);
  }

  /**
   * Records an argument.
   *
   * @param value the argument
   */
  public void argument(short value) {
    record(ARGUMENT | 'S', value, null);
  }

  /**
   * Records an argument.
   *
   * @param value the argument
   */
  public void argument(int value) {
    record(ARGUMENT | 'I', value, null);
  }

  /**
   * Records an argument.
   *
   * @param value the argument
   */
  public void argument(long value) {
    record(ARGUMENT | 'J', value, null);
  }

  /**
   * Records an argument.
   *
   * @param value the argument
   */
  public void argument(float value) {
    record(ARGUMENT | 'F', Float.floatToRawIntBits(value), null);
  }

  /**
   * Records an argument.
   *
   * @param value the argument
   */
  public void argument(double value) {
    record(ARGUMENT | 'D', Double.doubleToRawLongBits(value), null);
  }

  /**
   * Records an argument.
   *
   * @param value the argument
   */
  public void argument(Object value) {
    record(ARGUMENT | 'L', 0, value);
  }

  /** Ends the arguments: the call is recorded from here on. */
  public void begin() {
    record(TraceFormat.ENTER, 0, null);
  }

  /**
   * Writes an argument, or the record that begins or ends this call. All in one method, and one of
   * more than {@link #MOST_INLINED} bytes, on purpose: the JIT compiler would copy smaller ones
   * into every instrumented method, and compiling costs more than calling.
   *
   * @param kind ENTER, or what the result is: the letter of a primitive type, V for void, L; with
   *     {@link #ARGUMENT}, what the argument is
   * @param bits a primitive value
   * @param reference another value
   */
  void record(int kind, long bits, Object reference) {
    Lane lane = this.lane;
    if ((kind & ARGUMENT) != 0) {
      if (lane.busy) {
        try {
          if (kind == (ARGUMENT | 'L')) {
            lane.values.value(reference);
          } else {
            lane.values.primitive(kind & ~ARGUMENT, bits);
          }
        } catch (Throwable e) {
          CallRecorder.failed(lane, e);
        }
      }
      return;
    }
    boolean enters = kind == TraceFormat.ENTER;
    // An entry that failed is no longer busy; a call whose entry failed is not open.
    if (enters ? !lane.busy : !isOpen) {
      return;
    }
    Throwable failure = null;
    long count = lane.count;
    try {
      if (!enters) {
        if (lane.depth > depth + 1) {
          CallEnd.closeAbove(lane, depth + 1, CallEnd.UNKNOWN);
          count = lane.count;
        }
        lane.busy = true;
        lane.payload.length = 0;
      }
      switch (kind) {
        case TraceFormat.ENTER:
          lane.write(TraceFormat.ENTER, lane.payload);
          break;
        case 'V':
          lane.write(TraceFormat.EXIT_VOID);
          break;
        case 'L':
          lane.values.value(reference);
          // Names and marks are records too.
          count = lane.count;
          break;
        default:
          lane.values.primitive(kind, bits);
      }
      if (!enters && kind != 'V') {
        lane.write(TraceFormat.EXIT, lane.payload);
      }
    } catch (Throwable e) {
      failure = e;
    }
    // Nothing is called up to the end of this block, so the stack's end cannot come between.
    lane.busy = false;
    if (lane.count != count) {
      isOpen = enters;
      lane.depth = enters ? depth + 1 : depth;
    }
    if (failure == null) {
      try {
        if (lane.depth == 0) {
          lane.flush();
        } else {
          lane.flushIfMany();
        }
      } catch (Throwable e) {
        failure = e;
      }
    }
    if (failure != null) {
      CallRecorder.failed(lane, failure);
    }
  }
}
