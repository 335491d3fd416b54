//! P110: where one class declares both, `x.compareTo(y)` is 0 if and only if `x.equals(y)` is true.
//!
//! Comes in: two comparable objects of one class. Goes out: a look at both answers, then the two calls.
//! The platform recommends this and does not require it, so a class that only compares, and leaves `equals` as it
//! is, is not blamed.

use crate::check::{Check, Claim, Conclusion, Contract, Guilty, Questions, Site};
use palus_bytecode::ClassId;
use palus_sequence::Variable;

pub(super) const CONTRACT: Contract = Contract {
    code: "P110",
    name: "agreesWithEquals",
    broken: "does not agree with equals",
    questions: &[Questions::OfPair(check)],
};

fn check(site: &Site<'_>, other: Variable, class: ClassId) -> Option<Check> {
    let (equals, runs) = site.of_object("equals", "(Ljava/lang/Object;)Z")?;
    let compare = site.compare_to(class).filter(|_| class == site.class)?;
    if site.program.method(runs).class != site.program.method(compare).class {
        return None;
    }
    let mut check = Check::of(compare);
    let equal = check.call(equals, site.object, &[other]);
    let order = check.call(compare, site.object, &[other]);
    Some(check.concluding(
        Conclusion::Holds(order, Claim::ZeroIfTrue(equal)),
        Guilty::None,
    ))
}
