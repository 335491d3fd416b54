package io.palus.worker;

import io.palus.wire.FrameReader;
import io.palus.wire.FrameWriter;
import io.palus.wire.WireException;
import java.io.BufferedInputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;

/**
 * Runs the worker: requests on standard input, responses on standard output. The subject sees other
 * streams. Ends by {@link ExitCode}.
 */
public final class WorkerMain {
  private static final int BUFFER = 1 << 16;
  private static final long STACK_BYTES = 16L << 20;

  private WorkerMain() {}

  /**
   * Answers requests until told to exit or standard input ends.
   *
   * @param arguments {@code --progress <file>}
   */
  public static void main(String[] arguments) {
    InputStream input = new BufferedInputStream(new FileInputStream(FileDescriptor.in), BUFFER);
    OutputStream output = new FileOutputStream(FileDescriptor.out);
    PrintStream errors = System.err;
    SystemState.silence();
    // Tasks for the common pool run in their caller, or in threads that are seen.
    System.setProperty("java.util.concurrent.ForkJoinPool.common.parallelism", "0");
    String progress = null;
    if (arguments.length == 2 && arguments[0].equals("--progress")) {
      progress = arguments[1];
    } else if (arguments.length > 0) {
      errors.println("usage: WorkerMain [--progress <file>]");
      errors.flush();
      ExitCode.WRONG_ARGUMENTS.halt();
    }
    String path = progress;
    Runnable work = () -> serve(input, output, errors, path).halt();
    // A thread of its own: its stack is as large as said here, whatever the flags.
    new Thread(null, work, "main", STACK_BYTES).start();
  }

  private static ExitCode serve(
      InputStream input, OutputStream output, PrintStream errors, String progress) {
    Progress file;
    try {
      file = Progress.open(progress);
    } catch (IOException e) {
      errors.println("palus worker: cannot keep progress: " + e);
      errors.flush();
      return ExitCode.WRONG_ARGUMENTS;
    }
    try {
      return new Session(new FrameReader(input), new FrameWriter(output), file).run();
    } catch (WireException e) {
      errors.println("palus worker: cannot read a request: " + e.getMessage());
      errors.flush();
      return ExitCode.WIRE_DAMAGED;
    } catch (IOException e) {
      return ExitCode.INPUT_ENDED;
    } catch (OutOfMemoryError e) {
      return ExitCode.OUT_OF_MEMORY;
    } catch (Throwable e) { // the last resort: nothing may be left silent
      e.printStackTrace(errors);
      errors.flush();
      return ExitCode.INTERNAL;
    }
  }
}
