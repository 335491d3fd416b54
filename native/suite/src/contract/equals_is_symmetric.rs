//! P102: where `x.equals(y)` is true, `y.equals(x)` is too.
//!
//! Comes in: two objects of classes of the subject. Goes out: both calls.
//! The `equals` that says yes is blamed: it takes an object for equal whose class knows nothing of it.

use crate::check::{Check, Claim, Conclusion, Contract, Guilty, Questions, Site};
use palus_bytecode::ClassId;
use palus_sequence::Variable;

pub(super) const CONTRACT: Contract = Contract {
    code: "P102",
    name: "isSymmetric",
    broken: "is not symmetric",
    questions: &[Questions::OfPair(check)],
};

fn check(site: &Site<'_>, other: Variable, _class: ClassId) -> Option<Check> {
    let (equals, runs) = site.of_object("equals", "(Ljava/lang/Object;)Z")?;
    let mut check = Check::of(runs);
    let forth = check.call(equals, site.object, &[other]);
    let back = check.call(equals, other, &[site.object]);
    check.premises.push((forth, Claim::True));
    Some(check.concluding(Conclusion::Holds(back, Claim::True), Guilty::None))
}
