//! How long a unit goes on: counted in steps. Where the clock alone bounds a unit, the executor tells when a phase's share
//! of the time is over.
//!
//! Comes in: the unit's steps, and after each step whether it covered something new.
//! Goes out: whether a phase should go on. A phase ends with its share of the steps, or where coverage saturates: nothing new for
//! 4,000 steps (1,500 where another phase follows) and for a fifth of all steps so far; for 300 steps where everything
//! is covered. A study may switch the first two off, to use its time up. Within a phase there may be turns (`turns.rs`).
//! Does not know: the clock, what a step is.

use crate::cost;

/// Steps without anything new before a phase may end.
const PATIENCE: u64 = 4_000;
/// The same in a phase after which another one goes on.
const PATIENCE_WHEN_FOLLOWED: u64 = 1_500;
/// The same where nothing is left to cover.
const PATIENCE_WHEN_COMPLETE: u64 = 300;

/// Counts steps.
#[derive(Clone, Debug)]
pub(crate) struct Budget {
    limit: u64,
    spent: u64,
    /// Steps that covered something new.
    gains: u64,
    end: u64,
    /// What all steps cost, in steps that call nothing.
    effort: u64,
    /// The effort at which the turn within the phase ends.
    turn: u64,
    /// Share of the time, in percent, after which the phase ends where the clock alone bounds the unit.
    percent: u64,
    last_gain: u64,
    patience: u64,
    gives_up: bool,
    is_complete: bool,
}

impl Budget {
    /// All steps, none spent; whether a phase without gain ends early.
    pub fn new(limit: u64, gives_up: bool) -> Budget {
        Budget {
            limit,
            spent: 0,
            gains: 0,
            end: limit,
            effort: 0,
            turn: u64::MAX,
            percent: 100,
            last_gain: 0,
            patience: PATIENCE,
            gives_up,
            is_complete: false,
        }
    }

    /// A phase begins that others follow: it ends when this share of all steps, in percent, is spent.
    pub fn begin(&mut self, percent: u64) {
        self.end = (u128::from(self.limit) * u128::from(percent) / 100) as u64;
        self.turn = u64::MAX;
        self.percent = percent;
        self.patience = PATIENCE_WHEN_FOLLOWED;
        self.last_gain = self.spent;
    }

    /// The last phase begins; it has all that is left.
    pub fn begin_last(&mut self) {
        self.end = self.limit;
        self.turn = u64::MAX;
        self.percent = 100;
        self.patience = PATIENCE;
        self.last_gain = self.spent;
    }

    /// A turn of so many steps begins within the phase; of fewer where they are dear.
    pub fn begin_turn(&mut self, steps: u64) {
        self.turn = self.effort.saturating_add(steps);
    }

    /// The turn is over; the phase goes on.
    pub fn end_turn(&mut self) {
        self.turn = u64::MAX;
    }

    /// A phase of so many steps begins, whatever was spent: who has the rest of the steps lends them.
    pub fn begin_lent(&mut self, steps: u64) {
        self.begin_last();
        self.end = self.spent.saturating_add(steps);
    }

    /// One step was taken, which cost so many method entries and backward jumps.
    pub fn step(&mut self, is_gain: bool, cost: u32) {
        self.spent += 1;
        self.effort += cost::in_steps(cost);
        if is_gain {
            self.gains += 1;
            self.last_gain = self.spent;
        }
    }

    /// Nothing is left to cover.
    pub fn complete(&mut self) {
        self.is_complete = true;
    }

    /// Steps taken.
    pub fn spent(&self) -> u64 {
        self.spent
    }

    /// What all steps cost, in steps that call nothing.
    pub fn effort(&self) -> u64 {
        self.effort
    }

    /// Steps that covered something new.
    pub fn gains(&self) -> u64 {
        self.gains
    }

    /// Share of the time, in percent, after which the phase ends where no step does.
    pub fn percent(&self) -> u64 {
        self.percent
    }

    /// Steps the phase may still take, in this turn where there are turns.
    pub fn left(&self) -> u64 {
        if self.is_saturated() {
            0
        } else {
            let in_turn = self.turn.saturating_sub(self.effort);
            self.end.saturating_sub(self.spent).min(in_turn)
        }
    }

    /// Steps since the last that covered something new, within the phase.
    pub fn idle(&self) -> u64 {
        self.spent - self.last_gain
    }

    /// True where going on brings nothing.
    fn is_saturated(&self) -> bool {
        let stale = self.idle();
        if self.is_complete {
            stale >= PATIENCE_WHEN_COMPLETE
        } else {
            self.gives_up && stale >= self.patience.max(self.spent / 5)
        }
    }

    /// True if all steps of the unit are used up.
    pub fn is_used_up(&self) -> bool {
        self.spent >= self.limit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(budget: &mut Budget, count: u64, is_gain: bool) {
        for _ in 0..count {
            budget.step(is_gain, 0);
        }
    }

    #[test]
    fn a_phase_ends_after_four_thousand_steps_without_gain() {
        let mut budget = Budget::new(100_000, true);
        budget.begin_last();
        steps(&mut budget, 1_000, true);
        steps(&mut budget, 3_999, false);
        assert!(budget.left() > 0);
        steps(&mut budget, 1, false);
        assert_eq!(budget.left(), 0);
        assert!(!budget.is_used_up());
    }

    #[test]
    fn a_phase_ends_soon_where_everything_is_covered() {
        let mut budget = Budget::new(100_000, true);
        budget.begin_last();
        steps(&mut budget, 1_000, true);
        budget.complete();
        steps(&mut budget, 300, false);
        assert_eq!(budget.left(), 0);
    }

    #[test]
    fn a_phase_that_does_not_give_up_ends_where_everything_is_covered() {
        let mut budget = Budget::new(100_000, false);
        budget.begin_last();
        steps(&mut budget, 50_000, false);
        assert_eq!(budget.left(), 50_000);
        budget.complete();
        assert_eq!(budget.left(), 0);
    }

    #[test]
    fn late_gains_earn_more_patience() {
        let mut budget = Budget::new(100_000, true);
        budget.begin_last();
        steps(&mut budget, 40_000, true);
        steps(&mut budget, 9_000, false);
        assert!(budget.left() > 0);
        steps(&mut budget, 1_000, false);
        assert_eq!(budget.left(), 0);
    }

    #[test]
    fn a_turn_ends_before_its_phase_and_lent_steps_beyond_all() {
        let mut budget = Budget::new(1_000, true);
        budget.begin_last();
        budget.begin_turn(300);
        steps(&mut budget, 300, true);
        assert_eq!(budget.left(), 0);
        budget.end_turn();
        assert_eq!(budget.left(), 700);
        budget.begin_turn(800);
        assert_eq!(budget.left(), 700);
        budget.begin_turn(10);
        budget.step(false, 8_500);
        assert_eq!(budget.left(), 1, "it was as dear as nine that call nothing");
        budget.begin_turn(800);
        steps(&mut budget, 699, false);
        budget.begin_lent(50);
        assert_eq!((budget.left(), budget.gains()), (50, 300));
    }

    #[test]
    fn a_phase_that_others_follow_has_its_share() {
        let mut budget = Budget::new(1_000, true);
        budget.begin(40);
        assert_eq!(budget.left(), 400);
        steps(&mut budget, 400, true);
        assert_eq!(budget.left(), 0);
        budget.begin_last();
        assert_eq!(budget.left(), 600);
    }
}
