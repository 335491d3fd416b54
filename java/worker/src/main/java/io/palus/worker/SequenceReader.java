package io.palus.worker;

import io.palus.wire.ByteReader;
import io.palus.wire.Kinds.Constant;
import io.palus.wire.Kinds.Statement;
import io.palus.wire.WireException;
import java.util.Arrays;

/** One sequence at a time, as arrays that are used again. */
final class SequenceReader {
  private static final Statement[] STATEMENTS = Statement.values();
  private static final Constant[] CONSTANTS = Constant.values();

  /** Number of statements. */
  int count;

  /** Kind of each statement, by its number: objects in arrays are dearer to write. */
  byte[] kinds = new byte[64];

  /** Kind of each constant, by its number. */
  byte[] constantKinds = new byte[64];

  /** Boxed constant, class of an enum constant, descriptor, class of a stub. */
  Object[] objects = new Object[64];

  /** Names of enum constants. */
  String[] names = new String[64];

  /** Method or field. */
  int[] members = new int[64];

  /** Slot of the receiver; -1 for none. */
  int[] receivers = new int[64];

  /** Where in {@link #arguments} each statement's begin, and where the last one's end. */
  int[] starts = new int[65];

  /** Open methods of each stub. */
  String[][] open = new String[64][];

  /** Slots of arguments, elements, values, answers of all statements; -1 for no answer. */
  int[] arguments = new int[256];

  /** Reads the next sequence; its slots are checked to name earlier statements. */
  void read(ByteReader in) throws WireException {
    count = in.count();
    if (count > kinds.length) {
      grow(Math.max(count, kinds.length * 2));
    }
    int used = 0;
    for (int i = 0; i < count; i++) {
      Statement kind = in.kind(STATEMENTS, "a kind of statement");
      kinds[i] = (byte) kind.ordinal();
      receivers[i] = -1;
      starts[i] = used;
      switch (kind) {
        case CONSTANT:
          constant(i, in);
          break;
        case CALL:
          members[i] = in.number();
          receivers[i] = earlier(in.slot(), i, in);
          used = list(i, used, in);
          break;
        case NEW_ARRAY:
          objects[i] = in.string();
          used = list(i, used, in);
          break;
        case GET_FIELD:
          members[i] = in.number();
          receivers[i] = earlier(in.slot(), i, in);
          break;
        case SET_FIELD:
          members[i] = in.number();
          receivers[i] = earlier(in.slot(), i, in);
          used = argument(used, earlier(in.number(), i, in));
          break;
        case STUB:
          objects[i] = in.string();
          used = answers(i, used, in);
          break;
        default:
          throw new AssertionError(kind);
      }
    }
    starts[count] = used;
  }

  private static int earlier(int slot, int statement, ByteReader in) throws WireException {
    if (slot >= statement) {
      throw in.damaged("the slot of an earlier statement");
    }
    return slot;
  }

  private int list(int statement, int from, ByteReader in) throws WireException {
    int used = from;
    for (int left = in.count(); left > 0; left--) {
      used = argument(used, earlier(in.number(), statement, in));
    }
    return used;
  }

  private int answers(int statement, int from, ByteReader in) throws WireException {
    int used = from;
    String[] methods = new String[in.count()];
    for (int i = 0; i < methods.length; i++) {
      methods[i] = in.string();
      used = argument(used, earlier(in.slot(), statement, in));
    }
    open[statement] = methods;
    return used;
  }

  private int argument(int place, int slot) {
    if (place == arguments.length) {
      arguments = Arrays.copyOf(arguments, place * 2);
    }
    arguments[place] = slot;
    return place + 1;
  }

  private void constant(int i, ByteReader in) throws WireException {
    Constant kind = in.kind(CONSTANTS, "a kind of constant");
    constantKinds[i] = (byte) kind.ordinal();
    objects[i] = value(i, kind, in);
  }

  private Object value(int i, Constant kind, ByteReader in) throws WireException {
    switch (kind) {
      case NULL:
        return null;
      case BOOLEAN:
        return in.bool();
      case BYTE:
        return (byte) in.signed();
      case CHAR:
        return (char) in.varint();
      case SHORT:
        return (short) in.signed();
      case INT:
        return (int) in.signed();
      case LONG:
        return in.signed();
      case FLOAT:
        return Float.intBitsToFloat(in.fixed32());
      case DOUBLE:
        return Double.longBitsToDouble(in.fixed64());
      case TEXT:
        return in.string().intern(); // as a literal is
      case ENUM_CONSTANT:
        String type = in.string();
        names[i] = in.string();
        return type;
      case CLASS_LITERAL:
        return in.string();
      default:
        throw new AssertionError(kind);
    }
  }

  private void grow(int size) {
    kinds = Arrays.copyOf(kinds, size);
    constantKinds = Arrays.copyOf(constantKinds, size);
    objects = Arrays.copyOf(objects, size);
    names = Arrays.copyOf(names, size);
    members = Arrays.copyOf(members, size);
    receivers = Arrays.copyOf(receivers, size);
    starts = Arrays.copyOf(starts, size + 1);
    open = Arrays.copyOf(open, size);
  }
}
