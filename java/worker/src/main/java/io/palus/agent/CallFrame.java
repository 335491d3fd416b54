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
    lane.values.value(value);
  }

  /**
   * Records an argument.
   *
   * @param value the argument
   */
  public void argument(byte value) {
    lane.values.integer(TraceFormat.BYTE_VALUE, value);
  }

  /**
   * Records an argument.
   *
   * @param value the argument
   */
  public void argument(char value) {
    lane.values.value(value);
  }

  /**
   * Records an argument.
   *
   * @param value the argument
   */
  public void argument(short value) {
    lane.values.integer(TraceFormat.SHORT_VALUE, value);
  }

  /**
   * Records an argument.
   *
   * @param value the argument
   */
  public void argument(int value) {
    lane.values.value(value);
  }

  /**
   * Records an argument.
   *
   * @param value the argument
   */
  public void argument(long value) {
    lane.values.integer(TraceFormat.LONG_VALUE, value);
  }

  /**
   * Records an argument.
   *
   * @param value the argument
   */
  public void argument(float value) {
    lane.values.value(value);
  }

  /**
   * Records an argument.
   *
   * @param value the argument
   */
  public void argument(double value) {
    lane.values.value(value);
  }

  /**
   * Records an argument.
   *
   * @param value the argument
   */
  public void argument(Object value) {
    if (lane.busy) {
      try {
        lane.values.value(value);
      } catch (Throwable e) {
        CallRecorder.failed(lane, e);
      }
    }
  }

  /** Ends the arguments: the call is recorded from here on. */
  public void begin() {
    Lane lane = this.lane;
    if (!lane.busy) {
      return;
    }
    try {
      lane.write(TraceFormat.ENTER, lane.payload);
      lane.depth = depth + 1;
      isOpen = true;
      lane.busy = false;
    } catch (Throwable e) {
      CallRecorder.failed(lane, e);
    }
  }
}
