package inputs;

import java.util.concurrent.Callable;
import java.util.concurrent.Executor;

/** An executor that runs what it is given, and a task that fails. */
public class Tasks {
  private int done;

  public String run(Executor executor) {
    executor.execute(() -> done++);
    return done > 0 ? "ran" : "later";
  }

  public String call(Callable<String> task) {
    try {
      return task.call().isEmpty() ? "reached an empty result" : "result";
    } catch (Exception e) {
      return "reached a failed task";
    }
  }
}
