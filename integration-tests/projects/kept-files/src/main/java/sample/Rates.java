package sample;

public class Rates {
  public int percent(int years) {
    if (years > 10) {
      return 5;
    }
    return years > 3 ? 3 : 1;
  }

  public String name(int percent) {
    switch (percent) {
      case 1:
        return "low";
      case 3:
        return "usual";
      case 5:
        return "high";
      default:
        return "none";
    }
  }
}
