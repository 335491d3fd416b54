package sample;

/** Schedules the end of the JVM as soon as anything of it is used. */
public class EagerScheduler {
  private static final Scheduler SCHEDULER = new Scheduler();
  private static final boolean IS_LATE = SCHEDULER.schedule(1);

  public static String name(int a) {
    return IS_LATE ? "late" : a > 0 ? "soon" : "now";
  }
}
