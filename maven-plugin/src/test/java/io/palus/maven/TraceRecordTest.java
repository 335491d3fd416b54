package io.palus.maven;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.palus.host.PalusException;
import io.palus.host.TestReports;
import io.palus.wire.Mutator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.apache.maven.model.Build;
import org.apache.maven.project.MavenProject;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class TraceRecordTest {
  @TempDir private Path target;
  private final MavenProject project = new MavenProject();
  private Layout layout;

  @BeforeEach
  void project() throws IOException {
    Build build = new Build();
    build.setDirectory(target.toString());
    build.setOutputDirectory(target.resolve("classes").toString());
    build.setTestOutputDirectory(target.resolve("test-classes").toString());
    project.setBuild(build);
    layout = new Layout(project);
    write("test-classes/a/OwnTest.class", "own");
    Files.createDirectories(layout.work());
  }

  @Test
  void what_a_traced_run_depends_on_counts_as_a_change() throws IOException {
    String before = digest(List.of("-Xmx1g"));
    assertEquals(before, digest(List.of("-Xmx1g")));
    assertFalse(before.equals(digest(List.of("-Xmx2g"))));
    write("classes/a/Own.class", "new");
    assertFalse(before.equals(digest(List.of("-Xmx1g"))));
  }

  @Test
  void a_damaged_record_is_read_or_as_none() throws IOException {
    TraceRecord record = new TraceRecord(layout);
    record.begin("d1");
    record.watch(target.resolve("jacoco.exec"));
    record.complete(TestReports.since(0, target.resolve("none")), true);
    Path file = layout.traceRecord();
    Mutator.run(
        "records of traces",
        100,
        List.of(Files.readAllBytes(file)),
        4 << 20,
        1 << 12,
        bytes -> {
          Files.write(file, bytes);
          TraceRecord read = new TraceRecord(layout);
          read.isCompleteFor("d1");
          assertTrue(read.started() >= 0);
          assertTrue(read.tests() == null || Long.parseLong(read.tests()) >= 0);
          assertTrue(read.seconds() == null || Double.parseDouble(read.seconds()) >= 0);
          read.takeExecutionData(target.resolve("jacoco.exec"));
        });
  }

  @Test
  void a_trace_holds_only_for_what_it_was_made_from_and_only_when_it_is_complete()
      throws IOException {
    TraceRecord record = new TraceRecord(layout);
    record.begin("d1");
    write("palus/trace/1.trace", "x");
    assertTrue(new TraceRecord(layout).isBegun());
    assertFalse(new TraceRecord(layout).isCompleteFor("d1"));
    TestReports none = TestReports.since(0, target.resolve("none"));
    record.complete(none, true);
    // A run of no test leaves nothing that could hold.
    assertFalse(new TraceRecord(layout).isCompleteFor("d1"));
    record.begin("d1");
    write("palus/trace/1.trace", "x");
    record.complete(none, false);
    assertTrue(new TraceRecord(layout).isCompleteFor("d1"));
    assertFalse(new TraceRecord(layout).isCompleteFor("d2"));
    record.begin("d2");
    assertFalse(new TraceRecord(layout).hasTraces());
  }

  @Test
  void only_what_this_build_added_to_jacocos_file_is_taken() throws IOException {
    write("jacoco.exec", "earlier");
    TraceRecord record = new TraceRecord(layout);
    record.begin("d");
    record.watch(target.resolve("jacoco.exec"));
    write("jacoco.exec", "earlier+this");
    record.takeExecutionData(target.resolve("jacoco.exec"));
    assertEquals("+this", Files.readString(layout.executionData()));
  }

  @Test
  void no_folder_is_deleted_through_a_link(@TempDir Path elsewhere) throws IOException {
    Path report = elsewhere.resolve("surefire-reports/own.xml");
    Files.createDirectories(report.getParent());
    Files.writeString(report, "the user's");
    Files.delete(layout.work());
    Files.createSymbolicLink(layout.work(), elsewhere);
    PalusException refusal =
        assertThrows(PalusException.class, () -> layout.delete(layout.writtenReports()));
    assertTrue(refusal.getMessage().contains("the link " + layout.work()));
    assertThrows(PalusException.class, () -> new TraceRecord(layout).begin("d"));
    assertTrue(Files.exists(report));
  }

  @EnabledOnOs(OS.LINUX)
  @Test
  void a_folder_that_cannot_be_deleted_is_named_with_its_cause() {
    Path system = Path.of("/proc", Long.toString(ProcessHandle.current().pid()));
    project.getBuild().setDirectory(system.toString());
    Path folder = system.resolve("attr"); // The system lets nobody delete there.
    PalusException error =
        assertThrows(PalusException.class, () -> new Layout(project).delete(folder));
    assertTrue(error.getMessage().startsWith("cannot write to " + folder), error.getMessage());
  }

  @Test
  void a_link_in_the_place_of_the_record_goes_and_what_it_leads_to_stays() throws IOException {
    Path precious = target.resolve("precious");
    Files.writeString(precious, "color=green\n");
    Files.setPosixFilePermissions(precious, PosixFilePermissions.fromString("rw-r--r--"));
    Files.createSymbolicLink(layout.traceRecord(), precious);
    Files.createSymbolicLink(layout.executionData(), precious);
    TraceRecord record = new TraceRecord(layout);
    assertFalse(record.isBegun());
    record.complete(TestReports.since(0, target.resolve("none")), true);
    assertEquals("color=green\n", Files.readString(precious));
    assertEquals("rw-r--r--", rights(precious));
    new TraceRecord(layout).begin("d");
    assertEquals("color=green\n", Files.readString(precious));
    assertTrue(new TraceRecord(layout).isBegun());
  }

  private static String rights(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }

  private String digest(List<String> jvmArguments) {
    return TraceRecord.digest(
        layout,
        List.of(layout.testClasses().toString(), layout.classes().toString()),
        jvmArguments);
  }

  private void write(String name, String text) throws IOException {
    Path file = target.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }
}
