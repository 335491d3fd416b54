package inputs;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;

/** Where output goes. */
public class Log {
  private final Appendable out;

  public Log(Appendable out) {
    this.out = out;
  }

  public String write(OutputStream bytes, PrintStream text) throws IOException {
    bytes.write(7);
    text.print("seven");
    out.append("seven");
    return "reached the end of writing";
  }
}
