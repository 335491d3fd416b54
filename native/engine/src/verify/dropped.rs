//! A test that is dropped, and what it called.
//!
//! Comes in: sequences. Goes out: [`Dropped`] tests for the report.
//! Does not know: why a test is dropped.

use palus_bytecode::{MethodId, Program};
use palus_report::DroppedTest;
use palus_sequence::Sequence;
use palus_suite::Calls;
use std::collections::BTreeSet;

/// A candidate that was dropped while verifying, with the methods it called.
#[derive(Clone, Debug)]
pub(crate) struct Dropped {
    pub(crate) calls: BTreeSet<MethodId>,
    pub(crate) test: DroppedTest,
}

/// The methods whose bodies a sequence calls.
pub(crate) fn called(program: &Program, sequence: &Sequence) -> BTreeSet<MethodId> {
    Calls::of(program, sequence).bodies().collect()
}
