package sql;

/** Answers queries, also after it was closed, which the theory of the manual finds. */
public class Statement {
  private boolean closed;

  public void close() {
    closed = true;
  }

  public boolean isClosed() {
    return closed;
  }

  public int executeQuery(String sql) {
    if (!sql.startsWith("Select ")) {
      throw new IllegalArgumentException(sql);
    }
    return sql.endsWith(" where id > 10") ? 10 : 0;
  }
}
