package io.palus.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.palus.wire.Mutator;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TestReportsTest {
  @TempDir private Path reports;

  @Test
  void figures_of_all_classes_are_added_and_old_or_broken_reports_are_not() throws IOException {
    write("TEST-a.xml", "<testsuite tests='1,003' failures='1' errors='1'/>");
    write("TEST-b.xml", "<testsuite tests='2' failures='0' errors='0'><properties/></testsuite>");
    write("TEST-broken.xml", "<testsuite tests='9");
    write("other.xml", "<testsuite tests='9'/>");
    write("TEST-old.xml", "<testsuite tests='9'/>");
    reports.resolve("TEST-old.xml").toFile().setLastModified(1_000_000);
    TestReports read = TestReports.since(2_000_000, reports);
    assertEquals(1005, read.tests());
    assertEquals(2, read.red());
  }

  @Test
  void tests_that_fail_at_the_end_of_the_stack_or_of_memory_may_do_so_because_of_tracing()
      throws IOException {
    String start = "<testsuite tests='4' failures='1' errors='3'><testcase name='a'>";
    String other = "<error type='java.lang.IllegalStateException'>at java.lang.X</error>";
    write("TEST-a.xml", start + other + "</testcase></testsuite>");
    String all = "4 of the project's own tests fail; what they did is left out of the trace";
    assertEquals(all, TestReports.since(0, reports).failures());
    String limits =
        "<error type='java.lang.StackOverflowError'/><error message='no more'"
            + " type='java.lang.OutOfMemoryError'>x</error><failure type='AssertionFailedError'"
            + " message='Unexpected exception thrown: java.lang.StackOverflowError'/>";
    write("TEST-a.xml", start + other + limits + "</testcase></testsuite>");
    String said = TestReports.since(0, reports).failures();
    String more = all + ". At least 3 of them came to the end of the stack or of memory";
    assertTrue(said.startsWith(more), said);
    assertTrue(said.contains("they may pass without Palus"), said);
  }

  @Test
  void tests_that_make_classes_anew_may_fail_because_of_tracing() throws IOException {
    write(
        "TEST-a.xml",
        "<testsuite tests='2' failures='0' errors='2'><testcase name='a'><error"
            + " message='class redefinition failed: attempted to delete a method'"
            + " type='java.lang.UnsupportedOperationException'>x</error><error"
            + " type='java.lang.ClassFormatError'/></testcase></testsuite>");
    String said = TestReports.since(0, reports).failures();
    assertTrue(said.contains("At least 2 of them make classes anew"), said);
  }

  @Test
  void no_folder_means_no_tests() {
    assertEquals(0, TestReports.since(0, reports.resolve("none")).tests());
  }

  @Test
  void damaged_reports_are_read_or_passed_over() throws IOException {
    String report =
        "<?xml version='1.0' encoding='UTF-8'?>\n<!DOCTYPE a [<!ENTITY b 'c'>]>"
            + "<testsuite name='&lt;é&#x41;' tests='12' failures='1' errors='0'>"
            + "<properties/><testcase name='a'/></testsuite>";
    Mutator.run(
        "test reports",
        100,
        List.of(report.getBytes(StandardCharsets.UTF_8)),
        4 << 20,
        1 << 12,
        bytes -> {
          Files.write(reports.resolve("TEST-a.xml"), bytes);
          TestReports.since(0, reports);
        });
  }

  private void write(String name, String text) throws IOException {
    Files.writeString(reports.resolve(name), text);
  }
}
