//! Coverage while the run still goes on, for its progress line.
//!
//! Comes in: execution data of each verified batch. Goes out: `line 61.2 -> 74.8 %`.
//! Does not know: the figures of the report, which are measured again at the end; where measuring fails here, nothing
//! is said.

use crate::verify::coverage::{Counts, measure};
use crate::{Cancel, Settings, message};
use std::path::PathBuf;
use std::time::Instant;

/// Fewer classes than this are done before a figure would be of use.
const LONG: usize = 64;

/// What was covered by the batches verified so far.
#[derive(Debug, Default)]
pub(crate) struct SoFar {
    is_wanted: bool,
    before: Option<Counts>,
    files: Vec<PathBuf>,
}

impl SoFar {
    /// For a run over so many classes.
    pub(crate) fn new(settings: &Settings, classes: usize) -> SoFar {
        let is_wanted = classes >= LONG
            && settings.coverage_agent.is_some()
            && !settings.coverage_class_path.is_empty();
        SoFar {
            is_wanted,
            ..SoFar::default()
        }
    }

    /// Whether batches are to be measured.
    pub(crate) fn is_wanted(&self) -> bool {
        self.is_wanted
    }

    /// Takes over the data of one batch, and tells what all of them cover, where that is wanted.
    pub(crate) fn add(
        &mut self,
        settings: &Settings,
        written: &[PathBuf],
        until: Instant,
        cancel: &Cancel,
    ) -> Option<String> {
        let folder = settings.work_directory.join("so-far");
        if !self.is_wanted || written.is_empty() {
            return None;
        }
        if self.files.is_empty() {
            // An earlier run's.
            let _ = std::fs::remove_dir_all(&folder);
        }
        std::fs::create_dir_all(&folder).ok()?;
        for file in written {
            let kept = folder.join(format!("{}.exec", self.files.len()));
            // The next batch writes to the same name.
            std::fs::copy(file, &kept).ok()?;
            self.files.push(kept);
        }
        let existing = &settings.coverage_files;
        if self.before.is_none() {
            self.before = Some(measure(settings, existing, until, cancel).ok()??.total);
        }
        let all: Vec<PathBuf> = existing.iter().chain(&self.files).cloned().collect();
        let after = measure(settings, &all, until, cancel).ok()??.total;
        Some(message::coverage_so_far(&self.before?, &after))
    }
}
