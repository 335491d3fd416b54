package city;

import java.util.HashSet;
import java.util.Hashtable;
import java.util.Set;

/** A map must be initialised before a city is added, and a city added before it gets a road. */
public class RoadMap {
  private Hashtable<City, Set<City>> cities;

  public static RoadMap genMap() {
    RoadMap map = new RoadMap();
    map.init();
    return map;
  }

  public void init() {
    cities = new Hashtable<City, Set<City>>();
  }

  public void addCity(City city) {
    cities.put(city, new HashSet<City>());
  }

  public void addRoad(City one, City other) {
    addConnection(one, other);
    addConnection(other, one);
  }

  private void addConnection(City from, City to) {
    cities.get(from).add(to);
  }

  public int numNeighbors(City city) {
    return cities.get(city).size();
  }
}
