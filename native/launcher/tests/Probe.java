import java.io.File;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardOpenOption;

/** Tries one thing and prints `done` or the exception: what subject code could do inside a locked worker. */
public class Probe {
  public static void main(String[] args) throws Exception {
    try {
      System.out.println(attempt(args[0], args.length > 1 ? args[1] : null));
    } catch (Throwable denied) {
      System.out.println(denied);
    }
  }

  private static String attempt(String what, String argument) throws Exception {
    switch (what) {
      case "delete":
        Files.delete(Paths.get(argument));
        return "done";
      case "write":
        Files.write(Paths.get(argument), new byte[] {1});
        return "done";
      case "read-only":
        return new File(argument).setReadOnly() ? "done" : "denied";
      case "age":
        return new File(argument).setLastModified(1000) ? "done" : "denied";
      case "cut":
        try (java.nio.channels.FileChannel file = java.nio.channels.FileChannel.open(Paths.get(argument), java.nio.file.StandardOpenOption.WRITE)) {
          file.truncate(0);
        }
        return "done";
      case "list":
        return new File(argument).list() == null ? "denied" : "done";
      case "read":
        Files.readAllBytes(Paths.get(argument));
        return "done";
      case "connect":
        new Socket(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), Integer.parseInt(argument)).close();
        return "done";
      case "listen":
        new ServerSocket(0).close();
        return "done";
      case "exec":
        return "done " + new ProcessBuilder(argument).start().waitFor();
      case "signal-parent":
        return ProcessHandle.current().parent().get().destroyForcibly() ? "done" : "denied";
      case "signal": // a process that is no relative
        return ProcessHandle.of(Long.parseLong(argument)).get().destroyForcibly() ? "done" : "denied";
      case "off-heap":
        java.lang.reflect.Field field =
            Class.forName("sun.misc.Unsafe").getDeclaredField("theUnsafe");
        field.setAccessible(true);
        Object unsafe = field.get(null);
        java.lang.reflect.Method allocate =
            unsafe.getClass().getMethod("allocateMemory", long.class);
        for (int i = 0; i < Integer.parseInt(argument); i++) {
          allocate.invoke(unsafe, 64L << 20);
        }
        return "done";
      case "threads":
        for (int i = 0; i < Integer.parseInt(argument); i++) {
          Thread started = new Thread(() -> java.util.concurrent.locks.LockSupport.park());
          started.setDaemon(true);
          started.start();
        }
        return "done";
      case "huge":
        try (OutputStream out = new FileOutputStream(argument)) {
          byte[] block = new byte[1 << 20];
          for (int i = 0; i < 100; i++) {
            out.write(block);
          }
        }
        return "done";
      case "open":
        java.util.List<Object> open = new java.util.ArrayList<>();
        for (int i = 0; i < Integer.parseInt(argument); i++) {
          open.add(new java.io.FileInputStream("/dev/null"));
        }
        return "done";
      case "work": // all that must go on working
        Thread thread = new Thread(() -> {});
        thread.start();
        thread.join();
        Path own = Paths.get(argument, "own folder");
        Files.createDirectory(own);
        Path file = own.resolve("a");
        Files.write(file, new byte[100]);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
          channel.map(FileChannel.MapMode.READ_ONLY, 0, 100).get();
        }
        Files.move(file, own.resolve("b"));
        Files.delete(own.resolve("b"));
        Files.delete(own);
        File.createTempFile("own", ".txt").delete();
        new java.security.SecureRandom().nextInt();
        java.util.TimeZone.getTimeZone("Pacific/Chatham").getRawOffset();
        java.util.Currency.getInstance("EUR").getSymbol();
        return "done";
      case "descriptors": // what was inherited beyond the standard streams
        return new File("/proc/self/fd/" + argument).exists() ? "open" : "closed";
      case "sleep":
        Thread.sleep(60_000);
        return "done";
      default:
        return "unknown " + what;
    }
  }
}
