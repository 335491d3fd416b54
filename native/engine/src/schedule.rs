//! How long each unit may take where the clock, not the count of steps, decides.
//!
//! Comes in: when generation started, how long it may take, what units took so far. Goes out: the next unit's [`Time`].
//! Two cases. An ordinary run has a time limit as a safety net: a unit may take half of what those after it will leave,
//! by what units took so far, and up to eight times its fair share in any case, so that classes late in the alphabet
//! get tests too and hardly any is cut. A study gives a time for generation alone, to be
//! used up: every unit gets its fair share of what is left, for fresh classes in its worker, for finding sequences and for
//! making tests of them; what a unit leaves goes to those after it. A share counts from the first batch on, so
//! that no class is left without a sequence because loading it took long.
//! Does not know: what a unit does.

use crate::unit::{Seconds, Time};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Part of the time limit after which nothing new is looked for, so that verifying has the rest.
const GENERATION_SHARE: f64 = 0.7;
/// Fair shares that one unit may take of a safety net that is wide enough for most.
const SHARES: u32 = 8;
/// Part of its fair share that a unit has for finding and making, however long fresh classes take.
const AT_LEAST: f64 = 0.3;
/// What finding and making are taken to need, in microseconds, before any unit has shown it.
const EXPECTED: (u64, u64) = (300_000, 100_000);

/// The clock of one run's generation.
#[derive(Debug)]
pub(crate) struct Schedule {
    /// Nothing new is looked for after this.
    generation: Instant,
    /// Nothing is run after this.
    end: Instant,
    workers: u32,
    is_study: bool,
    /// Microseconds that units took so far, and how many units.
    beginning: AtomicU64,
    finding: AtomicU64,
    making: AtomicU64,
    units: AtomicU32,
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
            beginning: AtomicU64::new(0),
            finding: AtomicU64::new(EXPECTED.0),
            making: AtomicU64::new(EXPECTED.1),
            units: AtomicU32::new(0),
        }
    }

    /// The time of a unit that starts now, when `left` units, itself included, have the rest.
    pub(crate) fn next(&self, now: Instant, left: usize) -> Time {
        let rest = self.generation.saturating_duration_since(now);
        let fair = rest * self.workers / left as u32;
        let seconds = |micros: &AtomicU64| {
            Duration::from_micros(micros.load(Ordering::Relaxed)).as_secs_f64()
        };
        let (finding, making) = (seconds(&self.finding), seconds(&self.making));
        let beginning = seconds(&self.beginning);
        let ended = self.units.load(Ordering::Relaxed);
        let units = f64::from(ended.max(1));
        if !self.is_study {
            let mut longest = fair * SHARES;
            if ended > 0 {
                let needed = (beginning + finding + making) / units * f64::from(left as u32);
                let needed = Duration::from_secs_f64(needed) / self.workers;
                longest = longest.max(rest.saturating_sub(needed) / 2);
            }
            return Time {
                find_for: None,
                find_until: self.generation.min(now + longest),
                end: self.end,
            };
        }
        let fair = fair.as_secs_f64();
        let begun = (fair - beginning / units).max(fair * AT_LEAST);
        Time {
            find_for: Some(Duration::from_secs_f64(
                begun * finding / (finding + making),
            )),
            find_until: self.generation,
            end: self.end,
        }
    }

    /// A unit took so many seconds.
    pub(crate) fn took(&self, seconds: Seconds) {
        let add = |to: &AtomicU64, seconds: f64| {
            let micros = Duration::from_secs_f64(seconds.max(0.0)).as_micros() as u64;
            to.fetch_add(micros, Ordering::Relaxed);
        };
        add(&self.beginning, seconds.beginning);
        add(&self.finding, seconds.finding);
        add(&self.making, seconds.making);
        self.units.fetch_add(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[expect(clippy::disallowed_methods, reason = "any moment will do")]
    fn now() -> Instant {
        Instant::now()
    }

    #[test]
    fn an_ordinary_run_gives_eight_fair_shares_and_keeps_time_to_verify() {
        let start = now();
        let schedule = Schedule::new(start, start, Duration::from_secs(100), None, 1);
        let until = |left| schedule.next(start, left).find_until.duration_since(start);
        assert!((until(16).as_secs_f64() - 35.0).abs() < 1e-6);
        assert!((until(1).as_secs_f64() - 70.0).abs() < 1e-6);
        assert_eq!(schedule.next(start, 1).find_for, None);
    }

    #[test]
    fn an_ordinary_unit_may_take_half_of_what_those_after_it_will_leave() {
        let start = now();
        let schedule = Schedule::new(start, start, Duration::from_secs(100), None, 2);
        let until = |left| schedule.next(start, left).find_until.duration_since(start);
        assert!((until(700).as_secs_f64() - 70.0 * 2.0 / 700.0 * 8.0).abs() < 1e-6);
        schedule.took(took(0.0, 0.0, 0.0));
        // 100 units of 0.4 s each by two workers.
        assert!((until(100).as_secs_f64() - 25.0).abs() < 1e-6);
        assert!((until(350).as_secs_f64() - 70.0 * 2.0 / 350.0 * 8.0).abs() < 1e-6);
    }

    #[test]
    fn a_study_shares_its_time_between_finding_and_making() {
        let start = now();
        let minute = Some(Duration::from_mins(1));
        let schedule = Schedule::new(start, start, Duration::from_secs(1000), minute, 1);
        // Six seconds for each of ten, a quarter of them expected for making.
        assert!((find(&schedule, start, 10) - 4.5).abs() < 1e-6);
        schedule.took(took(0.0, 0.1, 0.3));
        assert!((find(&schedule, start, 10) - 3.0).abs() < 1e-6);
        // What the first nine left is the last one's.
        let later = start + Duration::from_secs(20);
        assert!((find(&schedule, later, 1) - 20.0).abs() < 1e-6);
        assert!(find(&schedule, start + Duration::from_secs(61), 1) < 1e-6);
    }

    #[test]
    fn a_study_sets_time_aside_for_fresh_classes_but_never_all_of_it() {
        let start = now();
        let minute = Some(Duration::from_mins(1));
        let schedule = Schedule::new(start, start, Duration::from_secs(1000), minute, 1);
        schedule.took(took(2.0, 0.1, 0.3));
        // Six seconds for each of ten: two for classes, half of the rest for finding.
        assert!((find(&schedule, start, 10) - 2.0).abs() < 1e-6);
        schedule.took(took(1000.0, 0.0, 0.0));
        assert!((find(&schedule, start, 10) - 6.0 * AT_LEAST / 2.0).abs() < 1e-6);
    }

    fn find(schedule: &Schedule, now: Instant, left: usize) -> f64 {
        let time = schedule.next(now, left);
        time.find_for.expect("a study's").as_secs_f64()
    }

    fn took(beginning: f64, finding: f64, making: f64) -> Seconds {
        Seconds {
            beginning,
            finding,
            making,
        }
    }
}
