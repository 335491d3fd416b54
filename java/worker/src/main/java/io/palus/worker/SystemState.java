package io.palus.worker;

import io.palus.worker.runtime.Changes;

/** What all code of a JVM shares and a sequence may change: put back as it was before. */
final class SystemState {
  private Globals beforeSequence;
  private Globals beforeInitializers;

  /** Nothing is read until something is about to change. */
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
    String stream = StandardStreams.used();
    if (stream != null) {
      return stream;
    }
    String changed = Changes.areAny() ? beforeSequence.changed() : null;
    return changed == null ? leftByInitializers() : "a change of " + changed;
  }

  /** What class initialisers have changed for all code of the JVM; null for nothing. */
  String leftByInitializers() {
    boolean mayBe = Changes.areByInitializers() && beforeInitializers != null;
    String changed = mayBe ? beforeInitializers.changedForAll() : null;
    return changed == null ? null : "a change of " + changed;
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
    if (Changes.areAny()) {
      beforeSequence.restore();
      beforeSequence = null;
      Changes.reset();
    }
  }

  /** Classes are loaded anew: what initialisers changed is put back, too. */
  void renew() {
    if (beforeInitializers != null) {
      beforeInitializers.restore();
      beforeInitializers = null;
    }
  }
}
