package io.palus.gradle;

import io.palus.host.ThreadStack;
import java.util.List;
import org.gradle.api.Action;
import org.gradle.api.Task;
import org.gradle.api.tasks.testing.Test;
import org.gradle.process.CommandLineArgumentProvider;

/**
 * The stack of a traced test JVM. It follows from all other arguments, so it is added when the
 * tests are about to run, behind them.
 */
final class StackArgument implements CommandLineArgumentProvider {
  private final String argument;

  private StackArgument(String argument) {
    this.argument = argument;
  }

  @Override
  public Iterable<String> asArguments() {
    return List.of(argument);
  }

  /** Adds it to a test task. */
  static final class Adding implements Action<Task> {
    @Override
    public void execute(Task task) {
      Test tests = (Test) task;
      if (!TraceArguments.areOn(tests)) {
        return;
      }
      String argument = ThreadStack.argument(tests.getAllJvmArgs(), tests.getEnvironment());
      tests.getJvmArgumentProviders().add(new StackArgument(argument));
    }
  }
}
