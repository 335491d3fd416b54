package land;

public interface Toll {
  int price(Road road);
}
