package io.palus.worker.verify;

import java.lang.annotation.Annotation;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/**
 * Runs a test where JUnit would: one with a time limit in a thread of its own, so that what it
 * leaves in thread-locals is gone with it, and any other in the thread that runs them all.
 */
final class OwnThread {
  private OwnThread() {}

  /** Calls the test; returns when it has ended, and throws as {@link Method#invoke} does. */
  static void invoke(Method test, Object instance) throws ReflectiveOperationException {
    if (!isWantedBy(test)) {
      test.invoke(instance);
      return;
    }
    Throwable[] thrown = new Throwable[1];
    Runnable run =
        () -> {
          try {
            test.invoke(instance);
          } catch (InvocationTargetException e) {
            thrown[0] = e.getCause();
          } catch (Throwable e) { // told in the other thread
            thrown[0] = e;
          }
        };
    Thread thread = new Thread(() -> BuildTool.run(run), "palus-test");
    thread.setDaemon(true);
    thread.start();
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        continue; // the test may interrupt whom it finds
      }
    }
    if (thrown[0] != null) {
      throw new InvocationTargetException(thrown[0]);
    }
  }

  private static boolean isWantedBy(Method test) throws ReflectiveOperationException {
    for (Annotation annotation : test.getDeclaredAnnotations()) {
      String type = annotation.annotationType().getName();
      if (type.equals("org.junit.Test")) {
        Object timeout = value(annotation, "timeout");
        return timeout instanceof Long && (Long) timeout > 0;
      }
      if (type.equals("org.junit.jupiter.api.Timeout")) {
        return String.valueOf(value(annotation, "threadMode")).equals("SEPARATE_THREAD");
      }
    }
    return false;
  }

  /** Null where this version of the annotation has no such element. */
  private static Object value(Annotation annotation, String element)
      throws ReflectiveOperationException {
    for (Method method : annotation.annotationType().getDeclaredMethods()) {
      if (method.getName().equals(element)) {
        return method.invoke(annotation);
      }
    }
    return null;
  }
}
