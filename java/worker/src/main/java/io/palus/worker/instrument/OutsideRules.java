package io.palus.worker.instrument;

/**
 * The rules for methods of the JDK that reach out of the JVM by other ways than files, or change
 * for all of its code what nobody can put back: processes, network, screen, code that has no
 * guards.
 */
final class OutsideRules {
  private OutsideRules() {}

  static void add() {
    jvm();
    network();
    screen();
    users();
    unguarded();
    settings();
    ScreenSettings.add();
  }

  private static void jvm() {
    GuardRules.deny(
        "java/lang/System", "exit load loadLibrary setSecurityManager setIn setOut setErr");
    GuardRules.deny("java/lang/System", "runFinalizersOnExit");
    GuardRules.deny(
        "java/lang/Runtime", "exit halt exec load loadLibrary addShutdownHook removeShutdownHook");
    GuardRules.deny("java/lang/ProcessBuilder", "start startPipeline");
    GuardRules.deny("java/lang/ProcessHandle", "destroy destroyForcibly");
    GuardRules.deny("java/lang/Thread", "setDefaultUncaughtExceptionHandler stop suspend");
    String listener = "addConfigurationListener removeConfigurationListener";
    GuardRules.deny("java/util/logging/LogManager", listener);
    GuardRules.deny("java/util/logging/Logger", "setParent setResourceBundle");
    atExit("Logger.addHandler");
    atExit("LogManager.addLogger");
    GuardRules.deny("java/io/ObjectInputFilter$Config", "setSerialFilter setSerialFilterFactory");
    GuardRules.deny("sun/misc/Signal", "handle raise");
    GuardRules.deny("java/util/prefs/Preferences", "userRoot systemRoot userNodeForPackage");
    GuardRules.deny("java/util/prefs/Preferences", "systemNodeForPackage importPreferences");
    GuardRules.deny("java/util/logging/FileHandler", "<init>");
    // Of the JVM's other threads, which belong to who runs the tests.
    GuardRules.deny("java/lang/ThreadGroup", "interrupt stop suspend resume destroy enumerate");
    GuardRules.deny("java/lang/ThreadGroup", "setMaxPriority setDaemon");
    GuardRules.deny("java/lang/Thread", "getAllStackTraces enumerate");
    // The standard input of a test JVM is how a build tool talks to it.
    GuardRules.deny("java/lang/System", "inheritedChannel console");
    GuardRule input = GuardRule.of(GuardRule.Kind.DENY, "new FileInputStream of a descriptor");
    GuardRules.put("java/io/FileInputStream", "<init>(Ljava/io/FileDescriptor;)V", input);
    GuardRules.put("java/io/FileReader", "<init>(Ljava/io/FileDescriptor;)V", input);
    // So is its standard output, and whoever closes it ends that talk.
    GuardRule output = GuardRule.of(GuardRule.Kind.DENY, "new FileOutputStream of a descriptor");
    GuardRules.put("java/io/FileOutputStream", "<init>(Ljava/io/FileDescriptor;)V", output);
    GuardRules.put("java/io/FileWriter", "<init>(Ljava/io/FileDescriptor;)V", output);
  }

  private static void atExit(String call) {
    int dot = call.indexOf('.');
    String text = call + " of what may do anything at exit";
    GuardRule rule = GuardRule.of(GuardRule.Kind.AT_EXIT, text, 0);
    GuardRules.put("java/util/logging/" + call.substring(0, dot), call.substring(dot + 1), rule);
  }

  private static void network() {
    for (String socket : "Socket ServerSocket DatagramSocket MulticastSocket".split(" ")) {
      GuardRules.deny(
          "java/net/" + socket, "<init> connect bind setSocketFactory setSocketImplFactory");
    }
    GuardRules.deny("java/net/DatagramSocket", "setDatagramSocketImplFactory");
    GuardRules.deny(
        "java/net/URL", "openConnection openStream getContent setURLStreamHandlerFactory");
    GuardRules.deny("java/net/URLConnection", "connect getInputStream getOutputStream getContent");
    GuardRules.deny(
        "java/net/HttpURLConnection", "connect getInputStream getOutputStream getResponseCode");
    GuardRules.deny("java/net/http/HttpClient", "send sendAsync");
    GuardRules.deny("java/net/InetAddress", "isReachable getLocalHost");
    GuardRules.host("java/net/InetAddress", "getByName getAllByName");
    GuardRules.host("java/net/InetSocketAddress", "<init>");
    GuardRules.deny("java/net/http/WebSocket$Builder", "buildAsync");
    GuardRules.deny("com/sun/net/httpserver/HttpServer", "create start");
    GuardRules.deny("com/sun/net/httpserver/HttpsServer", "create start");
    GuardRules.deny("com/sun/net/httpserver/SimpleFileServer", "createFileServer");
    GuardRules.deny("java/rmi/registry/LocateRegistry", "createRegistry getRegistry");
    GuardRules.deny("java/rmi/Naming", "bind lookup list rebind unbind");
    GuardRules.deny("java/rmi/server/UnicastRemoteObject", "exportObject <init>");
    GuardRules.deny("javax/net/ServerSocketFactory", "createServerSocket");
    GuardRules.deny("javax/net/ssl/SSLServerSocketFactory", "createServerSocket");
    for (String channel : "Socket ServerSocket Datagram".split(" ")) {
      GuardRules.deny("java/nio/channels/" + channel + "Channel", "open connect bind");
    }
    for (String channel : "SctpChannel SctpMultiChannel SctpServerChannel".split(" ")) {
      GuardRules.deny("com/sun/nio/sctp/" + channel, "open");
    }
    GuardRules.deny("java/nio/channels/AsynchronousSocketChannel", "open");
    GuardRules.deny("java/nio/channels/AsynchronousServerSocketChannel", "open");
    GuardRules.deny("javax/net/SocketFactory", "createSocket");
    GuardRules.deny("javax/net/ssl/SSLSocketFactory", "createSocket");
    GuardRules.deny("java/nio/channels/spi/SelectorProvider", "inheritedChannel openSocketChannel");
    GuardRules.deny(
        "java/nio/channels/spi/SelectorProvider", "openServerSocketChannel openDatagramChannel");
    String remote = "javax/management/remote/JMXConnector";
    GuardRules.deny(remote + "Factory", "connect");
    GuardRules.deny(remote, "connect");
    GuardRules.deny(remote + "Server", "start");
    GuardRules.deny(remote + "ServerMBean", "start");
    GuardRules.deny("java/rmi/server/RMISocketFactory", "createSocket createServerSocket");
    GuardRules.deny("java/rmi/server/RMISocketFactory", "setSocketFactory setFailureHandler");
  }

  /** Where there is no screen these throw, and where the written test runs there may be one. */
  private static void screen() {
    GuardRules.deny("java/awt/Desktop", "open edit print browse mail moveToTrash");
    GuardRules.deny(
        "javax/swing/JOptionPane", "showMessageDialog showConfirmDialog showInputDialog");
    GuardRules.deny("java/awt/Desktop", "getDesktop browseFileDirectory openHelpViewer");
    for (String window : "Window Frame Dialog FileDialog Robot".split(" ")) {
      GuardRules.deny("java/awt/" + window, "<init>");
    }
    for (String window : "JFrame JDialog JWindow".split(" ")) {
      GuardRules.deny("javax/swing/" + window, "<init>");
    }
    GuardRules.deny("javax/swing/JOptionPane", "showOptionDialog showInternalMessageDialog");
    GuardRules.deny("javax/swing/JFileChooser", "showOpenDialog showSaveDialog showDialog");
    GuardRules.deny("javax/swing/JColorChooser", "showDialog");
    GuardRules.deny("java/awt/Toolkit", "getSystemClipboard getSystemSelection beep getPrintJob");
    GuardRules.deny("java/awt/Toolkit", "setLockingKeyState");
    GuardRules.deny("java/awt/SystemTray", "getSystemTray add");
    // The threads of their queues outlive a test.
    GuardRules.deny("javax/swing/Timer", "start restart");
    GuardRules.deny("javax/swing/SwingUtilities", "invokeLater invokeAndWait");
    GuardRules.deny("java/awt/EventQueue", "invokeLater invokeAndWait");
    GuardRules.deny("java/awt/print/PrinterJob", "getPrinterJob lookupPrintServices");
    GuardRules.deny("javax/print/PrintServiceLookup", "lookupPrintServices");
    GuardRules.deny("javax/print/PrintServiceLookup", "lookupDefaultPrintService");
  }

  /** Who runs this JVM has another name elsewhere. */
  private static void users() {
    String files = "java/nio/file/";
    GuardRules.deny(files + "Files", "getOwner");
    GuardRules.deny(files + "attribute/FileOwnerAttributeView", "getOwner");
    GuardRules.deny(files + "attribute/PosixFileAttributes", "owner group");
    GuardRules.deny(files + "FileSystem", "getUserPrincipalLookupService");
    GuardRules.deny("com/sun/security/auth/module/UnixSystem", "<init>");
    GuardRules.deny("com/sun/security/auth/module/NTSystem", "<init>");
  }

  /** Code that they make or call has no guards. */
  private static void unguarded() {
    GuardRules.deny("javax/script/ScriptEngine", "eval");
    GuardRules.deny("javax/script/AbstractScriptEngine", "eval");
    GuardRules.deny("javax/script/CompiledScript", "eval");
    GuardRules.deny("javax/script/Invocable", "invokeFunction invokeMethod getInterface");
    GuardRules.deny("java/lang/foreign/Linker", "nativeLinker");
    GuardRules.deny("java/lang/foreign/SymbolLookup", "libraryLookup loaderLookup");
    GuardRules.deny("java/lang/foreign/MemorySegment", "reinterpret");
    GuardRules.deny("java/lang/ModuleLayer$Controller", "enableNativeAccess");
    // No agent sees these classes.
    String lookup = "java/lang/invoke/MethodHandles$Lookup";
    GuardRules.deny(lookup, "defineHiddenClass defineHiddenClassWithClassData");
    GuardRules.deny("sun/misc/Unsafe", "defineAnonymousClass");
    GuardRules.deny("java/util/spi/ToolProvider", "run");
    GuardRules.deny("javax/tools/Tool", "run");
    GuardRules.deny("javax/tools/JavaCompiler", "run");
    GuardRules.deny("javax/tools/DocumentationTool", "run");
    for (String server : "MBeanServer MBeanServerConnection".split(" ")) {
      GuardRules.deny("javax/management/" + server, "invoke setAttribute setAttributes");
    }
    // What they give calls a bean by an interface of anybody's.
    GuardRules.deny("javax/management/JMX", "newMBeanProxy newMXBeanProxy");
    GuardRules.deny("javax/management/MBeanServerInvocationHandler", "<init> newProxyInstance");
    String management = "java/lang/management/ManagementFactory";
    GuardRules.deny(management, "newPlatformMXBeanProxy");
    // The JVM's own beans call what listens whenever they like, as after a collection.
    for (String bean :
        "NotificationBroadcaster NotificationEmitter MBeanServer MBeanServerConnection"
            .split(" ")) {
      GuardRules.deny("javax/management/" + bean, "addNotificationListener");
    }
  }

  /** They hold for all code of the JVM, and nobody can tell what they were before. */
  private static void settings() {
    GuardRules.deny("java/security/Security", "setProperty");
    GuardRules.deny("java/security/Policy", "setPolicy refresh");
    GuardRules.deny("javax/security/auth/Policy", "setPolicy refresh");
    GuardRules.deny("javax/security/auth/login/Configuration", "setConfiguration refresh");
    GuardRules.deny("java/security/IdentityScope", "setSystemScope");
    GuardRules.deny("java/rmi/server/LogStream", "setDefaultStream");
    GuardRules.deny("java/rmi/server/RemoteServer", "setLog");
    String providers = "registerProvider unregisterProvider setJNDIContext setLogger";
    GuardRules.deny("javax/sql/rowset/spi/SyncFactory", providers);
    GuardRules.deny("javax/print/PrintServiceLookup", "registerService registerServiceProvider");
    GuardRules.deny("jdk/jfr/FlightRecorder", "getFlightRecorder register unregister addListener");
    GuardRules.deny("jdk/jfr/FlightRecorder", "removeListener addPeriodicEvent");
    GuardRules.deny("jdk/jfr/FlightRecorder", "removePeriodicEvent");
    GuardRules.deny("jdk/jfr/Recording", "<init> start scheduleStart");
    GuardRules.deny("java/util/logging/Level", "<init>"); // its number and name are known for good
    GuardRules.deny("java/time/zone/ZoneRulesProvider", "registerProvider refresh");
    GuardRules.deny("javax/management/MBeanServerFactory", "createMBeanServer releaseMBeanServer");
    String naming = "setInitialContextFactoryBuilder setObjectFactoryBuilder";
    GuardRules.deny("javax/naming/spi/NamingManager", naming);
    GuardRules.deny("javax/net/ssl/SSLContext", "setDefault");
    GuardRules.deny("javax/net/ssl/SSLSessionContext", "setSessionCacheSize setSessionTimeout");
    GuardRules.deny("javax/net/ssl/HttpsURLConnection", "setDefaultSSLSocketFactory");
    GuardRules.deny("javax/net/ssl/HttpsURLConnection", "setDefaultHostnameVerifier");
    GuardRules.deny("java/net/URLConnection", "setContentHandlerFactory setFileNameMap");
    GuardRules.deny("java/net/URLConnection", "setDefaultUseCaches setDefaultRequestProperty");
    GuardRules.deny("java/net/URLConnection", "setDefaultAllowUserInteraction");
    GuardRules.deny("java/sql/DriverManager", "setLogWriter setLogStream setLoginTimeout");
    String assertions = "setDefaultAssertionStatus setPackageAssertionStatus";
    GuardRules.deny("java/lang/ClassLoader", assertions + " setClassAssertionStatus");
    GuardRules.deny("java/lang/ClassLoader", "clearAssertionStatus");
    GuardRules.deny("java/beans/PropertyEditorManager", "registerEditor setEditorSearchPath");
    GuardRules.deny("java/beans/Introspector", "setBeanInfoSearchPath");
    GuardRules.deny("java/beans/Beans", "setDesignTime setGuiAvailable");
    GuardRules.deny("javax/imageio/ImageIO", "setUseCache setCacheDirectory scanForPlugins");
    for (String registry : "IIORegistry ServiceRegistry".split(" ")) {
      String owner = "javax/imageio/spi/" + registry;
      GuardRules.deny(owner, "registerServiceProvider registerServiceProviders");
      GuardRules.deny(owner, "deregisterServiceProvider deregisterAll setOrdering unsetOrdering");
    }
    GuardRules.deny("javax/imageio/spi/IIORegistry", "registerApplicationClasspathSpis");
    String table = "put putAll putIfAbsent remove clear load replace replaceAll merge setProperty";
    for (String name : (table + " compute computeIfAbsent computeIfPresent").split(" ")) {
      GuardRule rule = GuardRule.of(GuardRule.Kind.OF_JDK, "Provider." + name, GuardRule.RECEIVER);
      GuardRules.put("java/security/Provider", name, rule);
    }
    String management = "java/lang/management/";
    GuardRules.deny(management + "MemoryMXBean", "setVerbose");
    GuardRules.deny(management + "ClassLoadingMXBean", "setVerbose");
    GuardRules.deny(management + "MemoryPoolMXBean", "setUsageThreshold");
    GuardRules.deny(management + "MemoryPoolMXBean", "setCollectionUsageThreshold resetPeakUsage");
    String thread = management + "ThreadMXBean";
    GuardRules.deny(thread, "setThreadCpuTimeEnabled setThreadContentionMonitoringEnabled");
    GuardRules.deny(thread, "resetPeakThreadCount");
    GuardRules.deny("java/lang/management/PlatformLoggingMXBean", "setLoggerLevel");
    GuardRules.deny("java/util/logging/LoggingMXBean", "setLoggerLevel");
    GuardRules.deny("com/sun/management/ThreadMXBean", "setThreadAllocatedMemoryEnabled");
    GuardRules.deny("com/sun/management/HotSpotDiagnosticMXBean", "setVMOption");
    GuardRules.deny("jdk/management/VirtualThreadSchedulerMXBean", "setParallelism");
    GuardRules.deny("java/util/concurrent/ForkJoinPool", "setParallelism");
    String recorder = "jdk/management/jfr/FlightRecorderMXBean";
    GuardRules.deny(recorder, "setConfiguration setPredefinedConfiguration setRecordingOptions");
    GuardRules.deny(recorder, "setRecordingSettings newRecording takeSnapshot cloneRecording");
    GuardRules.deny(recorder, "startRecording stopRecording closeRecording copyTo");
  }
}
