package io.palus.worker.runtime;

import java.util.Arrays;

/**
 * Which classes' static state the running sequence may have changed. Instrumented code tells before
 * it writes a static field, or reads one whose value can be changed; a class is a number.
 *
 * <p>What class initialisers change is no sequence's: it happens once. Therefore what was first
 * touched while one ran is untouched again at its end, and its state is remembered as it is then.
 */
public final class Statics {
  private static final byte UNTOUCHED = 0;
  private static final byte TOUCHED = 1;
  private static final byte CONSTANT = 2;

  private static byte[] marks = new byte[1 << 8];

  /** With room for what threads of the subject do at once. */
  private static int[] touched = new int[2 << 8];

  private static int touchedCount;
  private static int[] opened = new int[32];
  private static int openCount;
  private static Keeper keeper;

  private Statics() {}

  /** Remembers static state. */
  public interface Keeper {
    /**
     * A class was initialised: its static state, and that of the classes touched meanwhile, is from
     * now on what sequences start from.
     *
     * @param type the class
     * @param from index of the first class touched meanwhile; the last is the last of all
     * @param bySequence number of classes that the sequence had touched before, from index 0
     */
    void remember(int type, int from, int bySequence);
  }

  // What instrumented code calls.

  /**
   * Before a static field is used.
   *
   * @param type the class that the instruction names
   */
  public static void touch(int type) {
    if (marks[type] == UNTOUCHED) {
      marks[type] = TOUCHED;
      touched[touchedCount++] = type;
    }
  }

  /**
   * The entry of a class initialiser.
   *
   * @param type its class
   */
  public static synchronized void opens(int type) {
    if (openCount + 2 > opened.length) {
      opened = Arrays.copyOf(opened, opened.length * 2);
    }
    opened[openCount++] = type;
    opened[openCount++] = touchedCount;
  }

  /**
   * The return of a class initialiser; those within it that threw end here, too.
   *
   * @param type its class
   */
  public static synchronized void closes(int type) {
    if (openCount == 0) {
      return; // another thread's sequence is over
    }
    int bySequence = opened[1];
    int before = touchedCount;
    boolean isFound = false;
    while (!isFound && openCount > 0) {
      before = opened[--openCount];
      isFound = opened[--openCount] == type;
    }
    if (keeper != null) {
      keeper.remember(type, before, bySequence);
    }
    while (touchedCount > before) {
      marks[touched[--touchedCount]] = UNTOUCHED;
    }
  }

  // What the worker calls.

  /**
   * Makes room for classes.
   *
   * @param total how many there are in all
   */
  public static void grow(int total) {
    if (total > marks.length) {
      int size = Math.max(total, marks.length * 2);
      touched = Arrays.copyOf(touched, 2 * size);
      marks = Arrays.copyOf(marks, size);
    }
  }

  /**
   * Classes are loaded anew: nothing is touched.
   *
   * @param newKeeper who remembers; null for nobody
   */
  public static void renew(Keeper newKeeper) {
    keeper = newKeeper;
    Arrays.fill(marks, UNTOUCHED);
    reset();
  }

  /** Touched classes are untouched again. */
  public static void reset() {
    for (int i = 0; i < touchedCount; i++) {
      if (marks[touched[i]] == TOUCHED) {
        marks[touched[i]] = UNTOUCHED;
      }
    }
    touchedCount = 0;
    openCount = 0;
  }

  /**
   * Says that a class has nothing that sequences can change: it is never touched again.
   *
   * @param type the class
   */
  public static void isConstant(int type) {
    marks[type] = CONSTANT;
  }

  /**
   * Number of classes touched.
   *
   * @return it
   */
  public static int touchedCount() {
    return touchedCount;
  }

  /**
   * A class touched.
   *
   * @param index less than their number
   * @return the class
   */
  public static int touched(int index) {
    return touched[index];
  }
}
