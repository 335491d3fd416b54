package io.palus.worker.runtime;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Collection;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.function.BinaryOperator;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;

/**
 * Stands before calls that would reach outside: ends the sequence instead of letting them happen,
 * or notes that something must be put right after it.
 */
public final class Guard {
  /** Milliseconds; a test that waits longer is not worth having. */
  private static final long LONGEST_WAIT = 1000;

  private static final Pattern NO_NAME = Pattern.compile("localhost|[0-9.]*|.*:.*");

  private static boolean mayHaveThreads;
  private static boolean mayHaveFiles;
  private static boolean isByInitializer;

  /** Milliseconds the sequence has waited. */
  private static long waited;

  private static Runnable beforeThreads = () -> {};
  private static BooleanSupplier anyThreadStarted = () -> false;
  private static Thread runner;

  private Guard() {}

  /**
   * Denies.
   *
   * @param what what the subject wanted to do
   */
  public static void deny(String what) {
    Probes.end(Probes.Stop.DENIED, what);
    throw new DeniedException(what);
  }

  /**
   * Denies a change of any file but the subject's own temporary ones.
   *
   * @param file a String, File or Path; anything else, and null, is left to the method called
   * @param what what the subject wanted to do
   */
  public static void path(Object file, String what) {
    if (!(file instanceof String || file instanceof File || file instanceof Path)) {
      return;
    }
    if (!OwnFiles.hold(file)) {
      deny(what);
    }
    mayHaveFiles = true;
  }

  /**
   * Like {@link #path}, for {@code RandomAccessFile}.
   *
   * @param file a String or File
   * @param mode {@code r} is allowed everywhere
   * @param what what the subject wanted to do
   */
  public static void pathMode(Object file, Object mode, String what) {
    if ("r".equals(mode)) {
      MissingFiles.asks(file);
    } else {
      path(file, what);
    }
  }

  /**
   * Like {@link #path}, for methods with open options.
   *
   * @param file a Path
   * @param options array or collection; only reading is allowed everywhere
   * @param what what the subject wanted to do
   */
  public static void pathOptions(Object file, Object options, String what) {
    Collection<?> all =
        options instanceof Object[]
            ? Arrays.asList((Object[]) options)
            : options instanceof Collection ? (Collection<?>) options : Arrays.asList();
    for (Object option : all) {
      if (option != StandardOpenOption.READ) {
        path(file, what);
      }
    }
    MissingFiles.asks(file);
  }

  /**
   * Denies a temporary file in any folder but the one for them or one made there.
   *
   * @param folder a File or Path; null is the folder for temporary files
   * @param method what the subject calls
   */
  static void temporary(Object folder, String method) {
    if (!OwnFiles.holdTemporary(folder)) {
      deny(method + " in a folder that it did not make");
    }
    mayHaveFiles = true;
  }

  /**
   * A call that may be to a method of {@code File}, by a subclass.
   *
   * @param receiver of the call
   * @param other another file that changes then; null for none
   * @param what what the subject may have wanted to do
   */
  public static void file(Object receiver, Object other, String what) {
    if (receiver instanceof File) {
      path(receiver, what);
      path(other, what);
    }
  }

  /**
   * Denies that the network is asked for a host; numbers and this machine need no asking.
   *
   * @param name of the host; null is left to the method called
   * @param what what the subject wanted to do
   */
  public static void host(Object name, String what) {
    if (name != null && !NO_NAME.matcher(name.toString()).matches()) {
      deny(what);
    }
  }

  /** A call that may start threads follows. */
  public static void startsThread() {
    isByInitializer |= Probes.isInitializing();
    if (!mayHaveThreads) {
      mayHaveThreads = true;
      beforeThreads.run();
    }
  }

  /**
   * A call of {@code start()} follows.
   *
   * @param receiver of the call
   */
  public static void start(Object receiver) {
    if (receiver instanceof Thread) {
      startsThread();
    }
  }

  /**
   * The entry of a finalizer: it goes on only where a sequence called it. When garbage is collected
   * is a matter of luck, and nobody hears of what the JVM's own call throws.
   */
  public static void finalizes() {
    if (Thread.currentThread() != runner) {
      throw Probes.stopError();
    }
  }

  /**
   * Instead of {@code Object.wait()}: nobody would wake this thread.
   *
   * @param monitor receiver of the call
   * @throws InterruptedException as the original
   */
  public static void waitFor(Object monitor) throws InterruptedException {
    waitFor(monitor, 0);
  }

  /**
   * Instead of {@code Object.wait(long)}.
   *
   * @param monitor receiver of the call
   * @param millis as the original
   * @throws InterruptedException as the original
   */
  public static void waitFor(Object monitor, long millis) throws InterruptedException {
    boolean mayWait = millis >= 0 && Thread.holdsLock(monitor);
    if (!mayWait || !passes(millis == 0 ? Long.MAX_VALUE : millis)) {
      monitor.wait(millis);
    }
  }

  /**
   * Instead of {@code Thread.sleep(long)}.
   *
   * @param millis as the original
   * @throws InterruptedException as the original
   */
  public static void sleep(long millis) throws InterruptedException {
    if (millis < 0 || !passes(millis)) {
      Thread.sleep(millis);
    }
  }

  /** Before {@code LockSupport.park()} and others that wait for another thread. */
  public static void waits() {
    passes(Long.MAX_VALUE);
  }

  /**
   * Before methods that wait for another thread unless the receiver is ready.
   *
   * @param receiver of the call
   * @param method its name
   */
  public static void mayWait(Object receiver, String method) {
    if (receiver == null || receiver.getClass().getClassLoader() != null) {
      return; // asking the subject's own types would run its code
    }
    boolean isReady = true;
    if (receiver instanceof CountDownLatch) {
      isReady = ((CountDownLatch) receiver).getCount() == 0;
    } else if (receiver instanceof Semaphore) {
      isReady = ((Semaphore) receiver).availablePermits() > 0;
    } else if (receiver instanceof Future) {
      isReady = ((Future<?>) receiver).isDone();
    } else if (receiver instanceof BlockingQueue) {
      BlockingQueue<?> queue = (BlockingQueue<?>) receiver;
      isReady =
          method.startsWith("take")
              ? !queue.isEmpty()
              : method.equals("put") && queue.remainingCapacity() > 0;
    }
    if (!isReady) {
      waits();
    }
  }

  /**
   * Lets time pass in place of a wait, where no other thread could end it: the clock that the
   * subject sees goes on, so that a loop which waits for a time ends the same on any machine. A
   * sequence that waits too long is ended; so is one that waits for threads which it started, since
   * no test is made of it whatever they do.
   *
   * @return false if the thread really has to wait
   */
  private static boolean passes(long millis) {
    Thread current = Thread.currentThread();
    if (current != runner || current.isInterrupted()) {
      return false;
    }
    boolean isOver = mayHaveThreads && anyThreadStarted.getAsBoolean();
    if (isOver || millis >= LONGEST_WAIT - waited) {
      Probes.end(Probes.Stop.WAIT, null);
      throw Probes.stopError();
    }
    waited += millis;
    Fixed.pass(millis);
    return true;
  }

  // What the worker calls.

  /**
   * Says where the subject may make temporary files and who runs sequences.
   *
   * @param folder the folder for temporary files
   * @param thread the thread that runs sequences
   * @param countThreads run before the first call of a sequence that may start threads
   * @param anyStarted whether a thread was started since
   * @param whyDenied from class and method called by reflection to what is denied, or null
   * @throws IOException if the folder cannot be resolved
   */
  public static void set(
      String folder,
      Thread thread,
      Runnable countThreads,
      BooleanSupplier anyStarted,
      BinaryOperator<String> whyDenied)
      throws IOException {
    OwnFiles.set(folder);
    runner = thread;
    beforeThreads = countThreads;
    anyThreadStarted = anyStarted;
    Reflections.set(whyDenied);
  }

  /** Starts a sequence: nothing noted. */
  public static void reset() {
    mayHaveThreads = false;
    mayHaveFiles = false;
    isByInitializer = false;
    waited = 0;
    OwnFiles.reset();
    MissingFiles.reset();
    Unset.reset();
  }

  /** Classes are loaded anew: no temporary file is the subject's own. */
  public static void forgetFiles() {
    OwnFiles.renew();
  }

  /** The temporary files there are stay the subject's own after this sequence. */
  public static void keepFiles() {
    OwnFiles.keep();
  }

  /**
   * Whether a file is one that the subject made itself and may change.
   *
   * @param file a String, File or Path
   * @return true if so
   */
  public static boolean isOwn(Object file) {
    return OwnFiles.hold(file);
  }

  /**
   * Whether {@link #startsThread} was called since the reset.
   *
   * @return true if so
   */
  public static boolean mayHaveThreads() {
    return mayHaveThreads;
  }

  /**
   * Whether a class initialiser may have started a thread, or changed what all code shares.
   *
   * @return true if so
   */
  public static boolean isByInitializer() {
    return isByInitializer || Changes.areByInitializers();
  }

  /**
   * Whether a change of a file was allowed since the reset.
   *
   * @return true if so
   */
  public static boolean mayHaveFiles() {
    return mayHaveFiles;
  }
}
