//! Which finished units are verified and written together.
//!
//! Comes in: finished units by their place in class-name order, as they end. Goes out: batches in that order.
//! Does not know: what a unit is.

use std::collections::BTreeMap;

/// Units verified and written together: large enough that starting javac and two JVMs does not count.
const BATCH: usize = 32;

/// How many units the last batch has.
pub(crate) fn in_last_batch(all: usize) -> usize {
    all - all.saturating_sub(1) / BATCH * BATCH
}

/// The next full batch in class order, or the rest once all units are in.
pub(crate) fn next_batch<U>(
    waiting: &mut BTreeMap<usize, U>,
    taken: usize,
    all: usize,
) -> Option<Vec<U>> {
    let end = all.min(taken + BATCH);
    if taken == all || !(taken..end).all(|index| waiting.contains_key(&index)) {
        return None;
    }
    Some(
        (taken..end)
            .map(|index| {
                waiting
                    .remove(&index)
                    .expect("every index of the batch is there")
            })
            .collect(),
    )
}
