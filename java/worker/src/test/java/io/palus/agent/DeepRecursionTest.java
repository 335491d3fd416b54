package io.palus.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * A traced program recurses as deep as without the agent, where its stack is four times as large.
 */
class DeepRecursionTest {
  private static final String CHAIN =
      """
      class Main {
        interface Walk { void over(Node first); }
        static class Node {
          long weight = 1;
          Node next;
          long total() { return next == null ? weight : weight + next.total(); }
          boolean has(Object key) { return key.equals(weight) || next != null && next.has(key); }
          static int length(Node first) { return first == null ? 0 : 1 + length(first.next); }
        }
        static boolean fits(Walk walk, int length) {
          Node first = null;
          for (int i = 0; i < length; i++) {
            Node added = new Node();
            added.next = first;
            first = added;
          }
          try {
            walk.over(first);
            return true;
          } catch (StackOverflowError e) {
            return false;
          }
        }
        static int most(Walk walk) {
          int fits = 1;
          int not = 1 << 20;
          while (fits + 1 < not) {
            int length = (fits + not) / 2;
            if (fits(walk, length)) fits = length; else not = length;
          }
          return fits;
        }
        public static void main(String[] a) {
          Walk[] walks = {n -> n.total(), n -> n.has("x"), n -> Node.length(n)};
          for (int i = 0; i < walks.length; i++) {
            boolean asks = a.length == 0;
            String said = asks ? "" + most(walks[i]) : "" + fits(walks[i], Integer.parseInt(a[i]));
            System.out.print(said + " ");
          }
        }
      }
      """;

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"-Xint", "-Xcomp -XX:TieredStopAtLevel=1"})
  void nine_tenths_of_the_untraced_depth_are_reached_when_traced(String mode) throws Exception {
    TracedProgram program = new TracedProgram(folder);
    program.compile(8, CHAIN);
    String usual = mode + " -Xss1024k -cp " + program.classPath();
    program.jvmArguments.addAll(List.of(usual.split(" ")));
    String[] untraced = program.runBare("Main").output().trim().split(" ");
    List<String> traced = new ArrayList<>(List.of("Main"));
    for (String depth : untraced) {
      assertTrue(Integer.parseInt(depth) > 5000, depth);
      traced.add("" + Integer.parseInt(depth) * 9L / 10);
    }
    // What the plugins give it where the build says nothing of stacks.
    program.jvmArguments.replaceAll(each -> each.replace("1024k", "4096k"));
    TracedProgram.Run run = program.run(traced.toArray(new String[0]));
    assertEquals("true true true", run.output().trim());
    assertEquals(List.of(), run.log());
  }

  @Test
  void a_traced_method_gets_the_stack_that_it_needs_and_one_local() throws Exception {
    TracedProgram program = new TracedProgram(folder);
    program.compile(
        8,
        """
        class Main {
          long weight; Main next;
          void nothing() {}
          long total() { return next == null ? weight : weight + next.total(); }
          boolean has(Object key) { return key.equals(weight) || next.has(key); }
        }
        """);
    byte[] file = Files.readAllBytes(program.classes.resolve("Main.class"));
    Map<String, String> before = sizes(file);
    ClassReader reader = new ClassReader(file);
    byte[] traced = new ClassRewriter(getClass().getClassLoader(), reader, Set.of()).subjectClass();
    Map<String, String> after = sizes(traced);
    assertEquals("0 1", before.get("nothing"));
    assertEquals("4 2", after.get("nothing"), "this, its state and the number of the method");
    assertEquals("4 1", before.get("total"));
    assertEquals("5 2", after.get("total"), "the result, its copy and the call");
    assertEquals("3 2", before.get("has"));
    assertEquals("5 3", after.get("has"), "this, its state, an argument and the number");
  }

  /** Stack and locals by method. */
  private static Map<String, String> sizes(byte[] file) throws IOException {
    Map<String, String> sizes = new HashMap<>();
    ClassVisitor visitor =
        new ClassVisitor(Opcodes.ASM9) {
          @Override
          public MethodVisitor visitMethod(
              int access, String method, String type, String generic, String[] thrown) {
            return new MethodVisitor(Opcodes.ASM9) {
              @Override
              public void visitMaxs(int stack, int locals) {
                sizes.put(method, stack + " " + locals);
              }
            };
          }
        };
    new ClassReader(file).accept(visitor, 0);
    return sizes;
  }
}
