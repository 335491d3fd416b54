package planted;

/** P110: its order takes for equal what its equals does not. */
public class ByLength implements Comparable<ByLength> {
  private final String text;

  public ByLength(String text) {
    this.text = text == null ? "" : text;
  }

  public ByLength reversed() {
    return new ByLength(new StringBuilder(text).reverse().toString());
  }

  public ByLength upper() {
    return new ByLength(text.toUpperCase());
  }

  @Override
  public int compareTo(ByLength other) {
    return Integer.compare(text.length(), other.text.length());
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ByLength && ((ByLength) other).text.equals(text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }
}
