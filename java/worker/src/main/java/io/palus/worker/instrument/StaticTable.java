package io.palus.worker.instrument;

import io.palus.worker.runtime.Statics;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Numbers of classes that have static fields, and how each comes by its first static state. */
public final class StaticTable {
  /** Where the first values of a class's static fields come from. */
  public enum Start {
    /** Nobody knows: the class is not instrumented. */
    UNKNOWN,
    /** All are zero or null. */
    ZERO,
    /** A class initialiser makes them, and tells when it is done. */
    INITIALIZER
  }

  private final Map<String, Integer> numbers = new HashMap<>();
  private final List<String> names = new ArrayList<>();
  private final List<Start> starts = new ArrayList<>();

  /** Makes an empty table. */
  public StaticTable() {}

  /**
   * The number of a class, a new one if it has none.
   *
   * @param name internal name
   * @return the number, the same the worker's life long
   */
  public synchronized int number(String name) {
    Integer number = numbers.get(name);
    if (number == null) {
      number = names.size();
      numbers.put(name, number);
      names.add(name);
      starts.add(Start.UNKNOWN);
      Statics.grow(names.size());
    }
    return number;
  }

  /**
   * The class of a number.
   *
   * @param number one that was given
   * @return internal name
   */
  public synchronized String name(int number) {
    return names.get(number);
  }

  /**
   * How the class comes by its first static state.
   *
   * @param number one that was given
   * @return it
   */
  public synchronized Start start(int number) {
    return starts.get(number);
  }

  synchronized void set(int number, Start start) {
    starts.set(number, start);
  }
}
