//! The best test of each covered target.
//!
//! Comes in: targets and runs that covered them. Goes out: one sequence per target, the shortest of those that ended
//! without an exception, else the shortest.
//! Does not know: fitness, populations.

use crate::target::TargetId;
use palus_generate::Rng;
use palus_sequence::Sequence;
use std::collections::BTreeMap;
use std::sync::Arc;

#[derive(Debug)]
struct Entry {
    sequence: Arc<Sequence>,
    threw: bool,
}

/// Tests by what they cover.
#[derive(Debug, Default)]
pub(crate) struct Archive {
    entries: BTreeMap<TargetId, Entry>,
    /// Sequences that the search started from, which cover what is not hunted.
    others: Vec<Arc<Sequence>>,
}

impl Archive {
    /// A sequence that the search starts from.
    pub fn begin_with(&mut self, sequence: Arc<Sequence>) {
        self.others.push(sequence);
    }

    /// A run covered a target.
    pub fn cover(&mut self, target: TargetId, sequence: &Arc<Sequence>, threw: bool) {
        let better = |known: &Entry| (threw, sequence.len()) < (known.threw, known.sequence.len());
        if self.entries.get(&target).is_none_or(better) {
            self.entries.insert(
                target,
                Entry {
                    sequence: Arc::clone(sequence),
                    threw,
                },
            );
        }
    }

    /// True if a run covered the target since the search began.
    #[cfg(test)]
    pub fn has(&self, target: TargetId) -> bool {
        self.entries.contains_key(&target)
    }

    /// A drawn test.
    pub fn draw(&self, rng: &mut Rng) -> Option<Arc<Sequence>> {
        let count = self.entries.len() + self.others.len();
        let drawn = rng.below(count);
        let mut entries = self.entries.values();
        match drawn.checked_sub(self.others.len()) {
            None => self.others.get(drawn).cloned(),
            Some(number) => entries.nth(number).map(|entry| Arc::clone(&entry.sequence)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palus_sequence::{Statement, Value};

    fn sequence(length: usize) -> Arc<Sequence> {
        let statements = (0..)
            .take(length)
            .map(|number| Statement::Value(Value::Int(number)));
        Arc::new(Sequence::new(statements.collect()))
    }

    #[test]
    fn a_shorter_test_replaces_a_longer_and_one_that_ends_well_any_that_throws() {
        let mut archive = Archive::default();
        let target = TargetId(3);
        let length = |archive: &Archive| archive.draw(&mut Rng::of(0, "")).unwrap().len();
        archive.cover(target, &sequence(5), true);
        archive.cover(target, &sequence(7), true);
        assert_eq!(length(&archive), 5);
        archive.cover(target, &sequence(9), false);
        assert_eq!(length(&archive), 9);
        archive.cover(target, &sequence(2), true);
        assert_eq!(length(&archive), 9);
        archive.cover(target, &sequence(8), false);
        assert_eq!(length(&archive), 8);
        assert!(archive.has(target) && !archive.has(TargetId(4)));
    }
}
