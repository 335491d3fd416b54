//! The tests of a class in the order of what they are worth.
//!
//! Comes in: tests, each with the faults that it notices. Goes out: their places, one of each method first, then a second, and
//! so on; of these always the one that asserts something and notices most faults that none before it does, at last the
//! shorter one (the additional technique of Rothermel et al., "Prioritizing Test Cases for Regression Testing", TSE 2001, over
//! methods and faults).
//! Does not know: how many of them anybody wants.

use palus_sequence::End;
use palus_suite::Test;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// What counts of a test.
struct Worth<'t> {
    /// What its name begins with.
    method: &'t str,
    /// Whether it says what is so, and not only that nothing is thrown.
    asserts: bool,
    faults: &'t [u32],
    length: usize,
}

/// Places of the tests, best first.
pub(crate) fn best_first(tests: &[Test]) -> Vec<usize> {
    let worths = tests.iter().map(|test| Worth {
        method: test.name.split('_').next().unwrap_or_default(),
        asserts: !test.assertions.is_empty() || test.run.outcome.end != End::Completed,
        faults: &test.kills,
        length: test.length,
    });
    ordered(&worths.collect::<Vec<_>>())
}

fn ordered(tests: &[Worth<'_>]) -> Vec<usize> {
    let mut open: Vec<usize> = (0..tests.len()).collect();
    let mut noticed: BTreeSet<u32> = BTreeSet::new();
    let mut of_method: BTreeMap<&str, usize> = BTreeMap::new();
    let mut order = Vec::new();
    while !open.is_empty() {
        let rank = |at: usize| {
            let test = &tests[at];
            let before = of_method.get(test.method).copied().unwrap_or_default();
            let new = test.faults.iter().filter(|fault| !noticed.contains(fault));
            (before, !test.asserts, Reverse(new.count()), test.length, at)
        };
        let Some(best) = open.iter().copied().min_by_key(|&at| rank(at)) else {
            break;
        };
        noticed.extend(tests[best].faults);
        *of_method.entry(tests[best].method).or_default() += 1;
        open.retain(|&at| at != best);
        order.push(best);
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test<'t>(method: &'t str, faults: &'t [u32], length: usize) -> Worth<'t> {
        Worth {
            method,
            asserts: true,
            faults,
            length,
        }
    }

    #[test]
    fn each_method_comes_first_with_what_notices_most_that_nothing_before_does() {
        let tests = [
            test("size", &[], 1),
            test("add", &[1, 2], 2),
            test("add", &[1, 2, 3], 4),
            test("add", &[4], 2),
            test("get", &[1, 5], 3),
        ];
        assert_eq!(ordered(&tests), [2, 4, 0, 3, 1]);
    }

    #[test]
    fn what_asserts_something_comes_before_what_does_not_and_of_equals_the_shorter_one() {
        let mute = Worth {
            asserts: false,
            ..test("add", &[1, 2, 3], 1)
        };
        let tests = [mute, test("add", &[1], 5), test("add", &[1], 3)];
        assert_eq!(ordered(&tests), [2, 1, 0]);
    }
}
