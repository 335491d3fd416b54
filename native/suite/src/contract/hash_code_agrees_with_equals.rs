//! P105: objects that are equal have equal hash codes.
//!
//! Comes in: two objects. Goes out: the question whether they are equal, then both hash codes.
//! A class with an `equals` but no `hashCode` of its own breaks the rule by its identity hash codes, which a worker
//! makes constant; so there the premise is enough, and the written test has to fail in an ordinary JVM.

use crate::check::{Check, Claim, Conclusion, Contract, Guilty, Questions, Site};
use palus_bytecode::ClassId;
use palus_sequence::Variable;

pub(super) const CONTRACT: Contract = Contract {
    code: "P105",
    name: "agreesWithEquals",
    broken: "differs for equal objects",
    questions: &[Questions::OfPair(check)],
};

fn check(site: &Site<'_>, other: Variable, _class: ClassId) -> Option<Check> {
    let program = site.program;
    let (equals, _) = site.of_object("equals", "(Ljava/lang/Object;)Z")?;
    let object = program.class_named("java/lang/Object")?;
    let hash_code = program.declared_method(object, "hashCode", "()I")?;
    let runs = program.find_method(site.class, "hashCode", "()I")?;
    let mut check = Check::of(runs);
    let equal = check.call(equals, site.object, &[other]);
    let one = check.call(hash_code, site.object, &[]);
    let another = check.call(hash_code, other, &[]);
    check.premises.push((equal, Claim::True));
    let claim = if runs == hash_code {
        Claim::Differs(one)
    } else {
        Claim::EqualTo(one)
    };
    Some(check.concluding(Conclusion::Holds(another, claim), Guilty::None))
}
