//! A folder that only one JVM uses.
//!
//! Comes in: where to make it. Goes out: the folder, removed with all that subject code left in it.
//! Does not know: what is put into it.

use crate::Error;
use crate::write::disk::unwritable;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// How names of folders of worker JVMs begin.
pub const WORKER: &str = "worker-";
/// How names of folders of JVMs that verify tests begin.
pub const VERIFY: &str = "verify-";
/// Name of the folder in which a JVM makes temporary files: the only ones that subject code may change.
pub const TEMPORARY: &str = "work";
/// Name of the folder in which a JVM runs. No file in it may change.
pub const CHECKOUT: &str = "checkout";
/// Name of the folder that is the user's home to a JVM. No file in it may change.
pub const HOME: &str = "home";
/// Where a folder is that lies deeper.
const DEEPER: &str = "some/where/else";

/// Removed when dropped, even where subject code made parts of it read-only.
pub struct PrivateFolder {
    folder: TempDir,
    /// The folder itself, or one in it.
    path: PathBuf,
}

impl PrivateFolder {
    /// Makes one below `parent`.
    ///
    /// # Errors
    /// A configuration error naming the folder.
    pub fn new(parent: &Path, prefix: &str) -> Result<PrivateFolder, Error> {
        fs::create_dir_all(parent)
            // The real path: the sandbox and its guards compare real paths.
            .and_then(|()| parent.canonicalize())
            .and_then(|parent| tempfile::Builder::new().prefix(prefix).tempdir_in(parent))
            .map(|folder| PrivateFolder {
                path: folder.path().to_owned(),
                folder,
            })
            .map_err(|error| unwritable(parent, &error))
    }

    /// One that lies some folders deeper: how deep it lies is no fact of what runs in it.
    ///
    /// # Errors
    /// A configuration error naming the folder.
    pub fn deeper(parent: &Path, prefix: &str) -> Result<PrivateFolder, Error> {
        let mut private = PrivateFolder::new(parent, prefix)?;
        private.path.push(DEEPER);
        fs::create_dir_all(&private.path).map_err(|error| unwritable(parent, &error))?;
        Ok(private)
    }

    /// Makes the folders of a JVM that runs subject code, all empty, and gives the one for temporary files.
    ///
    /// # Errors
    /// A configuration error naming the folder.
    pub fn lay_out(&self) -> Result<PathBuf, Error> {
        for name in [TEMPORARY, CHECKOUT, HOME] {
            let folder = self.path().join(name);
            fs::create_dir(&folder).map_err(|error| unwritable(&folder, &error))?;
        }
        Ok(self.path().join(TEMPORARY))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for PrivateFolder {
    fn drop(&mut self) {
        // The rest is `TempDir`'s work; what cannot be opened up cannot be removed either.
        let _ = open_up(self.folder.path());
    }
}

/// Removes the private folders that a killed run left below `parent`. No run may be using it.
pub fn sweep(parent: &Path) {
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        // Links are none: they may lead to anything.
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if is_folder && entry.file_name().to_str().is_some_and(is_ours) {
            let _ = open_up(&entry.path());
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// `worker-a1B2c3`: a prefix and what [`TempDir`] adds.
fn is_ours(name: &str) -> bool {
    const RANDOM: usize = 6;
    let rest = [WORKER, VERIFY]
        .iter()
        .find_map(|prefix| name.strip_prefix(prefix));
    rest.is_some_and(|rest| {
        rest.len() == RANDOM && rest.bytes().all(|byte| byte.is_ascii_alphanumeric())
    })
}

/// What a plugin, or a run before, leaves in a folder of work.
const OWN: [&str; 7] = [
    "trace",
    "state",
    "work",
    "existing.exec",
    "agent.properties",
    "trace.properties",
    "classes.json",
];

/// What the folder of another revision begins with.
const BASE: &str = "base-";

/// Makes a folder, if there is none, that nobody else reads. One in which there is something, and nothing of Palus's, is
/// somebody's, and keeps the rights that it has.
pub fn create_private(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let mut is_empty = true;
    let mut is_ours = false;
    for entry in fs::read_dir(folder)? {
        let name = entry?.file_name();
        let name = name.to_string_lossy();
        is_empty = false;
        is_ours |= OWN.contains(&&*name) || name.starts_with(BASE);
    }
    if is_empty || is_ours {
        make_private(folder, 0o700)?;
    }
    Ok(())
}

/// Takes the rights to a file or folder from everybody but its owner, who has these.
#[cfg(unix)]
pub fn make_private(path: &Path, mode: u32) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(mode))
}

/// The system's own rights hold: what lies in a user's folders is that user's.
#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "as on the other systems")]
pub fn make_private(_: &Path, _: u32) -> io::Result<()> {
    Ok(())
}

/// Whether it is a file of its folder alone: what runs there may have put a link to another one in its place.
pub fn is_own_file(path: &Path) -> bool {
    let Ok(data) = fs::symlink_metadata(path) else {
        return false;
    };
    #[cfg(unix)]
    let is_linked = std::os::unix::fs::MetadataExt::nlink(&data) > 1;
    #[cfg(not(unix))]
    let is_linked = false;
    data.is_file() && !is_linked
}

/// Gives back the right to remove what lies in the folders below.
fn open_up(folder: &Path) -> io::Result<()> {
    let mut permissions = fs::metadata(folder)?.permissions();
    if permissions.readonly() || cannot_search(&permissions) {
        make_free(&mut permissions);
        fs::set_permissions(folder, permissions)?;
    }
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        // Links are not followed: they may lead out.
        if entry.file_type()?.is_dir() {
            open_up(&entry.path())?;
        }
    }
    Ok(())
}

#[cfg(unix)]
fn cannot_search(permissions: &fs::Permissions) -> bool {
    use std::os::unix::fs::PermissionsExt;
    permissions.mode() & 0o700 != 0o700
}

#[cfg(unix)]
fn make_free(permissions: &mut fs::Permissions) {
    use std::os::unix::fs::PermissionsExt;
    permissions.set_mode(0o700);
}

#[cfg(not(unix))]
fn cannot_search(_: &fs::Permissions) -> bool {
    false
}

#[cfg(not(unix))]
#[expect(
    clippy::permissions_set_readonly_false,
    reason = "only unix has more than one kind of writer"
)]
fn make_free(permissions: &mut fs::Permissions) {
    permissions.set_readonly(false);
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_link_is_no_file_of_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for name in ["own", "twice"] {
            fs::write(at(name), "text").unwrap();
        }
        std::os::unix::fs::symlink(at("own"), at("link")).unwrap();
        fs::hard_link(at("twice"), at("again")).unwrap();
        assert!(is_own_file(&at("own")));
        for name in ["none", "link", "twice", "again"] {
            assert!(!is_own_file(&at(name)), "{name}");
        }
        assert!(!is_own_file(folder.path()));
    }
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn a_folder_of_somebody_else_keeps_its_rights() {
        let parent = TempDir::new().unwrap();
        let mode = |name: &str| {
            let folder = parent.path().join(name);
            create_private(&folder).unwrap();
            fs::metadata(&folder).unwrap().permissions().mode() & 0o777
        };
        let shared = parent.path().join("shared");
        fs::create_dir(&shared).unwrap();
        fs::set_permissions(&shared, fs::Permissions::from_mode(0o775)).unwrap();
        fs::write(shared.join("of a colleague"), "").unwrap();
        assert_eq!((mode("shared"), mode("new")), (0o775, 0o700));
        // The plugin wrote there before the engine did.
        fs::create_dir(shared.join("trace")).unwrap();
        assert_eq!(mode("shared"), 0o700);
    }

    #[test]
    fn a_folder_goes_even_where_parts_of_it_are_locked() {
        let parent = TempDir::new().unwrap();
        let outside = parent.path().join("outside");
        fs::create_dir(&outside).unwrap();
        fs::set_permissions(&outside, fs::Permissions::from_mode(0o500)).unwrap();
        let folder = PrivateFolder::new(parent.path(), "own-").unwrap();
        let path = folder.path().to_owned();
        let locked = path.join("locked/deeper");
        fs::create_dir_all(&locked).unwrap();
        fs::write(locked.join("file"), "text").unwrap();
        std::os::unix::fs::symlink(&outside, path.join("link")).unwrap();
        for (folder, mode) in [(&locked, 0o500), (&path.join("locked"), 0o000)] {
            fs::set_permissions(folder, fs::Permissions::from_mode(mode)).unwrap();
        }
        drop(folder);
        assert!(!path.exists());
        // What a link leads to is left as it is.
        let mode = fs::metadata(&outside).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o500);
    }

    #[test]
    fn what_a_killed_run_left_goes_and_nothing_else() {
        let parent = TempDir::new().unwrap();
        let at = |name: &str| parent.path().join(name);
        let left = PrivateFolder::new(parent.path(), WORKER).unwrap();
        let locked = left.path().join("locked");
        fs::create_dir(&locked).unwrap();
        fs::write(locked.join("file"), "text").unwrap();
        std::os::unix::fs::symlink(at("worker-mine"), locked.join("link")).unwrap();
        fs::set_permissions(&locked, fs::Permissions::from_mode(0o500)).unwrap();
        fs::create_dir(at("worker-mine")).unwrap();
        fs::write(at("worker-mine/file"), "text").unwrap();
        fs::write(at("verify-a1B2c3"), "a file").unwrap();
        std::os::unix::fs::symlink(at("worker-mine"), at("worker-a1B2c3")).unwrap();
        sweep(parent.path());
        assert!(!left.path().exists());
        for kept in ["worker-mine/file", "verify-a1B2c3", "worker-a1B2c3/file"] {
            assert!(at(kept).is_file(), "{kept}");
        }
        sweep(&at("nowhere"));
    }

    #[test]
    fn a_place_that_is_no_folder_is_named() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let error = PrivateFolder::new(file.path(), "own-").err().unwrap();
        let name = file.path().display().to_string();
        assert!(error.message.starts_with(&format!("cannot write {name}")));
    }
}
