package io.palus.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What all code of a JVM shares is compared where no guard stands: the JDK's beans change it. */
class UnseenChangesTest {
  private static final String UNSEEN =
      """
      package unseen;
      import java.beans.Statement;
      import java.util.*;
      public class Unseen {
        static void call(Object on, String name, Object... arguments) throws Exception {
          new Statement(on, name, arguments).execute();
        }
        static void locale() throws Exception { call(Locale.class, "setDefault", new Locale("xx")); }
        static void zone() throws Exception {
          call(TimeZone.class, "setDefault", TimeZone.getTimeZone("Asia/Tokyo"));
        }
        static void property() throws Exception { call(System.class, "setProperty", "palus.left", "x"); }
        static void out() throws Exception {
          call(System.class, "setOut", new java.io.PrintStream(new java.io.ByteArrayOutputStream()));
        }
        static class Own extends java.security.Provider { Own() { super("Own", 1.0, ""); } }
        static void provider() throws Exception {
          call(java.security.Security.class, "addProvider", new Own());
        }
        static void security() throws Exception {
          call(java.security.Security.class, "setProperty", "palus.left", "x");
        }
        static class Rules extends java.security.Policy { }
        static void policy() throws Exception {
          call(java.security.Policy.class, "setPolicy", new Rules());
        }
        static class Asked extends java.net.Authenticator { }
        static void authenticator() throws Exception {
          call(java.net.Authenticator.class, "setDefault", new Asked());
        }
        static class Handlers implements java.net.URLStreamHandlerFactory {
          public java.net.URLStreamHandler createURLStreamHandler(String protocol) { return null; }
        }
        static void addresses() throws Exception {
          call(java.net.URL.class, "setURLStreamHandlerFactory", new Handlers());
        }
        static class Caught implements Thread.UncaughtExceptionHandler {
          public void uncaughtException(Thread thread, Throwable thrown) { }
        }
        static void handler() throws Exception {
          call(Thread.class, "setDefaultUncaughtExceptionHandler", new Caught());
        }
        static void ownHandler() { Thread.currentThread().setUncaughtExceptionHandler(new Caught()); }
        static void level() throws Exception {
          call(java.util.logging.Logger.getLogger("palus"), "setLevel", java.util.logging.Level.OFF);
        }
        static int putsBack() throws Exception {
          Locale old = Locale.getDefault();
          locale();
          int length = Locale.getDefault().getLanguage().length();
          call(Locale.class, "setDefault", old);
          return length;
        }
        static boolean uses() { return Registered.NAME != null; }
        static int fine() throws Exception {
          return (System.getProperty("palus.left") == null ? 0 : 1)
              + (TimeZone.getDefault().getID().equals("Asia/Tokyo") ? 1 : 0)
              + (Locale.getDefault().getLanguage().equals("xx") ? 1 : 0)
              + (java.util.logging.Logger.getLogger("palus").getLevel() == null ? 0 : 1)
              + (java.security.Security.getProvider("Own") == null ? 0 : 1)
              + (java.security.Security.getProperty("palus.left") == null ? 0 : 1)
              + (Thread.getDefaultUncaughtExceptionHandler() instanceof Caught ? 1 : 0)
              + (Thread.currentThread().getUncaughtExceptionHandler() instanceof Caught ? 1 : 0)
              + (System.out.getClass() == java.io.PrintStream.class ? 1 : 0);
        }
      }
      class Abroad {
        static {
          try {
            Unseen.locale();
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
        }
        static int two() { return 2; }
      }
      class Registered {
        static final String NAME = String.valueOf("Own");
        static {
          try {
            Unseen.provider();
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
        }
      }
      """;

  @TempDir static Path folder;
  private static WorkerProcess worker;

  @BeforeAll
  static void startWorker() throws IOException {
    worker =
        WorkerProcess.patient(folder, Sources.compile(folder, 8, "unseen/Unseen.java", UNSEEN));
  }

  @AfterAll
  static void endWorker() {
    worker.close();
  }

  @BeforeEach
  void begin() throws IOException {
    worker.begin("unseen.Unseen");
  }

  private static Outcome call(String name, String descriptor) throws IOException {
    return worker.run(s -> s.callStatic("unseen/Unseen", name, descriptor));
  }

  @Test
  void each_is_put_back_and_denied() throws IOException {
    String[][] changes = {
      {"locale", "the default locale"},
      {"zone", "the default time zone"},
      {"property", "the system property palus.left"},
      {"out", "System.out"},
      {"provider", "the security providers"},
      {"security", "the security properties"},
      {"policy", "the security policy"},
      {"authenticator", "the default authenticator"},
      {"addresses", "the factory of handlers for addresses"},
      {"handler", "the default handler of uncaught exceptions"},
      {"ownHandler", "the handler of uncaught exceptions of its thread"},
      {"level", "the logging"},
    };
    List<String> ends = new ArrayList<>();
    List<String> expected = new ArrayList<>();
    for (String[] change : changes) {
      for (int i = 0; i < 2; i++) { // nothing of it counted, so it is new the second time, too
        ends.add(change[0] + " " + call(change[0], "()V").end());
        expected.add(change[0] + " denied to leave a change of " + change[1]);
      }
    }
    assertEquals(String.join("\n", expected), String.join("\n", ends));
    assertEquals("int 0", call("fine", "()I").observations().get(0));
  }

  @Test
  void who_puts_it_back_itself_leaves_nothing() throws IOException {
    Outcome outcome = call("putsBack", "()I");
    assertEquals("completed", outcome.end());
    assertEquals("int 2", outcome.observations().get(0));
  }

  @Test
  void what_a_class_initialiser_registers_stays_until_classes_are_loaded_anew() throws IOException {
    for (int i = 0; i < 2; i++) {
      assertEquals("completed", call("uses", "()Z").end());
      assertEquals("int 1", call("fine", "()I").observations().get(0));
      worker.begin("unseen.Unseen");
      assertEquals("int 0", call("fine", "()I").observations().get(0));
    }
  }

  @Test
  void a_class_whose_initialiser_changes_something_for_all_is_barred_though_no_guard_saw_it()
      throws IOException {
    worker.begin("unseen.Abroad");
    assertEquals(
        "denied to leave a change of the default locale by a class initialiser",
        worker.run(s -> s.callStatic("unseen/Abroad", "two", "()I")).end());
    assertEquals("int 0", call("fine", "()I").observations().get(0));
  }
}
