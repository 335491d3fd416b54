package io.palus.agent;

import java.io.IOException;
import java.io.InputStream;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Decides from class files alone, without loading anything, whether a class may be given members:
 * that changes the serialVersionUID which Java computes for a Serializable class that states none.
 */
final class ClassShape {
  private static final int FIXED = Opcodes.ACC_INTERFACE | Opcodes.ACC_ENUM | Opcodes.ACC_RECORD;

  private final SubjectClasses subjects;

  /** By loader (weak) and internal name: Serializable, directly or not. */
  private final Map<ClassLoader, Map<String, Boolean>> serializable =
      Collections.synchronizedMap(new WeakHashMap<>());

  ClassShape(SubjectClasses subjects) {
    this.subjects = subjects;
  }

  /** True if objects of the class can carry their state and give their profile. */
  boolean takesMembers(ClassLoader loader, ClassReader reader) {
    return takesField(reader) && (statesVersion(reader) || !isSerializable(loader, reader));
  }

  /** What a class inherits of the agent's members. */
  enum Inherited {
    /** It has no superclass among the subject classes. */
    NOTHING,
    /** Every superclass among the subject classes gives its profile. */
    PROFILE,
    /** One does not. */
    HOLES
  }

  /** What a subclass of the class with this name inherits, as far as class files tell. */
  Inherited inherited(ClassLoader loader, String name) {
    try {
      byte[] bytes = name == null || isPlatform(name) ? null : subjects.bytes(name);
      if (bytes == null) {
        return Inherited.NOTHING;
      }
      ClassReader reader = new ClassReader(bytes);
      boolean whole =
          takesMembers(loader, reader)
              && inherited(loader, reader.getSuperName()) != Inherited.HOLES;
      return whole ? Inherited.PROFILE : Inherited.HOLES;
    } catch (IOException | RuntimeException e) {
      return Inherited.HOLES;
    }
  }

  /** True if objects of the class can carry their state in a private field. */
  boolean takesField(ClassReader reader) {
    return (reader.getAccess() & FIXED) == 0 && !"java/lang/Record".equals(reader.getSuperName());
  }

  static boolean isPlatform(String name) {
    return name.startsWith("java/")
        || name.startsWith("javax/")
        || name.startsWith("jdk/")
        || name.startsWith("sun/");
  }

  private static boolean statesVersion(ClassReader reader) {
    boolean[] found = {false};
    reader.accept(
        new ClassVisitor(Opcodes.ASM9) {
          @Override
          public FieldVisitor visitField(
              int access, String name, String descriptor, String signature, Object value) {
            found[0] |= name.equals("serialVersionUID") && (access & Opcodes.ACC_STATIC) != 0;
            return null;
          }
        },
        ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
    return found[0];
  }

  private boolean isSerializable(ClassLoader loader, ClassReader reader) {
    if (isSerializable(loader, reader.getSuperName())) {
      return true;
    }
    for (String name : reader.getInterfaces()) {
      if (isSerializable(loader, name)) {
        return true;
      }
    }
    return false;
  }

  private boolean isSerializable(ClassLoader loader, String name) {
    if (name == null || name.equals("java/lang/Object")) {
      return false;
    }
    if (name.equals("java/io/Serializable")) {
      return true;
    }
    Map<String, Boolean> known = serializable.get(loader);
    if (known == null) {
      known = new ConcurrentHashMap<>();
      serializable.put(loader, known);
    }
    Boolean answer = known.get(name);
    if (answer == null) {
      byte[] bytes = find(loader, name);
      // Not to be seen: then it may be.
      answer = bytes == null || isSerializable(loader, new ClassReader(bytes));
      known.put(name, answer);
    }
    return answer;
  }

  private byte[] find(ClassLoader loader, String name) {
    String path = name + ".class";
    try {
      byte[] own = isPlatform(name) ? null : subjects.bytes(name);
      if (own != null) {
        return own;
      }
      try (InputStream in =
          loader == null || isPlatform(name)
              ? ClassLoader.getSystemResourceAsStream(path)
              : loader.getResourceAsStream(path)) {
        return in == null ? null : SubjectClasses.readAll(in);
      }
    } catch (IOException | RuntimeException e) {
      return null;
    }
  }
}
