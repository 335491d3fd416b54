package two;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class CounterTest {
  @Test
  public void startsAtOne() {
    assertEquals(1, new Counter().next());
  }
}
