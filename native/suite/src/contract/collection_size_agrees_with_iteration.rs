//! P114: a collection's iterator gives as many elements as `size()` says.
//!
//! Comes in: a collection. Goes out: a look at its size, then that many calls of `next()`, after which `hasNext()` is
//! false. Large collections are left out.

use super::iterator_gives_what_it_promises::{ITERATOR, MISSING};
use crate::check::{Check, Claim, Conclusion, Contract, Guilty, Questions, Site};
use palus_sequence::{Observation, Value};

pub(super) const CONTRACT: Contract = Contract {
    code: "P114",
    name: "agreesWithIteration",
    broken: "differs from the number of elements its iterator gives",
    questions: &[Questions::AfterLook(look, check)],
};

/// Larger collections are not looked through.
const LARGEST: i32 = 10;
pub(super) const COLLECTION: &str = "java/util/Collection";

/// `size()`
pub(super) fn look(site: &Site<'_>) -> Option<Check> {
    let (counting, runs) = site.of_interface(COLLECTION, "size", "()I")?;
    let mut check = Check::of(runs);
    check.call(counting, site.object, &[]);
    Some(check)
}

/// What `size()` said.
pub(super) fn read(seen: &[Observation]) -> Option<i32> {
    match seen.first()? {
        Observation::Value {
            value: Value::Int(number),
            ..
        } => Some(*number),
        _ => None,
    }
}

fn check(site: &Site<'_>, seen: &[Observation]) -> Option<Check> {
    let number = read(seen).filter(|number| (0..=LARGEST).contains(number))?;
    let program = site.program;
    let (iterator, _) = site.of_interface(COLLECTION, "iterator", "()Ljava/util/Iterator;")?;
    let of_iterator = |name: &str, descriptor: &str| {
        program.find_method(program.class_named(ITERATOR)?, name, descriptor)
    };
    let next = of_iterator("next", "()Ljava/lang/Object;")?;
    let has_next = of_iterator("hasNext", "()Z")?;
    let mut check = look(site)?;
    let place = check.call(iterator, site.object, &[]);
    let given = site.variable(place);
    for _ in 0..number {
        check.call(next, given, &[]);
    }
    let rest = check.call(has_next, given, &[]);
    check.premises.push((0, Claim::Number(number)));
    Some(check.concluding(
        Conclusion::Holds(rest, Claim::False),
        Guilty::Only(&[MISSING]),
    ))
}
