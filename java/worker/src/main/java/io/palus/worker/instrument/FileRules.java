package io.palus.worker.instrument;

import io.palus.worker.instrument.GuardRule.Kind;
import java.io.File;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.MethodInsnNode;

/** The rules for methods of the JDK that look at files, make them or change them. */
final class FileRules {
  static final String FILE = "java/io/File";

  /** Looks that delete with an option, and what writes, runs or connects where no guard stands. */
  static final List<String> ALSO_REACHING =
      Arrays.asList(
          "java/nio/file/Files.newInputStream(Ljava/nio/file/Path;[Ljava/nio/file/OpenOption;)Ljava/io/InputStream;",
          "java/util/zip/ZipFile.<init>(Ljava/io/File;I)V",
          "java/util/zip/ZipFile.<init>(Ljava/io/File;ILjava/nio/charset/Charset;)V",
          "java/util/jar/JarFile.<init>(Ljava/io/File;ZI)V",
          "java/util/jar/JarFile.<init>(Ljava/io/File;ZILjava/lang/Runtime$Version;)V",
          "java/io/File.createTempFile(Ljava/lang/String;Ljava/lang/String;Ljava/io/File;)Ljava/io/File;",
          "java/nio/file/Files.createTempFile(Ljava/nio/file/Path;Ljava/lang/String;Ljava/lang/String;[Ljava/nio/file/attribute/FileAttribute;)Ljava/nio/file/Path;",
          "java/nio/file/Files.createTempDirectory(Ljava/nio/file/Path;Ljava/lang/String;[Ljava/nio/file/attribute/FileAttribute;)Ljava/nio/file/Path;",
          "java/lang/Thread.setContextClassLoader",
          "java/lang/Thread.setUncaughtExceptionHandler",
          "java/lang/ClassLoader.defineClass",
          "java/lang/invoke/MethodHandles$Lookup.defineClass",
          "java/security/SecureClassLoader.defineClass",
          "sun/misc/Unsafe.defineClass",
          "java/beans/Statement.execute()V",
          "java/beans/Expression.execute()V",
          "java/beans/Expression.getValue()Ljava/lang/Object;",
          "java/beans/EventHandler.create",
          "java/beans/XMLDecoder.readObject()Ljava/lang/Object;",
          "java/io/ObjectInputStream.readObject()Ljava/lang/Object;",
          "javax/tools/FileObject.delete",
          "javax/tools/JavaFileObject.delete",
          "javax/tools/JavaCompiler$CompilationTask.call",
          "javax/tools/Tool.run",
          "org/w3c/dom/ls/LSSerializer.writeToURI",
          "org/w3c/dom/ls/LSSerializer.write(Lorg/w3c/dom/Node;Lorg/w3c/dom/ls/LSOutput;)Z",
          "javax/swing/filechooser/FileSystemView.createNewFolder",
          "java/net/http/HttpResponse$BodySubscribers.ofFile",
          "java/net/http/HttpResponse$BodyHandlers.ofFile",
          "java/net/http/HttpResponse$BodyHandlers.ofFileDownload",
          "java/net/InetAddress.getCanonicalHostName",
          "javax/sound/midi/MidiSystem.write",
          "javax/sound/sampled/AudioSystem.write",
          "com/sun/management/HotSpotDiagnosticMXBean.dumpHeap",
          "jdk/jfr/Recording.dump",
          "javax/naming/Context.lookup",
          "javax/naming/InitialContext.lookup",
          "java/sql/DriverManager.getConnection",
          "javax/xml/parsers/DocumentBuilder.parse(Ljava/lang/String;)Lorg/w3c/dom/Document;",
          "javax/xml/parsers/SAXParser.parse(Ljava/lang/String;Lorg/xml/sax/HandlerBase;)V",
          "javax/xml/parsers/SAXParser.parse(Ljava/lang/String;Lorg/xml/sax/helpers/DefaultHandler;)V",
          "javax/xml/transform/stream/StreamSource.<init>(Ljava/lang/String;)V",
          "org/xml/sax/InputSource.<init>(Ljava/lang/String;)V",
          "org/xml/sax/Parser.parse(Ljava/lang/String;)V",
          "org/xml/sax/XMLReader.parse(Ljava/lang/String;)V",
          "sun/misc/Unsafe.putAddress");

  /** Names and descriptors of all methods of {@code File} that a subclass may be asked for. */
  private static final Map<String, Set<String>> OF_FILE = new HashMap<>();

  static {
    for (Method method : File.class.getMethods()) {
      if (method.getDeclaringClass() == File.class && !Modifier.isStatic(method.getModifiers())) {
        OF_FILE
            .computeIfAbsent(method.getName(), name -> new HashSet<>())
            .add(Type.getMethodDescriptor(method));
      }
    }
  }

  private FileRules() {}

  static void add() {
    files();
    newFiles();
    looks();
  }

  /** Whether {@code File} has such a method and it is guarded: the call may be on a subclass. */
  static boolean isOfFile(String name, String descriptor) {
    return OF_FILE.getOrDefault(name, Collections.emptySet()).contains(descriptor)
        && GuardRules.find(FILE, name, descriptor) != null;
  }

  /** Whether a call names another class than {@code File}, which may be a subclass. */
  static boolean isInherited(MethodInsnNode call) {
    return !GuardRules.knows(call.owner) && isOfFile(call.name, call.desc);
  }

  private static void files() {
    String file = "java/io/File";
    GuardRules.paths(file, "mkdir mkdirs createNewFile setLastModified", GuardRule.RECEIVER);
    String lock = "setReadOnly setWritable setReadable setExecutable";
    GuardRules.paths(file, "delete deleteOnExit " + lock, GuardRule.RECEIVER);
    GuardRules.paths(file, "renameTo", GuardRule.RECEIVER, 0);
    String nio = "java/nio/file/Files";
    GuardRules.paths(nio, "createFile createDirectory createDirectories", 0);
    // What a link leads to may be missing here, and the user's where the test runs.
    GuardRules.paths(nio, "createLink", 0, 1);
    GuardRules.add(nio, "createSymbolicLink", Kind.PATH_LINK, 0, 1);
    GuardRules.paths(
        nio, "setLastModifiedTime write writeString newOutputStream newBufferedWriter", 0);
    GuardRules.paths(nio, "delete deleteIfExists setAttribute setOwner setPosixFilePermissions", 0);
    GuardRules.paths(nio, "move", 0, 1);
    GuardRules.paths(nio, "copy", 1, 0);
    GuardRules.add(nio, "newByteChannel", Kind.PATH_OPTIONS, 0, 1);
    addTemporaryFiles();
    GuardRules.deny(
        "java/nio/file/spi/FileSystemProvider", "delete deleteIfExists move copy newOutputStream");
    GuardRules.deny(
        "java/nio/file/spi/FileSystemProvider",
        "createDirectory newByteChannel newFileChannel newAsynchronousFileChannel");
    GuardRules.deny(
        "java/nio/file/spi/FileSystemProvider", "createLink createSymbolicLink setAttribute");
    GuardRules.deny("java/nio/file/spi/FileSystemProvider", "getFileAttributeView newFileSystem");
    // The system has few of them for all programs of a user, and a thread waits for each.
    GuardRules.deny("java/nio/file/FileSystem", "newWatchService");
    GuardRules.add("java/nio/channels/FileChannel", "open", Kind.PATH_OPTIONS, 0, 1);
    GuardRules.add("java/nio/channels/AsynchronousFileChannel", "open", Kind.PATH_OPTIONS, 0, 1);
  }

  static void addTemporaryFiles() {
    String file = "java/io/File";
    String nio = "java/nio/file/Files";
    String ours = "io/palus/worker/runtime/TemporaryFiles";
    String make = "createTempFile";
    String text = "Ljava/lang/String;";
    String path = "Ljava/nio/file/Path;";
    String more = "[Ljava/nio/file/attribute/FileAttribute;)" + path;
    for (String last : new String[] {")Ljava/io/File;", "Ljava/io/File;)Ljava/io/File;"}) {
      String type = "(" + text + text + last;
      GuardRules.replace(file, make + type, ours, make, type);
    }
    for (String first : new String[] {"(", "(" + path}) {
      String type = first + text + text + more;
      GuardRules.replace(nio, make + type, ours, make, type);
      type = first + text + more;
      GuardRules.replace(nio, "createTempDirectory" + type, ours, "createTempDirectory", type);
    }
  }

  private static void newFiles() {
    GuardRules.paths("java/io/FileOutputStream", "<init>", 0);
    GuardRules.paths("java/io/FileWriter", "<init>", 0);
    GuardRules.paths("java/io/PrintWriter", "<init>", 0);
    GuardRules.paths("java/io/PrintStream", "<init>", 0);
    GuardRules.paths("java/util/Formatter", "<init>", 0);
    GuardRules.add("java/io/RandomAccessFile", "<init>", Kind.PATH_MODE, 0);
    GuardRules.paths("javax/imageio/ImageIO", "write", 2);
    GuardRules.paths("javax/imageio/ImageIO", "createImageOutputStream", 0);
    GuardRules.paths("javax/imageio/stream/FileImageOutputStream", "<init>", 0);
    GuardRules.paths("javax/sound/sampled/AudioSystem", "write", 2);
    GuardRules.paths("javax/xml/transform/stream/StreamResult", "<init> setSystemId", 0);
    // Whoever asks for a view or a file system of a file may change it; reading has shorter ways.
    GuardRules.paths("java/nio/file/Files", "getFileAttributeView", 0);
    GuardRules.paths("java/nio/file/FileSystems", "newFileSystem", 0);
    for (String more : ")|Ljava/lang/ClassLoader;)".split("\\|")) {
      String type = "(Ljava/net/URI;Ljava/util/Map;" + more + "Ljava/nio/file/FileSystem;";
      GuardRule rule = GuardRule.of(Kind.DENY, "FileSystems.newFileSystem of an address");
      GuardRules.put("java/nio/file/FileSystems", "newFileSystem" + type, rule);
    }
    GuardRules.deny(
        "java/nio/file/SecureDirectoryStream", "deleteFile deleteDirectory move newByteChannel");
    GuardRules.deny("java/nio/file/SecureDirectoryStream", "getFileAttributeView");
  }

  private static void looks() {
    int itself = GuardRule.RECEIVER;
    String file = "exists isFile isDirectory length lastModified canRead canWrite canExecute";
    file += " isHidden getTotalSpace getFreeSpace getUsableSpace toURI toURL";
    look("java/io/File", file + " getCanonicalPath getCanonicalFile", itself);
    list("java/io/File", "list listFiles", itself);
    String files = "exists notExists isDirectory isRegularFile isReadable isWritable isExecutable";
    files += " isSymbolicLink isHidden isSameFile mismatch newInputStream newBufferedReader size";
    files += " readAllBytes readAllLines readString lines getLastModifiedTime readAttributes";
    files += " getAttribute getPosixFilePermissions getFileStore readSymbolicLink";
    files += " probeContentType copy(Ljava/nio/file/Path;Ljava/io/OutputStream;)J";
    look("java/nio/file/Files", files, 0);
    list("java/nio/file/Files", "list walk walkFileTree find newDirectoryStream", 0);
    look("java/nio/file/Path", "toRealPath register", itself);
    String provider = "checkAccess exists isHidden isSameFile getFileStore readSymbolicLink";
    provider += " readAttributesIfExists";
    look(
        "java/nio/file/spi/FileSystemProvider",
        provider + " newInputStream readAttributes newDirectoryStream",
        0);
    for (String type : "io/FileInputStream io/FileReader util/zip/ZipFile".split(" ")) {
      look("java/" + type, "<init>", 0);
    }
    look("java/util/jar/JarFile", "<init>", 0);
    // Not of a text, which is what it reads.
    for (String path : "io/File nio/file/Path".split(" ")) {
      String type = "<init>(Ljava/" + path + ";";
      String text = type + "Ljava/lang/String;)V ";
      look("java/util/Scanner", text + type + "Ljava/nio/charset/Charset;)V " + type + ")V", 0);
    }
    look("javax/imageio/ImageIO", "read(Ljava/io/File;)Ljava/awt/image/BufferedImage;", 0);
    look("javax/imageio/stream/FileImageInputStream", "<init>", 0);
    look("javax/xml/parsers/DocumentBuilder", "parse(Ljava/io/File;)Lorg/w3c/dom/Document;", 0);
    look("javax/xml/transform/stream/StreamSource", "<init>(Ljava/io/File;)V", 0);
    look("java/awt/Font", "createFont", 1);
  }

  private static void look(String owner, String names, int index) {
    for (String name : names.split(" ")) {
      GuardRules.put(owner, name, GuardRule.of(Kind.LOOK, "a look at a file", index));
    }
  }

  private static void list(String owner, String names, int index) {
    for (String name : names.split(" ")) {
      GuardRules.put(owner, name, GuardRule.of(Kind.LIST, "a look into a folder", index));
    }
  }
}
