//! P116: a collection is empty if and only if its size is 0.
//!
//! Comes in: a collection. Goes out: a look at its size, then both questions.

use super::collection_size_agrees_with_iteration::{COLLECTION, look, read};
use crate::check::{Check, Claim, Conclusion, Contract, Guilty, Questions, Site};
use palus_sequence::Observation;

pub(super) const CONTRACT: Contract = Contract {
    code: "P116",
    name: "agreesWithSize",
    broken: "does not agree with size()",
    questions: &[Questions::AfterLook(look, check)],
};

fn check(site: &Site<'_>, seen: &[Observation]) -> Option<Check> {
    let number = read(seen)?;
    let (counting, _) = site.of_interface(COLLECTION, "size", "()I")?;
    let (is_empty, runs) = site.of_interface(COLLECTION, "isEmpty", "()Z")?;
    let mut check = Check::of(runs);
    let counted = check.call(counting, site.object, &[]);
    let answer = check.call(is_empty, site.object, &[]);
    check.premises.push((counted, Claim::Number(number)));
    let claim = if number == 0 {
        Claim::True
    } else {
        Claim::False
    };
    Some(check.concluding(Conclusion::Holds(answer, claim), Guilty::None))
}
