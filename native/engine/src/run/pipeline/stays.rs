//! Classes that were worked on again and keep the tests that they have.
//!
//! Comes in: finished units, what the last run left of their classes, the files on disk, which have just passed. Goes out: the
//! units of classes that need other tests. A class is worked on again also where all code that its tests run is as it was:
//! the project's own tests or promoted tests changed. Where new tests then notice no more than those that pass, they would
//! come in the place of tests that somebody has read and committed, for nothing.
//! Where other code of theirs changed, new tests say what that does on other days and machines, and which finding is gone.
//! Does not know: what a fault is.

use super::Pipeline;
use crate::run::unit::UnitResult;
use crate::subject::project::Project;
use crate::write::earlier::{Earlier, hash_of_test};
use crate::write::kept::TESTS;
use crate::write::manifest::{Manifest, hash};
use crate::{Verification, message};
use palus_report::{LeftClass, Reach};
use std::collections::BTreeSet;

impl Pipeline<'_> {
    /// Takes out the units of classes that keep their tests.
    pub(super) fn keep_what_is_as_good(
        &mut self,
        project: &Project,
        manifest: &Manifest,
        units: &mut Vec<UnitResult>,
    ) {
        let is_asked = self.settings.verification == Verification::Twice
            && self.settings.protocols.is_empty()
            && !self.writes_nothing;
        if !is_asked {
            return;
        }
        let mut kept = 0;
        units.retain(|unit| {
            let Some(note) = self.as_good(project, manifest, unit) else {
                return true;
            };
            kept += 1;
            self.aside.classes.push(unit.subject);
            self.aside.left.classes.push(note);
            false
        });
        self.aside.classes.sort();
        if kept > 0 {
            self.info(&message::line("kept", &message::as_good(kept)));
        }
    }

    /// What the next run is to know of a class whose tests are as good as the new ones.
    fn as_good(
        &self,
        project: &Project,
        manifest: &Manifest,
        unit: &UnitResult,
    ) -> Option<LeftClass> {
        let class = project.program.class(unit.subject);
        let (name, path) = (class.binary_name(), format!("{}{TESTS}", class.name));
        let is_over = !unit.cut && unit.broken.is_none() && unit.findings.is_empty();
        let is_doubtful = self.aside.failing.contains(&name)
            || self.aside.again.contains(&name)
            || self.staged.text(&path).is_some();
        if !is_over || is_doubtful {
            return None;
        }
        let note = self.aside.before.iter().find(|note| note.name == name)?;
        let code = self.aside.code.get(&unit.subject)?;
        let text = manifest.earlier(&path).filter(|_| note.code == *code)?;
        // One that is a secret only now.
        if self.settings.secrets.are_in_source(&text) {
            return None;
        }
        let file = Earlier::new(&path, text);
        let there: BTreeSet<String> = file
            .tests
            .iter()
            .map(|test| hash_of_test(&file.text_of(test)))
            .collect();
        let known: BTreeSet<String> = note.best.iter().map(|test| test.body.clone()).collect();
        if file.unread > 0 || !there.is_subset(&known) {
            return None;
        }
        let promoted = project.promoted.hashes_for(&name);
        let kept = Noticed::by(note, &there);
        let all = Noticed::by(note, &there.union(&promoted).cloned().collect());
        let new = Noticed::by_unit(unit, &name);
        let gained = new.faults.difference(&all.faults).count();
        let lost = kept.faults.difference(&new.faults).count();
        if gained > lost || !new.lines.is_subset(&all.lines) {
            return None;
        }
        Some(LeftClass {
            key: self.aside.keys.get(&unit.subject)?.clone(),
            file: Some(hash(file.text.as_bytes())),
            ..note.clone()
        })
    }
}

/// What tests are good for.
struct Noticed {
    faults: BTreeSet<u32>,
    /// Class and line.
    lines: BTreeSet<(String, u32)>,
}

impl Noticed {
    /// The tests of a note that do one of these things.
    fn by(note: &LeftClass, bodies: &BTreeSet<String>) -> Noticed {
        let tests = note.best.iter().filter(|test| bodies.contains(&test.body));
        let names: BTreeSet<&str> = tests.clone().map(|test| test.name.as_str()).collect();
        Noticed {
            faults: tests.flat_map(|test| test.kills.iter().copied()).collect(),
            lines: lines(&note.reach, &note.name, &|test| names.contains(test)),
        }
    }

    /// The tests that were made now.
    fn by_unit(unit: &UnitResult, class: &str) -> Noticed {
        let tests = unit.tests.as_ref();
        let tests = tests.map_or(&[][..], |class| &class.tests);
        let kills = tests.iter().flat_map(|test| &test.kills);
        Noticed {
            faults: kills.copied().collect(),
            lines: lines(&unit.reach, class, &|_| true),
        }
    }
}

/// The lines of a class and those nested in it that some tests reach.
fn lines(reach: &Reach, class: &str, counts: &dyn Fn(&str) -> bool) -> BTreeSet<(String, u32)> {
    let tests = reach.iter().filter(|(test, _)| counts(test));
    let of_class = tests.flat_map(|(_, code)| code).filter(|(owner, _)| {
        owner.split('$').next().unwrap_or(owner) == class.split('$').next().unwrap_or(class)
    });
    let lines = of_class.flat_map(|(owner, code)| code.lines().map(|line| (owner.clone(), line)));
    lines.collect()
}
