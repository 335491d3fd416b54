package io.palus.worker;

import java.io.File;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * The streams by which the engine is reached. The launcher moves them away from the standard ones,
 * which lead nowhere then: whoever writes to {@link FileDescriptor#out} disturbs nobody.
 */
public final class Wire {
  private static final String[] FOLDERS = {"/proc/self/fd/", "/dev/fd/"};

  /** What the engine says. */
  public final InputStream input;

  /** What it is told. */
  public final OutputStream output;

  private Wire(InputStream input, OutputStream output) {
    this.input = input;
    this.output = output;
  }

  /**
   * Takes the streams.
   *
   * @param numbers the descriptors for input and output with a comma between, or null where they
   *     are the standard ones: these are closed for everybody else as far as the system lets us
   * @return the streams
   * @throws IOException if there are no such descriptors
   */
  public static Wire open(String numbers) throws IOException {
    if (numbers != null) {
      int comma = numbers.indexOf(',');
      return new Wire(
          new FileInputStream(path(numbers.substring(0, Math.max(comma, 0)))),
          new FileOutputStream(path(numbers.substring(comma + 1))));
    }
    FileInputStream standardInput = new FileInputStream(FileDescriptor.in);
    FileOutputStream standardOutput = new FileOutputStream(FileDescriptor.out);
    Wire wire;
    try {
      wire = new Wire(new FileInputStream(path("0")), new FileOutputStream(path("1")));
    } catch (IOException e) { // no such folder, as on Windows, or no pipe
      return new Wire(standardInput, standardOutput);
    }
    // The JDK opens the null device in their place.
    standardInput.close();
    standardOutput.close();
    return wire;
  }

  private static String path(String number) throws IOException {
    for (String folder : FOLDERS) {
      if (new File(folder + number).exists()) {
        return folder + number;
      }
    }
    throw new IOException("there is no descriptor " + number);
  }
}
