package io.palus.worker;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** The texts that stand in the code of classes, as what may be compared with. */
final class StringConstants {
  /** The first ones of a method's class. */
  static final int MOST = 32;

  private static final int LONGEST = 64;

  private final ClassPath classPath;
  private final Map<String, List<String>> known = new HashMap<>();

  StringConstants(ClassPath classPath) {
    this.classPath = classPath;
  }

  /**
   * Those near a method.
   *
   * @param method {@code com.acme.Jobs#run}
   * @return the method's own first, then those of its class; none of a class that cannot be read
   */
  List<String> near(String method) {
    return known.computeIfAbsent(method, this::read);
  }

  private List<String> read(String method) {
    int at = method.indexOf('#');
    Set<String> own = new LinkedHashSet<>();
    Set<String> others = new LinkedHashSet<>();
    try {
      ClassPath.Found file = classPath.find(method.substring(0, at).replace('.', '/') + ".class");
      if (file != null) {
        String name = method.substring(at + 1);
        new ClassReader(file.bytes).accept(collect(name, own, others), ClassReader.SKIP_DEBUG);
      }
    } catch (IOException e) {
      return new ArrayList<>(); // it cannot be read
    }
    own.addAll(others);
    List<String> all = new ArrayList<>(own);
    return all.size() > MOST ? all.subList(0, MOST) : all;
  }

  private static ClassVisitor collect(String name, Set<String> own, Set<String> others) {
    return new ClassVisitor(Opcodes.ASM9) {
      @Override
      public MethodVisitor visitMethod(
          int access, String method, String type, String generic, String[] thrown) {
        Set<String> texts = method.equals(name) ? own : others;
        return new MethodVisitor(Opcodes.ASM9) {
          @Override
          public void visitLdcInsn(Object constant) {
            if (constant instanceof String && ((String) constant).length() <= LONGEST) {
              texts.add((String) constant);
            }
          }
        };
      }
    };
  }
}
