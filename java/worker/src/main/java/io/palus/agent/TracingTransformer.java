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

  private final SubjectClasses subjects;
  private final LoaderMap<Boolean> sight = new LoaderMap<>();
  private final AtomicInteger unknownVersions = new AtomicInteger();
  private final AtomicInteger blindLoaders = new AtomicInteger();
  private final AtomicInteger failures = new AtomicInteger();

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
      SubjectClasses.Kind kind = subjects.kind(name, domain);
      if (kind == SubjectClasses.Kind.NEITHER) {
        return null;
      }
      if (loader != ClassLoader.getSystemClassLoader() && subjects.isModular(domain)) {
        // A module in a layer of the program's own could not read the agent.
        blindLoaders.incrementAndGet();
        return null;
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
    int fixed = Opcodes.ACC_ANNOTATION | Opcodes.ACC_MODULE;
    if ((reader.getAccess() & fixed) != 0 || name.endsWith("package-info")) {
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

  /** True if classes of this loader find the agent's classes. */
  private boolean seesAgent(ClassLoader loader) {
    Boolean sees = sight.get(loader);
    if (sees == null) {
      try {
        String name = CallRecorder.class.getName();
        sees = Class.forName(name, false, loader) == CallRecorder.class;
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
  }

  private static void report(AtomicInteger count, String what) {
    if (count.get() > 0) {
      ExceptionSink.report(count + " " + what, null);
    }
  }
}
