//! From candidates of finished units to what is on disk, and what that covers.
//!
//! Comes in: units in batches, then all that passed. Goes out: files, and the figures of all that is on disk, files of
//! earlier runs included.
//! What passes in a batch is staged; once all has passed together, it is written: before, nobody knows what the tests do
//! beside one another. A batch of all is verified together at once. Where the time for generation is over, what waits is
//! verified in small groups.
//! Does not know: how a test was found.

use super::{AtOnce, Collected, Pipeline, limit, now};
use crate::run::defect::give_up;
use crate::run::schedule::Schedule;
use crate::run::staged::without;
use crate::run::state::Inputs;
use crate::run::unit::{Context, UnitResult};
use crate::subject::project::Project;
use crate::subject::untraced::is_covered_known;
use crate::verify::DropReason;
use crate::verify::coverage::{Coverage, measure};
use crate::verify::rounds::{Stale, Verified};
use crate::verify::verdict::Company;
use crate::verify::verifier::{Verifier, relative_path};
use crate::worker::WorkerSettings;
use crate::write::earlier::Earlier;
use crate::write::kept::{TESTS, completed, stays};
use crate::write::manifest::Manifest;
use crate::write::sources::{left_alone, write};
use crate::{Error, ErrorKind, Verification, message};
use palus_analyze::Facts;
use palus_bytecode::ClassId;
use palus_suite::{Source, TestClass};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// What verifying the first group, and all together, may take, also beyond the time limit.
pub(super) const VERIFYING_NEEDS: Duration = Duration::from_secs(45);

impl Pipeline<'_> {
    /// Verifies and stages a batch: as a whole, or in groups where time is short.
    pub(super) fn verify_batch(
        &mut self,
        context: Context<'_>,
        whole: &WorkerSettings,
        manifest: &mut Manifest,
        schedule: &Schedule,
        mut batch: Vec<UnitResult>,
        collected: &mut Collected,
    ) -> Result<(), Error> {
        let project = context.project;
        for unit in &batch {
            self.say_broken(project, unit);
        }
        self.keep_what_is_as_good(project, manifest, &mut batch);
        if self.settings.verification == Verification::Once {
            // Nothing beside generation while its time is measured; all tests are verified together at the end.
            let unprinted = Source::default();
            let tests = batch.iter_mut().filter_map(|unit| unit.tests.take());
            let classes = self.leave_alone(project, manifest, tests.collect(), collected);
            let classes = classes.into_iter();
            collected
                .verified
                .extend(classes.map(|class| (class, unprinted.clone())));
            collected.units.append(&mut batch);
            return Ok(());
        }
        while !batch.is_empty() {
            let is_short = schedule.is_short(now());
            let size = if is_short {
                let size = self.group;
                self.group *= 2;
                size.min(batch.len())
            } else {
                batch.len()
            };
            // What was verified in other groups than it is with time enough may be another thing.
            self.reproducible &= !is_short;
            let rest = batch.split_off(size);
            self.verify_group(context, whole, manifest, batch, None, collected)?;
            batch = rest;
        }
        Ok(())
    }

    /// Whether a batch of all classes is verified at once, beside what stays of earlier runs, and not as a group before:
    /// where it is known what stays, and two JVMs show what four would.
    pub(super) fn verifies_at_once(
        &self,
        facts: &Facts,
        batch: &[UnitResult],
        is_short: bool,
    ) -> bool {
        self.settings.verification == Verification::Twice
            && !self.writes_nothing
            && !is_short
            && batch.iter().all(|unit| !unit.cut && unit.broken.is_none())
            && !facts.has_orders_of_each_jvm()
    }

    /// Verifies and stages all units at once.
    pub(super) fn verify_at_once(
        &mut self,
        context: Context<'_>,
        whole: &WorkerSettings,
        manifest: &Manifest,
        collected: &mut Collected,
    ) -> Result<(), Error> {
        self.keep_what_is_as_good(context.project, manifest, &mut collected.units);
        let mut beside = self.earlier(context.project, collected, &[], manifest);
        beside.extend(edited(manifest));
        let units = std::mem::take(&mut collected.units);
        let new = units.iter().filter_map(|unit| unit.tests.as_ref());
        let tests = of_new(new) + of_earlier(&beside);
        self.count(tests, whole);
        self.verify_group(context, whole, manifest, units, Some(beside), collected)
    }

    /// Says once what became of the project's agents.
    pub(super) fn tell_agents(&mut self, whole: &WorkerSettings) {
        match whole.agents.to_tell(&whole.jvm_arguments) {
            Some((names, true)) => self.warn(&message::without_agents(&names)),
            Some((names, false)) => self.info(&message::with_agents(&names)),
            None => {}
        }
    }

    /// Shows how many of so many tests have run.
    fn count(&self, tests: u64, whole: &WorkerSettings) {
        self.board.begin("verify", message::verifying(tests), 0);
        whole.ran.store(0, Ordering::Relaxed);
        self.board.counts(&whole.ran);
    }

    /// Verifies and stages some units; `beside` what stays of earlier runs where these are all.
    fn verify_group(
        &mut self,
        context: Context<'_>,
        whole: &WorkerSettings,
        manifest: &Manifest,
        mut group: Vec<UnitResult>,
        beside: Option<Vec<Earlier>>,
        collected: &mut Collected,
    ) -> Result<(), Error> {
        let (project, facts) = (context.project, context.facts);
        let tests = group.iter_mut().filter_map(|unit| unit.tests.take());
        let classes = self.leave_alone(project, manifest, tests.collect(), collected);
        let folder = self.settings.work_directory.join("verify");
        let is_all = beside.is_some();
        let beside = beside.unwrap_or_default();
        let with_coverage = is_all || collected.so_far.is_wanted();
        let has_verified = !collected.verified.is_empty() || !collected.aside.is_empty();
        let needs = if is_all {
            let tests = of_new(&classes) + of_earlier(&beside);
            VERIFYING_NEEDS + together_needs((0, Duration::ZERO, 1), tests, limit(self.settings))
        } else if has_verified {
            Duration::ZERO
        } else {
            VERIFYING_NEEDS
        };
        let started = now();
        let end = self.started + limit(self.settings);
        let whole = WorkerSettings {
            deadline: Some(verifying_deadline(end, started, needs)),
            ..whole.clone()
        };
        let company = if is_all {
            Company::AllAtOnce
        } else {
            Company::Group
        };
        let mut verified = self.verifier(project, facts, &whole).verify(
            classes,
            &beside,
            &folder,
            company,
            with_coverage,
        )?;
        self.verifying += now().duration_since(started);
        self.give_up(project, &mut group, &verified);
        let incomplete: BTreeSet<ClassId> = group
            .iter()
            .filter(|unit| unit.cut || unit.broken.is_some() || verified.is_cut)
            .map(|unit| unit.subject)
            .collect();
        let name = |&class: &ClassId| project.program.class(class).binary_name();
        self.aside.again.extend(incomplete.iter().map(name));
        // However few they are: each was verified, and the new ones are not all that there will be.
        let has_some_on_disk = |class: &TestClass| {
            let path = relative_path(class);
            let staged = self.staged.text(&path).cloned();
            let earlier = staged.or_else(|| manifest.earlier(&path));
            earlier.is_some_and(|text| !Earlier::new(&path, text).tests.is_empty())
        };
        let (aside, classes) = std::mem::take(&mut verified.classes)
            .into_iter()
            .partition(|(class, _)| incomplete.contains(&class.subject) && has_some_on_disk(class));
        collected.aside.extend::<Vec<_>>(aside);
        verified.classes = classes;
        if !self.writes_nothing {
            self.keep_staged(context, &group, &verified, &incomplete)?;
        }
        if is_all {
            let is_whole = !verified.is_cut && !verified.is_partial && collected.aside.is_empty();
            collected.at_once_seconds = Self::since(started);
            collected.at_once = is_whole.then(|| AtOnce {
                beside,
                stale: std::mem::take(&mut verified.stale),
                coverage_files: verified.coverage_files.clone(),
            });
        } else if let Some(text) = collected.so_far.add(
            self.settings,
            &verified.coverage_files,
            self.started + limit(self.settings),
            self.cancel,
        ) {
            self.board.coverage(text);
        }
        self.take(verified, collected);
        collected.units.append(&mut group);
        Ok(())
    }

    /// Takes out the classes whose files are not ours: they are neither verified nor counted.
    fn leave_alone(
        &mut self,
        project: &Project,
        manifest: &Manifest,
        classes: Vec<TestClass>,
        collected: &mut Collected,
    ) -> Vec<TestClass> {
        let (ours, others): (Vec<_>, Vec<_>) = classes
            .into_iter()
            .partition(|class| manifest.is_free(&relative_path(class)));
        for class in others {
            self.warn(&message::left_alone(&relative_path(&class)));
            let mut dropped = Verified::default();
            dropped.drop_all(&project.program, class, DropReason::NotOurs);
            self.take(dropped, collected);
        }
        ours
    }

    /// Writes what passed, of an interrupted run too. Files that became somebody else's in the meantime do not count.
    fn write(
        &mut self,
        manifest: &mut Manifest,
        classes: &mut Vec<(TestClass, Source)>,
        earlier: &mut Vec<Earlier>,
    ) -> Result<(), Error> {
        if self.writes_nothing {
            return Ok(());
        }
        let mut left = write(manifest, classes)?;
        let staged = earlier.iter().filter(|file| file.is_staged);
        let staged: Vec<_> = staged
            .map(|file| (file.path.clone(), file.text.as_str()))
            .collect();
        left.extend(left_alone(manifest, &staged)?);
        for path in &left {
            self.warn(&message::left_alone(path));
        }
        classes.retain(|(class, _)| !left.contains(&relative_path(class)));
        earlier.retain(|file| !left.contains(&file.path));
        Ok(())
    }

    /// Palus failed on some classes while their tests were verified.
    fn give_up(&mut self, project: &Project, units: &mut [UnitResult], verified: &Verified) {
        for (subject, cause) in &verified.defects {
            let unit = units.iter_mut().find(|unit| unit.subject == *subject);
            if let Some(unit) = unit.filter(|unit| !unit.is_defect) {
                give_up(&project.program, unit, cause.clone());
                self.say_broken(project, unit);
            }
        }
    }

    fn say_broken(&mut self, project: &Project, unit: &UnitResult) {
        if let Some(cause) = &unit.broken {
            let name = project.program.class(unit.subject).binary_name();
            self.warn(&message::given_up(&name, cause));
            // The next run is to try again.
            self.reproducible &= !unit.is_defect;
        }
    }

    /// All tests once more, in one JVM, as the project's own build will run them, with those of earlier runs that stay;
    /// and the execution data of that, none where it is not known.
    pub(super) fn verify_together(
        &mut self,
        project: &Project,
        facts: &Facts,
        whole: &WorkerSettings,
        mut collected: Collected,
        (manifest, inputs): (&mut Manifest, &Inputs),
    ) -> Result<(Collected, Option<Vec<PathBuf>>), Error> {
        let started = now();
        let end = self.started + limit(self.settings);
        let staged = std::mem::take(&mut collected.verified);
        let mut classes: Vec<_> = staged.iter().map(|(class, _)| class.clone()).collect();
        let mut earlier = self.earlier(project, &collected, &staged, manifest);
        let edited = edited(manifest);
        let tests = of_new(&classes) + of_earlier(&earlier) + of_earlier(&edited);
        let in_groups = (of_new(&classes), self.verifying, self.settings.workers);
        let needs = VERIFYING_NEEDS + together_needs(in_groups, tests, limit(self.settings));
        let whole = &WorkerSettings {
            deadline: Some(verifying_deadline(end, started, needs)),
            ..whole.clone()
        };
        let folder = self.settings.work_directory.join("verify");
        let mut at_once = collected.at_once.take();
        let mut verified = loop {
            let beside = [&earlier[..], &edited].concat();
            let at_once = at_once.take();
            let mut verified = if let Some(at_once) = at_once.filter(|done| done.beside == beside) {
                at_once.verified(&staged)
            } else {
                self.count(tests, whole);
                let all = self.verifier(project, facts, whole);
                all.verify(classes.clone(), &beside, &folder, Company::All, true)?
            };
            // Whatever is wrong with those is told when the tests of the last run are run.
            let is_edited = |path: &String| edited.iter().any(|file| file.path == *path);
            verified.stale.retain(|path, _| !is_edited(path));
            let mut aside = collected.aside.iter();
            // What a run that was cut found is better than what passes no more.
            let better = aside.position(|(class, _)| {
                !verified.is_cut && verified.stale.contains_key(&relative_path(class))
            });
            if let Some(better) = better {
                let (class, _) = collected.aside.remove(better);
                earlier.retain(|file| file.path != relative_path(&class));
                classes.push(class);
            } else if verified.is_cut || !self.drop_staged(manifest, &mut earlier, &verified.stale)
            {
                break verified;
            }
        };
        if self.settings.verification == Verification::Twice {
            self.is_still(inputs)?;
        }
        self.give_up(project, &mut collected.units, &verified);
        let coverage_files = if verified.is_cut && self.settings.verification == Verification::Twice
        {
            self.reproducible = false;
            collected.is_unwritten = true;
            let taken = earlier.iter().filter(|file| file.is_staged);
            let tests = of_new(&classes) + taken.map(|file| file.tests.len() as u64).sum::<u64>();
            let is_next = self.settings.incremental && self.settings.protocols.is_empty();
            let took = now().duration_since(started);
            let needed = needed_limit(now().duration_since(self.started), took);
            let times = (took, self.settings.time_limit_seconds, needed);
            self.warn(&message::not_together(tests, is_next, times));
            // Their notes would say that they are written.
            let names = staged.iter().map(|(class, _)| class.subject);
            let names = names.map(|class| project.program.class(class).binary_name());
            self.aside.again.extend(names);
            earlier = self.on_disk(project, &BTreeSet::new(), manifest);
            (earlier.is_empty() && edited.is_empty()).then(Vec::new)
        } else {
            let is_empty = verified.classes.is_empty() && earlier.is_empty() && edited.is_empty();
            let measured = verified.coverage_files.clone();
            let measured = if is_empty { Vec::new() } else { measured };
            self.tell_stale(project, &verified.stale);
            self.write(manifest, &mut verified.classes, &mut earlier)?;
            let paths = |classes: &[(TestClass, _)]| -> BTreeSet<String> {
                classes
                    .iter()
                    .map(|(class, _)| relative_path(class))
                    .collect()
            };
            for path in paths(&staged).difference(&paths(&verified.classes)) {
                manifest.delete(path)?;
            }
            self.take(verified, &mut collected);
            Some(measured)
        };
        collected.earlier = earlier;
        let stable = collected
            .verified
            .iter()
            .map(|(class, _)| class.tests.len() as u64)
            .sum();
        let drops = collected.drops.by_reason();
        let behind = collected.aside.iter();
        let behind = behind.map(|(class, _)| class.tests.len() as u64).sum();
        let text = message::verify(message::Fates {
            candidates: collected.candidates,
            stable,
            drops: &drops,
            behind,
            is_unwritten: collected.is_unwritten,
        });
        let seconds = collected.at_once_seconds + Self::since(started);
        self.stage("verify", &text, seconds);
        Ok((collected, coverage_files))
    }

    /// Tests of earlier runs that pass no more.
    pub(super) fn tell_stale(&mut self, project: &Project, stale: &BTreeMap<String, Stale>) {
        let (mut unsteady, mut failing, mut denied) = (Vec::new(), Vec::new(), Vec::new());
        for (path, of_file) in stale {
            // Who accepts has just seen that all others pass as they are written.
            let has_passed = self.writes_nothing || self.aside.has_file(&project.program, path);
            let tests = if has_passed {
                &mut unsteady
            } else {
                &mut failing
            };
            let fail = of_file.tests.iter();
            tests.extend(
                fail.filter(|test| !of_file.denied.contains_key(*test))
                    .cloned(),
            );
            let were_denied = of_file.denied.iter();
            denied.extend(were_denied.map(|(test, what)| format!("{test} ({what})")));
        }
        let files = stale.keys().filter_map(|path| path.strip_suffix(TESTS));
        let names = files.map(palus_bytecode::binary_name);
        self.aside.again.extend(names);
        // To be said again, or mended, by the next run.
        self.reproducible &= stale.is_empty();
        if !failing.is_empty() {
            self.warn(&message::stale(&failing));
        }
        if !unsteady.is_empty() {
            self.warn(&message::unsteady(&unsteady));
        }
        if !denied.is_empty() {
            self.warn(&message::denied_beside_others(&denied));
        }
    }

    /// The files of earlier runs that stay beside the new ones, those that an interrupted run verified in their place.
    fn earlier(
        &self,
        project: &Project,
        collected: &Collected,
        new: &[(TestClass, Source)],
        manifest: &Manifest,
    ) -> Vec<Earlier> {
        let drops = collected.drops.by_reason();
        let completed = completed(project, &collected.units, new, &drops);
        let files = self.on_disk(project, &completed, manifest).into_iter();
        let mut files: BTreeMap<_, _> = files.map(|file| (file.path.clone(), file)).collect();
        let staged = self.staged.earlier();
        let of = (self.settings, &*project.program);
        let staged = staged.filter(|file| stays(of, &completed, TESTS, &file.path));
        files.extend(staged.map(|file| (file.path.clone(), file)));
        files.into_values().collect()
    }

    /// The files of earlier runs that stay where these classes are completed.
    fn on_disk(
        &self,
        project: &Project,
        completed: &BTreeSet<String>,
        manifest: &Manifest,
    ) -> Vec<Earlier> {
        let of = (self.settings, &*project.program);
        let stays = |path: &&String| stays(of, completed, TESTS, path);
        let paths = manifest.unwritten();
        let files = paths.iter().filter(stays);
        files
            .filter_map(|path| Some(Earlier::new(path, manifest.earlier(path)?)))
            .collect()
    }

    /// Drops tests of an interrupted run that fail beside others; true where there are any. Where nothing is left of a
    /// file, that of an earlier run stays.
    fn drop_staged(
        &mut self,
        manifest: &Manifest,
        earlier: &mut Vec<Earlier>,
        stale: &BTreeMap<String, Stale>,
    ) -> bool {
        let mut dropped = Vec::new();
        let files = std::mem::take(earlier).into_iter();
        *earlier = files
            .filter_map(|file| {
                let failing = stale.get(&file.path).filter(|_| file.is_staged);
                let Some(failing) = failing else {
                    return Some(file);
                };
                dropped.extend(failing.tests.iter().cloned());
                let class = file.path.strip_suffix(TESTS).unwrap_or(&file.path);
                self.aside.again.insert(palus_bytecode::binary_name(class));
                let old = || Some(Earlier::new(&file.path, manifest.earlier(&file.path)?));
                without(&file, &failing.tests).or_else(old)
            })
            .collect();
        if !dropped.is_empty() {
            self.reproducible = false;
            self.warn(&message::not_taken_up(&dropped));
        }
        !dropped.is_empty()
    }

    pub(super) fn verifier<'b>(
        &'b self,
        project: &'b Project,
        facts: &'b Facts,
        whole: &'b WorkerSettings,
    ) -> Verifier<'b> {
        Verifier {
            project,
            facts,
            settings: self.settings,
            worker_settings: whole,
            cancel: self.cancel,
            listener: self.listener,
        }
    }

    fn take(&mut self, verified: Verified, collected: &mut Collected) {
        for class in &verified.refused {
            self.warn(&message::refused(class));
        }
        for example in &verified.examples {
            self.listener.line(crate::listener::Level::Debug, example);
        }
        collected.drops.extend(verified.drops);
        collected.dropped.extend(verified.dropped);
        collected.verified.extend(verified.classes);
    }

    /// Coverage before and with what is on disk; `written` is its execution data, none where that is not known.
    pub(super) fn coverage(
        &mut self,
        written: Option<&[PathBuf]>,
    ) -> Result<(Option<Coverage>, Option<Coverage>), Error> {
        let existing = &self.settings.coverage_files;
        self.board.begin("coverage", message::MEASURING, 0);
        let deadline = coverage_deadline(self.started + limit(self.settings));
        let before = self.measured(existing, deadline)?;
        let after = match written {
            Some(written) => {
                let all: Vec<PathBuf> = existing.iter().chain(written).cloned().collect();
                self.measured(&all, deadline)?
            }
            None => None,
        };
        self.board.end();
        let is_known = before.is_none() || is_covered_known(self.settings);
        if let (Some(before), Some(after)) = (&before, &after) {
            let text = if is_known {
                message::coverage(&before.total, &after.total)
            } else {
                message::coverage_alone(&after.total)
            };
            self.info(&message::line("coverage", &text));
        }
        if is_known {
            return Ok((before, after));
        }
        self.warn(message::NOTHING_BEFORE);
        Ok((None, after))
    }

    /// What is wrong with coverage costs its figures, and not what was found.
    fn measured(
        &mut self,
        files: &[PathBuf],
        deadline: Instant,
    ) -> Result<Option<Coverage>, Error> {
        let measured = measure(self.settings, files, deadline, self.cancel);
        let (coverage, warnings) = match measured {
            Ok(Some(coverage)) => {
                let warnings = coverage.warnings.clone();
                (Some(coverage), warnings)
            }
            Ok(None) if self.settings.coverage_class_path.is_empty() => (None, Vec::new()),
            Ok(None) => (None, vec![message::NO_COVERAGE.to_owned()]),
            Err(error) if error.kind == ErrorKind::Cancelled => return Err(error),
            Err(error) => (None, vec![message::no_coverage(files, &error)]),
        };
        for text in warnings {
            if !self.report.warnings.contains(&text) {
                self.warn(&text);
            }
        }
        Ok(coverage)
    }
}

impl AtOnce {
    /// What verifying these classes together gave.
    fn verified(self, classes: &[(TestClass, Source)]) -> Verified {
        Verified {
            classes: classes.to_vec(),
            stale: self.stale,
            coverage_files: self.coverage_files,
            ..Verified::default()
        }
    }
}

/// How many tests there are in new classes.
fn of_new<'c>(classes: impl IntoIterator<Item = &'c TestClass>) -> u64 {
    let classes = classes.into_iter();
    classes.map(|class| class.tests.len() as u64).sum()
}

/// How many tests there are in files of earlier runs.
fn of_earlier(earlier: &[Earlier]) -> u64 {
    earlier.iter().map(|file| file.tests.len() as u64).sum()
}

/// The files of written tests that somebody edited: they run beside the others as tests of the user's.
fn edited(manifest: &Manifest) -> Vec<Earlier> {
    let edits = manifest.edits();
    let paths = edits.iter().map(|(path, _)| *path);
    let tests = paths.filter(|path| path.ends_with(TESTS));
    tests
        .filter_map(|path| Some(Earlier::new(path, manifest.edited(path)?)))
        .collect()
}

/// Until when a group of classes is verified, or all together: to the end, and for what is needed in any case. The first
/// group and all together have time to start a compiler and two JVMs however loaded the machine is, or else the run would
/// have been for nothing.
pub(super) fn verifying_deadline(end: Instant, now: Instant, needs: Duration) -> Instant {
    end.max(now + needs)
}

/// How long running so many tests together may take, by how many ran in groups, for how long, and in how many JVMs at
/// once: all of that in one JVM, with the further orders and the rounds of those that need them; as long as the run itself
/// at most. A project that takes longer than its limit would have no file otherwise, however often it is tried.
pub(super) fn together_needs(
    (ran, took, workers): (u64, Duration, usize),
    tests: u64,
    most: Duration,
) -> Duration {
    const TIMES: u128 = 3;
    const USUAL: Duration = Duration::from_millis(20);
    /// Fewer are run in one JVM.
    const OF_JVM: u64 = 100;
    let (all, of) = if ran == 0 || took.is_zero() {
        (USUAL.as_millis(), 1)
    } else {
        let jvms = (workers as u128).min(u128::from(1 + ran / OF_JVM));
        (took.as_millis() * jvms, u128::from(ran))
    };
    let millis = TIMES * all * u128::from(tests) / of;
    Duration::from_millis(u64::try_from(millis).unwrap_or(u64::MAX)).min(most)
}

/// A time limit with which running all together, which took so long and was not over, has twice as long, in full minutes.
fn needed_limit(all: Duration, together: Duration) -> u64 {
    (all + together).as_secs().div_ceil(60) * 60
}

/// Until when coverage is measured. A run that the time limit cut has its figures, too: that takes seconds.
fn coverage_deadline(end: Instant) -> Instant {
    end.max(now() + Duration::from_mins(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn running_all_together_has_the_time_of_all_jvms_thrice_and_more_for_what_earlier_runs_left() {
        let seconds = Duration::from_secs;
        let needs = |groups, tests| together_needs(groups, tests, seconds(600));
        assert_eq!(needs((100, seconds(50), 2), 100), seconds(300));
        assert_eq!(needs((100, seconds(50), 2), 150), seconds(450));
        // One JVM ran so few.
        assert_eq!(needs((50, seconds(50), 8), 50), seconds(150));
        assert_eq!(needs((1, seconds(10), 8), 2000), seconds(600));
        assert_eq!(needs((0, seconds(0), 2), 1000), seconds(60));
        assert_eq!(needs((100, seconds(0), 2), 1000), seconds(60));
    }

    #[test]
    fn running_all_together_gets_twice_as_long_by_the_limit_that_is_named() {
        let seconds = Duration::from_secs;
        assert_eq!(needed_limit(seconds(100), seconds(80)), 180);
        assert_eq!(needed_limit(seconds(101), seconds(80)), 240);
    }

    #[test]
    fn the_first_group_is_verified_even_where_the_time_is_over() {
        let end = now();
        let late = end + Duration::from_secs(1);
        let needs = VERIFYING_NEEDS;
        assert_eq!(verifying_deadline(end, late, needs), late + needs);
        assert_eq!(verifying_deadline(end, late, Duration::ZERO), late);
        let early = end.checked_sub(Duration::from_mins(2)).unwrap();
        assert_eq!(verifying_deadline(end, early, needs), end);
    }
}
