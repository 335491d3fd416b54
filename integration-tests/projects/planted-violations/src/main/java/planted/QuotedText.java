package planted;

/** P102: says that it equals a plain text, which knows nothing of it. */
public class QuotedText {
  private final PlainText text;

  public QuotedText(PlainText text) {
    this.text = text == null ? new PlainText("") : text;
  }

  public String quoted() {
    return "'" + text.letters() + "'";
  }

  @Override
  public boolean equals(Object other) {
    return text.equals(other)
        || (other instanceof QuotedText && ((QuotedText) other).text.equals(text));
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }
}
