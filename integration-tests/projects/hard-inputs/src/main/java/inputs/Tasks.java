package inputs;

import java.util.concurrent.Callable;

/** A task that fails. */
public class Tasks {
  public String call(Callable<String> task) {
    try {
      return task.call().isEmpty() ? "reached an empty result" : "result";
    } catch (Exception e) {
      return "reached a failed task";
    }
  }
}
