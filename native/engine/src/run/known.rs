//! Names that tests had in the last run: one that stays has the name that it had, whatever became of the others.
//!
//! Comes in: the files that the last run wrote of classes that are worked on again. Goes out: the name of a test by what it
//! does.
//! Does not know: how tests are named, which files these are.

use crate::write::earlier::{Earlier, body};
use palus_bytecode::ClassId;
use std::collections::BTreeMap;

/// Of a class: names of tests by what these do.
type Names = BTreeMap<String, String>;

/// Of classes: what is known.
#[derive(Debug, Default)]
pub(crate) struct KnownNames(BTreeMap<ClassId, Names>);

impl KnownNames {
    /// Of the files of these classes.
    pub(crate) fn of(files: impl Iterator<Item = (ClassId, Earlier)>) -> KnownNames {
        let names = files.map(|(class, file)| {
            let tests = file.tests.iter();
            let tests = tests.map(|test| (body(&file.text_of(test)), test.name.clone()));
            (class, tests.collect())
        });
        KnownNames(names.collect())
    }

    /// The name that the test of a class with this text had.
    pub(crate) fn name(&self, class: ClassId, text: &str) -> Option<String> {
        self.0.get(&class)?.get(&body(text)).cloned()
    }
}
