package sample;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Holds a logger, as most classes of applications do. */
public class LogbackStock {
  private static final Logger LOG = LoggerFactory.getLogger(LogbackStock.class);

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
