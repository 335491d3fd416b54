package sample;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/** Holds a logger, as most classes of applications do. */
public class CommonsStock {
  private static final Log LOG = LogFactory.getLog(CommonsStock.class);

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
