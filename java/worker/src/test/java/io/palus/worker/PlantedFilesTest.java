package io.palus.worker;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlantedFilesTest {
  private static final List<String> NAMES =
      Arrays.asList("data/ledger.db", "data/old/a.txt", "settings.xml");

  @TempDir Path temp;

  private Path root;
  private PlantedFiles files;
  private List<String> planted;

  @BeforeEach
  void plant() throws IOException {
    root = temp.resolve("home");
    files = new PlantedFiles(null);
    files.know(root, NAMES);
    files.plant();
    files.stamp();
    planted = names();
    assertNull(files.changed());
  }

  private interface Change {
    void make() throws IOException;
  }

  private List<String> names() throws IOException {
    try (Stream<Path> all = Files.walk(root)) {
      return all.map(Path::toString).sorted().collect(Collectors.toList());
    }
  }

  private void changesAndIsPutBack(Change change) throws IOException {
    change.make();
    assertNotNull(files.changed());
    files.repair();
    assertNull(files.changed());
    assertNull(files.changedInside());
    assertEquals(planted, names());
  }

  @Test
  void whatSomebodyElsePlantedIsKnownAsItIs() throws IOException {
    PlantedFiles same = new PlantedFiles(null);
    same.know(root, NAMES);
    same.stamp();
    assertNull(same.changed());
    assertNull(same.changedInside());
    Files.write(root.resolve("settings.xml"), new byte[100]);
    assertEquals(root.resolve("settings.xml"), same.changed());
    Path old = root.resolve("data/old/a.txt");
    Files.write(old, "b.txt\n".getBytes(StandardCharsets.UTF_8));
    same.stamp();
    assertNull(same.changed());
    assertEquals(old, same.changedInside());
  }

  @Test
  void whatIsWrittenRemovedOrMadeIsPutBack() throws IOException {
    changesAndIsPutBack(() -> Files.write(root.resolve("settings.xml"), new byte[100]));
    changesAndIsPutBack(() -> Files.delete(root.resolve("data/ledger.db")));
    changesAndIsPutBack(() -> Files.createFile(root.resolve("data/new")));
    changesAndIsPutBack(() -> Files.createDirectories(root.resolve("new/folder/in/folder")));
    changesAndIsPutBack(
        () -> {
          Files.delete(root.resolve("data/old/a.txt"));
          Files.delete(root.resolve("data/old"));
        });
  }

  @Test
  void whatIsAnotherThingOfTheSameNameIsPutBack() throws IOException {
    Path outside = Files.write(temp.resolve("outside"), new byte[] {1});
    changesAndIsPutBack(
        () -> {
          Files.delete(root.resolve("settings.xml"));
          Files.createSymbolicLink(root.resolve("settings.xml"), outside);
        });
    assertArrayEquals(new byte[] {1}, Files.readAllBytes(outside));
    changesAndIsPutBack(
        () -> {
          Files.delete(root.resolve("settings.xml"));
          Files.createDirectories(root.resolve("settings.xml/x"));
        });
    Path away = temp.resolve("away");
    changesAndIsPutBack(
        () -> {
          Files.move(root.resolve("data"), away);
          Files.createSymbolicLink(root.resolve("data"), away);
        });
    assertEquals(
        "ledger.db\n",
        new String(Files.readAllBytes(away.resolve("ledger.db")), StandardCharsets.UTF_8));
  }

  @Test
  void rightsAndTimesArePutBack() throws IOException {
    changesAndIsPutBack(
        () ->
            Files.setPosixFilePermissions(
                root.resolve("data"), PosixFilePermissions.fromString("r-x------")));
    changesAndIsPutBack(
        () -> Files.setLastModifiedTime(root.resolve("settings.xml"), FileTime.fromMillis(1_000)));
  }

  @Test
  void anotherContentOfTheSameSizeAndTimeIsTold() throws IOException {
    Path file = root.resolve("settings.xml");
    FileTime time = Files.getLastModifiedTime(file);
    Files.write(file, "settings.XML\n".getBytes(StandardCharsets.UTF_8));
    Files.setLastModifiedTime(file, time);
    assertNull(files.changed());
    assertEquals(file, files.changedInside());
  }
}
