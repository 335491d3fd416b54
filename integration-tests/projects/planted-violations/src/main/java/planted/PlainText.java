package planted;

/** Clean: equal to texts with the same letters. */
public class PlainText {
  private final String letters;

  public PlainText(String letters) {
    this.letters = letters == null ? "" : letters;
  }

  public String letters() {
    return letters;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof PlainText && ((PlainText) other).letters.equals(letters);
  }

  @Override
  public int hashCode() {
    return letters.hashCode();
  }
}
