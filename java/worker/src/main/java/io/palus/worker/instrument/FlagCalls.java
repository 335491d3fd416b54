package io.palus.worker.instrument;

import io.palus.worker.runtime.Comparison;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.IntInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;

/** The table of methods of the JDK whose result is measured by their operands. */
final class FlagCalls {
  private static final String FLAGS = "io/palus/worker/runtime/Flags";
  private static final String TWO_OBJECTS = "(Ljava/lang/Object;Ljava/lang/Object;)Z";
  private static final Map<String, Integer> OF_TEXTS = new HashMap<>();
  private static final Map<String, Integer> OF_COLLECTIONS = new HashMap<>();
  private static final List<String> LOOK_UPS =
      Arrays.asList(
          "get(Ljava/lang/Object;)Ljava/lang/Object;",
          "remove(Ljava/lang/Object;)Ljava/lang/Object;",
          "getProperty(Ljava/lang/String;)Ljava/lang/String;");

  static {
    String text = "(Ljava/lang/String;)";
    String chars = "(Ljava/lang/CharSequence;)Z";
    OF_TEXTS.put("equalsIgnoreCase" + text + "Z", Comparison.EQUALS_IGNORING_CASE);
    OF_TEXTS.put("startsWith" + text + "Z", Comparison.STARTS_WITH);
    OF_TEXTS.put("endsWith" + text + "Z", Comparison.ENDS_WITH);
    OF_TEXTS.put("contains" + chars, Comparison.TEXT_CONTAINS);
    OF_TEXTS.put("matches" + text + "Z", Comparison.MATCHES);
    OF_TEXTS.put("isEmpty()Z", Comparison.IS_EMPTY);
    OF_TEXTS.put("compareTo" + text + "I", Comparison.TEXT_ORDER);
    OF_TEXTS.put("compareToIgnoreCase" + text + "I", Comparison.TEXT_ORDER);
    OF_TEXTS.put("indexOf" + text + "I", Comparison.INDEX_OF);
    OF_TEXTS.put("lastIndexOf" + text + "I", Comparison.INDEX_OF);
    OF_TEXTS.put("hashCode()I", Comparison.HASH_CODE);
    OF_COLLECTIONS.put("isEmpty()Z", Comparison.IS_EMPTY);
    OF_COLLECTIONS.put("contains(Ljava/lang/Object;)Z", Comparison.CONTAINS);
    OF_COLLECTIONS.put("containsKey(Ljava/lang/Object;)Z", Comparison.CONTAINS_KEY);
    OF_COLLECTIONS.put("containsValue(Ljava/lang/Object;)Z", Comparison.CONTAINS_VALUE);
  }

  /** Classes whose objects have an order that a number tells. */
  private static final Set<String> WITH_ORDER =
      new HashSet<>(
          Arrays.asList(
              "java/lang/Comparable",
              "java/math/BigDecimal",
              "java/math/BigInteger",
              "java/time/Duration",
              "java/time/Instant",
              "java/time/LocalDate",
              "java/time/LocalDateTime",
              "java/time/LocalTime",
              "java/time/Year",
              "java/time/YearMonth",
              "java/time/ZonedDateTime",
              "java/time/chrono/ChronoLocalDate",
              "java/time/chrono/ChronoLocalDateTime",
              "java/util/Date"));

  private static final Set<String> ORDERS_OF_DATES =
      new HashSet<>(Arrays.asList("isEqual", "before", "after"));

  private FlagCalls() {}

  /**
   * Whether a call asks which of two dates or times comes first, and not whether they are equal.
   */
  static boolean isOrderOfDates(MethodInsnNode call) {
    boolean isAsked = call.name.equals("isBefore") || call.name.equals("isAfter");
    return isAsked && WITH_ORDER.contains(call.owner) && isOfOne(call, "Z");
  }

  private static boolean isOrder(MethodInsnNode call) {
    if (!WITH_ORDER.contains(call.owner)) {
      return false;
    }
    boolean isOfDates = ORDERS_OF_DATES.contains(call.name) && isOfOne(call, "Z");
    return isOfDates || call.name.equals("compareTo") && isOfOne(call, "I") || isOrderOfDates(call);
  }

  private static boolean isOfOne(MethodInsnNode call, String result) {
    return call.desc.startsWith("(L")
        && call.desc.indexOf(';') == call.desc.length() - 3
        && call.desc.endsWith(result);
  }

  /** Whether a call asks a map of the JDK for what a key stands for. */
  static boolean looksUp(MethodInsnNode call) {
    return call.getOpcode() != Opcodes.INVOKESPECIAL
        && call.owner.startsWith("java/util/")
        && LOOK_UPS.contains(call.name + call.desc);
  }

  /** Stands before such a call; leaves its operands where they are. */
  static InsnList announceLookUp() {
    InsnList added = new InsnList();
    added.add(new InsnNode(Opcodes.DUP2));
    added.add(call("looksUp", "(Ljava/lang/Object;Ljava/lang/Object;)V"));
    return added;
  }

  /** What a call compares; {@link Comparison#PLAIN} for those that are not in the table. */
  static int kind(MethodInsnNode call) {
    String member = call.name + call.desc;
    Integer kind = null;
    if (call.getOpcode() == Opcodes.INVOKESTATIC) {
      boolean equals =
          call.owner.equals("java/util/Objects") && call.name.equals("equals")
              || call.owner.equals("kotlin/jvm/internal/Intrinsics")
                  && call.name.equals("areEqual");
      if (equals && call.desc.equals(TWO_OBJECTS)) {
        kind = Comparison.EQUALS;
      } else if (call.owner.equals("java/util/Arrays")
          && call.name.equals("equals")
          && call.desc.lastIndexOf('[') > 1) {
        kind = Comparison.ARRAYS_EQUAL;
      } else if (isPatternMatches(call)) {
        kind = Comparison.MATCHES;
      }
    } else if (call.getOpcode() != Opcodes.INVOKESPECIAL) {
      if (member.equals("equals(Ljava/lang/Object;)Z")) {
        kind = Comparison.EQUALS;
      } else if (call.owner.equals("java/lang/String")) {
        kind = OF_TEXTS.get(member);
      } else if (isOrder(call)) {
        kind = Comparison.ORDER;
      } else if (call.owner.startsWith("java/util/")) {
        kind = OF_COLLECTIONS.get(member);
      }
    }
    return kind == null ? Comparison.PLAIN : kind;
  }

  private static boolean isPatternMatches(MethodInsnNode call) {
    return call.owner.equals("java/util/regex/Pattern") && call.name.equals("matches");
  }

  /** Stands before the call; leaves its operands where they are. */
  static InsnList announce(MethodInsnNode call) {
    InsnList added = new InsnList();
    boolean isOne = call.desc.startsWith("()");
    added.add(new InsnNode(isOne ? Opcodes.DUP : Opcodes.DUP2));
    if (isPatternMatches(call)) {
      added.add(new InsnNode(Opcodes.SWAP)); // the expression comes second
    }
    added.add(new IntInsnNode(Opcodes.BIPUSH, kind(call)));
    String objects = isOne ? "Ljava/lang/Object;" : "Ljava/lang/Object;Ljava/lang/Object;";
    added.add(call("calls", "(" + objects + "I)V"));
    return added;
  }

  static MethodInsnNode call(String name, String descriptor) {
    return new MethodInsnNode(Opcodes.INVOKESTATIC, FLAGS, name, descriptor, false);
  }
}
