//! Where a name leads, as the kernel would go for another process.
//!
//! Comes in: a name, and who uses it. Goes out: the file without links on the way ([`Place`]).
//! Does not know: what is allowed there.

use std::ffi::{OsStr, OsString};
use std::io::ErrorKind;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

/// As many links as the kernel follows.
const MOST_LINKS: u32 = 40;

/// Who uses a name.
#[derive(Clone, Copy, Debug)]
pub struct User {
    /// The process.
    pub process: u32,
    /// Its thread.
    pub thread: u32,
}

/// Where a name leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Absolute, without links as far as it exists.
    pub path: PathBuf,
    /// Whether there is something.
    pub exists: bool,
}

/// Why a name leads to no file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nowhere {
    /// It is that of an open descriptor of something that has no path, such as a pipe.
    Descriptor,
    /// It is that of the standard input, output or error, over which a build tool talks to its test JVM, whatever it is here.
    Standard,
    /// There is no such folder, or links go round in circles: the kernel finds nothing there either.
    Missing,
    /// The name or its folder cannot be read from here, though the program may use it.
    Hidden,
}

/// Follows the name.
///
/// # Errors
/// Where it leads to no file with a path.
pub fn resolve(user: User, folder: i32, name: &OsStr, follows: bool) -> Result<Place, Nowhere> {
    let name = Path::new(name);
    let start = if name.is_absolute() {
        PathBuf::from("/")
    } else {
        of_descriptor(user.process, folder)?
    };
    let mut path = start;
    // The last one first.
    let mut left = parts(name);
    let mut links = 0;
    let mut exists = true;
    while let Some(part) = left.pop() {
        if part == ".." {
            path.pop();
            continue;
        }
        path.push(&part);
        // Who asks is not who follows.
        if path == Path::new("/proc/self") {
            path = format!("/proc/{}", user.process).into();
            continue;
        }
        if path == Path::new("/proc/thread-self") {
            path = format!("/proc/{}/task/{}", user.process, user.thread).into();
            continue;
        }
        if !exists || left.is_empty() && !follows {
            continue;
        }
        if is_standard(&path) {
            return Err(Nowhere::Standard);
        }
        match std::fs::read_link(&path) {
            Ok(target) if target.is_absolute() => {
                path = "/".into();
                left.extend(parts(&target));
                links += 1;
            }
            Ok(_) if is_descriptor(&path) => return Err(Nowhere::Descriptor), // such as `pipe:[7]`
            Ok(target) => {
                path.pop();
                left.extend(parts(&target));
                links += 1;
            }
            Err(error) => exists = error.kind() != ErrorKind::NotFound,
        }
        if links > MOST_LINKS {
            return Err(Nowhere::Missing);
        }
    }
    let exists = path.symlink_metadata().is_ok();
    Ok(Place { path, exists })
}

/// The path of an open file, or of the current folder.
fn of_descriptor(process: u32, descriptor: i32) -> Result<PathBuf, Nowhere> {
    let link = if descriptor == libc::AT_FDCWD {
        format!("/proc/{process}/cwd")
    } else {
        format!("/proc/{process}/fd/{descriptor}")
    };
    match std::fs::read_link(link) {
        Ok(path) if path.is_absolute() => Ok(path),
        Err(error) if error.kind() == ErrorKind::PermissionDenied => Err(Nowhere::Hidden),
        Ok(_) | Err(_) => Err(Nowhere::Missing),
    }
}

fn is_descriptor(path: &Path) -> bool {
    path.starts_with("/proc") && path.parent().is_some_and(|parent| parent.ends_with("fd"))
}

/// `/dev/stdin` and `/dev/fd/0` are links to such names.
fn is_standard(path: &Path) -> bool {
    is_descriptor(path) && ["0", "1", "2"].iter().any(|number| path.ends_with(number))
}

/// The parts of a path, the last one first.
fn parts(path: &Path) -> Vec<OsString> {
    let parts = path.components().filter_map(|component| match component {
        Component::Normal(part) => Some(part.to_owned()),
        Component::ParentDir => Some(OsStr::from_bytes(b"..").to_owned()),
        _ => None,
    });
    let mut parts: Vec<OsString> = parts.collect();
    parts.reverse();
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::fd::AsRawFd;
    use std::os::unix::fs::symlink;

    fn lead(name: &Path, follows: bool) -> Result<Place, Nowhere> {
        let process = std::process::id();
        let user = User {
            process,
            thread: process,
        };
        resolve(user, libc::AT_FDCWD, name.as_os_str(), follows)
    }

    #[test]
    fn links_lead_where_the_kernel_goes_also_to_what_is_not_there_yet() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        std::fs::create_dir(root.join("real")).unwrap();
        symlink("real", root.join("link")).unwrap();
        symlink(root.join("real/new"), root.join("dangling")).unwrap();
        symlink("round", root.join("round")).unwrap();
        let missing = |path: &str| Place {
            path: root.join(path),
            exists: false,
        };
        for (name, follows, expected) in [
            ("link/a/../b", true, Ok(missing("real/b"))),
            ("dangling", true, Ok(missing("real/new"))),
            ("link/../none/../x", true, Ok(missing("x"))),
            ("round/x", true, Err(Nowhere::Missing)),
        ] {
            assert_eq!(lead(&root.join(name), follows), expected, "{name}");
        }
        let link = lead(&root.join("dangling"), false).unwrap();
        assert_eq!((link.path, link.exists), (root.join("dangling"), true));
    }

    #[test]
    fn names_of_descriptors_lead_to_their_files_and_pipes_have_none() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().canonicalize().unwrap().join("file");
        let file = std::fs::File::create(&path).unwrap();
        let (pipe, _other) = std::io::pipe().unwrap();
        let name = |descriptor: i32| PathBuf::from(format!("/proc/self/fd/{descriptor}"));
        let place = lead(&name(file.as_raw_fd()), true).unwrap();
        assert_eq!((place.path, place.exists), (path, true));
        assert_eq!(
            lead(&name(pipe.as_raw_fd()), true),
            Err(Nowhere::Descriptor)
        );
        let process = std::process::id();
        let own = lead(Path::new("/proc/self/status"), true).unwrap();
        assert_eq!(own.path, Path::new(&format!("/proc/{process}/status")));
    }

    #[test]
    fn names_of_the_standard_streams_are_known_whatever_they_lead_to() {
        let dev = ["/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/fd/1"];
        let proc = [
            "/proc/self/fd/0",
            "/proc/thread-self/fd/2",
            "/proc/../dev/stdin",
        ];
        for name in dev.iter().chain(&proc) {
            assert_eq!(
                lead(Path::new(name), true),
                Err(Nowhere::Standard),
                "{name}"
            );
        }
    }

    #[test]
    fn a_name_begins_in_the_folder_of_its_descriptor() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let open = std::fs::File::open(&root).unwrap();
        let process = std::process::id();
        let user = User {
            process,
            thread: process,
        };
        let place = resolve(user, open.as_raw_fd(), OsStr::new("a"), true).unwrap();
        assert_eq!(place.path, root.join("a"));
        assert_eq!(
            resolve(user, 999, OsStr::new("a"), true),
            Err(Nowhere::Missing)
        );
    }
}
