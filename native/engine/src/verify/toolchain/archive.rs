//! The classes of a compiler in an archive that its JVM maps, so that it starts in two thirds of the time.
//!
//! Comes in: a JDK, and a folder of Palus's own files. Goes out: a flag for the compiler.
//! From Java 13 on a JVM writes such an archive when it ends (class data sharing, JEP 350); the first compilation does so.
//! A JVM goes on without an archive of another build of the JDK; a damaged one can end it, and is removed then.
//! Does not know: what is compiled.

use crate::write::disk::{sweep, unfinished};
use crate::write::manifest::hash;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// The first release whose JVM writes one.
const FIRST: u32 = 13;

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

/// The archive of one JDK.
pub(super) struct Archive {
    path: PathBuf,
    /// What is written now; none where it is there.
    new: Option<tempfile::TempPath>,
}

impl Archive {
    /// `release` is the JDK's file of that name. None where it is too old or says nothing of its version, or the folder
    /// takes no file.
    pub(super) fn of(java_home: &Path, release: &str, folder: &Path) -> Option<Archive> {
        let mut lines = release.lines();
        let version = lines.find_map(|line| line.strip_prefix("JAVA_VERSION=\""))?;
        let digits = version
            .split(|letter: char| !letter.is_ascii_digit())
            .next()?;
        if digits.parse::<u32>().ok()? < FIRST {
            return None;
        }
        let name = hash(format!("{}\n{release}", java_home.display()).as_bytes());
        let path = folder.join(format!("javac-{}.jsa", &name[..16]));
        // What a build that was killed was writing.
        sweep(folder);
        let new = if is_own(&path, folder) {
            None
        } else {
            Some(unfinished(folder).ok()?.into_temp_path())
        };
        Some(Archive { path, new })
    }

    /// For the compiler's JVM: to map it, or to write it.
    pub(super) fn flag(&self) -> OsString {
        let (flag, path) = match &self.new {
            Some(new) => ("-J-XX:ArchiveClassesAtExit=", new.as_ref()),
            None => ("-J-XX:SharedArchiveFile=", self.path.as_path()),
        };
        let mut flag = OsString::from(flag);
        flag.push(path);
        flag
    }

    /// It may be what the compiler failed by.
    pub(super) fn remove(self) {
        let _ = fs::remove_file(&self.path);
    }

    /// The compiler ran to its end: from now on it is there.
    pub(super) fn keep(self) {
        let Some(new) = self.new else {
            return;
        };
        if fs::metadata(&new).is_ok_and(|file| file.len() > 0) {
            // Whoever was faster has the same.
            let _ = new.persist(&self.path);
        }
    }
}
