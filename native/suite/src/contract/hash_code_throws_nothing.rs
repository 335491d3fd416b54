//! P106: `x.hashCode()` throws nothing.
//!
//! Comes in: an object whose class has a `hashCode` of its own. Goes out: the call.

use crate::check::{Check, Conclusion, Contract, Guilty, Questions, Site};

pub(super) const CONTRACT: Contract = Contract {
    code: "P106",
    name: "throwsNothing",
    broken: "throws",
    questions: &[Questions::Of(check)],
};

fn check(site: &Site<'_>) -> Option<Check> {
    let (method, runs) = site.of_object("hashCode", "()I")?;
    let mut check = Check::of(runs);
    check.call(method, site.object, &[]);
    Some(check.concluding(Conclusion::Completes, Guilty::AllBut(&[])))
}
