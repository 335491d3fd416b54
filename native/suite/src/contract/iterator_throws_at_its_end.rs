//! P113: after `hasNext()` said false, `next()` throws `NoSuchElementException`.
//!
//! Comes in: an iterator. Goes out: a look at its first elements, then the pair of calls at its end.
//! `remove` is optional and not asked.

use super::iterator_gives_what_it_promises::{MISSING, look, once_more, read};
use crate::check::{Check, Claim, Conclusion, Contract, Guilty, Questions, Site};
use palus_sequence::Observation;

pub(super) const CONTRACT: Contract = Contract {
    code: "P113",
    name: "throwsNoSuchElementAtTheEnd",
    broken: "does not throw NoSuchElementException at the end",
    questions: &[Questions::AfterLook(look, check)],
};

/// What a changed or closed source may throw instead.
const ALLOWED: &[&str] = &[
    "java/util/ConcurrentModificationException",
    "java/lang/IllegalStateException",
    "java/lang/UnsupportedOperationException",
];

fn check(site: &Site<'_>, seen: &[Observation]) -> Option<Check> {
    let (given, false) = read(seen)? else {
        return None;
    };
    let check = once_more(site, given, Claim::False)?;
    Some(check.concluding(Conclusion::Throws(MISSING), Guilty::AllBut(ALLOWED)))
}
