//! P115: a collection contains what `add` took.
//!
//! Comes in: a collection. Goes out: `add` of a text and the question whether it is there.
//! `add` may refuse by whatever exception; its answer may be false where the element was there before.

use super::collection_size_agrees_with_iteration::COLLECTION;
use crate::check::{Check, Claim, Conclusion, Contract, Guilty, Questions, Site};
use palus_sequence::Value;

pub(super) const CONTRACT: Contract = Contract {
    code: "P115",
    name: "keepsWhatItTook",
    broken: "takes an element that contains() then denies",
    questions: &[Questions::Of(check)],
};

fn check(site: &Site<'_>) -> Option<Check> {
    let (add, runs) = site.of_interface(COLLECTION, "add", "(Ljava/lang/Object;)Z")?;
    let (contains, _) = site.of_interface(COLLECTION, "contains", "(Ljava/lang/Object;)Z")?;
    let mut check = Check::of(runs);
    let element = check.value(Value::Text("added".into()));
    let element = site.variable(element);
    check.call(add, site.object, &[element]);
    let answer = check.call(contains, site.object, &[element]);
    Some(check.concluding(Conclusion::Holds(answer, Claim::True), Guilty::None))
}
