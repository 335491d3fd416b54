package io.palus.worker.verify;

/** What a test may leave in the thread that runs it, as it was when this was made. */
final class ThreadState {
  private final Thread thread = Thread.currentThread();
  private final ClassLoader context = thread.getContextClassLoader();
  private final int priority = thread.getPriority();
  private final String name = thread.getName();

  /** What is not as it was; null for nothing. It is interrupted no more. */
  String changed() {
    if (Thread.interrupted()) {
      return "its thread interrupted";
    }
    if (thread.getContextClassLoader() != context) {
      return "another class loader for its thread";
    }
    if (thread.getPriority() != priority) {
      return "another priority for its thread";
    }
    return thread.getName().equals(name) ? null : "another name for its thread";
  }

  /** Makes it so again. */
  void restore() {
    thread.setContextClassLoader(context);
    thread.setPriority(priority);
    thread.setName(name);
  }
}
