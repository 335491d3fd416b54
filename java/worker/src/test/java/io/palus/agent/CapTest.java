package io.palus.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The cap keeps or drops the histories of whole objects, and never half a call. */
class CapTest {
  @TempDir Path folder;
  private TracedProgram program;

  @BeforeEach
  void makeProgram() throws Exception {
    program = new TracedProgram(folder);
    program.jvmArguments.addAll(List.of("-cp", program.classes.toString()));
    program.options.add("cap=5");
    program.compile(
        8,
        """
        class Main {
          public static void main(String[] a) {
            if (a[0].equals("many")) {
              Item first = new Item();
              for (int i = 0; i < 20; i++) new Item().use();
              first.use();
            } else if (a[0].equals("hot")) {
              Item hot = new Item();
              for (int i = 0; i < 40; i++) hot.use();
              hot.last();
            } else if (a[0].equals("lent")) {
              Item kept = new Item();
              for (int i = 0; i < 8; i++) new Box();
              new Box(kept).put(kept);
              new Box().put(new Item());
            } else if (a[0].equals("made")) {
              Box box = new Box();
              for (int i = 0; i < 20; i++) new Item();
              box.make();
            } else if (a[0].equals("static")) {
              for (int i = 0; i < 20; i++) Box.count();
              Box.count(new Item());
            } else if (a[0].equals("sub")) {
              for (int i = 0; i < 20; i++) new SubItem().use();
              new Item().use();
            }
          }
        }
        class Item { int n; void use() { n++; } void last() {} }
        class SubItem extends Item { SubItem() { super(); } }
        class Box {
          Box() {}
          Box(Item item) {}
          void put(Item item) { item.use(); }
          Item make() { return new Item(); }
          static void count() {}
          static void count(Item item) {}
        }
        """);
  }

  private List<String> lines(String what) throws Exception {
    TracedProgram.Run run = program.run("Main", what);
    assertEquals("", run.output());
    List<String> lines = run.lines();
    long entered = lines.stream().filter(each -> each.contains("(")).count();
    long left = lines.stream().filter(each -> each.matches("(->|throws) .*")).count();
    assertEquals(entered, left, "" + lines);
    return lines;
  }

  private static long count(List<String> lines, String pattern) {
    return lines.stream().filter(each -> each.matches(pattern)).count();
  }

  @Test
  void new_objects_beyond_the_cap_are_not_recorded_and_old_ones_go_on() throws Exception {
    List<String> lines = lines("many");
    assertEquals(5, count(lines, "Item.<init>\\(\\)"));
    // Four of the loop and the first one, whose call comes last of all.
    assertEquals(5, count(lines, "Item@.*use\\(\\)"));
    assertTrue(lines.get(lines.size() - 3).startsWith("Item@2[3].Item.use"), "" + lines);
    assertEquals(0, count(lines, "capped.*"));
  }

  @Test
  void an_object_called_without_end_is_given_up_and_the_trace_says_so() throws Exception {
    List<String> lines = lines("hot");
    assertEquals(10, count(lines, "Item@2.*use\\(\\)"));
    assertEquals(1, count(lines, "capped 2"));
    assertEquals(0, count(lines, ".*last.*"));
  }

  @Test
  void a_call_with_a_recorded_argument_is_recorded_whatever_its_receiver() throws Exception {
    List<String> lines = lines("lent");
    assertEquals(1, count(lines, "Box.<init>\\(Item@2.*"), "" + lines);
    assertEquals(1, count(lines, "Box@.*put\\(Item@2.*"), "" + lines);
    // The box itself has calls that are missing: the trace says so before it names it.
    int capped =
        lines.indexOf(lines.stream().filter(each -> each.startsWith("capped")).findFirst().get());
    String id = lines.get(capped).substring("capped ".length());
    assertEquals("-> Box@" + id + "[]", lines.get(capped + 1));
  }

  @Test
  void an_unrecorded_object_that_a_recorded_one_hands_out_is_named_as_such() throws Exception {
    List<String> lines = lines("made");
    int call = lines.indexOf("Box@2[].Box.make()");
    assertTrue(lines.get(call + 1).startsWith("capped "), "" + lines.subList(call, lines.size()));
    String id = lines.get(call + 1).substring("capped ".length());
    assertEquals("-> Item@" + id + "[3]", lines.get(call + 2));
  }

  @Test
  void static_calls_end_at_the_cap_unless_they_belong_to_an_object() throws Exception {
    List<String> lines = lines("static");
    assertEquals(5, count(lines, "Box.count\\(\\)"));
    assertEquals(1, count(lines, "Box.count\\(Item@.*\\)"));
  }

  @Test
  void a_subclass_does_not_use_up_its_superclass() throws Exception {
    List<String> lines = lines("sub");
    assertEquals(5, count(lines, "SubItem.<init>\\(\\)"));
    // Inside the subclass's constructors, and the one of its own.
    assertEquals(6, count(lines, "Item.<init>\\(\\)"), "" + lines);
    assertEquals(1, count(lines, "Item@.*Item.use\\(\\)"), "" + lines);
    assertEquals(5, count(lines, "SubItem@.*Item.use\\(\\)"), "" + lines);
  }

  @Test
  void without_a_cap_everything_is_recorded() throws Exception {
    program.options.set(0, "cap=0");
    assertEquals(40, count(lines("hot"), "Item@2.*use\\(\\)"));
  }
}
