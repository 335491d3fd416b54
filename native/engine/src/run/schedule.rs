//! How long each unit may take where the clock, not the count of steps, decides.
//!
//! Comes in: when generation started, how long it may take, what units took so far. Goes out: the next unit's [`Time`].
//! Two cases. An ordinary run has a time limit as a safety net: a unit may take half of what those after it will leave,
//! by what units took so far, so that hardly any is cut where the limit suffices for all; and its fair share in any case, so
//! that where it does not, classes late in the alphabet get tests too, and those that wait for theirs keep the time for it.
//! The first, of which nothing is known, may take eight fair shares, but no more than an eighth of the rest if that is more than one; so may some after it at least. Part of it is for making tests. Units of the
//! last batch that were cut go on with what all of them left. A study gives a time for generation alone, to be
//! used up: every unit gets its fair share of what is left, for fresh classes in its worker, for finding sequences and for
//! making tests of them; what a unit leaves goes to those after it. A share counts from the first batch on, so
//! that no class is left without a sequence because loading it took long. Units that lend time to one another get no more
//! than their fair share of the whole at first, and then, one after the other, parts of what all of them left.
//! Does not know: what a unit does.

use crate::run::unit::{Seconds, Time};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Part of the time limit, without what loading took, that is kept for verifying: after the rest nothing new is looked for.
const VERIFYING: f64 = 0.3;
/// Where that is less than so long, more is kept for it: starting a compiler and JVMs takes as long for few tests.
const VERIFYING_NEEDS: Duration = Duration::from_secs(12);
/// But never more than this part.
const VERIFYING_AT_MOST: f64 = 0.6;
/// Part of the time kept for verifying that units may still use to make tests of what they found.
const MAKING: u32 = 3;
/// Fair shares that a unit may take before any has shown what units take, and the most of the rest that they may be.
const SHARES: u32 = 8;
/// Units of each worker that show what units take.
const ENOUGH: u32 = 4;
/// Part of a unit's time that is kept for making tests of what it found.
const MAKING_OF_UNIT: f64 = 0.4;
/// Part of its fair share that a unit has for finding and making, however long fresh classes take.
const AT_LEAST: f64 = 0.3;
/// What finding and making are taken to need, in microseconds, before any unit has shown it.
const EXPECTED: (u64, u64) = (380_000, 20_000);
/// Part of a share of the whole below which time is not worth lending: classes are loaded, and compiled, anew.
const WORTH_LENDING: f64 = 0.2;

/// What a unit that goes on gets of what is left.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lent {
    /// Its part, by what is open in it and in those after it.
    pub(crate) part: f64,
    /// How many there are, itself included.
    pub(crate) waiting: usize,
}

/// The clock of one run's generation.
#[derive(Debug)]
pub(crate) struct Schedule {
    /// Nothing new is looked for after this.
    generation: Instant,
    /// No test is made after this.
    end: Instant,
    workers: u32,
    is_study: bool,
    /// How many units, the last ones, lend time to one another.
    lending: usize,
    /// Most that each of them gets at first.
    whole: Duration,
    /// Microseconds that units took so far, and how many units.
    beginning: AtomicU64,
    finding: AtomicU64,
    making: AtomicU64,
    units: AtomicU32,
    /// Of them those whose tests are still to be made.
    waiting: AtomicU32,
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
        // On a busy machine loading alone takes long: only what it left can be shared.
        let rest = end.saturating_duration_since(now);
        let kept = kept_for_verifying(rest);
        let finding = now + rest.saturating_sub(kept);
        Schedule {
            generation: generation.map_or(finding, |time| end.min(now + time)),
            end: generation.map_or(finding + kept / MAKING, |_| end),
            workers: workers as u32,
            is_study: generation.is_some(),
            lending: 0,
            whole: Duration::MAX,
            beginning: AtomicU64::new(0),
            finding: AtomicU64::new(EXPECTED.0),
            making: AtomicU64::new(EXPECTED.1),
            units: AtomicU32::new(0),
            waiting: AtomicU32::new(0),
        }
    }

    /// True where the time for generation is over, and what is left is for verifying what there is.
    pub(crate) fn is_short(&self, now: Instant) -> bool {
        !self.is_study && now >= self.generation
    }

    /// In a study the last so many of all units lend time to one another; generation begins at `begins`.
    pub(crate) fn with_lending(self, begins: Instant, all: usize, lending: usize) -> Schedule {
        let whole = self.generation.saturating_duration_since(begins);
        Schedule {
            lending,
            whole: whole * self.workers / all.max(1) as u32,
            ..self
        }
    }

    /// The time of a unit that starts now, when `left` units, itself included, have the rest.
    pub(crate) fn next(&self, now: Instant, left: usize) -> Time {
        let rest = self.generation.saturating_duration_since(now);
        // Those that wait have their time for making tests still to come.
        let waiting = f64::from(self.waiting.load(Ordering::Relaxed)) * MAKING_OF_UNIT;
        let shares = (f64::from(left as u32) + waiting) / f64::from(self.workers);
        let fair = rest.div_f64(shares);
        let beginning = seconds(&self.beginning);
        let ended = self.units.load(Ordering::Relaxed);
        let units = f64::from(ended.max(1));
        if !self.is_study {
            // What a unit is taken to need counts as one that ended.
            let (finding, making) = (seconds(&self.finding), seconds(&self.making));
            let mean = (beginning + finding + making) / f64::from(ended + 1);
            let needed = Duration::from_secs_f64(mean * shares);
            let at_first = (fair * SHARES).min(fair.max(rest / SHARES));
            let longest = match ended {
                0 => at_first,
                few if few < ENOUGH * self.workers => at_first.max(rest.saturating_sub(needed) / 2),
                _ => fair.max(rest.saturating_sub(needed) / 2),
            };
            // Each has its share of what is over generation's time as well, to make tests.
            let over = self.end.saturating_duration_since(self.generation.max(now));
            let more = over.div_f64(shares);
            let making = match ended {
                0 => now + longest * 2 + more,
                _ if needed <= rest && waiting == 0.0 => self.end,
                _ => now + longest + more,
            };
            return Time {
                find_for: None,
                find_until: self
                    .generation
                    .min(now + longest.mul_f64(1.0 - MAKING_OF_UNIT)),
                end: self.end.min(making),
                latest: self.end,
                may_go_on: left <= self.lending && left > self.workers as usize,
            };
        }
        let may_go_on = left <= self.lending;
        let fair = if may_go_on {
            fair.min(self.whole)
        } else {
            fair
        };
        let fair = fair.as_secs_f64();
        let begun = (fair - beginning / units).max(fair * AT_LEAST);
        Time {
            may_go_on,
            ..self.study(begun)
        }
    }

    /// The time of a unit that goes on now with this part of what is left; in a study none for finding where that is little,
    /// or fresh classes, which took so many seconds before, would take all of it.
    pub(crate) fn lent(&self, now: Instant, lent: Lent, beginning: f64) -> Time {
        let rest = self.generation.saturating_duration_since(now);
        let Lent { part, waiting } = lent;
        if !self.is_study {
            // Each has tests to make, for which time was kept, however little is open in it; more than that is shared.
            let rest = self.end.saturating_duration_since(now);
            let waiting = u32::try_from(waiting).unwrap_or(u32::MAX).max(1);
            let equal = rest / waiting;
            let kept = self.whole.max(equal).mul_f64(MAKING_OF_UNIT).min(equal);
            let over = rest.saturating_sub(kept * waiting).mul_f64(part);
            let longest = kept + over;
            let find_until = now + over.min(longest.mul_f64(1.0 - MAKING_OF_UNIT));
            return Time {
                find_for: None,
                find_until: self.generation.min(find_until),
                end: now + longest,
                latest: self.end,
                may_go_on: false,
            };
        }
        let begun = rest.as_secs_f64() * part - beginning;
        let is_worth_it = begun >= self.whole.as_secs_f64() * WORTH_LENDING;
        self.study(if is_worth_it { begun } else { 0.0 })
    }

    /// So many seconds, without what making tests is taken to need of them.
    fn study(&self, begun: f64) -> Time {
        let (finding, making) = (seconds(&self.finding), seconds(&self.making));
        Time {
            find_for: Some(Duration::from_secs_f64(
                begun * finding / (finding + making),
            )),
            find_until: self.generation,
            end: self.end,
            latest: self.end,
            may_go_on: false,
        }
    }

    /// A unit took so many seconds.
    pub(crate) fn took(&self, seconds: Seconds) {
        self.waits(seconds);
        self.went_on(seconds);
    }

    /// A unit is to go on later. Finding counts only together with making, or making would seem to take less than it does.
    pub(crate) fn waits(&self, seconds: Seconds) {
        add(&self.beginning, seconds.beginning);
        self.units.fetch_add(1, Ordering::Relaxed);
    }

    /// The same of a unit of an ordinary run, whose tests are made with time that is kept for that.
    pub(crate) fn waits_with_tests(&self, seconds: Seconds) {
        self.took(seconds);
        self.waiting.fetch_add(1, Ordering::Relaxed);
    }

    /// A unit that waited took so many seconds in all.
    pub(crate) fn went_on(&self, seconds: Seconds) {
        add(&self.finding, seconds.finding);
        add(&self.making, seconds.making);
    }
}

/// How much of so much time is for verifying.
fn kept_for_verifying(limit: Duration) -> Duration {
    let most = limit.mul_f64(VERIFYING_AT_MOST);
    limit.mul_f64(VERIFYING).max(VERIFYING_NEEDS.min(most))
}

fn seconds(micros: &AtomicU64) -> f64 {
    Duration::from_micros(micros.load(Ordering::Relaxed)).as_secs_f64()
}

fn add(to: &AtomicU64, seconds: f64) {
    let micros = Duration::from_secs_f64(seconds.max(0.0)).as_micros() as u64;
    to.fetch_add(micros, Ordering::Relaxed);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[expect(clippy::disallowed_methods, reason = "any moment will do")]
    fn now() -> Instant {
        Instant::now()
    }

    #[test]
    fn the_first_units_of_an_ordinary_run_get_eight_fair_shares_and_all_keep_time_to_make_tests_and_to_verify()
     {
        let start = now();
        let schedule = Schedule::new(start, start, Duration::from_secs(100), None, 1);
        let time = |left| {
            let time = schedule.next(start, left);
            assert_eq!(time.find_for, None);
            let seconds = |until: Instant| until.duration_since(start).as_secs_f64();
            (seconds(time.find_until), seconds(time.end))
        };
        let is = |left, (find, end): (f64, f64)| {
            let (found, ended) = time(left);
            (found - find).abs() < 1e-6 && (ended - end).abs() < 1e-6
        };
        // Seventy seconds are for generation, and a third of the others for the last tests that are made.
        assert!(is(500, (0.672, 2.26)), "{:?}", time(500));
        assert!(is(16, (5.25, 18.125)), "{:?}", time(16));
        assert!(is(1, (42.0, 80.0)), "{:?}", time(1));
    }

    #[test]
    fn where_units_take_more_than_there_is_each_gets_its_fair_share_of_the_rest() {
        let start = now();
        let schedule = Schedule::new(start, start, Duration::from_secs(100), None, 1);
        let schedule = schedule.with_lending(start, 10, 10);
        let mut at = start;
        let mut shares = Vec::new();
        for left in (1..=10).rev() {
            let end = schedule.next(at, left).end;
            shares.push(end.duration_since(at).as_secs_f64());
            at = end;
            schedule.took(took(0.0, 1000.0, 1000.0));
        }
        // The first two, before which little is known, get more; all of them together get what is not kept for verifying.
        assert!(shares[0] > shares[1] && shares[1] > shares[2], "{shares:?}");
        let alike = |share: &f64| (share - shares[2]).abs() < 0.01;
        assert!(shares[2..].iter().all(alike), "{shares:?}");
        let all = at.duration_since(start).as_secs_f64();
        assert!((all - 80.0).abs() < 0.01, "{shares:?}");
    }

    #[test]
    fn units_that_wait_for_their_tests_keep_the_time_to_make_them() {
        let start = now();
        let schedule = Schedule::new(start, start, Duration::from_secs(100), None, 1);
        let schedule = schedule.with_lending(start, 10, 10);
        let mut at = start;
        for left in (2..=10).rev() {
            let time = schedule.next(at, left);
            assert!(time.may_go_on);
            let found = time.find_until.duration_since(at).as_secs_f64();
            at = time.find_until;
            schedule.waits_with_tests(took(0.0, found, 0.0));
        }
        // The last one cannot wait, and takes all that it may.
        let last = schedule.next(at, 1);
        assert!(!last.may_go_on);
        at = last.end;
        let mut shares = Vec::new();
        for waiting in (1..=9).rev() {
            let part = 1.0 / f64::from(waiting);
            let lent = Lent {
                part,
                waiting: usize::try_from(waiting).expect("a few"),
            };
            let time = schedule.lent(at, lent, 0.0);
            let found = time.find_until.min(time.end).saturating_duration_since(at);
            shares.push(
                time.end
                    .duration_since(at)
                    .saturating_sub(found)
                    .as_secs_f64(),
            );
            at = time.end;
        }
        // Seven of seventy seconds for each, four tenths of them for making tests.
        assert!(shares.iter().all(|share| *share > 2.75), "{shares:?}");
    }

    #[test]
    fn of_a_short_limit_more_is_kept_for_verifying_and_of_a_long_one_three_tenths() {
        let kept = |limit| kept_for_verifying(Duration::from_secs(limit)).as_secs_f64();
        for (limit, seconds) in [(10, 6.0), (15, 9.0), (20, 12.0), (40, 12.0), (600, 180.0)] {
            assert!((kept(limit) - seconds).abs() < 1e-6, "{limit}");
        }
        let start = now();
        let at = |seconds| start + Duration::from_secs(seconds);
        let schedule = Schedule::new(start, start, Duration::from_secs(15), None, 1);
        assert!(!schedule.is_short(at(5)) && schedule.is_short(at(6)));
        assert_eq!(schedule.next(start, 1).end, at(9));
        let study = Some(Duration::from_secs(5));
        let schedule = Schedule::new(start, start, Duration::from_secs(15), study, 1);
        assert!(!schedule.is_short(at(6)));
        assert_eq!(schedule.next(start, 1).end, at(15));
    }

    #[test]
    fn however_long_loading_took_part_of_the_rest_is_for_finding_tests() {
        let start = now();
        let at = |seconds| start + Duration::from_secs(seconds);
        let schedule = Schedule::new(start, at(10), Duration::from_secs(20), None, 1);
        assert!(!schedule.is_short(at(13)) && schedule.is_short(at(14)));
        let time = schedule.next(at(10), 1);
        assert_eq!(time.end, at(16));
        let late = Schedule::new(start, at(30), Duration::from_secs(20), None, 1);
        assert!(late.is_short(at(30)));
    }

    #[test]
    fn an_ordinary_unit_may_take_half_of_what_those_after_it_will_leave() {
        let start = now();
        let schedule = Schedule::new(start, start, Duration::from_secs(100), None, 2);
        let until = |left| schedule.next(start, left).find_until.duration_since(start);
        schedule.took(took(0.0, 0.0, 0.0));
        // 100 units of 0.2 s each by two workers; six tenths are for finding.
        assert!((until(100).as_secs_f64() - 0.6 * 30.0).abs() < 1e-6);
        assert!((until(350).as_secs_f64() - 0.6 * 17.5).abs() < 1e-6);
        // There is no more than the limit has, and little is known yet: eight fair shares.
        assert!((until(700).as_secs_f64() - 0.6 * 1.6).abs() < 1e-6);
    }

    #[test]
    fn a_study_shares_its_time_between_finding_and_making() {
        let start = now();
        let minute = Some(Duration::from_mins(1));
        let schedule = Schedule::new(start, start, Duration::from_secs(1000), minute, 1);
        // Six seconds for each of ten, a twentieth of them expected for making.
        assert!((find(&schedule, start, 10) - 5.7).abs() < 1e-6);
        schedule.took(took(0.0, 0.02, 0.38));
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
        schedule.took(took(2.0, 0.02, 0.38));
        // Six seconds for each of ten: two for classes, half of the rest for finding.
        assert!((find(&schedule, start, 10) - 2.0).abs() < 1e-6);
        schedule.took(took(1000.0, 0.0, 0.0));
        assert!((find(&schedule, start, 10) - 6.0 * AT_LEAST / 2.0).abs() < 1e-6);
    }

    #[test]
    fn units_that_lend_get_no_more_than_their_share_of_the_whole_at_first() {
        let start = now();
        let minute = Some(Duration::from_mins(1));
        let schedule = Schedule::new(start, start, Duration::from_secs(1000), minute, 2);
        let schedule = schedule.with_lending(start, 40, 8);
        // The first 31 left nearly all of the time, which goes to the last that does not lend.
        let later = start + Duration::from_secs(6);
        let time = schedule.next(later, 9);
        assert!(!time.may_go_on);
        assert!((find(&schedule, later, 9) - 11.4).abs() < 1e-6);
        // Three seconds for each of forty by two workers, a twentieth of them expected for making.
        let time = schedule.next(later, 8);
        assert!(time.may_go_on);
        assert!((find(&schedule, later, 8) - 2.85).abs() < 1e-6);
        // Where less is left than that, they share it.
        let late = start + Duration::from_secs(56);
        assert!((find(&schedule, late, 8) - 0.95).abs() < 1e-6);
    }

    #[test]
    fn an_ordinary_run_lends_what_is_left_in_the_end() {
        let start = now();
        let at = |seconds| start + Duration::from_secs(seconds);
        let schedule = Schedule::new(start, start, Duration::from_secs(100), None, 1);
        let plain = schedule.next(start, 2).find_until;
        let schedule = schedule.with_lending(start, 40, 8);
        assert_eq!(schedule.next(start, 2).find_until, plain);
        let may_go_on = |left| schedule.next(start, left).may_go_on;
        assert!(!may_go_on(9) && may_go_on(8) && !may_go_on(1));
        // Of the forty seconds that are left half, six tenths of that for finding.
        let is = |until: Instant, seconds: f64| {
            (until.duration_since(start).as_secs_f64() - seconds).abs() < 1e-6
        };
        let of = |part, waiting| Lent { part, waiting };
        let time = schedule.lent(at(40), of(0.5, 2), 3.0);
        assert!(is(time.find_until, 52.0) && is(time.end, 60.0), "{time:?}");
        let time = schedule.lent(at(60), of(1.0, 1), 3.0);
        assert!(is(time.find_until, 70.0) && is(time.end, 80.0), "{time:?}");
        // Who has little open has tests to make as well, in time that is over for finding.
        let time = schedule.lent(at(71), of(0.0, 3), 3.0);
        assert!(is(time.find_until, 70.0) && is(time.end, 72.2), "{time:?}");
    }

    #[test]
    fn who_goes_on_gets_a_part_of_what_is_left_but_what_making_needs() {
        let start = now();
        let minute = Some(Duration::from_mins(1));
        let schedule = Schedule::new(start, start, Duration::from_secs(1000), minute, 1);
        let schedule = schedule.with_lending(start, 10, 10);
        let later = start + Duration::from_secs(20);
        let lent = |now, part, beginning| {
            let time = schedule.lent(now, Lent { part, waiting: 2 }, beginning);
            assert!(!time.may_go_on, "once is enough");
            time.find_for.expect("a study's")
        };
        assert!((lent(later, 0.5, 0.0).as_secs_f64() - 19.0).abs() < 1e-6);
        assert!((lent(later, 0.5, 4.0).as_secs_f64() - 15.2).abs() < 1e-6);
        assert_eq!(lent(later, 0.5, 21.0), Duration::ZERO);
        // Of six seconds that each had, one is not worth fresh classes.
        assert_eq!(lent(later, 0.025, 0.0), Duration::ZERO);
        assert_eq!(
            lent(start + Duration::from_mins(2), 1.0, 0.0),
            Duration::ZERO
        );
    }

    #[test]
    fn a_unit_that_waits_counts_once() {
        let start = now();
        let minute = Some(Duration::from_mins(1));
        let schedule = Schedule::new(start, start, Duration::from_secs(1000), minute, 1);
        schedule.waits(took(2.0, 5.0, 0.0));
        // Six seconds for each of ten: two for classes, and what making takes is as unknown as before.
        assert!((find(&schedule, start, 10) - 3.8).abs() < 1e-6);
        schedule.went_on(took(2.5, 9.62, 9.98));
        assert!((find(&schedule, start, 10) - 2.0).abs() < 1e-6);
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
