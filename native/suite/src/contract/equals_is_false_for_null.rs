//! P103: `x.equals(null)` is false.
//!
//! Comes in: an object whose class has an `equals` of its own. Goes out: the call with `null`, which may not throw
//! either.

use crate::check::{Check, Claim, Conclusion, Contract, Guilty, Questions, Site};
use palus_bytecode::Type;
use palus_sequence::Value;

pub(super) const CONTRACT: Contract = Contract {
    code: "P103",
    name: "isFalseForNull",
    broken: "is not false for null",
    questions: &[Questions::Of(check)],
};

fn check(site: &Site<'_>) -> Option<Check> {
    let (equals, runs) = site.of_object("equals", "(Ljava/lang/Object;)Z")?;
    let mut check = Check::of(runs);
    let null = check.value(Value::Null(Type::object("java/lang/Object")));
    let answer = check.call(equals, site.object, &[site.variable(null)]);
    Some(check.concluding(Conclusion::Holds(answer, Claim::False), Guilty::AllBut(&[])))
}
