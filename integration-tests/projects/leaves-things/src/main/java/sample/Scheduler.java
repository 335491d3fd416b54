package sample;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Ends the JVM later by an executor. */
public class Scheduler {
  private final ScheduledExecutorService executor =
      Executors.newSingleThreadScheduledExecutor(
          work -> {
            Thread thread = new Thread(work);
            thread.setDaemon(true);
            return thread;
          });

  public boolean schedule(int seconds) {
    executor.schedule(() -> System.exit(3), 12 + Math.abs(seconds % 2), TimeUnit.SECONDS);
    return seconds > 3;
  }

  public int half(int a) {
    return a / 2;
  }
}
