package io.palus.worker;

import io.palus.worker.runtime.Guard;
import io.palus.worker.runtime.Invoker;
import java.lang.reflect.Array;
import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** The subject in its current class loader: members by number, types by name. */
final class Subject {
  private final SubjectClasses classes;
  private final InvokerFactory invokers = new InvokerFactory();
  private final StubFactory stubs = new StubFactory();
  private final Map<String, Class<?>> types = new HashMap<>();
  private final Map<String, Object> enumConstants = new HashMap<>();
  private final Map<String, String> refused = new HashMap<>();
  private final StaticState statics;
  private final StringConstants texts;
  private final Map<String, String> barred = new HashMap<>();
  private MethodEntry[] methods = new MethodEntry[256];
  private MethodEntry[] fields = new MethodEntry[64];
  private SubjectLoader loader;

  Subject(SubjectClasses classes) {
    this.classes = classes;
    texts = new StringConstants(classes.classPath());
    statics = new StaticState(classes.statics(), classes.memory());
    loader = new SubjectLoader(classes);
    statics.renew(loader);
  }

  /** Texts in the code of its classes. */
  StringConstants texts() {
    return texts;
  }

  SubjectClasses classes() {
    return classes;
  }

  /** The static state of the classes in the current class loader. */
  StaticState statics() {
    return statics;
  }

  SubjectLoader loader() {
    return loader;
  }

  /** From here on all classes may be used. */
  void barNone() {
    barred.clear();
  }

  boolean isBarred(String owner) {
    return barred.containsKey(owner);
  }

  /** From here on it is denied to use the class, for what its initialiser does. */
  void bar(String owner, String why) {
    barred.put(owner, why);
  }

  /** Forgets the class loader and all it loaded. */
  void renew() {
    for (MethodEntry[] entries : new MethodEntry[][] {methods, fields}) {
      for (MethodEntry entry : entries) {
        if (entry != null) {
          entry.invoker = null;
        }
      }
    }
    stubs.clear();
    types.clear();
    refused.clear();
    enumConstants.clear();
    loader = new SubjectLoader(classes);
    statics.renew(loader);
  }

  void defineMethod(int id, MethodEntry entry) {
    methods = put(methods, id, entry);
  }

  /** A field's two entries: reading and writing. */
  void defineField(int id, MethodEntry get, MethodEntry set) {
    fields = put(fields, id * 2, get);
    fields = put(fields, id * 2 + 1, set);
  }

  private static MethodEntry[] put(MethodEntry[] entries, int id, MethodEntry entry) {
    MethodEntry[] roomy =
        id < entries.length ? entries : Arrays.copyOf(entries, Math.max(id + 1, id * 2));
    roomy[id] = entry;
    return roomy;
  }

  MethodEntry method(int id) throws UnusableException {
    return get(methods, id);
  }

  /** A field that is about to be used. */
  MethodEntry field(int id, boolean isSet) throws UnusableException {
    MethodEntry entry = get(fields, id * 2 + (isSet ? 1 : 0));
    if (entry.kind == MethodEntry.GET_STATIC || entry.kind == MethodEntry.SET_STATIC) {
      statics.touch(entry.owner);
    }
    return entry;
  }

  private static MethodEntry get(MethodEntry[] entries, int id) throws UnusableException {
    MethodEntry entry = id < entries.length ? entries[id] : null;
    if (entry == null) {
      throw undefined(id);
    }
    return entry;
  }

  private static UnusableException undefined(int id) {
    return new UnusableException("member " + id + " was never defined");
  }

  /** No call of this class is made any more: what its initialiser found is no fact. */
  void refuse(String owner, String why) {
    refused.put(owner, why);
  }

  Invoker invoker(MethodEntry entry) throws UnusableException {
    if (barred.containsKey(entry.owner)) {
      Guard.deny(barred.get(entry.owner));
    }
    if (refused.containsKey(entry.owner)) {
      throw new UnusableException("its initialiser was denied " + refused.get(entry.owner));
    }
    try {
      return invokers.invoker(entry, loader);
    } catch (ReflectiveOperationException | LinkageError | RuntimeException e) {
      throw new UnusableException(e);
    }
  }

  /** A stub; what its superclass's constructor throws comes out as it is. */
  Object stub(String type, String[] open, Object[] answers) throws Throwable {
    try {
      return stubs.make(type, open, answers, loader);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    } catch (ReflectiveOperationException | LinkageError | RuntimeException e) {
      throw new UnusableException(e);
    }
  }

  Object enumConstant(String type, String name) throws UnusableException {
    statics.touch(type);
    String key = type + '.' + name;
    Object constant = enumConstants.get(key);
    if (constant == null) {
      try {
        Class<?> found = Class.forName(type.replace('/', '.'), true, loader);
        for (Object each : found.getEnumConstants()) {
          if (((Enum<?>) each).name().equals(name)) {
            constant = each;
          }
        }
      } catch (ReflectiveOperationException | LinkageError | RuntimeException e) {
        throw new UnusableException(e);
      }
      if (constant == null) {
        throw new UnusableException("no enum constant " + key);
      }
      enumConstants.put(key, constant);
    }
    return constant;
  }

  Object newArray(String descriptor, Object[] slots, int[] arguments, int from, int to)
      throws UnusableException {
    try {
      Object array = Array.newInstance(type(descriptor).getComponentType(), to - from);
      for (int i = from; i < to; i++) {
        Array.set(array, i - from, slots[arguments[i]]);
      }
      return array;
    } catch (RuntimeException e) {
      throw new UnusableException(e);
    }
  }

  /** The class of a descriptor, without initialising it. */
  Class<?> type(String descriptor) throws UnusableException {
    Class<?> type = types.get(descriptor);
    if (type == null) {
      try {
        type = find(descriptor);
      } catch (ReflectiveOperationException | LinkageError e) {
        throw new UnusableException(e);
      }
      types.put(descriptor, type);
    }
    return type;
  }

  private Class<?> find(String descriptor) throws ClassNotFoundException {
    switch (descriptor.charAt(0)) {
      case 'L':
        String name = descriptor.substring(1, descriptor.length() - 1);
        return Class.forName(name.replace('/', '.'), false, loader);
      case '[':
        return Class.forName(descriptor.replace('/', '.'), false, loader);
      default:
        // A primitive type: by way of its array, since Class.forName does not know it.
        return "V".equals(descriptor)
            ? void.class
            : Class.forName("[" + descriptor).getComponentType();
    }
  }
}
