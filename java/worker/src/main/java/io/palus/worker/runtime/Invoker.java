package io.palus.worker.runtime;

/** Makes one call or field access; a subclass is generated for each method and field used. */
public abstract class Invoker {
  /** Called by generated subclasses. */
  protected Invoker() {}

  /**
   * Makes the call.
   *
   * @param slots values of the sequence so far
   * @param receiver slot of the receiver, if there is one
   * @param arguments slots of arguments, of many statements
   * @param from where this statement's arguments begin
   * @return the result, boxed; null for void
   * @throws Throwable whatever the subject throws
   */
  public abstract Object call(Object[] slots, int receiver, int[] arguments, int from)
      throws Throwable;
}
