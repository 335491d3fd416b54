package io.palus.maven;

import io.palus.host.Palus;

/**
 * A build in which Palus cannot work: the goals that are bound to it do nothing, and the user's own
 * tests run as without Palus.
 */
final class LeftAlone {
  /** The property by which these goals learn it from one another. */
  static final String PROPERTY = "palus.leftAlone";

  private LeftAlone() {}

  static void leave(PalusMojo mojo, String why) {
    Once.warn(mojo, Palus.leavesAlone(why));
    mojo.project().getProperties().setProperty(PROPERTY, "true");
  }

  /** Whether it is, also where nobody has said so yet. */
  static boolean is(PalusMojo mojo) {
    Palus.missing().ifPresent(why -> leave(mojo, why));
    return mojo.project().getProperties().containsKey(PROPERTY);
  }
}
