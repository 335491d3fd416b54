package io.palus.worker;

import io.palus.wire.Kinds.Constant;
import io.palus.wire.Kinds.Statement;
import io.palus.worker.runtime.Invoker;
import io.palus.worker.runtime.Probes;

/** Runs the statements of one sequence after another, and writes what each gave. */
final class Steps {
  private static final int CONSTANT = Statement.CONSTANT.ordinal();
  private static final int CALL = Statement.CALL.ordinal();
  private static final int NEW_ARRAY = Statement.NEW_ARRAY.ordinal();
  private static final int GET_FIELD = Statement.GET_FIELD.ordinal();
  private static final int SET_FIELD = Statement.SET_FIELD.ordinal();
  private static final int TEXT = Constant.TEXT.ordinal();
  private static final int ENUM_CONSTANT = Constant.ENUM_CONSTANT.ordinal();
  private static final int CLASS_LITERAL = Constant.CLASS_LITERAL.ordinal();

  private final Subject subject;
  private Object[] slots = new Object[64];

  /** Where the sequence is, or ended. */
  private int statement;

  Steps(Subject subject) {
    this.subject = subject;
  }

  /** The statement at which the sequence last run ended. */
  int statement() {
    return statement;
  }

  /** Another run of it does not count. */
  void setStatement(int ended) {
    statement = ended;
  }

  /** Forgets what the statements gave. */
  void clear(SequenceReader sequence) {
    Object[] all = slots;
    for (int i = sequence.count - 1; i >= 0; i--) {
      all[i] = null; // a null that stands in the code needs no check of what the array may hold
    }
  }

  /**
   * Gives what the statement threw at which it ended; null where none threw. Calls stand here, not
   * in a method of their own: each frame below a call makes the stack trace of what it throws
   * dearer.
   */
  Throwable run(SequenceReader sequence, OutcomeWriter out) {
    if (sequence.count > slots.length) {
      slots = new Object[Math.max(sequence.count, slots.length * 2)];
    }
    try {
      for (statement = 0; statement < sequence.count; statement++) {
        int i = statement;
        int kind = sequence.kinds[i];
        if (kind == CALL || kind == GET_FIELD || kind == SET_FIELD) {
          int member = sequence.members[i];
          MethodEntry entry =
              kind == CALL ? subject.method(member) : subject.field(member, kind == SET_FIELD);
          Invoker invoker = entry.invoker != null ? entry.invoker : subject.invoker(entry);
          int receiver = sequence.receivers[i];
          if (receiver < 0 && entry.hasReceiver()) {
            throw new UnusableException("no receiver for " + entry.owner + "." + entry.name);
          }
          Object result = invoker.call(slots, receiver, sequence.arguments, sequence.starts[i]);
          slots[i] = result;
          if (Probes.stop() != Probes.Stop.NONE) {
            break;
          }
          if (entry.result == 'V') {
            out.nothing();
          } else {
            out.observe(result, entry.result != 'L' && entry.result != '[', slots, i);
          }
        } else {
          make(sequence, i, out);
        }
        if (Probes.stop() != Probes.Stop.NONE) {
          break;
        }
      }
      return null;
    } catch (Throwable e) { // whatever the subject throws is an outcome
      return e;
    }
  }

  private void make(SequenceReader sequence, int i, OutcomeWriter out) throws Throwable {
    int from = sequence.starts[i];
    if (sequence.kinds[i] == CONSTANT) {
      int kind = sequence.constantKinds[i];
      Object value = sequence.objects[i];
      if (kind == ENUM_CONSTANT) {
        value = subject.enumConstant((String) value, sequence.names[i]);
      } else if (kind == CLASS_LITERAL) {
        value = subject.type((String) value);
      }
      slots[i] = value;
      out.observe(value, kind < TEXT, slots, i);
    } else if (sequence.kinds[i] == NEW_ARRAY) {
      String type = (String) sequence.objects[i];
      int to = sequence.starts[i + 1];
      slots[i] = subject.newArray(type, slots, sequence.arguments, from, to);
      out.observe(slots[i], false, slots, i);
    } else {
      Object[] answers = new Object[sequence.open[i].length];
      for (int k = 0; k < answers.length; k++) {
        int slot = sequence.arguments[from + k];
        answers[k] = slot < 0 ? null : slots[slot];
      }
      slots[i] = subject.stub((String) sequence.objects[i], sequence.open[i], answers);
      out.observe(slots[i], false, slots, i);
    }
  }
}
