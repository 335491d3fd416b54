//! Answers for the kernel: which of the program's calls go on, and which are denied and noted.
//!
//! Comes in: calls that wait at the listener of the program's filter. Goes out: an answer to each, and [`Notes`].
//! What the filter refuses is denied. Of calls that name files, those go on whose files may be used; landlock, which
//! knows the same folders, looks at them as well, so that a name which changes meanwhile leads nowhere else. It does not
//! for rights and times of files: these another thread could reach that changes a name at the right moment.
//! Calls that reach beyond the longest file allowed go on, for the kernel denies by itself what is too long.
//! Does not know: which process it runs in, and how the listener came there.

use crate::arguments::Arguments;
use crate::calls::{self, Named, Purpose};
use crate::lengths;
use crate::notes::Notes;
use crate::paths::{self, Nowhere, Place, User};
use crate::user_files::UserFiles;
use std::ffi::OsString;
use std::io::Error;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Component, Path, PathBuf};

/// Bytes of a name, with the zero.
const LONGEST_NAME: usize = 4096;
const PAGE: u64 = 4096;

/// Files to which writing does nothing; the JDK tries it once and remembers how it went.
const DEAF: [&str; 3] = ["/dev/random", "/dev/urandom", "/dev/zero"];

/// How a note begins that is one of a look at what another machine may have otherwise; `KernelNotes` in the worker knows it.
const LOOK: &str = "a look at ";

/// What is the system's own on each machine, beside what may be read.
const SYSTEM: [&str; 6] = ["/usr", "/bin", "/sbin", "/proc", "/sys", "/dev"];
/// What of that each administrator fills as he likes.
const LOCAL: &str = "/usr/local";

/// Which folders and files may be used.
pub struct Rules {
    /// Whether files may go from one folder into another: the first version of landlock lets none.
    moves: bool,
    read: Vec<PathBuf>,
    change: Vec<PathBuf>,
    /// What of these is the same on each machine, or means nothing; by all its names.
    known: Vec<PathBuf>,
}

impl Rules {
    /// As landlock is told.
    pub fn new(arguments: &Arguments) -> Rules {
        let existing = |paths: &[PathBuf]| -> Vec<PathBuf> {
            let paths = paths.iter();
            paths.filter_map(|path| path.canonicalize().ok()).collect()
        };
        let mut read = existing(&arguments.read);
        read.extend(existing(&arguments.execute));
        let change = existing(&arguments.write);
        let named = [&arguments.read, &arguments.execute, &arguments.write];
        let known = named.into_iter().chain([&read, &change]).flatten();
        let system = SYSTEM.iter().map(PathBuf::from);
        Rules {
            moves: landlock_version() != 1,
            known: known.cloned().chain(system).collect(),
            read,
            change,
        }
    }

    /// Whether what this name leads to is the same on each machine: it is, or lies in, what may be used, or is a folder
    /// around that. Anything else may be missing here and be there, or be there and be missing, where a test is run.
    fn know(&self, path: &Path) -> bool {
        let is_local = path.starts_with(LOCAL);
        let mut known = self.known.iter();
        let lies_in = |known: &PathBuf| {
            path.starts_with(known)
                && !(is_local && Path::new(LOCAL).starts_with(known) && *known != *LOCAL)
        };
        // Files that lie in memory alone are the program's own, and reached by their descriptors.
        path.as_os_str().as_bytes().starts_with(b"/memfd:")
            || known.any(|known| lies_in(known) || known.starts_with(path))
    }

    /// Whether these may be two names of one call.
    fn allow_together(&self, places: &[Place]) -> bool {
        let mut folders = places.iter().map(|place| place.path.parent());
        let first = folders.next();
        self.moves || folders.all(|folder| Some(folder) == first)
    }

    fn allow(&self, purpose: Purpose, place: &Place) -> bool {
        let is_in = |roots: &[PathBuf]| roots.iter().any(|root| place.path.starts_with(root));
        match purpose {
            // What is missing may be looked for, which is noted where it is not missing for everybody.
            Purpose::Read => !place.exists || is_in(&self.read) || is_in(&self.change),
            Purpose::Look => true,
            Purpose::Change | Purpose::Make => {
                is_in(&self.change) || DEAF.iter().any(|deaf| place.path == Path::new(deaf))
            }
        }
    }
}

/// The version of landlock that this kernel has; below 1 for none.
fn landlock_version() -> i64 {
    const VERSION: libc::c_long = 1;
    let none: libc::c_long = 0;
    // SAFETY: with this flag the call takes neither a pointer nor a size, and only answers.
    unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, none, none, VERSION) }
}

/// What becomes of a call.
enum Verdict {
    GoesOn,
    /// It goes on, and may change files, also the user's if so said.
    Changes(bool),
    /// It goes on, may change files if so said, and is noted as what no written test may do.
    Noted(String, bool),
    /// It succeeds, and nothing is done.
    Done,
    /// What is noted, and the error that it gets.
    Denied(String, i32),
}

/// One program's calls.
pub struct Supervisor {
    /// The program.
    pub process: u32,
    /// Bytes one file may grow to; more the kernel denies.
    pub file_limit: Option<u64>,
    /// What it may use.
    pub rules: Rules,
    /// What stands for the user's files.
    pub users: UserFiles,
    /// Where denials are noted.
    pub notes: Notes,
    /// How many pipes the program may still open by the names of their descriptors: its own two to whoever started it.
    pub pipes: u32,
}

impl Supervisor {
    /// Answers until the program is gone.
    pub fn serve(&mut self, listener: libc::c_int) {
        wake_in_place(listener);
        while waits(listener) {
            // SAFETY: a struct of numbers; the kernel wants it to be zero.
            let mut call: libc::seccomp_notif = unsafe { std::mem::zeroed() };
            // SAFETY: the pointer is to a struct of the type that this request is for.
            let received =
                unsafe { libc::ioctl(listener, libc::SECCOMP_IOCTL_NOTIF_RECV, &raw mut call) };
            if received < 0 {
                continue; // who called is gone, or nobody is left, which the next wait tells
            }
            let verdict = self.judge(&call);
            // SAFETY: the pointer is to the number that this request is for.
            let valid = unsafe {
                libc::ioctl(
                    listener,
                    libc::SECCOMP_IOCTL_NOTIF_ID_VALID,
                    &raw const call.id,
                )
            };
            if valid < 0 {
                continue; // what was read may have been somebody else's
            }
            let mut answer = libc::seccomp_notif_resp {
                id: call.id,
                val: 0,
                error: 0,
                flags: 0,
            };
            match verdict {
                Verdict::GoesOn => answer.flags = libc::SECCOMP_USER_NOTIF_FLAG_CONTINUE as u32,
                Verdict::Changes(is_foreign) => {
                    // First the count: whoever changed a file finds it.
                    self.notes.count_change(is_foreign);
                    answer.flags = libc::SECCOMP_USER_NOTIF_FLAG_CONTINUE as u32;
                }
                Verdict::Noted(what, changes) => {
                    if changes {
                        self.notes.count_change(true);
                    }
                    self.notes.add(call.pid, &what);
                    answer.flags = libc::SECCOMP_USER_NOTIF_FLAG_CONTINUE as u32;
                }
                Verdict::Done => {}
                Verdict::Denied(what, error) => {
                    // First the note: whoever has the answer finds it.
                    self.notes.add(call.pid, &what);
                    answer.error = -error;
                }
            }
            // SAFETY: the pointer is to a struct of the type that this request is for. An error means that who called
            // is gone, or calls again.
            unsafe { libc::ioctl(listener, libc::SECCOMP_IOCTL_NOTIF_SEND, &raw mut answer) };
        }
    }

    fn judge(&mut self, call: &libc::seccomp_notif) -> Verdict {
        let number = call.data.nr;
        let refused = |error| Verdict::Denied(calls::name(number), error);
        let user = User {
            process: self.process,
            thread: call.pid,
        };
        if libc::c_long::from(number) == libc::SYS_openat2 {
            // Its flags are where the program could change them. Whoever uses it knows kernels without it.
            return refused(libc::ENOSYS);
        }
        if let Some((file, ids)) = calls::owner(number, &call.data.args) {
            // Copies of files get the owner that they have; what is the program's own stays its own.
            let is_inside = |place: &Place| self.rules.allow(Purpose::Change, place);
            let place = self.place(user, file).ok().map(|(_, place)| place);
            let stays = are_own(ids) && place.as_ref().is_some_and(is_inside);
            return if stays {
                Verdict::Done
            } else {
                refused(libc::EPERM)
            };
        }
        if let Some((name, length)) = lengths::reach(number, &call.data.args) {
            let limit = self.file_limit.unwrap_or(u64::MAX);
            // Jars may be longer than what may be written.
            let goes_on = length <= limit || lengths::only_reads(self.process, call.data.args[0]);
            return if goes_on {
                Verdict::GoesOn
            } else {
                let text = format!("{name} beyond the {limit} bytes that a file may have");
                Verdict::Noted(text, false)
            };
        }
        if !calls::watched().any(|watched| watched == libc::c_long::from(number)) {
            return refused(libc::EPERM);
        }
        let Some((purpose, files)) = calls::files(number, &call.data.args) else {
            return Verdict::GoesOn;
        };
        if let Some(address) = calls::target(number, &call.data.args)
            && let Some(target) = self.leads_out(address)
        {
            let what = format!("{} to {target}", calls::name(number));
            return Verdict::Denied(what, libc::EACCES);
        }
        let mut places = Vec::new();
        let mut noted = None;
        for file in files {
            if purpose == Purpose::Look {
                // Most are questions about the class path and the JDK.
                let matters = |name: &OsString| {
                    let path = Path::new(name);
                    let is_known = self.users.are_far_from(path) && self.rules.know(path);
                    !name.is_empty() && !is_known
                };
                match self.name(file) {
                    Ok(name) if matters(&name) => {}
                    Ok(_) | Err(Nowhere::Missing | Nowhere::Descriptor | Nowhere::Standard) => {
                        continue;
                    }
                    Err(Nowhere::Hidden) => return hidden(number),
                }
            }
            let (name, place) = match self.place(user, file) {
                Ok(found) => found,
                // By this one it would read what a build tool says, or answer it.
                Err(Nowhere::Standard) if purpose != Purpose::Look => {
                    let name = self.name(file).unwrap_or_default();
                    let what = format!("{} of {}", calls::name(number), name.display());
                    return Verdict::Denied(what, libc::EACCES);
                }
                // By these the program would write what it is to be believed, or read what it is asked.
                Err(Nowhere::Descriptor) if purpose != Purpose::Look => {
                    if self.pipes == 0 {
                        let name = self.name(file).unwrap_or_default();
                        let what = format!("{} of {}", calls::name(number), name.display());
                        return Verdict::Denied(what, libc::EACCES);
                    }
                    self.pipes -= 1;
                    continue;
                }
                Err(Nowhere::Hidden) => return hidden(number),
                // The kernel finds no file there either.
                Err(Nowhere::Missing | Nowhere::Descriptor | Nowhere::Standard) => continue,
            };
            noted = self.note(number, purpose, &name, &place).or(noted);
            let error = if self.rules.allow(purpose, &place) {
                places.push(place);
                if self.rules.allow_together(&places) {
                    continue;
                }
                libc::EXDEV
            } else {
                libc::EACCES
            };
            return Verdict::Denied(format!("{} of {name}", calls::name(number)), error);
        }
        let stay = !calls::moves_names(number) && self.users.stay(purpose, &places);
        let changes = matches!(purpose, Purpose::Change | Purpose::Make) && !stay;
        match noted {
            Some(what) => Verdict::Noted(what, changes),
            None if changes => Verdict::Changes(calls::links(number) || !self.users.know(&places)),
            None => Verdict::GoesOn,
        }
    }

    /// What is said of a use that goes on as far as it is allowed, where no written test may rest on it.
    fn note(
        &mut self,
        number: libc::c_int,
        purpose: Purpose,
        name: &str,
        place: &Place,
    ) -> Option<String> {
        let only_asks = matches!(purpose, Purpose::Look | Purpose::Read);
        if self.users.hold(purpose, place) {
            Some(format!("{} of {name}", calls::name(number)))
        } else if only_asks && !self.rules.know(&place.path) {
            Some(format!("{LOOK}{}", place.path.display()))
        } else {
            None
        }
    }

    /// The text of a link that may lead out of the folders that may be changed, now or once it is moved: what is missing
    /// there may be the user's on another machine, and nobody would see that a name leads to it. A relative one leads
    /// elsewhere when it is moved.
    fn leads_out(&self, address: u64) -> Option<String> {
        let Ok(text) = read_text(self.process, address) else {
            return Some("what cannot be seen".into());
        };
        let target = Path::new(&text);
        let is_inside = || {
            self.rules
                .change
                .iter()
                .any(|root| target.starts_with(root))
        };
        let goes_up = target.components().any(|part| part == Component::ParentDir);
        (goes_up || !is_inside()).then(|| target.display().to_string())
    }

    /// What the program calls a file, and where that is.
    fn place(&self, user: User, file: Named) -> Result<(String, Place), Nowhere> {
        let name = self.name(file)?;
        let place = paths::resolve(user, file.folder, &name, file.follows)?;
        let shown = if name.is_empty() {
            place.path.display().to_string()
        } else {
            name.display().to_string()
        };
        Ok((shown, place))
    }

    /// The name in the program's memory, empty for none; missing where it is too long for the kernel as well. The kernel
    /// reads memory that cannot be read from here: a page that is only for writing, or that of a thread whose first one ended.
    fn name(&self, file: Named) -> Result<OsString, Nowhere> {
        if file.name == 0 {
            return Ok(OsString::new());
        }
        read_text(self.process, file.name).map_err(|error| match error.raw_os_error() {
            Some(libc::ENAMETOOLONG) => Nowhere::Missing,
            _ => Nowhere::Hidden,
        })
    }
}

/// What nobody can look at does not go on.
fn hidden(number: libc::c_int) -> Verdict {
    Verdict::Denied(
        format!("{} of what cannot be seen", calls::name(number)),
        libc::EACCES,
    )
}

/// Whether user and group are those of the program, which are this process's, or are not named.
fn are_own(ids: [u32; 2]) -> bool {
    const UNCHANGED: u32 = u32::MAX;
    // SAFETY: take nothing, cannot fail.
    let own = unsafe { [libc::geteuid(), libc::getegid()] };
    (0..2).all(|at| ids[at] == UNCHANGED || ids[at] == own[at])
}

/// Lets whoever calls and this process take turns on one processor, which is faster where the kernel (6.6) can.
fn wake_in_place(listener: libc::c_int) {
    const SYNC_WAKE_UP: libc::c_ulong = 1;
    // SAFETY: this request takes a number, no pointer. Where it fails all goes on as before.
    unsafe { libc::ioctl(listener, libc::SECCOMP_IOCTL_NOTIF_SET_FLAGS, SYNC_WAKE_UP) };
}

/// Waits for a call; false once nobody is left who could make one.
fn waits(listener: libc::c_int) -> bool {
    let mut poll = libc::pollfd {
        fd: listener,
        events: libc::POLLIN,
        revents: 0,
    };
    loop {
        // SAFETY: one struct, as said.
        let ready = unsafe { libc::poll(&raw mut poll, 1, -1) };
        if ready > 0 {
            return poll.revents & libc::POLLIN != 0;
        }
        if ready < 0 && Error::last_os_error().raw_os_error() != Some(libc::EINTR) {
            return false;
        }
    }
}

/// Reads a text that ends in a zero from the memory of a process.
pub fn read_text(process: u32, address: u64) -> Result<OsString, Error> {
    let mut text = Vec::new();
    while text.len() < LONGEST_NAME {
        let from = address + text.len() as u64;
        // What lies on the next page may not be there.
        let mut block = [0_u8; 256];
        let length = (PAGE - from % PAGE).min(block.len() as u64) as usize;
        let own = libc::iovec {
            iov_base: block.as_mut_ptr().cast(),
            iov_len: length,
        };
        let other = libc::iovec {
            iov_base: from as *mut libc::c_void,
            iov_len: length,
        };
        // SAFETY: one struct each; the first is to a block of at least this length, the second is an address elsewhere.
        let read = unsafe {
            libc::process_vm_readv(
                process.cast_signed(),
                &raw const own,
                1,
                &raw const other,
                1,
                0,
            )
        };
        if read <= 0 {
            return Err(Error::last_os_error());
        }
        let bytes = &block[..read.cast_unsigned()];
        if let Some(end) = bytes.iter().position(|byte| *byte == 0) {
            text.extend(&bytes[..end]);
            return Ok(OsString::from_vec(text));
        }
        text.extend(bytes);
    }
    Err(Error::from_raw_os_error(libc::ENAMETOOLONG))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(path: &str) -> Place {
        Place {
            path: path.into(),
            exists: true,
        }
    }

    fn rules(moves: bool) -> Rules {
        Rules {
            moves,
            read: vec!["/lib".into()],
            change: vec!["/inside".into()],
            known: vec![
                "/lib".into(),
                "/inside".into(),
                "/opt/a.jar".into(),
                "/usr".into(),
            ],
        }
    }

    #[test]
    fn what_is_the_same_on_each_machine_is_what_may_be_used_and_the_folders_around_it() {
        for (path, expected) in [
            ("/lib/x", true),
            ("/opt/a.jar", true),
            ("/opt", true),
            ("/", true),
            ("/opt/a.jar.old", false),
            ("/opt/b.jar", false),
            ("/var/spool/in.xml", false),
            ("/usr/share/in.xml", true),
            ("/usr/local/share/in.xml", false),
            ("/memfd:notes (deleted)", true),
        ] {
            assert_eq!(rules(true).know(Path::new(path)), expected, "{path}");
        }
    }

    #[test]
    fn only_what_lies_in_a_folder_may_be_used_and_what_is_missing_may_be_looked_for() {
        let rules = rules(true);
        let missing = Place {
            exists: false,
            ..place("/etc/x")
        };
        for (purpose, place, expected) in [
            (Purpose::Read, place("/lib/x"), true),
            (Purpose::Read, place("/library"), false),
            (Purpose::Read, place("/inside/x"), true),
            (Purpose::Read, missing.clone(), true),
            (Purpose::Change, missing, false),
            (Purpose::Change, place("/lib/x"), false),
            (Purpose::Change, place("/inside"), true),
            (Purpose::Change, place("/dev/urandom"), true),
        ] {
            assert_eq!(
                rules.allow(purpose, &place),
                expected,
                "{purpose:?} {place:?}"
            );
        }
    }

    #[test]
    fn where_landlock_lets_no_file_change_its_folder_that_is_a_denial() {
        let near = [place("/inside/a/x"), place("/inside/a/y")];
        let far = [place("/inside/a/x"), place("/inside/b/x")];
        assert!(rules(true).allow_together(&far));
        assert!(rules(false).allow_together(&near));
        assert!(!rules(false).allow_together(&far));
    }
}
