//! Which files stand for the user's: no written test may so much as look at one, for another user has others there.
//!
//! Comes in: folders, and each use of a file. Goes out: whether it is a use of a file of the user's.
//! In a folder for temporary files those are the program's own that it made under a name that nothing had and nobody else
//! can have, as the JDK makes them up, with what lies below and what extends the name; but not a folder in which it asks
//! for [`PLANTED`]: that stands for the user's. A folder for temporary files may lie in one of the user's.
//! Does not know: who uses them, and what becomes of that.

use crate::arguments::Arguments;
use crate::calls::Purpose;
use crate::paths::Place;
use std::collections::VecDeque;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

/// Of more own files the first ones are forgotten.
const MOST_OWN: usize = 4096;

/// Digits in a row of which a name is one that nobody else can have: `File.createTempFile` puts up to 20 into each. Dates
/// with their time have 14.
const DIGITS: usize = 15;
/// What the worker puts there instead, so that names are the same in each run.
const MARK: &[u8] = b"Palus$";

/// A question about a file of this name says that its folder is none of the program's own.
const PLANTED: &str = ".palus-planted";

/// The folders, and what the program made itself.
pub struct UserFiles {
    folders: Vec<PathBuf>,
    temporary: Vec<PathBuf>,
    own: VecDeque<PathBuf>,
}

impl UserFiles {
    /// Nothing is made yet.
    pub fn new(arguments: &Arguments) -> UserFiles {
        let real = |paths: &[PathBuf]| paths.iter().map(|path| without_links(path)).collect();
        UserFiles {
            folders: real(&arguments.user),
            temporary: real(&arguments.temporary),
            own: VecDeque::new(),
        }
    }

    /// Whether this is a use of a file of the user's. To ask about the folders themselves is none: each user has them.
    pub fn hold(&mut self, purpose: Purpose, place: &Place) -> bool {
        if purpose == Purpose::Look && place.path.ends_with(PLANTED) {
            let folder = place.path.parent();
            self.own.retain(|made| Some(made.as_path()) != folder);
            return false;
        }
        let mut roots = self.folders.iter().chain(&self.temporary);
        if roots.any(|root| *root == place.path) {
            return purpose != Purpose::Look;
        }
        let is_in = |roots: &[PathBuf]| roots.iter().any(|root| place.path.starts_with(root));
        if !is_in(&self.temporary) {
            return is_in(&self.folders);
        }
        if self.is_own(&place.path) {
            return false;
        }
        if purpose != Purpose::Make || place.exists || !is_made_up(&place.path) {
            return true;
        }
        if self.own.len() == MOST_OWN {
            self.own.pop_front();
        }
        self.own.push_back(place.path.clone());
        false
    }

    /// Whether a call that goes on can change none of the user's files, as far as its names tell: it changes lies at
    /// own ones. What makes a file counts: somebody else's name may have been free a moment ago.
    pub fn stay(&self, purpose: Purpose, places: &[Place]) -> bool {
        purpose == Purpose::Change && self.know(places)
    }

    /// Whether these are the program's own, and all that a call names.
    pub fn know(&self, places: &[Place]) -> bool {
        !places.is_empty() && places.iter().all(|place| self.is_own(&place.path))
    }

    /// Whether a name cannot lead to one of them. Links to them can only be made where the program may write, which is
    /// beside them, and the kernel's own lie in `/proc`.
    pub fn are_far_from(&self, name: &Path) -> bool {
        let beside = |root: &PathBuf| root.parent().is_none_or(|parent| name.starts_with(parent));
        let mut roots = self.folders.iter().chain(&self.temporary);
        name.is_absolute()
            && !name.starts_with("/proc")
            && !name.components().any(|part| part == Component::ParentDir)
            && !roots.any(beside)
    }

    fn is_own(&self, path: &Path) -> bool {
        let path = path.as_os_str().as_bytes();
        let mut own = self.own.iter();
        own.any(|made| path.starts_with(made.as_os_str().as_bytes()))
    }
}

/// Whether nobody else can have a file of this name.
fn is_made_up(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().as_bytes();
    let runs = name.split(|byte| !byte.is_ascii_digit());
    runs.map(<[u8]>::len).max().unwrap_or(0) >= DIGITS
        || name.windows(MARK.len()).any(|part| part == MARK)
}

/// The folder itself may not be there yet.
fn without_links(path: &Path) -> PathBuf {
    let parent = path.parent().and_then(|parent| parent.canonicalize().ok());
    match (parent, path.file_name()) {
        (Some(parent), Some(name)) => parent.join(name),
        _ => path.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(path: &str, exists: bool) -> Place {
        Place {
            path: path.into(),
            exists,
        }
    }

    fn files() -> UserFiles {
        UserFiles {
            folders: vec!["/in/home".into()],
            temporary: vec!["/in/own".into()],
            own: VecDeque::new(),
        }
    }

    #[test]
    fn each_use_of_a_file_of_the_users_is_one_and_a_question_about_the_folder_is_none() {
        for (purpose, path, expected) in [
            (Purpose::Look, "/in/home/x", true),
            (Purpose::Read, "/in/home/a/b", true),
            (Purpose::Make, "/in/home/x", true),
            (Purpose::Look, "/in/home", false),
            (Purpose::Read, "/in/home", true),
            (Purpose::Read, "/in/own", true),
            (Purpose::Look, "/in", false),
            (Purpose::Change, "/in/homely", false),
        ] {
            let held = files().hold(purpose, &place(path, false));
            assert_eq!(held, expected, "{purpose:?} {path}");
        }
    }

    #[test]
    fn names_that_can_lead_to_them_begin_beside_them_or_where_links_are() {
        for (name, expected) in [
            ("/usr/lib/x", true),
            ("/inside/x", true),
            ("/in", false),
            ("/in/link", false),
            ("/in/home/x", false),
            ("x", false),
            ("/usr/../in/home/x", false),
            ("/proc/self/cwd/x", false),
        ] {
            assert_eq!(files().are_far_from(Path::new(name)), expected, "{name}");
        }
    }

    #[test]
    fn own_temporary_files_are_those_that_were_made_under_new_names_which_nobody_else_can_have() {
        let mut files = files();
        let own = "/in/own/a123456789012345.tmp";
        assert!(files.hold(Purpose::Look, &place(own, false)));
        assert!(files.hold(Purpose::Make, &place("/in/own/lock", true)));
        assert!(files.hold(Purpose::Change, &place("/in/own/new", false)));
        assert!(!files.hold(Purpose::Make, &place(own, false)));
        assert!(!files.hold(Purpose::Make, &place("/in/own/bPalus$0.tmp", false)));
        for own in [
            own,
            "/in/own/a123456789012345.tmp.bak",
            "/in/own/a123456789012345.tmp/b",
        ] {
            assert!(!files.hold(Purpose::Change, &place(own, false)), "{own}");
        }
        // A name that somebody else may have is none of the program's, nor what begins like it.
        for name in ["/in/own/s", "/in/own/shop-20261231235959", "/in/own/a2"] {
            assert!(files.hold(Purpose::Make, &place(name, false)), "{name}");
            assert!(
                files.hold(Purpose::Change, &place(&format!("{name}x"), true)),
                "{name}"
            );
        }
        let planted = "/in/own/app123456789012345";
        assert!(!files.hold(Purpose::Make, &place(planted, false)));
        assert!(!files.hold(
            Purpose::Look,
            &place(&format!("{planted}/.palus-planted"), false)
        ));
        for end in ["", "/x", ".lock"] {
            let name = format!("{planted}{end}");
            assert!(files.hold(Purpose::Look, &place(&name, true)), "{name}");
        }
        let [own, other] = [place(own, true), place("/in/own/a2", true)];
        assert!(files.stay(Purpose::Change, std::slice::from_ref(&own)));
        assert!(!files.stay(Purpose::Change, &[own.clone(), other]));
        assert!(!files.stay(Purpose::Make, std::slice::from_ref(&own)));
        assert!(files.know(&[own]));
        assert!(!files.know(&[place("/elsewhere", true)]));
        assert!(!files.stay(Purpose::Change, &[]));
    }

    #[test]
    fn a_folder_for_temporary_files_may_lie_in_one_of_the_users() {
        let mut files = UserFiles {
            folders: vec!["/in".into()],
            ..files()
        };
        assert!(
            files.hold(Purpose::Make, &place("/in/x", false)),
            "beside them"
        );
        assert!(!files.hold(Purpose::Make, &place("/in/own/bPalus$0.tmp", false)));
        assert!(!files.hold(Purpose::Look, &place("/in", true)));
    }
}
