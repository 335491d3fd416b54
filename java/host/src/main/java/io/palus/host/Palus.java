package io.palus.host;

import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;

/** The way into the engine, which lives in a native library of this JVM. */
public final class Palus {
  /** How long an ending JVM waits for the engine to put away its workers and files. */
  private static final long GRACE_SECONDS = 5;

  private Palus() {}

  /**
   * Why nothing of Palus runs on this system, where its native library is missing or cannot be
   * loaded, and what to do.
   *
   * @return sentences without the last one's end; empty where it runs
   */
  public static Optional<String> missing() {
    return NativeLibrary.missing().map(why -> why + ". Set `skip` on others, and nothing is said");
  }

  /** What a build says once in which Palus cannot work, for a reason such as {@link #missing}. */
  public static String leavesAlone(String why) {
    return "Palus does nothing in this build, and no written test runs: " + why;
  }

  /**
   * Runs the whole pipeline once. Blocks; an interrupt of the calling thread ends it early with
   * kind {@link PalusException.Kind#CANCELLED}, and the tests verified so far stay.
   */
  public static GenerationReport generate(Settings settings, Console console) {
    return GenerationReport.fromPairs(call(settings, console, Palus::generate0));
  }

  /**
   * Runs the tests of the last run on what the code is now, and replaces none. Blocks as {@link
   * #generate} does.
   *
   * @throws PalusException of kind {@link PalusException.Kind#BEHAVIOUR_CHANGE} where one fails
   */
  public static void compare(Settings settings, Console console) {
    call(settings, console, Palus::compare0);
  }

  /**
   * Replaces the tests of the last run that fail on what the code is now, and no other test or
   * file. Blocks as {@link #generate} does.
   */
  public static void accept(Settings settings, Console console) {
    call(settings, console, Palus::accept0);
  }

  /**
   * Compares what the code does with what that of another revision does, and writes what differs
   * into the report. Blocks as {@link #generate} does.
   */
  public static void differences(Settings settings, Console console) {
    call(settings, console, Palus::differences0);
  }

  /** Moves written tests into the project's own test sources. */
  public static void promote(Settings settings, Console console) {
    call(settings, console, Palus::promote0);
  }

  /**
   * Tells the console what the last run knows about one method; reads the files of its report and
   * runs nothing.
   */
  public static void explain(Settings settings, Console console) {
    call(settings, console, Palus::explain0);
  }

  /**
   * Checks what a user set, before anything else of a run begins: the values of options, that no
   * property means an option and misses its name, and, where the settings name them, that folders
   * of Palus are for Palus alone.
   *
   * @param properties the names of properties that the user may have set for Palus
   * @param known what a property may be called after {@code palus.}
   * @throws PalusException of kind {@link PalusException.Kind#CONFIGURATION}, naming what is wrong
   */
  public static void check(
      Settings options, Iterable<String> properties, Set<String> known, Console console) {
    SettingNames.checkProperties(properties, known, console);
    call(options, console, Palus::check0);
  }

  /**
   * Checks the names of elements in a plugin's configuration, as those of properties.
   *
   * @throws PalusException of kind {@link PalusException.Kind#CONFIGURATION}, naming what is wrong
   */
  public static void checkElements(Iterable<String> elements, Set<String> known, Console console) {
    SettingNames.checkElements(elements, known, console);
  }

  private static String[] call(
      Settings settings, Console console, BiFunction<String[], Console, String[]> engine) {
    NativeLibrary.load();
    Thread caller = Thread.currentThread();
    CountDownLatch done = new CountDownLatch(1);
    Thread hook = new Thread(() -> stop(caller, done), "palus-shutdown");
    boolean hooked = addHook(hook);
    try {
      return engine.apply(withProperties(settings).toPairs(), console);
    } finally {
      done.countDown();
      if (hooked) {
        removeHook(hook);
      }
    }
  }

  /** With the properties of this JVM: a build passes them on to its tests, secrets too. */
  private static Settings withProperties(Settings settings) {
    Settings.Builder builder = Settings.builder().setAll(settings);
    Properties properties = System.getProperties();
    for (String name : new TreeSet<>(properties.stringPropertyNames())) {
      if (!name.startsWith("java.") && !name.startsWith("sun.")) {
        builder.set(Settings.BUILD_PROPERTY, name + "=" + properties.getProperty(name));
      }
    }
    return builder.build();
  }

  private static void stop(Thread caller, CountDownLatch done) {
    caller.interrupt();
    try {
      done.await(GRACE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static boolean addHook(Thread hook) {
    try {
      Runtime.getRuntime().addShutdownHook(hook);
      return true;
    } catch (IllegalStateException e) {
      return false; // The JVM is ending already.
    }
  }

  private static void removeHook(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The JVM is ending, and the hook has been told that we are done.
    }
  }

  private static native String[] generate0(String[] settings, Console console);

  private static native String[] compare0(String[] settings, Console console);

  private static native String[] accept0(String[] settings, Console console);

  private static native String[] differences0(String[] settings, Console console);

  private static native String[] promote0(String[] settings, Console console);

  private static native String[] check0(String[] settings, Console console);

  private static native String[] explain0(String[] settings, Console console);

  /** Called by the native side, so that the exception's class is of this class's own loader. */
  private static Throwable exception(String kind, String message, String hint) {
    return new PalusException(PalusException.Kind.valueOf(kind), message, hint);
  }
}
