//! Classes that are set aside since the last run left them as they are, and what this run leaves for the next.
//!
//! Comes in: the project and its models before generation; groups of verified classes; results in the end. Goes out: fewer
//! subjects, and files in the work folder.
//! Does not know: which classes are as they were (see `run/unchanged.rs`), how staged classes are kept (`run/staged.rs`).

mod read_back;

use super::{Collected, Pipeline};
use crate::listener::Level;
use crate::report::explanations::of_classes;
use crate::report::files::{WrittenReport, mutants, skipped};
use crate::report::results::Results;
use crate::run::defect::bounded;
use crate::run::known::KnownTests;
use crate::run::staged::StagedClass;
use crate::run::unchanged::{keep, keys, left_by, protocols, unchanged};
use crate::run::unit::{Context, UnitResult};
use crate::subject::project::Project;
use crate::verify::rounds::Verified;
use crate::verify::verifier::relative_path;
use crate::worker::WorkerSettings;
use crate::write::earlier::Earlier;
use crate::write::kept::TESTS;
use crate::write::manifest::Manifest;
use crate::{Error, Verification, message};
use palus_analyze::Facts;
use palus_bytecode::{ClassId, Program};
use palus_learn::Models;
use palus_report::{ClassReport, FindingReport, Left, LeftClass, LeftFinding};
use palus_suite::{Source, TestClass};
use std::collections::{BTreeMap, BTreeSet};

impl Pipeline<'_> {
    /// Tests of the classes that this run works on. A run from nothing takes neither tests nor names from them, so that it
    /// gives the same whatever was there before.
    ///
    /// # Errors
    /// Where the run is cancelled.
    pub(super) fn tests_of_last_run(
        &self,
        (project, facts): (&Project, &Facts),
        whole: &WorkerSettings,
        manifest: &Manifest,
    ) -> Result<KnownTests, Error> {
        if self.settings.verification == Verification::Once {
            return Ok(KnownTests::default());
        }
        let files = project.subjects.iter().filter_map(|&class| {
            let path = format!("{}{TESTS}", project.program.class(class).name);
            let text = manifest.earlier(&path)?;
            Some((class, Earlier::new(&path, text)))
        });
        let files: BTreeMap<ClassId, Earlier> = files.collect();
        let known = KnownTests::of(&files, self.settings.incremental);
        if !self.settings.incremental {
            return Ok(known);
        }
        Ok(known.with(self.read_tests((project, facts), whole, files)?))
    }

    /// Says how many tests that passed have no place in the new files of their classes; which, for the log.
    fn say_what_is_replaced(&self, program: &Program, collected: &Collected) {
        let new = collected.verified.iter().map(|(class, source)| {
            let path = relative_path(class);
            (class.subject, Earlier::new(&path, source.text.clone()))
        });
        let new: Vec<(ClassId, Earlier)> = new.collect();
        let mut lost = collected.old.not_again(&new);
        lost.retain(|&class, tests| {
            let path = format!("{}{TESTS}", program.class(class).name);
            // What failed and was accepted has been said.
            if let Some(failing) = self.failing.get(&path) {
                tests.retain(|test| !failing.contains(test));
            }
            let name = program.class(class).binary_name();
            for test in &*tests {
                let text = message::not_written_again(&name, test);
                self.listener.line(Level::Debug, &text);
            }
            !tests.is_empty()
        });
        let tests: usize = lost.values().map(BTreeSet::len).sum();
        if tests > 0 {
            let text = message::replaced(tests as u64, lost.len() as u64);
            self.info(&message::line("tests", &text));
        }
    }

    /// Names the files of earlier runs that go, though their classes are there, and counts what is replaced: no run may lose
    /// tests without a word.
    pub(super) fn say_what_goes(
        &self,
        (program, collected): (&Program, &Collected),
        manifest: &Manifest,
        stays: &dyn Fn(&str) -> bool,
    ) {
        for path in manifest.unwritten().iter().filter(|path| !stays(path)) {
            let class = path.strip_suffix(TESTS);
            let is_there = class.is_some_and(|class| program.class_named(class).is_some());
            let text = manifest.earlier(path).filter(|_| is_there);
            let tests = text.map(|text| Earlier::new(path, text).tests.len() as u64);
            if let Some(tests) = tests.filter(|&tests| tests > 0) {
                self.listener
                    .line(Level::Warning, &message::goes(path, tests));
            }
        }
        self.say_what_is_replaced(program, collected);
    }

    /// Takes the classes out of the subjects that are as the last run left them.
    pub(super) fn set_aside(
        &mut self,
        project: &mut Project,
        models: &Models,
        manifest: &Manifest,
    ) {
        let looked = bounded(self.listener, "classes", message::LOOK_BACK, || {
            let (keys, code) = keys(self.settings, project, models);
            let (program, failing) = (&project.program, &self.aside.failing);
            let staged = &mut self.staged;
            let looked = unchanged(self.settings, program, &keys, manifest, failing, staged);
            (keys, code, looked)
        });
        let (keys, code, (same, left, findings, before)) = match looked {
            Ok(looked) => looked,
            Err(cause) => {
                self.reproducible = false;
                self.warn(&message::not_looked_back(&cause));
                return;
            }
        };
        self.aside.keys = keys;
        self.aside.code = code;
        self.aside.before = before;
        self.aside.left = left;
        self.aside.findings = findings;
        if same.is_empty() {
            return;
        }
        let all = project.subjects.len();
        project.subjects.retain(|class| !same.contains(class));
        let names = same.iter().map(|&class| &project.program.class(class).name);
        let taken = names.filter(|name| self.staged.takes(&palus_bytecode::binary_name(name)));
        let taken: Vec<String> = taken.map(|name| format!("{name}{TESTS}")).collect();
        if same.len() > taken.len() {
            let text = message::set_aside(same.len() - taken.len(), all);
            self.info(&message::line("unchanged", &text));
        }
        if !taken.is_empty() {
            let files = self.staged.earlier();
            let tests = files.filter(|file| taken.contains(&file.path));
            let tests = tests.map(|file| file.tests.len() as u64).sum();
            let text = message::taken_up(tests, taken.len() as u64);
            self.info(&message::line("resumed", &text));
        }
        self.aside.classes = same.into_iter().collect();
    }

    /// Keeps what passed in a group of classes until all has passed together; of classes without tests, that nothing is
    /// left to do. `incomplete` are those that are to be worked on again.
    pub(super) fn keep_staged(
        &mut self,
        context: Context<'_>,
        group: &[UnitResult],
        verified: &Verified,
        incomplete: &BTreeSet<ClassId>,
    ) -> Result<(), Error> {
        let program = &context.project.program;
        let results = Results {
            program,
            facts: context.facts,
            models: context.models,
            units: group,
            verified: &verified.classes,
            earlier: &[],
            drops: &BTreeMap::new(),
            findings: &[],
            dropped: &verified.dropped,
            before: None,
            after: None,
            reproducible: self.reproducible,
            set_aside: &[],
            left: &Left::default(),
        };
        let told = bounded(self.listener, "staged", message::EXPLAIN, || {
            of_classes(&results).0
        });
        let is_told = told.is_ok();
        let mut told: BTreeMap<String, _> = told
            .into_iter()
            .flatten()
            .map(|one| (one.name.clone(), one))
            .collect();
        let tests = verified.classes.iter();
        let tests: BTreeMap<ClassId, &(TestClass, Source)> =
            tests.map(|pair| (pair.0.subject, pair)).collect();
        for unit in group {
            let tests = tests.get(&unit.subject).copied();
            let is_over = !incomplete.contains(&unit.subject);
            if !is_over && tests.is_none() {
                continue;
            }
            let text = tests.map(|(_, source)| source.text.as_str());
            let keys = (&self.aside.keys, &self.aside.code);
            let note = left_by(program, keys, unit, tests, &verified.drops);
            let facts = bounded(self.listener, &note.name, message::REPORT, || {
                let mutants = tests.and_then(|(class, _)| mutants(program, class));
                (skipped(program, unit), mutants)
            });
            let nest = program.nest(unit.subject).into_iter();
            let nest = nest.map(|class| program.class(class).binary_name());
            let explanations: Vec<_> = nest.filter_map(|name| told.remove(&name)).collect();
            // Findings are verified and what is learned of APIs is put together when all units are over.
            let is_done = is_over
                && facts.is_ok()
                && is_told
                && unit.findings.is_empty()
                && self.settings.protocols.is_empty();
            let (skipped, mutants) = facts.unwrap_or_default();
            let class = StagedClass {
                note: LeftClass {
                    skipped,
                    mutants,
                    ..note
                },
                explanations,
                is_done,
                text: text.unwrap_or_default().to_owned(),
            };
            self.staged.put(&class, &self.settings.secrets)?;
        }
        Ok(())
    }

    /// The findings of this run, and those of earlier ones whose tests stand still.
    pub(super) fn all_findings(&mut self, found: Vec<FindingReport>) -> Vec<FindingReport> {
        let standing = std::mem::take(&mut self.aside.findings);
        let finders = std::mem::take(&mut self.aside.finders);
        let (left, lost) = standing.end(self.settings, found, finders);
        // The next run is to find them.
        self.reproducible &= lost.is_empty();
        self.aside.again.extend(lost);
        let row = |one: &LeftFinding| FindingReport {
            is_new: !self.known.contains(&one.row.id),
            ..one.row.clone()
        };
        let rows = left.iter().map(row).collect();
        self.aside.left.findings = left;
        rows
    }

    /// Keeps what the next run need not find again. Where that cannot be written, the next run does all again.
    pub(super) fn leave(
        &mut self,
        project: &Project,
        collected: &Collected,
        report: WrittenReport,
    ) {
        let tests = collected.verified.iter();
        let tests: BTreeMap<ClassId, &(TestClass, Source)> =
            tests.map(|pair| (pair.0.subject, pair)).collect();
        let mut rows: BTreeMap<&str, &ClassReport> = BTreeMap::new();
        for row in &report.classes {
            rows.insert(&row.name, row);
        }
        let program = &project.program;
        let mut classes = std::mem::take(&mut self.aside.left.classes);
        for unit in &collected.units {
            let tests = tests.get(&unit.subject).copied();
            if unit.cut || unit.broken.is_some() {
                continue;
            }
            let keys = (&self.aside.keys, &self.aside.code);
            let mut class = left_by(program, keys, unit, tests, &collected.drops);
            if let Some(row) = rows.get(&*class.name) {
                class.skipped.clone_from(&row.skipped);
                class.mutants.clone_from(&row.mutants);
            }
            let of = |counts: &BTreeMap<String, u64>| counts.get(&class.name).copied();
            class.suppressed = of(&self.aside.suppressed).unwrap_or_default();
            class.unverified = of(&self.aside.unverified).unwrap_or_default();
            class.suspects = self
                .aside
                .suspects
                .remove(&unit.subject)
                .unwrap_or_default();
            classes.push(class);
        }
        // Their tests are to be found again.
        classes.retain(|class| !self.aside.again.contains(&class.name));
        classes.sort_by(|one, other| one.name.cmp(&other.name));
        let mut explanations = report.explanations.classes;
        let told: BTreeSet<String> = explanations.iter().map(|one| one.name.clone()).collect();
        let others = std::mem::take(&mut self.aside.left.explanations).into_iter();
        let others = others.filter(|one| {
            let class = palus_bytecode::internal_name(&one.name);
            !told.contains(&one.name) && program.class_named(&class).is_some()
        });
        explanations.extend(others);
        let left = Left {
            classes,
            findings: std::mem::take(&mut self.aside.left.findings),
            explanations,
            protocols: protocols(self.settings),
        };
        if let Err(error) = keep(self.settings, &left) {
            self.warn(&error.message);
        }
    }
}
