//! The tests of a class in the order of what they are worth.
//!
//! Comes in: tests, each with the faults that it notices. Goes out: their names, always the one that notices most faults that
//! none before it does; where all are noticed, of all once more (the additional technique of Rothermel et al.,
//! "Prioritizing Test Cases for Regression Testing", TSE 2001). Of equals the first one comes first.
//! Does not know: how many of them anybody wants.

use palus_suite::Test;
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// Names, best first.
pub(crate) fn best_first(tests: &[Test]) -> Vec<String> {
    let tests: Vec<(&str, &[u32])> = tests
        .iter()
        .map(|test| (&*test.name, &*test.kills))
        .collect();
    let names = ordered(&tests).into_iter().map(|at| tests[at].0.to_owned());
    names.collect()
}

/// Places of the tests, best first.
fn ordered(tests: &[(&str, &[u32])]) -> Vec<usize> {
    let mut open: Vec<usize> = (0..tests.len()).collect();
    let mut noticed: BTreeSet<u32> = BTreeSet::new();
    let mut order = Vec::new();
    while !open.is_empty() {
        let gain = |at: usize| {
            let new = tests[at].1.iter().filter(|fault| !noticed.contains(fault));
            new.count()
        };
        let best = open
            .iter()
            .copied()
            .min_by_key(|&at| (Reverse(gain(at)), at));
        let Some(best) = best else { break };
        if gain(best) == 0 && !noticed.is_empty() {
            noticed.clear();
            continue;
        }
        noticed.extend(tests[best].1);
        open.retain(|&at| at != best);
        order.push(best);
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_notices_most_that_nothing_before_does_comes_first() {
        let tests: [(&str, &[u32]); 5] = [
            ("none", &[]),
            ("few", &[1, 2]),
            ("most", &[1, 2, 3]),
            ("other", &[4]),
            ("same", &[1, 2, 3]),
        ];
        let names: Vec<&str> = ordered(&tests).into_iter().map(|at| tests[at].0).collect();
        assert_eq!(names, ["most", "other", "same", "few", "none"]);
    }
}
