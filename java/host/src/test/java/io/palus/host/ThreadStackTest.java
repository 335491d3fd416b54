package io.palus.host;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ThreadStackTest {
  @TempDir private Path folder;

  private final String architecture = System.getProperty("os.arch");

  @BeforeEach
  void usualMachine() {
    System.setProperty("os.arch", "amd64");
  }

  @AfterEach
  void thisMachine() {
    System.setProperty("os.arch", architecture);
  }

  @Test
  void where_nothing_is_said_it_is_four_times_the_platforms() {
    assertEquals("-Xss4096k", of());
    assertEquals("-Xss4096k", of("-Xmx1g", "-Dx=-Xss9m", "-Xss0"));
    System.setProperty("os.arch", "aarch64");
    assertEquals("-Xss8192k", of());
  }

  @Test
  void what_is_said_is_taken_four_times() {
    assertEquals("-Xss2048k", of("-Xss512k"));
    assertEquals("-Xss32768k", of("-Xss512k", "-Xss8M"));
    assertEquals("-Xss2048k", of("-Xss524288"));
    assertEquals("-Xss1048576k", of("-Xss1g"));
    assertEquals("-Xss16384k", of("-XX:ThreadStackSize=4096"));
    assertEquals("-Xss1048576k", of("-XX:ThreadStackSize=4M"), "it counts kibibytes");
  }

  @Test
  void no_thread_gets_less_than_without_tracing() {
    assertEquals("-Xss4096k", of("-XX:ThreadStackSize=512"), "the main thread has the usual");
    assertEquals("-Xss16384k", of("-Xss4m", "-XX:ThreadStackSize=512"));
    assertEquals("-Xss16384k", of("-Xss512k", "-XX:ThreadStackSize=4096"));
  }

  @Test
  void variables_and_files_of_arguments_say_it_too() throws IOException {
    Path file = Files.writeString(folder.resolve("arguments"), "-ea\n\"-Xss3m\"\n");
    assertEquals("-Xss12288k", of("@" + file));
    assertEquals("-Xss12288k", of("-XX:VMOptionsFile=" + file));
    assertEquals("-Xss4096k", of("@" + folder.resolve("none")));
    Map<String, String> variables = Map.of("JAVA_TOOL_OPTIONS", "-ea -Xss5m");
    assertEquals("-Xss20480k", ThreadStack.argument(List.of(), variables));
    assertEquals("-Xss2048k", ThreadStack.argument(List.of("-Xss512k"), variables));
  }

  private static String of(String... arguments) {
    return ThreadStack.argument(List.of(arguments), Map.of());
  }
}
