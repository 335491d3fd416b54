//! Which files in the output folder are ours: only those are ever replaced or deleted, and only while unchanged.
//!
//! Comes in: the output folder with its manifest of an earlier run. Goes out: written, replaced and deleted files, and
//! the new manifest: one line per file, `sha256 relative/path`, sorted, so that it is the same for the same tests.
//! Does not know: what the files hold.

use crate::Error;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};

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
    /// Hash of each file as Palus wrote it, by path relative to the folder with `/`.
    before: BTreeMap<String, String>,
    now: BTreeMap<String, String>,
}

impl Manifest {
    /// Opens the output folder, making it where missing.
    ///
    /// # Errors
    /// A configuration error when the folder cannot be written.
    pub(crate) fn open(folder: &Path) -> Result<Manifest, Error> {
        std::fs::create_dir_all(folder).map_err(|error| unwritable(folder, &error))?;
        let probe = folder.join(".palus-probe");
        std::fs::write(&probe, b"").map_err(|error| unwritable(folder, &error))?;
        let _ = std::fs::remove_file(&probe);
        let text = std::fs::read_to_string(folder.join(NAME)).unwrap_or_default();
        let before = text
            .lines()
            .filter_map(|line| line.split_once(' '))
            .filter(|(_, path)| stays_inside(path))
            .map(|(hash, path)| (path.to_owned(), hash.to_owned()))
            .collect();
        Ok(Manifest {
            folder: folder.to_path_buf(),
            before,
            now: BTreeMap::new(),
        })
    }

    /// True if every file of the last run is there, unchanged, and there was a last run.
    pub(crate) fn is_intact(&self) -> bool {
        self.folder.join(NAME).is_file()
            && self
                .before
                .iter()
                .all(|(path, hash)| self.hash_on_disk(path).as_ref() == Some(hash))
    }

    /// Number of files of the last run.
    pub(crate) fn len_before(&self) -> usize {
        self.before.len()
    }

    /// Writes a file, whole or not at all.
    ///
    /// # Errors
    /// A configuration error when the folder cannot be written (full disk, permissions).
    pub(crate) fn write(&mut self, relative: &str, text: &str) -> Result<Written, Error> {
        let path = self.folder.join(relative);
        if let Some(on_disk) = self.hash_on_disk(relative)
            && self.now.get(relative).or_else(|| self.before.get(relative)) != Some(&on_disk)
        {
            return Ok(Written::NotOurs);
        }
        let parent = path
            .parent()
            .expect("a file inside the output folder has a parent");
        std::fs::create_dir_all(parent).map_err(|error| unwritable(parent, &error))?;
        replace(&path, text).map_err(|error| unwritable(&path, &error))?;
        self.now.insert(relative.to_owned(), hash(text.as_bytes()));
        self.save()?;
        Ok(Written::Yes)
    }

    /// Ends the run: deletes files of the last run that were not written again, if they are unchanged.
    ///
    /// # Errors
    /// A configuration error when the manifest cannot be written.
    pub(crate) fn finish(mut self) -> Result<(), Error> {
        let stale: Vec<String> = self
            .before
            .keys()
            .filter(|path| !self.now.contains_key(*path))
            .cloned()
            .collect();
        for path in stale {
            if self.hash_on_disk(&path).as_ref() == self.before.get(&path) {
                let file = self.folder.join(&path);
                let _ = std::fs::remove_file(&file);
                self.remove_empty_parents(&file);
            }
            self.before.remove(&path);
        }
        self.save()
    }

    /// Files not yet written again stay listed, so that an interrupted run still knows them as ours.
    fn save(&self) -> Result<(), Error> {
        let mut all = self.before.clone();
        all.extend(self.now.clone());
        let mut text = String::new();
        for (path, hash) in &all {
            let _ = writeln!(text, "{hash} {path}");
        }
        let path = self.folder.join(NAME);
        replace(&path, &text).map_err(|error| unwritable(&path, &error))
    }

    fn hash_on_disk(&self, relative: &str) -> Option<String> {
        std::fs::read(self.folder.join(relative))
            .ok()
            .map(|bytes| hash(&bytes))
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

/// Writes a file whole or not at all: beside its place, then renamed.
pub(crate) fn replace(path: &Path, text: &str) -> std::io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(text.as_bytes())?;
    make_readable(file.path());
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// True for a path below the folder: a manifest that somebody tampered with must not name files elsewhere.
fn stays_inside(path: &str) -> bool {
    Path::new(path)
        .components()
        .all(|part| matches!(part, std::path::Component::Normal(_)))
}

/// SHA-256 in hexadecimal.
pub(crate) fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes)
        .iter()
        .fold(String::with_capacity(64), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        })
}

fn unwritable(path: &Path, error: &std::io::Error) -> Error {
    Error::configuration(
        format!("cannot write {}: {error}", path.display()),
        "check the permissions and the free space of this folder; tests already written are kept",
    )
}

/// Temporary files are made for the owner only; sources are for everybody the build serves.
fn make_readable(path: &Path) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let _ = std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o644));
    }
    #[cfg(not(unix))]
    let _ = path;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_the_last_run_can_be_written_more_than_once() {
        let folder = tempfile::tempdir().unwrap();
        let mut first = Manifest::open(folder.path()).unwrap();
        first.write("A.java", "old").unwrap();
        first.finish().unwrap();
        let mut second = Manifest::open(folder.path()).unwrap();
        assert_eq!(second.write("A.java", "newer").unwrap(), Written::Yes);
        assert_eq!(second.write("A.java", "newest").unwrap(), Written::Yes);
        second.finish().unwrap();
        let text = std::fs::read_to_string(folder.path().join("A.java")).unwrap();
        assert_eq!(text, "newest");
    }

    #[test]
    fn only_unchanged_files_of_ours_are_replaced_or_deleted() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let mut first = Manifest::open(folder.path()).unwrap();
        assert_eq!(first.write("a/A.java", "one").unwrap(), Written::Yes);
        assert_eq!(first.write("a/B.java", "one").unwrap(), Written::Yes);
        assert_eq!(first.write("b/C.java", "one").unwrap(), Written::Yes);
        first.finish().unwrap();
        std::fs::write(at("a/B.java"), "edited").unwrap();
        std::fs::write(at("a/Mine.java"), "mine").unwrap();

        let mut second = Manifest::open(folder.path()).unwrap();
        assert!(!second.is_intact());
        assert_eq!(second.write("a/A.java", "two").unwrap(), Written::Yes);
        assert_eq!(second.write("a/B.java", "two").unwrap(), Written::NotOurs);
        assert_eq!(
            second.write("a/Mine.java", "two").unwrap(),
            Written::NotOurs
        );
        second.finish().unwrap();
        assert_eq!(std::fs::read_to_string(at("a/A.java")).unwrap(), "two");
        assert_eq!(std::fs::read_to_string(at("a/B.java")).unwrap(), "edited");
        assert_eq!(std::fs::read_to_string(at("a/Mine.java")).unwrap(), "mine");
        assert!(
            !at("b").exists(),
            "a stale file of ours goes, and its empty folder with it"
        );

        let third = Manifest::open(folder.path()).unwrap();
        assert!(third.is_intact());
        assert_eq!(third.len_before(), 1);
    }

    #[test]
    fn a_manifest_that_names_files_elsewhere_deletes_none() {
        let folder = tempfile::tempdir().unwrap();
        let output = folder.path().join("out");
        std::fs::create_dir(&output).unwrap();
        let outside = folder.path().join("outside");
        std::fs::write(&outside, "mine").unwrap();
        let hash = hash(b"mine");
        let lines = format!("{hash} {}\n{hash} ../outside\n", outside.display());
        std::fs::write(output.join(NAME), lines).unwrap();
        Manifest::open(&output).unwrap().finish().unwrap();
        assert!(outside.exists());
    }

    #[test]
    fn an_interrupted_run_still_knows_its_files() {
        let folder = tempfile::tempdir().unwrap();
        let mut first = Manifest::open(folder.path()).unwrap();
        first.write("A.java", "one").unwrap();
        drop(first);
        let mut second = Manifest::open(folder.path()).unwrap();
        assert_eq!(second.write("A.java", "two").unwrap(), Written::Yes);
    }

    #[test]
    fn an_unwritable_folder_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        std::fs::write(&file, "").unwrap();
        let error = Manifest::open(&file.join("below")).unwrap_err();
        assert!(error.message.contains("file/below"), "{}", error.message);
    }
}
