package io.palus.gradle;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.gradle.process.CommandLineArgumentProvider;
import org.junit.jupiter.api.Test;

class CopiedArgumentsTest {
  @Test
  void whatTheTaskHasByItselfIsNotCopied() {
    List<CommandLineArgumentProvider> own = List.of(() -> List.of("-Dof.all=1"));
    List<CommandLineArgumentProvider> copied =
        List.of(() -> List.of("-Dof.all=1"), () -> List.of("-Dof.one=2"));
    assertEquals(List.of("-Dof.one=2"), new CopiedArguments(own, copied).asArguments());
  }

  @Test
  void noAgentIsAttachedTwice() {
    List<CommandLineArgumentProvider> own =
        List.of(() -> List.of("-javaagent:cover.jar=file=copy.bin"));
    List<CommandLineArgumentProvider> copied =
        List.of(() -> List.of("-javaagent:cover.jar=file=test.bin", "-javaagent:mock.jar"));
    assertEquals(List.of("-javaagent:mock.jar"), new CopiedArguments(own, copied).asArguments());
  }

  @Test
  void argumentsAreAskedForOnlyWhenTheTestsRun() {
    CommandLineArgumentProvider unasked =
        () -> {
          throw new AssertionError("asked too early");
        };
    assertEquals(1, new CopiedArguments(List.of(), List.of(unasked)).getCopied().size());
  }
}
