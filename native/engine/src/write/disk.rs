//! Files written whole or not at all, and why one could not be written.
//!
//! Comes in: a path and a text. Goes out: the file, on the disk and not only in its cache; or an error that names the
//! cause. Whatever is made on the way has a random name, is made by this call alone and is never reached through a link.
//! Does not know: whose file it replaces (see `manifest`).

use crate::Error;
use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::path::Path;
use std::time::Duration;
use tempfile::NamedTempFile;

/// How names of files that are still being written begin and end.
const UNFINISHED: (&str, &str) = (".palus-", ".tmp");
/// Random characters between the two.
const RANDOM: usize = 12;

/// What is at a path.
#[derive(Debug)]
pub(crate) enum Found {
    /// Nothing.
    Nothing,
    /// A file, with what it holds.
    File(Vec<u8>),
    /// A link, a folder, a pipe or a file that cannot be read, with the cause.
    Other(String),
}

/// What is at a path, without following a link and without waiting for a pipe's other end.
pub(crate) fn look(path: &Path) -> Found {
    match read(path) {
        Ok(bytes) => Found::File(bytes),
        Err(error) if error.kind() == ErrorKind::NotFound => Found::Nothing,
        Err(error) => Found::Other(error.to_string()),
    }
}

fn read(path: &Path) -> io::Result<Vec<u8>> {
    let regular = |data: &std::fs::Metadata| {
        if data.is_file() {
            Ok(())
        } else {
            Err(io::Error::other("it is no regular file"))
        }
    };
    regular(&std::fs::symlink_metadata(path)?)?;
    let mut file = in_place(OpenOptions::new().read(true)).open(path)?;
    // It may have been replaced since.
    regular(&file.metadata()?)?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Options that follow no link and wait for nobody.
pub(crate) fn in_place(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags((OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed());
    }
    options
}

/// Writes a file whole or not at all: beside its place, then renamed. It is on the disk when this returns.
pub(crate) fn replace(path: &Path, text: &str) -> io::Result<()> {
    let folder = folder_of(path);
    let file = written(folder, text)?;
    file.persist(path).map_err(|error| error.error)?;
    sync_folder(folder)
}

/// Writes a new file whole or not at all. The error is `AlreadyExists` where something has its name.
pub(crate) fn create(path: &Path, text: &str) -> io::Result<()> {
    let folder = folder_of(path);
    let file = written(folder, text)?;
    file.persist_noclobber(path).map_err(|error| error.error)?;
    sync_folder(folder)
}

fn written(folder: &Path, text: &str) -> io::Result<NamedTempFile> {
    let mut file = unfinished_readable(folder)?;
    file.write_all(text.as_bytes())?;
    file.as_file().sync_all()?;
    Ok(file)
}

/// Writes a file whole or not at all. It may be lost where the machine goes down.
pub(crate) fn put(path: &Path, text: &str) -> io::Result<()> {
    let mut file = unfinished_readable(folder_of(path))?;
    file.write_all(text.as_bytes())?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// The same, for this user alone.
pub(crate) fn put_private(path: &Path, text: &str) -> io::Result<()> {
    let mut file = unfinished(folder_of(path))?;
    file.write_all(text.as_bytes())?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// Makes the folder where it is missing and tries whether files can be made in it.
pub(crate) fn make_writable(folder: &Path) -> io::Result<()> {
    std::fs::create_dir_all(folder)?;
    unfinished(folder)?.close()
}

/// Removes what a run that was killed left of files that it was writing in this folder.
pub(crate) fn sweep(folder: &Path) {
    sweep_older(folder, Duration::ZERO);
}

/// The same where others may be writing: only files that were last written to so long ago.
pub(crate) fn sweep_older(folder: &Path, age: Duration) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let is_old = |data: std::fs::Metadata| {
            let written = data.modified().ok();
            data.is_file() && written.is_none_or(|at| at.elapsed().unwrap_or_default() >= age)
        };
        if is_unfinished(&entry.file_name().to_string_lossy()) && entry.metadata().is_ok_and(is_old)
        {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

/// True for the name of a file that is being written, or was when its run was killed.
fn is_unfinished(name: &str) -> bool {
    name.strip_prefix(UNFINISHED.0)
        .and_then(|name| name.strip_suffix(UNFINISHED.1))
        .is_some_and(|name| {
            name.len() == RANDOM && name.bytes().all(|byte| byte.is_ascii_alphanumeric())
        })
}

/// A new file with such a name, for this user alone.
pub(crate) fn unfinished(folder: &Path) -> io::Result<NamedTempFile> {
    named().tempfile_in(folder)
}

/// The same for everybody whom the user lets read his files.
#[cfg(unix)]
fn unfinished_readable(folder: &Path) -> io::Result<NamedTempFile> {
    use std::os::unix::fs::PermissionsExt;
    const BUT_FOR_THE_MASK: u32 = 0o666;
    let rights = std::fs::Permissions::from_mode(BUT_FOR_THE_MASK);
    named().permissions(rights).tempfile_in(folder)
}

#[cfg(not(unix))]
fn unfinished_readable(folder: &Path) -> io::Result<NamedTempFile> {
    unfinished(folder)
}

fn named() -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    builder
        .prefix(UNFINISHED.0)
        .suffix(UNFINISHED.1)
        .rand_bytes(RANDOM);
    builder
}

fn folder_of(path: &Path) -> &Path {
    path.parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."))
}

/// A new name is on the disk once its folder is; not every file system can say so of a folder.
fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) {
        match File::open(folder)?.sync_all() {
            Err(error)
                if !matches!(
                    error.kind(),
                    ErrorKind::InvalidInput | ErrorKind::Unsupported
                ) =>
            {
                return Err(error);
            }
            _ => {}
        }
    }
    Ok(())
}

/// Whether a disk that has no space left is why a program failed that writes there. What it says may be lost with the
/// space, so the disk is asked too.
pub(crate) fn is_full(folder: &Path, said: &str) -> bool {
    ["No space left on device", "Disk quota exceeded"]
        .iter()
        .any(|words| said.contains(words))
        || has_no_space(folder)
}

#[cfg(unix)]
fn has_no_space(folder: &Path) -> bool {
    rustix::fs::statvfs(folder).is_ok_and(|disk| disk.f_bavail == 0)
}

#[cfg(not(unix))]
fn has_no_space(_: &Path) -> bool {
    false
}

/// The error where a program failed since its disk is full.
pub(crate) fn full(folder: &Path) -> Error {
    unwritable(folder, &io::Error::from(ErrorKind::StorageFull))
}

/// The error where something cannot be written: what, why, and what to do about that.
pub(crate) fn unwritable(path: &Path, error: &io::Error) -> Error {
    let (cause, cure) = match error.kind() {
        ErrorKind::StorageFull => (
            "no space left on its disk".to_owned(),
            "free some space there and run again",
        ),
        ErrorKind::QuotaExceeded => (
            "the quota of this user is used up".to_owned(),
            "free some space there, or have the quota raised, and run again",
        ),
        ErrorKind::FileTooLarge => (
            "the system allows no file of that size".to_owned(),
            "raise the limit on the size of files (`ulimit -f`) and run again",
        ),
        ErrorKind::ReadOnlyFilesystem => (
            "its file system is read-only".to_owned(),
            "choose a folder on another one, or mount it for writing",
        ),
        ErrorKind::PermissionDenied => (
            "permission denied".to_owned(),
            "give the user of this build the right to write there, or choose another folder",
        ),
        ErrorKind::NotADirectory | ErrorKind::AlreadyExists => (
            "a part of that path is a file where a folder must be".to_owned(),
            "move that file away, or choose another folder",
        ),
        _ => (
            error.to_string(),
            "check the permissions and the free space of this folder",
        ),
    };
    Error::configuration(
        format!("cannot write {}: {cause}", path.display()),
        format!("{cure}; tests already written are kept"),
    )
}

/// The error where a file of ours that is to go stays.
pub(crate) fn undeletable(path: &Path, error: &io::Error) -> Error {
    Error::configuration(
        format!(
            "cannot delete {}, which Palus wrote: {error}",
            path.display()
        ),
        "delete it, or give the user of this build the right to; until then it is run with the written tests",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_unfinished_files_are_swept() {
        let folder = tempfile::tempdir().unwrap();
        let names = [
            ".palus-0123456789ab.tmp",
            ".palus-manifest",
            ".palus-short.tmp",
            ".palus-0123456789-b.tmp",
            "palus-0123456789ab.tmp",
        ];
        for name in names {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        let own = ".palus-folderfolder.tmp";
        std::fs::create_dir(folder.path().join(own)).unwrap();
        assert!(is_unfinished(own));
        sweep(folder.path());
        let left = |name: &&str| folder.path().join(name).exists();
        assert!(!left(&names[0]));
        assert!(names[1..].iter().all(left));
        assert!(left(&own));
    }

    #[cfg(unix)]
    #[test]
    fn what_is_for_everybody_has_the_rights_that_the_users_own_new_files_have() {
        use rustix::fs::Mode;
        use std::os::unix::fs::MetadataExt;
        let folder = tempfile::tempdir().unwrap();
        let [usual, put_there, kept] =
            ["usual", "put", "kept"].map(|name| folder.path().join(name));
        let before = rustix::process::umask(Mode::RWXO | Mode::WGRP);
        std::fs::write(&usual, "").unwrap();
        put(&put_there, "").unwrap();
        put_private(&kept, "").unwrap();
        rustix::process::umask(before);
        let rights = |path: &Path| std::fs::metadata(path).unwrap().mode() & 0o777;
        assert_eq!((rights(&usual), rights(&put_there)), (0o640, 0o640));
        assert_eq!(rights(&kept), 0o600);
    }

    #[test]
    fn a_file_being_written_has_a_name_that_is_swept() {
        let folder = tempfile::tempdir().unwrap();
        let file = unfinished(folder.path()).unwrap();
        let name = file.path().file_name().unwrap().to_str().unwrap();
        assert!(is_unfinished(name), "{name}");
    }

    #[test]
    fn an_error_names_its_cause_and_a_cure_for_it() {
        let said = |kind: ErrorKind| {
            let error = unwritable(Path::new("out/A.java"), &io::Error::from(kind));
            format!("{}: {}", error.message, error.hint)
        };
        for (kind, cause, cure) in [
            (ErrorKind::StorageFull, "no space left", "free some space"),
            (ErrorKind::ReadOnlyFilesystem, "read-only", "choose"),
            (
                ErrorKind::PermissionDenied,
                "permission denied",
                "right to write",
            ),
        ] {
            let text = said(kind);
            assert!(text.starts_with("cannot write out/A.java: "), "{text}");
            assert!(text.contains(cause) && text.contains(cure), "{text}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_and_pipes_are_seen_as_such_and_nobody_waits() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::write(at("file"), "text").unwrap();
        std::os::unix::fs::symlink(at("file"), at("link")).unwrap();
        rustix::fs::mkfifoat(rustix::fs::CWD, at("pipe"), rustix::fs::Mode::RWXU).unwrap();
        assert!(matches!(look(&at("file")), Found::File(bytes) if bytes == b"text"));
        assert!(matches!(look(&at("none")), Found::Nothing));
        for name in ["link", "pipe", ""] {
            assert!(matches!(look(&at(name)), Found::Other(_)), "{name}");
        }
    }
}
