package io.palus.worker.instrument;

/**
 * The rules for methods of the JDK that answer otherwise on another machine and on another file
 * system: something stands in for them that answers so.
 */
final class OtherMachineRules {
  private static final String RUNTIME = "io/palus/worker/runtime/Other";
  private static final String FILE = "java/io/File";
  private static final String FILES = "java/nio/file/Files";
  private static final String ATTRIBUTES = "java/nio/file/attribute/";
  private static final String TEXT = "Ljava/lang/String;";
  private static final String PATH = "Ljava/nio/file/Path;";
  private static final String LINKS = "[Ljava/nio/file/LinkOption;";

  private OtherMachineRules() {}

  static void add() {
    listings();
    attributes();
    lists();
    resources();
    named(RUNTIME + "Secrets");
    ofStatic("Jdk", "java/awt/GraphicsEnvironment", "isHeadless", "()Z");
    GuardRules.replace(
        "java/lang/Runtime",
        "version()Ljava/lang/Runtime$Version;",
        RUNTIME + "Jdk",
        "version",
        "()Ljava/lang/Object;");
  }

  /** The same machine, on which values are held back. */
  static void addHeldBack() {
    named("io/palus/worker/runtime/HeldBack");
  }

  /** Variables and properties that are asked for by name. */
  private static void named(String ours) {
    of(ours, "java/lang/System", "getenv", "(" + TEXT + ")" + TEXT);
    of(ours, "java/lang/System", "getenv", "()Ljava/util/Map;");
    of(ours, "java/lang/System", "getProperty", "(" + TEXT + ")" + TEXT);
    of(ours, "java/lang/System", "getProperty", "(" + TEXT + TEXT + ")" + TEXT);
    of(ours, "java/lang/Boolean", "getBoolean", "(" + TEXT + ")Z");
    for (String[] kind : new String[][] {{"Integer", "I"}, {"Long", "J"}}) {
      String made = "Ljava/lang/" + kind[0] + ";";
      for (String other : new String[] {"", kind[1]}) {
        String type = "(" + TEXT + other + ")" + made;
        of(ours, "java/lang/" + kind[0], "get" + kind[0], type);
      }
    }
  }

  private static void listings() {
    String named = "Ljava/io/FilenameFilter;";
    for (String filter : new String[] {"", named}) {
      ofObject("Files", FILE, "list", "(" + filter + ")[" + TEXT);
    }
    for (String filter : new String[] {"", named, "Ljava/io/FileFilter;"}) {
      ofObject("Files", FILE, "listFiles", "(" + filter + ")[Ljava/io/File;");
    }
    String stream = "Ljava/nio/file/DirectoryStream";
    for (String filter : new String[] {"", TEXT, stream + "$Filter;"}) {
      String type = "(" + PATH + filter + ")" + stream + ";";
      ofStatic("Files", FILES, "newDirectoryStream", type);
    }
    String options = "[Ljava/nio/file/FileVisitOption;)Ljava/util/stream/Stream;";
    ofStatic("Files", FILES, "list", "(" + PATH + ")Ljava/util/stream/Stream;");
    ofStatic("Files", FILES, "walk", "(" + PATH + options);
    ofStatic("Files", FILES, "walk", "(" + PATH + "I" + options);
    ofStatic("Files", FILES, "find", "(" + PATH + "ILjava/util/function/BiPredicate;" + options);
    String visitor = "Ljava/nio/file/FileVisitor;)" + PATH;
    ofStatic("Files", FILES, "walkFileTree", "(" + PATH + visitor);
    ofStatic("Files", FILES, "walkFileTree", "(" + PATH + "Ljava/util/Set;I" + visitor);
  }

  private static void attributes() {
    String ours = "Attributes";
    for (String size : "length getTotalSpace getFreeSpace getUsableSpace".split(" ")) {
      ofObject(ours, FILE, size, "()J");
    }
    ofStatic(ours, FILES, "size", "(" + PATH + ")J");
    ofStatic(ours, FILES, "getAttribute", "(" + PATH + TEXT + LINKS + ")Ljava/lang/Object;");
    ofStatic(ours, FILES, "readAttributes", "(" + PATH + TEXT + LINKS + ")Ljava/util/Map;");
    String basic = "(L" + ATTRIBUTES + "BasicFileAttributes;)";
    for (String kind : "Basic Posix Dos".split(" ")) {
      String owner = ATTRIBUTES + kind + "FileAttributes";
      GuardRules.replace(owner, "size()J", RUNTIME + ours, "size", basic + "J");
      for (String name : "creationTime lastAccessTime".split(" ")) {
        String time = "L" + ATTRIBUTES + "FileTime;";
        GuardRules.replace(owner, name + "()" + time, RUNTIME + ours, name, basic + time);
      }
    }
    String store = "java/nio/file/FileStore";
    ofObject(ours, store, "name", "()" + TEXT);
    ofObject(ours, store, "type", "()" + TEXT);
    String space = "getTotalSpace getUsableSpace getUnallocatedSpace getBlockSize";
    for (String name : space.split(" ")) {
      ofObject(ours, store, name, "()J");
    }
  }

  private static void lists() {
    ofStatic("Jdk", "java/time/ZoneId", "getAvailableZoneIds", "()Ljava/util/Set;");
    ofStatic("Jdk", "java/util/Currency", "getAvailableCurrencies", "()Ljava/util/Set;");
    for (String offset : new String[] {"", "I"}) {
      ofStatic("Jdk", "java/util/TimeZone", "getAvailableIDs", "(" + offset + ")[" + TEXT);
    }
    String locales = "()[Ljava/util/Locale;";
    String also = "text/NumberFormat text/DateFormat text/Collator text/BreakIterator";
    for (String type : ("util/Locale util/Calendar " + also).split(" ")) {
      ofStatic("Jdk", "java/" + type, "getAvailableLocales", locales);
    }
    String charsets = "()Ljava/util/SortedMap;";
    ofStatic("Jdk", "java/nio/charset/Charset", "availableCharsets", charsets);
  }

  private static void resources() {
    for (String result : "Ljava/net/URL; Ljava/io/InputStream;".split(" ")) {
      String as = result.contains("Stream") ? "AsStream" : "";
      String type = "(" + TEXT + ")" + result;
      ofObject("Jdk", "java/lang/Class", "getResource" + as, type);
      ofObject("Jdk", "java/lang/ClassLoader", "getResource" + as, type);
      ofStatic("Jdk", "java/lang/ClassLoader", "getSystemResource" + as, type);
    }
  }

  private static void ofStatic(String ours, String owner, String name, String descriptor) {
    of(RUNTIME + ours, owner, name, descriptor);
  }

  private static void of(String ours, String owner, String name, String descriptor) {
    GuardRules.replace(owner, name + descriptor, ours, name, descriptor);
  }

  /** The receiver is the first argument of ours. */
  private static void ofObject(String ours, String owner, String name, String descriptor) {
    String type = "(L" + owner + ";" + descriptor.substring(1);
    GuardRules.replace(owner, name + descriptor, RUNTIME + ours, name, type);
  }
}
