package sample;

import java.util.logging.Logger;

/** Holds a logger, as most classes of applications do. */
public class JdkStock {
  private static final Logger LOG = Logger.getLogger(JdkStock.class.getName());

  private int count;

  public void add(int more) {
    if (more <= 0) {
      LOG.warning("nothing to add: " + more);
      throw new IllegalArgumentException("more must be positive");
    }
    count += more;
  }

  public boolean take(int wanted) {
    if (wanted > count) {
      LOG.info("only " + count);
      return false;
    }
    count -= wanted;
    return true;
  }

  public int count() {
    return count;
  }
}
