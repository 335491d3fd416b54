package inputs;

/** Class literals of several kinds. */
public class Registry {
  public String kind(Class<?> type) {
    if (type.isEnum()) {
      return "reached an enum's class";
    }
    if (type.isArray()) {
      return "reached an array's class";
    }
    if (Number.class.isAssignableFrom(type)) {
      return "reached a number's class";
    }
    return type.isInterface() ? "reached an interface's class" : "other";
  }
}
