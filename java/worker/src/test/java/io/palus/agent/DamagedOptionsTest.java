package io.palus.agent;

import io.palus.wire.Mutator;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever the file of the agent's options holds, it is read or refused. */
class DamagedOptionsTest {
  @TempDir Path folder;

  @Test
  void options_are_read_or_refused() {
    String text =
        "output=/p/traces\nclasses.0=/p/classes\nclasses.1=/p/\\u00e4\ntestClasses.0=/p/t\n"
            + "cap=100\nsecrets.0=tiger-lily\nsecrets.1 : horse\n";
    Path file = folder.resolve("options");
    Mutator.run(
        "options of the agent",
        100,
        List.of(text.getBytes(StandardCharsets.UTF_8)),
        1 << 20,
        1 << 10,
        bytes -> {
          Files.write(file, bytes);
          AgentSettings.read(file.toFile());
        },
        IOException.class,
        IllegalArgumentException.class);
  }
}
