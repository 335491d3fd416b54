package io.palus.worker;

import io.palus.wire.ByteWriter;
import io.palus.wire.Kinds.Constant;
import io.palus.wire.Kinds.Content;
import io.palus.wire.Kinds.End;
import io.palus.wire.Kinds.Observation;
import io.palus.wire.Texts;
import io.palus.worker.runtime.ApiCalls;
import io.palus.worker.runtime.Distances;
import io.palus.worker.runtime.Mutants;
import io.palus.worker.runtime.Operands;
import java.lang.reflect.Field;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.Type;

/** Writes the outcomes of one batch; observations while a sequence runs, then its end. */
final class OutcomeWriter {
  private static final int LEAVES_THREAD_LOCALS = 1;
  private static final int ENDS_OTHERWISE = 2;
  private static final Object[] NO_SLOTS = {};
  private static final double WHOLE_BELOW = 1L << 31;

  private final Map<String, Integer> names = new HashMap<>();
  private final Recording recording = new Recording();
  private ByteWriter out;
  private long frame;
  private int startOfOutcome;
  private int namesBefore;

  /** Starts a frame: no name is known yet. */
  void begin(ByteWriter writer) {
    out = writer;
    names.clear();
    frame++;
  }

  /** Starts the outcome of the next sequence. */
  void beginOutcome() {
    startOfOutcome = out.length();
    namesBefore = names.size();
  }

  /** The calls to an API, if they are recorded. */
  void recorded() {
    if (ApiCalls.areRecorded()) {
      recording.write(this, out);
    }
  }

  /** What is known of the exception that ends the sequence. */
  void fail(Throwable thrown) {
    if (ApiCalls.areRecorded()) {
      recording.fail(thrown);
    }
  }

  /** Takes back what was written of this outcome. */
  void takeBack() {
    takeBack(startOfOutcome, namesBefore);
  }

  /** Takes back what an action writes. */
  void unwritten(Runnable action) {
    int start = out.length();
    int known = names.size();
    action.run();
    takeBack(start, known);
  }

  private void takeBack(int start, int known) {
    out.truncate(start);
    names.values().removeIf(number -> number > known);
    frame++; // numbers that types remember may be among those taken back
  }

  /** A void call or an assignment. */
  void nothing() {
    out.kind(Observation.NOTHING);
  }

  /** What a statement gave. */
  void observe(Object value, boolean isPrimitive, Object[] slots, int statement) {
    if (value == null) {
      out.kind(Observation.NULL);
      return;
    }
    Class<?> type = value.getClass();
    if (type == Integer.class || type == Boolean.class || type == String.class) {
      value(value, isPrimitive); // nearly all that statements give; a look into a table costs more
      return;
    }
    TypeInfo info = TypeInfo.of(type);
    if (info.kind == TypeInfo.Kind.VALUE) {
      value(value, isPrimitive);
    } else if (info.kind == TypeInfo.Kind.ENUM) {
      Enum<?> constant = (Enum<?>) value;
      out.kind(Observation.ENUM_CONSTANT);
      name(TypeInfo.of(constant.getDeclaringClass()));
      name(constant.name());
    } else {
      out.kind(Observation.OBJECT);
      name(info);
      info.writeProfile(value, out);
      out.varint(sameAs(value, slots, statement));
      content(info.mayHaveContent ? Contents.of(value) : null);
    }
  }

  /** What {@link Contents#of} gave. */
  private void content(Object content) {
    if (content == null) {
      out.kind(Content.UNTOLD);
    } else if (content instanceof String) {
      out.kind(Content.TEXT);
      out.string((String) content);
    } else {
      out.kind(Content.ELEMENTS);
      List<?> elements = (List<?>) content;
      out.varint(elements.size());
      for (Object element : elements) {
        held(element);
      }
    }
  }

  /** An element or the value of a field, of which no statement gave anything. */
  private void held(Object value) {
    observe(value, false, NO_SLOTS, 0);
  }

  /** 0 for none, else the first earlier slot that holds the same object, plus one. */
  private static int sameAs(Object value, Object[] slots, int statement) {
    for (int i = 0; i < statement; i++) {
      if (slots[i] == value) {
        return i + 1;
      }
    }
    return 0;
  }

  private void value(Object value, boolean isPrimitive) {
    if (value instanceof String && !Texts.isConstant((String) value)) {
      out.kind(Observation.LONG_TEXT);
      return;
    }
    out.kind(isPrimitive ? Observation.PRIMITIVE : Observation.REFERENCE);
    constant(value);
  }

  /** A box as its primitive, or a String that is no {@link Observation#LONG_TEXT}. */
  private void constant(Object value) {
    if (value instanceof Integer) {
      out.kind(Constant.INT);
      out.signed((Integer) value);
    } else if (value instanceof Boolean) {
      out.kind(Constant.BOOLEAN);
      out.bool((Boolean) value);
    } else if (value instanceof String) {
      out.kind(Constant.TEXT);
      out.string((String) value);
    } else if (value instanceof Long) {
      out.kind(Constant.LONG);
      out.signed((Long) value);
    } else if (value instanceof Double) {
      out.kind(Constant.DOUBLE);
      out.fixed64(Double.doubleToRawLongBits((Double) value));
    } else if (value instanceof Float) {
      out.kind(Constant.FLOAT);
      out.fixed32(Float.floatToRawIntBits((Float) value));
    } else if (value instanceof Character) {
      out.kind(Constant.CHAR);
      out.varint((Character) value);
    } else if (value instanceof Short) {
      out.kind(Constant.SHORT);
      out.signed((Short) value);
    } else {
      out.kind(Constant.BYTE);
      out.signed((Byte) value);
    }
  }

  /** An end without details. */
  void end(End kind) {
    out.kind(Observation.NO_MORE);
    out.kind(kind);
  }

  /** An end with a text: denied, unusable. */
  void end(End kind, String text) {
    end(kind);
    out.string(text.length() <= Texts.LONGEST ? text : text.substring(0, Texts.LONGEST));
  }

  /** The end by an exception; message and frame may be null. */
  void threw(int statement, Throwable thrown, String message, StackTraceElement frameAtTop) {
    TypeInfo info = TypeInfo.of(thrown.getClass());
    end(End.THREW);
    out.varint(statement);
    name(info);
    boolean hasMessage = message != null && Texts.isConstant(message);
    out.bool(hasMessage);
    if (hasMessage) {
      out.string(message);
    }
    out.bool(frameAtTop != null);
    if (frameAtTop != null) {
      name(frameAtTop.getClassName().replace('.', '/'));
      name(frameAtTop.getMethodName());
    }
    List<Field> told = info.toldFields(thrown);
    out.varint(told.size());
    for (Field field : told) {
      name(field.getName());
      held(TypeInfo.valueOf(field, thrown));
    }
  }

  /** No probe that is new. */
  void noProbes() {
    out.put(0);
  }

  /** Probes: class number in the upper half, probe in the lower, ascending. */
  void probes(long[] probes) {
    out.varint(probes.length);
    int lastClass = 0;
    int lastProbe = 0;
    for (long named : probes) {
      int type = (int) (named >>> 32);
      int probe = (int) named;
      out.varint(type - lastClass);
      out.varint(type == lastClass ? probe - lastProbe : probe);
      lastClass = type;
      lastProbe = probe;
    }
  }

  /** Entries and backward jumps; whether thread-locals keep values; whether it ends so again. */
  void aftermath(int cost, boolean leavesThreadLocals, boolean repeats) {
    out.varint(cost);
    out.put((leavesThreadLocals ? LEAVES_THREAD_LOCALS : 0) | (repeats ? 0 : ENDS_OTHERWISE));
  }

  /** Nothing is told of what is watched, if anything is. */
  void noNearness() {
    if (Distances.isWatching()) {
      out.put(0);
      out.put(0);
    }
  }

  /** How near the sequence came to what is watched, if anything is. */
  void nearness() {
    if (!Distances.isWatching()) {
      return;
    }
    out.varint(Distances.notedCount());
    int last = 0;
    for (int number = Distances.next(0); number >= 0; number = Distances.next(number + 1)) {
      out.varint(number - last);
      last = number;
      distance(Distances.of(number));
    }
    int pairs = 0;
    for (int pair = 0; pair < Operands.count(); pair++) {
      pairs += Distances.of(Operands.number(pair)) > 0 ? 1 : 0;
    }
    out.varint(pairs);
    for (int pair = 0; pair < Operands.count(); pair++) {
      int number = Operands.number(pair);
      if (Distances.of(number) > 0) {
        int relation = Operands.relation(pair);
        comparison(number, relation, Operands.left(pair), Operands.right(pair));
      }
    }
  }

  /** The mutants that the sequence came to, if classes hold any. */
  void reached() {
    if (!Mutants.areHeld()) {
      return;
    }
    int[] reached = Mutants.reached();
    out.varint(reached.length);
    for (int mutant : reached) {
      out.varint(2L * mutant + (Mutants.isInfected(mutant) ? 1 : 0));
    }
  }

  /** From a jump to the outcome it did not have. */
  void distance(double distance) {
    if (distance < WHOLE_BELOW && distance == (int) distance) {
      out.varint(2L * (int) distance);
    } else {
      out.put(1);
      out.fixed64(Double.doubleToRawLongBits(distance));
    }
  }

  /** Operands of a jump of which the watched outcome was not reached. */
  void comparison(int number, int relation, Object left, Object right) {
    out.varint(number);
    out.put(relation);
    operand(left);
    operand(right);
  }

  private void operand(Object value) {
    if (value == null) {
      out.kind(Constant.NULL);
    } else if (value instanceof Enum) {
      out.kind(Constant.ENUM_CONSTANT);
      out.string(((Enum<?>) value).getDeclaringClass().getName().replace('.', '/'));
      out.string(((Enum<?>) value).name());
    } else if (value instanceof Class) {
      out.kind(Constant.CLASS_LITERAL);
      out.string(Type.getDescriptor((Class<?>) value));
    } else {
      constant(value);
    }
  }

  private void name(TypeInfo info) {
    if (info.frame == frame) {
      out.varint(info.number);
    } else {
      info.number = name(info.name);
      info.frame = frame;
    }
  }

  /** Writes a name, and gives its number in this frame. */
  int name(String name) {
    Integer known = names.putIfAbsent(name, names.size() + 1);
    if (known != null) {
      out.varint(known);
      return known;
    }
    out.put(0);
    out.string(name);
    return names.size();
  }
}
