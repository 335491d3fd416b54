package io.palus.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.palus.wire.ByteReader;
import io.palus.wire.ByteWriter;
import io.palus.wire.FrameReader;
import io.palus.wire.Kinds;
import io.palus.wire.Mutator;
import io.palus.worker.instrument.Instrumenter;
import io.palus.worker.instrument.ProbeTable;
import io.palus.worker.instrument.StaticTable;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever bytes come, the worker's readers read or refuse them, with little memory and soon. */
class DamagedInputTest {
  private static final String CLASS = "native/fuzz/corpus/Shapes.class";

  @TempDir Path folder;

  @Test
  void frames_and_requests_are_read_or_refused() throws IOException {
    List<byte[]> bodies = new ArrayList<>(Goldens.bodies("requests.txt").values());
    Set<Integer> kinds = new HashSet<>();
    for (byte[] body : bodies) {
      kinds.add((int) body[0]);
      request(body);
    }
    assertEquals(Kinds.Request.values().length, kinds.size());
    Mutator.run("requests", 1, bodies, 1 << 20, 256, DamagedInputTest::request, IOException.class);
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    List<byte[]> frames = new ArrayList<>();
    for (byte[] body : bodies) {
      byte[] frame = frame(body.length, body);
      frames.add(frame);
      all.write(frame);
    }
    frames.add(all.toByteArray());
    Mutator.run(
        "frames",
        4,
        frames,
        1 << 21,
        256,
        bytes -> {
          FrameReader reader = new FrameReader(new ByteArrayInputStream(bytes));
          for (ByteReader body = reader.next(); body != null; body = reader.next()) {
            request(body);
          }
        },
        IOException.class);
  }

  @Test
  void class_files_are_instrumented_or_refused() throws IOException {
    byte[] file = Files.readAllBytes(Goldens.file("../../../../" + CLASS));
    Mutator.run(
        "class files",
        50,
        List.of(file),
        16 << 20,
        1 << 12,
        bytes -> {
          Instrumenter instrumenter = new Instrumenter(new ProbeTable(), new StaticTable());
          instrumenter.subject(bytes, 1);
          instrumenter.mutated(bytes, 1, new ArrayList<>());
          instrumenter.recorded(bytes, 1, Map.of(0, 1, 2, 2));
        },
        // What it throws makes a class that cannot be loaded.
        RuntimeException.class);
  }

  @Test
  void jars_are_read_or_refused() throws IOException {
    ByteArrayOutputStream jar = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(jar)) {
      for (String name : new String[] {"road/A.class", "road/B.class"}) {
        zip.putNextEntry(new ZipEntry(name));
        zip.write(new byte[300]);
      }
    }
    Path file = folder.resolve("damaged.jar");
    Mutator.run(
        "jars",
        100,
        List.of(jar.toByteArray()),
        1 << 20,
        1 << 12,
        bytes -> {
          Files.write(file, bytes);
          ClassPath.Found found = new ClassPath(List.of(file.toString())).find("road/A.class");
          if (found == null) {
            throw new IOException("no such class");
          }
        },
        IOException.class,
        IllegalArgumentException.class);
  }

  @Test
  void the_size_that_a_jar_tells_of_a_class_is_not_believed() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      zip.putNextEntry(new ZipEntry("A.class"));
      zip.write(new byte[300]);
    }
    // The size stands 24 bytes after the start of the entry in the list at the end.
    ByteBuffer jar = ByteBuffer.wrap(bytes.toByteArray()).order(ByteOrder.LITTLE_ENDIAN);
    int place = 0;
    while (jar.getInt(place) != 0x02014b50) {
      place++;
    }
    jar.putInt(place + 24, 1 << 30);
    Path file = Files.write(folder.resolve("lie.jar"), jar.array());
    ClassPath path = new ClassPath(List.of(file.toString()));
    assertTrue(Runtime.getRuntime().maxMemory() < 1L << 30);
    try {
      assertEquals(300, path.find("A.class").bytes.length);
    } catch (IOException e) { // some JDKs refuse it
      assertTrue(e.getMessage().contains("size"), e.getMessage());
    }
  }

  @Test
  void the_length_of_a_frame_is_not_believed_before_its_bytes_come() throws IOException {
    byte[] lie = frame(1 << 26, new byte[10]);
    FrameReader lied = new FrameReader(new ByteArrayInputStream(lie));
    assertThrows(EOFException.class, lied::next);
    byte[] large = frame(1 << 20, new byte[1 << 20]);
    ByteReader body = new FrameReader(new ByteArrayInputStream(large)).next();
    for (int i = 0; i < 1 << 20; i++) {
      assertEquals(0, body.get());
    }
    body.end();
  }

  private static void request(byte[] bytes) throws IOException {
    request(new ByteReader(bytes, bytes.length));
  }

  private static void request(ByteReader body) throws IOException {
    switch (body.kind(Kinds.Request.values(), "a kind of request")) {
      case SETUP -> Setup.read(body);
      case BEGIN -> {
        Session.strings(body);
        body.number();
      }
      case MUTATE -> Session.strings(body);
      case READ_CLASSES -> Session.readClasses(body, new ByteWriter());
      case EXECUTE -> {
        SequenceReader sequence = new SequenceReader();
        for (int left = body.count(); left > 0; left--) {
          sequence.read(body);
        }
      }
      case WATCH -> Session.probes(body);
      case TURN_ON -> Session.turnOn(body, Integer.MAX_VALUE);
      case DEFINE_SITES -> Sites.read(body);
      case RECORD -> body.bool();
      case DEFINE_METHODS, DEFINE_FIELDS -> {
        for (int left = body.count(); left > 0; left--) {
          body.number();
          body.get();
          body.string();
          body.string();
          body.string();
        }
      }
      case EXIT, FORGET -> {}
    }
    body.end();
  }

  private static byte[] frame(int length, byte[] body) {
    return ByteBuffer.allocate(4 + body.length)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(length)
        .put(body)
        .array();
  }
}
