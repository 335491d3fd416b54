package city;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

/** Run after tests are written, as Failsafe runs its own: nothing is traced any more. */
class LateCheck {
  @Test
  void noAgentIsThereAnyMore() {
    long agents =
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
            .filter(argument -> argument.startsWith("-javaagent"))
            .count();
    assertEquals(0, agents);
  }
}
