package sample;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class SpinnerTest {
  @Test
  void anEvenNumberOfStepsEnds() {
    assertEquals(2, new Spinner().spin(4));
  }
}
