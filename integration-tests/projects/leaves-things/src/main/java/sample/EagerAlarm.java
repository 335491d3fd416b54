package sample;

import java.util.Timer;

/** Arms the alarm as soon as anything of it is used. */
public class EagerAlarm {
  private static final Timer TIMER = new Timer("eager", true);

  static {
    Alarm.later(TIMER);
  }

  public static int twice(int a) {
    return a > 10 ? a * 2 : a + 2;
  }
}
