package io.palus.worker.instrument;

import io.palus.worker.instrument.GuardRule.Kind;

/** The rules for what gives work to threads, now or later, and what waits for it. */
final class ThreadRules {
  private static final String TIMER = "java/util/Timer";
  private static final String OBJECT = "Ljava/lang/Object;";

  private ThreadRules() {}

  static void add() {
    threads();
    timers();
  }

  private static void threads() {
    GuardRules.before("java/lang/Thread", "ofVirtual ofPlatform", "startsThread");
    for (String starter : "Thread Thread$Builder".split(" ")) {
      GuardRules.put(
          "java/lang/" + starter, "start", GuardRule.of(Kind.STARTS, null, GuardRule.RECEIVER));
    }
    later("java/lang/Thread", "startVirtualThread");
    later("java/util/concurrent/StructuredTaskScope", "fork");
    String concurrent = "java/util/concurrent/";
    String run = "execute submit invoke invokeAll invokeAny schedule scheduleAtFixedRate";
    String runAll = run + " scheduleWithFixedDelay prestartAllCoreThreads prestartCoreThread";
    for (String executor :
        ("Executor ExecutorService AbstractExecutorService ThreadPoolExecutor ForkJoinPool"
                + " ScheduledExecutorService ScheduledThreadPoolExecutor CompletionService"
                + " ExecutorCompletionService")
            .split(" ")) {
      for (String name : runAll.split(" ")) {
        GuardRules.put(
            concurrent + executor, name, GuardRule.of(Kind.HANDS_OVER, name, GuardRule.RECEIVER));
      }
    }
    for (String task : "ForkJoinTask RecursiveTask RecursiveAction CountedCompleter".split(" ")) {
      GuardRules.before(concurrent + task, "fork invoke invokeAll", "startsThread");
    }
    futures(concurrent);
    GuardRules.before("java/util/Collection", "parallelStream", "startsThread");
    GuardRules.before("java/util/stream/BaseStream", "parallel", "startsThread");
    GuardRules.before(
        "java/util/Arrays", "parallelSort parallelSetAll parallelPrefix", "startsThread");
    GuardRules.before("java/lang/ref/Cleaner", "create", "startsThread");
    // What is registered runs whenever garbage is collected, in a thread of the JDK's.
    GuardRules.deny("java/lang/ref/Cleaner", "register");
    GuardRules.deny("sun/misc/Cleaner", "create");
    GuardRules.replace(
        "java/lang/Object", "wait()V", GuardRules.GUARD, "waitFor", "(Ljava/lang/Object;)V");
    GuardRules.replace(
        "java/lang/Object", "wait(J)V", GuardRules.GUARD, "waitFor", "(Ljava/lang/Object;J)V");
    GuardRules.replace("java/lang/Thread", "sleep(J)V", GuardRules.GUARD, "sleep", "(J)V");
    GuardRules.before("java/util/concurrent/locks/LockSupport", "park", "waits");
    GuardRules.before(concurrent + "CyclicBarrier", "await", "waits");
    GuardRules.before(concurrent + "Exchanger", "exchange", "waits");
    GuardRules.before(concurrent + "locks/Condition", "await awaitUninterruptibly", "waits");
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

  /** Stages that run later, in the pool that all share or where they are told to. */
  private static void futures(String concurrent) {
    String stages =
        "thenRun thenAccept thenApply thenCompose thenCombine thenAcceptBoth runAfterBoth"
            + " applyToEither acceptEither runAfterEither handle whenComplete exceptionally"
            + " exceptionallyCompose run supply complete";
    for (String owner : "CompletableFuture CompletionStage".split(" ")) {
      for (String stage : stages.split(" ")) {
        String name = stage + "Async";
        GuardRules.put(
            concurrent + owner, name, GuardRule.of(Kind.HANDS_OVER, name, GuardRule.LAST));
      }
    }
    // One thread of the JDK's does these for all, whoever asked first.
    later(concurrent + "CompletableFuture", "orTimeout completeOnTimeout delayedExecutor");
    later(concurrent + "SubmissionPublisher", "submit offer");
  }

  private static void timers() {
    GuardRules.put(TIMER, "<init>", GuardRule.before(GuardRules.TIMERS, "make"));
    GuardRules.put(TIMER, "schedule", GuardRule.before(GuardRules.TIMERS, "fires"));
    GuardRules.put(TIMER, "scheduleAtFixedRate", GuardRule.before(GuardRules.TIMERS, "fires"));
    GuardRules.replace(TIMER, "cancel()V", GuardRules.TIMERS, "cancel", "(Ljava/util/Timer;)V");
    String later = "(Ljava/util/TimerTask;J";
    String ours = "(Ljava/util/Timer;Ljava/util/TimerTask;J";
    GuardRules.replace(
        TIMER, "schedule" + later + ")V", GuardRules.TIMERS, "schedule", ours + ")V");
    for (String name : "schedule scheduleAtFixedRate".split(" ")) {
      GuardRules.replace(TIMER, name + later + "J)V", GuardRules.TIMERS, name, ours + "J)V");
    }
  }

  private static void later(String owner, String names) {
    for (String name : names.split(" ")) {
      GuardRules.put(owner, name, GuardRule.before(GuardRules.HAND_OVERS, "later"));
    }
  }

  private static void waits(String type, String members) {
    for (String member : members.split(" ")) {
      String name = member.substring(0, member.indexOf('('));
      GuardRule rule = GuardRule.of(Kind.WAIT, name, GuardRule.RECEIVER);
      GuardRules.put("java/util/concurrent/" + type, member, rule);
    }
  }
}
