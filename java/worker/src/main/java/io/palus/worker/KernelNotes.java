package io.palus.worker;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardOpenOption;

/**
 * The memory in which the launcher's helper notes what the kernel denied to this JVM, and counts
 * what it let change files; {@code native/wire/FORMAT.md} has the layout. Where there is no helper
 * there are none.
 */
public final class KernelNotes {
  private static final String DESCRIPTOR = "/proc/self/fd/5";
  private static final String NAME = "/memfd:palus-denials";
  private static final int DENIALS = 0;
  private static final int CHANGES = 8;
  private static final int FOREIGN_CHANGES = 16;
  private static final int HEADER = 64;
  private static final int NOTE = 512;
  private static final int TEXT = 8;

  /**
   * How the note of a look begins at what another machine may have otherwise: nothing was denied,
   * and no written test may rest on it. A guard that sees the look says the same.
   */
  static final String LOOK = "a look at ";

  /** How many notes there is room for; of more denials the first ones are gone. */
  static final int MOST = 127;

  private static final Memory DIRECT = Memory.open();

  /** Null where nothing is known. */
  private final ByteBuffer memory;

  /** Where its bytes are; 0 where they are read by its own methods. */
  private final long address;

  /** Those in a memory; null where there are none. */
  KernelNotes(ByteBuffer memory) {
    this.memory = memory;
    this.address = DIRECT == null || memory == null ? 0 : DIRECT.address(memory);
  }

  /**
   * Opens them.
   *
   * @return the notes, which may be none
   * @throws IOException if they are there and cannot be read
   */
  public static KernelNotes open() throws IOException {
    Path path = Paths.get(DESCRIPTOR);
    if (!Files.isSymbolicLink(path) || !Files.readSymbolicLink(path).toString().startsWith(NAME)) {
      return new KernelNotes(null);
    }
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      ByteBuffer mapped = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size());
      return new KernelNotes(mapped.order(ByteOrder.nativeOrder()));
    }
  }

  /** Whether there are any. */
  boolean exist() {
    return memory != null;
  }

  /** How many calls were denied so far. */
  long denials() {
    return count(DENIALS);
  }

  /**
   * How many calls that name files and may change them went on so far. While this stays, a file can
   * only have changed through a descriptor that was opened before.
   */
  long changes() {
    return count(CHANGES);
  }

  /**
   * How many of these named a file that is none of the subject's own, or made a link. While this
   * stays, none but the subject's own can have changed.
   */
  long foreignChanges() {
    return count(FOREIGN_CHANGES);
  }

  /** One of the counts, which are asked for several times with each sequence. */
  private long count(int at) {
    if (address != 0) {
      return DIRECT.getLong(null, address + at);
    }
    return memory == null ? 0 : memory.getLong(at);
  }

  /** Which thread a denial met, as the kernel numbers them. */
  int thread(long denial) {
    return memory.getInt(at(denial));
  }

  /** What was denied. */
  String text(long denial) {
    int at = at(denial);
    byte[] text = new byte[Math.min(memory.getInt(at + 4), NOTE - TEXT)];
    for (int i = 0; i < text.length; i++) {
      text[i] = memory.get(at + TEXT + i);
    }
    return new String(text, StandardCharsets.UTF_8);
  }

  private static int at(long denial) {
    return HEADER + NOTE * (int) (denial % MOST);
  }
}
