//! How long each unit may take where the clock, not the count of steps, decides.
//!
//! Comes in: when generation started, how long it may take, what units took so far. Goes out: the next unit's [`Time`].
//! Two cases. An ordinary run has a time limit as a safety net: a unit may take up to eight times its fair share of
//! what is left, so that classes late in the alphabet get tests too and hardly any is cut. A study gives a time for generation alone, to be
//! used up: every unit gets its fair share of what is left, for finding sequences and for making tests of them; what a
//! unit leaves goes to those after it.
//! Does not know: what a unit does.

use crate::unit::Time;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Part of the time limit after which nothing new is looked for, so that verifying has the rest.
const GENERATION_SHARE: f64 = 0.7;
/// Fair shares that one unit may take of a safety net that is wide enough for most.
const SHARES: u32 = 8;
/// What finding and making are taken to need, in microseconds, before any unit has shown it.
const EXPECTED: (u64, u64) = (3_000_000, 1_000_000);

/// The clock of one run's generation.
#[derive(Debug)]
pub(crate) struct Schedule {
    /// Nothing new is looked for after this.
    generation: Instant,
    /// Nothing is run after this.
    end: Instant,
    workers: u32,
    is_study: bool,
    finding: AtomicU64,
    making: AtomicU64,
}

impl Schedule {
    /// `started` is when the run did, `now` is when generation does.
    pub(crate) fn new(
        started: Instant,
        now: Instant,
        limit: Duration,
        generation: Option<Duration>,
        workers: usize,
    ) -> Schedule {
        let end = started + limit;
        Schedule {
            generation: generation.map_or(started + limit.mul_f64(GENERATION_SHARE), |time| {
                end.min(now + time)
            }),
            end,
            workers: workers as u32,
            is_study: generation.is_some(),
            finding: AtomicU64::new(EXPECTED.0),
            making: AtomicU64::new(EXPECTED.1),
        }
    }

    /// The time of a unit that starts now, when `left` units, itself included, have the rest.
    pub(crate) fn next(&self, now: Instant, left: usize) -> Time {
        let rest = self.generation.saturating_duration_since(now);
        let fair = rest * self.workers / left as u32;
        let share = if self.is_study {
            let seconds = |micros: &AtomicU64| {
                Duration::from_micros(micros.load(Ordering::Relaxed)).as_secs_f64()
            };
            let (finding, making) = (seconds(&self.finding), seconds(&self.making));
            fair.mul_f64(finding / (finding + making))
        } else {
            fair * SHARES
        };
        Time {
            find_until: self.generation.min(now + share),
            end: self.end,
        }
    }

    /// A unit took so many seconds to find sequences and to make tests.
    pub(crate) fn took(&self, (finding, making): (f64, f64)) {
        let micros = |seconds: f64| Duration::from_secs_f64(seconds.max(0.0)).as_micros() as u64;
        self.finding.fetch_add(micros(finding), Ordering::Relaxed);
        self.making.fetch_add(micros(making), Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[expect(clippy::disallowed_methods, reason = "any moment will do")]
    fn now() -> Instant {
        Instant::now()
    }

    fn find(schedule: &Schedule, now: Instant, left: usize) -> f64 {
        let time = schedule.next(now, left);
        time.find_until.duration_since(now).as_secs_f64()
    }

    #[test]
    fn an_ordinary_run_gives_eight_fair_shares_and_keeps_time_to_verify() {
        let start = now();
        let schedule = Schedule::new(start, start, Duration::from_secs(100), None, 1);
        assert!((find(&schedule, start, 16) - 35.0).abs() < 1e-6);
        assert!((find(&schedule, start, 1) - 70.0).abs() < 1e-6);
    }

    #[test]
    fn a_study_shares_its_time_between_finding_and_making() {
        let start = now();
        let minute = Some(Duration::from_mins(1));
        let schedule = Schedule::new(start, start, Duration::from_secs(1000), minute, 1);
        // Six seconds for each of ten, a quarter of them expected for making.
        assert!((find(&schedule, start, 10) - 4.5).abs() < 1e-6);
        schedule.took((1.0, 3.0));
        assert!((find(&schedule, start, 10) - 3.0).abs() < 1e-6);
        // What the first nine left is the last one's.
        let later = start + Duration::from_secs(20);
        assert!((find(&schedule, later, 1) - 20.0).abs() < 1e-6);
        assert!(find(&schedule, start + Duration::from_secs(61), 1) < 1e-6);
    }
}
