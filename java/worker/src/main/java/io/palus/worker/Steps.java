package io.palus.worker;

import io.palus.wire.Kinds.Constant;
import io.palus.wire.Kinds.Statement;
import io.palus.worker.runtime.Invoker;
import io.palus.worker.runtime.Probes;
import java.util.Arrays;

/** Runs the statements of one sequence after another, and writes what each gave. */
final class Steps {
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
    Arrays.fill(slots, 0, sequence.count, null);
  }

  /** Gives what the statement threw at which it ended; null where none threw. */
  Throwable run(SequenceReader sequence, OutcomeWriter out) {
    if (sequence.count > slots.length) {
      slots = new Object[Math.max(sequence.count, slots.length * 2)];
    }
    try {
      for (statement = 0; statement < sequence.count; statement++) {
        step(sequence, statement, out);
        if (Probes.stop() != Probes.Stop.NONE) {
          break;
        }
      }
      return null;
    } catch (Throwable e) { // whatever the subject throws is an outcome
      return e;
    }
  }

  private void step(SequenceReader sequence, int i, OutcomeWriter out) throws Throwable {
    int receiver = sequence.receivers[i];
    int from = sequence.starts[i];
    switch (sequence.kinds[i]) {
      case CONSTANT:
        Constant kind = sequence.constantKinds[i];
        Object value = sequence.objects[i];
        if (kind == Constant.ENUM_CONSTANT) {
          value = subject.enumConstant((String) value, sequence.names[i]);
        } else if (kind == Constant.CLASS_LITERAL) {
          value = subject.type((String) value);
        }
        slots[i] = value;
        out.observe(value, kind.compareTo(Constant.TEXT) < 0, slots, i);
        break;
      case CALL:
        call(subject.method(sequence.members[i]), receiver, sequence.arguments, from, i, out);
        break;
      case GET_FIELD:
      case SET_FIELD:
        MethodEntry field =
            subject.field(sequence.members[i], sequence.kinds[i] == Statement.SET_FIELD);
        call(field, receiver, sequence.arguments, from, i, out);
        break;
      case NEW_ARRAY:
        String type = (String) sequence.objects[i];
        int to = sequence.starts[i + 1];
        slots[i] = subject.newArray(type, slots, sequence.arguments, from, to);
        out.observe(slots[i], false, slots, i);
        break;
      default:
        Object[] answers = new Object[sequence.open[i].length];
        for (int k = 0; k < answers.length; k++) {
          int slot = sequence.arguments[from + k];
          answers[k] = slot < 0 ? null : slots[slot];
        }
        slots[i] = subject.stub((String) sequence.objects[i], sequence.open[i], answers);
        out.observe(slots[i], false, slots, i);
        break;
    }
  }

  private void call(
      MethodEntry entry, int receiver, int[] arguments, int from, int i, OutcomeWriter out)
      throws Throwable {
    Invoker invoker = entry.invoker;
    if (invoker == null) {
      invoker = subject.invoker(entry);
    }
    if (receiver < 0 && entry.hasReceiver()) {
      throw new UnusableException("no receiver for " + entry.owner + "." + entry.name);
    }
    slots[i] = invoker.call(slots, receiver, arguments, from);
    if (Probes.stop() != Probes.Stop.NONE) {
      return;
    }
    if (entry.result == 'V') {
      out.nothing();
    } else {
      out.observe(slots[i], entry.result != 'L' && entry.result != '[', slots, i);
    }
  }
}
