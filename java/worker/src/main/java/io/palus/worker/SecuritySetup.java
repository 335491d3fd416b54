package io.palus.worker;

import java.lang.reflect.Field;
import java.security.Security;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;

/** The properties and the policy of {@code java.security}, which no method gives as a whole. */
final class SecuritySetup {
  private static final Memory MEMORY = Memory.open();
  private static final Place PROPERTIES;
  private static final Place POLICY;

  /** What holds the policy, as long as nobody has set one. */
  private static final Object USUAL_POLICY;

  /** The place of the policy in it. */
  private static final long OF_POLICY;

  static {
    Security.getProperty("policy.provider"); // read from their file when they are first asked for
    PROPERTIES = Place.of("java.security.Security", "props");
    POLICY = Place.of("java.security.Policy", "policyInfo");
    long place = 0;
    try {
      Class<?> policy = Class.forName("java.security.Policy");
      Field held = Class.forName(policy.getName() + "$PolicyInfo").getDeclaredField("policy");
      place = MEMORY == null ? 0 : MEMORY.objectFieldOffset(held);
    } catch (ReflectiveOperationException | LinkageError e) { // as where policies are gone
      place = 0;
    }
    OF_POLICY = place;
    USUAL_POLICY = POLICY.read();
  }

  private SecuritySetup() {}

  static Map<Object, Object> properties() {
    Object all = PROPERTIES.read();
    return all instanceof Properties
        ? new HashMap<>((Properties) all)
        : Collections.<Object, Object>emptyMap();
  }

  static void setProperties(Map<Object, Object> kept) {
    Object all = PROPERTIES.read();
    if (all instanceof Properties) {
      ((Properties) all).clear();
      ((Properties) all).putAll(kept);
    }
  }

  /** What holds the policy; null where it is none but the JDK's own, made when first asked for. */
  static Object policy() {
    Object holder = POLICY.read();
    Object policy = holder == null || OF_POLICY == 0 ? null : MEMORY.getObject(holder, OF_POLICY);
    return policy == null || policy.getClass().getClassLoader() == null ? null : holder;
  }

  static void setPolicy(Object kept) {
    POLICY.write(kept == null ? USUAL_POLICY : kept);
  }
}
