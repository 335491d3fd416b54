//! Whose turn is next among phases that could all go on: the one that has yielded most lately.
//!
//! Comes in: which phase took how many steps, a dear one counting as many cheap ones (`cost.rs`), and how many of these
//! covered something new. Goes out: the phase that has the next turn.
//! A phase is worth (gains + 1) / (steps + 1): what is new to a turn is tried first, and of phases that
//! yield nothing the one that has tried least is next. A turn with a gain halves what was before it, so that old gains
//! fade; of equals the first phase wins. Nothing is drawn and no clock is read, so the same outcomes give the same turns.
//! Does not know: what phases do.
//!
//! ```text
//! models 500 steps, 20 gains    random 500 steps, 9 gains     next: models (21 of 501)
//! models 1000 steps, 20 gains   random 500 steps, 9 gains     next: models (21 of 1001), in whose next turn nothing is new
//! models 1500 steps, 20 gains   random 500 steps, 9 gains     next: random (10 of 501)
//! ```

/// Steps of one turn; fewer where they are dear.
pub const TURN: u64 = 500;

/// What phases yielded lately.
#[derive(Clone, Debug)]
pub struct Turns<const PHASES: usize> {
    /// Per phase: gains and steps.
    lately: [(u64, u64); PHASES],
}

impl<const PHASES: usize> Default for Turns<PHASES> {
    /// No phase had a turn.
    fn default() -> Self {
        Turns {
            lately: [(0, 0); PHASES],
        }
    }
}

impl<const PHASES: usize> Turns<PHASES> {
    /// The phase that has the next turn; none where no phase can go on.
    pub fn next(&self, can_go_on: [bool; PHASES]) -> Option<usize> {
        let mut best: Option<usize> = None;
        for phase in (0..PHASES).filter(|&phase| can_go_on[phase]) {
            if best.is_none_or(|best| self.is_better(phase, best)) {
                best = Some(phase);
            }
        }
        best
    }

    fn is_better(&self, phase: usize, other: usize) -> bool {
        let ((gains, steps), (others, other_steps)) = (self.lately[phase], self.lately[other]);
        let worth = |gains: u64, steps: u64| u128::from(gains + 1) * u128::from(steps + 1);
        worth(gains, other_steps) > worth(others, steps)
    }

    /// A phase had a turn of so many steps, of which so many covered something new.
    pub fn took(&mut self, phase: usize, steps: u64, gains: u64) {
        let (before, known) = &mut self.lately[phase];
        if gains > 0 {
            (*before, *known) = (*before / 2, *known / 2);
        }
        *before += gains;
        *known += steps;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [bool; 3] = [true; 3];

    #[test]
    fn each_phase_has_a_first_turn_and_then_the_one_that_yields_most() {
        let mut turns = Turns::<3>::default();
        for (phase, gains) in [4, 20, 9].into_iter().enumerate() {
            assert_eq!(turns.next(ALL), Some(phase));
            turns.took(phase, TURN, gains);
        }
        assert_eq!(turns.next(ALL), Some(1));
        assert_eq!(turns.next([true, false, true]), Some(2));
        assert_eq!(turns.next([false; 3]), None);
    }

    #[test]
    fn a_phase_that_no_longer_yields_makes_room() {
        let mut turns = Turns::<2>::default();
        turns.took(0, TURN, 20);
        turns.took(1, TURN, 5);
        let mut had = 0;
        while turns.next([true; 2]) == Some(0) {
            turns.took(0, TURN, 0);
            had += 1;
        }
        assert_eq!(had, 3, "21 of 2001 is less than 6 of 501");
        // One that yields again is next as long as it does.
        turns.took(1, TURN, 30);
        assert_eq!(turns.next([true; 2]), Some(1));
    }

    #[test]
    fn phases_that_yield_nothing_share_the_steps() {
        let mut turns = Turns::<3>::default();
        let mut had = [0; 3];
        for _ in 0..30 {
            let phase = turns.next(ALL).unwrap();
            turns.took(phase, TURN, 0);
            had[phase] += 1;
        }
        assert_eq!(had, [10; 3]);
    }

    #[test]
    fn old_gains_fade() {
        let mut turns = Turns::<2>::default();
        turns.took(0, TURN, 64);
        for _ in 0..6 {
            turns.took(0, TURN, 1);
        }
        turns.took(1, TURN, 3);
        assert_eq!(turns.next([true; 2]), Some(1));
    }
}
