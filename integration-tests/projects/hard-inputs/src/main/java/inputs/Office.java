package inputs;

/** Takes what a builder makes, and a singleton. */
public class Office {
  public String send(Letter letter, Counter counter) {
    if (letter.weigh().equals("thin") && counter.level(7).equals("below")) {
      return "reached a thin letter";
    }
    return "sent";
  }
}
