package city;

/** A city knows its name and the map it lies on. */
public class City {
  private RoadMap map;
  private final String name;

  public City(String name) {
    this.name = name;
  }

  public void setMap(RoadMap map) {
    this.map = map;
  }

  public String getName() {
    return name;
  }

  public void addRoad(City other) {
    map.addRoad(this, other);
  }

  public int numNeighbors() {
    return map.numNeighbors(this);
  }
}
