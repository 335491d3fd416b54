package planted;

/** Clean: only its own code makes parts of it, and knows how. */
public class Window {
  private final String[] rows = {"a", "b"};

  public Part first() {
    return new Part(this, 0);
  }

  /** Shows one row. */
  public static class Part {
    private final Window window;
    private final int row;

    Part(Window window, int row) {
      this.window = window;
      this.row = row;
    }

    @Override
    public String toString() {
      return window.rows[row];
    }
  }
}
