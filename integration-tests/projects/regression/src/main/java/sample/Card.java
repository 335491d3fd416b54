package sample;

/** A card whose number is shown in part. */
public class Card {
  private final String number;

  public Card(String number) {
    this.number = number;
  }

  public String masked() {
    return number.length() < 4 ? "****" : number.substring(0, 2) + "**";
  }
}
