package io.palus.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What all code of a JVM shares is as it was after each sequence, or no test is made of it. */
class GlobalsTest {
  private static final String SHARED =
      """
      package shared;
      import java.util.*;
      import java.util.logging.*;
      public class Shared {
        static void property() { System.setProperty("palus.left", "x"); }
        static void cleared() { System.clearProperty("java.io.tmpdir"); }
        static void replaced() { System.setProperties(new Properties()); }
        static String restored() {
          String old = System.setProperty("palus.left", "x");
          String now = System.getProperty("palus.left");
          if (old == null) { System.clearProperty("palus.left"); } else { System.setProperty("palus.left", old); }
          return old + now;
        }
        static void locale() { Locale.setDefault(new Locale("xx")); }
        static void format() { Locale.setDefault(Locale.Category.FORMAT, new Locale("xx")); }
        static void zone() { TimeZone.setDefault(TimeZone.getTimeZone("Asia/Tokyo")); }
        static void level() { Logger.getLogger("palus.level").setLevel(Level.OFF); }
        static void handler() { Logger.getLogger("palus.handler").addHandler(new ConsoleHandler()); }
        static Handler root() { return Logger.getLogger("").getHandlers()[0]; }
        static void formatter() { root().setFormatter(new XMLFormatter()); }
        static void encoding() throws Exception { root().setEncoding("UTF-16"); }
        static void filter() { root().setFilter(record -> false); }
        static void errors() { root().setErrorManager(new ErrorManager()); }
        static void reset() { LogManager.getLogManager().reset(); }
        static void logger() { Logger.getLogger("palus.fresh").fine("x"); }
        static class Own extends java.security.Provider {
          Own() { super("Own", 1.0, ""); put("a", "b"); }
        }
        static String ownTable() {
          java.security.Provider own = new Own();
          own.put("c", "d");
          return own.get("a") + "" + own.remove("c");
        }
        static void provider() { java.security.Security.addProvider(new Own()); }
        static void noProvider() { java.security.Security.removeProvider("SUN"); }
        static void security() { java.security.Security.setProperty("palus", "x"); }
        static void cookies() { java.net.CookieHandler.setDefault(new java.net.CookieManager()); }
        static void proxies() { java.net.ProxySelector.setDefault(null); }
        static class Asked extends java.net.Authenticator { }
        static void authenticator() { java.net.Authenticator.setDefault(new Asked()); }
        static void redirects() { java.net.HttpURLConnection.setFollowRedirects(false); }
        static void interrupt() { Thread.currentThread().interrupt(); }
        static void loader() { Thread.currentThread().setContextClassLoader(null); }
        static void name() { Thread.currentThread().setName("mine"); }
        static void priority() { Thread.currentThread().setPriority(1); }
        public interface CountMBean { int getCount(); }
        public static class Count implements CountMBean { public int getCount() { return 1; } }
        static void bean() throws Exception {
          java.lang.management.ManagementFactory.getPlatformMBeanServer()
              .registerMBean(new Count(), new javax.management.ObjectName("palus:type=Count"));
        }
        static int ownBean() throws Exception {
          javax.management.MBeanServer server =
              java.lang.management.ManagementFactory.getPlatformMBeanServer();
          javax.management.ObjectName name = new javax.management.ObjectName("palus:type=Count");
          server.registerMBean(new Count(), name);
          int count = server.getMBeanCount() > 1 ? 1 : 0;
          server.unregisterMBean(name);
          return count;
        }
        static int input() throws Exception { return System.in.read(); }
        static int available() throws Exception { return System.in.available(); }
        static int marked() throws Exception { System.in.mark(1); return 1; }
        static long skipped() throws Exception { return System.in.skip(1); }
        static int resetInput() throws Exception { System.in.reset(); return 1; }
        // There from Java 9 on.
        static Object in(String name, Class<?>[] types, Object... given) throws Exception {
          return java.io.InputStream.class.getMethod(name, types).invoke(System.in, given);
        }
        static int all() throws Exception { in("readAllBytes", new Class[0]); return 1; }
        static int some() throws Exception {
          Class<?>[] types = {byte[].class, int.class, int.class};
          return (Integer) in("readNBytes", types, new byte[1], 0, 1);
        }
        static int copied() throws Exception {
          in("transferTo", new Class[] {java.io.OutputStream.class}, System.out);
          return 1;
        }
        static String line() { return new Scanner(System.in).hasNextLine() + ""; }
        static int fine() {
          return (System.getProperty("palus.left") == null ? 0 : 1)
              + (System.getProperty("java.io.tmpdir") != null ? 0 : 1)
              + (TimeZone.getDefault().getID().equals("Asia/Tokyo") ? 1 : 0)
              + (Locale.getDefault(Locale.Category.FORMAT).getLanguage().equals("xx") ? 1 : 0)
              + (Logger.getLogger("palus.level").getLevel() == null ? 0 : 1)
              + (root().getFormatter() instanceof XMLFormatter ? 1 : 0)
              + ("UTF-16".equals(root().getEncoding()) ? 1 : 0)
              + (root().getFilter() == null ? 0 : 1)
              + (java.security.Security.getProvider("Own") == null ? 0 : 1)
              + (java.security.Security.getProvider("SUN") != null ? 0 : 1)
              + (Thread.currentThread().isInterrupted() ? 1 : 0);
        }
        static boolean wantsProvider() {
          return Initialised.NAME != null && java.security.Security.getProvider("Init") != null;
        }
      }
      class Initialised {
        static final String NAME = String.valueOf("Init");
        static { java.security.Security.addProvider(new Init()); }
        static class Init extends java.security.Provider { Init() { super("Init", 1.0, ""); } }
      }
      """;

  @TempDir static Path folder;
  private static WorkerProcess worker;

  @BeforeAll
  static void startWorker() throws IOException {
    worker =
        WorkerProcess.patient(folder, Sources.compile(folder, 8, "shared/Shared.java", SHARED));
  }

  @AfterAll
  static void endWorker() {
    worker.close();
  }

  private static Outcome call(String name, String descriptor) throws IOException {
    return worker.run(s -> s.callStatic("shared/Shared", name, descriptor));
  }

  private static void leaves(String what, String name) throws IOException {
    assertEquals("denied to leave " + what, call(name, "()V").end(), name);
    assertEquals("int 0", call("fine", "()I").observations().get(0), "after " + name);
    // The same once more: the first time counts no less.
    assertEquals("denied to leave " + what, call(name, "()V").end(), name);
  }

  @Test
  void a_changed_system_property_is_put_back_and_denied() throws IOException {
    leaves("a change of the system property palus.left", "property");
    leaves("a change of the system property java.io.tmpdir", "cleared");
    assertEquals("denied", call("replaced", "()V").end().split(" ")[0]);
    assertEquals("int 0", call("fine", "()I").observations().get(0));
  }

  @Test
  void who_puts_it_back_itself_leaves_nothing() throws IOException {
    for (int i = 0; i < 3; i++) {
      Outcome outcome = call("restored", "()Ljava/lang/String;");
      assertEquals("completed", outcome.end());
      assertEquals("boxed text nullx", outcome.observations().get(0));
    }
  }

  @Test
  void a_changed_locale_or_zone_is_put_back_and_denied() throws IOException {
    leaves("a change of the default locale", "locale");
    leaves("a change of the default locale", "format");
    leaves("a change of the default time zone", "zone");
  }

  @Test
  void changed_logging_is_put_back_and_denied() throws IOException {
    leaves("a change of the logging", "level");
    leaves("a change of the logging", "handler");
    for (String ofHandler : "formatter encoding filter errors".split(" ")) {
      leaves("a change of the logging", ofHandler);
    }
    leaves("a change of the logging", "reset");
    assertEquals("completed", call("logger", "()V").end());
  }

  @Test
  void changed_security_is_put_back_and_denied() throws IOException {
    leaves("a change of the security providers", "provider");
    leaves("a change of the security providers", "noProvider");
    assertEquals("denied Security.setProperty", call("security", "()V").end());
    Outcome own = call("ownTable", "()Ljava/lang/String;");
    assertEquals("completed", own.end());
    assertEquals("boxed text bd", own.observations().get(0));
  }

  @Test
  void changed_defaults_of_the_network_are_put_back_and_denied() throws IOException {
    leaves("a change of the default cookies", "cookies");
    leaves("a change of the default proxies", "proxies");
    leaves("a change of the default authenticator", "authenticator");
    leaves("a change of whether redirects are followed", "redirects");
  }

  @Test
  void a_registered_bean_is_removed_and_denied() throws IOException {
    leaves("a change of the MBeans", "bean");
    assertEquals("completed", call("ownBean", "()I").end());
  }

  @Test
  void who_reads_what_the_build_tool_says_to_the_tests_is_denied() throws IOException {
    assertEquals("denied to leave System.in read", call("input", "()I").end());
    assertEquals("denied to leave System.in read", call("line", "()Ljava/lang/String;").end());
    for (String method :
        new String[] {"available", "marked", "resetInput", "all", "some", "copied"}) {
      assertEquals("denied to leave System.in read", call(method, "()I").end(), method);
    }
    assertEquals("denied to leave System.in read", call("skipped", "()J").end());
    assertEquals("int 0", call("fine", "()I").observations().get(0));
  }

  @Test
  void a_changed_thread_is_put_back_and_denied() throws IOException {
    leaves("its thread interrupted", "interrupt");
    leaves("another class loader for its thread", "loader");
    leaves("another priority for its thread", "priority");
    leaves("another name for its thread", "name");
  }

  @Test
  void what_a_class_initialiser_changes_stays_until_classes_are_loaded_anew() throws IOException {
    for (int i = 0; i < 2; i++) {
      worker.begin("shared.Shared", "shared.Initialised");
      assertEquals("boolean true", call("wantsProvider", "()Z").observations().get(0));
      Outcome again = call("wantsProvider", "()Z");
      assertEquals("completed", again.end());
      assertEquals("boolean true", again.observations().get(0));
    }
    worker.begin("shared.Shared");
    // Not before its first use.
    Outcome first = call("wantsProvider", "()Z");
    assertEquals("completed", first.end());
    assertEquals("boolean true", first.observations().get(0));
  }
}
