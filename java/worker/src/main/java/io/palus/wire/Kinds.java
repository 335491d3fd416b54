package io.palus.wire;

/**
 * The kinds of things on the wire, by name; the number of each is its place, from 0.
 *
 * <p>{@code native/wire/src/kinds.rs} has the same; tests of both sides read {@code kinds.txt}
 * among the golden files.
 */
public final class Kinds {
  private Kinds() {}

  /** What is asked of a worker. */
  public enum Request {
    SETUP,
    DEFINE_METHODS,
    DEFINE_FIELDS,
    BEGIN,
    EXECUTE,
    READ_CLASSES,
    EXIT,
    WATCH,
    FORGET,
    MUTATE,
    TURN_ON,
    DEFINE_SITES,
    RECORD
  }

  /** What a worker answers; outcomes have kinds of their own where more is told of them. */
  public enum Response {
    READY,
    BEGUN,
    OUTCOMES,
    CLASS_FILES,
    FAILURE,
    NEAR_OUTCOMES,
    MUTANTS,
    MUTANT_OUTCOMES,
    RECORDED_OUTCOMES
  }

  /** How a method is called. */
  public enum Call {
    CONSTRUCTOR,
    STATIC,
    VIRTUAL,
    INTERFACE,
    INTERFACE_STATIC
  }

  /** A statement of a sequence. */
  public enum Statement {
    CONSTANT,
    CALL,
    NEW_ARRAY,
    GET_FIELD,
    SET_FIELD,
    STUB
  }

  /** A constant. */
  public enum Constant {
    NULL,
    BOOLEAN,
    BYTE,
    CHAR,
    SHORT,
    INT,
    LONG,
    FLOAT,
    DOUBLE,
    TEXT,
    ENUM_CONSTANT,
    CLASS_LITERAL
  }

  /** What a statement gave; the last one says that there are no more. */
  public enum Observation {
    NOTHING,
    NULL,
    PRIMITIVE,
    REFERENCE,
    ENUM_CONSTANT,
    OBJECT,
    LONG_TEXT,
    NO_MORE
  }

  /** What is told of what an object holds. */
  public enum Content {
    UNTOLD,
    TEXT,
    ELEMENTS
  }

  /** How a sequence ended. */
  public enum End {
    COMPLETED,
    THREW,
    OUT_OF_FUEL,
    TOO_DEEP,
    TIMED_OUT,
    DENIED,
    STARTED_THREAD,
    UNUSABLE,
    OUT_OF_MEMORY
  }

  /**
   * What a mutant changes: PIT's default mutators, then three of those that it calls experimental,
   * and one that it has off, here for calls whose result nobody looks at.
   */
  public enum Operator {
    CONDITIONALS_BOUNDARY,
    REMOVE_CONDITIONALS,
    MATH,
    INCREMENTS,
    INVERT_NEGS,
    VOID_METHOD_CALLS,
    EMPTY_RETURNS,
    FALSE_RETURNS,
    TRUE_RETURNS,
    NULL_RETURNS,
    PRIMITIVE_RETURNS,
    MEMBER_VARIABLE,
    NAKED_RECEIVER,
    ARGUMENT_PROPAGATION,
    NON_VOID_METHOD_CALLS,
    ENUM_CONSTANT,
    DATE_BOUNDARY
  }
}
