package inputs;

/** An interface of several methods that nothing implements. */
public class Gate {
  /** Nothing implements it. */
  public interface Guard {
    boolean isAwake();

    String passWord();

    void salute(String name);
  }

  public String enter(Guard guard) {
    if (!guard.isAwake()) {
      return "closed";
    }
    guard.salute("sir");
    return guard.passWord().equals("open") ? "reached by a word of the guard's" : "refused";
  }
}
