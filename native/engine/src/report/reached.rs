//! Which written tests reach a line of source.
//!
//! Comes in: what units and the last run know of their tests. Goes out: by file and line, some tests and how many more.
//! What the last run knows of the lines of a class holds while the class is as it was.
//! Does not know: how that was found out (see `run/reach.rs`).

use crate::report::results::Results;
use crate::write::kept::TESTS;
use palus_bytecode::{ClassId, Program};
use palus_report::{Reach, ReachingTest, TESTS_OF_LINE};
use std::collections::{BTreeMap, BTreeSet};

/// Tests by lines.
#[derive(Default)]
pub(crate) struct Reached {
    tests: Vec<ReachingTest>,
    /// By source file relative to its folder, and line: places of tests.
    by_line: BTreeMap<String, BTreeMap<u32, BTreeSet<u32>>>,
}

impl Reached {
    pub(crate) fn of(results: &Results<'_>) -> Reached {
        let program = results.program;
        let mut reached = Reached::default();
        let units = results.units.iter();
        let units: BTreeMap<ClassId, &Reach> =
            units.map(|unit| (unit.subject, &unit.reach)).collect();
        for (class, _) in results.verified {
            let Some(reach) = units.get(&class.subject) else {
                continue;
            };
            let names = class.tests.iter().map(|test| test.name.as_str());
            reached.add(program, class.subject, names, reach, &|_| true);
        }
        let aside: BTreeSet<ClassId> = results.set_aside.iter().copied().collect();
        for left in &results.left.classes {
            let name = palus_bytecode::internal_name(&left.name);
            let Some(class) = program.class_named(&name).filter(|one| aside.contains(one)) else {
                continue;
            };
            let path = format!("{name}{TESTS}");
            let files = results.earlier.iter().filter(|file| file.path == path);
            let tests = files.flat_map(|file| &file.tests);
            let names = tests.map(|test| test.name.as_str());
            let is_same = |owner: &str| {
                let outermost = owner.split('$').next().unwrap_or(owner);
                let class = program.class_named(&palus_bytecode::internal_name(outermost));
                class.is_some_and(|class| aside.contains(&class))
            };
            reached.add(program, class, names, &left.reach, &is_same);
        }
        reached
    }

    fn add<'n>(
        &mut self,
        program: &Program,
        subject: ClassId,
        names: impl Iterator<Item = &'n str>,
        reach: &Reach,
        counts: &dyn Fn(&str) -> bool,
    ) {
        let subject = program.class(subject).binary_name();
        for name in names {
            let Some(reached) = reach.get(name) else {
                continue;
            };
            let place = self.tests.len() as u32;
            self.tests.push(ReachingTest {
                class: subject.clone(),
                name: name.to_owned(),
            });
            for (owner, code) in reached.iter().filter(|(owner, _)| counts(owner)) {
                let class = program.class_named(&palus_bytecode::internal_name(owner));
                let Some(file) = class.and_then(|class| source_file(program, class)) else {
                    continue;
                };
                let by_line = self.by_line.entry(file).or_default();
                for line in code.lines() {
                    by_line.entry(line).or_default().insert(place);
                }
            }
        }
    }

    /// The tests that reach a line of a file, those of this class first, and how many more there are.
    pub(crate) fn at(&self, file: &str, line: u32, class: &str) -> (Vec<ReachingTest>, u64) {
        let places = self.by_line.get(file).and_then(|lines| lines.get(&line));
        let tests = places.into_iter().flatten();
        let tests = tests.filter_map(|&place| self.tests.get(place as usize));
        let (own, others): (Vec<_>, Vec<_>) = tests.partition(|test| test.class == class);
        let more = (own.len() + others.len()).saturating_sub(TESTS_OF_LINE) as u64;
        let tests = own.into_iter().chain(others).take(TESTS_OF_LINE).cloned();
        (tests.collect(), more)
    }
}

/// `demo/Rates.java`; none where the class file does not say, or says a path: it may say anything.
pub(crate) fn source_file(program: &Program, class: ClassId) -> Option<String> {
    let is_name =
        |file: &&std::sync::Arc<str>| !file.contains(['/', '\\', ':']) && &***file != "..";
    let file = program.class(class).source_file.as_ref().filter(is_name)?;
    let package = program.package(class);
    Some(if package.is_empty() {
        file.to_string()
    } else {
        format!("{package}/{file}")
    })
}
