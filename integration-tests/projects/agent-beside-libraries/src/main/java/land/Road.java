package land;

import javax.persistence.Entity;
import javax.persistence.Id;

@Entity
public class Road {
  @Id private long id;
  private int length;

  protected Road() {}

  public Road(long id, int length) {
    this.id = id;
    this.length = length;
  }

  public int getLength() {
    return length;
  }
}
