package io.palus.worker.instrument;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * From which classes of the JDK a class may have a method: a call names a class, and not the one
 * that declares the method. Their files are read, not they themselves loaded: a class that is
 * loaded while another one is transformed is shown to no transformer.
 */
public final class Ancestors {
  private static final Map<String, Ancestors> KNOWN = new ConcurrentHashMap<>();
  private static final Ancestors NONE = new Ancestors(Collections.emptyList(), null);

  private static volatile ClassFiles others = name -> null;

  private final List<String> parents;

  /** Names with descriptors of the methods that it has code of; null for a class of the JDK. */
  private final Set<String> own;

  private Ancestors(List<String> parents, Set<String> own) {
    this.parents = parents;
    this.own = own;
  }

  /** Files of the class path. */
  public interface ClassFiles {
    /**
     * Opens one.
     *
     * @param name of the file, with {@code /} in it
     * @return its bytes; null where there is none of that name
     * @throws IOException if it cannot be read
     */
    InputStream open(String name) throws IOException;
  }

  /**
   * From here on, classes that are none of the JDK's are looked up there.
   *
   * @param files what the class path has
   */
  public static void of(ClassFiles files) {
    others = files;
    KNOWN.values().removeIf(known -> known.own != null || known == NONE);
  }

  /** From here on this is what a class is, whether or not the class path has it. */
  static void note(ClassReader type) {
    KNOWN.put(type.getClassName(), read(type, false));
  }

  /**
   * Internal names of the classes and interfaces of the JDK whose method a call on this class may
   * come to, nearest first. None for a method of which it has code, or a class of others above: a
   * call of that is guarded in there.
   *
   * @param owner internal name of the class that the call names
   * @param member name and descriptor of the method
   */
  static Set<String> above(String owner, String member) {
    Set<String> above = new LinkedHashSet<>();
    add(owner, member, above, new HashSet<>());
    above.remove(owner);
    return above;
  }

  private static void add(String name, String member, Set<String> above, Set<String> seen) {
    Ancestors type = seen.add(name) ? find(name) : NONE;
    boolean isJdks = type.own == null && type != NONE;
    if (isJdks) {
      above.add(name);
    } else if (type == NONE || type.own.contains(member)) {
      return;
    }
    for (String parent : type.parents) {
      add(parent, member, above, seen);
    }
  }

  private static Ancestors find(String name) {
    Ancestors known = KNOWN.get(name);
    if (known == null) {
      known = read(name);
      KNOWN.put(name, known);
    }
    return known;
  }

  private static Ancestors read(String name) {
    String file = name + ".class";
    try (InputStream ofJdk = open(file)) {
      if (ofJdk != null) {
        return read(new ClassReader(ofJdk), true);
      }
      try (InputStream other = others.open(file)) {
        return other == null ? NONE : read(new ClassReader(other), false);
      }
    } catch (IOException | RuntimeException e) {
      return NONE; // of a release that cannot be read, or damaged
    }
  }

  private static Ancestors read(ClassReader type, boolean isJdks) {
    List<String> parents = new ArrayList<>();
    if (type.getSuperName() != null) {
      parents.add(type.getSuperName());
    }
    Collections.addAll(parents, type.getInterfaces());
    if (isJdks) {
      return new Ancestors(parents, null);
    }
    Set<String> own = new HashSet<>();
    ClassVisitor methods =
        new ClassVisitor(Opcodes.ASM9) {
          @Override
          public MethodVisitor visitMethod(
              int access, String name, String descriptor, String signature, String[] exceptions) {
            if ((access & Opcodes.ACC_ABSTRACT) == 0) {
              own.add(name + descriptor);
            }
            return null;
          }
        };
    type.accept(methods, ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
    return new Ancestors(parents, own);
  }

  /** A file of the JDK's own; null where there is none of that name. */
  private static InputStream open(String file) throws IOException {
    ClassLoader system = ClassLoader.getSystemClassLoader();
    URL found = system.getParent().getResource(file);
    if (found == null) {
      // A part of the JDK that the class loader of programs has: its address names its module.
      found = system.getResource(file);
      if (found == null || !found.getProtocol().equals("jrt")) {
        return null;
      }
    }
    return found.openStream();
  }
}
