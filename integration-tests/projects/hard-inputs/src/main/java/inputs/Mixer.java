package inputs;

/** Any number of arguments. */
public class Mixer {
  /** What is mixed. */
  public static class Part {
    private final int weight;

    public Part(int weight) {
      this.weight = weight;
    }
  }

  public String ints(int... numbers) {
    return numbers.length == 3 && numbers[2] == 5 ? "reached the third number" : "other";
  }

  public String words(String first, String... more) {
    return more.length > 1 && more[1].equals("sugar") ? "reached the second word" : "other";
  }

  public String parts(Part... parts) {
    return parts.length == 2 && parts[0].weight > parts[1].weight
        ? "reached a heavier part"
        : "other";
  }
}
