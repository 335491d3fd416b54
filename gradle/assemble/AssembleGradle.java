import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Enumeration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * Lays the classes of Gradle's API jar out as the lib folder of a Gradle installation; called by
 * assemble-gradle.sh, which says why.
 *
 * <pre>
 * libraries API_JAR                                    prints the third-party artifacts to fetch
 * make      API_JAR HOME VERSION CLASSES LIBRARIES     fills HOME/lib
 * </pre>
 */
public final class AssembleGradle {
  private static final String MODULE_FILE = "-classpath.properties";

  /** The module that every other one needs: its jar is the API jar itself. */
  private static final String CORE_MODULE = "gradle-base-services";

  /** The module that gets {@code IncrementalCompileTask}, where the API jar lacks it. */
  private static final String JAVAC_HOOK_MODULE = "gradle-java-compiler-plugin";

  /** Where that class is, with those it needs: javac is given the module's own jar alone. */
  private static final String JAVAC_HOOK = "org/gradle/internal/compiler/java/";

  /** Modules Gradle asks for by name whose properties file some API jars leave out. */
  private static final List<String> MODULES_AT_LEAST =
      List.of(JAVAC_HOOK_MODULE, "gradle-build-profile", "gradle-installation-beacon");

  /**
   * Third-party jars whose classes the API jar lacks, or must not hold: start of file name, group.
   */
  private static final Map<String, String> GROUP_OF_LIBRARY =
      Map.of(
          "groovy", "org.codehaus.groovy",
          "kotlin-stdlib", "org.jetbrains.kotlin",
          "kotlin-reflect", "org.jetbrains.kotlin",
          "junit-platform-", "org.junit.platform",
          "junit-4", "junit",
          "hamcrest-core", "org.hamcrest",
          "opentest4j", "org.opentest4j",
          "testng", "org.testng",
          "ant-", "org.apache.ant");

  /** Where the API jar keeps third-party classes. */
  private static final String RELOCATED = "org/gradle/internal/impldep/";

  /**
   * Test frameworks meet the user's own classes inside the test worker, so their relocation is
   * undone.
   */
  private static final List<String> KEPT_IN_PLACE =
      List.of(
          "org/junit",
          "junit/framework",
          "junit/extensions",
          "junit/runner",
          "junit/textui",
          "org/hamcrest",
          "org/testng",
          "org/opentest4j");

  private AssembleGradle() {}

  /** Does what the first argument says. */
  public static void main(String[] args) throws IOException {
    if (args.length == 2 && args[0].equals("libraries")) {
      printLibraries(new File(args[1]), System.out);
    } else if (args.length == 6 && args[0].equals("make")) {
      make(new File(args[1]), Path.of(args[2]), args[3], Path.of(args[4]), Path.of(args[5]));
    } else {
      throw new IllegalArgumentException(
          "libraries API_JAR | make API_JAR HOME VERSION CLASSES LIBRARIES");
    }
  }

  private static void printLibraries(File apiJar, PrintStream out) throws IOException {
    Pattern fileName = Pattern.compile("(.+?)-([0-9].*)\\.jar");
    for (String jar : runtimeJars(modules(apiJar).values())) {
      Matcher parts = fileName.matcher(jar);
      if (!parts.matches()) {
        continue;
      }
      for (Map.Entry<String, String> library : GROUP_OF_LIBRARY.entrySet()) {
        if (jar.startsWith(library.getKey())) {
          out.println(library.getValue() + ":" + parts.group(1) + ":" + parts.group(2));
          break;
        }
      }
    }
  }

  private static void make(File apiJar, Path home, String version, Path classes, Path libraries)
      throws IOException {
    Path lib = home.resolve("lib");
    Files.createDirectories(lib.resolve("plugins")); // Gradle knows its installation by this folder
    writeCore(apiJar, lib.resolve(CORE_MODULE + "-" + version + ".jar"), classes);

    Map<String, byte[]> modules = modules(apiJar);
    for (String module : MODULES_AT_LEAST) {
      modules.putIfAbsent(module, "projects=\nruntime=\n".getBytes(StandardCharsets.ISO_8859_1));
    }
    for (Map.Entry<String, byte[]> module : modules.entrySet()) {
      Path jar = lib.resolve(module.getKey() + "-" + version + ".jar");
      if (Files.exists(jar)) {
        continue; // the core module
      }
      try (ZipOutputStream out = newJar(jar)) {
        put(out, module.getKey() + MODULE_FILE, module.getValue());
        if (module.getKey().equals(JAVAC_HOOK_MODULE)) {
          putFolder(out, classes, "org");
          putMembers(out, apiJar, JAVAC_HOOK);
        }
      }
    }

    int real = 0;
    int empty = 0;
    for (String jar : runtimeJars(modules.values())) {
      Path library = libraries.resolve(jar);
      if (jar.startsWith("kotlin-stdlib-") && Character.isDigit(jar.charAt(14))) {
        writeKotlin(libraries, lib.resolve(jar));
        real++;
      } else if (Files.exists(library)) {
        Files.copy(library, lib.resolve(jar));
        real++;
      } else {
        newJar(lib.resolve(jar)).close(); // its classes are in the API jar, relocated
        empty++;
      }
    }
    System.out.println(
        modules.size() + " modules, " + real + " libraries, " + empty + " empty jars");
  }

  /** Copies the API jar, with the test frameworks' relocation undone, and adds our entry point. */
  private static void writeCore(File apiJar, Path core, Path classes) throws IOException {
    Set<String> written = new HashSet<>();
    try (ZipFile in = new ZipFile(apiJar);
        ZipOutputStream out = new ZipOutputStream(buffered(core))) {
      out.setLevel(1);
      for (Enumeration<? extends ZipEntry> all = in.entries(); all.hasMoreElements(); ) {
        ZipEntry entry = all.nextElement();
        String name = entry.getName();
        if (isKeptInPlace(name) || entry.isDirectory() || !written.add(name)) {
          continue;
        }
        byte[] bytes = in.getInputStream(entry).readAllBytes();
        boolean gradleClass = name.startsWith("org/gradle/") && !name.startsWith(RELOCATED);
        put(out, name, gradleClass && name.endsWith(".class") ? undoRelocation(bytes) : bytes);
      }
      putFolder(out, classes, "io");
    }
  }

  /**
   * Kotlin's library as one jar: before 1.8 it has parts for newer JDKs, which Gradle 7 uses from
   * modules that do not name them.
   */
  private static void writeKotlin(Path libraries, Path jar) throws IOException {
    Set<String> written = new HashSet<>();
    String version = jar.getFileName().toString().substring("kotlin-stdlib-".length());
    try (ZipOutputStream out = new ZipOutputStream(buffered(jar))) {
      for (String part : List.of("", "jdk7-", "jdk8-")) {
        Path from = libraries.resolve("kotlin-stdlib-" + part + version);
        if (!Files.exists(from)) {
          continue;
        }
        try (ZipFile in = new ZipFile(from.toFile())) {
          for (Enumeration<? extends ZipEntry> all = in.entries(); all.hasMoreElements(); ) {
            ZipEntry entry = all.nextElement();
            if (!entry.isDirectory() && written.add(entry.getName())) {
              put(out, entry.getName(), in.getInputStream(entry).readAllBytes());
            }
          }
        }
      }
    }
  }

  /** Adds the members of a jar below a folder. */
  private static void putMembers(ZipOutputStream out, File jar, String folder) throws IOException {
    try (ZipFile in = new ZipFile(jar)) {
      for (Enumeration<? extends ZipEntry> all = in.entries(); all.hasMoreElements(); ) {
        ZipEntry entry = all.nextElement();
        if (!entry.isDirectory() && entry.getName().startsWith(folder)) {
          put(out, entry.getName(), in.getInputStream(entry).readAllBytes());
        }
      }
    }
  }

  private static boolean isKeptInPlace(String name) {
    return name.startsWith(RELOCATED)
        && KEPT_IN_PLACE.stream().anyMatch(p -> name.startsWith(RELOCATED + p + "/"));
  }

  /** Module name to the bytes of its properties file. */
  private static Map<String, byte[]> modules(File apiJar) throws IOException {
    Map<String, byte[]> modules = new TreeMap<>();
    try (ZipFile in = new ZipFile(apiJar)) {
      for (Enumeration<? extends ZipEntry> all = in.entries(); all.hasMoreElements(); ) {
        ZipEntry entry = all.nextElement();
        String name = entry.getName();
        if (name.indexOf('/') < 0 && name.endsWith(MODULE_FILE)) {
          String module = name.substring(0, name.length() - MODULE_FILE.length());
          modules.put(module, in.getInputStream(entry).readAllBytes());
        }
      }
    }
    return modules;
  }

  /** File names of the third-party jars that the modules ask for. */
  private static Set<String> runtimeJars(Collection<byte[]> modules) throws IOException {
    Set<String> jars = new TreeSet<>();
    for (byte[] module : modules) {
      Properties properties = new Properties();
      properties.load(new ByteArrayInputStream(module));
      for (String jar : properties.getProperty("runtime", "").split(",")) {
        if (!jar.isBlank()) {
          jars.add(jar.trim());
        }
      }
    }
    return jars;
  }

  /** Rewrites the text constants of one class file that name a relocated test framework. */
  private static byte[] undoRelocation(byte[] classFile) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(classFile));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(classFile.length);
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeLong(in.readLong()); // magic number and version
    int count = in.readUnsignedShort();
    out.writeShort(count);
    boolean changed = false;
    for (int i = 1; i < count; i++) {
      int tag = in.readUnsignedByte();
      out.writeByte(tag);
      switch (tag) {
        case 1: // text
          // Latin-1 keeps every byte as it is; the names looked for are ASCII.
          String text =
              new String(in.readNBytes(in.readUnsignedShort()), StandardCharsets.ISO_8859_1);
          String replaced = undoRelocation(text);
          changed |= !replaced.equals(text);
          byte[] encoded = replaced.getBytes(StandardCharsets.ISO_8859_1);
          out.writeShort(encoded.length);
          out.write(encoded);
          break;
        case 5: // long
        case 6: // double
          out.writeLong(in.readLong());
          i++; // takes two places
          break;
        case 7: // class
        case 8: // string
        case 16: // method type
        case 19: // module
        case 20: // package
          out.writeShort(in.readUnsignedShort());
          break;
        case 15: // method handle
          out.writeByte(in.readUnsignedByte());
          out.writeShort(in.readUnsignedShort());
          break;
        default: // int, float, references to members, name and type, dynamic
          out.writeInt(in.readInt());
          break;
      }
    }
    if (!changed) {
      return classFile;
    }
    in.transferTo(out);
    return bytes.toByteArray();
  }

  private static String undoRelocation(String text) {
    if (!text.contains("impldep")) {
      return text;
    }
    String result = text;
    for (String framework : KEPT_IN_PLACE) {
      String relocated = RELOCATED + framework;
      result = result.replace(relocated, framework);
      result = result.replace(relocated.replace('/', '.'), framework.replace('/', '.'));
    }
    return result;
  }

  private static ZipOutputStream newJar(Path jar) throws IOException {
    ZipOutputStream out = new ZipOutputStream(buffered(jar));
    put(
        out,
        "META-INF/MANIFEST.MF",
        "Manifest-Version: 1.0\r\n\r\n".getBytes(StandardCharsets.UTF_8));
    return out;
  }

  private static OutputStream buffered(Path file) throws IOException {
    return new java.io.BufferedOutputStream(Files.newOutputStream(file), 1 << 20);
  }

  private static void put(ZipOutputStream out, String name, byte[] bytes) throws IOException {
    out.putNextEntry(new ZipEntry(name));
    out.write(bytes);
    out.closeEntry();
  }

  /** Adds what lies under {@code folder/top}, if there is such a folder. */
  private static void putFolder(ZipOutputStream out, Path folder, String top) throws IOException {
    if (!Files.isDirectory(folder.resolve(top))) {
      return;
    }
    try (Stream<Path> files = Files.walk(folder.resolve(top))) {
      for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile).sorted()::iterator) {
        put(out, folder.relativize(file).toString().replace('\\', '/'), Files.readAllBytes(file));
      }
    }
  }
}
