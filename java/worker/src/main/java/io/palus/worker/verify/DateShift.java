package io.palus.worker.verify;

import io.palus.worker.runtime.OtherDate;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.nio.charset.StandardCharsets;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Lets the classes of the JDK see another date, wherever they ask for it themselves: calendars,
 * {@code Date}, the clocks of {@code java.time}, the century of a {@code SimpleDateFormat}.
 *
 * <p>Each gives what it asked plus a constant, so that all of them still agree; times of files are
 * the real ones, so a test that compares these with the date is dropped. Not shifted are {@code
 * java.lang} and the JDK's inner classes, which only measure how long something takes; who waits
 * until a date, which the system has to know, waits until the real one.
 */
final class DateShift implements ClassFileTransformer {
  /** Beginnings of the names of classes that show dates. */
  private static final String[] SHIFTED = {"java/", "javax/", "sun/util/"};

  private static final String NOT_SHIFTED = "java/lang/";

  /** Names that a class holds which asks for the date, or waits until one. */
  private static final byte[][] NAMES = {
    "currentTimeMillis".getBytes(StandardCharsets.US_ASCII),
    "getNanoTimeAdjustment".getBytes(StandardCharsets.US_ASCII),
    "parkUntil".getBytes(StandardCharsets.US_ASCII)
  };

  DateShift() {}

  /** Shifts them in this JVM, from now on. */
  static void add(Instrumentation instrumentation) throws UnmodifiableClassException {
    DateShift shift = new DateShift();
    instrumentation.addTransformer(shift, true);
    List<Class<?>> loaded = new ArrayList<>();
    for (Class<?> type : instrumentation.getAllLoadedClasses()) {
      boolean isShown = !type.isArray() && isShifted(type.getName().replace('.', '/'));
      if (isShown && isJdks(type.getClassLoader()) && instrumentation.isModifiableClass(type)) {
        loaded.add(type);
      }
    }
    instrumentation.retransformClasses(loaded.toArray(new Class<?>[0]));
  }

  private static boolean isJdks(ClassLoader loader) {
    return loader == null || loader == ClassLoader.getSystemClassLoader().getParent();
  }

  private static boolean isShifted(String name) {
    if (name.startsWith(NOT_SHIFTED)) {
      return false;
    }
    for (String start : SHIFTED) {
      if (name.startsWith(start)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public byte[] transform(
      ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain, byte[] bytes) {
    if (name == null || !isJdks(loader) || !isShifted(name) || !asks(bytes)) {
      return null;
    }
    ClassReader reader = new ClassReader(bytes);
    ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
    reader.accept(new Shifter(writer), 0);
    return writer.toByteArray();
  }

  private static boolean asks(byte[] bytes) {
    for (byte[] name : NAMES) {
      if (contains(bytes, name)) {
        return true;
      }
    }
    return false;
  }

  private static boolean contains(byte[] bytes, byte[] name) {
    for (int from = 0; from + name.length <= bytes.length; from++) {
      int same = 0;
      while (same < name.length && bytes[from + same] == name[same]) {
        same++;
      }
      if (same == name.length) {
        return true;
      }
    }
    return false;
  }

  private static final class Shifter extends ClassVisitor {
    private String type;

    Shifter(ClassVisitor next) {
      super(Opcodes.ASM9, next);
    }

    @Override
    public void visit(
        int version,
        int access,
        String name,
        String signature,
        String superName,
        String[] interfaces) {
      type = name;
      super.visit(version, access, name, signature, superName, interfaces);
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String signature, String[] exceptions) {
      MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
      boolean isWait = type.endsWith("/LockSupport") && name.equals("parkUntil");
      return new Body(next, isWait ? descriptor.indexOf('J') == 1 ? 0 : 1 : -1);
    }
  }

  private static final class Body extends MethodVisitor {
    /** The variable with the date that is waited for; negative for none. */
    private final int until;

    Body(MethodVisitor next, int until) {
      super(Opcodes.ASM9, next);
      this.until = until;
    }

    @Override
    public void visitCode() {
      super.visitCode();
      if (until >= 0) {
        super.visitVarInsn(Opcodes.LLOAD, until);
        super.visitLdcInsn(OtherDate.AHEAD);
        super.visitInsn(Opcodes.LSUB);
        super.visitVarInsn(Opcodes.LSTORE, until);
      }
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String name, String descriptor, boolean isInterface) {
      super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
      if (owner.equals("java/lang/System") && name.equals("currentTimeMillis")) {
        add(OtherDate.AHEAD);
      } else if (name.equals("getNanoTimeAdjustment")) {
        add(OtherDate.AHEAD * 1_000_000); // from a second that may be shifted or not
      }
    }

    private void add(long number) {
      super.visitLdcInsn(number);
      super.visitInsn(Opcodes.LADD);
    }
  }
}
