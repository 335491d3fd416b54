package io.palus.maven;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.apache.maven.model.Build;
import org.apache.maven.project.MavenProject;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TestOutputTest {
  @TempDir private Path target;
  private Layout layout;

  @BeforeEach
  void project() throws IOException {
    MavenProject project = new MavenProject();
    Build build = new Build();
    build.setDirectory(target.toString());
    build.setOutputDirectory(target.resolve("classes").toString());
    build.setTestOutputDirectory(target.resolve("test-classes").toString());
    project.setBuild(build);
    layout = new Layout(project);
    write("test-classes/a/OwnTest.class", "own");
    write("compiled/a/OwnTest.class", "written");
    write("compiled/a/WrittenTest.class", "written");
    Files.createDirectories(layout.work());
  }

  @Test
  void added_tests_are_taken_out_again_and_the_projects_own_stay() throws IOException {
    TestOutput output = new TestOutput(layout);
    output.add(target.resolve("compiled"));
    Path written = target.resolve("test-classes/a/WrittenTest.class");
    assertEquals(Set.of(written), output.added());
    assertTrue(Files.exists(written));
    assertEquals("own", Files.readString(target.resolve("test-classes/a/OwnTest.class")));
    output.removeAdded();
    assertFalse(Files.exists(written));
    assertTrue(Files.exists(target.resolve("test-classes/a/OwnTest.class")));
    assertEquals(Set.of(), output.added());
  }

  @Test
  void added_tests_do_not_count_as_a_change_and_everything_else_does() throws IOException {
    String before = digest(Set.of(), List.of("-Xmx1g"));
    TestOutput output = new TestOutput(layout);
    output.add(target.resolve("compiled"));
    assertEquals(before, digest(output.added(), List.of("-Xmx1g")));
    assertFalse(before.equals(digest(output.added(), List.of("-Xmx2g"))));
    write("classes/a/Own.class", "new");
    assertFalse(before.equals(digest(output.added(), List.of("-Xmx1g"))));
  }

  @Test
  void a_trace_holds_only_for_what_it_was_made_from_and_only_when_it_is_complete()
      throws IOException {
    TraceRecord record = new TraceRecord(layout);
    record.begin("d1");
    write("palus/trace/1.trace", "x");
    assertTrue(new TraceRecord(layout).isBegun());
    assertFalse(new TraceRecord(layout).isCompleteFor("d1"));
    record.complete(io.palus.host.TestReports.since(0, target.resolve("none")));
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

  private String digest(Set<Path> added, List<String> jvmArguments) {
    return TraceRecord.digest(
        layout,
        List.of(layout.testClasses().toString(), layout.classes().toString()),
        jvmArguments,
        added);
  }

  private void write(String name, String text) throws IOException {
    Path file = target.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }
}
