package io.palus.worker.verify;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * What the JVM of a build's own tests has beside them and a verification has not: classes of the
 * build tool and of JUnit's runner, one more manifest, and the frames of these classes above each
 * test. A test that passes with and without them rests on none of it.
 */
final class BuildTool {
  /**
   * Classes that code looks for, and others below the packages that it looks for in a stack trace:
   * a package that may be the project's, and sealed or signed there, takes none.
   */
  private static final String[] CLASSES = {
    "worker.org.gradle.process.internal.worker.GradleWorkerMain",
    "org.gradle.api.internal.tasks.testing.TestClassProcessor",
    "org.apache.maven.surefire.booter.ForkedBooter",
    "org.apache.maven.surefire.junitplatform.JUnitPlatformProvider",
    "com.intellij.rt.junit.JUnitStarter",
    "org.testng.TestRunner",
    "org.junit.platform.launcher.Launcher",
    "org.junit.platform.engine.TestEngine",
    "org.junit.jupiter.engine.JupiterTestEngine",
    "org.junit.above.Above",
    "junit.framework.above.Above"
  };

  private static final String RUN = "run";
  private static final String RUN_DESCRIPTOR = "(Ljava/lang/Runnable;I)V";

  /** Frames of each class: together about as many as a build tool with JUnit has. */
  private static final int DEPTH = 6;

  private static volatile Method[] above = {};

  private BuildTool() {}

  /**
   * From now on all of it is there.
   *
   * @param folder takes a jar
   * @param instrumentation adds it to the class path
   */
  static void pretend(File folder, Instrumentation instrumentation) throws IOException {
    File file = new File(folder, "build-tool.jar");
    write(file);
    instrumentation.appendToSystemClassLoaderSearch(new JarFile(file));
    List<Method> methods = new ArrayList<>();
    for (String name : CLASSES) {
      try {
        Class<?> type = Class.forName(name, false, ClassLoader.getSystemClassLoader());
        methods.add(type.getMethod(RUN, Runnable.class, int.class));
      } catch (ReflectiveOperationException | LinkageError | SecurityException e) {
        continue; // the project has that class itself, or its package sealed
      }
    }
    above = methods.toArray(new Method[0]);
  }

  /** Whether a class is one of those, as it is there now and not in the project. */
  static boolean has(String name) {
    for (Method method : above) {
      if (method.getDeclaringClass().getName().equals(name)) {
        return true;
      }
    }
    return false;
  }

  /** Runs what must not throw, below the frames of a build tool if there are any. */
  static void run(Runnable test) {
    Runnable run = test;
    for (Method method : above) {
      Runnable next = run;
      run = () -> call(method, next);
    }
    run.run();
  }

  private static void call(Method method, Runnable next) {
    try {
      method.invoke(null, next, DEPTH);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void write(File file) throws IOException {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    try (OutputStream out = Files.newOutputStream(file.toPath());
        JarOutputStream entries = new JarOutputStream(out, manifest)) {
      for (String name : CLASSES) {
        String path = name.replace('.', '/');
        entries.putNextEntry(new JarEntry(path + ".class"));
        entries.write(bytes(path));
      }
    }
  }

  /** {@code static void run(Runnable next, int depth)}, which calls itself so often first. */
  private static byte[] bytes(String name) {
    ClassWriter type = new ClassWriter(0);
    int access = Opcodes.ACC_PUBLIC | Opcodes.ACC_SUPER;
    type.visit(Opcodes.V1_6, access, name, null, "java/lang/Object", null);
    MethodVisitor code =
        type.visitMethod(Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC, RUN, RUN_DESCRIPTOR, null, null);
    Label deeper = new Label();
    code.visitCode();
    code.visitVarInsn(Opcodes.ILOAD, 1);
    code.visitJumpInsn(Opcodes.IFGT, deeper);
    code.visitVarInsn(Opcodes.ALOAD, 0);
    code.visitMethodInsn(Opcodes.INVOKEINTERFACE, "java/lang/Runnable", "run", "()V", true);
    code.visitInsn(Opcodes.RETURN);
    code.visitLabel(deeper);
    code.visitFrame(Opcodes.F_SAME, 0, null, 0, null);
    code.visitVarInsn(Opcodes.ALOAD, 0);
    code.visitVarInsn(Opcodes.ILOAD, 1);
    code.visitInsn(Opcodes.ICONST_1);
    code.visitInsn(Opcodes.ISUB);
    code.visitMethodInsn(Opcodes.INVOKESTATIC, name, RUN, RUN_DESCRIPTOR, false);
    code.visitInsn(Opcodes.RETURN);
    code.visitMaxs(3, 2);
    code.visitEnd();
    type.visitEnd();
    return type.toByteArray();
  }
}
