package io.palus.worker;

import io.palus.worker.instrument.UnguardableException;
import java.io.IOException;

/**
 * Loads the subject anew: its statics are as after class initialisation. Sees the JDK, the class
 * path, and of ours only what instrumented code calls. What writes logs is not loaded anew.
 */
final class SubjectLoader extends ClassPathLoader {
  private static final String RUNTIME = "io.palus.worker.runtime.";

  private final SubjectClasses classes;

  SubjectLoader(SubjectClasses classes) {
    super(classes.classPath());
    this.classes = classes;
  }

  SubjectClasses classes() {
    return classes;
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (name.startsWith(RUNTIME)) {
      return SubjectLoader.class.getClassLoader().loadClass(name);
    }
    if (classes.logging().has(name)) {
      return classes.logging().loadClass(name);
    }
    return super.loadClass(name, resolve);
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    SubjectClasses.Ready ready;
    try {
      ready = classes.find(name.replace('.', '/'));
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    } catch (UnguardableException e) {
      throw new ClassFormatError(name + " is not loaded: " + e.getMessage());
    }
    if (ready == null) {
      throw new ClassNotFoundException(name);
    }
    return define(name, ready.bytes, ready.domain);
  }

  /**
   * Defines a class of ours in a package of the subject's; it may be there already, where memory or
   * stack ran out just after it had been defined.
   */
  Class<?> define(String name, byte[] bytes) {
    Class<?> known = findLoadedClass(name);
    return known != null ? known : defineClass(name, bytes, 0, bytes.length);
  }
}
