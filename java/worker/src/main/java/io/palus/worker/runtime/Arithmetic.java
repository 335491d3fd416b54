package io.palus.worker.runtime;

/** What arithmetic instructions compute, and which takes the place of which in a mutant. */
final class Arithmetic {
  private static final int IADD = 96;
  private static final int ISUB = 100;
  private static final int IMUL = 104;
  static final int IDIV = 108;
  private static final int IREM = 112;
  private static final int ISHL = 120;
  private static final int ISHR = 122;
  private static final int IUSHR = 124;
  private static final int IAND = 126;
  private static final int IOR = 128;

  private Arithmetic() {}

  /** The opcode, as for ints, that takes the place of another. */
  static int other(int opcode) {
    switch (opcode) {
      case IADD:
        return ISUB;
      case ISUB:
        return IADD;
      case IMUL:
        return IDIV;
      case IDIV:
      case IREM:
        return IMUL;
      case ISHL:
        return ISHR;
      case ISHR:
      case IUSHR:
        return ISHL;
      case IAND:
        return IOR;
      default: // or, exclusive or
        return IAND;
    }
  }

  static int of(int left, int right, int opcode) {
    switch (opcode) {
      case IADD:
        return left + right;
      case ISUB:
        return left - right;
      case IMUL:
        return left * right;
      case IDIV:
        return left / right;
      case IREM:
        return left % right;
      case ISHL:
        return left << right;
      case ISHR:
        return left >> right;
      case IUSHR:
        return left >>> right;
      case IAND:
        return left & right;
      case IOR:
        return left | right;
      default:
        return left ^ right;
    }
  }

  static long of(long left, long right, int opcode) {
    switch (opcode) {
      case IADD:
        return left + right;
      case ISUB:
        return left - right;
      case IMUL:
        return left * right;
      case IDIV:
        return left / right;
      case IREM:
        return left % right;
      case ISHL:
        return left << right;
      case ISHR:
        return left >> right;
      case IUSHR:
        return left >>> right;
      case IAND:
        return left & right;
      case IOR:
        return left | right;
      default:
        return left ^ right;
    }
  }

  static float of(float left, float right, int opcode) {
    switch (opcode) {
      case IADD:
        return left + right;
      case ISUB:
        return left - right;
      case IMUL:
        return left * right;
      case IDIV:
        return left / right;
      default:
        return left % right;
    }
  }

  static double of(double left, double right, int opcode) {
    switch (opcode) {
      case IADD:
        return left + right;
      case ISUB:
        return left - right;
      case IMUL:
        return left * right;
      case IDIV:
        return left / right;
      default:
        return left % right;
    }
  }
}
