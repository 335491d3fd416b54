package sample;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import org.junit.Test;

/** Ten simple statements through the JDBC driver, on a database in memory. */
public class StatementsTest {
  @Test
  public void tenStatements() throws Exception {
    Class.forName("org.hsqldb.jdbcDriver");
    try (Connection connection = DriverManager.getConnection("jdbc:hsqldb:mem:sample", "sa", "")) {
      Statement statement = connection.createStatement();
      statement.executeUpdate(
          "create table city (id integer primary key, name varchar(40), people integer)");
      assertEquals(1, statement.executeUpdate("insert into city values (1, 'Oslo', 700)"));
      assertEquals(1, statement.executeUpdate("insert into city values (2, 'Bergen', 290)"));
      assertEquals(1, statement.executeUpdate("insert into city (id, name) values (3, 'Moss')"));
      ResultSet cities = statement.executeQuery("select * from city");
      assertTrue(cities.next());
      assertEquals("Oslo", cities.getString("name"));
      assertEquals(700, cities.getInt(3));
      cities = statement.executeQuery("select name from city where people > 300 order by name");
      assertTrue(cities.next());
      assertFalse(cities.next());
      cities.close();
      assertEquals(1, statement.executeUpdate("update city set people = 50 where id = 3"));
      cities = statement.executeQuery("select count(*), sum(people) from city");
      assertTrue(cities.next());
      assertEquals(1040, cities.getInt(2));
      assertEquals(1, statement.executeUpdate("delete from city where name = 'Moss'"));
      statement.executeUpdate("drop table city");
      statement.close();
    }
  }
}
