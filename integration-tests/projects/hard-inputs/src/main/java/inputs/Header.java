package inputs;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/** A stream, by its first bytes and its first line. */
public class Header {
  public String magic(InputStream in) throws IOException {
    if (in.read() == 'P' && in.read() == 'K') {
      return "reached the magic number";
    }
    return "unknown";
  }

  public String text(InputStream in) throws IOException {
    BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
    return "palus".equals(lines.readLine()) ? "reached the first line" : "unknown";
  }
}
