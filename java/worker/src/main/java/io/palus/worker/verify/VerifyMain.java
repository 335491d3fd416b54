package io.palus.worker.verify;

import io.palus.worker.Denials;
import io.palus.worker.ExitCode;
import io.palus.worker.KernelNotes;
import io.palus.worker.Logging;
import io.palus.worker.UserFiles;
import io.palus.worker.Wire;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.List;

/**
 * Runs tests in the order of a list and tells of each on the {@link Wire}: {@code start i}, then
 * {@code pass i}, {@code fail i <text>}, {@code deny i <text>} or {@code slow i}, once per run of
 * it; at the end {@code done}. A test that ends the JVM has a start only. Where that is asked for,
 * {@code at i <line>} before a {@code fail} or {@code deny} is the line of the test that failed.
 */
public final class VerifyMain {
  private static final String USAGE =
      "usage: VerifyMain [--limit <milliseconds>] [--search <most>] [--orders <number>] [--lines]"
          + " [--user <folder>] [--bare-user <folder>] [--wire <in>,<out>] <list file>";

  private VerifyMain() {}

  /**
   * Runs the tests.
   *
   * @param arguments {@code [--limit <milliseconds>] [--search <most>] [--orders <number>]
   *     [--lines] [--user <folder>] [--bare-user <folder>] [--wire <in>,<out>] <list file>}; the
   *     folder is for what stands for the user's files, which are none if it is bare, and then the
   *     machine seems to be another; a line of the file is a binary class name, a tab, a method
   *     name; with a tab and {@code often} the test runs again after all others, in rounds with
   *     classes loaded anew; with {@code collect} garbage is collected after each call it makes,
   *     and then it runs again and again while garbage is collected; with {@code anew} all classes
   *     are loaded anew before it. At the end those that passed run again in so many other orders.
   *     A search runs the first test again after each other one, until it has failed so often
   * @throws IOException if the list cannot be read
   */
  public static void main(String[] arguments) throws IOException {
    int limitMillis = 0;
    String list = null;
    int mostFound = 0;
    int orders = 0;
    String user = null;
    boolean isBare = false;
    boolean tellsLines = false;
    String wire = null;
    for (int i = 0; i < arguments.length; i++) {
      if (arguments[i].equals("--limit") && i + 1 < arguments.length) {
        limitMillis = parse(arguments[++i]);
      } else if (arguments[i].equals("--search") && i + 1 < arguments.length) {
        mostFound = parse(arguments[++i]);
      } else if (arguments[i].equals("--orders") && i + 1 < arguments.length) {
        orders = parse(arguments[++i]);
      } else if (arguments[i].equals("--lines")) {
        tellsLines = true;
      } else if (arguments[i].equals("--wire") && i + 1 < arguments.length) {
        wire = arguments[++i];
      } else if (arguments[i].endsWith("user") && i + 1 < arguments.length) {
        isBare = arguments[i].equals("--bare-user");
        user = arguments[++i];
      } else {
        list = arguments[i];
      }
    }
    if (list == null || limitMillis < 0 || mostFound < 0 || orders < 0) {
      System.err.println(USAGE);
      System.exit(ExitCode.WRONG_ARGUMENTS.number());
    }
    PrintStream out = new PrintStream(Wire.open(wire).output, false, StandardCharsets.UTF_8.name());
    List<ListedTest> tests = ListedTest.read(Files.readAllBytes(Paths.get(list)));
    if (isBare) {
      GuardAgent.pretendBuildTool(new File(user));
    }
    KernelNotes notes = KernelNotes.open();
    UserFiles files = UserFiles.in(user, isBare, notes);
    Denials kernel = Denials.ofThisThreadAndNewOnes(notes);
    Logging logging = Logging.onClassPath();
    kernel.begin(() -> logging.begin(ClassLoader.getSystemClassLoader()));
    files.restore(); // whatever logs there were
    for (ListedTest test : tests) {
      if (test.how == ListedTest.How.COLLECT) {
        GuardAgent.collectIn(test.type);
      }
    }
    TestRun run = new TestRun(tests, out, limitMillis, files, kernel);
    if (tellsLines) {
      run.tellLines();
    }
    if (isBare) {
      OtherMachine.pretend();
      // Objects that live as long as the JVM get other hash codes than in the first pass, whose
      // thread draws the same ones in the same order.
      System.identityHashCode(new Object());
    }
    ExitCode code = mostFound > 0 ? run.search(mostFound) : run.runAll(orders);
    // Not halt: a coverage agent writes its data in a shutdown hook.
    System.exit(code.number());
  }

  private static int parse(String number) {
    try {
      return Integer.parseInt(number);
    } catch (NumberFormatException e) {
      return -1;
    }
  }
}
