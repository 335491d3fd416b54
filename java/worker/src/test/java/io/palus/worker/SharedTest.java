package io.palus.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Proxy;
import java.net.Authenticator;
import java.net.CacheRequest;
import java.net.CacheResponse;
import java.net.CookieHandler;
import java.net.CookieManager;
import java.net.HttpURLConnection;
import java.net.ProxySelector;
import java.net.ResponseCache;
import java.net.URI;
import java.net.URL;
import java.net.URLConnection;
import java.security.Provider;
import java.security.Security;
import java.sql.Driver;
import java.sql.DriverManager;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TimeZone;
import java.util.logging.FileHandler;
import java.util.logging.Level;
import java.util.logging.Logger;
import javax.management.ObjectName;
import javax.management.StandardMBean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Each thing that all code of a JVM shares is seen to change and put back. */
class SharedTest {
  /** Static fields read and written as {@link Shared#ADDRESSES} is, and what newer JDKs refuse. */
  private static final Set<Shared> LEFT_OUT =
      EnumSet.of(
          Shared.CONTENTS,
          Shared.SOCKETS,
          Shared.SERVER_SOCKETS,
          Shared.DATAGRAMS,
          Shared.RMI_SOCKETS,
          Shared.SECURITY_MANAGER,
          Shared.SECURITY_POLICY);

  /** Of an MBean; public, as the JDK wants it. */
  public interface Bean {}

  @TempDir private File folder;

  @Test
  void what_is_changed_is_named_and_put_back() throws Throwable {
    Map<Shared, Executable> changes = changes();
    assertEquals(EnumSet.complementOf(EnumSet.copyOf(LEFT_OUT)), changes.keySet());
    Globals before = Globals.now();
    for (Map.Entry<Shared, Executable> change : changes.entrySet()) {
      change.getValue().execute();
      String changed = before.changed();
      before.restore();
      assertEquals(change.getKey().text, changed, change.getKey().name());
      assertNull(before.changed(), change.getKey().name());
    }
  }

  private Map<Shared, Executable> changes() throws Exception {
    Map<Shared, Executable> changes = new EnumMap<>(Shared.class);
    PrintStream stream = new PrintStream(new ByteArrayOutputStream());
    changes.put(Shared.IN, () -> System.setIn(new ByteArrayInputStream(new byte[0])));
    changes.put(Shared.OUT, () -> System.setOut(stream));
    changes.put(Shared.ERR, () -> System.setErr(stream));
    Thread.UncaughtExceptionHandler handler = (thread, thrown) -> {};
    changes.put(Shared.UNCAUGHT, () -> Thread.setDefaultUncaughtExceptionHandler(handler));
    Thread thread = Thread.currentThread();
    changes.put(Shared.UNCAUGHT_OF_THREAD, () -> thread.setUncaughtExceptionHandler(handler));
    Locale locale = new Locale("sv", "FI");
    changes.put(Shared.LOCALE, () -> Locale.setDefault(locale));
    changes.put(
        Shared.LOCALE_FOR_DISPLAY, () -> Locale.setDefault(Locale.Category.DISPLAY, locale));
    changes.put(Shared.LOCALE_FOR_FORMAT, () -> Locale.setDefault(Locale.Category.FORMAT, locale));
    changes.put(Shared.TIME_ZONE, () -> TimeZone.setDefault(TimeZone.getTimeZone("Asia/Tokyo")));
    changes.put(Shared.PROXIES, () -> ProxySelector.setDefault(null));
    changes.put(Shared.COOKIES, () -> CookieHandler.setDefault(new CookieManager()));
    changes.put(Shared.RESPONSES, () -> ResponseCache.setDefault(new NoResponses()));
    changes.put(Shared.REDIRECTS, () -> HttpURLConnection.setFollowRedirects(false));
    changes.put(Shared.AUTHENTICATOR, () -> Authenticator.setDefault(new Authenticator() {}));
    Provider[] providers = Security.getProviders();
    String last = providers[providers.length - 1].getName();
    changes.put(Shared.PROVIDERS, () -> Security.removeProvider(last));
    changes.put(Shared.ADDRESSES, () -> URL.setURLStreamHandlerFactory(protocol -> null));
    changes.put(Shared.SECURITY_PROPERTIES, () -> Security.setProperty("palus.shared", "1"));
    changes.put(Shared.HOOKS, () -> Runtime.getRuntime().addShutdownHook(new Thread()));
    Class<?>[] types = {Driver.class};
    Driver driver =
        (Driver)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                types,
                (proxy, method, arguments) -> method.getName().equals("toString") ? "none" : 1);
    changes.put(Shared.DRIVERS, () -> DriverManager.registerDriver(driver));
    changes.put(Shared.DELETED_AT_EXIT, () -> new File(folder, "none").deleteOnExit());
    changes.put(
        Shared.CLOSED_AT_EXIT,
        () -> {
          FileHandler log = new FileHandler(folder + "/log");
          Logger.getLogger("").addHandler(log);
          log.close();
        });
    changes.put(Shared.LOGGING, () -> Logger.getLogger("").setLevel(Level.FINEST));
    ObjectName name = new ObjectName("palus:type=Shared");
    changes.put(
        Shared.BEANS,
        () ->
            ManagementFactory.getPlatformMBeanServer()
                .registerMBean(new StandardMBean(new Bean() {}, Bean.class), name));
    return changes;
  }

  private static final class NoResponses extends ResponseCache {
    @Override
    public CacheResponse get(URI uri, String method, Map<String, List<String>> headers) {
      return null;
    }

    @Override
    public CacheRequest put(URI uri, URLConnection connection) {
      return null;
    }
  }
}
