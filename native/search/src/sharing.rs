//! How the search and the unit's own phases share the steps of a hunt.
//!
//! Comes in: steps taken and gains, of the search and of the phases. Goes out: who goes on.
//! Does not know: what either does.

use palus_generate::{TURN, Turns};

const SEARCHING: usize = 0;
const EXPLORING: usize = 1;

/// Who has how much credit.
#[derive(Debug)]
pub(crate) struct Sharing {
    /// None where the search has all steps.
    credit: Option<Turns<2>>,
    /// Steps of the hunt and gains of the unit when the search went on last.
    began: (u64, u64),
}

impl Sharing {
    /// The search has all steps; gains are those of the unit so far.
    pub fn with_nobody(gains: u64) -> Sharing {
        Sharing {
            credit: None,
            began: (0, gains),
        }
    }

    /// The unit's own phases may go on; what they last did in vain counts.
    pub fn with_phases(gains: u64, idle: u64) -> Sharing {
        let mut credit = Turns::default();
        credit.took(EXPLORING, idle, 0);
        Sharing {
            credit: Some(credit),
            ..Sharing::with_nobody(gains)
        }
    }

    /// True if the search has had its slice, which is credited; false where it simply goes on.
    pub fn ends_slice(&mut self, steps: u64, gains: u64) -> bool {
        let taken = steps - self.began.0;
        match &mut self.credit {
            Some(credit) if taken >= TURN => {
                credit.took(SEARCHING, taken, gains - self.began.1);
                true
            }
            _ => false,
        }
    }

    /// True if the phases have the next slice.
    pub fn is_to_explore(&self) -> bool {
        let credit = self.credit.as_ref();
        credit.and_then(|credit| credit.next([true; 2])) == Some(EXPLORING)
    }

    /// The phases had a slice.
    pub fn explored(&mut self, steps: u64, gains: u64) {
        if let Some(credit) = &mut self.credit {
            credit.took(EXPLORING, steps.max(TURN), gains);
        }
    }

    /// The search goes on.
    pub fn begin_slice(&mut self, steps: u64, gains: u64) {
        self.began = (steps, gains);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alone_the_search_never_ends_its_slice() {
        let mut sharing = Sharing::with_nobody(7);
        assert!(!sharing.ends_slice(100 * TURN, 7));
        assert!(!sharing.is_to_explore());
    }

    #[test]
    fn phases_go_on_as_long_as_they_gain_more_than_the_search_did() {
        let mut sharing = Sharing::with_phases(10, 0);
        assert!(!sharing.ends_slice(TURN - 1, 12), "its slice is not over");
        assert!(sharing.ends_slice(TURN, 12));
        assert!(sharing.is_to_explore(), "they have not been tried");
        sharing.explored(TURN, 9);
        assert!(sharing.is_to_explore(), "9 gains against 2");
        for _ in 0..3 {
            sharing.explored(TURN, 0);
        }
        assert!(!sharing.is_to_explore(), "10 of 2001 against 3 of 501");
        sharing.begin_slice(TURN, 21);
        assert!(!sharing.ends_slice(TURN + 1, 30));
    }
}
