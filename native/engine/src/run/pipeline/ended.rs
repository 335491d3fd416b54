//! What is said and reported when all units are over: findings, what the time limit cut.
//!
//! Comes in: what units and their verification gave. Goes out: files of findings, console lines, figures of the report.
//! Does not know: how findings are found and their tests written (see `write/findings.rs`).

use super::{Collected, FIRST_GROUP, Pipeline, limit, now};
use crate::listener::Level;
use crate::report::files::WrittenReport;
use crate::run::protocols::{UnsafeUses, show_uses};
use crate::run::unit::UnitResult;
use crate::subject::project::Project;
use crate::verify::DropReason;
use crate::worker::WorkerSettings;
use crate::write::findings;
use crate::{Error, message};
use palus_analyze::Facts;
use palus_bytecode::ClassId;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

impl Pipeline<'_> {
    /// Says how many faults the tests notice, and which methods have none.
    pub(super) fn say_what_is_left(&mut self, written: &WrittenReport) {
        if let Some(mutants) = written.mutants {
            self.info(&message::line("faults", &message::faults(mutants)));
        }
        if !written.without_test.is_empty() {
            let text = message::skipped(&written.without_test);
            self.info(&message::line("skipped", &text));
        }
    }

    /// Says where the report is.
    pub(super) fn say_where(&mut self, report: &str) {
        self.info(&message::line("report", &message::link(Path::new(report))));
    }

    /// Writes the tests that show broken rules.
    pub(super) fn findings(
        &mut self,
        (project, facts): (&Project, &Facts),
        whole: &WorkerSettings,
        found: Vec<(ClassId, palus_suite::Finding)>,
        unsafe_uses: &UnsafeUses,
        completed: &BTreeSet<String>,
    ) -> Result<Vec<palus_report::FindingReport>, Error> {
        let standing = std::mem::take(&mut self.aside.findings);
        let mut reported = findings::report(
            &self.verifier(project, facts, whole),
            &self.known,
            &standing,
            found.into_iter(),
            completed,
        )?;
        self.aside.findings = standing;
        for path in &reported.left_alone {
            self.warn(&message::left_alone(path));
        }
        for text in &reported.dropped {
            self.listener.line(Level::Debug, text);
        }
        for (&class, cause) in &reported.defects {
            // The next run is to try again.
            self.reproducible = false;
            let name = project.program.class(class).binary_name();
            self.warn(&message::findings_given_up(&name, cause));
        }
        self.aside.again.append(&mut reported.again);
        show_uses(&mut reported.rows, unsafe_uses);
        self.aside.finders = reported.finders;
        let rows = self.all_findings(reported.rows);
        if !rows.is_empty() {
            let text = message::findings(&rows);
            self.info(&message::line("findings", &text));
        }
        let number = |counts: &BTreeMap<String, u64>| counts.values().sum::<u64>();
        self.report.unverified_findings = number(&reported.unverified);
        self.report.suppressed_findings = number(&reported.suppressed);
        for left in self.aside.classes_left(&project.program) {
            self.report.unverified_findings += left.unverified;
            self.report.suppressed_findings += left.suppressed;
        }
        self.aside.suppressed = reported.suppressed;
        self.aside.unverified = reported.unverified;
        Ok(rows)
    }

    /// What the time limit left undone.
    pub(super) fn cuts(&mut self, project: &Project, collected: &Collected) {
        let cut = collected.units.iter().filter(|unit| unit.cut);
        let name = |unit: &UnitResult| project.program.class(unit.subject).binary_name();
        let names: Vec<_> = cut.map(name).collect();
        if !names.is_empty() {
            self.reproducible = false;
            self.warn(&message::cut(&names));
        }
        let drops = collected.drops.by_reason();
        let unverified = drops.get(&DropReason::NotVerified);
        if let Some(&tests) = unverified {
            self.reproducible = false;
            self.warn(&message::not_verified(tests));
        } else if names.is_empty() && self.group > FIRST_GROUP {
            self.warn(message::SHORT);
        }
        // Whatever waited for a process then gave up.
        self.reproducible &= now() < self.started + limit(self.settings);
    }
}
