//! The stage that looks at the tests of the last run before any is replaced; and a run of this stage alone.
//!
//! Comes in: the manifest of what the last run wrote. Goes out: lines and a report that name what changed, and an error
//! where nobody accepts it.
//! Does not know: how tests are run (see `regression.rs`).

use super::{Board, Pipeline, limit, now};
use crate::listener::{Cancel, Level, Listener};
use crate::report::changes;
use crate::run::regression::{Compared, Looked, NEEDS, Tests, compare as compared};
use crate::run::state::{self, Inputs};
use crate::subject::project::Project;
use crate::worker::platform::PlatformReader;
use crate::worker::{WorkerSettings, sweep};
use crate::write::kept::{TESTS, missing};
use crate::write::lock::Lock;
use crate::write::manifest::Manifest;
use crate::{Error, ErrorKind, Settings, Summary, folders, message};
use std::collections::BTreeSet;

/// Changes that are named one by one on the console.
const NAMED: usize = 20;

/// Runs the tests of the last run on what the code is now; writes nothing but what the report says of them.
///
/// # Errors
/// An [`Error`] of the kind `BehaviourChange` where one fails and nobody accepts that, unless `failOnChange` is false;
/// and as of a run.
pub fn compare(
    settings: &Settings,
    listener: &dyn Listener,
    cancel: &Cancel,
) -> Result<Summary, Error> {
    folders::check(settings)?;
    if !settings.output_directory.is_dir() {
        say_nothing_to_compare(settings, listener);
        return Ok(Summary::default());
    }
    let locks = Lock::of_run(settings, listener, cancel)?;
    if locks.iter().all(Lock::holds) {
        sweep(settings);
    }
    let manifest = Manifest::of_tests(settings)?;
    let inputs = state::inputs(settings, &manifest);
    let board = Board::default();
    let mut run = Pipeline::new(settings, BTreeSet::new(), listener, cancel, &board);
    let whole = WorkerSettings::of(settings, None, cancel);
    match board.during(listener, || run.compare(&whole, &manifest, &inputs, None)) {
        Err(error) if error.kind == ErrorKind::BehaviourChange && !settings.fail_on_change => {
            run.warn(&error.message);
        }
        ended => ended?,
    }
    Ok(Summary {
        files: manifest.len() as u64,
        ..Summary::default()
    })
}

/// Nobody is to take that for tests that pass. A build that runs what there is has no need to be told each time.
fn say_nothing_to_compare(settings: &Settings, listener: &dyn Listener) {
    let folder = settings.output_directory.as_path();
    let inside = folder.strip_prefix(&settings.project_directory);
    let folder = inside.unwrap_or(folder).display().to_string();
    let text = message::nothing_to_compare(&folder);
    let level = if settings.tests_run_next {
        Level::Info
    } else {
        Level::Warning
    };
    listener.line(level, &message::line("check", &text));
}

impl Pipeline<'_> {
    /// Runs the tests of the last run; `inputs` are those before any code was loaded. Where the project is known, those
    /// need not run that rest on nothing that differs since they passed.
    pub(super) fn compare(
        &mut self,
        whole: &WorkerSettings,
        manifest: &Manifest,
        inputs: &Inputs,
        project: Option<&Project>,
    ) -> Result<(), Error> {
        let tests = match project {
            Some(_) => Tests::OfEarlierRuns,
            None if self.settings.tests_run_next => Tests::AllBeforeTheyRun,
            None => Tests::All,
        };
        // Also where all else is as it was: whoever looks again has not seen it.
        let missing = missing(self.settings, manifest);
        if !missing.is_empty() {
            self.warn(&message::not_here(&missing));
        }
        let mut looked = Looked::at(self.settings, &inputs.digest, manifest, tests);
        if looked.is_done() {
            self.info(&message::line("check", message::SAME_AS_PASSED));
            return changes::clear(self.settings);
        }
        let started = now();
        if let Some(project) = project {
            looked = looked.in_project(self.settings, project);
        } else if looked.is_empty() {
            say_nothing_to_compare(self.settings, self.listener);
        } else {
            // No project was read, so nobody has said within what its code is about to run.
            let guards = PlatformReader::new(whole)?.guards();
            self.sandbox(guards);
        }
        let resting = looked.resting();
        self.board.begin("check", message::COMPARING, 0);
        let end = self.started + limit(self.settings);
        let whole = WorkerSettings {
            deadline: Some(end.max(started + NEEDS)),
            ..whole.clone()
        };
        let compared = compared(
            self.settings,
            &whole,
            manifest,
            tests,
            &resting,
            looked.differing(),
            self.cancel,
        )?;
        if compared.tests > 0 {
            self.tell_agents(&whole);
        }
        if compared.tests + compared.resting > 0 {
            let left = compared.left_to_build.values().sum::<u64>();
            let fail = compared.changes.len() as u64 + left;
            let text = message::compared(compared.tests, compared.resting, fail);
            self.stage("check", &text, Self::since(started));
        }
        self.board.end();
        if !compared.changes.is_empty() && project.is_some() {
            // Something is to be done about them.
            self.is_still(inputs)?;
        } else if !compared.changes.is_empty() {
            self.has_run_on(inputs);
        }
        for (file, tests) in &compared.unread {
            // To be said again by the next run.
            self.reproducible = false;
            self.warn(&message::unread(file, *tests));
        }
        for (file, &tests) in &compared.left_to_build {
            self.warn(&message::left_to_build(file, tests));
        }
        if compared.changes.is_empty() {
            let all_passed = compared.unread.is_empty() && compared.left_to_build.is_empty();
            if self.has_run_on(inputs) && all_passed {
                match compared.resting {
                    0 => looked.done(),
                    _ => looked.done_but_for_resting(),
                }
            }
            return changes::clear(self.settings);
        }
        self.name(&compared);
        if let Some(files) = looked.differing() {
            self.info(&message::differing(&files));
        }
        if self.settings.accept {
            changes::clear(self.settings)?;
            self.accepts(&compared);
            return Ok(());
        }
        let page = changes::show(self.settings, &compared.changes)?;
        self.info(&message::line(
            "report",
            &message::link(std::path::Path::new(&page)),
        ));
        let failing = message::Failing::of(&compared.changes);
        Err(Error::new(
            ErrorKind::BehaviourChange,
            message::behaviour_changed(
                failing,
                compared.changes.iter().find(|change| !change.is_edited),
            ),
            message::mend_or_accept(failing),
        ))
    }

    /// Notes the tests that may be replaced.
    fn accepts(&mut self, compared: &Compared) {
        // Whose file it is decides which class is worked on again, not what the failing line is about.
        let files = compared.changes.iter();
        let files = files.filter_map(|change| change.file.strip_suffix(TESTS));
        let classes = files.map(palus_bytecode::binary_name);
        self.aside.failing.extend(classes);
        for change in compared.changes.iter().filter(|change| !change.is_edited) {
            let test = change.test.rsplit('#').next().unwrap_or_default();
            let tests = self.failing.entry(change.file.clone()).or_default();
            tests.insert(test.to_owned());
        }
        if compared.changes.iter().any(|change| change.is_edited) {
            // They fail in the next run too, which is to say so.
            self.reproducible = false;
            self.warn(message::ACCEPTS_NO_EDITS);
        }
    }

    /// Notes that all that is written has passed on what the project is now, if it is what it was before anything ran, and
    /// nobody edited a test meanwhile, which would pass unseen.
    pub(super) fn note_passed(
        &mut self,
        settings: &Settings,
        project: &Project,
        before: &Inputs,
    ) -> Result<(), Error> {
        let manifest = Manifest::of_tests(settings)?;
        let now = state::inputs(settings, &manifest);
        let looked = Looked::at(settings, &now.digest, &manifest, Tests::OfEarlierRuns);
        let looked = looked.in_project(settings, project);
        // Asked last: what is noted has been read by then.
        if !before.have_all_edits(&Manifest::of_tests(settings)?) {
            self.reproducible = false;
            self.warn(message::EDITED_MEANWHILE);
        } else if self.has_run_on(before) {
            looked.done();
        }
        Ok(())
    }

    /// Ends the run where the code is not what it was before anything ran: what tests say then, nobody knows of which.
    ///
    /// # Errors
    /// That it is not; nothing of this run is taken up by the next one.
    pub(super) fn is_still(&mut self, before: &Inputs) -> Result<(), Error> {
        if before.have_same_code(self.settings) {
            return Ok(());
        }
        self.staged.clear();
        Err(Error::configuration(
            message::NOTHING_REPLACED,
            "let one build at a time work on the project, and run again",
        ))
    }

    /// Whether the code is what it was before anything ran. Otherwise nobody knows which of both did, and that is said.
    fn has_run_on(&mut self, before: &Inputs) -> bool {
        let is_same = before.have_same_code(self.settings);
        if !is_same {
            self.reproducible = false;
            self.warn(message::CHANGED_MEANWHILE);
        }
        is_same
    }

    /// What changed, line by line.
    pub(super) fn name(&self, compared: &Compared) {
        let level = if self.settings.accept {
            Level::Info
        } else {
            Level::Warning
        };
        for change in compared.changes.iter().take(NAMED) {
            let text = message::change(change, self.settings.accept);
            self.listener.line(level, &text);
        }
        let more = compared.changes.len().saturating_sub(NAMED);
        if more > 0 {
            let text = message::more_changes(more as u64);
            self.listener.line(level, &text);
        }
    }
}
