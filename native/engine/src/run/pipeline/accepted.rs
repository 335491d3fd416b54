//! Accepting alone: the tests that fail are replaced, and nothing else is touched.
//!
//! Comes in: the manifest of what the last run wrote. Goes out: files in which each failing test is replaced by one of what the
//! code is now, or is gone; every other test, file, finding and note of the last run stays as it is.
//! Only classes with a failing test are worked on, and of what that gives only what takes a failing test's place is written.
//! Does not know: how a test takes another one's place (see `write/renewed.rs`).

use super::{Board, Failing, Loaded, Pipeline};
use crate::listener::{Cancel, Level, Listener};
use crate::run::state::{self, Inputs};
use crate::subject::project::Project;
use crate::subject::untraced;
use crate::verify::verdict::Company;
use crate::verify::verifier::relative_path;
use crate::worker::{WorkerSettings, sweep};
use crate::write::earlier::Earlier;
use crate::write::kept::TESTS;
use crate::write::lock::Lock;
use crate::write::manifest::Manifest;
use crate::write::renewed::{Renewed, renewed};
use crate::{Error, Settings, Summary, folders, message};
use palus_analyze::Facts;
use std::collections::{BTreeMap, BTreeSet};

/// Replaces the tests of the last run that fail on what the code is now.
///
/// # Errors
/// As of a run; then no test was replaced.
pub fn accept(
    settings: &Settings,
    listener: &dyn Listener,
    cancel: &Cancel,
) -> Result<Summary, Error> {
    folders::check(settings)?;
    untraced::check(settings)?;
    if !settings.output_directory.is_dir() {
        listener.line(
            Level::Info,
            &message::line("accepted", message::NOTHING_TO_ACCEPT),
        );
        return Ok(Summary::default());
    }
    let locks = Lock::of_run(settings, listener, cancel)?;
    if locks.iter().all(Lock::holds) {
        sweep(settings);
    }
    let manifest = Manifest::of_tests(settings)?;
    let inputs = state::inputs(settings, &manifest);
    // Findings and protocols are those of the last run.
    let own = &Settings {
        accept: true,
        protocols: Vec::new(),
        ..settings.clone()
    };
    let board = Board::default();
    let mut run = Pipeline::new(own, BTreeSet::new(), listener, cancel, &board);
    run.writes_nothing = true;
    let (manifest, project) = board.during(listener, || run.accept(manifest, &inputs))?;
    let files = manifest.len() as u64;
    if run.reproducible {
        run.note_passed(settings, &project, &inputs)?;
    }
    Ok(Summary {
        files,
        ..Summary::default()
    })
}

impl Pipeline<'_> {
    fn accept(
        &mut self,
        mut manifest: Manifest,
        inputs: &Inputs,
    ) -> Result<(Manifest, Project), Error> {
        let Loaded {
            mut project,
            whole,
            platform,
        } = self.load()?;
        self.compare(&whole, &manifest, inputs, Some(&project))?;
        let failing = self.chosen_failing();
        if failing.is_empty() {
            self.info(&message::line("accepted", message::NOTHING_TO_ACCEPT));
            return Ok((manifest, project));
        }
        // Notes of the last run say nothing true of other tests.
        let _ = std::fs::remove_file(self.settings.state_file());
        let name = |file: &String| file.strip_suffix(TESTS).map(str::to_owned);
        let classes: BTreeSet<String> = failing.keys().filter_map(name).collect();
        let program = project.program.clone();
        let subjects = &mut project.subjects;
        subjects.retain(|&class| classes.contains(&*program.class(class).name));
        let facts = project.facts(self.settings);
        let new = if project.subjects.is_empty() {
            BTreeMap::new()
        } else {
            let learned = self.learn(&project, &facts)?;
            let (collected, _) = self.generate_all(
                (&project, &facts, &learned),
                platform,
                &whole,
                &mut manifest,
            )?;
            let all = collected.verified.into_iter();
            let all = all.map(|(class, source)| (relative_path(&class), source.text));
            all.map(|(path, text)| (path.clone(), Earlier::new(&path, text)))
                .collect()
        };
        let files = self.renew(&manifest, &failing, &new);
        let files = self.passing((&project, &facts), &whole, &manifest, &failing, files)?;
        self.put(&mut manifest, &files)?;
        Ok((manifest, project))
    }

    /// Those in files of classes that the patterns choose.
    fn chosen_failing(&mut self) -> Failing {
        let settings = self.settings;
        let is_chosen = |file: &str| {
            let class = palus_bytecode::binary_name(file.strip_suffix(TESTS).unwrap_or(file));
            let fits = |glob: &String| crate::matches(glob, &class);
            settings.classes.iter().any(fits) && !settings.excludes.iter().any(fits)
        };
        let all = std::mem::take(&mut self.failing).into_iter();
        let (chosen, others): (Failing, Failing) = all.partition(|(file, _)| is_chosen(file));
        if !others.is_empty() {
            self.reproducible = false;
            self.warn(&message::not_chosen_to_accept(others.len() as u64));
        }
        chosen
    }

    /// What becomes of each file; one that is laid out otherwise than Palus does now stays.
    fn renew(
        &mut self,
        manifest: &Manifest,
        failing: &Failing,
        new: &BTreeMap<String, Earlier>,
    ) -> BTreeMap<String, Renewed> {
        let mut files = BTreeMap::new();
        for (path, tests) in failing {
            let text = manifest.earlier(path).unwrap_or_default();
            if let Some(file) = renewed(&Earlier::new(path, text), tests, new.get(path)) {
                files.insert(path.clone(), file);
            } else {
                self.reproducible = false;
                self.warn(&message::not_taken_apart(path));
            }
        }
        files
    }

    /// The files as they are where all tests pass together with all others; else without the tests that fail and without
    /// new ones: what is left has passed.
    fn passing(
        &mut self,
        (project, facts): (&Project, &Facts),
        whole: &WorkerSettings,
        manifest: &Manifest,
        failing: &Failing,
        mut files: BTreeMap<String, Renewed>,
    ) -> Result<BTreeMap<String, Renewed>, Error> {
        if files.values().all(|file| file.replaced == 0) {
            return Ok(files);
        }
        let text = |path: &String| match files.get(path) {
            Some(file) => Some(file.text.clone()).filter(|text| !text.is_empty()),
            None => manifest.earlier(path),
        };
        let paths = manifest.unwritten();
        let all: Vec<Earlier> = paths
            .iter()
            .filter(|path| path.ends_with(TESTS))
            .filter_map(|path| {
                Some(Earlier {
                    is_staged: files.contains_key(path),
                    ..Earlier::new(path, text(path)?)
                })
            })
            .collect();
        let tests = all.iter().map(|file| file.tests.len() as u64).sum();
        self.board.begin("verify", message::verifying(tests), 0);
        let folder = self.settings.work_directory.join("verify");
        let together = self.verifier(project, facts, whole);
        let verified = together.verify(Vec::new(), &all, &folder, Company::All, false)?;
        self.board.end();
        let is_other = |path: &String| !files.contains_key(path);
        let do_others_fail = verified.is_cut || verified.stale.keys().any(is_other);
        for (path, file) in &mut files {
            if do_others_fail || verified.stale.contains_key(path) {
                let old = Earlier::new(path, manifest.earlier(path).unwrap_or_default());
                let without = renewed(&old, &failing[path], None);
                *file = without.unwrap_or_default();
            }
        }
        Ok(files)
    }

    /// Writes the files.
    fn put(
        &mut self,
        manifest: &mut Manifest,
        files: &BTreeMap<String, Renewed>,
    ) -> Result<(), Error> {
        let is_left = |(_, file): &(&String, &Renewed)| !file.text.is_empty();
        let texts = files.iter().filter(is_left);
        let texts: Vec<(String, &str)> = texts
            .map(|(path, file)| (path.clone(), file.text.as_str()))
            .collect();
        manifest.write_all(&texts)?;
        for (path, _) in files.iter().filter(|one| !is_left(one)) {
            manifest.delete(path)?;
        }
        manifest.save()?;
        for (path, file) in files {
            self.info(&message::renewed(path, file.replaced, file.gone));
        }
        let sum = |of: fn(&Renewed) -> u64| files.values().map(of).sum();
        self.info(&message::all_renewed(
            sum(|file| file.replaced),
            sum(|file| file.gone),
        ));
        Ok(())
    }
}
