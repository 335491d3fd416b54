package io.palus.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ways out of the JVM other than files, and changes that nobody can put back: each is denied. */
class OutsideTest {
  private static final String OUTSIDE =
      """
      package outside;
      public class Outside {
        static class Window extends javax.swing.JFrame { }
        static class Engine extends javax.script.AbstractScriptEngine {
          public Object eval(String text, javax.script.ScriptContext context) { return null; }
          public Object eval(java.io.Reader text, javax.script.ScriptContext context) { return null; }
          public javax.script.Bindings createBindings() { return null; }
          public javax.script.ScriptEngineFactory getFactory() { return null; }
        }
        static void m0() throws Exception { Thread.currentThread().getThreadGroup().interrupt(); }
        static void m1() throws Exception { Thread.getAllStackTraces().keySet().forEach(Thread::interrupt); }
        static void m2() throws Exception { Thread.enumerate(new Thread[9]); }
        static void m3() throws Exception { System.inheritedChannel(); }
        static void m4() throws Exception { new java.io.FileInputStream(java.io.FileDescriptor.in).read(); }
        static void m5() throws Exception { new java.net.URL("file:data.txt").openStream().close(); }
        static void m6() throws Exception { new java.net.URL("jar:file:app.jar!/a").openConnection(); }
        static void m7() throws Exception { new java.net.URL("http://localhost/").openStream().close(); }
        static void m8() throws Exception { java.net.URL.setURLStreamHandlerFactory(null); }
        static void m9() throws Exception { ((java.net.http.HttpClient) null).send(null, null); }
        static void m10() throws Exception { java.nio.channels.spi.SelectorProvider.provider().openSocketChannel().close(); }
        static void m11() throws Exception { javax.management.remote.JMXConnectorFactory.connect(new javax.management.remote.JMXServiceURL("service:jmx:rmi://localhost")); }
        static void m12() throws Exception { java.rmi.server.RMISocketFactory.setSocketFactory(null); }
        static void m13() throws Exception { java.rmi.registry.LocateRegistry.createRegistry(0); }
        static void m14() throws Exception { ProcessHandle.current().parent().get().destroy(); }
        static void m15() throws Exception { System.load("/lib/none.so"); }
        static void m16() throws Exception { Runtime.getRuntime().addShutdownHook(new Thread()); }
        static void m17() throws Exception { Thread.setDefaultUncaughtExceptionHandler(null); }
        static void m18() throws Exception { java.util.prefs.Preferences.userRoot().put("a", "b"); }
        static void m19() throws Exception { new java.util.logging.FileHandler("palus.log").close(); }
        static void m20() throws Exception { java.awt.Desktop.getDesktop(); }
        static void m21() throws Exception { new java.awt.Robot().mouseMove(0, 0); }
        static void m22() throws Exception { new javax.swing.JFrame(); }
        static void m23() throws Exception { new Window(); }
        static void m24() throws Exception { java.awt.Toolkit.getDefaultToolkit().getSystemClipboard(); }
        static void m25() throws Exception { ((javax.swing.JFileChooser) null).showOpenDialog(null); }
        static void m26() throws Exception { java.awt.print.PrinterJob.getPrinterJob(); }
        static void m27() throws Exception { ((javax.script.ScriptEngine) new Engine()).eval("1"); }
        static void m28() throws Exception { java.util.spi.ToolProvider.findFirst("jar").get().run(System.out, System.err, "cf", "a.jar"); }
        static void m29() throws Exception { javax.tools.ToolProvider.getSystemJavaCompiler().run(null, null, null, "A.java"); }
        static void m30() throws Exception { java.lang.management.ManagementFactory.getPlatformMBeanServer().setAttribute(new javax.management.ObjectName("java.lang:type=Memory"), new javax.management.Attribute("Verbose", true)); }
        static void m31() throws Exception { java.lang.management.ManagementFactory.getMemoryMXBean().setVerbose(true); }
        static void m32() throws Exception { ClassLoader.getSystemClassLoader().setDefaultAssertionStatus(false); }
        static void m33() throws Exception { java.beans.PropertyEditorManager.registerEditor(String.class, null); }
        static void m34() throws Exception { javax.imageio.ImageIO.setUseCache(false); }
        static void m35() throws Exception { javax.swing.UIManager.put("a", "b"); }
        static void m36() throws Exception { java.net.URLConnection.setDefaultUseCaches("http", false); }
        static void m37() throws Exception { javax.imageio.spi.IIORegistry.getDefaultInstance().deregisterAll(); }
        static void m38() throws Exception { ((javax.imageio.spi.ServiceRegistry) javax.imageio.spi.IIORegistry.getDefaultInstance()).deregisterAll(Object.class); }
        static void m39() throws Exception { java.security.Security.getProvider("SUN").remove("MessageDigest.MD5"); }
        static void m40() throws Exception { ((java.util.function.Function<Object, Object>) java.security.Security.getProvider("SUN")::remove).apply("MessageDigest.MD5"); }
        static void m41() throws Exception { java.util.Objects.requireNonNull(java.security.Security.getProvider("SunJCE")).clear(); }
        static void m42() throws Exception { sun.misc.Signal.handle(new sun.misc.Signal("TERM"), sun.misc.SignalHandler.SIG_IGN); }
        static void m43() throws Exception { new javax.swing.Timer(12_000, null).start(); }
        static void m44() throws Exception { javax.swing.SwingUtilities.invokeLater(() -> System.exit(3)); }
        static void m45() throws Exception { java.awt.EventQueue.invokeLater(() -> System.exit(3)); }
        static void m46() throws Exception { java.beans.Beans.setDesignTime(true); }
        static void m47() throws Exception { java.util.logging.LogManager.getLogManager().addConfigurationListener(() -> { }); }
        static void m48() throws Exception { java.io.ObjectInputFilter.Config.setSerialFilter(null); }
        static void m49() throws Exception { new java.io.PrintStream(new java.io.FileOutputStream(java.io.FileDescriptor.out)).close(); }
        static void m50() throws Exception { ((javax.management.NotificationEmitter) java.lang.management.ManagementFactory.getGarbageCollectorMXBeans().get(0)).addNotificationListener((n, h) -> { }, null, null); }
        static void m51() throws Exception { java.lang.management.ManagementFactory.getPlatformMBeanServer().addNotificationListener(new javax.management.ObjectName("JMImplementation:type=MBeanServerDelegate"), (n, h) -> { }, null, null); }
        static class Mine extends java.util.logging.Level { Mine() { super("MINE", 901); } }
        static void m52() throws Exception { new Mine(); }
        static void m53() throws Exception { java.time.zone.ZoneRulesProvider.registerProvider(null); }
        static void m54() throws Exception { javax.management.MBeanServerFactory.createMBeanServer("mine"); }
        static void m55() throws Exception { javax.naming.spi.NamingManager.setInitialContextFactoryBuilder(null); }
        static void m56() throws Exception { javax.swing.UIManager.getDefaults().put("a", "b"); }
        static void m57() throws Exception { javax.security.auth.login.Configuration.setConfiguration(null); }
        static void m58() throws Exception { java.awt.KeyboardFocusManager.setCurrentKeyboardFocusManager(null); }
        static void m59() throws Exception { java.awt.KeyboardFocusManager.getCurrentKeyboardFocusManager().addKeyEventDispatcher(e -> true); }
        static void m60() throws Exception { ((java.awt.datatransfer.SystemFlavorMap) java.awt.datatransfer.SystemFlavorMap.getDefaultFlavorMap()).addUnencodedNativeForFlavor(java.awt.datatransfer.DataFlavor.stringFlavor, "a"); }
        static void m61() throws Exception { java.awt.Toolkit.getDefaultToolkit().addAWTEventListener(e -> { }, 1); }
        static void m62() throws Exception { javax.swing.ToolTipManager.sharedInstance().setEnabled(false); }
        static void m63() throws Exception { new javax.swing.text.html.HTMLEditorKit().getStyleSheet().addRule("p { color: red }"); }
        static void m64() throws Exception { jdk.jfr.FlightRecorder.addPeriodicEvent(null, null); }
        static void m65() throws Exception { javax.swing.text.StyleContext.getDefaultStyleContext().addStyle("x", null); }
        static void m66() throws Exception { javax.swing.RepaintManager.currentManager(null).setDoubleBufferingEnabled(false); }
        static void m67() throws Exception { javax.swing.text.JTextComponent.getKeymap("default").setDefaultAction(null); }
        static void m68() throws Exception { javax.net.ssl.SSLContext.getDefault().getClientSessionContext().setSessionCacheSize(1); }
        static void m69() throws Exception { java.lang.invoke.MethodHandles.lookup().defineHiddenClass(new byte[9], true); }
        static void m70() throws Exception { java.lang.invoke.MethodHandles.lookup().defineHiddenClassWithClassData(new byte[9], "a", true); }
        static void m72() throws Exception { new com.sun.security.auth.module.UnixSystem().getUsername(); }
        static void m73() throws Exception { java.nio.file.Files.getOwner(java.nio.file.Files.createTempFile("a", "b")).getName(); }
        static void m74() throws Exception { java.nio.file.Files.readAttributes(java.nio.file.Files.createTempFile("a", "b"), java.nio.file.attribute.PosixFileAttributes.class).owner(); }
        interface Hider { Object hide(java.lang.invoke.MethodHandles.Lookup to, byte[] code, boolean begins, java.lang.invoke.MethodHandles.Lookup.ClassOption... how) throws Exception; }
        static void m71() throws Exception { Hider hider = java.lang.invoke.MethodHandles.Lookup::defineHiddenClass; hider.hide(java.lang.invoke.MethodHandles.lookup(), new byte[9], true); }
        static void m75() throws Exception { java.net.HttpURLConnection.setFileNameMap(null); }
        static void m76() throws Exception { new java.net.URLClassLoader(new java.net.URL[0]).setDefaultAssertionStatus(true); }
        static void m77() throws Exception { javax.swing.JLabel.setDefaultLocale(null); }
        static com.sun.management.ThreadMXBean threads() { return (com.sun.management.ThreadMXBean) java.lang.management.ManagementFactory.getThreadMXBean(); }
        static void m78() throws Exception { threads().setThreadCpuTimeEnabled(false); }
        static void m79() throws Exception { threads().setThreadContentionMonitoringEnabled(true); }
        static void m80() throws Exception { threads().setThreadAllocatedMemoryEnabled(false); }
        static void m81() throws Exception { threads().resetPeakThreadCount(); }
        static void m82() throws Exception { javax.imageio.ImageIO.scanForPlugins(); }
        static void m83() throws Exception { java.util.logging.Logger.getGlobal().setParent(java.util.logging.Logger.getLogger("mine")); }
        static void m84() throws Exception { java.awt.Toolkit.getDefaultToolkit().removeAWTEventListener(null); }
        static void m85() throws Exception { javax.imageio.spi.IIORegistry.getDefaultInstance().registerApplicationClasspathSpis(); }
        static void m86() throws Exception { javax.management.MBeanServerFactory.releaseMBeanServer(java.lang.management.ManagementFactory.getPlatformMBeanServer()); }
        static void m87() throws Exception { java.security.Policy.getPolicy().refresh(); }
        static class Others extends Thread { static void list() { enumerate(new Thread[9]); } }
        static void m88() throws Exception { Others.list(); }
        static abstract class Page extends javax.net.ssl.HttpsURLConnection { Page() { super(null); } static void trust() { setDefaultHostnameVerifier((h, s) -> true); } }
        static void m89() throws Exception { Page.trust(); }
        static abstract class Zones extends java.time.zone.ZoneRulesProvider { static void put() { registerProvider(null); } }
        static void m90() throws Exception { Zones.put(); }
        interface Heap extends java.lang.management.MemoryMXBean { void setVerbose(boolean is); }
        static abstract class OwnHeap implements Heap { static void loud(OwnHeap heap) { heap.setVerbose(true); } }
        static void m91() throws Exception { javax.management.JMX.newMBeanProxy(null, null, Heap.class); }
        static void m92() throws Exception { OwnHeap.loud(null); }
        static void m93() throws Exception { ((java.lang.ref.Cleaner) null).register("a", () -> { }); }
        static abstract class Deeper extends Page { static void trust() { java.util.function.Consumer<javax.net.ssl.HostnameVerifier> to = Deeper::setDefaultHostnameVerifier; to.accept(null); } }
        static void m94() throws Exception { Deeper.trust(); }
        static void m95() throws Exception { java.lang.invoke.MethodHandles.lookup().findVirtual(Heap.class, "setVerbose", java.lang.invoke.MethodType.methodType(void.class, boolean.class)); }
        static void m96() throws Exception { java.nio.file.FileSystems.getDefault().newWatchService().close(); }
      }
      """;

  /** By number of the method. */
  private static final List<String> DENIED =
      List.of(
          "ThreadGroup.interrupt",
          "Thread.getAllStackTraces",
          "Thread.enumerate",
          "System.inheritedChannel",
          "new FileInputStream of a descriptor",
          "URL.openStream",
          "URL.openConnection",
          "URL.openStream",
          "URL.setURLStreamHandlerFactory",
          "HttpClient.send",
          "SelectorProvider.openSocketChannel",
          "JMXConnectorFactory.connect",
          "RMISocketFactory.setSocketFactory",
          "LocateRegistry.createRegistry",
          "ProcessHandle.destroy",
          "System.load",
          "Runtime.addShutdownHook",
          "Thread.setDefaultUncaughtExceptionHandler",
          "Preferences.userRoot",
          "new FileHandler",
          "Desktop.getDesktop",
          "new Robot",
          "new JFrame",
          "new JFrame",
          "Toolkit.getSystemClipboard",
          "JFileChooser.showOpenDialog",
          "PrinterJob.getPrinterJob",
          "ScriptEngine.eval",
          "ToolProvider.run",
          "JavaCompiler.run",
          "MBeanServer.setAttribute",
          "MemoryMXBean.setVerbose",
          "ClassLoader.setDefaultAssertionStatus",
          "PropertyEditorManager.registerEditor",
          "ImageIO.setUseCache",
          "UIManager.put",
          "URLConnection.setDefaultUseCaches",
          "IIORegistry.deregisterAll",
          "ServiceRegistry.deregisterAll",
          "Provider.remove",
          "Provider.remove",
          "Provider.clear",
          "Signal.handle",
          "Timer.start",
          "SwingUtilities.invokeLater",
          "EventQueue.invokeLater",
          "Beans.setDesignTime",
          "LogManager.addConfigurationListener",
          "ObjectInputFilter$Config.setSerialFilter",
          "new FileOutputStream of a descriptor",
          "NotificationEmitter.addNotificationListener",
          "MBeanServer.addNotificationListener",
          "new Level",
          "ZoneRulesProvider.registerProvider",
          "MBeanServerFactory.createMBeanServer",
          "NamingManager.setInitialContextFactoryBuilder",
          "UIManager.getDefaults",
          "Configuration.setConfiguration",
          "KeyboardFocusManager.setCurrentKeyboardFocusManager",
          "KeyboardFocusManager.addKeyEventDispatcher",
          "SystemFlavorMap.addUnencodedNativeForFlavor",
          "Toolkit.addAWTEventListener",
          "ToolTipManager.sharedInstance",
          "HTMLEditorKit.getStyleSheet",
          "FlightRecorder.addPeriodicEvent",
          "StyleContext.getDefaultStyleContext",
          "RepaintManager.currentManager",
          "JTextComponent.getKeymap",
          "SSLSessionContext.setSessionCacheSize",
          "MethodHandles$Lookup.defineHiddenClass",
          "MethodHandles$Lookup.defineHiddenClassWithClassData",
          "MethodHandles$Lookup.defineHiddenClass",
          "new UnixSystem",
          "Files.getOwner",
          "PosixFileAttributes.owner",
          "URLConnection.setFileNameMap",
          "ClassLoader.setDefaultAssertionStatus",
          "JComponent.setDefaultLocale",
          "ThreadMXBean.setThreadCpuTimeEnabled",
          "ThreadMXBean.setThreadContentionMonitoringEnabled",
          "ThreadMXBean.setThreadAllocatedMemoryEnabled",
          "ThreadMXBean.resetPeakThreadCount",
          "ImageIO.scanForPlugins",
          "Logger.setParent",
          "Toolkit.removeAWTEventListener",
          "IIORegistry.registerApplicationClasspathSpis",
          "MBeanServerFactory.releaseMBeanServer",
          "Policy.refresh",
          "Thread.enumerate",
          "HttpsURLConnection.setDefaultHostnameVerifier",
          "ZoneRulesProvider.registerProvider",
          "JMX.newMBeanProxy",
          "MemoryMXBean.setVerbose",
          "Cleaner.register",
          "HttpsURLConnection.setDefaultHostnameVerifier",
          "MemoryMXBean.setVerbose by a method handle",
          "FileSystem.newWatchService");

  @TempDir Path folder;

  @Test
  void no_way_out_is_open() throws IOException {
    Path classes = Sources.compile(folder, 17, "outside/Outside.java", OUTSIDE);
    try (WorkerProcess worker = WorkerProcess.patient(folder, classes)) {
      List<String> ends = new ArrayList<>();
      for (int i = 0; i < DENIED.size(); i++) {
        String name = "m" + i;
        ends.add(worker.run(s -> s.callStatic("outside/Outside", name, "()V")).end());
      }
      assertEquals(DENIED.stream().map(what -> "denied " + what).toList(), ends);
    }
  }
}
