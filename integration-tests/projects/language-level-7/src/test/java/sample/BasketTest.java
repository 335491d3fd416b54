package sample;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class BasketTest {
  @Test
  public void fruitIsCounted() {
    Basket basket = new Basket();
    basket.add("apple");
    assertEquals(1, basket.size());
  }
}
