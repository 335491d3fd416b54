package io.palus.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** All that differs between machines and runs differs between environments. */
class EnvironmentTest {
  /** As many as the engine's {@code ENVIRONMENTS}. */
  private static final int COUNT = 4;

  private static final String ASKS =
      """
      package asks;
      public class Asks {
        static final String BEFORE = System.getProperty("os.name");
        static String millis() { return "" + System.currentTimeMillis(); }
        static String nanos() { return "" + System.nanoTime(); }
        static String date() { return "" + java.time.LocalDate.now(); }
        static String zoned() { return "" + java.time.LocalDate.now(java.time.ZoneOffset.UTC); }
        static String clock() { return "" + java.time.Clock.systemUTC().millis(); }
        static String calendar() { return "" + java.util.Calendar.getInstance().getTimeInMillis(); }
        static String gregorian() { return "" + new java.util.GregorianCalendar().getTimeInMillis(); }
        static String gregorianIn() {
          java.util.TimeZone zone = java.util.TimeZone.getTimeZone("UTC");
          return "" + new java.util.GregorianCalendar(zone, java.util.Locale.US).getTimeInMillis();
        }
        static class Own extends java.util.GregorianCalendar {
          Own() { super(new java.util.GregorianCalendar().getTimeZone()); setTimeInMillis(System.currentTimeMillis()); }
        }
        static String ownCalendar() { return "" + new Own().getTimeInMillis(); }
        static String referred() {
          java.util.function.Supplier<java.util.Calendar> maker = java.util.GregorianCalendar::new;
          return "" + maker.get().getTimeInMillis();
        }
        static String ticks() { return "" + java.time.Clock.tickSeconds(java.time.ZoneOffset.UTC).millis(); }
        static String japanese() { return "" + java.time.chrono.JapaneseDate.now(); }
        static String chronology() { return "" + java.time.chrono.IsoChronology.INSTANCE.dateNow(); }
        static String random() { return "" + Math.random(); }
        static String seeded() { return "" + new java.util.Random().nextLong(); }
        static String uuid() { return "" + java.util.UUID.randomUUID(); }
        static String variable() { return System.getenv("ANY"); }
        static String unset() { return System.getProperty("any.property"); }
        static String number() { return "" + Integer.getInteger("any.number", 0); }
        static String system() { return System.getProperty("os.name"); }
        static String version() { return System.getProperty("java.version", "none"); }
        static String locale() { return "" + java.util.Locale.getDefault(); }
        static String zone() { return java.util.TimeZone.getDefault().getID(); }
        static String processors() { return "" + Runtime.getRuntime().availableProcessors(); }
        static String initialised() { return BEFORE; }
      }
      """;

  private static final String NAMES =
      "millis nanos date zoned clock calendar gregorian gregorianIn ownCalendar referred ticks"
          + " japanese chronology random seeded uuid variable unset number system"
          + " version locale zone processors initialised";

  @Test
  void each_answer_is_another_in_each_environment_and_the_usual_one_comes_back(@TempDir Path folder)
      throws IOException {
    Path classes = Sources.compile(folder, 11, "asks/Asks.java", ASKS);
    try (WorkerProcess worker = WorkerProcess.patient(folder.resolve("worker"), classes)) {
      for (String name : NAMES.split(" ")) {
        List<String> answers = new ArrayList<>();
        for (int environment = 0; environment < COUNT; environment++) {
          answers.add(ask(worker, environment, name));
        }
        assertEquals(COUNT, new HashSet<>(answers).size(), () -> name + " " + answers);
        assertEquals(answers.get(0), ask(worker, 0, name), name);
      }
    }
  }

  private static String ask(WorkerProcess worker, int environment, String name) throws IOException {
    worker.beginIn(environment);
    Outcome outcome =
        worker.run(sequence -> sequence.callStatic("asks/Asks", name, "()Ljava/lang/String;"));
    assertEquals("completed", outcome.end(), name);
    return outcome.observations().get(0);
  }
}
