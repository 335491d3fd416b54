package io.palus.worker.runtime;

import java.util.ArrayList;
import java.util.Arrays;

/** What stubs are called with, where their answer is a list that keeps it. */
public final class StubCalls {
  private StubCalls() {}

  /**
   * Adds a call to a list, as the written test does: its argument, a list of several, or the name
   * of a method that takes none.
   */
  public static void add(ArrayList<Object> calls, String method, Object[] arguments) {
    if (arguments.length == 0) {
      calls.add(method);
    } else {
      calls.add(arguments.length == 1 ? arguments[0] : Arrays.asList(arguments));
    }
  }
}
