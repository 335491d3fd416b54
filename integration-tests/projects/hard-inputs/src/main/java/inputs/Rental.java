package inputs;

import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Calendar;
import java.util.Date;

/** Dates old and new. */
public class Rental {
  public String days(LocalDate from, LocalDate to) {
    if (to.isBefore(from)) {
      return "reached a reversed rental";
    }
    return from.plusDays(3).isBefore(to) ? "reached a long rental" : "short";
  }

  public String hour(LocalDateTime at, ZoneId zone) {
    ZonedDateTime there = at.atZone(zone);
    return there.getHour() > 17 ? "reached the evening" : "day";
  }

  public String old(Date date, Calendar calendar) {
    if (date.getTime() < 0) {
      return "reached a date long ago";
    }
    return calendar.get(Calendar.DAY_OF_WEEK) == Calendar.MONDAY ? "reached a Monday" : "other";
  }
}
