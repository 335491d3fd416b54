package io.palus.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sequences that hang, dive, reach outside or start threads: each ends, and the worker goes on. */
class StopTest {
  private static final String WILD =
      """
      package wild;
      import java.io.*;
      import java.nio.file.*;
      import java.util.*;
      public class Wild {
        static int count;
        static int spin() { int i = 0; while (true) { i++; } }
        static int swallow() { while (true) { try { spin(); } catch (Throwable t) { count++; } } }
        static int dive(int n) { return n == 0 ? 0 : 1 + dive(n - 1); }
        static int diveQuietly() { try { return dive(100000); } catch (Throwable t) { return -1; } }
        static int unwind(int times) {
          int caught = 0;
          for (int i = 0; i < times; i++) {
            try { thrower(3); } catch (IllegalStateException e) { caught++; }
          }
          return caught;
        }
        static void thrower(int n) {
          if (n == 0) { throw new IllegalStateException(); }
          thrower(n - 1);
        }
        static int platformDive() { List<Object> a = new ArrayList<>(); a.add(a); return a.hashCode(); }
        static void exit() { System.exit(3); }
        static int exitQuietly() { try { System.exit(3); } catch (RuntimeException e) { } return 1; }
        static Object reflect() throws Exception {
          return System.class.getMethod("exit", int.class).invoke(null, 3);
        }
        private static int hidden() { return 5; }
        static Object reflectOwn() throws Exception {
          return Wild.class.getDeclaredMethod("hidden").invoke(null);
        }
        static long parallel() { return Arrays.asList(1, 2, 3).parallelStream().mapToInt(i -> i).sum(); }
        static void run() throws IOException { new ProcessBuilder("true").start(); }
        static boolean delete(String file) { return new File(file).delete(); }
        static class MyFile extends File {
          MyFile(String name) { super(name); }
          boolean gone() { return delete(); }
        }
        static boolean deleteMine(String file) { return new MyFile(file).gone(); }
        static void write(String file) throws IOException {
          try (FileOutputStream out = new FileOutputStream(file, true)) { out.write(1); }
        }
        static int read(String file) throws IOException {
          try (RandomAccessFile in = new RandomAccessFile(file, "r")) { return in.read(); }
        }
        static int channel(String file) throws IOException {
          try (java.nio.channels.SeekableByteChannel c =
              Files.newByteChannel(Paths.get(file), StandardOpenOption.READ)) {
            return (int) c.size();
          }
        }
        static void move(String from, String to) throws IOException {
          Files.move(Paths.get(from), Paths.get(to));
        }
        static void print(String file) throws IOException {
          PrintWriter writer = new PrintWriter(file); writer.print("x"); writer.close();
        }
        static int log() { new PrintWriter(new StringWriter()).print(1); System.out.println("!"); return 1; }
        static void connect() throws IOException { new java.net.Socket("127.0.0.1", 9).close(); }
        static void sleeper() throws Exception {
          Thread t = new Thread(() -> { try { Thread.sleep(100000); } catch (InterruptedException e) { } });
          t.start();
        }
        static void joined() throws Exception { Thread t = new Thread(() -> {}); t.start(); t.join(); }
        static class Spinner extends Thread { @Override public void run() { spin(); } }
        static void spinner() { new Spinner().start(); }
        static void pool() throws Exception {
          java.util.concurrent.Executors.newFixedThreadPool(1).submit(() -> count++).get();
        }
        static int unstarted() { new Thread(() -> {}); return 1; }
        static synchronized void forever() throws Exception { Wild.class.wait(); }
        static int queue() throws Exception {
          java.util.concurrent.BlockingQueue<Integer> q = new java.util.concurrent.ArrayBlockingQueue<>(1);
          q.put(4);
          return q.take();
        }
        static int emptyQueue() throws Exception {
          queue();
          return new java.util.concurrent.LinkedBlockingQueue<Integer>().take();
        }
        static void fullQueue() throws Exception {
          java.util.concurrent.BlockingQueue<Integer> q = new java.util.concurrent.ArrayBlockingQueue<>(1);
          q.put(4);
          q.put(5);
        }
        static void latch() throws Exception { new java.util.concurrent.CountDownLatch(1).await(); }
        static Object future() throws Exception { return new java.util.concurrent.FutureTask<>(() -> 1).get(); }
        static void sleep() throws Exception { Thread.sleep(1000000); }
        static long nap() throws Exception {
          long before = System.currentTimeMillis();
          Thread.sleep(600);
          return System.currentTimeMillis() - before;
        }
        static synchronized int deadline(int millis) throws Exception {
          int waits = 0;
          long end = System.currentTimeMillis() + millis;
          for (long left = millis; left > 0; left = end - System.currentTimeMillis()) {
            Wild.class.wait(left);
            waits++;
          }
          return waits;
        }
        static void naps() throws Exception { nap(); nap(); }
        static void unowned() throws Exception { Wild.class.wait(); }
        static long clock() { return System.currentTimeMillis() + System.nanoTime() + new Date().getTime(); }
        static String file() throws java.io.IOException {
          java.io.File file = java.io.File.createTempFile("abc", null);
          java.io.File other = java.io.File.createTempFile("abc", ".x");
          return file.getName() + file.length() + other.getName() + other.isFile();
        }
        static int chance() { return new Random().nextInt() + (int) (Math.random() * 1000); }
        static class Dice extends Random { }
        static int dice() { return new Dice().nextInt(); }
        static String id() { return UUID.randomUUID() + " " + System.getenv("PATH") + java.time.LocalDate.now(java.time.ZoneOffset.UTC); }
        static String change() {
          String old = System.getProperty("palus.test") + Locale.getDefault();
          System.setProperty("palus.test", "changed");
          Locale.setDefault(new Locale("xx"));
          return old;
        }
        static class Failing extends RuntimeException {
          @Override public String getMessage() { spin(); return "never"; }
        }
        static void fail() { throw new Failing(); }
        static Object monitor() {
          synchronized (Wild.class) { return spin(); }
        }
        static class Slow { static final int X; static { int n = 0; while (n < 1000000) { n++; } X = n; } }
        static int slow() { return Slow.X; }
        static Object endless() {
          return java.util.stream.Stream.generate(() -> 1).allMatch(i -> true);
        }
      }
      """;

  @TempDir static Path folder;
  private static WorkerProcess worker;

  @BeforeAll
  static void startWorker() throws IOException {
    Path classes = Sources.compile(folder, 8, "wild/Wild.java", WILD);
    worker = WorkerProcess.patient(folder, classes);
  }

  @AfterAll
  static void endWorker() {
    worker.close();
  }

  private static Consumer<SequenceBuilder> call(String name, String descriptor) {
    return s -> s.callStatic("wild/Wild", name, descriptor);
  }

  private static Consumer<SequenceBuilder> call(String name, String descriptor, String... texts) {
    return s -> {
      int[] slots = new int[texts.length];
      for (int i = 0; i < slots.length; i++) {
        slots[i] = s.text(texts[i]);
      }
      s.callStatic("wild/Wild", name, descriptor, slots);
    };
  }

  private static void ends(String end, Consumer<SequenceBuilder> sequence) throws IOException {
    assertEquals(end, worker.run(sequence).end());
  }

  @Test
  void an_endless_loop_runs_out_of_fuel() throws IOException {
    ends("out of fuel", call("spin", "()I"));
    ends("out of fuel", call("monitor", "()Ljava/lang/Object;"));
    ends("out of fuel", call("endless", "()Ljava/lang/Object;"));
  }

  @Test
  void catching_everything_does_not_save_a_loop() throws IOException {
    ends("out of fuel", call("swallow", "()I"));
  }

  @Test
  void deep_recursion_ends_at_the_same_depth_always() throws IOException {
    Consumer<SequenceBuilder> fits =
        s -> s.callStatic("wild/Wild", "dive", "(I)I", s.constant(499));
    Consumer<SequenceBuilder> tooMuch =
        s -> s.callStatic("wild/Wild", "dive", "(I)I", s.constant(500));
    for (int i = 0; i < 300; i++) {
      ends("completed", fits);
      ends("too deep", tooMuch);
    }
    ends("too deep", call("diveQuietly", "()I"));
  }

  @Test
  void recursion_inside_the_platform_is_too_deep_as_well() throws IOException {
    ends("too deep", call("platformDive", "()I"));
  }

  @Test
  void caught_exceptions_do_not_count_as_depth() throws IOException {
    Outcome outcome =
        worker.run(s -> s.callStatic("wild/Wild", "unwind", "(I)I", s.constant(5000)));
    assertEquals(List.of("int 5000", "int 5000"), outcome.observations());
  }

  @Test
  void leaving_the_jvm_is_denied_even_if_swallowed() throws IOException {
    ends("denied System.exit", call("exit", "()V"));
    ends("denied System.exit", call("exitQuietly", "()I"));
    ends(
        "denied System.exit", s -> s.callStatic("java/lang/System", "exit", "(I)V", s.constant(0)));
    ends("denied System.exit by reflection", call("reflect", "()Ljava/lang/Object;"));
    ends("completed", call("reflectOwn", "()Ljava/lang/Object;"));
    ends("denied ProcessBuilder.start", call("run", "()V"));
    ends("denied new Socket", call("connect", "()V"));
  }

  @Test
  void only_own_temporary_files_change() throws IOException {
    Path outside = Files.writeString(folder.resolve("outside"), "x");
    Path inside = Files.writeString(worker.workFile("inside").toPath(), "x");
    String text = "(Ljava/lang/String;)";
    ends(
        "denied File.delete on a file that it did not make",
        call("delete", text + "Z", outside + ""));
    ends(
        "denied File.delete on a file that it did not make",
        call("deleteMine", text + "Z", outside + ""));
    ends(
        "denied new FileOutputStream on a file that it did not make",
        call("write", text + "V", "../new"));
    ends(
        "denied new PrintWriter on a file that it did not make",
        call("print", text + "V", outside + ""));
    String two = "(Ljava/lang/String;Ljava/lang/String;)V";
    ends(
        "denied Files.move on a file that it did not make",
        call("move", two, inside.toString(), folder.resolve("moved").toString()));
    ends("completed", call("read", text + "I", outside + ""));
    ends("completed", call("channel", text + "I", outside + ""));
    ends(
        "denied new FileOutputStream on a file that it did not make",
        call("write", text + "V", "inside"));
    ends(
        "denied File.delete on a file that it did not make",
        call("delete", text + "Z", inside + ""));
    assertEquals("x", Files.readString(outside));
    ends("completed", call("log", "()I"));
    ends(
        "denied File.delete on a file that it did not make",
        s -> {
          int file = s.construct("java/io/File", "(Ljava/lang/String;)V", s.text(outside + ""));
          s.callVirtual("java/io/File", "delete", "()Z", file);
        });
  }

  @Test
  void started_threads_are_told_and_ended() throws IOException {
    ends("started thread", call("sleeper", "()V"));
    ends("started thread", call("joined", "()V"));
    ends("started thread", call("spinner", "()V"));
    ends("started thread", call("pool", "()V"));
    ends("completed", call("unstarted", "()I"));
    ends("completed", call("parallel", "()J"));
  }

  @Test
  void waiting_without_end_is_cut_at_once() throws IOException {
    ends("timed out", call("forever", "()V"));
    ends("timed out", call("sleep", "()V"));
    ends("completed", call("queue", "()I"));
    ends("timed out", call("emptyQueue", "()I"));
    ends("timed out", call("fullQueue", "()V"));
    ends("timed out", call("latch", "()V"));
    ends("timed out", call("future", "()Ljava/lang/Object;"));
    assertTrue(worker.run(call("unowned", "()V")).end().contains("IllegalMonitorStateException"));
  }

  @Test
  void the_clock_goes_on_by_what_is_waited_for() throws IOException {
    assertEquals(List.of("long 601"), worker.run(call("nap", "()J")).observations());
    Outcome deadline =
        worker.run(s -> s.callStatic("wild/Wild", "deadline", "(I)I", s.constant(900)));
    assertEquals("int 1", deadline.observations().get(1));
    ends("timed out", call("naps", "()V"));
  }

  @Test
  void clock_and_chance_are_the_same_in_each_sequence() throws IOException {
    for (String name :
        List.of(
            "clock()J",
            "chance()I",
            "dice()I",
            "id()Ljava/lang/String;",
            "file()Ljava/lang/String;")) {
      int split = name.indexOf('(');
      Consumer<SequenceBuilder> call = call(name.substring(0, split), name.substring(split));
      Outcome first = worker.run(call);
      assertEquals("completed", first.end());
      assertEquals(first.observations(), worker.run(call).observations());
    }
  }

  @Test
  void properties_and_locale_are_put_back() throws IOException {
    Consumer<SequenceBuilder> change = call("change", "()Ljava/lang/String;");
    assertEquals(worker.run(change).observations(), worker.run(change).observations());
    ends("denied to leave a change of the system property palus.test", change);
  }

  @Test
  void a_message_that_never_comes_is_none() throws IOException {
    ends("threw at 0 wild/Wild$Failing in wild/Wild.fail", call("fail", "()V"));
  }

  @Test
  void class_initialisers_burn_no_fuel() throws IOException {
    worker.begin();
    assertEquals(List.of("int 1000000"), worker.run(call("slow", "()I")).observations());
  }
}
