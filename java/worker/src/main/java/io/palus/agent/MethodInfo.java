package io.palus.agent;

import java.util.Arrays;

/**
 * What the agent knows of an instrumented method; instrumented code names it by its number. Public
 * only because instrumented code asks which methods are done.
 */
public final class MethodInfo {
  /**
   * By number, whether a static method without arguments that could be followed is recorded no
   * more. Read without a lock: who sees an old one asks {@link CallRecorder}.
   */
  @SuppressWarnings("checkstyle:VisibilityModifier")
  public static boolean[] isDone = new boolean[1024];

  private static MethodInfo[] all = new MethodInfo[1024];
  private static int used;

  final int number;
  final ClassInfo owner;
  final String name;
  final String descriptor;
  final int access;
  final boolean isConstructor;

  /** Entries that were recorded without a receiver; only an estimate between threads. */
  int count;

  private MethodInfo(int number, ClassInfo owner, String name, String descriptor, int access) {
    this.number = number;
    this.owner = owner;
    this.name = name;
    this.descriptor = descriptor;
    this.access = access & 0xffff;
    isConstructor = name.equals("<init>");
  }

  static MethodInfo get(int number) {
    return all[number];
  }

  /** The method with this name and descriptor; null when there are too many. */
  static synchronized MethodInfo define(
      ClassInfo owner, String name, String descriptor, int access) {
    MethodInfo info = owner.methods.get(name + descriptor);
    if (info == null && used < TraceFormat.MAX_METHODS) {
      info = new MethodInfo(used, owner, name, descriptor, access);
      owner.methods.put(name + descriptor, info);
      MethodInfo[] grown = used == all.length ? Arrays.copyOf(all, used * 2) : all;
      if (isDone.length < grown.length) {
        isDone = Arrays.copyOf(isDone, grown.length);
      }
      grown[used++] = info;
      all = grown;
    }
    return info;
  }
}
