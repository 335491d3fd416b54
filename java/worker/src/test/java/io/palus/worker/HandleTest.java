package io.palus.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is called without a call instruction: method references, method handles, reflection. */
class HandleTest {
  private static final String SLY =
      """
      package sly;
      import java.io.*;
      import java.lang.invoke.*;
      import java.lang.invoke.MethodHandles.Lookup;
      import java.net.*;
      import java.nio.channels.*;
      import java.nio.file.*;
      import java.nio.file.attribute.*;
      import java.util.*;
      import java.util.function.*;
      public class Sly {
        interface Io<A, R> { R on(A a) throws Exception; }
        interface Two { void on(Path a, Path b) throws Exception; }
        interface Kept extends Serializable { boolean on(File file); }
        static final Lookup LOOKUP = MethodHandles.lookup();
        static MethodType type(Class<?> result, Class<?>... arguments) {
          return MethodType.methodType(result, arguments);
        }
        static class Own extends File {
          Own(String name) { super(name); }
        }

        static Object deleteAll(String file) throws Exception {
          Files.list(Paths.get(file).getParent()).map(Path::toFile).forEach(File::delete);
          return null;
        }
        static Object boundDelete(String file) {
          BooleanSupplier delete = new File(file)::delete;
          return delete.getAsBoolean();
        }
        static Object subclassDelete(String file) {
          Function<Own, Boolean> delete = Own::delete;
          return delete.apply(new Own(file));
        }
        static Object filesDelete(String file) throws Exception {
          Io<Path, Boolean> delete = Files::deleteIfExists;
          return delete.on(Paths.get(file));
        }
        static Object writer(String file) throws Exception {
          Io<String, Writer> make = FileWriter::new;
          make.on(file).close();
          return null;
        }
        static Object stream(String file) throws Exception {
          Io<File, OutputStream> make = FileOutputStream::new;
          make.on(new File(file)).close();
          return null;
        }
        static Object mkdirs(String file) {
          Predicate<File> make = File::mkdirs;
          return make.test(new File(file, "x"));
        }
        static Object readOnly(String file) {
          Predicate<File> lock = File::setReadOnly;
          return lock.test(new File(file));
        }
        static Object rename(String file) {
          BiFunction<File, File, Boolean> rename = File::renameTo;
          return rename.apply(new File(file), new File(file + ".gone"));
        }
        static Object move(String file) throws Exception {
          Io<Path, Path> move = path -> Files.move(path, Paths.get(file + ".gone"));
          return move.on(Paths.get(file));
        }
        static Object kept(String file) {
          Kept delete = File::delete;
          return delete.on(new File(file));
        }
        static Object exec(String file) throws Exception {
          Io<String, Process> exec = Runtime.getRuntime()::exec;
          return exec.on("rm " + file);
        }
        static Object handle(String file) throws Throwable {
          MethodHandle delete = LOOKUP.findVirtual(File.class, "delete", type(boolean.class));
          return (boolean) delete.invokeExact(new File(file));
        }
        static Object handleOfSubclass(String file) throws Throwable {
          MethodHandle delete = LOOKUP.findVirtual(Own.class, "delete", type(boolean.class));
          return delete.invoke(new Own(file));
        }
        static Object staticHandle(String file) throws Throwable {
          MethodHandle delete = LOOKUP.findStatic(Files.class, "delete", type(void.class, Path.class));
          return delete.invoke(Paths.get(file));
        }
        static Object newHandle(String file) throws Throwable {
          MethodHandle make = LOOKUP.findConstructor(FileWriter.class, type(void.class, String.class));
          return make.invoke(file);
        }
        static Object boundHandle(String file) throws Throwable {
          return LOOKUP.bind(new File(file), "delete", type(boolean.class)).invoke();
        }
        static Object unreflected(String file) throws Throwable {
          return LOOKUP.unreflect(File.class.getMethod("delete")).invoke(new File(file));
        }
        static Object unreflectedConstructor(String file) throws Throwable {
          return LOOKUP.unreflectConstructor(FileWriter.class.getConstructor(String.class)).invoke(file);
        }
        static Object reflected(String file) throws Exception {
          return File.class.getMethod("delete").invoke(new File(file));
        }
        static Object constructed(String file) throws Exception {
          return FileWriter.class.getConstructor(String.class).newInstance(file);
        }
        static Object result(String file) throws Exception {
          return new javax.xml.transform.stream.StreamResult(new File(file));
        }
        static Object zip(String file) throws Exception {
          return FileSystems.newFileSystem(Paths.get(file), (ClassLoader) null);
        }
        static Object zipAddress(String file) throws Exception {
          return FileSystems.newFileSystem(
              URI.create("jar:" + Paths.get(file).toUri()), new HashMap<String, Object>());
        }
        static Object view(String file) throws Exception {
          Files.getFileAttributeView(Paths.get(file), PosixFileAttributeView.class)
              .setPermissions(PosixFilePermissions.fromString("rwxrwxrwx"));
          return null;
        }
        static Object provider(String file) throws Exception {
          Path path = Paths.get(file);
          path.getFileSystem().provider().setAttribute(path, "lastModifiedTime", FileTime.fromMillis(0));
          return null;
        }
        static Object imageStream(String file) throws Exception {
          return javax.imageio.ImageIO.createImageOutputStream(new File(file));
        }

        static Object socket(String port) throws Exception {
          Io<Integer, ServerSocket> make = ServerSocket::new;
          return make.on(0);
        }
        static Object socketClass(String port) throws Exception { return Socket.class.newInstance(); }
        static Object socketConstructor(String port) throws Exception {
          return ServerSocket.class.getConstructor(int.class).newInstance(0);
        }
        static Object channel(String port) throws Exception {
          Callable open = SocketChannel::open;
          return open.call();
        }
        interface Callable { Object call() throws Exception; }
        static Object datagram(String port) throws Throwable {
          return LOOKUP.findStatic(DatagramChannel.class, "open", type(DatagramChannel.class)).invoke();
        }
        static Object web(String port) throws Exception {
          return com.sun.net.httpserver.HttpServer.create(new InetSocketAddress(0), 0);
        }
        static Object rmi(String port) throws Exception {
          return java.rmi.registry.LocateRegistry.createRegistry(0);
        }
        static Object host(String port) throws Exception { return InetAddress.getByName("palus.test"); }
        static Object hostReference(String port) throws Exception {
          Io<String, InetAddress> look = InetAddress::getByName;
          return look.on("palus.test");
        }
        static Object peer(String port) { return new InetSocketAddress("palus.test", 80); }
        static Object url(String port) throws Exception {
          Io<URL, InputStream> open = URL::openStream;
          return open.on(new URL("http://127.0.0.1:1/"));
        }
        static Object factory(String port) throws Exception {
          return javax.net.ServerSocketFactory.getDefault().createServerSocket(0);
        }

        static Object thread(String text) {
          Consumer<Thread> start = Thread::start;
          start.accept(new Thread(() -> {}));
          return null;
        }
        static Object exit(String text) { IntConsumer exit = System::exit; exit.accept(3); return null; }

        static long clock() { LongSupplier clock = System::currentTimeMillis; return clock.getAsLong(); }
        static String environment() {
          Function<String, String> get = System::getenv;
          return get.apply("PATH") + ((Supplier<Object>) java.time.Instant::now).get();
        }
        static Object temporary(String text) throws Exception {
          Io<String, Path> make = Files::createTempDirectory;
          Path own = make.on(text);
          File file = own.resolve("x").toFile();
          Io<File, Writer> open = FileWriter::new;
          open.on(file).close();
          Predicate<File> delete = File::delete;
          return delete.test(file) && InetAddress.getByName("127.0.0.1").isLoopbackAddress();
        }
        static Object askedByReflection(String text) throws Exception {
          return System.class.getMethod("currentTimeMillis").invoke(null);
        }
        static Object askedByName(String text) throws Throwable {
          return LOOKUP.findStatic(System.class, "getProperty", type(String.class, String.class)).invoke(text);
        }
        static Object madeNow(String text) throws Exception { return Date.class.newInstance(); }
        static Object madeNowByHandle(String text) throws Throwable {
          return LOOKUP.findConstructor(Random.class, type(void.class)).invoke();
        }
        static Object locale(String text) throws Throwable {
          return LOOKUP.unreflect(Locale.class.getMethod("getDefault")).invoke();
        }
        static Object plain(String text) throws Throwable {
          Date.class.getConstructor(long.class).newInstance(7L);
          LOOKUP.findConstructor(Random.class, type(void.class, long.class)).invoke(7L);
          Function<String, Integer> length = String::length;
          MethodHandle upper = LOOKUP.findVirtual(String.class, "toUpperCase", type(String.class));
          return length.apply(text) + (String) upper.invoke(text)
              + String.class.getConstructor(String.class).newInstance(text);
        }
      }
      """;
  private static final String TEXT = "(Ljava/lang/String;)Ljava/lang/Object;";

  @TempDir Path folder;
  private Path precious;
  private WorkerProcess worker;

  @BeforeEach
  void start() throws IOException {
    precious = Files.createDirectories(folder.resolve("precious")).resolve("file");
    Files.writeString(precious, "text");
    Path classes = Sources.compile(folder, 8, "sly/Sly.java", SLY);
    Files.write(classes.resolve("sly/Constant.class"), ComputedConstants.of(precious.toString()));
    Files.write(classes.resolve("sly/Raw.class"), ComputedConstants.raw());
    worker = WorkerProcess.patient(folder, classes);
  }

  @AfterEach
  void stop() {
    worker.close();
  }

  private String end(String method, String argument) throws IOException {
    return end("sly/Sly", method, argument);
  }

  private String end(String type, String method, String argument) throws IOException {
    return worker.run(s -> s.callStatic(type, method, TEXT, s.text(argument))).end();
  }

  private void areDenied(List<String> methods, String argument) throws IOException {
    for (String method : methods) {
      String end = end(method, argument);
      assertTrue(end.startsWith("denied "), method + " " + end);
    }
  }

  @Test
  void method_references_change_no_file() throws IOException {
    areDenied(
        List.of("deleteAll", "boundDelete", "subclassDelete", "filesDelete", "writer", "stream"),
        precious.toString());
    areDenied(List.of("mkdirs", "readOnly", "rename", "move", "kept", "exec"), precious.toString());
    assertEquals("text", Files.readString(precious));
  }

  @Test
  void method_handles_and_reflection_change_no_file() throws IOException {
    areDenied(
        List.of("handle", "handleOfSubclass", "staticHandle", "newHandle", "boundHandle"),
        precious.toString());
    areDenied(
        List.of("unreflected", "unreflectedConstructor", "reflected", "constructed"),
        precious.toString());
    assertEquals("text", Files.readString(precious));
  }

  @Test
  void a_handle_to_a_method_of_the_superclass_changes_no_file() throws IOException {
    for (String method : List.of("deleted", "deletedAsOwn")) {
      String end = end("sly/Raw", method, precious.toString());
      assertEquals("denied File.delete on a file that it did not make", end, method);
    }
    assertEquals("text", Files.readString(precious));
  }

  @Test
  void constants_that_are_computed_by_calls_change_no_file() throws IOException {
    assertEquals("completed", end("sly/Constant", "made", ""));
    for (String method : List.of("deleted", "opened")) {
      String end = end("sly/Constant", method, "");
      assertTrue(end.startsWith("denied "), method + " " + end);
    }
    assertEquals("text", Files.readString(precious));
  }

  @Test
  void what_changes_files_for_others_is_denied() throws IOException {
    areDenied(
        List.of("result", "zip", "zipAddress", "view", "provider", "imageStream"),
        precious.toString());
    assertEquals("text", Files.readString(precious));
  }

  @Test
  void nothing_reaches_the_network() throws IOException {
    areDenied(
        List.of("socket", "socketClass", "socketConstructor", "channel", "datagram", "web"), "");
    areDenied(List.of("rmi", "host", "hostReference", "peer", "url", "factory"), "");
  }

  @Test
  void references_start_no_thread_and_end_no_jvm() throws IOException {
    assertEquals("started thread", end("thread", ""));
    assertEquals("denied System.exit", end("exit", ""));
  }

  @Test
  void references_see_the_fixed_clock_and_environment() throws IOException {
    for (String result : List.of("clock()J", "environment()Ljava/lang/String;")) {
      String method = result.substring(0, result.indexOf('('));
      String type = result.substring(method.length());
      Outcome first = worker.run(s -> s.callStatic("sly/Sly", method, type));
      Outcome second = worker.run(s -> s.callStatic("sly/Sly", method, type));
      assertEquals("completed", first.end());
      assertEquals(first.observations(), second.observations(), method);
    }
  }

  /** Nothing stands in for the clock there, so a decision that rests on it would go unseen. */
  @Test
  void nothing_that_differs_between_machines_is_asked_by_reflection_or_handles()
      throws IOException {
    areDenied(List.of("askedByReflection", "askedByName", "madeNow", "madeNowByHandle"), "a");
    areDenied(List.of("locale"), "a");
    assertEquals("denied System.currentTimeMillis by reflection", end("askedByReflection", "a"));
  }

  @Test
  void own_temporary_files_and_harmless_calls_go_on() throws IOException {
    assertEquals("completed", end("temporary", "own"));
    assertEquals("completed", end("plain", "abc"));
  }
}
