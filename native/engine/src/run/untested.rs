//! Methods that have no test though they ran, or since nothing ran to its end.
//!
//! Comes in: the tests of a unit, and what of its runs became none. Goes out: its skipped methods, with these.
//! Does not know: methods that no run could show (`palus_generate` knows), tests that verifying drops.

use palus_bytecode::{ClassId, ClassProbes, MethodId, Program};
use palus_generate::SkipCode;
use palus_sequence::Probe;
use palus_suite::{Calls, Loss, Lost, TestClass};
use std::collections::{BTreeMap, BTreeSet};

/// Adds the methods that only lost runs entered.
pub(crate) fn add_lost(
    program: &Program,
    tests: &TestClass,
    lost: Vec<Lost>,
    skipped: &mut Vec<(MethodId, SkipCode)>,
) {
    let mut losses: BTreeMap<Probe, Loss> = BTreeMap::new();
    for Lost { why, probes } in lost {
        for probe in probes {
            let known = losses.entry(probe).or_insert(why);
            *known = why.min(*known);
        }
    }
    let mut called: BTreeSet<MethodId> = skipped.iter().map(|(method, _)| *method).collect();
    for test in &tests.tests {
        called.extend(Calls::of(program, &test.run).bodies());
        for probe in &test.run.outcome.coverage.probes {
            losses.remove(probe);
        }
    }
    for class in program.nest(tests.subject) {
        let probes = ClassProbes::of(program, class);
        for &(index, method) in probes.methods() {
            let entry = Probe {
                class: class.0,
                index,
            };
            let why = losses.get(&entry);
            if let Some(why) = why.filter(|_| is_callable(program, method))
                && called.insert(method)
            {
                skipped.push((method, code(*why)));
            }
        }
    }
    skipped.sort();
}

/// Every method of the class that has no reason yet gets this one.
pub(crate) fn add_all(
    program: &Program,
    subject: ClassId,
    code: SkipCode,
    skipped: &mut Vec<(MethodId, SkipCode)>,
) {
    let known: BTreeSet<MethodId> = skipped.iter().map(|(method, _)| *method).collect();
    let methods = program.methods().iter();
    let methods = methods
        .filter(|method| program.is_in_nest(subject, method.class) && method.code.is_some())
        .filter(|method| !method.access.is_synthetic() && !method.is_initializer())
        .filter(|method| !program.is_generated(method.id))
        .filter(|method| !known.contains(&method.id));
    skipped.extend(methods.map(|method| {
        let code = if method.access.is_private() {
            SkipCode::NotAccessible
        } else {
            code
        };
        (method.id, code)
    }));
    skipped.sort();
}

/// Private methods and those of the compiler and of tools are tested through others.
fn is_callable(program: &Program, id: MethodId) -> bool {
    let method = program.method(id);
    let access = method.access;
    !access.is_private()
        && !program.is_generated(id)
        && !access.is_synthetic()
        && !method.is_initializer()
}

fn code(loss: Loss) -> SkipCode {
    match loss {
        Loss::Unsteady => SkipCode::Unsteady,
        Loss::Unnameable => SkipCode::Unnameable,
        Loss::TooMany => SkipCode::TooManyTests,
        Loss::SaysNothing => SkipCode::SaysNothing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palus_bytecode::{Origin, ProgramBuilder};

    #[test]
    fn each_method_without_a_reason_gets_one() {
        let java = "package demo;
            public class Shop { int n; private void own() {} int get() { return n; } }";
        let mut builder = ProgramBuilder::new();
        for (_, bytes) in &palus_fixture::compile(&[("demo/Shop.java", java)]).classes {
            builder.add(Origin::Subject, bytes).unwrap();
        }
        let program = builder.finish();
        let subject = program.class_named("demo/Shop").unwrap();
        let methods = &program.class(subject).methods;
        let mut skipped = vec![(methods[2], SkipCode::Denied)];
        add_all(&program, subject, SkipCode::OutOfBudget, &mut skipped);
        let codes = [
            SkipCode::OutOfBudget,
            SkipCode::NotAccessible,
            SkipCode::Denied,
        ];
        let expected: Vec<_> = methods.iter().copied().zip(codes).collect();
        assert_eq!(skipped, expected);
    }
}
