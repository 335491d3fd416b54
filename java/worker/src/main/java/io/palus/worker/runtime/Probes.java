package io.palus.worker.runtime;

import java.util.Arrays;

/**
 * Coverage, fuel and depth of the sequence that runs. Instrumented code calls the methods of the
 * first part; {@code native/wire/FORMAT.md} says where its probes stand.
 *
 * <p>Probes of all classes share one table; a class owns a range of it. The state belongs to the
 * one thread that runs sequences. Other threads of the subject use it too: what they burn does not
 * matter, since a sequence that starts a thread is never written.
 */
public final class Probes {
  /** Why a sequence must end. */
  public enum Stop {
    /** Nothing ended it. */
    NONE,
    /** The fuel is used up. */
    FUEL,
    /** Too many open calls. */
    DEPTH,
    /** It would wait for something that never comes. */
    WAIT,
    /** A guard denied something. */
    DENIED
  }

  /** Open calls of subject methods; handlers set it back to what it was at their method's entry. */
  public static int depth;

  private static final StopError STOP_ERROR = new StopError();

  private static byte[] hits = new byte[1 << 12];
  private static int[] touched = new int[1 << 12];
  private static int touchedCount;

  private static int fuel = Integer.MAX_VALUE;
  private static int fullFuel = Integer.MAX_VALUE;
  private static int maxDepth = Integer.MAX_VALUE;
  private static Stop stop = Stop.NONE;
  private static String denied;
  private static Thread deniedTo;
  private static int openInitializers;
  private static int fuelOutside;
  private static int depthOutside;

  private Probes() {}

  // What instrumented code calls.

  /**
   * Marks a probe as touched.
   *
   * @param probe its place in the table
   */
  public static void hit(int probe) {
    if (hits[probe] == 0) {
      touch(probe);
    }
  }

  /**
   * The entry of a method.
   *
   * @param probe its first probe
   */
  public static void enter(int probe) {
    if (hits[probe] == 0) {
      touch(probe);
    }
    if (--fuel < 0) {
      runOut();
    }
    if (++depth > maxDepth) {
      tooDeep();
    }
  }

  /** A return of a method. */
  public static void leave() {
    depth--;
  }

  /** A backward jump. */
  public static void burn() {
    if (--fuel < 0) {
      runOut();
    }
  }

  /**
   * The entry of a class initialiser: no fuel is burnt until it ends.
   *
   * @param probe its first probe
   */
  public static void enterInitializer(int probe) {
    hit(probe);
    if (openInitializers++ == 0 && stop == Stop.NONE) {
      fuelOutside = fuel;
      depthOutside = depth;
      fuel = Integer.MAX_VALUE;
      depth = 0;
    }
  }

  /** The end of a class initialiser, by return or by exception. */
  public static void leaveInitializer() {
    if (--openInitializers == 0 && stop == Stop.NONE) {
      fuel = fuelOutside;
      depth = depthOutside;
    }
  }

  /** Whether a class initialiser runs. */
  static boolean isInitializing() {
    return openInitializers > 0;
  }

  /** Whether the sequence has touched a probe. */
  static boolean isHit(int probe) {
    return hits[probe] != 0;
  }

  private static void touch(int probe) {
    touched[touchedCount] = probe;
    hits[probe] = 1;
    touchedCount++;
  }

  private static void runOut() {
    fuel = 0;
    if (stop == Stop.NONE) {
      stop = Stop.FUEL;
    }
    throw STOP_ERROR;
  }

  private static void tooDeep() {
    depth--;
    end(Stop.DEPTH, null);
    throw STOP_ERROR;
  }

  /** Ends the sequence: every probe from here on throws. */
  static void end(Stop reason, String what) {
    if (stop == Stop.NONE) {
      stop = reason;
      denied = what;
      deniedTo = Thread.currentThread();
    }
    fuel = 0;
  }

  static StopError stopError() {
    return STOP_ERROR;
  }

  // What the worker calls.

  /**
   * Makes room for probes.
   *
   * @param total how many probes there are in all
   */
  public static void grow(int total) {
    if (total > hits.length) {
      int size = Math.max(total, hits.length * 2);
      touched = Arrays.copyOf(touched, size);
      hits = Arrays.copyOf(hits, size);
      Distances.grow(size);
    }
  }

  /**
   * Starts a sequence: nothing touched, fuel full.
   *
   * @param newFuel method entries and backward jumps it may use
   * @param newMaxDepth calls it may have open
   */
  public static void reset(int newFuel, int newMaxDepth) {
    for (int i = 0; i < touchedCount; i++) {
      hits[touched[i]] = 0;
    }
    touchedCount = 0;
    fuel = Math.min(newFuel, Mutants.mostFuel());
    fullFuel = fuel;
    maxDepth = newMaxDepth;
    depth = 0;
    openInitializers = 0;
    stop = Stop.NONE;
    denied = null;
  }

  /**
   * Fills the fuel again after a sequence, for what is asked of its exception; keeps what was
   * touched.
   *
   * @param newFuel as for {@link #reset}
   */
  public static void refuel(int newFuel) {
    fuel = newFuel;
    depth = 0;
    openInitializers = 0;
    stop = Stop.NONE;
    denied = null;
  }

  /** Lets every probe throw, for threads that outlive their sequence. */
  public static void dry() {
    fuel = 0;
  }

  /**
   * The state of ending, so far.
   *
   * @return why the sequence must end
   */
  public static Stop stop() {
    return stop;
  }

  /**
   * What the sequence cost so far.
   *
   * @return method entries and backward jumps of the subject; all it may use once it must end
   */
  public static int cost() {
    return fullFuel - Math.max(fuel, 0);
  }

  /**
   * What a guard denied.
   *
   * @return it; null if nothing was denied
   */
  public static String denied() {
    return denied;
  }

  /**
   * Whom the guard denied it.
   *
   * @return the thread; only to be asked where something was denied
   */
  public static Thread deniedTo() {
    return deniedTo;
  }

  /**
   * Number of probes touched.
   *
   * @return it
   */
  public static int touchedCount() {
    return touchedCount;
  }

  /**
   * Probes touched, in order of time.
   *
   * @return the table; valid until the next reset
   */
  public static int[] touched() {
    return touched;
  }
}
