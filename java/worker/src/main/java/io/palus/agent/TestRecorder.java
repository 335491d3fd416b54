package io.palus.agent;

/** What instrumented test methods call. */
public final class TestRecorder {
  private TestRecorder() {}

  /**
   * A test method is entered.
   *
   * @param test the test object; null for a static method
   * @param owner internal name of the class that declares it
   * @param name name of the method
   * @return null inside another test method
   */
  public static CallFrame start(Object test, String owner, String name) {
    Lane lane = null;
    try {
      lane = Lane.current();
      if (lane == null || lane.busy || lane.test != null) {
        return null;
      }
      lane.values.looksAgain();
      CallEnd.closeAbove(lane, 0, "java/lang/Throwable");
      ClassInfo info = test == null ? ClassInfo.named(owner) : ClassInfo.of(test.getClass());
      int number = lane.defined(info);
      int text = lane.values.numberedText(name);
      lane.payload.length = 0;
      lane.payload.varint(number);
      lane.payload.varint(text);
      lane.write(TraceFormat.TEST_START, lane.payload);
      lane.test = new CallFrame(lane, 0);
      return lane.test;
    } catch (Throwable e) {
      CallRecorder.failed(lane, e);
      return null;
    }
  }

  /**
   * A test method returns.
   *
   * @param frame from its entry
   */
  public static void passed(CallFrame frame) {
    end(frame, TraceFormat.TEST_PASSED);
  }

  /**
   * A test method throws.
   *
   * @param thrown what
   * @param frame from its entry
   * @param expected internal name of the exception that its annotation expects, or null
   */
  public static void thrown(Throwable thrown, CallFrame frame, String expected) {
    if (frame == null) {
      return;
    }
    boolean isFine = false;
    try {
      for (Class<?> type = thrown.getClass(); type != null; type = type.getSuperclass()) {
        String name = type.getName().replace('.', '/');
        isFine |= name.equals(expected) || isAssumption(name);
      }
    } catch (Throwable e) {
      CallRecorder.failed(frame.lane, e);
    }
    end(frame, isFine ? TraceFormat.TEST_PASSED : TraceFormat.TEST_FAILED);
  }

  private static boolean isAssumption(String name) {
    return name.equals("org/opentest4j/TestAbortedException")
        || name.equals("org/junit/internal/AssumptionViolatedException");
  }

  private static void end(CallFrame frame, int kind) {
    if (frame == null || frame.lane.test != frame) {
      return;
    }
    Lane lane = frame.lane;
    try {
      lane.test = null;
      CallEnd.closeAbove(lane, 0, "java/lang/Throwable");
      lane.write(kind);
      lane.flush();
    } catch (Throwable e) {
      CallRecorder.failed(lane, e);
    }
  }
}
