package io.palus.worker;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;

/**
 * Standard streams that lead nowhere: the subject's output is nobody's business. They stay open,
 * but know when they should have been closed, which in the JVM of the project's own tests would be
 * for good, and when the input is read, by which build tools talk to that JVM.
 *
 * <p>Elsewhere they are of the very classes of the JVM's own, and here of none of these but by
 * inheritance of the output: a test that asserts which they are fails in one of both places. Those
 * elsewhere cannot stay open, so that new ones are to take their place, and tell nothing of a mark;
 * those here have told it before.
 */
public final class StandardStreams {
  private static volatile String used;

  /** Whether one was closed or read since they were made. */
  private static volatile boolean wereUsed;

  private static boolean isElsewhere;
  private static InputStream in;
  private static PrintStream out;
  private static PrintStream err;

  private StandardStreams() {}

  /** Puts new ones in the place of the JVM's own. */
  public static void set() {
    in = isElsewhere ? new BufferedInputStream(new In()) : new In();
    out = out("System.out");
    err = out("System.err");
    wereUsed = false;
    putBack();
  }

  private static void putBack() {
    System.setIn(in);
    System.setOut(out);
    System.setErr(err);
  }

  /** Puts them back where others are; new ones if {@link #wereUsed}: no closed one tells again. */
  static void renew() {
    if (wereUsed) {
      set();
    } else {
      putBack();
    }
  }

  /**
   * Whether one was closed or read since they were put there, by whatever code.
   *
   * @return true also after {@link #used} told of it
   */
  public static boolean wereUsed() {
    return wereUsed;
  }

  private static PrintStream out(String name) {
    return isElsewhere ? new PrintStream(new Nowhere(name)) : new Out(name);
  }

  /** From now on they are of other classes: which these are is a matter of the build tool. */
  public static void beElsewhere() {
    isElsewhere = true;
    set();
  }

  /**
   * What was closed or read first since this was last asked.
   *
   * @return its name and what was done; null for nothing
   */
  public static String used() {
    String first = used;
    if (first != null) {
      used = null;
    }
    return first;
  }

  private static void use(String what) {
    wereUsed = true;
    if (used == null) {
      used = what;
    }
  }

  private static final class In extends ByteArrayInputStream {
    In() {
      super(new byte[0]);
    }

    @Override
    public int read() {
      use("System.in read");
      return super.read();
    }

    @Override
    public int read(byte[] bytes, int from, int length) {
      use("System.in read");
      return super.read(bytes, from, length);
    }

    // What follows is there from Java 9 on, and reads without the above.

    public byte[] readAllBytes() {
      use("System.in read");
      return new byte[0];
    }

    public int readNBytes(byte[] bytes, int from, int length) {
      use("System.in read");
      return 0;
    }

    public long transferTo(OutputStream to) {
      use("System.in read");
      return 0;
    }

    // In the JVM of the project's own tests the build tool waits in a read, and holds its lock.

    @Override
    public int available() {
      use("System.in read");
      return super.available();
    }

    @Override
    public long skip(long most) {
      use("System.in read");
      return super.skip(most);
    }

    @Override
    public void mark(int limit) {
      use("System.in read");
      super.mark(limit);
    }

    @Override
    public void reset() {
      use("System.in read");
      super.reset();
    }

    @Override
    public void close() {
      use("System.in closed");
    }
  }

  private static final class Out extends PrintStream {
    Out(String name) {
      super(new Nowhere(name));
    }

    @Override
    public void close() {
      ((Nowhere) out).close();
    }
  }

  private static final class Nowhere extends OutputStream {
    private final String name;

    Nowhere(String name) {
      this.name = name;
    }

    @Override
    public void write(int oneByte) {}

    @Override
    public void write(byte[] bytes, int from, int length) {}

    @Override
    public void close() {
      use(name + " closed");
    }
  }
}
