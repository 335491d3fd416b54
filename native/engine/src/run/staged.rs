//! Classes whose tests are verified and not yet written: they wait in the work folder until all have passed together.
//!
//! Comes in: verified classes with what a report says of them. Goes out: a file for each, for this user alone; and in the
//! run after one that was interrupted, texts that stand for files of an earlier run, and notes of classes for which nothing
//! is left to do but to write them.
//! A file has a line with the hash of the rest, one that says how far the class was worked on, the two lines of a note
//! (`left.rs` in `report`), and the text of its tests. What is damaged or of no use any more is removed.
//! Does not know: how tests are verified, what makes a class another one (see `unchanged.rs`).

use crate::subject::input::class_file;
use crate::worker::create_private;
use crate::write::disk::{put_private, unwritable};
use crate::write::earlier::Earlier;
use crate::write::manifest::hash;
use crate::write::renewed::renewed;
use crate::{Error, Secrets, Settings};
use palus_report::{ClassExplanation, Left, LeftClass, left_json, read_left};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// What the second line says of a class for which nothing is left to do but to write its tests, and of any other.
const DONE: &str = "done";
const BEGUN: &str = "begun";

/// A class with its verified tests.
#[derive(Clone, Debug, Default)]
pub(crate) struct StagedClass {
    pub(crate) note: LeftClass,
    pub(crate) explanations: Vec<ClassExplanation>,
    /// False where there is more to do for it than to write its tests.
    pub(crate) is_done: bool,
    /// Empty where it got no tests.
    pub(crate) text: String,
}

/// What becomes of a class that an interrupted run left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// Its tests are those of the file with this path, and it is not worked on again.
    TakenUp(String),
    /// It is worked on again; the tests stand for the file with this path until it has new ones.
    StandsBy(String),
    /// It is not chosen now.
    Waits,
    /// It is another class by now.
    Useless,
}

/// The folder of these classes, and which of them this run answers for.
#[derive(Debug, Default)]
pub(crate) struct Staged {
    folder: PathBuf,
    /// Texts of an interrupted run by the path that they are to have in the output folder.
    texts: BTreeMap<String, String>,
    /// Names of the classes that are taken up.
    taken: BTreeSet<String>,
    /// Files that are of no use once this run has written all.
    files: BTreeSet<PathBuf>,
}

impl StagedClass {
    fn file(&self, secrets: &Secrets) -> String {
        let note = left_json(&Left {
            classes: vec![self.note.clone()],
            explanations: self.explanations.clone(),
            ..Left::default()
        });
        let end = if self.is_done { DONE } else { BEGUN };
        let rest = format!("{end}\n{}{}", secrets.redact(&note), self.text);
        format!("{}\n{rest}", hash(rest.as_bytes()))
    }

    /// Reads a file; none where it is damaged.
    fn read(bytes: &[u8]) -> Option<StagedClass> {
        let end = bytes.iter().position(|&byte| byte == b'\n')?;
        let (digest, rest) = (&bytes[..end], &bytes[end + 1..]);
        (digest == hash(rest).as_bytes()).then(|| StagedClass::parse(rest))?
    }

    /// Reads what stands behind the first line.
    pub(crate) fn parse(rest: &[u8]) -> Option<StagedClass> {
        let (end, rest) = str::from_utf8(rest).ok()?.split_once('\n')?;
        let is_done = match end {
            DONE => true,
            BEGUN => false,
            _ => return None,
        };
        let (second, _) = rest.match_indices('\n').nth(1)?;
        let (note, text) = rest.split_at(second + 1);
        let left = read_left(note).ok()?;
        let [note] = <[LeftClass; 1]>::try_from(left.classes).ok()?;
        let is_whole = match &note.file {
            Some(file) => *file == hash(text.as_bytes()),
            None => text.is_empty(),
        };
        is_whole.then(|| StagedClass {
            note,
            explanations: left.explanations,
            is_done,
            text: text.to_owned(),
        })
    }
}

impl Staged {
    /// Those in the work folder of a run.
    pub(crate) fn of(settings: &Settings) -> Staged {
        Staged {
            folder: settings.work_directory.join("staged"),
            ..Staged::default()
        }
    }

    /// Keeps a class, in the place of what was kept of it.
    ///
    /// # Errors
    /// A configuration error when the work folder cannot be written.
    pub(crate) fn put(&mut self, class: &StagedClass, secrets: &Secrets) -> Result<(), Error> {
        if !self.is_there() {
            // A link would lead elsewhere.
            let _ = std::fs::remove_file(&self.folder);
            create_private(&self.folder).map_err(|error| unwritable(&self.folder, &error))?;
        }
        let path = self.folder.join(hash(class.note.name.as_bytes()));
        let put = put_private(&path, &class.file(secrets));
        put.map_err(|error| unwritable(&path, &error))?;
        self.files.insert(path);
        Ok(())
    }

    /// Takes up what an interrupted run left, and removes what is of no use; gives the classes that are not worked on
    /// again, and names of those that are, whatever else is known of them.
    pub(crate) fn take_up(
        &mut self,
        fate: &dyn Fn(&StagedClass) -> Fate,
    ) -> (Vec<StagedClass>, BTreeSet<String>) {
        let (mut taken, mut again) = (Vec::new(), BTreeSet::new());
        if !self.is_there() {
            return (taken, again);
        }
        let entries = std::fs::read_dir(&self.folder).into_iter().flatten();
        let paths: BTreeSet<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        for path in paths {
            let bytes = class_file(&path).unwrap_or_default();
            let Some(class) = StagedClass::read(&bytes) else {
                let _ = std::fs::remove_file(&path);
                continue;
            };
            match fate(&class) {
                Fate::Waits => continue,
                Fate::Useless => {
                    let _ = std::fs::remove_file(&path);
                    continue;
                }
                Fate::StandsBy(file) => {
                    again.insert(class.note.name);
                    self.texts.insert(file, class.text);
                }
                Fate::TakenUp(file) => {
                    if !class.text.is_empty() {
                        self.texts.insert(file, class.text.clone());
                    }
                    self.taken.insert(class.note.name.clone());
                    taken.push(class);
                }
            }
            self.files.insert(path);
        }
        (taken, again)
    }

    /// Whether a class is taken up.
    pub(crate) fn takes(&self, class: &str) -> bool {
        self.taken.contains(class)
    }

    /// The text that stands for the file with this path.
    pub(crate) fn text(&self, path: &str) -> Option<&String> {
        self.texts.get(path)
    }

    /// The files that these texts are to be.
    pub(crate) fn earlier(&self) -> impl Iterator<Item = Earlier> + '_ {
        let texts = self.texts.iter();
        texts.map(|(path, text)| Earlier::staged(path, text.clone()))
    }

    /// All that this run answers for is written.
    pub(crate) fn clear(&mut self) {
        for path in std::mem::take(&mut self.files) {
            let _ = std::fs::remove_file(path);
        }
        // Where classes wait that were not chosen, it stays.
        let _ = std::fs::remove_dir(&self.folder);
    }

    /// False also for a link, which would lead elsewhere.
    fn is_there(&self) -> bool {
        std::fs::symlink_metadata(&self.folder).is_ok_and(|data| data.is_dir())
    }
}

/// The file without tests that fail, each as `demo.APalusTest#adds`; none where nothing is left, or the file itself fails.
pub(crate) fn without(file: &Earlier, failing: &BTreeSet<String>) -> Option<Earlier> {
    let names = failing.iter();
    let names: Option<BTreeSet<String>> = names
        .map(|name| Some(name.split_once('#')?.1.to_owned()))
        .collect();
    let rest = renewed(file, &names?, None).map(|rest| rest.text);
    let rest = rest.filter(|text| !text.is_empty())?;
    Some(Earlier::staged(&file.path, rest))
}

#[cfg(test)]
mod tests;
