//! P101: `x.equals(x)` is true.
//!
//! Comes in: an object whose class has an `equals` of its own. Goes out: the call on itself.
//! What `equals` throws belongs to P104.

use crate::check::{Check, Claim, Conclusion, Contract, Guilty, Questions, Site};

pub(super) const CONTRACT: Contract = Contract {
    code: "P101",
    name: "isReflexive",
    broken: "is not reflexive",
    questions: &[Questions::Of(check)],
};

fn check(site: &Site<'_>) -> Option<Check> {
    let (equals, runs) = site.of_object("equals", "(Ljava/lang/Object;)Z")?;
    let mut check = Check::of(runs);
    let answer = check.call(equals, site.object, &[site.object]);
    Some(check.concluding(Conclusion::Holds(answer, Claim::True), Guilty::None))
}
