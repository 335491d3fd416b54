//! Classes that are set aside since the last run left them as they are, and what this run leaves for the next.
//!
//! Comes in: the project and its models before generation; results after it. Goes out: fewer subjects, and a file.
//! Does not know: which classes are as they were (see `run/unchanged.rs`).

use super::{Collected, Pipeline};
use crate::message;
use crate::report::files::WrittenReport;
use crate::run::defect::bounded;
use crate::run::unchanged::{keep, keys, left_by, protocols, unchanged};
use crate::subject::project::Project;
use crate::write::manifest::Manifest;
use palus_bytecode::ClassId;
use palus_learn::Models;
use palus_report::{ClassReport, FindingReport, Left, LeftFinding};
use palus_suite::Source;
use std::collections::{BTreeMap, BTreeSet};

impl Pipeline<'_> {
    /// Takes the classes out of the subjects that are as the last run left them.
    pub(super) fn set_aside(
        &mut self,
        project: &mut Project,
        models: &Models,
        manifest: &Manifest,
    ) {
        let looked = bounded(self.listener, "classes", message::LOOK_BACK, || {
            let keys = keys(self.settings, project, models);
            let (program, failing) = (&project.program, &self.aside.failing);
            let (same, left, findings) =
                unchanged(self.settings, program, &keys, manifest, failing);
            (keys, same, left, findings)
        });
        let (keys, same, left, findings) = match looked {
            Ok(looked) => looked,
            Err(cause) => {
                self.reproducible = false;
                self.warn(&message::not_looked_back(&cause));
                return;
            }
        };
        self.aside.keys = keys;
        self.aside.left = left;
        self.aside.findings = findings;
        if same.is_empty() {
            return;
        }
        let all = project.subjects.len();
        project.subjects.retain(|class| !same.contains(class));
        self.info(&message::line(
            "unchanged",
            &message::set_aside(same.len(), all),
        ));
        self.aside.classes = same.into_iter().collect();
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
        let texts: BTreeMap<ClassId, &Source> = collected
            .verified
            .iter()
            .map(|(class, source)| (class.subject, source))
            .collect();
        let mut rows: BTreeMap<&str, &ClassReport> = BTreeMap::new();
        for row in &report.classes {
            rows.insert(&row.name, row);
        }
        let program = &project.program;
        let mut classes = std::mem::take(&mut self.aside.left.classes);
        for unit in &collected.units {
            let text = texts.get(&unit.subject).map(|source| source.text.as_str());
            let Some(mut class) = left_by(program, &self.aside.keys, unit, text) else {
                continue;
            };
            if let Some(row) = rows.get(&*class.name) {
                class.skipped.clone_from(&row.skipped);
                class.mutants.clone_from(&row.mutants);
            }
            let drops = collected.drops.of(unit.subject).into_iter();
            class.drops = drops
                .map(|(reason, tests)| (reason.code().to_owned(), tests))
                .collect();
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
