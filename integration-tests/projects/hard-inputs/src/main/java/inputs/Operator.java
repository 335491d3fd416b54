package inputs;

/** Constants with bodies. */
public enum Operator {
  PLUS {
    @Override
    int apply(int left, int right) {
      return left + right;
    }
  },
  TIMES {
    @Override
    int apply(int left, int right) {
      return left * right;
    }
  };

  abstract int apply(int left, int right);

  public String check(Operator other) {
    return this == PLUS && other == TIMES ? "reached two constants" : "other";
  }

  public String result(int left, int right) {
    return apply(left, right) == 12 ? "reached a dozen" : "other";
  }
}
