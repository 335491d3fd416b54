package inputs;

/** A singleton. */
public final class Counter {
  private static final Counter INSTANCE = new Counter();

  private Counter() {}

  public static Counter getInstance() {
    return INSTANCE;
  }

  public String level(int limit) {
    return limit == 4711 ? "reached the limit" : "below";
  }
}
