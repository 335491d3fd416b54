package io.palus.worker;

import io.palus.wire.FrameReader;
import io.palus.wire.FrameWriter;
import io.palus.wire.WireException;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Runs the worker: requests and responses on the {@link Wire}. The subject sees other streams. Ends
 * by {@link ExitCode}.
 */
public final class WorkerMain {
  private static final List<String> OPTIONS = Arrays.asList("--progress", "--user", "--wire");
  private static final int BUFFER = 1 << 16;
  private static final long STACK_BYTES = 16L << 20;

  private WorkerMain() {}

  /**
   * Answers requests until told to exit or the input ends.
   *
   * @param arguments {@code --progress <file>}, {@code --user <folder>} with what stands for the
   *     user's files, and {@code --wire <in>,<out>} with the descriptors of the wire
   */
  public static void main(String[] arguments) {
    PrintStream errors = System.err;
    StandardStreams.set();
    // Tasks for the common pool run in their caller, or in threads that are seen.
    System.setProperty("java.util.concurrent.ForkJoinPool.common.parallelism", "0");
    Map<String, String> options = new HashMap<>();
    for (int i = 0; i < arguments.length; i += 2) {
      if (i + 1 == arguments.length || !OPTIONS.contains(arguments[i])) {
        errors.println(
            "usage: WorkerMain [--progress <file>] [--user <folder>] [--wire <in>,<out>]");
        errors.flush();
        ExitCode.WRONG_ARGUMENTS.halt();
      }
      options.put(arguments[i], arguments[i + 1]);
    }
    Runnable work =
        () -> {
          ExitCode end = ExitCode.WRONG_ARGUMENTS;
          try {
            Session session = open(errors, options);
            if (session != null) {
              end = session.run(); // from here: each frame below it makes stack traces dearer
            }
          } catch (Throwable e) {
            end = told(e, errors);
          }
          end.halt();
        };
    // A thread of its own: its stack is as large as said here, whatever the flags.
    new Thread(null, work, "main", STACK_BYTES).start();
  }

  /** Null where that fails, which is told. */
  private static Session open(PrintStream errors, Map<String, String> options) {
    Wire wire;
    try {
      wire = Wire.open(options.get("--wire"));
    } catch (IOException e) {
      errors.println("palus worker: cannot open the wire: " + e);
      errors.flush();
      return null;
    }
    Progress file;
    KernelNotes notes;
    UserFiles user;
    Denials kernel;
    try {
      file = Progress.open(options.get("--progress"));
    } catch (IOException e) {
      errors.println("palus worker: cannot keep progress: " + e);
      errors.flush();
      return null;
    }
    try {
      notes = KernelNotes.open();
      kernel = Denials.ofThisThread(notes);
    } catch (IOException e) {
      errors.println("palus worker: cannot read what the kernel denied: " + e);
      errors.flush();
      return null;
    }
    try {
      user = UserFiles.in(options.get("--user"), false, notes);
    } catch (IOException e) {
      errors.println("palus worker: cannot tell what stands for the user's files: " + e);
      errors.flush();
      return null;
    }
    FrameReader input = new FrameReader(new BufferedInputStream(wire.input, BUFFER));
    return new Session(input, new FrameWriter(wire.output), file, user, kernel);
  }

  private static ExitCode told(Throwable end, PrintStream errors) {
    if (end instanceof WireException) {
      errors.println("palus worker: cannot read a request: " + end.getMessage());
      errors.flush();
      return ExitCode.WIRE_DAMAGED;
    }
    if (end instanceof IOException) {
      return ExitCode.INPUT_ENDED;
    }
    if (end instanceof OutOfMemoryError) {
      return ExitCode.OUT_OF_MEMORY;
    }
    end.printStackTrace(errors); // the last resort: nothing may be left silent
    errors.flush();
    return ExitCode.INTERNAL;
  }
}
