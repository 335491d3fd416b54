package io.palus.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What libraries that make classes at run time see of traced classes, and what the agent does with
 * their objects. The library here is no subject class, so nothing is hidden from it.
 */
class ProxyTest {
  /** Overrides whatever can be overridden; as lazy proxies do, each method wakes the object. */
  private static final String LIBRARY =
      """
      public class Proxies extends ClassLoader {
        private Proxies(ClassLoader parent) { super(parent); }
        public static <T> T lazy(Class<T> type) throws Exception {
          String name = type.getName() + "$$Lazy";
          org.objectweb.asm.ClassWriter w = new org.objectweb.asm.ClassWriter(0);
          String parent = type.getName();
          w.visit(52, 1, name, null, parent, null);
          org.objectweb.asm.MethodVisitor m = w.visitMethod(1, "<init>", "()V", null, null);
          m.visitVarInsn(25, 0);
          m.visitMethodInsn(183, parent, "<init>", "()V", false);
          m.visitInsn(177);
          m.visitMaxs(1, 1);
          java.util.Set<String> done = new java.util.HashSet<>();
          for (Class<?> c = type; c != Object.class; c = c.getSuperclass())
            for (java.lang.reflect.Method each : c.getDeclaredMethods()) {
              int closed = java.lang.reflect.Modifier.PRIVATE | java.lang.reflect.Modifier.STATIC
                  | java.lang.reflect.Modifier.FINAL;
              String d = org.objectweb.asm.Type.getMethodDescriptor(each);
              if ((each.getModifiers() & closed) != 0 || !done.add(each.getName() + d)) continue;
              m = w.visitMethod(1, each.getName(), d, null, null);
              m.visitMethodInsn(184, "Proxies", "woken", "()Ljava/lang/RuntimeException;", false);
              m.visitInsn(191);
              m.visitMaxs(1, 1 + (org.objectweb.asm.Type.getArgumentsAndReturnSizes(d) >> 2));
            }
          byte[] bytes = w.toByteArray();
          Class<?> made = new Proxies(type.getClassLoader()).defineClass(
              name, bytes, 0, bytes.length, type.getProtectionDomain());
          return type.cast(made.getConstructor().newInstance());
        }
        public static RuntimeException woken() { return new IllegalStateException("no session"); }
        public static Object proxy(Object target) {
          Class<?> c = target.getClass();
          if (c.getInterfaces().length == 0) return target;
          return java.lang.reflect.Proxy.newProxyInstance(c.getClassLoader(), c.getInterfaces(),
              (p, method, arguments) -> method.invoke(target, arguments));
        }
        public static String shape(Class<?> c) {
          java.util.TreeSet<String> all = new java.util.TreeSet<>();
          for (Class<?> each : c.getInterfaces()) all.add(each.toString());
          for (java.lang.reflect.Type each : c.getGenericInterfaces()) all.add("" + each);
          for (java.lang.reflect.Method each : c.getMethods()) all.add(each.toString());
          for (java.lang.reflect.Field each : c.getFields()) all.add(each.toString());
          for (java.lang.reflect.Method each : c.getDeclaredMethods())
            if (!java.lang.reflect.Modifier.isPrivate(each.getModifiers())) all.add(each.toString());
          for (java.lang.reflect.Field each : c.getDeclaredFields())
            if (!java.lang.reflect.Modifier.isTransient(each.getModifiers())) all.add(each.toString());
          for (java.lang.reflect.Constructor<?> each : c.getDeclaredConstructors()) all.add("" + each);
          return all + " " + c.getModifiers() + " "
              + (java.io.Serializable.class.isAssignableFrom(c)
                  ? java.io.ObjectStreamClass.lookup(c).getSerialVersionUID() : 0);
        }
      }
      """;

  private static final String SUBJECT =
      """
      public class Town {
        private String name = "Ulm";
        public String name() { return name; }
        public Town self() { return this; }
        public static Town take(Town town) { return town; }
        public static int takeMany(Town a, Object b, Object[] c) { return c.length; }
      }
      """;

  @TempDir Path folder;
  private TracedProgram program;

  @BeforeEach
  void makeProgram() throws Exception {
    program = new TracedProgram(folder);
    String[] path = System.getProperty("java.class.path").split(File.pathSeparator);
    Arrays.stream(path)
        .filter(each -> each.matches(".*[/\\\\]asm-[0-9.]*\\.jar"))
        .forEach(each -> program.libraries.add(Path.of(each)));
    Path library = Files.createDirectories(folder.resolve("library"));
    program.libraries.add(library);
    program.compileInto(library, 8, LIBRARY);
    program.jvmArguments.addAll(List.of("-cp", program.classPath()));
    program.compile(8, SUBJECT);
  }

  private TracedProgram.Run runAsBare(String main) throws Exception {
    program.compile(8, main);
    String bare = program.runBare("Main").output();
    TracedProgram.Run run = program.run("Main");
    assertEquals(bare, run.output());
    assertEquals(0, run.exit());
    assertEquals(List.of(), run.log());
    return run;
  }

  @Test
  void a_lazy_proxy_is_never_woken() throws Exception {
    TracedProgram.Run run =
        runAsBare(
            """
            class Main {
              public static void main(String[] a) throws Exception {
                Town lazy = Proxies.lazy(Town.class);
                for (int i = 0; i < 3; i++) {
                  System.out.print(Town.take(lazy) == lazy);
                  System.out.print(Town.takeMany(lazy, lazy, new Object[] {lazy}));
                }
                try { lazy.name(); } catch (IllegalStateException e) { System.out.print(e); }
                System.out.print(new Town().self().name());
              }
            }
            """);
    assertTrue(run.output().endsWith("no sessionUlm"), run.output());
  }

  @Test
  void an_object_of_a_class_made_at_run_time_is_foreign() throws Exception {
    TracedProgram.Run run =
        runAsBare(
            """
            class Main {
              public static void main(String[] a) throws Exception {
                Town.take(Proxies.lazy(Town.class));
                Town.take(new Town());
              }
            }
            """);
    List<String> lines = run.lines();
    assertTrue(lines.contains("Town.take(Town$$Lazy@2)"), "" + lines);
    assertTrue(lines.contains("Town.take(Town@3[1])"), "" + lines);
  }

  @Test
  void a_class_without_interfaces_gets_no_proxy_of_the_jdk() throws Exception {
    TracedProgram.Run run =
        runAsBare(
            """
            class Main {
              public static void main(String[] a) throws Exception {
                Town town = (Town) Proxies.proxy(new Town());
                System.out.print(town.name());
                Runnable runnable = (Runnable) Proxies.proxy(new Job());
                runnable.run();
              }
            }
            class Job implements Runnable { public void run() { System.out.print("ran"); } }
            """);
    assertEquals("Ulmran", run.output());
  }

  @Test
  void nothing_is_added_that_is_inherited_or_public() throws Exception {
    runAsBare(
        """
        public class Main {
          public static void main(String[] a) throws Exception {
            Class<?>[] all = {Town.class, Part.class, Whole.class, Kind.class, Open.class};
            for (Class<?> each : all) System.out.println(Proxies.shape(each));
          }
          static class Part implements java.io.Serializable { int n; int n() { return n; } }
          static class Whole extends Part { int m; public int m() { return m; } }
          enum Kind { ONE, TWO { void go() {} }; void go() {} }
          interface Open { default int open() { return 1; } }
        }
        """);
  }

  @Test
  void a_class_loader_is_not_asked_for_its_hash() throws Exception {
    TracedProgram.Run run =
        runAsBare(
            """
            class Main extends java.net.URLClassLoader {
              Main(java.net.URL[] urls) { super(urls, Main.class.getClassLoader()); }
              public int hashCode() { throw new IllegalStateException("hash"); }
              public boolean equals(Object o) { throw new IllegalStateException("equals"); }
              protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
                return name.equals("Town") ? findClass(name) : super.loadClass(name, resolve);
              }
              public static void main(String[] a) throws Exception {
                java.net.URL own = Main.class.getProtectionDomain().getCodeSource().getLocation();
                Class<?> c = new Main(new java.net.URL[] {own}).loadClass("Town");
                Object town = c.getConstructor().newInstance();
                System.out.print(c.getMethod("name").invoke(town));
                System.out.print(c.getClassLoader() == Main.class.getClassLoader());
              }
            }
            """);
    assertEquals("Ulmfalse", run.output());
    assertTrue(run.lines().contains("Town@5[1].Town.name()"), "" + run.lines());
  }
}
