package land;

import javax.persistence.Entity;
import javax.persistence.Id;

@Entity
public class Country {
  @Id private long id;
  private String name;

  protected Country() {}

  public Country(long id, String name) {
    this.id = id;
    this.name = name;
  }

  public long getId() {
    return id;
  }

  public String getName() {
    return name;
  }

  public void rename(String newName) {
    name = newName;
  }

  public boolean isNamed(String other) {
    return name.equals(other);
  }
}
