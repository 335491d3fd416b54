package io.palus.worker;

import java.util.LinkedHashMap;
import java.util.Map;

/** Static fields by which all code of a JVM gets its sockets and what is behind its addresses. */
final class Factories {
  /** Name, class and field; all are null until somebody sets them, and most can be set but once. */
  private static final String[][] ALL = {
    {"the factory of handlers for addresses", "java.net.URL", "factory"},
    {"the factory of content handlers", "java.net.URLConnection", "factory"},
    {"the factory of sockets", "java.net.Socket", "factory"},
    {"the factory of server sockets", "java.net.ServerSocket", "factory"},
    {"the factory of datagram sockets", "java.net.DatagramSocket", "factory"},
    {"the factory of sockets for RMI", "java.rmi.server.RMISocketFactory", "factory"},
    {"the security manager", "java.lang.System", "security"},
  };

  private Factories() {}

  /** Their places by their names; without those that this JDK has not. */
  static Map<String, Globals.Place> places() {
    Map<String, Globals.Place> places = new LinkedHashMap<>();
    for (String[] one : ALL) {
      places.put(one[0], Globals.Place.of(one[1], one[2]));
    }
    return places;
  }
}
