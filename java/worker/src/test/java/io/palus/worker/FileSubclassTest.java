package io.palus.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a subclass of File inherits changes files as well. */
class FileSubclassTest {
  private static final String WILD =
      """
      package wild;
      import java.io.*;
      public class Wild {
        static class MyFile extends File {
          MyFile(String name) { super(name); }
          void later() { Runnable later = this::deleteOnExit; later.run(); }
          void change(String how, File to) {
            switch (how) {
              case "deleteOnExit": deleteOnExit(); break;
              case "renameTo": renameTo(to); break;
              case "setWritable": setWritable(false); break;
              case "setReadable": setReadable(true, false); break;
              default: setLastModified(5);
            }
          }
        }
        static void changeMine(String file, String how) { new MyFile(file).change(how, new File("x")); }
        static void moveMine(String to) throws IOException {
          File made = File.createTempFile("abc", null);
          new MyFile(made.getPath()).change("renameTo", new File(to));
        }
        static boolean deleteSly(String file) throws IOException {
          String made = File.createTempFile("abc", null).getPath();
          return new File(file) { @Override public String getPath() { return made; } }.delete();
        }
        static void laterMine(String file) { new MyFile(file).later(); }
        static class Same {
          boolean setWritable(boolean is) { return is; }
          boolean renameTo(File file) { return file.getName().isEmpty(); }
        }
        static boolean same(String file) { return new Same().setWritable(true) | new Same().renameTo(new File(file)); }
        static boolean bound() {
          java.util.concurrent.Callable<Boolean> work = new java.util.concurrent.ArrayBlockingQueue<Boolean>(1) {{
            add(true);
          }}::take;
          try { return work.call(); } catch (Exception e) { return false; }
        }
      }
      """;

  @TempDir static Path folder;

  @Test
  void all_that_a_subclass_of_File_inherits_has_guards() throws IOException {
    Path classes = Sources.compile(folder, 8, "wild/Wild.java", WILD);
    String outside = Files.writeString(folder.resolve("other"), "x").toString();
    String end = " on a file that it did not make";
    try (WorkerProcess worker = WorkerProcess.patient(folder, classes)) {
      String ways = "deleteOnExit renameTo setWritable setReadable setLastModified";
      for (String how : ways.split(" ")) {
        assertEquals("denied File." + how + end, call(worker, "changeMine", "V", outside, how));
      }
      assertEquals("denied File.renameTo" + end, call(worker, "moveMine", "V", outside));
      assertEquals("denied File.deleteOnExit" + end, call(worker, "laterMine", "V", outside));
      assertEquals("denied File.delete" + end, call(worker, "deleteSly", "Z", outside));
      assertEquals("completed", call(worker, "same", "Z", outside));
      assertEquals("completed", call(worker, "bound", "Z"));
    }
  }

  private static String call(WorkerProcess worker, String name, String result, String... texts)
      throws IOException {
    String descriptor = "(" + "Ljava/lang/String;".repeat(texts.length) + ")" + result;
    Outcome outcome =
        worker.run(
            s -> {
              int[] slots = new int[texts.length];
              for (int i = 0; i < slots.length; i++) {
                slots[i] = s.text(texts[i]);
              }
              s.callStatic("wild/Wild", name, descriptor, slots);
            });
    return outcome.end();
  }
}
