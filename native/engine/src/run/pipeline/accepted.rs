//! Accepting alone: the tests that fail are replaced, and nothing else is touched.
//!
//! Comes in: the manifest of what the last run wrote. Goes out: files in which each failing test says what is so now, is
//! replaced by another one of what the code is now, or is gone; every other test, file, finding and note of the last run
//! stays as it is.
//! Only classes with a test that fails for something else than a value are worked on, and of what that gives only what takes
//! a failing test's place is written.
//! A test of another class that fails beside the new ones keeps none of these from being written: it is said. Where the time
//! limit ends before it is known what takes a failing test's place, nothing is written.
//! Does not know: how a test takes another one's place (see `write/renewed.rs`).

use super::verified::{VERIFYING_NEEDS, together_needs, verifying_deadline};
use super::{Board, Collected, Failing, Loaded, Pipeline, limit, now};
use crate::listener::{Cancel, Level, Listener};
use crate::run::regression::{NEEDS, Revalued, revalued};
use crate::run::state::{self, Inputs};
use crate::subject::project::Project;
use crate::subject::untraced;
use crate::verify::DropReason;
use crate::verify::rounds::{Stale, Verified};
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
use std::time::Duration;

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
        let all_failing = self.failing.clone();
        let failing = self.chosen_failing();
        if failing.is_empty() {
            self.info(&message::line("accepted", message::NOTHING_TO_ACCEPT));
            return Ok((manifest, project));
        }
        let facts = project.facts(self.settings);
        let revalued = self.revalued(&whole, (&project, &facts), &manifest, &failing)?;
        let rest = rest(&failing, &revalued);
        let name = |file: &String| file.strip_suffix(TESTS).map(str::to_owned);
        let classes: BTreeSet<String> = rest.keys().filter_map(name).collect();
        let program = project.program.clone();
        let subjects = &mut project.subjects;
        subjects.retain(|&class| classes.contains(&*program.class(class).name));
        let (new, unfinished) = if project.subjects.is_empty() {
            Default::default()
        } else {
            let learned = self.learn(&project, &facts)?;
            let (collected, _) = self.generate_all(
                (&project, &facts, &learned),
                platform,
                &whole,
                &mut manifest,
            )?;
            self.cuts(&project, &collected);
            let unfinished = unfinished(&project, &collected);
            // What a run that was cut verified of a class may take a failing test's place as well.
            let all = collected.aside.into_iter().chain(collected.verified);
            let all = all.map(|(class, source)| (relative_path(&class), source.text));
            let new = all.map(|(path, text)| (path.clone(), Earlier::new(&path, text)));
            (new.collect(), unfinished)
        };
        let files = self.renew(&manifest, (&failing, &rest), &revalued, &new);
        let has_lost =
            |(path, file): (&String, &Renewed)| file.gone > 0 && unfinished.contains(path);
        if files.iter().any(has_lost) {
            return Err(cut_short());
        }
        let of = (&project, &facts);
        let files = self.passing(of, &whole, &manifest, (&failing, &all_failing), files)?;
        self.is_still(inputs)?;
        // Notes of the last run say nothing true of other tests.
        let _ = std::fs::remove_file(self.settings.state_file());
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

    /// The files in which failing tests say what is so now.
    fn revalued(
        &self,
        whole: &WorkerSettings,
        of: (&Project, &Facts),
        manifest: &Manifest,
        failing: &Failing,
    ) -> Result<BTreeMap<String, Revalued>, Error> {
        let end = self.started + limit(self.settings);
        let whole = WorkerSettings {
            deadline: Some(end.max(now() + NEEDS)),
            ..whole.clone()
        };
        let settings = self.settings;
        let mut revalued = revalued(settings, &whole, of, manifest, failing, self.cancel)?;
        if revalued.is_empty() {
            return Ok(revalued);
        }
        // Of those that do not pass elsewhere, others may take the place.
        let alone: Vec<Earlier> = revalued.values().map(Revalued::alone).collect();
        let folder = self.settings.work_directory.join("verify");
        let group = self.verifier(of.0, of.1, &whole);
        let verified = group.verify(Vec::new(), &alone, &folder, Company::Group, false)?;
        if verified.is_cut {
            return Err(cut_short());
        }
        for (path, stale) in &verified.stale {
            let is_whole = stale.tests.iter().any(|test| !test.contains('#'));
            let fails = |name: &str| {
                let mut names = stale.tests.iter().filter_map(|test| test.split_once('#'));
                is_whole || names.any(|(_, test)| test == name)
            };
            if let Some(file) = revalued.get_mut(path) {
                file.put_back(&fails);
            }
        }
        revalued.retain(|_, file| !file.tests().is_empty());
        Ok(revalued)
    }

    /// What becomes of each file with failing tests, of which some say what is so now and the rest does not; one that is laid
    /// out otherwise than Palus does now stays.
    fn renew(
        &mut self,
        manifest: &Manifest,
        (failing, rest): (&Failing, &Failing),
        revalued: &BTreeMap<String, Revalued>,
        new: &BTreeMap<String, Earlier>,
    ) -> BTreeMap<String, Renewed> {
        let mut files = BTreeMap::new();
        let none = BTreeSet::new();
        for path in failing.keys() {
            let revalued = revalued.get(path);
            let earlier = || Earlier::new(path, manifest.earlier(path).unwrap_or_default());
            let file = revalued.map_or_else(earlier, Revalued::file);
            let rest = rest.get(path).unwrap_or(&none);
            if let Some(file) = renewed(&file, rest, new.get(path)) {
                let revalued = revalued.map_or(0, |of| of.tests().len() as u64);
                files.insert(path.clone(), Renewed { revalued, ..file });
            } else {
                self.reproducible = false;
                self.warn(&message::not_taken_apart(path));
            }
        }
        files
    }

    /// The files without the new tests that do not pass together with all others. Those of other classes that fail then
    /// stay as they are; of `all_failing` it is known.
    fn passing(
        &mut self,
        (project, facts): (&Project, &Facts),
        whole: &WorkerSettings,
        manifest: &Manifest,
        (failing, all_failing): (&Failing, &Failing),
        mut files: BTreeMap<String, Renewed>,
    ) -> Result<BTreeMap<String, Renewed>, Error> {
        if files
            .values()
            .all(|file| file.replaced + file.revalued == 0)
        {
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
                let is_staged = files.contains_key(path);
                let file = Earlier::new(path, text(path)?);
                let failing = failing.get(path);
                let old = manifest.earlier(path).filter(|_| is_staged);
                let old = old.map(|text| Earlier::new(path, text).tests);
                let mut old: BTreeSet<String> =
                    old.into_iter().flatten().map(|one| one.name).collect();
                old.retain(|name| failing.is_none_or(|failing| !failing.contains(name)));
                Some(Earlier {
                    is_staged,
                    kept: old,
                    ..file
                })
            })
            .collect();
        let tests = all.iter().map(|file| file.tests.len() as u64).sum();
        self.board.begin("verify", message::verifying(tests), 0);
        let folder = self.settings.work_directory.join("verify");
        let most = limit(self.settings);
        let needs = VERIFYING_NEEDS + together_needs((0, Duration::ZERO, 1), tests, most);
        let whole = &WorkerSettings {
            deadline: Some(verifying_deadline(self.started + most, now(), needs)),
            ..whole.clone()
        };
        let together = self.verifier(project, facts, whole);
        let verified = together.verify(Vec::new(), &all, &folder, Company::All, false)?;
        self.board.end();
        let Verified {
            mut stale, is_cut, ..
        } = verified;
        if is_cut {
            return Err(cut_short());
        }
        let mut dropped = Vec::new();
        for (path, file) in &mut files {
            let Some(of_file) = stale.get_mut(path) else {
                continue;
            };
            let old = Earlier::new(path, manifest.earlier(path).unwrap_or_default());
            let is_kept = |name: &str| {
                let mut tests = old.tests.iter();
                !failing[path].contains(name) && tests.any(|test| test.name == name)
            };
            let is_new =
                |test: &String| !test.split_once('#').is_some_and(|(_, name)| is_kept(name));
            let new: BTreeSet<String> = of_file
                .tests
                .iter()
                .filter(|one| is_new(one))
                .cloned()
                .collect();
            of_file.forget(&is_new);
            if !new.is_empty() {
                let without = without(path, file, &new);
                *file = without
                    .or_else(|| renewed(&old, &failing[path], None))
                    .unwrap_or_default();
                dropped.extend(new);
            }
        }
        if !dropped.is_empty() {
            self.warn(&message::not_put_in_place(&dropped));
        }
        // That these fail was said before any was replaced.
        for (path, of_file) in stale
            .iter_mut()
            .filter(|(path, _)| !files.contains_key(*path))
        {
            if let Some(known) = all_failing.get(path) {
                let is_known = |test: &String| {
                    test.split_once('#')
                        .is_none_or(|(_, name)| known.contains(name))
                };
                of_file.forget(&is_known);
            }
        }
        stale.retain(|_, of_file| !of_file.tests.is_empty());
        self.tell_stale(project, &stale);
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
            self.info(&message::renewed(path, file.became()));
        }
        let sum = |all: [u64; 3], file: &Renewed| {
            let of = file.became();
            [all[0] + of[0], all[1] + of[1], all[2] + of[2]]
        };
        self.info(&message::all_renewed(files.values().fold([0; 3], sum)));
        Ok(())
    }
}

impl Stale {
    /// Without these tests.
    fn forget(&mut self, which: &dyn Fn(&String) -> bool) {
        self.tests.retain(|test| !which(test));
        self.denied.retain(|test, _| !which(test));
    }
}

/// The files of classes that the time limit kept from being worked on to the end.
fn unfinished(project: &Project, collected: &Collected) -> BTreeSet<String> {
    let is_unfinished = |subject| {
        let drops = collected.drops.of(subject);
        drops.contains_key(&DropReason::NotVerified)
    };
    let units = collected.units.iter();
    let units = units.filter(|unit| unit.cut || is_unfinished(unit.subject));
    units
        .map(|unit| format!("{}{TESTS}", project.program.class(unit.subject).name))
        .collect()
}

/// A file without some new tests, by their full names; none where it does not compile or cannot be taken apart.
fn without(path: &str, file: &Renewed, new: &BTreeSet<String>) -> Option<Renewed> {
    let names = new.iter();
    let names: Option<BTreeSet<String>> = names
        .map(|test| Some(test.split_once('#')?.1.to_owned()))
        .collect();
    let rest = renewed(&Earlier::new(path, file.text.clone()), &names?, None)?;
    // Those that say what is so now are counted first where they are not the ones that go.
    let left = (file.replaced + file.revalued).saturating_sub(rest.gone);
    let revalued = file.revalued.min(left);
    Some(Renewed {
        revalued,
        replaced: left - revalued,
        gone: file.gone + rest.gone,
        ..rest
    })
}

/// The failing tests that do not say what is so now.
fn rest(failing: &Failing, revalued: &BTreeMap<String, Revalued>) -> Failing {
    let rest = failing.iter().map(|(path, tests)| {
        let done = revalued
            .get(path)
            .map_or_else(BTreeSet::new, Revalued::tests);
        (path.clone(), tests - &done)
    });
    rest.filter(|(_, tests)| !tests.is_empty()).collect()
}

fn cut_short() -> Error {
    Error::configuration(
        "the time limit ended before it was known what takes the place of the tests that fail, so nothing was written",
        "raise `timeLimit`, or run again when the machine has less to do",
    )
}
