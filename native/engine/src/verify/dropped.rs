//! Tests that are dropped: what each called, and how many of each class there are by why.
//!
//! Comes in: sequences, numbers. Goes out: [`Dropped`] tests for the report, [`Drops`].
//! Does not know: why a test is dropped.

use super::DropReason;
use palus_bytecode::{ClassId, MethodId, Program};
use palus_report::DroppedTest;
use palus_sequence::Run;
use palus_suite::Calls;
use std::collections::{BTreeMap, BTreeSet};

/// A candidate that was dropped while verifying, with the methods it called.
#[derive(Clone, Debug)]
pub(crate) struct Dropped {
    pub(crate) calls: BTreeSet<MethodId>,
    pub(crate) test: DroppedTest,
}

/// How many tests were dropped.
#[derive(Debug, Default)]
pub(crate) struct Drops(BTreeMap<ClassId, BTreeMap<DropReason, u64>>);

impl Drops {
    /// More tests for this class.
    pub(crate) fn add(&mut self, subject: ClassId, reason: DropReason, tests: u64) {
        let of_class = self.0.entry(subject).or_default();
        *of_class.entry(reason).or_default() += tests;
    }

    /// All that another one counts.
    pub(crate) fn extend(&mut self, other: Drops) {
        for (subject, reasons) in other.0 {
            for (reason, tests) in reasons {
                self.add(subject, reason, tests);
            }
        }
    }

    /// Of one class.
    pub(crate) fn of(&self, subject: ClassId) -> BTreeMap<DropReason, u64> {
        self.0.get(&subject).cloned().unwrap_or_default()
    }

    /// Of all classes.
    pub(crate) fn by_reason(&self) -> BTreeMap<DropReason, u64> {
        let mut all = BTreeMap::new();
        for (&reason, tests) in self.0.values().flatten() {
            *all.entry(reason).or_default() += tests;
        }
        all
    }
}

/// The methods whose bodies a test calls.
pub(crate) fn called(program: &Program, run: &Run) -> BTreeSet<MethodId> {
    Calls::of(program, run).bodies().collect()
}
