package city;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class RoadMapTest {
  @Test
  void aRoadMakesNeighbors() {
    RoadMap map = RoadMap.genMap();
    City portland = new City("Portland");
    portland.setMap(map);
    City seattle = new City("Seattle");
    seattle.setMap(map);
    map.addCity(portland);
    map.addCity(seattle);
    portland.addRoad(seattle);
    assertEquals(1, portland.numNeighbors());
  }
}
