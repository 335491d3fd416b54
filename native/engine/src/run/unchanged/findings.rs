//! Findings of the last run: which stay, and which are to be found again.
//!
//! Comes in: what the last run left of findings, and which classes are done again; later what this run found. Goes out:
//! more classes to do again, the findings that stay as they are, and those that the next run is to know.
//! A finding belongs to the classes whose work found it, whichever class is to blame. Its test stands in one file: that of
//! such a class, or for a theory that of the test class, which all of them share. Where that file is written anew, one of
//! the other classes that found it is done again, so that none is lost.
//! Does not know: how a finding is found, how its test is written.

use crate::Settings;
use crate::write::kept::FINDINGS;
use crate::write::manifest::hash;
use palus_bytecode::{ClassId, Origin, Program, binary_name, internal_name};
use palus_report::{FindingReport, LeftFinding};
use std::collections::{BTreeMap, BTreeSet};

/// Classes by what they found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Finders {
    /// Names of the classes whose work found a finding, by its identity.
    pub(crate) units: BTreeMap<String, BTreeSet<String>>,
    /// Hash of each file that was to be written, whether or not somebody else's is in its place.
    pub(crate) files: BTreeMap<String, String>,
}

/// What stays of the findings of the last run.
#[derive(Debug, Default)]
pub(crate) struct Standing {
    /// Each with those of its classes that are there still and not done again.
    all: Vec<LeftFinding>,
    /// Files of these that are to be written anew.
    renewed: BTreeSet<String>,
}

impl Standing {
    /// Takes classes out of `same`, those that stay as they are, until no finding can be lost; `chosen` are all classes
    /// chosen now.
    pub(crate) fn of(
        settings: &Settings,
        program: &Program,
        mut all: Vec<LeftFinding>,
        chosen: &BTreeMap<String, ClassId>,
        same: &mut BTreeSet<ClassId>,
    ) -> Standing {
        let changed = all.iter().filter(|one| !is_as_written(settings, one));
        let changed: BTreeSet<String> = changed.map(|one| one.row.file.clone()).collect();
        let mut again: BTreeSet<String> = BTreeSet::new();
        let renewed = loop {
            let is_renewed = |file: &str| {
                let holder = holder(file);
                let is_written = match chosen.get(&holder) {
                    Some(class) => !same.contains(class),
                    // Whoever finds something writes it.
                    None if is_there(program, &holder, Origin::Test) => same.len() < chosen.len(),
                    None => !is_there(program, &holder, Origin::Subject),
                };
                is_written || changed.contains(file)
            };
            let files = all.iter().map(|one| &one.row.file);
            let renewed: BTreeSet<_> = files.filter(|file| is_renewed(file)).cloned().collect();
            let before = same.len();
            for one in all.iter().filter(|one| renewed.contains(&one.row.file)) {
                if one.units.iter().any(|unit| again.contains(unit)) {
                    continue;
                }
                // Best the one whose file it is.
                let holder = holder(&one.row.file);
                let mut units = std::iter::once(&holder).chain(&one.units);
                let unit = units.find(|&unit| chosen.get(unit).is_some_and(|one| same.remove(one)));
                again.extend(unit.cloned());
            }
            if same.len() == before {
                break renewed;
            }
        };
        for one in &mut all {
            one.units.retain(|unit| match chosen.get(unit) {
                Some(class) => same.contains(class),
                None => is_there(program, unit, Origin::Subject),
            });
        }
        Standing { all, renewed }
    }

    /// Whether a finding stands where the last run left it, and is not written a second time.
    pub(crate) fn holds(&self, id: &str) -> bool {
        let mut all = self.all.iter();
        all.any(|one| one.row.id == id && !self.renewed.contains(&one.row.file))
    }

    /// Whether a file has a finding of a class that is not done again.
    pub(crate) fn keeps(&self, file: &str) -> bool {
        let mut all = self.all.iter();
        all.any(|one| one.row.file == file && !one.units.is_empty())
    }

    /// What is left in the end of these, and of the findings of this run; and names of classes to do again, for something
    /// they found is told no more.
    pub(crate) fn end(
        self,
        settings: &Settings,
        found: Vec<FindingReport>,
        mut finders: Finders,
    ) -> (Vec<LeftFinding>, BTreeSet<String>) {
        let mut lost = BTreeSet::new();
        let mut left = Vec::new();
        let new: BTreeSet<String> = found.iter().map(|row| row.id.clone()).collect();
        for mut one in self.all {
            let units = finders.units.entry(one.row.id.clone()).or_default();
            if new.contains(&one.row.id) {
                units.append(&mut one.units);
            } else if is_as_written(settings, &one) {
                one.units.append(units);
                left.push(one);
            } else {
                lost.append(&mut one.units);
            }
        }
        for row in found {
            let units = finders.units.remove(&row.id).unwrap_or_default();
            let file = finders.files.get(&row.file).cloned().unwrap_or_default();
            left.push(LeftFinding::new(row, units, file));
        }
        left.sort_by(|one, other| {
            (&one.row.code, &one.row.id).cmp(&(&other.row.code, &other.row.id))
        });
        (left, lost)
    }
}

/// Whether the file of a finding is there as the last run wrote it.
fn is_as_written(settings: &Settings, one: &LeftFinding) -> bool {
    let file = settings.findings_directory.join(&one.row.file);
    std::fs::read(file).is_ok_and(|bytes| hash(&bytes) == one.file)
}

/// The class that a file of findings has its name from.
fn holder(file: &str) -> String {
    binary_name(file.strip_suffix(FINDINGS).unwrap_or(file))
}

fn is_there(program: &Program, name: &str, origin: Origin) -> bool {
    let class = program.class_named(&internal_name(name));
    class.is_some_and(|class| program.class(class).origin == origin)
}
