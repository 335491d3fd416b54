package land;

import java.util.ArrayList;
import java.util.List;
import javax.persistence.CascadeType;
import javax.persistence.Entity;
import javax.persistence.FetchType;
import javax.persistence.Id;
import javax.persistence.ManyToOne;
import javax.persistence.OneToMany;

@Entity
public class Town {
  @Id private long id;
  private String name;
  private int people;

  @ManyToOne(fetch = FetchType.LAZY)
  private Country country;

  @OneToMany(fetch = FetchType.LAZY, cascade = CascadeType.ALL)
  private List<Road> roads = new ArrayList<>();

  protected Town() {}

  public Town(long id, String name, Country country) {
    this.id = id;
    this.name = name;
    this.country = country;
  }

  public long getId() {
    return id;
  }

  public String getName() {
    return name;
  }

  public Country getCountry() {
    return country;
  }

  public List<Road> getRoads() {
    return roads;
  }

  public int grow(int more) {
    people += more;
    return people;
  }

  public void build(Road road) {
    roads.add(road);
  }
}
