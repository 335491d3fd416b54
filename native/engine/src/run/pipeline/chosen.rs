//! Patterns that choose no class: what is said of them, and whether there is anything to do at all.
//!
//! Comes in: the settings, the project, the manifest. Goes out: warnings that name the nearest classes.
//! Does not know: how patterns choose (see `subject/glob.rs`).

use super::Pipeline;
use crate::subject::glob::matches;
use crate::subject::nearest::nearest;
use crate::subject::project::{Project, all_subjects};
use crate::write::kept::{TESTS, stays};
use crate::write::manifest::Manifest;
use crate::{Summary, message};
use std::collections::BTreeSet;

impl Pipeline<'_> {
    /// Says which patterns choose nothing. True where all of them do, and no file of an earlier run is to go: then there is
    /// nothing to do, and the report of the last run stays.
    pub(super) fn chooses_nothing(&mut self, project: &Project, manifest: &Manifest) -> bool {
        let program = &project.program;
        let all = all_subjects(program).into_iter();
        let names: Vec<String> = all.map(|id| program.class(id).binary_name()).collect();
        let settings = self.settings;
        let is_idle = |glob: &&String| !names.iter().any(|name| matches(glob, name));
        let idle: Vec<String> = settings.classes.iter().filter(is_idle).cloned().collect();
        let is_done = project.subjects.is_empty() && !names.is_empty();
        if !is_done {
            if !names.is_empty() && !idle.is_empty() {
                self.warn(&message::idle_patterns(&idle, &nearest(&idle, &names)));
            }
            return false;
        }
        let none = BTreeSet::new();
        let paths = manifest.unwritten();
        if !paths
            .iter()
            .all(|path| stays((settings, program), &none, TESTS, path))
        {
            return false;
        }
        self.warn(&message::no_class(&idle, &nearest(&idle, &names)));
        true
    }

    /// What such a run comes to.
    pub(super) fn nothing_done(&mut self, manifest: &Manifest) -> Summary {
        self.is_untouched = true;
        let page = self.settings.report_directory.join("index.html");
        Summary {
            files: manifest.len() as u64,
            report: page.display().to_string(),
            ..Summary::default()
        }
    }
}
