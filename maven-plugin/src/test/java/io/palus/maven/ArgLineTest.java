package io.palus.maven;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class ArgLineTest {
  @Test
  void quotes_keep_blanks_and_disappear() {
    assertEquals(
        List.of("-Xmx1g", "-Da=b c", "-Dd=e'f", ""),
        ArgLine.split(" -Xmx1g  \"-Da=b c\"\n-Dd=\"e'f\" ''"));
  }

  @Test
  void what_is_quoted_is_read_back() {
    for (String argument :
        List.of("-Da=b", "-javaagent:/a b/ü.jar=/c d", "-Da=it's", "-Da=\"x\"")) {
      assertEquals(List.of(argument), ArgLine.split(ArgLine.quote(argument)));
    }
  }

  @Test
  void nothing_is_added_to_nothing() {
    assertEquals("", ArgLine.append("", ""));
    assertEquals("-a", ArgLine.append("", "-a"));
    assertEquals("-a -b", ArgLine.append("-a", "-b"));
  }
}
