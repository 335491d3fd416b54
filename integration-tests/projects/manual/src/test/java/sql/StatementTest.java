package sql;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class StatementTest {
  @Test
  public void aQueryIsAnswered() {
    Statement statement = new Statement();
    assertEquals(0, statement.executeQuery("Select name from city"));
    statement.close();
  }
}
