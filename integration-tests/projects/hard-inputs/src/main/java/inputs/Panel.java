package inputs;

/** An abstract class that nothing extends. */
public class Panel {
  /** Nothing extends it. */
  public abstract static class Meter {
    protected abstract int read();

    public abstract String unit();

    public int value() {
      return read() + 1;
    }
  }

  public String show(Meter meter) {
    if (meter.unit().equals("bar") && meter.value() > 100) {
      return "reached a meter's value";
    }
    return "low";
  }
}
