//! P108: `x.compareTo(y)` throws nothing where both are of one class.
//!
//! Comes in: two comparable objects, or one and itself. Goes out: the call.
//! Objects of different classes may be beyond comparison (`ClassCastException`).

use crate::check::{Check, Conclusion, Contract, Guilty, Questions, Site};
use palus_bytecode::ClassId;
use palus_sequence::Variable;

pub(super) const CONTRACT: Contract = Contract {
    code: "P108",
    name: "throwsNothing",
    broken: "throws",
    questions: &[Questions::Of(with_itself), Questions::OfPair(check)],
};

fn check(site: &Site<'_>, other: Variable, class: ClassId) -> Option<Check> {
    let compare = site.compare_to(class).filter(|_| class == site.class)?;
    let mut check = Check::of(compare);
    check.call(compare, site.object, &[other]);
    Some(check.concluding(Conclusion::Completes, Guilty::AllBut(&[])))
}

fn with_itself(site: &Site<'_>) -> Option<Check> {
    check(site, site.object, site.class)
}
