package io.palus.worker.runtime;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;

/** Shows {@link Fixed} time, which goes on with each look; equal to others of its zone. */
final class FixedClock extends Clock {
  private final ZoneId zone;

  FixedClock(ZoneId zone) {
    if (zone == null) {
      throw new NullPointerException("zone");
    }
    this.zone = zone;
  }

  @Override
  public ZoneId getZone() {
    return zone;
  }

  @Override
  public Clock withZone(ZoneId other) {
    return new FixedClock(other);
  }

  @Override
  public long millis() {
    return Fixed.currentTimeMillis();
  }

  @Override
  public Instant instant() {
    return Instant.ofEpochMilli(millis());
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof FixedClock && zone.equals(((FixedClock) other).zone);
  }

  @Override
  public int hashCode() {
    return zone.hashCode() + 1;
  }

  @Override
  public String toString() {
    return "SystemClock[" + zone + "]";
  }
}
