//! How long a unit may run sequences.
//!
//! Comes in: a deadline, or a share of time that begins with the first batch; parts of what is left, for steps that do less
//! where time is short; what batches took. Goes out: whether time is over, how large the next batch may be.
//! Does not know: what is run.

use crate::worker::process::is_past;
use std::time::{Duration, Instant};

/// Sequences in the first batch where the clock bounds a unit, and the fewest in any.
const FIRST_BATCH: usize = 1;
/// One batch is to take what is left of a unit's time divided by this.
const PART_OF_REST: u32 = 10;

/// The clock of one unit.
#[derive(Debug)]
pub(super) struct Clock {
    /// When to stop.
    deadline: Option<Instant>,
    /// When the time is over of which a part is taken; of parts of parts the innermost last.
    wholes: Vec<Instant>,
    /// Where the clock alone bounds the unit: how long it may take from its first batch on, and the end of all units.
    share: Option<(Duration, Instant)>,
    /// From when to when it has its share, and what a sequence of the last batch took.
    span: Option<(Instant, Instant, Option<Duration>)>,
    /// True once something was not run since its time was over.
    is_cut: bool,
}

impl Clock {
    pub(super) fn new(deadline: Option<Instant>) -> Clock {
        Clock {
            deadline,
            wholes: Vec::new(),
            share: None,
            span: None,
            is_cut: false,
        }
    }

    /// Moves the moment after which nothing more is run; no part is taken any more.
    pub(super) fn set_deadline(&mut self, deadline: Instant) {
        self.deadline = Some(deadline);
        (self.share, self.span) = (None, None);
        self.wholes.clear();
    }

    /// The clock alone bounds what is run: so long from the first batch on, which is always run, and not beyond `latest`.
    pub(super) fn set_share(&mut self, share: Duration, latest: Instant) {
        self.set_deadline(latest);
        self.share = Some((share, latest));
    }

    /// Until the next `None`, time is over after so many percent of what is left.
    pub(super) fn take_part(&mut self, percent: Option<u32>) {
        match (percent, self.deadline) {
            (Some(percent), Some(end)) => {
                let now = now();
                let part = end.saturating_duration_since(now) * percent / 100;
                self.wholes.push(end);
                self.deadline = Some(now + part);
            }
            (Some(_), None) => {}
            (None, _) => self.deadline = self.wholes.pop().or(self.deadline),
        }
    }

    /// Whether nothing more may be run; that is noted.
    pub(super) fn is_past(&mut self) -> bool {
        let is_past = is_past(self.deadline);
        self.is_cut |= is_past;
        is_past
    }

    /// Whether something was not run since its time was over; asked once.
    pub(super) fn take_is_cut(&mut self) -> bool {
        std::mem::take(&mut self.is_cut)
    }

    /// When a batch has to end; where units have shares of the clock, a fresh worker would cost more than the batch.
    pub(super) fn latest(&self) -> Option<Instant> {
        self.share.map(|(_, latest)| latest).or(self.deadline)
    }

    /// When the first batch of a share was run.
    pub(super) fn begun_at(&self) -> Option<Instant> {
        self.span.map(|(started, ..)| started)
    }

    /// Whether so many percent of a share are over.
    pub(super) fn is_over(&self, percent: u64) -> bool {
        self.span.is_some_and(|(started, end, _)| {
            let share = end.saturating_duration_since(started) * percent as u32 / 100;
            now().duration_since(started) >= share
        })
    }

    /// How many sequences the next batch may have.
    pub(super) fn batch_limit(&self) -> usize {
        let (end, each) = match (self.share, self.span) {
            (None, _) => return usize::MAX,
            (_, Some((_, end, Some(each)))) => (end, each),
            _ => return FIRST_BATCH,
        };
        let left = end.saturating_duration_since(now()) / PART_OF_REST;
        let most = left.as_nanos() / each.as_nanos().max(1);
        usize::try_from(most).unwrap_or(usize::MAX).max(FIRST_BATCH)
    }

    /// A batch of so many sequences began then and is over now; a share of time begins with the first.
    pub(super) fn ran(&mut self, started: Instant, sequences: usize) {
        if let (None, Some((share, latest))) = (self.span, self.share) {
            let end = latest.min(started + share);
            self.deadline = Some(end);
            self.span = Some((started, end, None));
        }
        if let Some((.., pace)) = &mut self.span {
            *pace = Some(now().duration_since(started) / sequences.max(1) as u32);
        }
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the engine is where time is read"
)]
pub(crate) fn now() -> Instant {
    Instant::now()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_a_part_is_over_first_and_what_was_left_comes_back() {
        let end = now() + Duration::from_hours(1);
        let mut clock = Clock::new(Some(end));
        clock.take_part(Some(50));
        let half = clock.latest().unwrap();
        assert!(end.duration_since(half) > Duration::from_mins(29));
        clock.take_part(Some(0));
        assert!(clock.is_past() && clock.take_is_cut() && !clock.take_is_cut());
        clock.take_part(None);
        assert_eq!(clock.latest(), Some(half));
        assert!(!clock.is_past());
        clock.take_part(None);
        clock.take_part(None);
        assert_eq!(clock.latest(), Some(end));
        assert!(!clock.take_is_cut());
    }

    #[test]
    fn without_a_deadline_every_part_is_all() {
        let mut clock = Clock::new(None);
        clock.take_part(Some(0));
        assert!(!clock.is_past());
        clock.take_part(None);
        assert_eq!(clock.latest(), None);
    }
}
