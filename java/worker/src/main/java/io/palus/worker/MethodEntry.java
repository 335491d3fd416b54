package io.palus.worker;

import io.palus.worker.runtime.Invoker;

/** A method or field of the worker's table. */
final class MethodEntry {
  /** How it is reached; the first five are numbered as {@link io.palus.wire.Kinds.Call}. */
  static final int CONSTRUCTOR = 0;

  static final int STATIC = 1;
  static final int VIRTUAL = 2;
  static final int INTERFACE = 3;
  static final int INTERFACE_STATIC = 4;
  static final int GET_FIELD = 5;
  static final int GET_STATIC = 6;
  static final int SET_FIELD = 7;
  static final int SET_STATIC = 8;

  final int kind;
  final String owner;
  final String name;
  final String descriptor;

  /** First character of the result's descriptor. */
  final char result;

  /** Name and bytes of the generated invoker, made at first use. */
  String invokerName;

  byte[] invokerBytes;

  /** The invoker in the current class loader; null before first use. */
  Invoker invoker;

  MethodEntry(int kind, String owner, String name, String descriptor) {
    this.kind = kind;
    this.owner = owner;
    this.name = name;
    this.descriptor = descriptor;
    if (kind == CONSTRUCTOR) {
      result = 'L';
    } else if (kind <= INTERFACE_STATIC) {
      result = descriptor.charAt(descriptor.indexOf(')') + 1);
    } else {
      result = kind <= GET_STATIC ? descriptor.charAt(0) : 'V';
    }
  }

  boolean hasReceiver() {
    return kind == VIRTUAL || kind == INTERFACE || kind == GET_FIELD || kind == SET_FIELD;
  }
}
