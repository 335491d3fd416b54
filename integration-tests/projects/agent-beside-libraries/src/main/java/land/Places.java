package land;

/** Takes whatever libraries put in place of a country or a town; most of it without a look. */
public class Places {
  private Country last;
  private int seen;

  public Country keep(Country country) {
    last = country;
    seen++;
    return last;
  }

  public static boolean areSame(Country a, Object b) {
    return a == b;
  }

  public static Object[] pack(Object a, Object b, Object c) {
    return new Object[] {a, b, c};
  }

  public String describe(Town town) {
    return town.getName() + " in " + town.getCountry().getName();
  }

  public int getSeen() {
    return seen;
  }
}
