package io.palus.worker.verify;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.ComparisonFailure;
import org.junit.jupiter.api.Test;

/** What is told of what a test threw. */
class FailureTest {
  @Test
  void what_differs_is_told_whole_and_not_in_brackets() {
    ComparisonFailure failure =
        new ComparisonFailure("why", "the text of all that was before", "the text of all that is");
    assertEquals(
        "org.junit.ComparisonFailure: expected:<the text of all that was before>"
            + " but was:<the text of all that is>",
        Failure.text(failure));
  }

  @Test
  void so_is_what_differs_in_an_array() {
    AssertionError failure =
        assertThrows(
            AssertionError.class,
            () -> assertArrayEquals(new String[] {"a9"}, new String[] {"b9"}));
    assertEquals(
        "org.junit.internal.ArrayComparisonFailure: arrays first differed at element [0];"
            + " expected:<a9> but was:<b9>",
        Failure.text(failure));
    AssertionError numbers =
        assertThrows(AssertionError.class, () -> assertArrayEquals(new int[] {1}, new int[] {2}));
    assertEquals(
        "org.junit.internal.ArrayComparisonFailure: arrays first differed at element [0];"
            + " expected:<1> but was:<2>",
        Failure.text(numbers));
  }

  @Test
  void letters_that_end_a_line_or_cannot_be_seen_are_escaped() {
    AssertionError failure = new AssertionError("a\\b\nc\u2028\u0007");
    assertEquals("java.lang.AssertionError: a\\\\b\\nc\\u2028\\u0007", Failure.text(failure));
    assertEquals(
        0, Failure.line(assertThrows(Error.class, () -> fails(failure)), "no.Such", "test"));
  }

  private static void fails(Error error) {
    throw error;
  }
}
