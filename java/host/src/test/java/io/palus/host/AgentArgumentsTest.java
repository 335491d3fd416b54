package io.palus.host;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class AgentArgumentsTest {
  @Test
  void agents_that_change_code_stay_with_the_path_that_they_have_for_the_tests() {
    List<String> arguments =
        List.of(
            "-Xmx1g",
            "-javaagent:lib/weaver.jar=a=b",
            "-javaagent:/opt/../opt/mock.jar",
            "-javaagent:/m2/org.jacoco.agent-0.8.14-runtime.jar=destfile=x",
            "-javaagent:/cache/palus-worker.jar=options",
            "-agentpath:/opt/libprofiler.so",
            "-agentlib:jdwp=transport=dt_socket");
    assertEquals(
        List.of("-Xmx1g", "-javaagent:/p/lib/weaver.jar=a=b", "-javaagent:/opt/mock.jar"),
        AgentArguments.kept(arguments, Path.of("/p")));
  }
}
