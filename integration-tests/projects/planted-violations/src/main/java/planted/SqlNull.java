package planted;

import io.palus.annotations.PalusIgnore;

/** P101, but wanted: equal to nothing, as SQL has it. */
public class SqlNull {
  private int reads;

  public int reads() {
    return reads;
  }

  @PalusIgnore("P101")
  @Override
  public boolean equals(Object other) {
    return false;
  }

  @Override
  public int hashCode() {
    return 1;
  }
}
