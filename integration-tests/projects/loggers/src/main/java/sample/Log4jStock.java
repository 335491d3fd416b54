package sample;

import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/** Holds a logger, as most classes of applications do. */
public class Log4jStock {
  private static final Logger LOG = LogManager.getLogger(Log4jStock.class);

  private int count;

  public void add(int more) {
    if (more <= 0) {
      LOG.warn("nothing to add: " + more);
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
