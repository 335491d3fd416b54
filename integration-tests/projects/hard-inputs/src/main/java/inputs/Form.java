package inputs;

import java.util.List;

/** A sealed hierarchy with records in it. */
public sealed interface Form permits Form.Circle, Form.Group {
  /** A record. */
  record Circle(int radius) implements Form {}

  /** A record of records. */
  record Group(String name, List<Form> forms) implements Form {}

  static String describe(Form form) {
    if (form instanceof Group group) {
      if (group.name().equals("pair") && group.forms().size() == 2) {
        return "reached a pair";
      }
      return "group";
    }
    return ((Circle) form).radius() > 50 ? "reached a large circle" : "circle";
  }
}
