package land;

public class FixedToll implements Toll {
  private final int perMile;

  public FixedToll(int perMile) {
    this.perMile = perMile;
  }

  @Override
  public int price(Road road) {
    return perMile * road.getLength();
  }
}
