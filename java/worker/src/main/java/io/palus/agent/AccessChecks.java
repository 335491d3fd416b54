package io.palus.agent;

/**
 * Whether a security manager is installed. It is code of the program, often of the very test: it
 * notes what it is asked, refuses, or calls traced code. So while there is one the agent does
 * nothing that asks it.
 */
final class AccessChecks {
  private AccessChecks() {}

  static boolean areMade() {
    return System.getSecurityManager() != null;
  }
}
