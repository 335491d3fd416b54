package io.palus.worker;

/** Code that hangs, fills the heap, or leaves threads, timers and tasks behind. */
final class Fatal {
  static final String SOURCE =
      """
      package fatal;
      public class Fatal {
        /** Outlives a sequence: static fields are put back, this kind of thread-local does not let go. */
        static final ThreadLocal<java.util.List<Object>> ALL = new ThreadLocal<>() {
          @Override protected java.util.List<Object> initialValue() { return new java.util.ArrayList<>(); }
          @Override public void remove() { }
        };
        static void block() throws Exception { new java.util.concurrent.Phaser(2).awaitAdvance(0); }
        static void fill() { for (;;) { ALL.get().add(new long[1 << 20]); } }
        static void ask() { ALL.get().add(new long[Integer.MAX_VALUE - 8]); }
        static void hoard() { java.util.List<Object> own = new java.util.ArrayList<>(); for (;;) { own.add(new long[1 << 20]); } }
        static void much() { for (int i = 0; i < 5; i++) { byte[] piece = new byte[1 << 20]; } }
        static void tooMuch() { for (int i = 0; i < 40; i++) { byte[] piece = new byte[1 << 20]; } }
        static int fine() { return 1; }
        static void timer() {
          new java.util.Timer().schedule(
              new java.util.TimerTask() { @Override public void run() { } }, 100000);
        }
        static void shortTimer() {
          new java.util.Timer(true).schedule(
              new java.util.TimerTask() { @Override public void run() { } }, 200);
        }
        static int limit() {
          java.util.Timer timer = new java.util.Timer();
          timer.scheduleAtFixedRate(
              new java.util.TimerTask() { @Override public void run() { } }, 100000, 1000);
          timer.schedule(
              new java.util.TimerTask() { @Override public void run() { } }, 100000);
          timer.cancel();
          return 1;
        }
        static void idle() { new Own().toString(); }
        static void lies() {
          Shared.TIMER.schedule(
              new java.util.TimerTask() {
                @Override public void run() { }
                @Override public boolean cancel() { return false; }
              }, 100000);
        }
        static class Own extends java.util.Timer { @Override public String toString() { return "own"; } }
        static void ownTimer() {
          new Own().schedule(
              new java.util.TimerTask() { @Override public void run() { } }, 100000);
        }
        static void reflected() throws Exception {
          java.util.TimerTask task = new java.util.TimerTask() { @Override public void run() { } };
          java.util.Timer.class.getMethod("schedule", java.util.TimerTask.class, long.class)
              .invoke(new java.util.Timer(true), task, 1L);
        }
        static void schedule() {
          java.util.concurrent.Executors.newScheduledThreadPool(1)
              .schedule(() -> { }, 100, java.util.concurrent.TimeUnit.SECONDS);
        }
        static void startAndWait() throws Exception {
          Object monitor = new Object();
          new Thread(() -> { }).start();
          synchronized (monitor) { monitor.wait(3600000); }
        }
      }
      class Shared {
        static final java.util.Timer TIMER = new java.util.Timer(true);
        static java.util.TimerTask task() {
          return new java.util.TimerTask() { @Override public void run() { } };
        }
        static void later() { TIMER.schedule(task(), 100000); }
        static void soon() { TIMER.schedule(task(), 100); }
        static void takenBack() {
          java.util.TimerTask task = task();
          TIMER.schedule(task, 100000);
          task.cancel();
        }
        static void both() { new java.util.Timer(true).schedule(task(), 100000); later(); }
      }
      class Pool {
        static final java.util.concurrent.ScheduledExecutorService POOL =
            java.util.concurrent.Executors.newScheduledThreadPool(1);
        static { POOL.submit(() -> { }); }
        static void schedule() {
          POOL.schedule(() -> System.exit(3), 12, java.util.concurrent.TimeUnit.SECONDS);
        }
        static void submit() { POOL.submit(() -> System.exit(3)); }
        static void delay() {
          new java.util.concurrent.CompletableFuture<String>()
              .completeOnTimeout("x", 12, java.util.concurrent.TimeUnit.SECONDS);
        }
        static class Own extends java.util.concurrent.ThreadPoolExecutor {
          Own() {
            super(1, 1, 0, java.util.concurrent.TimeUnit.SECONDS,
                new java.util.concurrent.LinkedBlockingQueue<>());
          }
        }
        static final Own OWN = new Own();
        static { OWN.execute(() -> { }); }
        static void stage() {
          java.util.concurrent.CompletableFuture.runAsync(() -> System.exit(3), POOL);
        }
        static void complete() {
          new java.util.concurrent.CompletableFuture<String>().completeAsync(() -> "x", POOL);
        }
        static void own() { OWN.execute(() -> System.exit(3)); }
        static void service() {
          new java.util.concurrent.ExecutorCompletionService<String>(POOL).submit(() -> "x");
        }
        static void queue() {
          java.util.concurrent.ForkJoinPool.commonPool().execute(() -> System.exit(3));
        }
        static int direct() {
          int[] runs = new int[1];
          java.util.concurrent.Executor own = Runnable::run;
          own.execute(() -> runs[0]++);
          return runs[0];
        }
        static int split() { return java.util.stream.IntStream.range(0, 9).parallel().sum(); }
        static void unguarded() {
          java.util.function.Consumer<Thread> start = Thread::start;
          start.accept(new Thread(() -> { while (true) { } }));
        }
      }
      class Audit {
        static final java.util.concurrent.BlockingQueue<Integer> LOG =
            new java.util.concurrent.LinkedBlockingQueue<>();
        static {
          Thread writer = new Thread(Audit::write);
          writer.setDaemon(true);
          writer.start();
        }
        static void write() {
          try {
            while (true) { deleteIn(LOG.take()); }
          } catch (InterruptedException e) { }
        }
        static void deleteIn(int millis) {
          long end = System.nanoTime() + millis * 1000000L;
          while (System.nanoTime() < end) { }
          if (millis >= 0) { new java.io.File("data/cache.db").delete(); }
        }
        static void log() { LOG.add(20); }
        static void logNothing() { LOG.add(-1); }
        static void size() { LOG.size(); }
      }
      class Cache {
        static { new Thread(() -> Audit.deleteIn(50)).start(); }
        static int use() { return 1; }
      }
      class Armed {
        static { new java.util.Timer(true).schedule(Shared.task(), 200000); }
        static int use() { return 1; }
        static int plain() { return 2; }
      }
      class Scheduled {
        static {
          java.util.concurrent.ScheduledExecutorService pool =
              java.util.concurrent.Executors.newScheduledThreadPool(1);
          pool.schedule(() -> System.exit(3), 12, java.util.concurrent.TimeUnit.SECONDS);
        }
        static int use() { return 1; }
      }
      class Abroad {
        static { java.util.Locale.setDefault(new java.util.Locale("xx")); }
        static int use() { return 1; }
      }
      class User {
        static int armed() { return Armed.use(); }
        static int scheduled() { return Scheduled.use(); }
        static int abroad() { return Abroad.use(); }
        static int none() { return 0; }
      }
      class Endless {
        static { for (int i = 0; i >= 0; i = i + 1 & 0xff) { } }
      }
      """;

  private Fatal() {}
}
