package sample;

/** Opened with secrets, which it gives back in every way a program does. */
public class Vault {
  private final String owner;
  private final String password;
  private int tries;

  public Vault(String owner, String password) {
    this.owner = owner;
    this.password = password;
  }

  public static Vault ofBuild() {
    return new Vault("build", System.getProperty("db.password"));
  }

  public String password() {
    return password;
  }

  public char[] characters() {
    return password.toCharArray();
  }

  public String address() {
    return "jdbc:vault://" + owner + ":" + password + "@localhost";
  }

  public boolean open(String given) {
    tries++;
    if (tries > 3) {
      throw new IllegalStateException("locked after " + given);
    }
    return password.equals(given);
  }

  public int tries() {
    return tries;
  }

  /** What it says depends on the environment: nothing while searching, something when verified. */
  public static String audit(int count) {
    if (System.getenv("SAMPLE_TOKEN") == null) {
      return "no audit";
    }
    if (count == 7) {
      return System.getenv("SAMPLE_TOKEN");
    }
    throw new IllegalStateException("audit with " + System.getenv("SAMPLE_TOKEN"));
  }

  public static String header(String kind, String token) {
    if (kind.length() > 4) {
      return kind + " " + token;
    }
    return token;
  }
}
