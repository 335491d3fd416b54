package io.palus.agent;

/**
 * Implemented by subject classes that carry their objects' identity in a field; the agent adds it
 * at load time. Public only because subject classes must see it.
 */
public interface Traced {
  /**
   * The object's state, as {@link ObjectState} reads it; 0 before it was seen.
   *
   * @return the state
   */
  long $palus$state();

  /**
   * Sets the state.
   *
   * @param state as {@link ObjectState} makes it
   */
  void $palus$state(long state);

  /**
   * Adds one code per own and inherited field.
   *
   * @param profile where to
   */
  void $palus$profile(Profile profile);
}
