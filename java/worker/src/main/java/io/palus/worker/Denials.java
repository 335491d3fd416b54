package io.palus.worker;

import java.io.IOException;
import java.net.InetAddress;
import java.util.HashSet;
import java.util.Set;

/**
 * What the kernel denied to code that runs here, whether or not a guard stood before the call: it
 * stands in the {@link KernelNotes} before the call returns. Where there are none nothing is ever
 * denied.
 */
public final class Denials {
  private final KernelNotes notes;

  private final Set<Integer> threads = new HashSet<>();

  /** Whether the threads are those that count, or all the others do. */
  private final boolean areOnlyThese;

  private volatile long seen;

  /** What was denied before the notes were put aside; null for nothing. */
  private volatile String before;

  /** How many of ours are at work, one within the other. */
  private int pauses;

  private Denials(KernelNotes notes, boolean areOnlyThese) {
    this.areOnlyThese = areOnlyThese;
    this.notes = notes;
    if (notes.exist()) {
      InetAddress.getLoopbackAddress(); // loads a library that tries once whether there are sockets
    }
    mark();
  }

  /**
   * Those of the calling thread.
   *
   * @return them
   * @throws IOException if the thread cannot be told
   */
  static Denials ofThisThread(KernelNotes notes) throws IOException {
    Denials denials = new Denials(notes, true);
    if (notes.exist()) {
      denials.threads.add(Tasks.ofThisThread());
    }
    return denials;
  }

  /**
   * Those of the calling thread and of threads that start later, but not those of the JVM's own.
   *
   * @param notes of all denials
   * @return them
   * @throws IOException if the threads cannot be told
   */
  public static Denials ofThisThreadAndNewOnes(KernelNotes notes) throws IOException {
    Denials denials = new Denials(notes, false);
    if (notes.exist()) {
      denials.threads.addAll(Tasks.present());
      denials.threads.remove(Tasks.ofThisThread());
    }
    return denials;
  }

  /**
   * Begins surroundings of the subject. That is none of its doing, but what is denied later to
   * threads that began there is.
   *
   * @param surroundings begins them
   */
  public void begin(Runnable surroundings) {
    if (!notes.exist()) {
      surroundings.run();
      return;
    }
    pause();
    Set<Integer> before = Tasks.present();
    surroundings.run();
    synchronized (this) {
      for (Integer thread : Tasks.present()) {
        if (!before.contains(thread) && Tasks.isJvms(thread) != areOnlyThese) {
          threads.add(thread);
        }
      }
    }
    resume();
  }

  /** What was denied so far no longer counts. */
  public void mark() {
    if (isAnyNew()) {
      synchronized (this) {
        before = null;
        seen = notes.denials();
      }
    }
  }

  /** Asked with each sequence, of which nearly all are denied nothing: costs two looks. */
  private boolean isAnyNew() {
    return before != null || seen != notes.denials();
  }

  /**
   * What was denied first, or else looked at, since this or {@link #mark} was last asked.
   *
   * @return it, in words; null if nothing was
   */
  public String since() {
    if (!isAnyNew()) {
      return null;
    }
    synchronized (this) {
      String first = before;
      String denied = first == null ? sinceSeen() : first;
      mark();
      return denied;
    }
  }

  /** What follows, until {@link #resume}, is our own doing. */
  public synchronized void pause() {
    if (pauses++ == 0 && before == null) {
      before = sinceSeen();
    }
  }

  /** What was noted since {@link #pause} does not count. */
  public synchronized void resume() {
    if (--pauses == 0) {
      seen = notes.denials();
    }
  }

  private String sinceSeen() {
    long count = notes.denials();
    if (count == seen) {
      return null;
    }
    long first = Math.max(seen, count - KernelNotes.MOST);
    String denied = first > seen ? "more calls than can be noted" : null;
    String look = null;
    for (long i = first; i < count && denied == null; i++) {
      String text = text(i);
      if (text != null && text.startsWith(KernelNotes.LOOK)) {
        look = look == null ? text : look;
      } else {
        denied = text;
      }
    }
    seen = count;
    return denied == null ? look : denied + " by the kernel";
  }

  /** What was denied; null if it was to a thread that does not count. */
  private String text(long denial) {
    boolean counts = threads.contains(notes.thread(denial)) == areOnlyThese;
    return counts ? notes.text(denial) : null;
  }
}
