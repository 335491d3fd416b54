package sample;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class WorkspaceTest {
  @Test
  void itemsAreAdded() {
    assertEquals(2, new Workspace().add(2));
  }
}
