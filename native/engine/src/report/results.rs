//! What all stages of a run gave together: what the report tells of.
//!
//! Comes in: nothing. Goes out: the types that the stages fill, and the report and its explanations read.
//! Does not know: how any of it is told.

use crate::run::unit::UnitResult;
use crate::verify::DropReason;
use crate::verify::coverage::Coverage;
use crate::verify::dropped::Dropped;
use crate::worker::guards::Guards;
use crate::write::earlier::Earlier;
use palus_analyze::Facts as StaticFacts;
use palus_bytecode::{ClassId, Program};
use palus_learn::Models;
use palus_report::{FindingReport, Left, ProtocolsReport, Stage};
use palus_suite::{Source, TestClass};
use std::collections::BTreeMap;

/// What the stages said while they ran.
#[derive(Debug, Default)]
pub(crate) struct Facts {
    pub(crate) java_version: String,
    pub(crate) framework: String,
    pub(crate) guards: Guards,
    pub(crate) stages: Vec<Stage>,
    pub(crate) warnings: Vec<String>,
    /// Findings whose test did not fail as it should.
    pub(crate) unverified_findings: u64,
    /// Findings that a `@PalusIgnore` names.
    pub(crate) suppressed_findings: u64,
    pub(crate) protocols: Option<ProtocolsReport>,
}

/// Results of all stages.
pub(crate) struct Results<'a> {
    pub(crate) program: &'a Program,
    pub(crate) facts: &'a StaticFacts,
    pub(crate) models: &'a Models,
    pub(crate) units: &'a [UnitResult],
    pub(crate) verified: &'a [(TestClass, Source)],
    /// Files of earlier runs that stay.
    pub(crate) earlier: &'a [Earlier],
    pub(crate) drops: &'a BTreeMap<DropReason, u64>,
    pub(crate) findings: &'a [FindingReport],
    /// Some of the dropped candidates.
    pub(crate) dropped: &'a [Dropped],
    pub(crate) before: Option<&'a Coverage>,
    pub(crate) after: Option<&'a Coverage>,
    pub(crate) reproducible: bool,
    /// Classes that were not worked on, as they are as the last run left them; and what that said of them.
    pub(crate) set_aside: &'a [ClassId],
    pub(crate) left: &'a Left,
}
