package sample;

/** Its own initialiser does nothing; one way leads to that of another class. */
public class AlarmUser {
  public int plain(int a) {
    return a < 5 ? a + 1 : a - 1;
  }

  public int alarming(int a) {
    return a == 0 ? 0 : EagerAlarm.twice(a);
  }
}
