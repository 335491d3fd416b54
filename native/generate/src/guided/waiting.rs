//! What is still to be replayed, and how replays ended.
//!
//! Comes in: histories and tests in their order, and how each replay ended. Goes out: the next one, and counts.
//! Does not know: how histories and tests become sequences.

use crate::draft::Replaying;
use crate::unit::Replayed;

/// What is left to replay, and what was.
#[derive(Clone, Debug, Default)]
pub(crate) struct Replay {
    /// Histories that are still to be replayed, last first.
    histories: Vec<Waiting>,
    /// Tests that are still to be carved, last first (`carved.rs`).
    tests: Vec<u32>,
    counts: Replayed,
}

/// A history to replay.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Waiting {
    /// Number of its model.
    pub model: usize,
    /// Its number in the model.
    pub history: usize,
    /// True if it is its second time.
    pub is_again: bool,
}

impl Replay {
    /// Puts histories in line, the first one last.
    pub fn wait(&mut self, histories: Vec<Waiting>) {
        self.histories = histories;
    }

    /// Puts tests in line, the first one last.
    pub fn wait_for_tests(&mut self, tests: Vec<u32>) {
        self.tests = tests;
    }

    /// True if nothing is in line.
    pub fn is_empty(&self) -> bool {
        self.histories.is_empty() && self.tests.is_empty()
    }

    /// Takes the next history.
    pub fn next_history(&mut self) -> Option<Waiting> {
        self.histories.pop()
    }

    /// Takes the next test.
    pub fn next_test(&mut self) -> Option<u32> {
        self.tests.pop()
    }

    /// How replays ended so far.
    pub fn counts(&self) -> Replayed {
        self.counts
    }

    /// Counts one that could not be made.
    pub fn failed(&mut self) {
        self.counts.failed += 1;
    }

    /// Counts how a replay ended.
    pub fn ended(&mut self, replaying: Option<Replaying>, is_complete: bool) {
        match replaying {
            None | Some(Replaying::Again) => {}
            Some(Replaying::Partly) => self.counts.failed += 1,
            Some(_) if !is_complete => self.counts.failed += 1,
            Some(Replaying::Exactly) => self.counts.exactly += 1,
            Some(Replaying::WithLookUps) => self.counts.with_look_ups += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_history_counts_once_by_how_it_came_back() {
        let mut replay = Replay::default();
        replay.ended(Some(Replaying::Exactly), true);
        replay.ended(Some(Replaying::WithLookUps), true);
        replay.ended(Some(Replaying::WithLookUps), false);
        replay.ended(Some(Replaying::Partly), true);
        replay.ended(Some(Replaying::Again), true);
        replay.ended(None, true);
        replay.failed();
        let counts = replay.counts();
        assert_eq!(
            (counts.exactly, counts.with_look_ups, counts.failed),
            (1, 1, 3)
        );
    }
}
