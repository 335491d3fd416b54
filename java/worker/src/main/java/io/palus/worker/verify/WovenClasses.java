package io.palus.worker.verify;

import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.util.List;

/**
 * Whether an agent of the project makes another class of one of the class path. What such code may
 * do is known to nobody: Palus reads the class files. Where there is no such agent nothing is
 * compared.
 */
final class WovenClasses {
  private static final String AGENT = "-javaagent:";

  private static final ClassLoader SYSTEM = ClassLoader.getSystemClassLoader();

  private final boolean mayBe;

  /**
   * Those of this JVM.
   *
   * @param ours how many of its agents are Palus's own
   */
  WovenClasses(int ours) {
    List<String> arguments = ManagementFactory.getRuntimeMXBean().getInputArguments();
    this.mayBe = arguments.stream().filter(one -> one.startsWith(AGENT)).count() > ours;
  }

  /**
   * Whether a class that is about to be loaded is another than the file that it comes from. What a
   * loader of the project makes of its files is its own doing, and asking it runs its code.
   */
  boolean have(ClassLoader loader, String name, byte[] bytes) throws IOException {
    boolean isOurs = loader == SYSTEM || loader instanceof AnewLoader;
    if (!mayBe || !isOurs) {
      return false;
    }
    try (InputStream file = loader.getResourceAsStream(name + ".class")) {
      return file != null && !isAll(file, bytes);
    }
  }

  private static boolean isAll(InputStream file, byte[] bytes) throws IOException {
    byte[] block = new byte[1 << 13];
    int at = 0;
    for (int read = file.read(block); read >= 0; read = file.read(block)) {
      for (int i = 0; i < read; i++) {
        if (at == bytes.length || bytes[at++] != block[i]) {
          return false;
        }
      }
    }
    return at == bytes.length;
  }
}
