//! P109: `x.compareTo(y)` and `y.compareTo(x)` have opposite signs.
//!
//! Comes in: two comparable objects of one class. Goes out: both calls.

use crate::check::{Check, Claim, Conclusion, Contract, Guilty, Questions, Site};
use palus_bytecode::ClassId;
use palus_sequence::Variable;

pub(super) const CONTRACT: Contract = Contract {
    code: "P109",
    name: "isAntisymmetric",
    broken: "is not antisymmetric",
    questions: &[Questions::OfPair(check)],
};

fn check(site: &Site<'_>, other: Variable, class: ClassId) -> Option<Check> {
    let compare = site.compare_to(class).filter(|_| class == site.class)?;
    let mut check = Check::of(compare);
    let forth = check.call(compare, site.object, &[other]);
    let back = check.call(compare, other, &[site.object]);
    Some(check.concluding(
        Conclusion::Holds(back, Claim::OppositeOf(forth)),
        Guilty::None,
    ))
}
