//! Failing tests that say what is so now, with all else of them as it was.
//!
//! Comes in: the failing tests of files that an earlier run wrote. Goes out: the files in which those are changed that say
//! another value now, by the line that failed, until they pass. The others stay as they were.
//! A failure names a value as text: the changed tests run again, and what does not pass then is not changed. Nor is a test
//! that may run code which does harm elsewhere, for no sequence of it is known that could be looked at; nor is a value that
//! has a secret or a folder of this machine in it.
//! Does not know: how a value is written (see `palus_suite::revalued`), whether a test passes elsewhere.

use super::rested::Reached;
use super::{Failed, File, Whose, compile_all, run_all, said};
use crate::subject::project::Project;
use crate::verify::DropReason;
use crate::verify::report::unescaped;
use crate::verify::rerun::MOST_AGAIN;
use crate::worker::WorkerSettings;
use crate::write::earlier::Earlier;
use crate::write::layout::{Block, Layout};
use crate::write::manifest::Manifest;
use crate::{Cancel, Error, Settings};
use palus_analyze::Facts;
use palus_bytecode::ClassId;
use palus_suite::{Now, is_written_by, revalued as line_revalued};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// How often all that was changed runs: a test that says more values than these is not changed.
const ROUNDS: usize = 10;

/// A file with changed tests.
#[derive(Debug)]
pub(crate) struct Revalued {
    /// With all imports that tests of it had or have.
    layout: Layout,
    path: String,
    /// What the changed tests were, by their place.
    changed: BTreeMap<usize, Block>,
}

impl Revalued {
    pub(crate) fn file(&self) -> Earlier {
        self.with(self.layout.tests.clone())
    }

    /// The changed tests without the others, as new ones.
    pub(crate) fn alone(&self) -> Earlier {
        let places = self.changed.keys();
        let tests = places.map(|&at| self.layout.tests[at].clone()).collect();
        Earlier {
            is_staged: true,
            ..self.with(tests)
        }
    }

    fn with(&self, tests: Vec<Block>) -> Earlier {
        let mut layout = self.layout.clone();
        layout.tests = tests;
        layout.drop_unused();
        Earlier::new(&self.path, layout.text())
    }

    /// Names that the changed tests had.
    pub(crate) fn tests(&self) -> BTreeSet<String> {
        self.changed.values().map(|old| old.name.clone()).collect()
    }

    /// Has the changed tests be what they were that `which` chooses by the names that they have now.
    pub(crate) fn put_back(&mut self, which: &dyn Fn(&str) -> bool) {
        let tests = &mut self.layout.tests;
        self.changed.retain(|&at, old| {
            let goes = which(&tests[at].name);
            if goes {
                tests[at] = old.clone();
            }
            !goes
        });
    }
}

/// Which tests may run nothing that does elsewhere what the sandbox denies.
struct Harmless<'p> {
    reached: Reached<'p>,
    /// Classes with code that may.
    harmful: BTreeSet<ClassId>,
}

impl<'p> Harmless<'p> {
    fn in_project(project: &'p Project, facts: &Facts) -> Harmless<'p> {
        let (program, outside) = (&*project.program, facts.outside());
        let places = [outside.reaching(), outside.finalizing(), outside.using()];
        let places = places.into_iter().flatten().copied();
        let places = places.chain(outside.outcomes()).map(|(class, _)| class);
        let all = program.classes().iter().map(|class| class.id);
        let at_first_use = all.filter(|&class| outside.may_harm_at_first_use(class));
        Harmless {
            reached: Reached::in_program(program),
            harmful: places.chain(at_first_use).collect(),
        }
    }

    fn is(&self, text: &str) -> bool {
        let reach = self.reached.by(text);
        // Of code of libraries, or that finds classes by made names, nobody knows here what it does.
        !reach.is_open && self.harmful.is_disjoint(&reach.classes)
    }
}

/// A file while its tests are changed.
struct Draft {
    layout: Layout,
    /// What tests were that are not known to pass, by their place.
    open: BTreeMap<usize, Block>,
    /// The same of those that pass now.
    done: BTreeMap<usize, Block>,
}

impl Draft {
    /// The test stays as it was.
    fn give_up(&mut self, at: usize) {
        if let Some(block) = self.open.remove(&at) {
            self.layout.tests[at] = block;
        }
    }

    /// The test passes, and did not before.
    fn finish(&mut self, at: usize) {
        self.done.extend(self.open.remove(&at).map(|old| (at, old)));
    }

    /// Has a test say what was seen in its failing line, if it may say that.
    fn change(
        &mut self,
        at: usize,
        (line, now): (usize, Now<'_>),
        may_say: &dyn Fn(&str, &Now<'_>) -> bool,
    ) -> Option<()> {
        let block = self.layout.tests[at].clone();
        let mut lines: Vec<String> = block.text.lines().map(str::to_owned).collect();
        let before = lines.get(..line)?.iter();
        let is_first = !before
            .clone()
            .any(|one| one.trim_start().starts_with("assert"));
        let new = line_revalued(lines.get(line)?, &block.name, &now, is_first)?;
        // A text that is cut short in the failure is another one each time.
        if new.line == lines[line] || !may_say(&format!("{}\n{}", new.name, new.line), &now) {
            return None;
        }
        self.layout.needs(new.assertion, new.class.as_deref())?;
        lines[line] = new.line;
        let text = lines.join("\n");
        let others = self.layout.tests.iter().enumerate();
        let others = others.filter(|&(other, _)| other != at);
        let mut names: BTreeSet<String> = others.map(|(_, test)| test.name.clone()).collect();
        // What a test was called goes to no other one, for it may come back.
        let old = self.open.iter().chain(&self.done);
        let old = old.filter(|(other, _)| **other != at);
        names.extend(old.map(|(_, old)| old.name.clone()));
        let block = Block {
            text,
            name: block.name,
        };
        self.layout.tests[at] = block.renamed(&new.name, &mut names);
        Some(())
    }
}

/// Changes the failing tests that say other values now.
///
/// # Errors
/// As of a look at the tests of the last run.
pub(crate) fn revalued(
    settings: &Settings,
    worker_settings: &WorkerSettings,
    (project, facts): (&Project, &Facts),
    manifest: &Manifest,
    failing: &BTreeMap<String, BTreeSet<String>>,
    cancel: &Cancel,
) -> Result<BTreeMap<String, Revalued>, Error> {
    let harmless = Harmless::in_project(project, facts);
    let mut drafts: BTreeMap<&str, Draft> = BTreeMap::new();
    for (path, tests) in failing {
        let earlier = manifest.earlier(path);
        let earlier = earlier.map(|text| Earlier::new(path, text));
        let Some(layout) = earlier.as_ref().and_then(Layout::of) else {
            continue;
        };
        let all = layout.tests.iter().enumerate();
        let open = all.filter(|(_, test)| tests.contains(&test.name) && harmless.is(&test.text));
        let open = open.map(|(at, test)| (at, test.clone())).collect();
        let done = BTreeMap::new();
        drafts.insert(path, Draft { layout, open, done });
    }
    // A message of the JDK's is another one in another version.
    let may_say = |line: &str, now: &Now<'_>| {
        let is_said = match now {
            Now::Value(text) if line.contains(".getMessage()") => {
                is_written_by(&project.program, text)
            }
            _ => true,
        };
        is_said && !settings.secrets.are_in_source(line)
    };
    let places = drafts.iter().flat_map(|(path, draft)| {
        let places = draft.open.keys();
        places.map(|&at| ((*path).to_owned(), at))
    });
    let places: Vec<(String, usize)> = places.collect();
    // Of more at once nobody says in which line they fail.
    for part in places.chunks(MOST_AGAIN) {
        for round in 0..=ROUNDS {
            let mut turn: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
            for (path, at) in part {
                if drafts[&**path].open.contains_key(at) {
                    turn.entry(path).or_default().insert(*at);
                }
            }
            if turn.is_empty() {
                break;
            }
            let files = turn
                .keys()
                .map(|path| File::new(path, drafts[path].layout.text(), Whose::Ours));
            let mut files: Vec<File> = files.collect();
            let folder = settings.work_directory.join("verify-earlier");
            let compiled = compile_all(settings, worker_settings, &mut files, &folder, cancel)?;
            let is_wanted = |file: &File, at: usize| turn[&*file.earlier.path].contains(&at);
            let failed = run_all(settings, worker_settings, &files, &compiled, &is_wanted)?;
            let failed: BTreeMap<(&str, usize), Failed> = failed
                .into_iter()
                .map(|(file, at, failed)| ((&*file.earlier.path, at), failed))
                .collect();
            for file in &files {
                let path = &*file.earlier.path;
                let draft = drafts.get_mut(path).expect("a file is that of a draft");
                for &at in &turn[path] {
                    let is_other = draft.open[&at] != draft.layout.tests[at];
                    let Some(failed) = failed.get(&(path, at)) else {
                        if is_other && !file.broken.contains_key(&at) {
                            draft.finish(at);
                        } else {
                            draft.give_up(at);
                        }
                        continue;
                    };
                    let text = unescaped(&failed.text);
                    let seen = seen(settings, file, at, (failed, &text));
                    let seen = seen.filter(|_| round < ROUNDS);
                    let changed = seen.and_then(|seen| draft.change(at, seen, &may_say));
                    if changed.is_none() {
                        draft.give_up(at);
                    }
                }
            }
        }
    }
    let done = drafts
        .into_iter()
        .filter(|(_, draft)| !draft.done.is_empty());
    let done = done.map(|(path, draft)| {
        let revalued = Revalued {
            layout: draft.layout,
            path: path.to_owned(),
            changed: draft.done,
        };
        (path.to_owned(), revalued)
    });
    Ok(done.collect())
}

/// The line of a test that failed, by its place in the text of the test, and what was seen there, of which `text` tells. None
/// where that has a secret or a folder of this machine in it.
fn seen<'t>(
    settings: &Settings,
    file: &File,
    at: usize,
    (failed, text): (&Failed, &'t str),
) -> Option<(usize, Now<'t>)> {
    let line = failed
        .line
        .filter(|_| failed.reason == DropReason::FailsWhenRunAgain)?;
    let (_, last) = file.earlier.tests[at].lines;
    let below = last.checked_sub(line)? as usize;
    let all = Layout::of(&file.earlier)?.tests[at].text.lines().count();
    let place = all.checked_sub(below + 1)?;
    let now = said::now(text, file.source(line))?;
    let is_of_here = settings.secrets.redact(text) != text || names_folder(settings, text);
    (!is_of_here).then_some((place, now))
}

/// Whether a text names a folder that is elsewhere on another machine.
fn names_folder(settings: &Settings, text: &str) -> bool {
    let own = [
        &settings.project_directory,
        &settings.work_directory,
        &settings.java_home,
    ];
    let home = std::env::home_dir();
    let all = own.into_iter().chain(&settings.class_path).chain(&home);
    let above = settings.project_directory.ancestors();
    let all = all.map(|folder| &**folder).chain(above);
    // `/srv` alone may be any text.
    let is_told = |folder: &&Path| folder.components().count() > 2;
    let mut names = all.filter(is_told).filter_map(Path::to_str);
    let inside = format!("{}/", settings.project_directory.display());
    names.any(|name| text.contains(name)) || inside.len() > 1 && text.contains(&inside)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_with_a_folder_of_this_machine_is_known() {
        let of = |project: &str, text: &str| {
            let settings = Settings {
                project_directory: project.into(),
                ..Settings::partial(&[]).unwrap()
            };
            names_folder(&settings, text)
        };
        assert!(of("/srv/acme/shop", "at /srv/acme/shop/data"));
        assert!(of("/srv/acme/shop", "/srv/acme"));
        assert!(of("/app", "/app/data"));
        assert!(!of("/srv/acme/shop", "/srv is no folder of the project"));
        assert!(!of("/app", "the /apple"));
    }
}
