//! P111: `x.clone()` is another object than `x`.
//!
//! Comes in: an object whose class has a public `clone` that is no platform's. Goes out: the call.
//! That the copy is equal, or of the same class, is documented as convention only.

use crate::check::{Check, Claim, Conclusion, Contract, Guilty, Questions, Site};
use palus_bytecode::Origin;

pub(super) const CONTRACT: Contract = Contract {
    code: "P111",
    name: "isAnotherObject",
    broken: "returns the object itself",
    questions: &[Questions::Of(check)],
};

fn check(site: &Site<'_>) -> Option<Check> {
    let program = site.program;
    let clone = program
        .supertypes(site.class)
        .into_iter()
        .filter(|&class| program.class(class).origin == Origin::Subject)
        .flat_map(|class| program.class(class).methods.iter().copied())
        .find(|&id| {
            let method = program.method(id);
            &*method.name == "clone"
                && method.method_type.parameters.is_empty()
                && !method.access.is_synthetic()
                && !method.access.is_static()
                && program.is_method_accessible(id, site.package)
        })?;
    if !site.is_a("java/lang/Cloneable") {
        return None;
    }
    let mut check = Check::of(clone);
    let copy = check.call(clone, site.object, &[]);
    Some(check.concluding(Conclusion::Holds(copy, Claim::NotReceiver), Guilty::None))
}
