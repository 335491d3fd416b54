package io.palus.maven;

import io.palus.host.TraceLock;
import java.util.Map;

/**
 * The lock of a module's traces, from where its tests are about to be traced to where their traces
 * have been read: goals that come one after the other, with Surefire between them. Only the session
 * holds it from one goal to the next, so a build that fails before the last one lets go of it, also
 * where Maven's JVM lives on.
 */
final class Tracing {
  private Tracing() {}

  /** Takes the lock, or takes it over from an earlier goal of the same build. */
  static TraceLock lock(PalusMojo mojo) {
    Layout layout = mojo.layout();
    TraceLock lock = layout.lockTraces(MavenConsole.of(mojo.getLog(), false));
    Map<String, Object> data = mojo.session().getRequest().getData();
    synchronized (data) {
      data.put(key(layout), lock);
    }
    return lock;
  }

  /** Lets go of it, where this build has it. */
  static void end(PalusMojo mojo) {
    Map<String, Object> data = mojo.session().getRequest().getData();
    synchronized (data) {
      TraceLock lock = (TraceLock) data.remove(key(mojo.layout()));
      if (lock != null) {
        lock.close();
      }
    }
  }

  private static String key(Layout layout) {
    return "palus.traces:" + layout.traces();
  }
}
