package io.palus.worker.instrument;

import io.palus.worker.instrument.GuardRule.Kind;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The table of guarded methods of the JDK. A rule for {@code owner.name} holds for all overloads, a
 * rule for {@code owner.name(…)…} for one.
 */
public final class GuardRules {
  static final String GUARD = "io/palus/worker/runtime/Guard";
  static final String TIMERS = "io/palus/worker/runtime/Timers";
  private static final String TIMER = "java/util/Timer";
  private static final String FIXED = "io/palus/worker/runtime/Fixed";

  private static final String OBJECT = "Ljava/lang/Object;";

  private static final Map<String, GuardRule> RULES = new HashMap<>();
  private static final Set<String> OWNERS = new HashSet<>();

  static {
    denials();
    reflection();
    files();
    newFiles();
    threads();
    timers();
    threadLocals();
    chance();
  }

  private GuardRules() {}

  /** The rule for a call; null if there is none. */
  static GuardRule find(String owner, String name, String descriptor) {
    if (!OWNERS.contains(owner)) {
      return null;
    }
    GuardRule rule = RULES.get(owner + '.' + name + descriptor);
    return rule != null ? rule : RULES.get(owner + '.' + name);
  }

  /**
   * What a call by reflection is denied for: by then it is too late to look at paths.
   *
   * @param className binary name of the declaring class
   * @param method name of the method
   * @return null if it may be called
   */
  public static String whyDenied(String className, String method) {
    GuardRule rule = RULES.get(className.replace('.', '/') + '.' + method);
    return rule == null ? null : rule.text;
  }

  /** Whether calls on this class may be guarded. */
  static boolean knows(String owner) {
    return OWNERS.contains(owner);
  }

  private static void denials() {
    deny("java/lang/System", "exit load loadLibrary setSecurityManager setIn setOut setErr");
    deny("java/lang/System", "runFinalizersOnExit");
    deny("java/lang/Runtime", "exit halt exec load loadLibrary addShutdownHook removeShutdownHook");
    deny("java/lang/ProcessBuilder", "start startPipeline");
    deny("java/lang/ProcessHandle", "destroy destroyForcibly");
    deny("java/lang/Thread", "setDefaultUncaughtExceptionHandler stop suspend");
    for (String socket : "Socket ServerSocket DatagramSocket MulticastSocket".split(" ")) {
      deny("java/net/" + socket, "<init> connect bind setSocketFactory setSocketImplFactory");
    }
    deny("java/net/URL", "openConnection openStream getContent setURLStreamHandlerFactory");
    deny("java/net/URLConnection", "connect getInputStream getOutputStream getContent");
    deny("java/net/HttpURLConnection", "connect getInputStream getOutputStream getResponseCode");
    deny("java/net/http/HttpClient", "send sendAsync");
    deny("java/net/InetAddress", "isReachable");
    for (String channel : "Socket ServerSocket Datagram".split(" ")) {
      deny("java/nio/channels/" + channel + "Channel", "open connect bind");
    }
    deny("java/nio/channels/AsynchronousSocketChannel", "open");
    deny("java/nio/channels/AsynchronousServerSocketChannel", "open");
    deny("javax/net/SocketFactory", "createSocket");
    deny("javax/net/ssl/SSLSocketFactory", "createSocket");
    deny("java/util/prefs/Preferences", "userRoot systemRoot userNodeForPackage");
    deny("java/util/prefs/Preferences", "systemNodeForPackage importPreferences");
    deny("java/util/logging/FileHandler", "<init>");
    deny("java/awt/Desktop", "open edit print browse mail");
    deny("javax/swing/JOptionPane", "showMessageDialog showConfirmDialog showInputDialog");
  }

  private static void reflection() {
    int itself = GuardRule.RECEIVER;
    put("java/lang/reflect/Method", "invoke", GuardRule.of(Kind.REFLECTION, "", itself));
  }

  private static void files() {
    String file = "java/io/File";
    paths(file, "mkdir mkdirs createNewFile setLastModified", GuardRule.RECEIVER);
    String lock = "setReadOnly setWritable setReadable setExecutable";
    removals(file, "delete deleteOnExit " + lock, GuardRule.RECEIVER);
    removals(file, "renameTo", GuardRule.RECEIVER, 0);
    add(file, "createTempFile", Kind.TEMPORARY, 2);
    String nio = "java/nio/file/Files";
    paths(nio, "createFile createDirectory createDirectories createLink createSymbolicLink", 0);
    paths(nio, "setLastModifiedTime write writeString newOutputStream newBufferedWriter", 0);
    removals(nio, "delete deleteIfExists setAttribute setOwner setPosixFilePermissions", 0);
    removals(nio, "move", 0, 1);
    paths(nio, "copy", 1);
    add(nio, "newByteChannel", Kind.PATH_OPTIONS, 0, 1);
    add(nio, "createTempFile", Kind.TEMPORARY, 0);
    add(nio, "createTempDirectory", Kind.TEMPORARY, 0);
    deny("java/nio/file/spi/FileSystemProvider", "delete deleteIfExists move copy newOutputStream");
    deny("java/nio/file/spi/FileSystemProvider", "createDirectory newByteChannel newFileChannel");
    add("java/nio/channels/FileChannel", "open", Kind.PATH_OPTIONS, 0, 1);
    add("java/nio/channels/AsynchronousFileChannel", "open", Kind.PATH_OPTIONS, 0, 1);
  }

  private static void newFiles() {
    paths("java/io/FileOutputStream", "<init>", 0);
    paths("java/io/FileWriter", "<init>", 0);
    paths("java/io/PrintWriter", "<init>", 0);
    paths("java/io/PrintStream", "<init>", 0);
    paths("java/util/Formatter", "<init>", 0);
    add("java/io/RandomAccessFile", "<init>", Kind.PATH_MODE, 0);
    paths("javax/imageio/ImageIO", "write", 2);
  }

  private static void threads() {
    before("java/lang/Thread", "start startVirtualThread ofVirtual ofPlatform", "startsThread");
    before("java/lang/Thread$Builder", "start startVirtualThread", "startsThread");
    String concurrent = "java/util/concurrent/";
    String run = "execute submit invoke invokeAll invokeAny schedule scheduleAtFixedRate";
    String runAll = run + " scheduleWithFixedDelay prestartAllCoreThreads prestartCoreThread";
    for (String executor :
        ("Executor ExecutorService AbstractExecutorService ThreadPoolExecutor ForkJoinPool"
                + " ScheduledExecutorService ScheduledThreadPoolExecutor CompletionService"
                + " ExecutorCompletionService")
            .split(" ")) {
      before(concurrent + executor, runAll, "startsThread");
    }
    for (String task : "ForkJoinTask RecursiveTask RecursiveAction CountedCompleter".split(" ")) {
      before(concurrent + task, "fork invoke invokeAll", "startsThread");
    }
    String future = "runAsync supplyAsync thenRunAsync thenAcceptAsync thenApplyAsync";
    String more = " thenComposeAsync thenCombineAsync handleAsync whenCompleteAsync orTimeout";
    before(concurrent + "CompletableFuture", future + more, "startsThread");
    before("java/util/Collection", "parallelStream", "startsThread");
    before("java/util/stream/BaseStream", "parallel", "startsThread");
    before("java/util/Arrays", "parallelSort parallelSetAll parallelPrefix", "startsThread");
    before("java/lang/ref/Cleaner", "create", "startsThread");
    String object = "java/lang/Object";
    replace(object, "wait()V", GUARD, "waitFor", "(Ljava/lang/Object;)V");
    replace(object, "wait(J)V", GUARD, "waitFor", "(Ljava/lang/Object;J)V");
    replace("java/lang/Thread", "sleep(J)V", GUARD, "sleep", "(J)V");
    before("java/util/concurrent/locks/LockSupport", "park", "waits");
    before(concurrent + "CyclicBarrier", "await", "waits");
    before(concurrent + "Exchanger", "exchange", "waits");
    before(concurrent + "locks/Condition", "await awaitUninterruptibly", "waits");
    waits("CountDownLatch", "await()V");
    waits("Semaphore", "acquire()V acquireUninterruptibly()V");
    String element = "(Ljava/lang/Object;)V";
    for (String queue :
        ("BlockingQueue BlockingDeque LinkedBlockingQueue ArrayBlockingQueue LinkedBlockingDeque"
                + " SynchronousQueue PriorityBlockingQueue LinkedTransferQueue TransferQueue")
            .split(" ")) {
      waits(queue, "take()" + OBJECT + " put" + element + " transfer" + element);
      waits(queue, "takeFirst()" + OBJECT + " takeLast()" + OBJECT);
    }
    for (String later : "Future FutureTask CompletableFuture ForkJoinTask".split(" ")) {
      waits(later, "get()" + OBJECT + " join()" + OBJECT);
    }
  }

  private static void timers() {
    put(TIMER, "<init>", GuardRule.before(TIMERS, "make"));
    put(TIMER, "schedule", GuardRule.before(TIMERS, "fires"));
    put(TIMER, "scheduleAtFixedRate", GuardRule.before(TIMERS, "fires"));
    String later = "(Ljava/util/TimerTask;J";
    String ours = "(Ljava/util/Timer;Ljava/util/TimerTask;J";
    replace(TIMER, "schedule" + later + ")V", TIMERS, "schedule", ours + ")V");
    for (String name : "schedule scheduleAtFixedRate".split(" ")) {
      replace(TIMER, name + later + "J)V", TIMERS, name, ours + "J)V");
    }
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

  private static void chance() {
    replace("java/lang/System", "currentTimeMillis()J", FIXED, "currentTimeMillis", "()J");
    replace("java/lang/System", "nanoTime()J", FIXED, "nanoTime", "()J");
    String one = "(Ljava/lang/String;)Ljava/lang/String;";
    replace("java/lang/System", "getenv" + one, FIXED, "getenv", one);
    replace("java/lang/System", "getenv()Ljava/util/Map;", FIXED, "getenv", "()Ljava/util/Map;");
    replace("java/lang/Math", "random()D", FIXED, "random", "()D");
    replace("java/lang/StrictMath", "random()D", FIXED, "random", "()D");
    String uuid = "()Ljava/util/UUID;";
    replace("java/util/UUID", "randomUUID" + uuid, FIXED, "randomUUID", uuid);
    String file = "(Ljava/lang/String;Ljava/lang/String;)Ljava/io/File;";
    replace("java/io/File", "createTempFile" + file, FIXED, "createTempFile", file);
    argument("java/util/Date", "<init>()V", "currentTimeMillis", "()J");
    argument("java/util/Random", "<init>()V", "seed", "()J");
    argument("java/util/SplittableRandom", "<init>()V", "seed", "()J");
    String clocked = "Instant LocalDate LocalTime LocalDateTime ZonedDateTime OffsetDateTime";
    for (String type : (clocked + " OffsetTime Year YearMonth MonthDay").split(" ")) {
      String owner = "java/time/" + type;
      argument(owner, "now()L" + owner + ";", "clock", "()Ljava/time/Clock;");
    }
    String change = "setProperty setProperties clearProperty getProperties";
    before("java/lang/System", change, "changesSystem");
    before("java/util/Locale", "setDefault", "changesSystem");
    before("java/util/TimeZone", "setDefault", "changesSystem");
  }

  private static void deny(String owner, String names) {
    String simple = owner.substring(owner.lastIndexOf('/') + 1);
    for (String name : names.split(" ")) {
      String text = name.equals("<init>") ? "new " + simple : simple + "." + name;
      put(owner, name, GuardRule.of(Kind.DENY, text));
    }
  }

  private static void paths(String owner, String names, int... indexes) {
    for (String name : names.split(" ")) {
      add(owner, name, Kind.PATH, indexes);
    }
  }

  private static void removals(String owner, String names, int... indexes) {
    for (String name : names.split(" ")) {
      add(owner, name, Kind.REMOVAL, indexes);
    }
  }

  private static void add(String owner, String name, Kind kind, int... indexes) {
    String simple = owner.substring(owner.lastIndexOf('/') + 1);
    String text = name.equals("<init>") ? "new " + simple : simple + "." + name;
    put(owner, name, GuardRule.of(kind, text + " outside the work folder", indexes));
  }

  private static void waits(String type, String members) {
    for (String member : members.split(" ")) {
      String name = member.substring(0, member.indexOf('('));
      GuardRule rule = GuardRule.of(Kind.WAIT, name, GuardRule.RECEIVER);
      put("java/util/concurrent/" + type, member, rule);
    }
  }

  private static void before(String owner, String names, String guard) {
    for (String name : names.split(" ")) {
      put(owner, name, GuardRule.before(GUARD, guard));
    }
  }

  private static void replace(
      String owner, String member, String ours, String name, String descriptor) {
    put(owner, member, GuardRule.replace(ours, name, descriptor));
  }

  private static void argument(String owner, String member, String name, String descriptor) {
    put(owner, member, GuardRule.argument(FIXED, name, descriptor));
  }

  private static void put(String owner, String member, GuardRule rule) {
    OWNERS.add(owner);
    RULES.put(owner + '.' + member, rule);
  }
}
