package io.palus.worker.instrument;

import io.palus.worker.instrument.GuardRule.Kind;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/** The rules for what gets at fields of the JDK past its methods. */
final class FieldRules {
  private static final String KINDS = "Boolean Byte Char Short Int Long Float Double";
  private static final List<String> UNSAFE =
      Arrays.asList("sun/misc/Unsafe", "jdk/internal/misc/Unsafe");

  /** What writes memory, or gives it back. */
  private static final Pattern WRITES =
      Pattern.compile(
          "(put|getAndSet|getAndAdd|getAndBitwise|compareAnd|weakCompareAnd).*"
              + "|(set|copy|copySwap|free|reallocate)Memory");

  private FieldRules() {}

  static void add() {
    int itself = GuardRule.RECEIVER;
    String field = "java/lang/reflect/Field";
    put(field, "set", Kind.FIELD_WRITE, itself);
    put(field, "get", Kind.FIELD_READ, itself);
    for (String kind : KINDS.split(" ")) {
      put(field, "set" + kind, Kind.FIELD_WRITE, itself);
    }
    String lookup = "java/lang/invoke/MethodHandles$Lookup";
    put(lookup, "unreflectSetter", Kind.FIELD_WRITE, 0);
    put(lookup, "unreflectVarHandle", Kind.FIELD_WRITE, 0);
    put(lookup, "unreflectGetter", Kind.FIELD_READ, 0);
    for (String name : "findSetter findVarHandle findStaticVarHandle".split(" ")) {
      put(lookup, name, Kind.FIELD_LOOKUP, 0, 1);
    }
    put(lookup, "findStaticSetter", Kind.FIELD_LOOKUP, 0, 1);
    put(lookup, "findStaticGetter", Kind.FIELD_LOOKUP, 0, 1);
  }

  /** The rule for a method of {@code Unsafe}, which has many; null if there is none. */
  static GuardRule ofMemory(String owner, String name) {
    if (!isUnsafe(owner) || !WRITES.matcher(name).matches()) {
      return null;
    }
    return GuardRule.of(Kind.MEMORY, "Unsafe." + name, name.startsWith("copy") ? 2 : 0);
  }

  static boolean isUnsafe(String owner) {
    return owner.endsWith("/misc/Unsafe") && UNSAFE.contains(owner);
  }

  private static void put(String owner, String name, Kind kind, int... indexes) {
    String text = owner.substring(owner.lastIndexOf('/') + 1).replace('$', '.') + '.' + name;
    GuardRules.put(owner, name, GuardRule.of(kind, text, indexes));
  }
}
