package inputs;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;

/** A reader, by what its second line is. */
public class Lines {
  public String second(Reader reader) throws IOException {
    BufferedReader lines = new BufferedReader(reader);
    lines.readLine();
    String second = lines.readLine();
    return "end".equals(second) ? "reached the second line" : "other";
  }
}
