package sample;

import static org.testng.Assert.assertEquals;

import org.testng.annotations.Test;

public class StackTest {
  @Test
  public void takesTheLast() {
    Stack stack = new Stack();
    stack.push("one");
    stack.push("two");
    assertEquals(stack.pop(), "two");
    assertEquals(stack.size(), 1);
  }
}
