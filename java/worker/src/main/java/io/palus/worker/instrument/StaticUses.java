package io.palus.worker.instrument;

import io.palus.worker.runtime.Statics;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * Lets a subject class tell {@link Statics} when it uses static fields and when it is initialised.
 * Comes after the probes, whose places it leaves as they are.
 */
final class StaticUses {
  private static final String STATICS = "io/palus/worker/runtime/Statics";

  /** What these refer to never changes. */
  private static final Set<String> IMMUTABLE =
      new HashSet<>(
          Arrays.asList(
              "Ljava/lang/String;",
              "Ljava/lang/Class;",
              "Ljava/lang/Boolean;",
              "Ljava/lang/Character;",
              "Ljava/lang/Byte;",
              "Ljava/lang/Short;",
              "Ljava/lang/Integer;",
              "Ljava/lang/Long;",
              "Ljava/lang/Float;",
              "Ljava/lang/Double;",
              "Ljava/math/BigInteger;",
              "Ljava/math/BigDecimal;",
              "Ljava/util/regex/Pattern;"));

  private final ClassNode type;
  private final StaticTable table;

  StaticUses(ClassNode type, StaticTable table) {
    this.type = type;
    this.table = table;
  }

  void tell(MethodNode method) {
    boolean isInitializer = method.name.equals("<clinit>");
    for (AbstractInsnNode node : method.instructions.toArray()) {
      int opcode = node.getOpcode();
      if (opcode == Opcodes.GETSTATIC || opcode == Opcodes.PUTSTATIC) {
        FieldInsnNode use = (FieldInsnNode) node;
        boolean isOwn = isInitializer && use.owner.equals(type.name);
        if (!isOwn && matters(use)) {
          method.instructions.insertBefore(node, call("touch", use.owner));
        }
      } else if (opcode == Opcodes.RETURN && isInitializer) {
        method.instructions.insertBefore(node, call("closes", type.name));
      }
    }
    if (isInitializer) {
      method.instructions.insert(call("opens", type.name));
    }
  }

  private static boolean matters(FieldInsnNode use) {
    if (use.owner.startsWith("java/") || use.owner.startsWith("io/palus/worker/runtime/")) {
      return false;
    }
    return use.getOpcode() == Opcodes.PUTSTATIC
        || use.desc.length() > 1 && !IMMUTABLE.contains(use.desc);
  }

  private InsnList call(String name, String owner) {
    InsnList added = new InsnList();
    added.add(ProbeInserter.push(table.number(owner)));
    added.add(new MethodInsnNode(Opcodes.INVOKESTATIC, STATICS, name, "(I)V", false));
    return added;
  }

  /** How the class comes by its first static state; to be told once it tells of its uses. */
  StaticTable.Start start() {
    for (MethodNode method : type.methods) {
      if (method.name.equals("<clinit>")) {
        return StaticTable.Start.INITIALIZER;
      }
    }
    for (FieldNode field : type.fields) {
      // The JVM takes the constant of a field that is not final, too; no compiler writes one.
      if (field.value != null && (field.access & Opcodes.ACC_FINAL) == 0) {
        return StaticTable.Start.UNKNOWN;
      }
    }
    return StaticTable.Start.ZERO;
  }
}
