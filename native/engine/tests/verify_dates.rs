//! What holds on most days is no fact of a test.

use crate::worker_lab::verified;
use palus_engine::verify::{DropReason, Repeat, TestId, Verdict};

const DATED: (&str, &str) = (
    "demo/DatedTest.java",
    r#"
package demo;
import java.time.*;
import java.util.*;
public class DatedTest {
  public void stable_between_ways_to_ask() {
    long now = System.currentTimeMillis();
    check(Math.abs(new Date().getTime() - now) < 600_000);
    check(Math.abs(Calendar.getInstance().getTimeInMillis() - now) < 600_000);
    check(Math.abs(new GregorianCalendar(TimeZone.getTimeZone("UTC")).getTimeInMillis() - now) < 600_000);
    check(Math.abs(Clock.systemUTC().millis() - now) < 600_000);
    check(Math.abs(Clock.tickMinutes(ZoneId.of("UTC")).millis() - now) < 600_000);
    check(!LocalDateTime.now().isBefore(LocalDateTime.ofInstant(new Date(now).toInstant(), ZoneId.systemDefault())));
  }
  public void stable_on_every_day() { check(LocalDate.now().getDayOfMonth() < 32); }
  public void last_day() { check(LocalDate.now().getDayOfMonth() != 30); }
  public void leap_day() { check(!MonthDay.now().equals(MonthDay.of(2, 29))); }
  public void month() { check(Calendar.getInstance().get(Calendar.MONTH) != Calendar.DECEMBER); }
  public void new_year() { check(new GregorianCalendar().get(Calendar.DAY_OF_YEAR) != 1); }
  public void weekday() { check(LocalDate.now(ZoneId.systemDefault()).getDayOfWeek() != DayOfWeek.WEDNESDAY); }
  public void sunday() { check(ZonedDateTime.now(Clock.systemDefaultZone()).getDayOfWeek() != DayOfWeek.SUNDAY); }
  public void midnight() { check(new Date().getHours() != 0); }
  public void thai() { check(java.time.chrono.ThaiBuddhistDate.now().get(java.time.temporal.ChronoField.DAY_OF_MONTH) != 30); }
  public void noon() { check(LocalTime.now().getHour() != 12); }
  public void century() { check(LocalDate.now().getYear() % 100 < 30); }
  public void decade() { check(Year.now().getValue() % 10 != 4); }
  static void check(boolean fact) { if (!fact) throw new AssertionError(); }
}
"#,
);

#[test]
fn what_holds_on_most_days_is_dropped() {
    let compiled = palus_fixture::compile(&[DATED]);
    let names = "stable_between_ways_to_ask stable_on_every_day last_day leap_day month new_year weekday sunday thai midnight noon century decade";
    let names: Vec<&str> = names.split(' ').collect();
    let tests = names.iter().map(|&name| TestId {
        class: "demo.DatedTest".into(),
        method: name.into(),
        repeat: Repeat::Often,
        is_kept: false,
    });
    let verdicts = verified(&compiled.dir, &tests.collect::<Vec<_>>(), 0);
    for (name, verdict) in names.iter().zip(&verdicts) {
        // The real date is one of those, now and then: then it fails in the first run.
        let is_dropped = matches!(
            verdict,
            Verdict::Failed {
                reason: DropReason::FailsElsewhere | DropReason::FailsWhenRunAgain,
                ..
            }
        );
        assert_eq!(
            is_dropped,
            !name.starts_with("stable"),
            "{name}: {verdicts:?}"
        );
    }
}
