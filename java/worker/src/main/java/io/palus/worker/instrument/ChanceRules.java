package io.palus.worker.instrument;

import java.util.Arrays;
import java.util.List;

/**
 * The rules for methods of the JDK that answer otherwise on another day, machine or draw: clocks,
 * random numbers, variables and properties. Something stands in for them that repeats.
 */
final class ChanceRules {
  private static final String FIXED = "io/palus/worker/runtime/Fixed";
  private static final String UNSET = "io/palus/worker/runtime/Unset";
  private static final String OBJECT = "Ljava/lang/Object;";
  private static final String CLOCK = "Ljava/time/Clock;";
  private static final String ZONED = "(Ljava/time/ZoneId;)" + CLOCK;

  /** Calls that ask for such things too, and that nothing stands in for. */
  static final List<String> ASKING =
      Arrays.asList(
          ("java/lang/Runtime.freeMemory java/lang/Runtime.totalMemory java/lang/Runtime.maxMemory"
               + " java/util/concurrent/ThreadLocalRandom.current java/security/SecureRandom.<init>"
               + " java/net/InetAddress.getLocalHost java/util/Locale.getDefault"
               + " java/util/TimeZone.getDefault java/time/ZoneId.systemDefault"
               + " java/nio/charset/Charset.defaultCharset"
               + " java/lang/management/ManagementFactory.getRuntimeMXBean java/lang/Thread.getId"
               + " java/lang/Thread.getName java/lang/ProcessHandle.current"
               + " java/lang/System.getProperties java/lang/Runtime.version"
               + " java/util/Collections.shuffle java/time/InstantSource.system"
               + " java/awt/GraphicsEnvironment.isHeadless java/lang/ProcessBuilder.environment"
               + " java/lang/management/RuntimeMXBean.getSystemProperties"
               + " java/lang/management/ManagementFactory.getPlatformMXBean"
               + " java/lang/management/ManagementFactory.getOperatingSystemMXBean"
               + " java/security/Security.getProperty java/util/logging/LogManager.getProperty"
               + " java/util/logging/Logger.isLoggable java/net/ProxySelector.select"
               + " java/util/ResourceBundle.getBundle"
               + " java/util/concurrent/ForkJoinPool.getCommonPoolParallelism"
               + " java/lang/ClassLoader.getSystemResource java/lang/ClassLoader.getResource"
               + " java/lang/Class.getResource java/lang/Thread.activeCount"
               + " java/lang/ThreadGroup.activeCount java/lang/ThreadGroup.activeGroupCount"
               + " java/security/cert/X509Certificate.checkValidity()V"
               + " java/security/cert/CertPathValidator.validate"
               + " java/security/cert/CertPathBuilder.build java/security/KeyStore.getCreationDate"
               + " java/net/HttpCookie.hasExpired java/net/HttpCookie.getMaxAge"
               + " java/net/HttpCookie.parse java/util/random/RandomGenerator.of"
               + " java/util/random/RandomGenerator.getDefault java/util/logging/LogRecord.<init>"
               + " java/util/random/RandomGeneratorFactory.create"
                  // Of modules nothing is as it is where the user's tests are on the module path.
                  + " java/lang/Class.getModule java/util/ServiceLoader.load"
                  + " java/util/ServiceLoader.loadInstalled"
                  + " java/lang/module/ModuleDescriptor.toNameAndVersion"
                  + " java/lang/module/ModuleFinder.ofSystem"
                  + " java/util/random/RandomGeneratorFactory.getDefault"
                  + " javax/management/Notification.<init> javax/swing/SpinnerDateModel.<init>"
                  + " java/io/File.lastModified java/nio/file/Files.getLastModifiedTime"
                  + " java/util/zip/ZipEntry.getTime java/nio/file/Files.readAttributes"
                  + " java/nio/file/Files.getAttribute"
                  + " java/nio/file/attribute/BasicFileAttributeView.readAttributes"
                  + " java/util/zip/ZipEntry.getLastModifiedTime java/util/Date.getTimezoneOffset"
                  + " java/text/SimpleDateFormat.get2DigitYearStart java/text/DateFormat.parse"
                  + " java/text/Format.parseObject java/security/SecureRandom.getSeed"
                  + " java/nio/file/Files.getOwner java/io/File.getUsableSpace"
                  + " java/io/File.getFreeSpace java/io/File.getTotalSpace java/io/File.listRoots"
                  + " java/time/ZoneId.getAvailableZoneIds java/util/TimeZone.getAvailableIDs"
                  + " java/nio/charset/Charset.availableCharsets"
                  + " java/util/Locale.getAvailableLocales java/io/InputStreamReader.getEncoding"
                  + " java/io/OutputStreamWriter.getEncoding"
                  + " java/lang/Package.getImplementationVersion java/lang/ModuleLayer.boot"
                  + " java/lang/StackTraceElement.getModuleVersion"
                  + " java/security/KeyStore.getDefaultType"
                  + " java/lang/management/ThreadMXBean.getThreadCount"
                  + " java/util/concurrent/ForkJoinPool.getParallelism"
                  + " java/util/logging/Logger.getLevel java/net/InetAddress.getLoopbackAddress"
                  + " javax/crypto/KeyGenerator.getInstance"
                  + " java/security/KeyPairGenerator.getInstance"
                  + " java/security/SecureRandom.getInstance java/beans/Statement.execute"
                  + " java/beans/Expression.execute java/beans/Expression.getValue"
                  + " java/beans/EventHandler.create java/beans/XMLDecoder.readObject"
                  + " java/security/SecureRandom.getInstanceStrong java/lang/Thread.getStackTrace"
                  + " java/lang/Thread.getAllStackTraces java/lang/Throwable.getStackTrace"
                  + " java/lang/StackWalker.getInstance java/lang/SecurityManager.getClassContext"
                  + " java/lang/System$Logger.isLoggable java/util/logging/Handler.getLevel"
                  + " java/util/logging/Handler.isLoggable java/util/logging/LogManager.getLogger"
                  + " java/util/logging/LogManager.getLoggerNames java/lang/ProcessHandle.of"
                  + " java/nio/ByteOrder.nativeOrder java/nio/charset/Charset.isSupported"
                  + " java/security/Security.getProvider java/security/Security.getProviders"
                  + " java/security/Security.getAlgorithms java/lang/Thread.isDaemon"
                  + " java/lang/Thread.getPriority"
                  + " java/lang/Thread.getDefaultUncaughtExceptionHandler"
                  + " java/net/CookieHandler.getDefault java/net/ProxySelector.getDefault"
                  + " java/net/ResponseCache.getDefault javax/management/MBeanServer.getMBeanCount"
                  + " javax/management/MBeanServer.isRegistered"
                  + " javax/management/MBeanServer.queryNames"
                  + " javax/management/MBeanServer.queryMBeans java/net/Authenticator.getDefault"
                  + " java/sql/DriverManager.getDrivers java/sql/DriverManager.getDriver"
                  + " java/sql/DriverManager.drivers javax/net/ssl/SSLContext.getDefault"
                  + " java/util/Properties.store java/util/Properties.storeToXML"
                  + " java/util/zip/ZipOutputStream.putNextEntry"
                  + " javax/lang/model/SourceVersion.latest java/util/Locale.getISOCountries"
                  + " javax/lang/model/SourceVersion.latestSupported"
                  + " java/lang/module/ModuleDescriptor.rawVersion"
                  + " java/lang/module/ModuleDescriptor.version"
                  + " java/lang/management/ManagementFactory.getMemoryPoolMXBeans"
                  + " java/lang/management/ManagementFactory.getMemoryManagerMXBeans"
                  + " java/lang/management/ManagementFactory.getGarbageCollectorMXBeans"
                  + " java/lang/management/ManagementFactory.getMemoryMXBean"
                  + " java/lang/management/ManagementFactory.getCompilationMXBean"
                  + " java/lang/management/ManagementFactory.getClassLoadingMXBean"
                  + " java/lang/management/ManagementFactory.getPlatformMXBeans"
                  + " java/lang/Throwable.printStackTrace(Ljava/io/PrintStream;)V"
                  + " java/lang/Throwable.printStackTrace(Ljava/io/PrintWriter;)V")
              .split(" "));

  private static final String CLOCKED =
      "Instant LocalDate LocalTime LocalDateTime ZonedDateTime OffsetDateTime OffsetTime Year"
          + " YearMonth MonthDay";

  private ChanceRules() {}

  /** Whether a guarded call asks for what differs between machines and runs. */
  static boolean asks(String call, GuardRule rule) {
    return (FIXED.equals(rule.owner) || UNSET.equals(rule.owner)) && !asksNothing(call);
  }

  /** Any table's method, most of which are not the system's, and names that nobody decides by. */
  private static boolean asksNothing(String call) {
    return call.matches("java/(util/(Hashtable|Properties)|io/File|nio/file/Files)\\..*");
  }

  static void add() {
    GuardRules.replace(
        "java/lang/System", "currentTimeMillis()J", FIXED, "currentTimeMillis", "()J");
    GuardRules.replace("java/lang/System", "nanoTime()J", FIXED, "nanoTime", "()J");
    String one = "(Ljava/lang/String;)Ljava/lang/String;";
    GuardRules.replace("java/lang/System", "getenv" + one, UNSET, "getenv", one);
    GuardRules.replace(
        "java/lang/System", "getenv()Ljava/util/Map;", UNSET, "getenv", "()Ljava/util/Map;");
    String two = "(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;";
    GuardRules.replace("java/lang/System", "getProperty" + one, UNSET, "getProperty", one);
    GuardRules.replace("java/lang/System", "getProperty" + two, UNSET, "getProperty", two);
    properties();
    GuardRules.replace("java/lang/Math", "random()D", FIXED, "random", "()D");
    GuardRules.replace("java/lang/StrictMath", "random()D", FIXED, "random", "()D");
    String uuid = "()Ljava/util/UUID;";
    GuardRules.replace("java/util/UUID", "randomUUID" + uuid, FIXED, "randomUUID", uuid);
    String file = "(Ljava/lang/String;Ljava/lang/String;)Ljava/io/File;";
    GuardRules.replace("java/io/File", "createTempFile" + file, FIXED, "createTempFile", file);
    String nio = "java/nio/file/";
    String folder = "(Ljava/lang/String;[L" + nio + "attribute/FileAttribute;)L" + nio + "Path;";
    String make = "createTempDirectory";
    GuardRules.replace(nio + "Files", make + folder, FIXED, make, folder);
    GuardRules.replace(
        "java/lang/Runtime",
        "availableProcessors()I",
        FIXED,
        "availableProcessors",
        "(Ljava/lang/Runtime;)I");
    clocks();
    addSeeds();
    argument("java/util/Date", "<init>()V", "currentTimeMillis", "()J");
    argument("java/util/Random", "<init>()V", "seed", "()J");
    argument("java/util/SplittableRandom", "<init>()V", "seed", "()J");
    for (String type : CLOCKED.split(" ")) {
      now(FIXED, "java/time/" + type, "now", "java/time/" + type);
    }
  }

  static void addSeeds() {
    GuardRule rule = GuardRule.before("io/palus/worker/runtime/Seeds", "gather");
    GuardRules.put("java/security/SecureRandom", "getInstance", rule);
    GuardRules.put("java/security/SecureRandom", "getInstanceStrong", rule);
  }

  /** Of the subject's own calls; those of the JDK are shifted in its classes. */
  static void addOtherDate() {
    String ours = "io/palus/worker/runtime/OtherDate";
    for (String time : "currentTimeMillis nanoTime".split(" ")) {
      GuardRules.replace("java/lang/System", time + "()J", ours, time, "()J");
    }
    GuardRule now = GuardRule.argument(ours, "currentTimeMillis", "()J");
    GuardRules.put("java/util/Date", "<init>()V", now);
    for (String type : CLOCKED.split(" ")) {
      now(ours, "java/time/" + type, "now", "java/time/" + type);
    }
    systemClocks(ours);
    calendars(ours);
    ticks(ours);
    String locks = "java/util/concurrent/locks/";
    String until = "awaitUntil";
    String date = "Ljava/util/Date;)Z";
    String condition = "(L" + locks + "Condition;";
    GuardRules.replace(locks + "Condition", until + "(" + date, ours, until, condition + date);
    for (String blocker : new String[] {"", OBJECT}) {
      String type = "(" + blocker + "J)V";
      GuardRules.replace(locks + "LockSupport", "parkUntil" + type, ours, "parkUntil", type);
    }
  }

  private static void clocks() {
    systemClocks(FIXED);
    calendars(FIXED);
    ticks(FIXED);
  }

  /** Clocks that round, and dates of other calendars. */
  private static void ticks(String ours) {
    for (String tick : "tickMillis tickSeconds tickMinutes".split(" ")) {
      GuardRules.replace("java/time/Clock", tick + ZONED, ours, tick, ZONED);
    }
    for (String kind : "Japanese Minguo Hijrah ThaiBuddhist".split(" ")) {
      String date = "java/time/chrono/" + kind + "Date";
      now(ours, date, "now", date);
      now(ours, "java/time/chrono/" + kind + "Chronology", "dateNow", date);
    }
    now(ours, "java/time/chrono/IsoChronology", "dateNow", "java/time/LocalDate");
    now(ours, "java/time/chrono/Chronology", "dateNow", "java/time/chrono/ChronoLocalDate");
  }

  private static void calendars(String ours) {
    String zone = "Ljava/util/TimeZone;";
    String locale = "Ljava/util/Locale;";
    for (String given : new String[] {"", zone, locale, zone + locale}) {
      String type = "(" + given + ")Ljava/util/Calendar;";
      GuardRules.replace("java/util/Calendar", "getInstance" + type, ours, "calendar", type);
      GuardRules.put(
          "java/util/GregorianCalendar",
          "<init>(" + given + ")V",
          GuardRule.made(ours, "show", "(Ljava/util/Calendar;)V"));
    }
  }

  private static void systemClocks(String ours) {
    GuardRules.replace("java/time/Clock", "systemUTC()" + CLOCK, ours, "utc", "()" + CLOCK);
    GuardRules.replace(
        "java/time/Clock", "systemDefaultZone()" + CLOCK, ours, "clock", "()" + CLOCK);
    GuardRules.replace("java/time/Clock", "system" + ZONED, ours, "clock", ZONED);
  }

  /** What has an overload that takes a clock. */
  private static void now(String ours, String owner, String name, String made) {
    String type = "L" + made + ";";
    GuardRule plain = GuardRule.argument(ours, "clock", "()" + CLOCK);
    GuardRules.put(owner, name + "()" + type, plain);
    GuardRule zoned = GuardRule.argument(ours, "clock", ZONED);
    GuardRules.put(owner, name + "(Ljava/time/ZoneId;)" + type, zoned);
  }

  /** Other ways to ask for a system property. */
  private static void properties() {
    String text = "Ljava/lang/String;";
    GuardRules.replace(
        "java/lang/Boolean", "getBoolean(" + text + ")Z", UNSET, "getBoolean", "(" + text + ")Z");
    for (String number : "Integer I Long J".split("(?<=[IJ]) ")) {
      String type = "java/lang/" + number.substring(0, number.indexOf(' '));
      String get = "get" + type.substring(type.lastIndexOf('/') + 1);
      String boxed = "L" + type + ";";
      String plain = number.substring(number.indexOf(' ') + 1);
      for (String other : new String[] {"", plain, boxed}) {
        String descriptor = "(" + text + other + ")" + boxed;
        GuardRules.replace(type, get + descriptor, UNSET, get, descriptor);
      }
    }
    for (String table : "Properties Hashtable".split(" ")) {
      String owner = "java/util/" + table;
      String itself = "(Ljava/util/Hashtable;";
      String one = OBJECT + ")";
      GuardRules.replace(owner, "get(" + one + OBJECT, UNSET, "get", itself + one + OBJECT);
      GuardRules.replace(
          owner, "containsKey(" + one + "Z", UNSET, "containsKey", itself + one + "Z");
      String two = OBJECT + OBJECT + ")" + OBJECT;
      GuardRules.replace(owner, "getOrDefault(" + two, UNSET, "getOrDefault", itself + two);
    }
    String itself = "(Ljava/util/Properties;";
    for (String asked : new String[] {text + ")" + text, text + text + ")" + text}) {
      String owner = "java/util/Properties";
      GuardRules.replace(owner, "getProperty(" + asked, UNSET, "getProperty", itself + asked);
    }
  }

  private static void argument(String owner, String member, String name, String descriptor) {
    GuardRules.put(owner, member, GuardRule.argument(FIXED, name, descriptor));
  }
}
