package io.palus.agent;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** What the agent knows of a class: its number in the trace and, for subject classes, its cap. */
final class ClassInfo {
  private static final ClassValue<ClassInfo> BY_CLASS =
      new ClassValue<ClassInfo>() {
        @Override
        protected ClassInfo computeValue(Class<?> type) {
          return find(type);
        }
      };

  /** Subject classes by defining loader and internal name; filled before they are defined. */
  private static final LoaderMap<Map<String, ClassInfo>> SUBJECTS = new LoaderMap<>();

  /** Internal names of all subject classes. */
  private static final Set<String> SUBJECT_NAMES = ConcurrentHashMap.newKeySet();

  private static final Map<String, ClassInfo> OTHERS = new ConcurrentHashMap<>();
  private static int numbers;

  final String name;
  final int number;
  final boolean isSubject;

  /** Methods by name and descriptor: a class transformed again keeps their numbers. */
  final Map<String, MethodInfo> methods;

  /** True once a method was entered as often as the cap says: new objects are not recorded. */
  boolean isFull;

  /** True if the class was given a field for the state of its objects. */
  volatile boolean hasState;

  /** True if the class was given a method that reads its own fields. */
  volatile boolean hasProfile;

  private int[] counts = {};

  private ClassInfo(String name, boolean isSubject) {
    this.name = name;
    this.isSubject = isSubject;
    methods = isSubject ? new ConcurrentHashMap<>() : null;
    synchronized (OTHERS) {
      number = numbers++;
    }
  }

  static ClassInfo of(Class<?> type) {
    return BY_CLASS.get(type);
  }

  /** Makes known that a class is about to be a subject class. */
  static ClassInfo define(ClassLoader loader, String name) {
    Map<String, ClassInfo> names = SUBJECTS.get(loader);
    if (names == null) {
      names = SUBJECTS.putIfAbsent(loader, new ConcurrentHashMap<>());
    }
    ClassInfo info = names.get(name);
    if (info == null) {
      SUBJECT_NAMES.add(name);
      ClassInfo made = new ClassInfo(name, true);
      ClassInfo other = names.putIfAbsent(name, made);
      info = other == null ? made : other;
    }
    return info;
  }

  static ClassInfo findSubject(ClassLoader loader, String name) {
    Map<String, ClassInfo> names = SUBJECTS.get(loader);
    return names == null ? null : names.get(name);
  }

  /**
   * What is known of a subject class with this internal name. Only of one whose name is a subject
   * class's the loader is asked for: for others a security manager may be asked first.
   */
  static ClassInfo findSubject(Class<?> type, String name) {
    return SUBJECT_NAMES.contains(name) ? findSubject(type.getClassLoader(), name) : null;
  }

  private static ClassInfo find(Class<?> type) {
    String name = type.getName().replace('.', '/');
    // Hidden classes: `Demo$$Lambda/0x0000123`; what is behind the slash differs between runs.
    int hidden = type.isArray() ? -1 : type.getName().indexOf('/');
    if (hidden >= 0) {
      name = name.substring(0, hidden);
    } else if (!type.isArray()) {
      ClassInfo subject = findSubject(type, name);
      if (subject != null) {
        return subject;
      }
    }
    return named(name);
  }

  /** A class that is no subject class. */
  static ClassInfo named(String name) {
    ClassInfo info = OTHERS.get(name);
    if (info == null) {
      ClassInfo made = new ClassInfo(name, false);
      ClassInfo other = OTHERS.putIfAbsent(name, made);
      info = other == null ? made : other;
    }
    return info;
  }

  /**
   * Counts an entry of a method with a receiver of this class, from 1. Threads may lose counts to
   * each other; the cap is no promise to the last entry.
   */
  int count(int method) {
    int[] all = counts;
    // Open addressing: pairs of method number + 1 and count; the number of methods is small.
    int mask = all.length - 1;
    if (mask > 0) {
      for (int i = method * 2 & mask, probes = 0; probes <= mask; i = i + 2 & mask, probes += 2) {
        if (all[i] == method + 1) {
          return ++all[i + 1];
        }
        if (all[i] == 0) {
          break;
        }
      }
    }
    return addCounter(method);
  }

  private synchronized int addCounter(int method) {
    int[] old = counts;
    int used = 0;
    for (int i = 0; i < old.length; i += 2) {
      used += old[i] == 0 ? 0 : 2;
    }
    int[] grown = used * 2 >= old.length ? new int[Math.max(16, old.length * 2)] : old.clone();
    if (grown.length != old.length) {
      for (int i = 0; i < old.length; i += 2) {
        if (old[i] != 0) {
          grown[slot(grown, old[i] - 1) + 1] = old[i + 1];
        }
      }
    }
    int count = ++grown[slot(grown, method) + 1];
    counts = grown;
    return count;
  }

  private static int slot(int[] table, int method) {
    int mask = table.length - 1;
    int i = method * 2 & mask;
    while (table[i] != 0 && table[i] != method + 1) {
      i = i + 2 & mask;
    }
    table[i] = method + 1;
    return i;
  }
}
