package io.palus.worker.runtime;

import java.util.ArrayList;
import java.util.List;

/**
 * The thread-locals that a sequence gave values in the thread that runs sequences: the next one
 * must not find them, as a test in a thread of its own does not.
 */
public final class ThreadLocals {
  private static final List<ThreadLocal<?>> HELD = new ArrayList<>();

  private static Thread runner;
  private static ThreadLocal<?> last;

  private ThreadLocals() {}

  /**
   * Instead of {@code ThreadLocal.get()}, which may make the first value.
   *
   * @param local receiver of the call
   * @return as the original
   */
  public static Object get(ThreadLocal<?> local) {
    Object value = local.get();
    hold(local);
    return value;
  }

  /**
   * Instead of {@code ThreadLocal.set(Object)}.
   *
   * @param local receiver of the call
   * @param value as the original
   */
  @SuppressWarnings("unchecked")
  public static void set(ThreadLocal<?> local, Object value) {
    ((ThreadLocal<Object>) local).set(value);
    hold(local);
  }

  /**
   * Instead of {@code ThreadLocal.remove()}.
   *
   * @param local receiver of the call
   */
  public static void remove(ThreadLocal<?> local) {
    local.remove();
    if (Thread.currentThread() == runner) {
      last = null;
      HELD.removeIf(held -> held == local);
    }
  }

  private static void hold(ThreadLocal<?> local) {
    if (local == last || Thread.currentThread() != runner) {
      return;
    }
    last = local;
    for (ThreadLocal<?> held : HELD) {
      if (held == local) {
        return;
      }
    }
    HELD.add(local);
  }

  // What the worker calls.

  /**
   * Says who runs sequences.
   *
   * @param thread the thread that does
   */
  public static void of(Thread thread) {
    runner = thread;
  }

  /**
   * Whether the sequence left a value in any.
   *
   * @return true if so
   */
  public static boolean areLeft() {
    return !HELD.isEmpty();
  }

  /**
   * Takes all values away. Code of the subject does not run for that: the sequence is over, and
   * what it starts now would be another one's.
   */
  public static void clear() {
    if (HELD.isEmpty()) {
      return;
    }
    last = null;
    Probes.dry();
    for (ThreadLocal<?> held : HELD.toArray(new ThreadLocal<?>[0])) {
      try {
        held.remove();
      } catch (Throwable e) { // the subject's own kind of thread-local keeps its value
        continue;
      }
    }
    HELD.clear();
  }
}
