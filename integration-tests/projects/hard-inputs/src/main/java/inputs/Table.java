package inputs;

import java.util.List;

/** Arrays of arrays and lists of arrays. */
public class Table {
  public String corner(int[][] cells) {
    return cells.length == 2 && cells[1].length == 2 && cells[1][1] == 9
        ? "reached the last cell"
        : "other";
  }

  public String words(List<String[]> rows, char[] letters, byte[] bytes) {
    if (rows.size() > 1 && rows.get(1).length == 1) {
      return "reached a row";
    }
    return letters.length + bytes.length == 4 ? "reached four" : "other";
  }
}
