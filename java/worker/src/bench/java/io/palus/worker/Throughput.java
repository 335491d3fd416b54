package io.palus.worker;

import io.palus.wire.ByteReader;
import io.palus.wire.ByteWriter;
import io.palus.wire.FrameReader;
import io.palus.wire.FrameWriter;
import java.io.BufferedInputStream;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/**
 * Ten-call sequences per second through a real worker, over its pipes. Run by hand:
 *
 * <pre>
 * java -cp (worker classes, ASM, this) io.palus.worker.Throughput (class path of a subject) (class) [watch]
 * </pre>
 *
 * <p>The calls are {@code new}, {@code add}, {@code get}, {@code remove}, {@code size} of an {@code
 * ArrayList} or of the class given, which must have the same methods; that class is instrumented,
 * and with {@code watch} all its jumps are measured.
 */
public final class Throughput {
  private static final int BATCH = 100;
  private static final int SECONDS = 4;
  private static final int PROBES = 1000;
  private static final String OBJECT = "Ljava/lang/Object;";

  private Throughput() {}

  /**
   * Measures.
   *
   * @param arguments class path of the subject, internal name of a list class, and {@code watch};
   *     none for ArrayList
   * @throws IOException if the worker dies
   */
  public static void main(String[] arguments) throws IOException {
    String owner = arguments.length >= 2 ? arguments[1] : "java/util/ArrayList";
    String path = arguments.length >= 2 ? arguments[0] : ".";
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:-OmitStackTraceInFastThrow",
                "-XX:+UnlockExperimentalVMOptions",
                "-XX:hashCode=2",
                "-cp",
                System.getProperty("java.class.path"),
                "io.palus.worker.WorkerMain",
                "--progress",
                File.createTempFile("palus", "progress").getPath())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    FrameWriter out = new FrameWriter(process.getOutputStream());
    FrameReader in = new FrameReader(new BufferedInputStream(process.getInputStream(), 1 << 16));
    setUp(out, path, owner);
    in.next();
    define(out, owner);
    begin(out);
    in.next();
    if (arguments.length == 3) {
      watch(out);
    }
    Random random = new Random(1);
    for (int round = 0; round < 5; round++) {
      long start = System.nanoTime();
      long cpu = cpuNanos(process);
      long done = 0;
      long bytes = 0;
      while (System.nanoTime() - start < SECONDS * 1_000_000_000L) {
        ByteWriter request = out.begin();
        request.put(4);
        request.varint(BATCH);
        for (int i = 0; i < BATCH; i++) {
          sequence(request, random);
        }
        out.send();
        ByteReader answer = in.next();
        answer.get();
        done += answer.count();
        bytes += request.length();
      }
      long rate = done * 1_000_000_000L / (System.nanoTime() - start);
      long rateOfCpu = done * 1_000_000_000L / Math.max(1, cpuNanos(process) - cpu);
      System.out.printf(
          "%s: %,d sequences/s, %,d per second of the worker's processor time, %d bytes each%n",
          owner, rate, rateOfCpu, bytes / done);
    }
    out.begin().put(6);
    out.send();
  }

  /** On a machine with other work to do, this time is what can be compared. */
  private static long cpuNanos(Process process) {
    return process.toHandle().info().totalCpuDuration().orElse(Duration.ZERO).toNanos();
  }

  private static void begin(FrameWriter out) throws IOException {
    // No class to initialise.
    ByteWriter begin = out.begin();
    begin.put(3);
    begin.varint(0);
    out.send();
  }

  /** All probes that the class may have. */
  private static void watch(FrameWriter out) throws IOException {
    ByteWriter watch = out.begin();
    watch.put(7);
    watch.varint(PROBES);
    for (int i = 0; i < PROBES; i++) {
      watch.varint(0);
      watch.varint(i == 0 ? 0 : 1);
    }
    out.send();
  }

  private static void setUp(FrameWriter out, String path, String owner) throws IOException {
    ByteWriter setup = out.begin();
    setup.put(0);
    setup.raw(new byte[] {'P', 'A', 'L', 'W', 2, 0});
    setup.varint(1);
    setup.string(path);
    setup.varint(1);
    setup.varint(0);
    setup.string(owner);
    setup.varint(1_000_000);
    setup.varint(1000);
    setup.varint(3000);
    setup.string(System.getProperty("java.io.tmpdir"));
    out.send();
  }

  private static void define(FrameWriter out, String owner) throws IOException {
    List<String[]> methods =
        List.of(
            new String[] {"<init>", "()V"},
            new String[] {"add", "(" + OBJECT + ")Z"},
            new String[] {"get", "(I)" + OBJECT},
            new String[] {"remove", "(I)" + OBJECT},
            new String[] {"size", "()I"});
    ByteWriter request = out.begin();
    request.put(1);
    request.varint(methods.size());
    for (int i = 0; i < methods.size(); i++) {
      request.varint(i);
      request.put(i == 0 ? 0 : 2);
      request.string(owner);
      request.string(methods.get(i)[0]);
      request.string(methods.get(i)[1]);
    }
    out.send();
  }

  /** Two constants, then a constructor and nine calls, one in ten sequences with an exception. */
  private static void sequence(ByteWriter request, Random random) {
    request.varint(12);
    for (int i = 0; i < 2; i++) {
      request.put(0);
      request.put(5);
      request.signed(random.nextInt(i == 0 ? 1000 : 2));
    }
    call(request, 0, 0);
    for (int i = 0; i < 5; i++) {
      call(request, 1, 3, 0);
    }
    call(request, 2, 3, 1);
    call(request, 3, 3, random.nextInt(10) == 0 ? 0 : 1);
    call(request, 4, 3);
    call(request, 4, 3);
  }

  private static void call(ByteWriter request, int method, int receiver, int... arguments) {
    request.put(1);
    request.varint(method);
    request.varint(receiver);
    request.varint(arguments.length);
    for (int argument : arguments) {
      request.varint(argument);
    }
  }
}
