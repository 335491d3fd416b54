package io.palus.worker.runtime;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * The calls that a sequence makes to an API out of subject code. Instrumented code tells of them;
 * {@code io.palus.worker.Recording} writes them.
 *
 * <p>Objects are told apart by identity, and nothing of the subject is called here. Of very many
 * calls the first ones are kept. What class initialisers call is left out: they run once for many
 * sequences.
 */
public final class ApiCalls {
  /** More calls of one sequence are not recorded. */
  public static final int MOST_CALLS = 10_000;

  /** In place of an object, where there is none of the API. */
  public static final int NONE = -1;

  private static final int NOT_RECORDED = -1;

  private static final Map<Object, Integer> NUMBERS = new IdentityHashMap<>();
  private static final List<String> OBJECTS = new ArrayList<>();
  private static final List<int[]> ARGUMENTS = new ArrayList<>();

  private static ApiTypes types;
  private static Thread owner;
  private static boolean isRecording;
  private static int count;
  private static int[] sites = new int[64];
  private static int[] receivers = new int[64];
  private static int[] results = new int[64];
  private static Throwable[] thrown = new Throwable[64];

  private ApiCalls() {}

  // What instrumented code calls.

  /**
   * A call on an object begins.
   *
   * @param receiver the object
   * @param site the number of the place where the call stands
   * @return the call's number
   */
  public static int begin(Object receiver, int site) {
    int object = isRecorded() ? number(receiver) : NONE;
    return object == NONE ? NOT_RECORDED : add(site, object);
  }

  /**
   * The call of a constructor or a static method begins.
   *
   * @param site the number of the place where the call stands
   * @return the call's number
   */
  public static int begin(int site) {
    return isRecorded() ? add(site, NONE) : NOT_RECORDED;
  }

  /**
   * An argument of a call.
   *
   * @param value the argument
   * @param position its position, from 0
   * @param call the call's number
   */
  public static void argument(Object value, int position, int call) {
    int object = isKnown(call) ? number(value) : NONE;
    if (object != NONE) {
      ARGUMENTS.add(new int[] {call, position, object});
    }
  }

  /**
   * What a call returned, or the object that a constructor made.
   *
   * @param value it
   * @param call the call's number
   */
  public static void returned(Object value, int call) {
    if (isKnown(call)) {
      results[call] = number(value);
    }
  }

  /**
   * A call ended with an exception.
   *
   * @param exception the exception
   * @param call the call's number
   */
  public static void threw(Throwable exception, int call) {
    if (isKnown(call)) {
      thrown[call] = exception;
    }
  }

  private static boolean isRecorded() {
    return isRecording
        && count < MOST_CALLS
        && Thread.currentThread() == owner
        && !Probes.isInitializing();
  }

  /** A call may outlive the recording, as one of a finalizer or of another thread does. */
  private static boolean isKnown(int call) {
    return call != NOT_RECORDED && isRecording && call < count && Thread.currentThread() == owner;
  }

  private static int add(int site, int receiver) {
    if (count == sites.length) {
      int size = count * 2;
      sites = Arrays.copyOf(sites, size);
      receivers = Arrays.copyOf(receivers, size);
      results = Arrays.copyOf(results, size);
      thrown = Arrays.copyOf(thrown, size);
    }
    sites[count] = site;
    receivers[count] = receiver;
    results[count] = NONE;
    thrown[count] = null;
    return count++;
  }

  private static int number(Object object) {
    String type = object == null ? null : types.of(object.getClass());
    if (type == null) {
      return NONE;
    }
    Integer known = NUMBERS.get(object);
    if (known != null) {
      return known;
    }
    int number = OBJECTS.size();
    NUMBERS.put(object, number);
    OBJECTS.add(type);
    return number;
  }

  // What the worker calls.

  /**
   * Records the sequences from here on, or none.
   *
   * @param ofApi the types of the API; null for no recording
   * @param thread the thread whose calls count
   */
  public static void set(ApiTypes ofApi, Thread thread) {
    types = ofApi;
    owner = thread;
    clear();
  }

  /**
   * Whether sequences are recorded.
   *
   * @return it
   */
  public static boolean areRecorded() {
    return types != null;
  }

  /** A sequence starts. */
  public static void start() {
    if (types != null) { // without, there is nothing to forget
      clear();
      isRecording = true;
    }
  }

  /** The sequence is over; what it called stays until {@link #clear}. */
  public static void end() {
    isRecording = false;
  }

  /** Forgets what was called, with all objects. */
  public static void clear() {
    isRecording = false;
    NUMBERS.clear();
    OBJECTS.clear();
    ARGUMENTS.clear();
    Arrays.fill(thrown, 0, count, null);
    count = 0;
  }

  /**
   * The type of each object.
   *
   * @return internal names
   */
  public static List<String> objects() {
    return OBJECTS;
  }

  /**
   * How many calls there are.
   *
   * @return it
   */
  public static int count() {
    return count;
  }

  /**
   * Where a call stands.
   *
   * @param call its number
   * @return the number of the site
   */
  public static int site(int call) {
    return sites[call];
  }

  /**
   * The object on which it was made.
   *
   * @param call its number
   * @return the object's number, or {@link #NONE}
   */
  public static int receiver(int call) {
    return receivers[call];
  }

  /**
   * What it gave.
   *
   * @param call its number
   * @return the object's number, or {@link #NONE}
   */
  public static int result(int call) {
    return results[call];
  }

  /**
   * How it ended.
   *
   * @param call its number
   * @return the class of the exception; null where it ended normally
   */
  public static Class<?> thrown(int call) {
    return thrown[call] == null ? null : thrown[call].getClass();
  }

  /**
   * Whether a call ended with this very exception.
   *
   * @param exception the exception
   * @return it
   */
  public static boolean haveThrown(Throwable exception) {
    for (int call = 0; call < count; call++) {
      if (thrown[call] == exception) {
        return true;
      }
    }
    return false;
  }

  /**
   * Arguments that are objects of the API, in the order of the calls and of positions.
   *
   * @return call, position and object of each
   */
  public static List<int[]> arguments() {
    return ARGUMENTS;
  }
}
