package io.palus.worker.verify;

import io.palus.worker.runtime.Garbage;
import io.palus.worker.runtime.HeldBack;
import io.palus.worker.verify.ListedTest.How;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/** Calls the method of a test on a new instance of its class. */
final class TestCall {
  private int failedAt;
  private boolean hasCollected;

  /** From now on no test collects garbage: each that wants it has run so. */
  void collectNoMore() {
    hasCollected = true;
  }

  /** The line of the test that last failed; 0 where it is in none, or none failed. */
  int failedAt() {
    return failedAt;
  }

  /** Why the test fails with the classes of a loader; null if it passes. */
  String failure(ListedTest test, ClassLoader loader) throws IOException {
    failedAt = 0;
    HeldBack.denyTo(!test.isKept);
    if (test.how != How.COLLECT || hasCollected) {
      return failure(test.type, test.method, loader);
    }
    String failure = failureWhileCollecting(test, loader);
    try (Litter litter = new Litter()) {
      for (int runs = 0; failure == null && litter.isWanted(runs); runs++) {
        failure = failure(test.type, test.method, loader);
      }
      return failure;
    }
  }

  private String failureWhileCollecting(ListedTest test, ClassLoader loader) {
    Garbage.begin();
    try {
      return failure(test.type, test.method, loader);
    } finally {
      Garbage.end();
    }
  }

  private String failure(String typeName, String methodName, ClassLoader loader) {
    String[] failure = new String[1];
    BuildTool.run(() -> failure[0] = failureHere(typeName, methodName, loader));
    return failure[0];
  }

  private String failureHere(String typeName, String methodName, ClassLoader loader) {
    try {
      Class<?> type = Class.forName(typeName, true, loader);
      Constructor<?> constructor = type.getDeclaredConstructor();
      constructor.setAccessible(true);
      Method method = type.getDeclaredMethod(methodName);
      method.setAccessible(true);
      Object instance = constructor.newInstance();
      try (TestFolders folders = new TestFolders(instance)) {
        folders.make();
        OwnThread.invoke(method, instance);
      }
      return null;
    } catch (InvocationTargetException e) {
      failedAt = Failure.line(e.getCause(), typeName, methodName);
      return Failure.text(e.getCause());
    } catch (Throwable e) { // a class that cannot be loaded is a test that fails
      return Failure.text(e);
    }
  }
}
