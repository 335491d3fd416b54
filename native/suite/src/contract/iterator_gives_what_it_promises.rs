//! P112: after `hasNext()` said true, `next()` does not throw `NoSuchElementException`.
//!
//! Comes in: an iterator. Goes out: a look at its first elements, then the pair of calls that broke the promise.
//! Other exceptions are nobody's promise: what is iterated over may have changed.

use crate::check::{Check, Claim, Conclusion, Contract, Guilty, Questions, Site};
use palus_bytecode::MethodId;
use palus_sequence::{Observation, Value};

pub(super) const CONTRACT: Contract = Contract {
    code: "P112",
    name: "givesWhatHasNextPromised",
    broken: "throws NoSuchElementException after hasNext() said true",
    questions: &[Questions::AfterLook(look, check)],
};

/// Elements looked at.
const MOST: usize = 5;
pub(super) const ITERATOR: &str = "java/util/Iterator";
pub(super) const MISSING: &str = "java/util/NoSuchElementException";

/// `hasNext` and `next` as the interface declares them, and the `next` that runs.
fn methods(site: &Site<'_>) -> Option<(MethodId, MethodId, MethodId)> {
    let (has_next, _) = site.of_interface(ITERATOR, "hasNext", "()Z")?;
    let (next, runs) = site.of_interface(ITERATOR, "next", "()Ljava/lang/Object;")?;
    Some((has_next, next, runs))
}

/// `hasNext(); next();` again and again.
pub(super) fn look(site: &Site<'_>) -> Option<Check> {
    let (has_next, next, runs) = methods(site)?;
    let mut check = Check::of(runs);
    for _ in 0..MOST {
        check.call(has_next, site.object, &[]);
        check.call(next, site.object, &[]);
    }
    Some(check)
}

/// Number of elements it gave, and what its last `hasNext` said.
pub(super) fn read(seen: &[Observation]) -> Option<(usize, bool)> {
    let mut given = 0;
    for (place, observation) in seen.iter().enumerate() {
        match observation {
            Observation::Value {
                value: Value::Boolean(answer),
                ..
            } if place % 2 == 0 => {
                if !answer || place + 1 == seen.len() {
                    return Some((given, *answer));
                }
            }
            _ if place % 2 == 1 => given += 1,
            _ => return None,
        }
    }
    None
}

/// `next()` for each element it gave, then `hasNext()`, which gives the same answer again, and `next()` once more.
pub(super) fn once_more(site: &Site<'_>, given: usize, answer: Claim) -> Option<Check> {
    let (has_next, next, runs) = methods(site)?;
    let mut check = Check::of(runs);
    for _ in 0..given {
        check.call(next, site.object, &[]);
    }
    let place = check.call(has_next, site.object, &[]);
    check.premises.push((place, answer));
    check.call(next, site.object, &[]);
    Some(check)
}

fn check(site: &Site<'_>, seen: &[Observation]) -> Option<Check> {
    let (given, true) = read(seen)? else {
        return None;
    };
    let check = once_more(site, given, Claim::True)?;
    Some(check.concluding(Conclusion::Completes, Guilty::Only(&[MISSING])))
}
