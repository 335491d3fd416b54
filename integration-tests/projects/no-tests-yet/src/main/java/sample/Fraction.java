package sample;

/** A project whose first tests are Palus's. */
public class Fraction {
  private final int numerator;
  private final int denominator;

  public Fraction(int numerator, int denominator) {
    if (denominator == 0) {
      throw new ArithmeticException("denominator is 0");
    }
    this.numerator = numerator;
    this.denominator = denominator;
  }

  public Fraction times(Fraction other) {
    return new Fraction(numerator * other.numerator, denominator * other.denominator);
  }

  public boolean isNegative() {
    return numerator < 0 != denominator < 0;
  }
}
