package inputs;

import java.math.BigDecimal;
import java.math.BigInteger;

/** Numbers of any size. */
public class Price {
  public String of(BigDecimal price, BigInteger units) {
    if (price.scale() == 2) {
      return "reached cents";
    }
    return units.bitLength() > 64 ? "reached a great number" : "plain";
  }
}
