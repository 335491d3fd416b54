//! Promoting: written tests that pass on what the code is now, and compile, become the project's own.
//!
//! Comes in: the manifest of what the last run wrote, which classes are chosen. Goes out: files among the project's own tests.
//! A test that fails, or does not compile, would fail the project's own tests or keep them from compiling: it stays where it
//! is and is named, and its file is taken apart for the others.
//! Which of them reach what `covers` names, and which notice most, is known of the last run (see `run/unchanged.rs`).
//! Does not know: where a promoted test goes (see `write/promote.rs`), how tests are run (see `regression.rs`).

use super::{Board, Failing, Pipeline, limit, now};
use crate::listener::{Cancel, Level, Listener};
use crate::run::regression::{Looked, NEEDS, Tests, compare as compared};
use crate::run::state::{self, Inputs};
use crate::run::unchanged::left_before;
use crate::verify::toolchain::{Compilation, compile};
use crate::worker::platform::PlatformReader;
use crate::worker::{WorkerSettings, sweep};
use crate::write::lock::Lock;
use crate::write::manifest::Manifest;
use crate::write::promote::{Moving, chosen};
use crate::{Error, ErrorKind, Settings, Summary, folders, message};
use palus_report::Left;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Moves the written tests of the chosen classes that pass on what the code is now.
///
/// # Errors
/// A configuration error where nothing is chosen, or a folder cannot be written; an [`Error`] of the kind `BehaviourChange`
/// where none passes; and as of a look at written tests.
pub fn promote(
    settings: &Settings,
    listener: &dyn Listener,
    cancel: &Cancel,
) -> Result<Summary, Error> {
    folders::check(settings)?;
    if !settings.output_directory.is_dir() {
        return nothing_here(settings, listener, nothing(settings));
    }
    let locks = Lock::of_run(settings, listener, cancel)?;
    if locks.iter().all(Lock::holds) {
        sweep(settings);
    }
    let mut manifest = Manifest::of_tests(settings)?;
    let files = chosen(settings, &manifest);
    if files.is_empty() {
        return nothing_here(settings, listener, nothing(settings));
    }
    // What fails stays, whoever accepts it in other runs.
    let own = &Settings {
        accept: false,
        ..settings.clone()
    };
    let inputs = state::inputs(own, &manifest);
    let board = Board::default();
    let mut run = Pipeline::new(own, BTreeSet::new(), listener, cancel, &board);
    let files = match run.asked_for(&left_before(settings), files) {
        Ok(files) => files,
        Err(error) => return nothing_here(settings, listener, error),
    };
    let all: u64 = files.iter().map(Moving::all).sum();
    let files = board.during(listener, || run.fit(&manifest, &inputs, files))?;
    run.is_still(&inputs)?;
    let mut summary = Summary::default();
    for file in &files {
        let name = file.put(settings, &mut manifest)?;
        summary.tests += file.tests;
        summary.files += 1;
        run.info(&message::promoted(file.tests, &file.class(), &name));
    }
    let stay = all.saturating_sub(files.iter().map(Moving::going).sum());
    if summary.files == 0 {
        return Err(Error::new(
            ErrorKind::BehaviourChange,
            message::none_promoted(stay),
            message::MEND_BEFORE_PROMOTING,
        ));
    }
    run.info(&message::all_promoted(
        summary.tests,
        &settings.promote_directory,
    ));
    let unasked: u64 = files.iter().map(Moving::unasked).sum();
    if unasked > 0 {
        run.info(&message::not_asked_for(unasked));
    }
    if stay > 0 {
        run.warn(&message::not_promoted(stay));
    }
    let mut folders = settings.classes_directories.iter();
    if folders.any(|folder| folder.join("module-info.class").is_file()) {
        listener.line(Level::Warning, message::PROMOTED_IN_MODULE);
    }
    Ok(summary)
}

/// Why a file stays of which no run says what its tests reach.
const UNKNOWN: &str = "no run here wrote its tests as they are, so what each reaches and notices is not known; \
                       generate tests once more";

/// Ends well where other modules may have what is to be promoted.
fn nothing_here(
    settings: &Settings,
    listener: &dyn Listener,
    error: Error,
) -> Result<Summary, Error> {
    if !settings.has_other_modules {
        return Err(error);
    }
    listener.line(Level::Warning, &message::line("promoted", &error.message));
    Ok(Summary::default())
}

fn nothing(settings: &Settings) -> Error {
    Error::configuration(
        format!(
            "no written test of a class that `classes` chooses is in {}",
            settings.output_directory.display()
        ),
        "generate tests first, or choose other classes",
    )
}

impl Pipeline<'_> {
    /// The files with those tests alone that `covers` and `bestPerClass` choose.
    fn asked_for(&mut self, left: &Left, files: Vec<Moving>) -> Result<Vec<Moving>, Error> {
        let (covers, most) = (&self.settings.covers, self.settings.best_per_class);
        if covers.is_all() && most == usize::MAX {
            return Ok(files);
        }
        let mut asked_for = Vec::new();
        let mut is_known = false;
        for mut file in files {
            let class = file.class();
            let note = left.classes.iter().find(|one| one.name == class);
            let Some(note) = note else {
                self.warn(&message::stays(file.path(), file.all(), UNKNOWN));
                continue;
            };
            let now = file.bodies();
            let known = note.best.iter();
            let known = known.filter(|test| now.get(&*test.name) == Some(&test.body));
            let mut known = known.map(|test| test.name.as_str()).peekable();
            if known.peek().is_none() {
                self.warn(&message::stays(file.path(), file.all(), UNKNOWN));
                continue;
            }
            is_known = true;
            let reaches = |name: &&str| {
                let code = note.reach.get(*name);
                covers.is_all() || code.is_some_and(|code| covers.is_reached(code))
            };
            let chosen = known.filter(reaches).take(most).map(str::to_owned);
            let chosen: BTreeSet<String> = chosen.collect();
            if chosen.is_empty() {
                continue;
            }
            match file.only(&chosen) {
                Ok(()) => asked_for.push(file),
                Err(why) => self.warn(&message::stays(file.path(), file.all(), why)),
            }
        }
        if !asked_for.is_empty() {
            return Ok(asked_for);
        }
        Err(if is_known {
            Error::configuration(
                format!("no written test that may be promoted reaches {covers}"),
                "look in the report which tests reach a line, or choose other places with `covers`",
            )
        } else {
            Error::configuration(
                "what the written tests reach and notice is not known here".to_owned(),
                "generate tests once more, then promote; or promote without `covers` and `bestPerClass`",
            )
        })
    }

    /// The files without what fails or does not compile on what the code is now.
    fn fit(
        &mut self,
        manifest: &Manifest,
        inputs: &Inputs,
        files: Vec<Moving>,
    ) -> Result<Vec<Moving>, Error> {
        let deadline = (self.started + limit(self.settings)).max(now() + NEEDS);
        let whole = WorkerSettings::of(self.settings, Some(deadline), self.cancel);
        let failing = self.failing_of(&whole, manifest, inputs, &files)?;
        let mut fit = Vec::new();
        for mut file in files {
            let Some(names) = failing.get(file.path()) else {
                fit.push(file);
                continue;
            };
            match file.without(names) {
                Ok(()) => fit.push(file),
                Err(why) => self.warn(&message::stays(file.path(), file.all(), why)),
            }
        }
        self.compiling(&whole, fit)
    }

    /// Names of the tests of these files that fail, by file.
    fn failing_of(
        &mut self,
        whole: &WorkerSettings,
        manifest: &Manifest,
        inputs: &Inputs,
        files: &[Moving],
    ) -> Result<Failing, Error> {
        let tests = Tests::OfEarlierRuns;
        let looked = Looked::at(self.settings, &inputs.digest, manifest, tests);
        if looked.is_done() {
            self.info(&message::line("check", message::SAME_AS_PASSED));
            return Ok(Failing::new());
        }
        let started = now();
        let guards = PlatformReader::new(whole)?.guards();
        self.sandbox(guards);
        self.board.begin("check", message::COMPARING, 0);
        let is_moving = |path: &String| files.iter().any(|file| file.path() == path);
        let paths = manifest.unwritten().into_iter();
        let others: BTreeSet<String> = paths.filter(|path| !is_moving(path)).collect();
        let compared = compared(
            self.settings,
            whole,
            manifest,
            tests,
            &others,
            looked.differing(),
            self.cancel,
        )?;
        self.board.end();
        let changes = compared.changes.len() as u64;
        if compared.tests > 0 {
            let text = message::compared(compared.tests, 0, changes);
            self.stage("check", &text, Self::since(started));
        }
        for (file, tests) in compared.unread.iter().filter(|(file, _)| is_moving(file)) {
            self.warn(&message::unread(file, *tests));
        }
        self.name(&compared);
        let mut failing = Failing::new();
        for change in compared.changes {
            let test = change.test.rsplit('#').next().unwrap_or_default();
            let tests = failing.entry(change.file).or_default();
            tests.insert(test.to_owned());
        }
        Ok(failing)
    }

    /// Those of the files that compile as they are to be, among the project's own tests.
    fn compiling(
        &mut self,
        whole: &WorkerSettings,
        mut files: Vec<Moving>,
    ) -> Result<Vec<Moving>, Error> {
        let folder = self.settings.work_directory.join("verify-promoted");
        while !files.is_empty() {
            let source = |file: &Moving| (PathBuf::from(file.path()), file.text.clone());
            let sources: Vec<_> = files.iter().map(source).collect();
            let result = compile(
                &Compilation {
                    java_home: &self.settings.java_home,
                    language_level: self.settings.language_level,
                    arguments: &self.settings.compiler_arguments,
                    class_path: &self.settings.class_path,
                    sources: &sources,
                    folder: &folder,
                    own_files: whole.own_files(),
                },
                whole.deadline,
                self.cancel,
            )?;
            if result.is_cut {
                return Err(Error::configuration(
                    "the time limit ended before the tests to promote had been compiled, so none was promoted",
                    "raise `timeLimit`, or run again when the machine has less to do",
                ));
            }
            let Some(error) = result.errors.first() else {
                break;
            };
            let about = files.iter().enumerate();
            let about = about.filter(|(_, file)| error.file.ends_with(file.path()));
            // Of `Fees.java` and `demo/Fees.java` both may be the end of one path.
            let Some((at, _)) = about.max_by_key(|(_, file)| file.path().len()) else {
                return Err(Error::configuration(
                    format!(
                        "javac fails before it reads the tests to promote: {}",
                        error.message
                    ),
                    "check the compiler settings of the project's tests",
                ));
            };
            let file = files.remove(at);
            let text =
                message::stays_uncompiled(file.path(), file.all(), error.line, &error.message);
            self.warn(&text);
        }
        let _ = std::fs::remove_dir_all(&folder);
        Ok(files)
    }
}
