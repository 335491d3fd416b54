package io.palus.agent;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.commons.CodeSizeEvaluator;

/** The JIT compiler copies methods up to a size into every traced method, which costs seconds. */
class InliningTest {
  @Test
  void methodsThatRecordAreTooLargeToBeCopiedIntoTracedOnes() throws IOException {
    assertTrue(size(CallFrame.class, "record") > CallFrame.MOST_INLINED);
    assertTrue(size(CallRecorder.class, "decide") > CallFrame.MOST_INLINED);
  }

  private static int size(Class<?> type, String name) throws IOException {
    Map<String, CodeSizeEvaluator> sizes = new HashMap<>();
    try (InputStream in = type.getResourceAsStream(type.getSimpleName() + ".class")) {
      ClassVisitor visitor =
          new ClassVisitor(Opcodes.ASM9) {
            @Override
            public MethodVisitor visitMethod(
                int access, String method, String type, String generic, String[] thrown) {
              CodeSizeEvaluator size = new CodeSizeEvaluator(null);
              sizes.put(method, size);
              return size;
            }
          };
      new ClassReader(in).accept(visitor, 0);
    }
    return sizes.get(name).getMinSize();
  }
}
