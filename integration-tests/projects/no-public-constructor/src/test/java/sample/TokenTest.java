package sample;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class TokenTest {
  @Test
  void laterLinesComeAfter() {
    assertEquals(true, Token.of("b").onLine(2).isAfter(Token.of("a")));
  }
}
