package io.palus.worker.instrument;

import io.palus.wire.Kinds.Operator;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.LineNumberNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TypeInsnNode;

/**
 * What the constants of an enum are made with: for each constant and each of its final fields that
 * its methods read one mutant, with which the class reads another value there. The initialiser that
 * gave the value ran once for all sequences, so it is the reading that differs.
 *
 * <p>Each place that reads a field has the same mutants. It is a straight line, so no frame
 * changes.
 */
final class ConstantMutants {
  /** Mutants of one enum. */
  private static final int MOST = 100;

  private static final String VALUES = "io/palus/worker/runtime/ConstantValues";

  private final ClassNode type;
  private final List<String> constants = new ArrayList<>();

  /** By field: the number of its mutant in the first constant. */
  private final Map<String, Integer> firsts = new HashMap<>();

  ConstantMutants(ClassNode type) {
    this.type = type;
  }

  /** Adds them, where the class is an enum and has not too many. */
  void tell(List<Mutant> mutants) {
    MethodNode initializer = initializer();
    if (initializer == null || !"java/lang/Enum".equals(type.superName)) {
      return;
    }
    List<FieldNode> fields = new ArrayList<>();
    for (FieldNode field : type.fields) {
      boolean isConstant = (field.access & Opcodes.ACC_ENUM) != 0;
      int asked = Opcodes.ACC_FINAL | Opcodes.ACC_STATIC | Opcodes.ACC_SYNTHETIC;
      if (isConstant) {
        constants.add(field.name);
      } else if ((field.access & asked) == Opcodes.ACC_FINAL && isRead(field)) {
        fields.add(field);
      }
    }
    if (fields.size() * constants.size() > MOST) {
      return;
    }
    Map<String, Integer> lines = lines(initializer);
    for (FieldNode field : fields) {
      firsts.put(field.name, mutants.size() + 1);
      for (String constant : constants) {
        String detail = constant + "." + field.name;
        int line = lines.getOrDefault(constant, 0);
        mutants.add(new Mutant(type.name, Operator.ENUM_CONSTANT, initializer, line, detail));
      }
    }
  }

  /** Whether the class reads a field later than it is given its value. */
  private boolean isRead(FieldNode field) {
    for (MethodNode method : type.methods) {
      if (method.name.startsWith("<")) {
        continue;
      }
      for (AbstractInsnNode node : method.instructions) {
        if (node.getOpcode() == Opcodes.GETFIELD && isOf((FieldInsnNode) node, field.name)) {
          return true;
        }
      }
    }
    return false;
  }

  private boolean isOf(FieldInsnNode read, String name) {
    return read.owner.equals(type.name) && read.name.equals(name);
  }

  private MethodNode initializer() {
    return type.methods.stream()
        .filter(method -> method.name.equals("<clinit>"))
        .findFirst()
        .orElse(null);
  }

  /** Where the text of each constant begins. */
  private Map<String, Integer> lines(MethodNode initializer) {
    Map<String, Integer> lines = new HashMap<>();
    int first = 0;
    for (AbstractInsnNode node : initializer.instructions) {
      if (node instanceof LineNumberNode && first == 0) {
        first = ((LineNumberNode) node).line;
      } else if (node.getOpcode() == Opcodes.PUTSTATIC) {
        lines.putIfAbsent(((FieldInsnNode) node).name, first);
        first = 0;
      }
    }
    return lines;
  }

  /** Puts them in wherever a method reads such a field. */
  void insert(MethodNode method) {
    if (firsts.isEmpty() || method.name.startsWith("<")) {
      return;
    }
    for (AbstractInsnNode node : method.instructions.toArray()) {
      if (node.getOpcode() == Opcodes.GETFIELD) {
        FieldInsnNode read = (FieldInsnNode) node;
        Integer first = read.owner.equals(type.name) ? firsts.get(read.name) : null;
        if (first != null) {
          insert(method, read, first);
        }
      }
    }
  }

  private void insert(MethodNode method, FieldInsnNode read, int first) {
    Type of = Type.getType(read.desc);
    boolean isObject = of.getSort() >= Type.ARRAY;
    String taken = isObject ? "Ljava/lang/Object;" : read.desc;
    String descriptor = "(Ljava/lang/Enum;" + taken + "II)" + taken;
    InsnList code = new InsnList();
    code.add(ProbeInserter.push(first));
    code.add(ProbeInserter.push(constants.size()));
    code.add(new MethodInsnNode(Opcodes.INVOKESTATIC, VALUES, "of", descriptor, false));
    if (isObject) {
      code.add(new TypeInsnNode(Opcodes.CHECKCAST, of.getInternalName()));
    }
    method.instructions.insertBefore(read, new InsnNode(Opcodes.DUP));
    method.instructions.insert(read, code);
  }
}
