//! Which files in the output folder are ours: only those are ever replaced or deleted, and only while unchanged.
//!
//! Comes in: the output folder with its manifest of an earlier run. Goes out: written, replaced and deleted files, and
//! the new manifest: lines that say [whose](project) the folder is, one line per file, `sha256 relative/path`, sorted, so
//! that it is the same for the same tests, and one for [its tests](joined).
//! The manifest is written first: before a file is replaced, its old and its new hash are both listed, so that it is
//! ours whether the run ends before or after that. The next run sees which of the two it is.
//! A file that somebody edited stays listed as Palus wrote it: it is still known, and ours again where the edit is undone.
//! Does not know: what the files hold.

use crate::write::disk::{Found, look, make_writable, replace, sweep, undeletable, unwritable};
use crate::{Error, Settings};
use joined::Tests;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

mod joined;
mod project;

pub(crate) use crate::write::hashes::{hash, hash_of};
pub(crate) use project::other as other_project;

const NAME: &str = ".palus-manifest";

/// What became of a file that was to be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Written {
    /// It holds the new text now.
    Yes,
    /// A file is there that Palus did not write, or that somebody changed since; it was left alone.
    NotOurs,
}

/// The manifest of one output folder.
#[derive(Debug)]
pub(crate) struct Manifest {
    folder: PathBuf,
    /// The lines that say whose it is.
    project: String,
    /// Hashes of each file as Palus wrote it or is about to, by path relative to the folder with `/`.
    listed: BTreeMap<String, BTreeSet<String>>,
    /// Of the same files.
    tests: Tests,
    /// How a file is deleted.
    remove: fn(&Path) -> std::io::Result<()>,
    /// What this run wrote of it.
    written: BTreeSet<String>,
}

/// A file that is to be written.
enum Announced {
    /// Somebody else's is there.
    NotOurs,
    /// It holds the text already.
    IsThere,
    /// It is listed with the hash that it is to have.
    Listed(String),
}

/// Whose file is at a path.
#[derive(Debug)]
enum Owner {
    /// There is none.
    Nobody,
    /// Ours, unchanged, with this hash.
    Us(String),
    /// Somebody else's, or changed by somebody else, or no file.
    Other,
}

impl Manifest {
    /// Of the folder for tests.
    ///
    /// # Errors
    /// A configuration error when the folder cannot be written, its manifest cannot be read, or it has the files of
    /// another module.
    pub(crate) fn of_tests(settings: &Settings) -> Result<Manifest, Error> {
        let folder = &settings.output_directory;
        refuse_others("outputDirectory", folder, settings)?;
        Manifest::open(folder, &settings.project_directory)
    }

    /// Of the folder for findings.
    ///
    /// # Errors
    /// As [`Manifest::of_tests`].
    pub(crate) fn of_findings(settings: &Settings) -> Result<Manifest, Error> {
        let folder = &settings.findings_directory;
        refuse_others("findingsDirectory", folder, settings)?;
        Manifest::open(folder, &settings.project_directory)
    }

    /// Opens a folder, making it where missing, and removes what a killed run left half written.
    fn open(folder: &Path, project: &Path) -> Result<Manifest, Error> {
        make_writable(folder).map_err(|error| unwritable(folder, &error))?;
        let path = folder.join(NAME);
        let (listed, tests) = match look(&path) {
            Found::Nothing => Default::default(),
            Found::File(bytes) => (parse(&bytes), Tests::listed(&bytes)),
            Found::Other(cause) => {
                return Err(Error::configuration(
                    format!(
                        "cannot read the list of written files {}: {cause}",
                        path.display()
                    ),
                    "make it readable for the user of this build; or delete it: the files beside it are then left alone",
                ));
            }
        };
        let mut manifest = Manifest {
            folder: folder.to_path_buf(),
            project: project::lines(folder, project),
            listed,
            tests,
            remove: |path| std::fs::remove_file(path),
            written: BTreeSet::new(),
        };
        manifest.recover();
        Ok(manifest)
    }

    /// Of a file with several hashes the last run did not end in order: what is on the disk tells how far it came.
    fn recover(&mut self) {
        let mut folders = BTreeSet::from([self.folder.clone()]);
        for path in self.listed.keys().filter(|path| self.is_inside(path)) {
            let file = self.folder.join(path);
            folders.extend(file.parent().map(Path::to_path_buf));
        }
        for folder in folders {
            sweep(&folder);
        }
        let unsettled = self.listed.iter().filter(|(_, hashes)| hashes.len() > 1);
        let unsettled: Vec<String> = unsettled.map(|(path, _)| path.clone()).collect();
        for path in unsettled {
            if let Owner::Us(hash) = self.owner(&path) {
                self.listed.insert(path, BTreeSet::from([hash]));
            }
        }
    }

    /// True if every file of the last run is there, unchanged or edited, and there was a last run.
    pub(crate) fn is_intact(&self) -> bool {
        self.folder.join(NAME).is_file()
            && self
                .listed
                .keys()
                .all(|path| matches!(self.owner(path), Owner::Us(_)) || self.edit(path).is_some())
    }

    /// The listed files that somebody else changed since, with hashes of what they hold now.
    pub(crate) fn edits(&self) -> Vec<(&str, String)> {
        let listed = self.listed.keys();
        listed
            .filter_map(|path| Some((path.as_str(), hash(&self.edit(path)?))))
            .collect()
    }

    /// True if this run may write the file: nobody else's is there.
    pub(crate) fn is_free(&self, path: &str) -> bool {
        !matches!(self.owner(path), Owner::Other)
    }

    /// Number of listed files that nobody edited.
    pub(crate) fn len(&self) -> usize {
        self.listed.len() - self.edits().len()
    }

    /// The listed files that this run has not written.
    pub(crate) fn unwritten(&self) -> Vec<String> {
        let listed = self.listed.keys();
        listed
            .filter(|path| !self.written.contains(*path))
            .cloned()
            .collect()
    }

    /// The listed files that are not there.
    pub(crate) fn missing(&self) -> Vec<String> {
        let is_missing = |path: &&String| {
            let file = self.folder.join(path);
            self.is_inside(path) && matches!(look(&file), Found::Nothing)
        };
        self.listed.keys().filter(is_missing).cloned().collect()
    }

    /// The text of a file that an earlier run wrote and this one has not, if it is unchanged.
    pub(crate) fn earlier(&self, path: &str) -> Option<String> {
        if self.written.contains(path) || !matches!(self.owner(path), Owner::Us(_)) {
            return None;
        }
        match look(&self.folder.join(path)) {
            Found::File(bytes) => String::from_utf8(bytes).ok(),
            Found::Nothing | Found::Other(_) => None,
        }
    }

    /// The text of a listed file that somebody else changed since.
    pub(crate) fn edited(&self, path: &str) -> Option<String> {
        String::from_utf8(self.edit(path)?).ok()
    }

    /// What a listed file holds that somebody else changed since.
    fn edit(&self, path: &str) -> Option<Vec<u8>> {
        let hashes = self.listed.get(path).filter(|_| self.is_inside(path))?;
        match look(&self.folder.join(path)) {
            Found::File(bytes) => (!self.is_ours(path, hashes, &bytes)).then_some(bytes),
            Found::Nothing | Found::Other(_) => None,
        }
    }

    /// Writes files, each whole or not at all.
    ///
    /// # Errors
    /// A configuration error when the folder cannot be written (full disk, permissions); every file is then ours still.
    pub(crate) fn write_all(&mut self, files: &[(String, &str)]) -> Result<Vec<Written>, Error> {
        let announced = self.announce(files)?;
        self.put(files, announced)
    }

    /// Lists the files with the hashes that they are to have. Gives those for which a file is to be written.
    fn announce(&mut self, files: &[(String, &str)]) -> Result<Vec<Announced>, Error> {
        let mut announced = Vec::with_capacity(files.len());
        for (relative, text) in files {
            let new = hash(text.as_bytes());
            let owner = self.owner(relative);
            if !matches!(owner, Owner::Other) {
                self.tests.take(relative, text);
            }
            announced.push(match owner {
                Owner::Other => Announced::NotOurs,
                Owner::Us(old) if old == new => {
                    self.settle(relative, new);
                    Announced::IsThere
                }
                Owner::Nobody | Owner::Us(_) => {
                    let hashes = self.listed.entry(relative.clone()).or_default();
                    hashes.insert(new.clone());
                    Announced::Listed(new)
                }
            });
        }
        let is_listed = |fate: &Announced| matches!(fate, Announced::Listed(_));
        if announced.iter().any(is_listed) {
            self.save()?;
        }
        Ok(announced)
    }

    /// Writes what was announced, but where somebody saved an edit since.
    fn put(
        &mut self,
        files: &[(String, &str)],
        announced: Vec<Announced>,
    ) -> Result<Vec<Written>, Error> {
        let mut fates = Vec::with_capacity(files.len());
        for ((relative, text), fate) in files.iter().zip(announced) {
            fates.push(match fate {
                Announced::NotOurs => Written::NotOurs,
                Announced::IsThere => Written::Yes,
                Announced::Listed(new) if matches!(self.owner(relative), Owner::Other) => {
                    self.leave(relative, &new);
                    Written::NotOurs
                }
                Announced::Listed(new) => {
                    let path = self.folder.join(relative);
                    let parent = path
                        .parent()
                        .expect("a file inside the output folder has a parent");
                    std::fs::create_dir_all(parent).map_err(|error| unwritable(parent, &error))?;
                    replace(&path, text).map_err(|error| unwritable(&path, &error))?;
                    self.settle(relative, new);
                    Written::Yes
                }
            });
        }
        Ok(fates)
    }

    /// The text with this hash is not written after all.
    fn leave(&mut self, relative: &str, hash: &str) {
        if let Some(hashes) = self.listed.get_mut(relative) {
            hashes.remove(hash);
            if hashes.is_empty() {
                self.listed.remove(relative);
            }
        }
    }

    /// The file holds the text with this hash now.
    fn settle(&mut self, relative: &str, hash: String) {
        self.listed
            .insert(relative.to_owned(), BTreeSet::from([hash]));
        self.written.insert(relative.to_owned());
    }

    /// Deletes a file that this run wrote, or an earlier one, if it is unchanged. What cannot be read, or stands behind a
    /// link, stays listed: it may be ours.
    ///
    /// # Errors
    /// A configuration error where the system does not delete it: it stays listed, for it is ours as before.
    pub(crate) fn delete(&mut self, path: &str) -> Result<(), Error> {
        let file = self.folder.join(path);
        if matches!(self.owner(path), Owner::Us(_)) {
            match (self.remove)(&file) {
                Err(error) if error.kind() != ErrorKind::NotFound => {
                    return Err(undeletable(&file, &error));
                }
                _ => self.remove_empty_parents(&file),
            }
        } else if !self.is_inside(path) || matches!(look(&file), Found::Other(_)) {
            return Ok(());
        }
        self.listed.remove(path);
        Ok(())
    }

    /// Lets go of a file that stands elsewhere by now: removes it where it has this text still, and lists it no more.
    ///
    /// # Errors
    /// A configuration error when the file or the manifest cannot be written.
    pub(crate) fn give_away(&mut self, path: &str, text: &str) -> Result<(), Error> {
        let file = self.folder.join(path);
        if std::fs::read_to_string(&file).is_ok_and(|now| now == text) {
            std::fs::remove_file(&file).map_err(|error| unwritable(&file, &error))?;
            self.remove_empty_parents(&file);
        }
        self.listed.remove(path);
        self.save()
    }

    /// Ends the run: deletes listed files that were not written again, if they are unchanged and none that `stays`.
    /// Tells which stayed; edited ones stay too, as the user's.
    ///
    /// # Errors
    /// A configuration error when the manifest cannot be written, or a file not be deleted: all others are.
    pub(crate) fn finish(mut self, stays: &dyn Fn(&str) -> bool) -> Result<Vec<String>, Error> {
        let mut kept = Vec::new();
        let mut failed = Ok(());
        for path in self.unwritten() {
            if stays(&path) && matches!(self.owner(&path), Owner::Us(_)) {
                kept.push(path);
            } else if self.edit(&path).is_none() {
                failed = failed.and(self.delete(&path));
            }
        }
        self.save()?;
        failed.map(|()| kept)
    }

    /// Files not yet written again stay listed, so that an interrupted run still knows them as ours.
    pub(crate) fn save(&self) -> Result<(), Error> {
        let mut text = self.project.clone();
        for (path, hashes) in &self.listed {
            for hash in hashes {
                let _ = writeln!(text, "{hash} {path}");
            }
            text += &self.tests.line(path);
        }
        let path = self.folder.join(NAME);
        replace(&path, &text).map_err(|error| unwritable(&path, &error))
    }

    /// False where a link leads elsewhere.
    fn is_inside(&self, relative: &str) -> bool {
        let parts = Path::new(relative).ancestors().skip(1);
        let mut folders = parts.filter(|part| !part.as_os_str().is_empty());
        !folders.any(|part| self.folder.join(part).is_symlink())
    }

    /// Whether a file holds what a run wrote, or was joined of what two wrote.
    fn is_ours(&self, path: &str, hashes: &BTreeSet<String>, bytes: &[u8]) -> bool {
        hashes.contains(&hash(bytes)) || self.tests.make_up(path, bytes, hashes.len() > 1)
    }

    fn owner(&self, relative: &str) -> Owner {
        if !self.is_inside(relative) {
            return Owner::Other;
        }
        match look(&self.folder.join(relative)) {
            Found::Nothing => Owner::Nobody,
            Found::File(bytes) => {
                let hashes = self.listed.get(relative);
                if hashes.is_some_and(|hashes| self.is_ours(relative, hashes, &bytes)) {
                    Owner::Us(hash(&bytes))
                } else {
                    Owner::Other
                }
            }
            Found::Other(_) => Owner::Other,
        }
    }

    fn remove_empty_parents(&self, file: &Path) {
        let mut folder = file.parent();
        while let Some(current) = folder.filter(|current| *current != self.folder) {
            if std::fs::remove_dir(current).is_err() {
                return;
            }
            folder = current.parent();
        }
    }
}

/// Refuses a folder that has the files of another module.
///
/// # Errors
/// A configuration error that names both.
pub(crate) fn refuse_others(
    setting: &str,
    folder: &Path,
    settings: &Settings,
) -> Result<(), Error> {
    let Found::File(bytes) = look(&folder.join(NAME)) else {
        return Ok(());
    };
    match project::other(&bytes, folder, &settings.project_directory) {
        None => Ok(()),
        Some(other) => Err(Error::configuration(
            format!(
                "the folder of `{setting}` ({}) has the files of another project: {}",
                folder.display(),
                other.display()
            ),
            format!(
                "give each module a folder of its own: a relative `{setting}` is in each module's; or, where that project \
                 is this one under an old name, delete the first line of {NAME} there; nothing was changed"
            ),
        )),
    }
}

/// The paths that the manifest of a folder lists; none where there is no folder or no manifest.
pub(crate) fn listed(folder: &Path) -> Vec<String> {
    let bytes = std::fs::read(folder.join(NAME)).unwrap_or_default();
    parse(&bytes).into_keys().collect()
}

/// The hashes by path; what is no line of ours is nobody's file.
pub(crate) fn parse(bytes: &[u8]) -> BTreeMap<String, BTreeSet<String>> {
    let mut listed: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for line in String::from_utf8_lossy(bytes).lines() {
        if let Some((hash, path)) = line.split_once(' ')
            && stays_inside(path)
        {
            let hashes = listed.entry(path.to_owned()).or_default();
            hashes.insert(hash.to_owned());
        }
    }
    listed
}

/// True for a path below the folder: a manifest that somebody tampered with must not name files elsewhere.
fn stays_inside(path: &str) -> bool {
    !path.is_empty()
        && Path::new(path)
            .components()
            .all(|part| matches!(part, std::path::Component::Normal(_)))
}

#[cfg(test)]
mod tests;
