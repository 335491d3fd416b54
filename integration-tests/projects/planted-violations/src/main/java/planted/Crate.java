package planted;

import java.io.Serializable;

/** Clean: what is put into it may be beyond writing, which is not its fault. */
public class Crate implements Serializable {
  private static final long serialVersionUID = 1;
  private Object content;

  public void put(Rank content) {
    this.content = content;
  }

  public boolean isEmpty() {
    return content == null;
  }
}
