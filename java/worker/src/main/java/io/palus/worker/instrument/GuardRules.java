package io.palus.worker.instrument;

import io.palus.worker.instrument.GuardRule.Kind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The table of guarded methods of the JDK. A rule for {@code owner.name} holds for all overloads, a
 * rule for {@code owner.name(…)…} for one.
 */
public final class GuardRules {
  static final String GUARD = "io/palus/worker/runtime/Guard";
  static final String CHANGES = "io/palus/worker/runtime/Changes";
  static final String FIELDS = "io/palus/worker/runtime/Fields";
  static final String HAND_OVERS = "io/palus/worker/runtime/HandOvers";
  static final String LOG_HANDLERS = "io/palus/worker/runtime/LogHandlers";
  static final String LINKS = "io/palus/worker/runtime/Links";
  static final String MISSING = "io/palus/worker/runtime/MissingFiles";
  static final String REFLECTIONS = "io/palus/worker/runtime/Reflections";
  static final String REFERENTS = "io/palus/worker/runtime/Referents";
  static final String TIMERS = "io/palus/worker/runtime/Timers";
  private static final String OBJECT = "Ljava/lang/Object;";
  private static final Map<String, GuardRule> RULES = new HashMap<>();
  private static final Set<String> OWNERS = new HashSet<>();
  private static final Set<String> NAMES = new HashSet<>();

  /**
   * Calls that ask for what differs between machines and runs: {@code owner.name(types)}, without
   * the types where all overloads do, and where a call is known by its name alone.
   */
  private static final Set<String> ASKING = new HashSet<>(ChanceRules.ASKING);

  private static final Set<String> ASKING_NAMES = new HashSet<>(ChanceRules.ASKING);

  private static boolean isOnlyHarm;

  static {
    OutsideRules.add();
    reflection();
    FieldRules.add();
    FileRules.add();
    ThreadRules.add();
    threadLocals();
    references();
    ChanceRules.add();
    globals();
    RULES.forEach(
        (call, rule) -> {
          if (ChanceRules.asks(call, rule)) {
            ASKING.add(call.substring(0, call.indexOf(')') + 1));
            ASKING_NAMES.add(call.substring(0, call.indexOf('(')));
          }
        });
  }

  private GuardRules() {}

  /** From now on only what keeps the subject from doing harm is guarded. */
  public static void onlyHarm() {
    isOnlyHarm = true;
    RULES.values().removeIf(rule -> !rule.preventsHarm() && !rule.handsOver());
    FileRules.addTemporaryFiles();
    ChanceRules.addSeeds();
  }

  /** From now on the clock shows another date, and the file system and the JDK are others. */
  public static void elsewhere() {
    ChanceRules.addOtherDate();
    OtherMachineRules.add();
  }

  /** From now on nobody may ask for a value that is held back. */
  public static void denyHeldBack() {
    OtherMachineRules.addHeldBack();
  }

  /** Whether nothing else is guarded. */
  static boolean isOnlyHarm() {
    return isOnlyHarm;
  }

  /**
   * The rule for a call, or what denies the same of a class above or tells that it hands work over;
   * null if there is none.
   */
  static GuardRule find(String owner, String name, String descriptor) {
    GuardRule byName = byName(owner, name);
    if (byName != null) {
      return byName;
    }
    GuardRule rule = OWNERS.contains(owner) ? rule(owner, name, descriptor) : null;
    if (rule != null || name.equals("<init>") || !NAMES.contains(name)) {
      return rule;
    }
    for (String above : Ancestors.above(owner, name + descriptor)) {
      rule = OWNERS.contains(above) ? rule(above, name, descriptor) : null;
      if (rule != null && (rule.preventsHarm() || rule.handsOver())) {
        return rule;
      }
    }
    return null;
  }

  private static GuardRule rule(String owner, String name, String descriptor) {
    GuardRule rule = RULES.get(owner + '.' + name + descriptor);
    return rule != null ? rule : RULES.get(owner + '.' + name);
  }

  /**
   * What a call by reflection is denied for: by then it is too late to look at paths, or to answer
   * in the place of the clock.
   *
   * @param className binary name of the declaring class
   * @param method name of the method, with the types of its parameters as in a descriptor where
   *     they are known
   * @return null if it may be called
   */
  public static String whyDenied(String className, String method) {
    String type = className.replace('.', '/');
    String owner = type + '.';
    int types = method.indexOf('(');
    String name = types < 0 ? method : method.substring(0, types);
    GuardRule rule = RULES.get(owner + name);
    if (rule != null && rule.text != null) {
      return rule.text;
    }
    GuardRule byName = byName(type, name);
    if (byName != null) {
      return byName.text;
    }
    boolean isAsking =
        ASKING.contains(owner + name)
            || (types < 0 ? ASKING_NAMES : ASKING).contains(owner + method);
    return isAsking ? className.substring(className.lastIndexOf('.') + 1) + '.' + name : null;
  }

  /**
   * The guarded calls that reach out of the JVM or let other code do so, and those that ask for
   * what differs between machines and runs, as the engine's list has them.
   *
   * @return lines {@code reaches owner.name} and {@code asks owner.name}, in order
   */
  public static List<String> listed() {
    List<String> lines = new ArrayList<>();
    ChanceRules.ASKING.forEach(call -> lines.add("asks " + call));
    RULES.forEach(
        (call, rule) -> {
          if (rule.mayReachOut()) {
            lines.add("reaches " + call);
          } else if (ChanceRules.asks(call, rule)) {
            lines.add("asks " + call);
          }
        });
    lines.addAll(LoggingRules.listed());
    FileRules.ALSO_REACHING.forEach(call -> lines.add("reaches " + call));
    ConnectingCalls.all().forEach(call -> lines.add("reaches " + call));
    Collections.sort(lines);
    return lines;
  }

  /** Whether calls on this class may be guarded. */
  static boolean knows(String owner) {
    return OWNERS.contains(owner) || LoggingRules.knows(owner) || FieldRules.isUnsafe(owner);
  }

  /** The rule for what is known by more than a table. */
  private static GuardRule byName(String owner, String name) {
    return LoggingRules.denies(owner, name)
        ? GuardRule.of(Kind.DENY, owner.substring(owner.lastIndexOf('/') + 1) + '.' + name)
        : FieldRules.ofMemory(owner, name);
  }

  private static void reflection() {
    int itself = GuardRule.RECEIVER;
    for (String call : "reflect/Method.invoke reflect/Constructor.newInstance".split(" ")) {
      int dot = call.indexOf('.');
      GuardRule rule = GuardRule.of(Kind.REFLECTION, "", itself);
      put("java/lang/" + call.substring(0, dot), call.substring(dot + 1), rule);
    }
    put("java/lang/Class", "newInstance", GuardRule.of(Kind.REFLECTION, "", itself));
    String lookup = "java/lang/invoke/MethodHandles$Lookup";
    for (String name : "unreflect unreflectConstructor unreflectSpecial".split(" ")) {
      put(lookup, name, GuardRule.of(Kind.REFLECTION, "", 0));
    }
    for (String name : "findVirtual findStatic findConstructor findSpecial bind".split(" ")) {
      put(lookup, name, GuardRule.of(Kind.LOOKUP, "", 0, 1));
    }
    // What these lead to is a text, or made of texts.
    String described = "ConstantDesc DynamicConstantDesc MethodHandleDesc DirectMethodHandleDesc";
    for (String type : described.split(" ")) {
      deny("java/lang/constant/" + type, "resolveConstantDesc");
    }
    deny("java/lang/constant/DynamicCallSiteDesc", "resolveCallSiteDesc");
  }

  private static void threadLocals() {
    String ours = "io/palus/worker/runtime/ThreadLocals";
    String local = "Ljava/lang/ThreadLocal;";
    for (String owner : "ThreadLocal InheritableThreadLocal".split(" ")) {
      String type = "java/lang/" + owner;
      replace(type, "get()" + OBJECT, ours, "get", "(" + local + ")" + OBJECT);
      replace(type, "set(" + OBJECT + ")V", ours, "set", "(" + local + OBJECT + ")V");
      replace(type, "remove()V", ours, "remove", "(" + local + ")V");
    }
  }

  private static void references() {
    GuardRule holds = GuardRule.of(Kind.HOLDS, null, 0);
    put("java/lang/ref/WeakReference", "<init>", holds);
    put("java/lang/ref/PhantomReference", "<init>", holds);
    put("java/util/WeakHashMap", "put", holds);
  }

  /** What {@code Globals} compares and puts back. */
  private static void globals() {
    changes("java/lang/System", "setProperty setProperties clearProperty getProperties");
    changes("java/util/Locale", "setDefault");
    changes("java/util/TimeZone", "setDefault");
    changes("java/security/Security", "addProvider insertProviderAt removeProvider");
    for (String owner : "ProxySelector CookieHandler ResponseCache Authenticator".split(" ")) {
      changes("java/net/" + owner, "setDefault");
    }
    changes("java/net/HttpURLConnection", "setFollowRedirects");
    changes("java/sql/DriverManager", "registerDriver deregisterDriver");
    changes("java/util/logging/Logger", "setLevel setFilter removeHandler");
    changes("java/util/logging/Logger", "setUseParentHandlers");
    changes("java/util/logging/LogManager", "reset readConfiguration updateConfiguration");
    String handlers = "Handler StreamHandler ConsoleHandler MemoryHandler SocketHandler";
    for (String owner : handlers.split(" ")) {
      changes("java/util/logging/" + owner, "setLevel setFormatter setFilter setEncoding");
      changes("java/util/logging/" + owner, "setErrorManager");
    }
    for (String server : "MBeanServer MBeanServerConnection".split(" ")) {
      changes("javax/management/" + server, "registerMBean createMBean unregisterMBean");
    }
  }

  private static void changes(String owner, String names) {
    for (String name : names.split(" ")) {
      put(owner, name, GuardRule.before(CHANGES, "toSystem"));
    }
  }

  static void deny(String owner, String names) {
    String simple = owner.substring(owner.lastIndexOf('/') + 1);
    for (String name : names.split(" ")) {
      String text = name.equals("<init>") ? "new " + simple : simple + "." + name;
      put(owner, name, GuardRule.of(Kind.DENY, text));
    }
  }

  static void host(String owner, String names) {
    for (String name : names.split(" ")) {
      put(owner, name, GuardRule.of(Kind.HOST, "a look-up of a host", 0));
    }
  }

  static void paths(String owner, String names, int... indexes) {
    for (String name : names.split(" ")) {
      add(owner, name, Kind.PATH, indexes);
    }
  }

  static void add(String owner, String name, Kind kind, int... indexes) {
    String simple = owner.substring(owner.lastIndexOf('/') + 1);
    String text = name.equals("<init>") ? "new " + simple : simple + "." + name;
    put(owner, name, GuardRule.of(kind, text + " on a file that it did not make", indexes));
  }

  static void before(String owner, String names, String guard) {
    for (String name : names.split(" ")) {
      put(owner, name, GuardRule.before(GUARD, guard));
    }
  }

  static void replace(String owner, String member, String ours, String name, String descriptor) {
    put(owner, member, GuardRule.replace(ours, name, descriptor));
  }

  static void put(String owner, String member, GuardRule rule) {
    OWNERS.add(owner);
    int types = member.indexOf('(');
    NAMES.add(types < 0 ? member : member.substring(0, types));
    RULES.put(owner + '.' + member, rule);
  }
}
