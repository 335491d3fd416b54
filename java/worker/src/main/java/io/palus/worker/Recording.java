package io.palus.worker;

import io.palus.wire.ByteWriter;
import io.palus.worker.runtime.ApiCalls;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Writes what a sequence called of an API, and the exception that ended it. */
final class Recording {
  /** How names of methods begin that instrumentation adds. */
  private static final String ADDED = "palus$";

  /** The exception that ended the sequence, where a recorded call threw it. */
  private Class<?> failure;

  private StackTraceElement[] stack = new StackTraceElement[0];

  /** Before a sequence. */
  void clear() {
    failure = null;
    stack = new StackTraceElement[0];
  }

  /** Takes the exception that ended a sequence. */
  void fail(Throwable thrown) {
    if (!ApiCalls.haveThrown(thrown)) {
      return;
    }
    try {
      stack = thrown.getStackTrace();
      failure = thrown.getClass();
    } catch (Throwable e) { // the subject's code
      clear();
    }
  }

  /** Writes it, and forgets it. */
  void write(OutcomeWriter names, ByteWriter out) {
    List<String> objects = ApiCalls.objects();
    out.varint(objects.size());
    for (String type : objects) {
      names.name(type);
    }
    out.varint(ApiCalls.count());
    List<int[]> arguments = ApiCalls.arguments();
    int next = 0;
    for (int call = 0; call < ApiCalls.count(); call++) {
      out.varint(ApiCalls.site(call));
      out.varint(ApiCalls.receiver(call) + 1);
      int first = next;
      while (next < arguments.size() && arguments.get(next)[0] == call) {
        next++;
      }
      out.varint(next - first);
      for (int[] argument : arguments.subList(first, next)) {
        out.varint(argument[1]);
        out.varint(argument[2]);
      }
      out.varint(ApiCalls.result(call) + 1);
      Class<?> thrown = ApiCalls.thrown(call);
      out.bool(thrown != null);
      if (thrown != null) {
        names.name(internalName(thrown.getName()));
      }
    }
    out.bool(failure != null);
    if (failure != null) {
      writeFailure(names, out);
    }
    clear();
    ApiCalls.clear();
  }

  private void writeFailure(OutcomeWriter names, ByteWriter out) {
    List<String> lineage = new ArrayList<>();
    for (Class<?> type = failure; type != Object.class; type = type.getSuperclass()) {
      lineage.add(internalName(type.getName()));
    }
    out.varint(lineage.size());
    for (String name : lineage) {
      names.name(name);
    }
    List<StackTraceElement> frames = new ArrayList<>(Arrays.asList(stack));
    frames.removeIf(frame -> frame.getMethodName().startsWith(ADDED));
    out.varint(frames.size());
    for (StackTraceElement frame : frames) {
      names.name(internalName(frame.getClassName()));
      names.name(frame.getMethodName());
      out.varint(Math.max(frame.getLineNumber(), 0));
    }
  }

  private static String internalName(String binaryName) {
    return binaryName.replace('.', '/');
  }
}
