package io.palus.agent;

import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.MethodTooLargeException;
import org.objectweb.asm.Opcodes;

/**
 * Instruments subject and test classes as they are loaded. A class it cannot handle is loaded as it
 * is, and counted.
 */
final class TracingTransformer implements ClassFileTransformer {
  /** The newest class files that the ASM inside can read. */
  private static final int NEWEST_VERSION = Opcodes.V26;

  /** What instrumented code names. */
  private static final Class<?>[] CALLED = {
    CallRecorder.class,
    CallFrame.class,
    CallEnd.class,
    TestRecorder.class,
    ReflectionFilter.class,
    Profile.class
  };

  /** The tag of a class among the constants of a class file. */
  private static final int CONSTANT_CLASS = 7;

  private static final String OURS = "io/palus/agent/";

  private static final ClassLoader SYSTEM = ClassLoader.getSystemClassLoader();

  private final SubjectClasses subjects;
  private final LoaderMap<Boolean> sight = new LoaderMap<>();
  private final AtomicInteger unknownVersions = new AtomicInteger();
  private final AtomicInteger blindLoaders = new AtomicInteger();
  private final AtomicInteger failures = new AtomicInteger();
  private volatile boolean hasMetManager;

  TracingTransformer(SubjectClasses subjects) {
    this.subjects = subjects;
  }

  @Override
  public byte[] transform(
      ClassLoader loader,
      String name,
      Class<?> redefined,
      ProtectionDomain domain,
      byte[] classFile) {
    if (name == null || loader == null) {
      return null;
    }
    Lane lane = null;
    boolean wasBusy = false;
    try {
      SubjectClasses.Kind kind = SubjectClasses.Kind.SUBJECT;
      // One that is instrumented already stays so.
      boolean known = redefined != null && ClassInfo.findSubject(loader, name) != null;
      if (!known) {
        if (AccessChecks.areMade()) {
          // It would be asked before we know what this class is, perhaps while it loads its own.
          hasMetManager = true;
          return null;
        }
        kind = subjects.kind(name, domain);
        if (kind == SubjectClasses.Kind.NEITHER) {
          return null;
        }
        if (loader != SYSTEM && subjects.isModular(domain)) {
          // A module in a layer of the program's own could not read the agent.
          blindLoaders.incrementAndGet();
          return null;
        }
      }
      lane = Lane.current();
      if (lane != null) {
        wasBusy = lane.busy;
        lane.busy = true;
      }
      return transform(loader, name, redefined, kind, classFile);
    } catch (Throwable e) {
      failures.incrementAndGet();
      ExceptionSink.report("cannot trace " + name, e);
      return null;
    } finally {
      if (lane != null) {
        lane.busy = wasBusy;
      }
    }
  }

  private byte[] transform(
      ClassLoader loader,
      String name,
      Class<?> redefined,
      SubjectClasses.Kind kind,
      byte[] classFile) {
    int version = (classFile[6] & 0xff) << 8 | classFile[7] & 0xff;
    if (version > (NEWEST_VERSION & 0xffff)) {
      unknownVersions.incrementAndGet();
      return null;
    }
    if (!seesAgent(loader)) {
      blindLoaders.incrementAndGet();
      return null;
    }
    ClassReader reader = new ClassReader(classFile);
    if (redefined != null && isInstrumented(reader)) {
      // Another agent, which the JVM asks first, gives back what it saw with our part in it.
      return null;
    }
    int fixed = Opcodes.ACC_ANNOTATION | Opcodes.ACC_MODULE;
    if ((reader.getAccess() & fixed) != 0 || name.endsWith("package-info")) {
      return null;
    }
    if ("java/lang/SecurityManager".equals(reader.getSuperName())) {
      // To load what instrumented code names asks it again: it would ask itself without end.
      return null;
    }
    if (redefined != null && kind == SubjectClasses.Kind.SUBJECT) {
      // Loaded before us: no members can be added any more.
      if (ClassInfo.findSubject(loader, name) == null) {
        return null;
      }
    }
    Set<String> tooLarge = new HashSet<>();
    while (true) {
      try {
        ClassRewriter rewriter = new ClassRewriter(loader, reader, tooLarge);
        return kind == SubjectClasses.Kind.TEST ? rewriter.testClass() : rewriter.subjectClass();
      } catch (MethodTooLargeException e) {
        if (!tooLarge.add(e.getMethodName() + e.getDescriptor())) {
          throw e;
        }
      }
    }
  }

  /** Whether a class names a class of the agent: only instrumented code does. */
  static boolean isInstrumented(ClassReader reader) {
    char[] buffer = new char[reader.getMaxStringLength()];
    for (int i = 1; i < reader.getItemCount(); i++) {
      int at = reader.getItem(i);
      if (at > 0
          && reader.readByte(at - 1) == CONSTANT_CLASS
          && reader.readUTF8(at, buffer).startsWith(OURS)) {
        return true;
      }
    }
    return false;
  }

  /** True if classes of this loader find the agent's classes. */
  private boolean seesAgent(ClassLoader loader) {
    Boolean sees = sight.get(loader);
    if (sees == null) {
      try {
        sees = true;
        // All of them now: found once, they are not asked for under a security manager.
        for (Class<?> each : CALLED) {
          sees &= Class.forName(each.getName(), false, loader) == each;
        }
      } catch (ClassNotFoundException | LinkageError e) {
        sees = false;
      }
      sight.putIfAbsent(loader, sees);
    }
    return sees;
  }

  void reportSkipped() {
    report(unknownVersions, "classes are of a version that is too new to be traced");
    report(blindLoaders, "classes are not traced: their class loader cannot see the agent");
    report(failures, "classes could not be instrumented");
    if (hasMetManager) {
      ExceptionSink.report(
          "classes that were loaded under a security manager are not traced", null);
    }
  }

  private static void report(AtomicInteger count, String what) {
    if (count.get() > 0) {
      ExceptionSink.report(count + " " + what, null);
    }
  }
}
