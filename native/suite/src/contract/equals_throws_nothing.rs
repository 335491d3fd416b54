//! P104: `x.equals(y)` throws nothing.
//!
//! Comes in: an object and another one, of whatever class of the subject, itself, or a text. Goes out: the call.
//! That `null` makes it throw belongs to P103.

use crate::check::{Check, Conclusion, Contract, Guilty, Questions, Site};
use palus_bytecode::ClassId;
use palus_sequence::{Value, Variable};

pub(super) const CONTRACT: Contract = Contract {
    code: "P104",
    name: "throwsNothing",
    broken: "throws",
    questions: &[
        Questions::Of(with_itself),
        Questions::Of(with_text),
        Questions::OfPair(with_other),
    ],
};

fn with_other(site: &Site<'_>, other: Variable, _class: ClassId) -> Option<Check> {
    let (equals, runs) = site.of_object("equals", "(Ljava/lang/Object;)Z")?;
    let mut check = Check::of(runs);
    check.call(equals, site.object, &[other]);
    Some(check.concluding(Conclusion::Completes, Guilty::AllBut(&[])))
}

fn with_itself(site: &Site<'_>) -> Option<Check> {
    with_other(site, site.object, site.class)
}

fn with_text(site: &Site<'_>) -> Option<Check> {
    let (equals, runs) = site.of_object("equals", "(Ljava/lang/Object;)Z")?;
    let mut check = Check::of(runs);
    let text = check.value(Value::Text("text".into()));
    check.call(equals, site.object, &[site.variable(text)]);
    Some(check.concluding(Conclusion::Completes, Guilty::AllBut(&[])))
}
