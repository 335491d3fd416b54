package sample;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class FlagTest {
  @Test
  void thePomSetsTheFlag() {
    assertEquals(true, new Flag().isSet("from the pom"));
  }
}
