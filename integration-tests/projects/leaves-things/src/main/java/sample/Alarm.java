package sample;

import java.util.Timer;
import java.util.TimerTask;

/** Ends the JVM 12 seconds after it was armed, once for each way to do so. */
public class Alarm {
  private int armed;

  public int plus(int a) {
    return armed + a;
  }

  public int arm(int level) {
    if (level > 0) {
      later(new Timer(true));
      armed++;
    }
    return armed;
  }

  static void later(Timer timer) {
    timer.schedule(
        new TimerTask() {
          @Override
          public void run() {
            System.exit(3);
          }
        },
        12_000);
  }
}
