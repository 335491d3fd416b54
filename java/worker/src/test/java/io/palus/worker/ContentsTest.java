package io.palus.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.math.BigInteger;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What objects of the JDK are said to hold. */
class ContentsTest {
  private static Object of(Object value) {
    return TypeInfo.of(value.getClass()).mayHaveContent ? Contents.of(value) : null;
  }

  @Test
  void values_are_told_by_the_text_that_makes_them() {
    assertEquals("2024-02-29", of(LocalDate.of(2024, 2, 29)));
    assertEquals("de-CH", of(new Locale("de", "CH")));
    assertEquals("[I", of(int[].class));
    assertNull(of(BigInteger.ONE.shiftLeft(300)));
  }

  @Test
  void elements_are_told_where_all_of_them_can_be() {
    assertEquals(List.of(1, "a"), of(new Object[] {1, "a"}));
    assertEquals(List.of("k", 2), of(Map.of("k", 2)));
    assertEquals(List.of("a"), of(Optional.of("a")));
    assertEquals(List.of("a"), of(Collections.unmodifiableList(Arrays.asList("a"))));
    assertNull(of(Arrays.asList("a", new Object())));
    assertNull(of(new int[9]));
    Object nested = new Object[] {new Object[] {new Object[] {new Object[0]}}};
    assertNull(of(nested));
  }

  @Test
  void a_view_of_what_has_changed_since_is_left_alone() {
    List<String> list = new ArrayList<>(Arrays.asList("a", "b"));
    List<String> view = list.subList(0, 1);
    assertEquals(List.of("a"), of(view));
    list.add("c");
    assertNull(of(view));
  }
}
