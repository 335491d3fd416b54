package io.palus.worker;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Set;

/**
 * What the kernel denied to code that runs here, whether or not a guard stood before the call. The
 * launcher's helper notes it in shared memory before the call returns; {@code
 * native/wire/FORMAT.md} has the layout. Where there is no helper nothing is ever denied.
 */
public final class Denials {
  private static final String DESCRIPTOR = "/proc/self/fd/5";
  private static final String NAME = "/memfd:palus-denials";
  private static final int HEADER = 64;
  private static final int NOTE = 512;
  private static final int NOTES = 127;
  private static final int TEXT = 8;

  /** Null where nothing is known. */
  private final ByteBuffer notes;

  private final Set<Integer> threads = new HashSet<>();

  /** Whether the threads are those that count, or all the others do. */
  private final boolean areOnlyThese;

  private long seen;

  private Denials(boolean areOnlyThese) throws IOException {
    this.areOnlyThese = areOnlyThese;
    this.notes = open();
    if (notes != null) {
      InetAddress.getLoopbackAddress(); // loads a library that tries once whether there are sockets
    }
    mark();
  }

  /**
   * Those of the calling thread.
   *
   * @return them
   * @throws IOException if the notes are there and cannot be read
   */
  static Denials ofThisThread() throws IOException {
    Denials denials = new Denials(true);
    if (denials.notes != null) {
      denials.threads.add(thisThread());
    }
    return denials;
  }

  /**
   * Those of the calling thread and of threads that start later, but not those of the JVM's own.
   *
   * @return them
   * @throws IOException if the notes are there and cannot be read
   */
  public static Denials ofThisThreadAndNewOnes() throws IOException {
    Denials denials = new Denials(false);
    if (denials.notes != null) {
      String[] present = new File("/proc/self/task").list();
      for (String thread : present == null ? new String[0] : present) {
        denials.threads.add(Integer.valueOf(thread));
      }
      denials.threads.remove(thisThread());
    }
    return denials;
  }

  private static ByteBuffer open() throws IOException {
    Path path = Paths.get(DESCRIPTOR);
    if (!Files.isSymbolicLink(path) || !Files.readSymbolicLink(path).toString().startsWith(NAME)) {
      return null;
    }
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      ByteBuffer mapped = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size());
      return mapped.order(ByteOrder.nativeOrder());
    }
  }

  /** The number by which the kernel knows the thread. */
  private static Integer thisThread() throws IOException {
    return Integer.valueOf(
        Files.readSymbolicLink(Paths.get("/proc/thread-self")).getFileName().toString());
  }

  /** What was denied so far no longer counts. */
  public void mark() {
    seen = count();
  }

  /**
   * What was denied first since this or {@link #mark} was last asked.
   *
   * @return it, in words; null if nothing was
   */
  public String since() {
    long count = count();
    if (count == seen) {
      return null;
    }
    long first = Math.max(seen, count - NOTES);
    String denied = first > seen ? "more calls than can be noted" : null;
    for (long i = first; i < count && denied == null; i++) {
      denied = note(HEADER + NOTE * (int) (i % NOTES));
    }
    seen = count;
    return denied == null ? null : denied + " by the kernel";
  }

  /** The text of a note; null if it is of a thread that does not count. */
  private String note(int at) {
    if (threads.contains(notes.getInt(at)) != areOnlyThese) {
      return null;
    }
    byte[] text = new byte[Math.min(notes.getInt(at + 4), NOTE - TEXT)];
    for (int i = 0; i < text.length; i++) {
      text[i] = notes.get(at + TEXT + i);
    }
    return new String(text, StandardCharsets.UTF_8);
  }

  private long count() {
    return notes == null ? 0 : notes.getLong(0);
  }
}
