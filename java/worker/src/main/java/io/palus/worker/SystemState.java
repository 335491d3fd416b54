package io.palus.worker;

import io.palus.worker.runtime.Changes;
import io.palus.worker.runtime.Probes;

/**
 * What all code of a JVM shares and a sequence may change: put back as it was before.
 *
 * <p>Guards note changes that stand in the subject's code; what is about to change is read then.
 * What changes by a library of the JDK, or by a handle, is seen by comparing, which is done after
 * each sequence that touches something new.
 */
final class SystemState {
  private Globals beforeSequence;

  /** Of the thread that sequences run on, which is this one. */
  private final String threadName = Thread.currentThread().getName();

  /** As it is between sequences. */
  private Globals usual = Globals.now();

  /** As it was before class initialisers changed something; null while they have not. */
  private Globals beforeInitializers;

  /** Changes are noted from now on. */
  SystemState() {
    Changes.set(() -> beforeSequence = Globals.now(), this::remember);
  }

  private void remember() {
    if (beforeInitializers == null) {
      beforeInitializers = Globals.now();
    }
  }

  /**
   * What the sequence has changed and not put back; null for nothing.
   *
   * @param loader the class loader that its thread began with
   */
  String left(ClassLoader loader) {
    Thread current = Thread.currentThread();
    if (current.isInterrupted()) {
      return "its thread interrupted";
    }
    if (current.getContextClassLoader() != loader) {
      return "another class loader for its thread";
    }
    if (current.getPriority() != Thread.NORM_PRIORITY) {
      return "another priority for its thread";
    }
    if (!current.getName().equals(threadName)) {
      return "another name for its thread";
    }
    String stream = StandardStreams.used();
    if (stream != null) {
      return stream;
    }
    String changed = Changes.areAny() ? beforeSequence.changed() : null;
    if (changed == null && Changes.areByInitializers() && beforeInitializers != null) {
      changed = beforeInitializers.changedForAll();
    }
    return named(changed);
  }

  /**
   * What a class initialiser that just ran has changed for all code of the JVM; null for nothing.
   */
  String leftByInitializer() {
    return named((beforeInitializers == null ? usual : beforeInitializers).changedForAll());
  }

  private static String named(String changed) {
    return changed == null ? null : "a change of " + changed;
  }

  /**
   * What the sequence has changed though no guard saw it; null for nothing. What it changes but
   * once, as a class initialiser does, or the JDK when a part of it is first used, is no change of
   * its own.
   *
   * @param again runs it once more, in the static state that it began with
   */
  String leftUnseen(Runnable again) {
    String changed = unseen();
    if (changed == null) {
      return null;
    }
    Globals after = Globals.now();
    boolean isForAll = usual.changedForAll() != null;
    usual.restore();
    again.run();
    if (unseen() != null || Probes.stop() != Probes.Stop.NONE) {
      usual.restore();
      return "to leave a change of " + changed;
    }
    if (!isForAll) { // such as a driver that is registered
      after.restore();
      settle();
    }
    return null;
  }

  private String unseen() {
    return Changes.areByInitializers() ? usual.changedForAll() : usual.changed();
  }

  /** No test is made of the sequence, but what it changed unseen must not be there for others. */
  void putBackUnseen() {
    if (usual.changedForAll() != null) {
      usual.restore();
    }
  }

  /** What is so now is so between sequences, until classes are loaded anew. */
  void settle() {
    if (usual.changed() != null) {
      if (beforeInitializers == null) {
        beforeInitializers = usual;
      }
      usual = Globals.now();
    }
  }

  /**
   * Puts back what the sequence changed.
   *
   * @param loader the class loader that its thread began with
   */
  void restore(ClassLoader loader) {
    StandardStreams.used();
    Thread current = Thread.currentThread();
    Thread.interrupted();
    if (current.getContextClassLoader() != loader) {
      current.setContextClassLoader(loader);
    }
    if (current.getPriority() != Thread.NORM_PRIORITY) {
      current.setPriority(Thread.NORM_PRIORITY);
    }
    if (!current.getName().equals(threadName)) {
      current.setName(threadName);
    }
    boolean areByInitializers = Changes.areByInitializers();
    if (Changes.areAny()) {
      beforeSequence.restore();
      beforeSequence = null;
      Changes.reset();
    }
    if (areByInitializers) {
      settle();
    }
  }

  /** Classes are loaded anew: what initialisers changed is put back, too. */
  void renew() {
    if (beforeInitializers == null && usual.changed() != null) {
      beforeInitializers = usual;
    }
    if (beforeInitializers != null) {
      beforeInitializers.restore();
      beforeInitializers = null;
    }
  }

  /** What is so now is so where class initialisers begin. */
  void begin() {
    usual = Globals.now();
  }
}
