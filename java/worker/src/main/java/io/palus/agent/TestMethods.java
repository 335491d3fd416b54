package io.palus.agent;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AnnotationNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodNode;

/** Which methods of a test class are tests: JUnit 3 by name, JUnit 4 and later by annotation. */
final class TestMethods {
  private static final String JUNIT_4 = "Lorg/junit/Test;";
  private static final Set<String> ANNOTATIONS =
      new HashSet<>(
          Arrays.asList(
              JUNIT_4,
              "Lorg/junit/experimental/theories/Theory;",
              "Lorg/junit/jupiter/api/Test;",
              "Lorg/junit/jupiter/api/RepeatedTest;",
              "Lorg/junit/jupiter/api/TestFactory;",
              "Lorg/junit/jupiter/api/TestTemplate;",
              "Lorg/junit/jupiter/params/ParameterizedTest;"));

  private final boolean byName;

  TestMethods(ClassNode node) {
    boolean annotated = false;
    for (MethodNode method : node.methods) {
      annotated |= annotation(method) != null;
    }
    byName = !annotated;
  }

  boolean isTest(MethodNode method) {
    if (annotation(method) != null) {
      return true;
    }
    int wanted = Opcodes.ACC_PUBLIC;
    int looked = Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC | Opcodes.ACC_SYNTHETIC;
    return byName
        && method.name.startsWith("test")
        && method.desc.equals("()V")
        && (method.access & looked) == wanted;
  }

  /** Internal name of the exception that the test's annotation expects, or null. */
  String expected(MethodNode method) {
    AnnotationNode annotation = annotation(method);
    if (annotation == null || !annotation.desc.equals(JUNIT_4) || annotation.values == null) {
      return null;
    }
    List<Object> values = annotation.values;
    for (int i = 0; i < values.size(); i += 2) {
      if (values.get(i).equals("expected")) {
        return ((Type) values.get(i + 1)).getInternalName();
      }
    }
    return null;
  }

  private static AnnotationNode annotation(MethodNode method) {
    if (method.visibleAnnotations != null) {
      for (AnnotationNode annotation : method.visibleAnnotations) {
        if (ANNOTATIONS.contains(annotation.desc)) {
          return annotation;
        }
      }
    }
    return null;
  }
}
