//! Tests of the last run: what they run; and by what they do their names: one that stays has the name that it had, whatever
//! became of the others, and those that nobody writes again are known by name.
//!
//! Comes in: the files that the last run wrote of classes that are worked on again, what was read of them, then the new ones.
//! Goes out: the tests of a class; the name of a test by what it does; what is not written again.
//! Does not know: how tests are named and read, which files these are.

use crate::write::earlier::{Earlier, body};
use palus_bytecode::ClassId;
use palus_suite::ReadTest;
use std::collections::{BTreeMap, BTreeSet};

/// Of a class: names of tests by what these do.
type Names = BTreeMap<String, String>;

/// Of classes: what is known.
#[derive(Debug, Default)]
pub(crate) struct KnownTests {
    of: BTreeMap<ClassId, Names>,
    /// Whether a test that stays has its name again.
    stay: bool,
    tests: BTreeMap<ClassId, Vec<ReadTest>>,
}

impl KnownTests {
    /// Of the files of these classes.
    pub(crate) fn of(files: &BTreeMap<ClassId, Earlier>, stay: bool) -> KnownTests {
        let of = files.iter().map(|(&class, file)| (class, names(file)));
        let of = of.collect();
        KnownTests {
            of,
            stay,
            tests: BTreeMap::new(),
        }
    }

    /// With what the tests run.
    pub(crate) fn with(self, tests: BTreeMap<ClassId, Vec<ReadTest>>) -> KnownTests {
        KnownTests { tests, ..self }
    }

    /// The tests of a class.
    pub(crate) fn tests(&self, class: ClassId) -> &[ReadTest] {
        self.tests.get(&class).map_or(&[], Vec::as_slice)
    }

    /// The name that the test of a class with this text had.
    pub(crate) fn name(&self, class: ClassId, text: &str) -> Option<String> {
        let names = self.of.get(&class).filter(|_| self.stay)?;
        names.get(&body(text)).cloned()
    }

    /// Names of the tests of these classes that none of their new files has, by class, where there are any.
    pub(crate) fn not_again(
        &self,
        new: &[(ClassId, Earlier)],
    ) -> BTreeMap<ClassId, BTreeSet<String>> {
        // A test may stand in the file of another class now.
        let again: BTreeSet<String> = new
            .iter()
            .flat_map(|(_, file)| names(file).into_keys())
            .collect();
        let lost = |names: &Names| {
            let lost = names.iter().filter(|(body, _)| !again.contains(*body));
            lost.map(|(_, name)| name.clone()).collect()
        };
        let classes = new
            .iter()
            .filter_map(|(class, _)| Some((*class, lost(self.of.get(class)?))));
        classes
            .filter(|(_, lost): &(_, BTreeSet<String>)| !lost.is_empty())
            .collect()
    }
}

fn names(file: &Earlier) -> Names {
    let tests = file.tests.iter();
    let tests = tests.map(|test| (body(&file.text_of(test)), test.name.clone()));
    tests.collect()
}
