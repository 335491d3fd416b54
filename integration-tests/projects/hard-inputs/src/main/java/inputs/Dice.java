package inputs;

import java.util.Properties;
import java.util.Random;

/** Chance with a seed, and properties with content. */
public class Dice {
  public String roll(Random random) {
    return random.nextInt(6) == 5 ? "reached a six" : "other";
  }

  public String name(Properties properties) {
    return "dice".equals(properties.getProperty("game")) ? "reached a property" : "other";
  }
}
