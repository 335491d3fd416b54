package bank;

/** The number of an account, as people write it: knows no ledger. */
public class Iban {
  private final String text;

  public Iban(String text) {
    this.text = text.replace(" ", "");
  }

  public boolean isGerman() {
    return text.startsWith("DE") && text.length() == 22;
  }
}
