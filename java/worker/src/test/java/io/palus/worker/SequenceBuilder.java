package io.palus.worker;

import io.palus.wire.ByteWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Writes one sequence; each method returns the slot its statement fills. */
final class SequenceBuilder {
  private final WorkerProcess worker;
  private final List<Consumer<ByteWriter>> statements = new ArrayList<>();

  SequenceBuilder(WorkerProcess worker) {
    this.worker = worker;
  }

  void write(ByteWriter out) {
    out.varint(statements.size());
    statements.forEach(statement -> statement.accept(out));
  }

  private int add(Consumer<ByteWriter> statement) {
    statements.add(statement);
    return statements.size() - 1;
  }

  int construct(String owner, String descriptor, int... arguments) {
    return call(0, owner, "<init>", descriptor, -1, arguments);
  }

  int callStatic(String owner, String name, String descriptor, int... arguments) {
    return call(1, owner, name, descriptor, -1, arguments);
  }

  int callVirtual(String owner, String name, String descriptor, int receiver, int... arguments) {
    return call(2, owner, name, descriptor, receiver, arguments);
  }

  int call(int kind, String owner, String name, String descriptor, int receiver, int... arguments) {
    int method = worker.method(kind, owner, name, descriptor);
    return add(
        out -> {
          out.put(1);
          out.varint(method);
          out.varint(receiver + 1);
          list(out, arguments);
        });
  }

  int array(String descriptor, int... elements) {
    return add(
        out -> {
          out.put(2);
          out.string(descriptor);
          list(out, elements);
        });
  }

  int get(boolean isStatic, String owner, String name, String descriptor, int receiver) {
    int field = worker.field(isStatic, owner, name, descriptor);
    return add(
        out -> {
          out.put(3);
          out.varint(field);
          out.varint(receiver + 1);
        });
  }

  int set(boolean isStatic, String owner, String name, String descriptor, int receiver, int value) {
    int field = worker.field(isStatic, owner, name, descriptor);
    return add(
        out -> {
          out.put(4);
          out.varint(field);
          out.varint(receiver + 1);
          out.varint(value);
        });
  }

  /** Of a type with one open method, such as {@code run()V}. */
  int stub(String type, String open, int answer) {
    return add(
        out -> {
          out.put(5);
          out.string(type);
          out.varint(1);
          out.string(open);
          out.varint(answer + 1);
        });
  }

  int constant(int value) {
    return add(
        out -> {
          out.put(0);
          out.put(5);
          out.signed(value);
        });
  }

  int text(String value) {
    return add(
        out -> {
          out.put(0);
          out.put(9);
          out.string(value);
        });
  }

  int nothing() {
    return add(
        out -> {
          out.put(0);
          out.put(0);
        });
  }

  int enumConstant(String owner, String name) {
    return add(
        out -> {
          out.put(0);
          out.put(10);
          out.string(owner);
          out.string(name);
        });
  }

  int classLiteral(String descriptor) {
    return add(
        out -> {
          out.put(0);
          out.put(11);
          out.string(descriptor);
        });
  }

  private static void list(ByteWriter out, int[] slots) {
    out.varint(slots.length);
    for (int slot : slots) {
      out.varint(slot);
    }
  }
}
