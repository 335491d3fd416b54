//! One run at a time in a folder: two that write the same files would take them for somebody else's.
//!
//! Comes in: the folders of a run. Goes out: locks on them, held until they are dropped; the system lets go of the locks
//! of a process that is killed.
//! Folders are locked in a fixed order, so that no two runs wait for each other.
//! Does not know: what is written there.

use crate::listener::{Cancel, Level, Listener};
use crate::run::unit::cancelled;
use crate::worker::create_private;
use crate::write::disk::{in_place, unwritable};
use crate::{Error, Settings, message};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

const NAME: &str = ".palus-lock";
/// How often a lock that somebody holds is tried again.
const PAUSE: Duration = Duration::from_millis(100);

/// A lock on a folder.
#[derive(Debug)]
pub(crate) struct Lock {
    path: PathBuf,
    file: File,
    /// False where the file system has no locks: somebody else may work there.
    holds: bool,
}

impl Lock {
    /// True where nobody else works in the folder.
    pub(crate) fn holds(&self) -> bool {
        self.holds
    }

    /// Locks the folders that a run writes to, and makes those that are missing.
    ///
    /// # Errors
    /// A configuration error where a folder cannot be written, or another run does not end within the time limit; it
    /// names that run.
    pub(crate) fn of_run(
        settings: &Settings,
        listener: &dyn Listener,
        cancel: &Cancel,
    ) -> Result<Vec<Lock>, Error> {
        let (work, output) = (&settings.work_directory, &settings.output_directory);
        // It holds what tests saw: texts of models, execution data.
        create_private(work).map_err(|error| unwritable(work, &error))?;
        std::fs::create_dir_all(output).map_err(|error| unwritable(output, &error))?;
        let findings = &settings.findings_directory;
        let findings = Some(findings).filter(|folder| folder.is_dir());
        let mut folders: Vec<PathBuf> = [work, output]
            .into_iter()
            .chain(findings)
            .map(|folder| folder.canonicalize().unwrap_or_else(|_| folder.clone()))
            .collect();
        folders.sort();
        folders.dedup();
        let limit = Duration::from_secs(settings.time_limit_seconds);
        folders
            .iter()
            .map(|folder| Lock::wait(folder, limit, listener, cancel))
            .collect()
    }

    /// Takes that of the work folder alone, for what writes no test.
    ///
    /// # Errors
    /// As [`Lock::of_run`].
    pub(crate) fn of_work(
        settings: &Settings,
        listener: &dyn Listener,
        cancel: &Cancel,
    ) -> Result<Lock, Error> {
        let work = &settings.work_directory;
        create_private(work).map_err(|error| unwritable(work, &error))?;
        let limit = Duration::from_secs(settings.time_limit_seconds);
        Lock::wait(work, limit, listener, cancel)
    }

    /// Takes the lock of a folder, and waits for who holds it.
    fn wait(
        folder: &Path,
        limit: Duration,
        listener: &dyn Listener,
        cancel: &Cancel,
    ) -> Result<Lock, Error> {
        Lock::wait_by(&File::try_lock, folder, limit, listener, cancel)
    }

    /// The same, by what asks the system.
    fn wait_by(
        try_lock: &dyn Fn(&File) -> Result<(), TryLockError>,
        folder: &Path,
        limit: Duration,
        listener: &dyn Listener,
        cancel: &Cancel,
    ) -> Result<Lock, Error> {
        let path = folder.join(NAME);
        let started = now();
        let mut has_said = false;
        loop {
            let mut file = open(&path).map_err(|error| unwritable(&path, &error))?;
            match try_lock(&file) {
                Ok(()) if is_at(&file, &path) => {
                    // Whoever waits reads it; a full disk hinders nobody.
                    let _ = file
                        .set_len(0)
                        .and_then(|()| write!(file, "{}", std::process::id()));
                    return Ok(Lock {
                        path,
                        file,
                        holds: true,
                    });
                }
                // Who held it took the file away: there may be another by now.
                Ok(()) => continue,
                Err(TryLockError::WouldBlock) => {}
                // A file system without locks cannot tell; nobody is kept from working there.
                Err(TryLockError::Error(error)) => {
                    listener.line(Level::Warning, &message::no_locks(folder, &error));
                    return Ok(Lock {
                        path,
                        file,
                        holds: false,
                    });
                }
            }
            let holder = holder(&mut file);
            if cancel.is_cancelled() {
                return Err(cancelled());
            }
            if now() - started >= limit {
                return Err(Error::configuration(
                    format!(
                        "{holder} still works in {} after {} s",
                        folder.display(),
                        limit.as_secs()
                    ),
                    "wait until it ends, or end it; or let the builds run in checkouts of their own",
                ));
            }
            if !has_said {
                listener.line(Level::Info, &message::waiting(&holder, folder));
                has_said = true;
            }
            std::thread::sleep(PAUSE);
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // While it is held, so that nobody has taken it yet.
        if is_at(&self.file, &self.path) {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

fn open(path: &Path) -> std::io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    let file = in_place(&mut options).open(path)?;
    if file.metadata()?.is_file() {
        Ok(file)
    } else {
        Err(std::io::Error::other("it is no regular file"))
    }
}

/// True if the open file is the one at the path.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let (Ok(open), Ok(there)) = (file.metadata(), std::fs::symlink_metadata(path)) else {
        return false;
    };
    (open.dev(), open.ino()) == (there.dev(), there.ino())
}

#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> bool {
    // An open file cannot be taken away there.
    path.exists()
}

/// `another run of Palus (process 4711)`
fn holder(file: &mut File) -> String {
    let mut process = String::new();
    let read = file
        .seek(SeekFrom::Start(0))
        .and_then(|_| file.take(20).read_to_string(&mut process));
    let is_number = !process.is_empty() && process.bytes().all(|byte| byte.is_ascii_digit());
    if read.is_ok() && is_number {
        format!("another run of Palus (process {process})")
    } else {
        "another run of Palus".to_owned()
    }
}

fn now() -> Instant {
    #[expect(
        clippy::disallowed_methods,
        reason = "how long a run waits for another"
    )]
    Instant::now()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ErrorKind;
    use crate::listener::Progress;
    use std::sync::Mutex;

    #[derive(Default)]
    struct Lines(Mutex<Vec<String>>);

    impl Listener for Lines {
        fn line(&self, _: Level, text: &str) {
            self.0.lock().unwrap().push(text.to_owned());
        }

        fn progress(&self, _: Progress<'_>) {}
    }

    const LONG: Duration = Duration::from_mins(10);

    fn take(folder: &Path, limit: Duration, lines: &Lines) -> Result<Lock, Error> {
        Lock::wait(folder, limit, lines, &Cancel::default())
    }

    #[test]
    fn a_second_run_waits_and_says_for_whom() {
        let folder = tempfile::tempdir().unwrap();
        let lines = Lines::default();
        let first = take(folder.path(), LONG, &lines).unwrap();
        std::thread::scope(|scope| {
            let second = scope.spawn(|| take(folder.path(), LONG, &lines));
            while lines.0.lock().unwrap().is_empty() {
                std::thread::yield_now();
            }
            assert!(!second.is_finished());
            drop(first);
            second.join().unwrap().unwrap();
        });
        let said = lines.0.lock().unwrap();
        let process = format!("(process {})", std::process::id());
        assert!(said.len() == 1 && said[0].contains(&process), "{said:?}");
        assert!(!folder.path().join(NAME).exists());
    }

    #[test]
    fn who_waits_too_long_is_told_who_holds_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        let lines = Lines::default();
        let _first = take(folder.path(), LONG, &lines).unwrap();
        let error = take(folder.path(), Duration::ZERO, &lines).unwrap_err();
        let process = format!("(process {})", std::process::id());
        assert!(error.message.contains(&process), "{error}");
        assert_eq!(error.kind, ErrorKind::Configuration);
    }

    #[test]
    fn a_file_system_without_locks_is_named_and_hinders_nobody() {
        let folder = tempfile::tempdir().unwrap();
        let lines = Lines::default();
        let none = |_: &File| Err(TryLockError::Error(std::io::ErrorKind::Unsupported.into()));
        let cancel = Cancel::default();
        let lock = Lock::wait_by(&none, folder.path(), LONG, &lines, &cancel).unwrap();
        assert!(!lock.holds());
        let said = lines.0.lock().unwrap();
        let text = format!(
            "{} is on a file system without locks",
            folder.path().display()
        );
        assert!(said.len() == 1 && said[0].starts_with(&text), "{said:?}");
    }

    #[test]
    fn a_wait_can_be_cancelled() {
        let folder = tempfile::tempdir().unwrap();
        let lines = Lines::default();
        let _first = take(folder.path(), LONG, &lines).unwrap();
        let cancel = Cancel::default();
        cancel.cancel();
        let error = Lock::wait(folder.path(), LONG, &lines, &cancel).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Cancelled);
    }

    #[test]
    fn many_runs_have_the_folder_one_after_the_other() {
        let folder = tempfile::tempdir().unwrap();
        let lines = Lines::default();
        let inside = Mutex::new(());
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..5 {
                        let _lock = take(folder.path(), LONG, &lines).unwrap();
                        let _alone = inside.try_lock().expect("nobody else is inside");
                    }
                });
            }
        });
    }

    #[test]
    fn what_a_killed_run_left_hinders_nobody_and_links_are_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let lines = Lines::default();
        std::fs::write(folder.path().join(NAME), "4711").unwrap();
        drop(take(folder.path(), Duration::ZERO, &lines).unwrap());
        #[cfg(unix)]
        {
            let precious = folder.path().join("precious");
            std::fs::write(&precious, "text").unwrap();
            std::os::unix::fs::symlink(&precious, folder.path().join(NAME)).unwrap();
            assert!(take(folder.path(), Duration::ZERO, &lines).is_err());
            assert_eq!(std::fs::read_to_string(&precious).unwrap(), "text");
        }
    }
}
