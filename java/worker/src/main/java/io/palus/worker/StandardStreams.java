package io.palus.worker;

import java.io.ByteArrayInputStream;
import java.io.OutputStream;
import java.io.PrintStream;

/**
 * Standard streams that lead nowhere: the subject's output is nobody's business. They stay open,
 * but know when they should have been closed, which in the JVM of the project's own tests would be
 * for good.
 */
public final class StandardStreams {
  private static volatile String closed;

  private StandardStreams() {}

  /** Puts them in the place of the JVM's own. */
  public static void set() {
    System.setIn(new In());
    System.setOut(new Out("System.out"));
    System.setErr(new Out("System.err"));
  }

  /**
   * What was closed first since this was last asked.
   *
   * @return its name; null for nothing
   */
  public static String closed() {
    String first = closed;
    if (first != null) {
      closed = null;
    }
    return first;
  }

  private static void close(String name) {
    if (closed == null) {
      closed = name;
    }
  }

  private static final class In extends ByteArrayInputStream {
    In() {
      super(new byte[0]);
    }

    @Override
    public void close() {
      StandardStreams.close("System.in");
    }
  }

  private static final class Out extends PrintStream {
    private final String name;

    Out(String name) {
      super(new Nowhere());
      this.name = name;
    }

    @Override
    public void close() {
      StandardStreams.close(name);
    }
  }

  private static final class Nowhere extends OutputStream {
    @Override
    public void write(int oneByte) {}

    @Override
    public void write(byte[] bytes, int from, int length) {}
  }
}
