package inputs;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/** Clocks, instants and durations. */
public class Offer {
  private final Instant end;
  private final Duration grace;

  public Offer(Instant end, Duration grace) {
    this.end = end;
    this.grace = grace;
  }

  public String state(Clock clock) {
    Instant now = clock.instant();
    if (now.isBefore(end)) {
      return "reached before the end";
    }
    return now.isBefore(end.plus(grace)) ? "reached the time of grace" : "over";
  }
}
