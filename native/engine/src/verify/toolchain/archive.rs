//! The classes of a compiler in an archive that its JVM maps, so that it starts in two thirds of the time.
//!
//! Comes in: a JDK, and a folder of Palus's own files. Goes out: a flag for the compiler.
//! From Java 13 on a JVM writes such an archive when it ends (class data sharing, JEP 350); the first compilation does so.
//! A JVM goes on without an archive of another build of the JDK; a damaged one can end it. So an archive's name holds a
//! hash of its content, which a process compares once, and one that differs is removed.
//! Only the compiler has one: a JVM that maps classes whose superclasses an agent changed can crash, and agents guard the
//! JVMs of tests (seen on Java 17).
//! Does not know: what is compiled.

use crate::write::disk::{sweep_older, unfinished};
use crate::write::manifest::{hash, hash_of};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

/// The first release whose JVM writes one.
const FIRST: u32 = 13;
/// Digits of a hash in a name.
const DIGITS: usize = 16;

/// No JVM takes as long to write one.
const LONG_AGO: Duration = Duration::from_hours(1);

/// Archives that hold what they held when they were written, with their length and time.
static SOUND: Mutex<BTreeSet<(PathBuf, u64, SystemTime)>> = Mutex::new(BTreeSet::new());

/// The archive of one JDK.
pub(super) struct Archive {
    folder: PathBuf,
    /// Beginning of the names of this JDK's archives.
    start: String,
    found: Option<PathBuf>,
    /// What is written now; none where there is one.
    new: Option<tempfile::TempPath>,
}

impl Archive {
    /// None where the JDK is too old or says nothing of its version, or the folder takes no file.
    pub(super) fn of(java_home: &Path, folder: &Path) -> Option<Archive> {
        let release = fs::read_to_string(java_home.join("release")).ok()?;
        let mut lines = release.lines();
        let version = lines.find_map(|line| line.strip_prefix("JAVA_VERSION=\""))?;
        let digits = version
            .split(|letter: char| !letter.is_ascii_digit())
            .next()?;
        if digits.parse::<u32>().ok()? < FIRST {
            return None;
        }
        let jdk = hash(format!("{}\n{release}", java_home.display()).as_bytes());
        // What a build that was killed was writing.
        sweep_older(folder, LONG_AGO);
        let mut archive = Archive {
            folder: folder.to_owned(),
            start: format!("javac-{}-", &jdk[..DIGITS]),
            found: None,
            new: None,
        };
        archive.found = archive.sound();
        if archive.found.is_none() {
            archive.new = Some(unfinished(folder).ok()?.into_temp_path());
        }
        Some(archive)
    }

    /// The first that holds what its name says; others are removed.
    fn sound(&self) -> Option<PathBuf> {
        let mut paths = self.files();
        paths.sort();
        let mut found = None;
        for path in paths {
            if found.is_none() && self.is_sound(&path).unwrap_or(false) {
                found = Some(path);
            } else {
                let _ = fs::remove_file(path);
            }
        }
        found
    }

    fn is_sound(&self, path: &Path) -> Option<bool> {
        let data = fs::metadata(path).ok()?;
        let state = (path.to_owned(), data.len(), data.modified().ok()?);
        if !is_own(path, &self.folder) {
            return Some(false);
        }
        let mut sound = SOUND.lock().unwrap_or_else(PoisonError::into_inner);
        if sound.contains(&state) {
            return Some(true);
        }
        let is_sound = path == self.path(&content(path)?);
        if is_sound {
            sound.insert(state);
        }
        Some(is_sound)
    }

    fn files(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        entries
            .filter(|entry| entry.file_name().to_string_lossy().starts_with(&self.start))
            .map(|entry| entry.path())
            .collect()
    }

    fn path(&self, content: &str) -> PathBuf {
        let name = format!("{}{}.jsa", self.start, &content[..DIGITS]);
        self.folder.join(name)
    }

    /// For the compiler's JVM: to map it, or to write it.
    pub(super) fn flag(&self) -> Option<OsString> {
        let (flag, path) = match &self.new {
            Some(new) => ("-J-XX:ArchiveClassesAtExit=", &**new),
            None => ("-J-XX:SharedArchiveFile=", self.found.as_deref()?),
        };
        let mut flag = OsString::from(flag);
        flag.push(path);
        Some(flag)
    }

    /// It may be what the compiler failed by.
    pub(super) fn remove(self) {
        if let Some(path) = self.found {
            let _ = fs::remove_file(path);
        }
    }

    /// The compiler ran to its end: from now on it is there.
    pub(super) fn keep(self) {
        let Some(new) = &self.new else {
            return;
        };
        let is_empty = fs::metadata(new).map_or(true, |file| file.len() == 0);
        // Whoever was faster has the same.
        if is_empty || !self.files().is_empty() {
            return;
        }
        if let Some(path) = content(new).map(|content| self.path(&content)) {
            let _ = self.new.map(|new| new.persist(path));
        }
    }
}

fn content(path: &Path) -> Option<String> {
    hash_of(File::open(path).ok()?).ok()
}

/// Whether a file, and no link, is there, of whoever has the folder.
fn is_own(path: &Path, folder: &Path) -> bool {
    #[cfg(unix)]
    let owner = |data: &fs::Metadata| std::os::unix::fs::MetadataExt::uid(data);
    #[cfg(not(unix))]
    let owner = |_: &fs::Metadata| ();
    let (file, folder) = (fs::symlink_metadata(path), fs::metadata(folder));
    file.is_ok_and(|file| {
        file.is_file() && folder.is_ok_and(|folder| owner(&file) == owner(&folder))
    })
}
