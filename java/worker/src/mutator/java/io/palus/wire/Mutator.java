package io.palus.wire;

import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;

/**
 * Gives a reader good inputs with a few bytes changed, cut out, doubled or put in. The system
 * property {@code palus.fuzz} says how many; the same number gives the same inputs.
 */
public final class Mutator {
  private static final int[] HARD = {0, 1, 0x7f, 0x80, 0xff};
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final Random random = new Random(1);
  private volatile byte[] current = {};

  /** What reads; it may refuse bytes by what {@code refusals} names, and by nothing else. */
  @FunctionalInterface
  public interface Reader {
    /**
     * Reads.
     *
     * @param bytes the input
     * @throws Exception a refusal
     */
    void read(byte[] bytes) throws Exception;
  }

  /**
   * Runs the inputs.
   *
   * @param name of the reader, for the line at the end
   * @param part of all inputs: the reader gets one in so many
   * @param seeds good inputs
   * @param memory bytes that an input may allocate, however small
   * @param memoryPerByte bytes that each byte of an input may allocate beside that
   * @param reader what reads
   * @param refusals how it may refuse
   */
  @SafeVarargs
  @SuppressWarnings("varargs")
  public static void run(
      String name,
      int part,
      List<byte[]> seeds,
      long memory,
      long memoryPerByte,
      Reader reader,
      Class<? extends Exception>... refusals) {
    int executions = Math.max(1, Integer.getInteger("palus.fuzz", 100_000) / part);
    Mutator mutator = new Mutator();
    Duration limit = Duration.ofSeconds(60).plus(Duration.ofMillis(executions));
    assertTimeoutPreemptively(
        limit,
        () -> mutator.all(name, executions, seeds, memory, memoryPerByte, reader, refusals),
        () -> name + " has no end on " + HexFormat.of().formatHex(mutator.current));
  }

  private void all(
      String name,
      int executions,
      List<byte[]> seeds,
      long memory,
      long memoryPerByte,
      Reader reader,
      Class<? extends Exception>[] refusals)
      throws Exception {
    long thread = Thread.currentThread().getId();
    long slowest = 0;
    long dearest = 0;
    int taken = 0;
    reader.read(seeds.get(0)); // what is made once is no input's
    for (int i = 0; i < executions; i++) {
      byte[] input = damage(seeds.get(random.nextInt(seeds.size())));
      current = input;
      long start = System.nanoTime();
      long before = THREADS.getThreadAllocatedBytes(thread);
      try {
        reader.read(input);
        taken++;
      } catch (Exception | StackOverflowError | OutOfMemoryError e) {
        if (Arrays.stream(refusals).noneMatch(refusal -> refusal.isInstance(e))) {
          String hex = HexFormat.of().formatHex(input);
          throw new AssertionError(name + ": " + e + " on " + hex, e);
        }
      }
      long allocated = THREADS.getThreadAllocatedBytes(thread) - before;
      slowest = Math.max(slowest, System.nanoTime() - start);
      dearest = Math.max(dearest, allocated);
      if (allocated > memory + memoryPerByte * input.length) {
        String hex = HexFormat.of().formatHex(input);
        throw new AssertionError(name + " allocates " + allocated + " bytes for " + hex);
      }
    }
    assertTrue(taken > 0, name + " took none");
    System.out.printf(
        "%s: %d executions, %d taken, 0 crashes, slowest input %d us, largest memory %d bytes%n",
        name, executions, taken, slowest / 1000, dearest);
  }

  private byte[] damage(byte[] seed) {
    byte[] bytes = seed;
    for (int left = 1 + random.nextInt(6); left > 0; left--) {
      int at = random.nextInt(bytes.length + 1);
      int end = Math.min(bytes.length, at + random.nextInt(16));
      switch (random.nextInt(8)) {
        case 0 -> bytes = Arrays.copyOf(bytes, at);
        case 1 -> bytes = join(bytes, at, new byte[0], end);
        case 2 -> bytes = join(bytes, at, Arrays.copyOfRange(bytes, at, end), at);
        case 3 -> bytes = join(bytes, at, new byte[] {(byte) random.nextInt()}, at);
        case 4 -> {
          bytes = bytes.clone();
          Arrays.fill(bytes, at, end, hard());
        }
        default -> {
          bytes = bytes.clone();
          if (at < bytes.length) {
            int bit = 1 << random.nextInt(8);
            bytes[at] = random.nextBoolean() ? hard() : (byte) (bytes[at] ^ bit);
          }
        }
      }
    }
    return bytes;
  }

  private byte hard() {
    return (byte) HARD[random.nextInt(HARD.length)];
  }

  /** The bytes up to a place, others, and the bytes from a place on. */
  private static byte[] join(byte[] bytes, int to, byte[] middle, int from) {
    byte[] joined = Arrays.copyOf(bytes, to + middle.length + bytes.length - from);
    System.arraycopy(middle, 0, joined, to, middle.length);
    System.arraycopy(bytes, from, joined, to + middle.length, bytes.length - from);
    return joined;
  }
}
