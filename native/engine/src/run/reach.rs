//! Which lines and methods of the project each test of a class reaches, for the report and for who chooses tests by it.
//!
//! Comes in: the tests of a unit, an executor. Goes out: by test, lines and methods of classes, as text.
//! Each runs once more by itself, as nothing is known of what others touched before. What class initialisers do is no test's
//! own: only the first that uses a class would reach it, and whose that is nobody reads out of a test.
//! Does not know: which tests stay, where sources are.

use palus_bytecode::{ClassId, ClassProbes, MethodId, Place, Program};
use palus_report::{Reach, ReachedCode};
use palus_sequence::{Executor, Probe};
use palus_suite::TestClass;
use std::collections::{BTreeMap, BTreeSet};

/// What each test reaches, as far as they run; what keeps one from running is another's to say.
pub(crate) fn reach(program: &Program, tests: &TestClass, executor: &mut dyn Executor) -> Reach {
    let mut reach = Reach::new();
    if tests.tests.is_empty() || executor.begin().is_err() {
        return reach;
    }
    let mut known = BTreeMap::new();
    for test in &tests.tests {
        let sequence = std::slice::from_ref(&test.run.sequence);
        let ran = executor.forget().and_then(|()| executor.execute(sequence));
        let Ok(outcomes) = ran else { break };
        let probes = outcomes.iter().flat_map(|outcome| &outcome.coverage.probes);
        reach.insert(test.name.clone(), code(program, &mut known, probes));
    }
    reach
}

/// Lines and methods by class in source form.
fn code<'p>(
    program: &Program,
    known: &mut BTreeMap<ClassId, ClassProbes>,
    probes: impl Iterator<Item = &'p Probe>,
) -> BTreeMap<String, ReachedCode> {
    let mut reached: BTreeMap<ClassId, (BTreeSet<u32>, BTreeSet<String>)> = BTreeMap::new();
    for probe in probes {
        let class = ClassId(probe.class);
        let places = known
            .entry(class)
            .or_insert_with(|| ClassProbes::of(program, class));
        let (method, at) = match places.named(probe.index) {
            Some((method, Place::Entry)) => (method, 0),
            Some((method, Place::Line(at))) => (method, at),
            _ => continue,
        };
        let (lines, methods) = reached.entry(class).or_default();
        methods.insert(name(program, class, method));
        let code = program.method(method).code.as_ref();
        let of_code = code.map_or(&[][..], |code| &code.lines);
        let begin = of_code.iter().filter(|(begins, _)| *begins == at);
        lines.extend(begin.map(|(_, line)| u32::from(*line)));
    }
    let named = reached
        .into_iter()
        .filter(|(_, (lines, _))| !lines.is_empty());
    let named = named.map(|(class, (lines, methods))| {
        let name = program.class(class).binary_name();
        (name, ReachedCode::new(&lines, methods))
    });
    named.collect()
}

/// As the source has it: a constructor has the name of its class.
fn name(program: &Program, class: ClassId, method: MethodId) -> String {
    let method = program.method(method);
    if method.is_constructor() {
        let class = program.class(class).binary_name();
        let simple = class.rsplit(['.', '$']).next();
        return simple.unwrap_or_default().to_owned();
    }
    method.name.to_string()
}
