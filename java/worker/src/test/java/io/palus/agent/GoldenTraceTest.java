package io.palus.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A scripted recording gives the very bytes of {@code trace.hex}, which the Rust reader's tests
 * decode. The file has no zeros of its end. `PALUS_WRITE_GOLDEN=1` writes it anew.
 */
class GoldenTraceTest {
  @TempDir Path folder;

  @Test
  void the_scripted_recording_gives_the_golden_bytes() throws Exception {
    Path file = folder.resolve("scripted.trace");
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    String path = System.getProperty("java.class.path");
    Process process =
        new ProcessBuilder(java, "-cp", path, GoldenScript.class.getName(), file.toString())
            .inheritIO()
            .start();
    assertEquals(0, process.waitFor());
    byte[] bytes = Files.readAllBytes(file);
    int end = bytes.length;
    while (bytes[end - 1] == 0) {
      end--;
    }
    String hex = HexFormat.of().formatHex(bytes, 0, end).replaceAll("(.{64})", "$1\n") + "\n";
    Path golden = Path.of(System.getProperty("palus.goldens"), "trace.hex");
    if (System.getenv("PALUS_WRITE_GOLDEN") != null) {
      Files.writeString(golden, hex);
    }
    assertEquals(Files.readString(golden), hex);
    assertEquals(EXPECTED, TraceText.of(bytes).lines());
  }

  private static final List<String> EXPECTED =
      List.of(
          "test road/CityTest.scripted",
          "GoldenScript$City.<init>(\"Zürich\")",
          "-> GoldenScript$City@1[1 3]",
          "GoldenScript$City@1[1 3].GoldenScript$City.mix(true, byte -1, char 8364, short -300, "
              + "-17, 1099511627776L, 1.5f, -0.0, null)",
          "throws java/lang/IllegalStateException",
          "GoldenScript$City@1[1 3].GoldenScript$City.take(Object;@2#3:7{class [I, "
              + "TimeUnit.DAYS, null})",
          "-> inline \"" + "x".repeat(300) + "\"",
          "GoldenScript$City@1[1 4].GoldenScript$City.take(StringBuilder@3)",
          "-> void",
          "GoldenScript$City@1[1 4].GoldenScript$City.take(175)",
          "-> void",
          "failed");
}
