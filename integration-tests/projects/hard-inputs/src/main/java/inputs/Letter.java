package inputs;

/** A builder with chained setters. */
public final class Letter {
  private final String to;
  private final int pages;

  private Letter(Builder builder) {
    to = builder.to;
    pages = builder.pages;
  }

  /** Makes letters. */
  public static final class Builder {
    private String to;
    private int pages;

    private Builder() {}

    public Builder to(String name) {
      to = name;
      return this;
    }

    public Builder pages(int count) {
      pages = count;
      return this;
    }

    public Letter build() {
      if (to == null) {
        throw new IllegalStateException("to whom?");
      }
      return new Letter(this);
    }
  }

  public static Builder builder() {
    return new Builder();
  }

  public String weigh() {
    return to.equals("aunt") && pages > 20 ? "reached a thick letter" : "thin";
  }
}
