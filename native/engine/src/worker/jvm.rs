//! One worker JVM: requests in, responses out, and its end.
//!
//! Comes in: requests. Goes out: responses, or a [`Death`].
//! Does not know: sequences beyond counting batches; what happens after a death.

use crate::Error;
use crate::worker::clock::now;
use crate::worker::folder::{self, PrivateFolder};
use crate::worker::guards::Guards;
use crate::worker::process::{Process, Spawner, Trouble};
use crate::worker::sandbox::{Jvm, Sandbox, Surroundings, passable};
use crate::worker::translate::Vocabulary;
use crate::worker::usage::{Excess, Memory, Usage, filled};
use crate::worker::usual_files;
use crate::worker::{Limits, PART_OF_DIRECT_MEMORY, STACK_MIB, WorkerSettings};
use crate::write::disk::{full, in_place, is_full};
use palus_wire::frame::{FRAME_HEADER, split_frame};
use palus_wire::request::{Request, Setup};
use palus_wire::response::{ExitCode, Response};
use std::ffi::OsString;
use std::fs::OpenOptions;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::sync::Arc;
use std::time::Duration;

/// How long a JVM may take to start on a machine that is very busy.
pub const START: Duration = Duration::from_mins(3);
/// How long it may take to read a request.
const SEND: Duration = Duration::from_secs(20);
/// How long a JVM that closed its output may take to end.
const END: Duration = Duration::from_secs(2);

/// Bytes one answer may have: the largest ever seen, class files of the platform, has a tenth of it.
const LARGEST_ANSWER: usize = 128 << 20;

/// How a worker ended, or why it was ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Death {
    /// It gave no sign for too long.
    Hung,
    /// It ended by itself, with one of its own codes if any.
    Exited(Option<ExitCode>),
    /// The system killed it.
    Killed,
    /// It used more of the machine than it may.
    Greedy(Excess),
    /// What it answers cannot be understood.
    Confused(String),
}

/// A worker JVM with its private folder.
pub struct WorkerJvm {
    process: Process,
    folder: PrivateFolder,
    /// The folder for its temporary files.
    work: Arc<str>,
    received: Vec<u8>,
    ready: bool,
    guards: Guards,
    /// What it uses of the machine.
    usage: Usage,
    /// Its heap, in MiB.
    memory_mib: u64,
    /// What it was told about methods and fields.
    pub vocabulary: Vocabulary,
    /// True if its classes hold mutants.
    pub holds_mutants: bool,
    /// Whether its classes tell of calls to an API; none until it was told where these are.
    pub records: Option<bool>,
    batches: u32,
}

/// What the classes of a worker tell of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told {
    /// Probes, and what is watched.
    Touched,
    /// Calls to an API, too.
    CallsToo,
}

/// Where a worker is: batches received, and the index within the latest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Number of the batch, from 1.
    pub batch: u32,
    /// The sequence it is at.
    pub index: u32,
}

impl WorkerJvm {
    /// Starts a JVM without waiting for it, so that several start at once; it is a worker once it is set up.
    ///
    /// # Errors
    /// A configuration error where `java` cannot be run or no private folder can be made.
    pub fn start(
        settings: &WorkerSettings,
        sandbox: &Sandbox,
        spawner: &Spawner,
    ) -> Result<WorkerJvm, Error> {
        let folder = PrivateFolder::new(&settings.work_directory, folder::WORKER)?;
        let work = folder.lay_out()?;
        usual_files::plant(&folder)?;
        let launch = sandbox.launch(Jvm {
            folder: folder.path(),
            class_path: vec![settings.worker_jar.clone()],
            readable: Vec::new(),
            surroundings: Surroundings::Fixed,
            limits: Limits::USUAL,
            flags: flags(settings),
            main_class: "io.palus.worker.WorkerMain",
            arguments: vec![
                "--progress".into(),
                folder.path().join("progress").into(),
                "--user".into(),
                folder.path().into(),
            ],
        })?;
        let program = launch.program.clone();
        let process = spawner
            .spawn(launch)
            .map_err(|error| cannot_start(&program, &error))?;
        Ok(WorkerJvm {
            usage: Usage::of(process.id()),
            process,
            folder,
            work: text(&work),
            received: Vec::new(),
            ready: false,
            guards: Guards::default(),
            memory_mib: settings.memory_mib,
            vocabulary: Vocabulary::default(),
            holds_mutants: false,
            records: None,
            batches: 0,
        })
    }

    /// Tells it what it is to run; `subject_classes` have their numbers in the program.
    pub fn set_up(&mut self, settings: &WorkerSettings, subject_classes: &[(u32, Arc<str>)]) {
        let class_path = settings.class_path.iter().map(|path| text(path)).collect();
        let setup = Request::Setup(Setup {
            class_path,
            subject_classes: subject_classes.to_vec(),
            fuel: settings.fuel,
            max_depth: settings.max_depth,
            time_limit_millis: settings.time_limit_millis,
            work_folder: self.work.clone(),
        });
        // One that cannot be written to tells why when it is waited for.
        let _ = self.send(&[setup]);
    }

    /// Waits until it runs, before it is set up.
    ///
    /// # Errors
    /// A configuration error with the JVM's own words.
    pub fn wait_until_it_runs(&mut self, sandbox: &Sandbox) -> Result<(), Error> {
        let _ = self.send(&[Request::ReadClasses(Vec::new())]);
        self.wait_for(sandbox, |response| {
            matches!(response, Response::ClassFiles(_))
        })
    }

    /// Waits until what it was told by setting it up is done.
    ///
    /// # Errors
    /// As of [`WorkerJvm::wait_until_it_runs`].
    pub fn wait_until_ready(&mut self, sandbox: &Sandbox) -> Result<(), Error> {
        if !self.ready {
            self.wait_for(sandbox, |response| {
                matches!(response, Response::Ready { .. })
            })?;
            self.ready = true;
        }
        Ok(())
    }

    fn wait_for(
        &mut self,
        sandbox: &Sandbox,
        is_it: impl Fn(&Response) -> bool,
    ) -> Result<(), Error> {
        let problem = match self.response(START, |_| true) {
            Ok(response) if is_it(&response) => {
                log::debug!("worker {} answers {response:?}", self.process.id());
                self.guards = Guards::read(&self.process.complaints()).unwrap_or_default();
                return Ok(());
            }
            Ok(Response::Failure(text)) => text.to_string(),
            Ok(_) => "it answers something else than that it is ready".to_owned(),
            Err(Death::Hung) => {
                return Err(silent(sandbox.java(), "does not start as a worker", START));
            }
            Err(Death::Confused(what) | Death::Greedy(Excess { text: what, .. })) => what,
            Err(Death::Exited(_) | Death::Killed) => {
                let complaints = self.process.complaints();
                refusal(&complaints)?;
                cause(&complaints)
            }
        };
        if is_full(self.folder.path(), &problem) {
            return Err(full(self.folder.path()));
        }
        Err(Error::configuration(
            format!(
                "{} does not start as a worker: {problem}",
                sandbox.java().display()
            ),
            "check the project's JDK and the arguments of its test JVM; `java -version` must run",
        ))
    }

    /// Which guards hold around it; known once it runs.
    pub fn guards(&self) -> Guards {
        self.guards
    }

    /// Sends requests in one go.
    ///
    /// # Errors
    /// A [`Death`], the worker is then of no more use.
    pub fn send(&mut self, requests: &[Request]) -> Result<(), Death> {
        let mut bytes = Vec::new();
        for request in requests {
            self.batches += u32::from(matches!(request, Request::Execute(_)));
            let start = bytes.len();
            bytes.extend([0; FRAME_HEADER]);
            request.encode(&mut bytes);
            let length = (bytes.len() - start - FRAME_HEADER) as u32;
            bytes[start..start + FRAME_HEADER].copy_from_slice(&length.to_le_bytes());
        }
        match self.process.send(&bytes, SEND) {
            Ok(()) => Ok(()),
            Err(Trouble::Late) => Err(Death::Hung),
            Err(_) => Err(self.exited()),
        }
    }

    /// The next response. Each time `slice` passes without one, `go_on` is asked, and it is seen what the worker uses.
    ///
    /// # Errors
    /// A [`Death`]; [`Death::Hung`] where `go_on` says no. [`Death::Greedy`] also where there is a response, and whatever
    /// was too much is over.
    pub fn response(
        &mut self,
        slice: Duration,
        mut go_on: impl FnMut(&Self) -> bool,
    ) -> Result<Response, Death> {
        let confused =
            |error: &dyn std::fmt::Display| Death::Confused(format!("the worker's answer {error}"));
        let mut asked = now();
        loop {
            match split_frame(&self.received) {
                Err(error) => return Err(confused(&error)),
                Ok(Some((body, taken))) => {
                    let response = Response::decode(body).map_err(|error| confused(&error));
                    self.received.drain(..taken);
                    self.check_usage()?;
                    return response;
                }
                Ok(None) if self.received.len() > LARGEST_ANSWER => {
                    return Err(confused(&"is too large"));
                }
                Ok(None) => {}
            }
            match self.process.receive(&mut self.received, slice) {
                // One that comes in small pieces is none for so long.
                Ok(()) if asked.elapsed() < slice => {}
                Ok(()) | Err(Trouble::Late) => {
                    asked = now();
                    self.check_usage()?;
                    self.end_if(filled(self.folder.path()))?;
                    if !self.ready || !go_on(self) {
                        return Err(Death::Hung);
                    }
                }
                Err(Trouble::Ended) => return Err(self.exited()),
                Err(Trouble::System(error)) => return Err(confused(&error)),
            }
        }
    }

    /// Ends the worker where it uses, or used, too much.
    fn check_usage(&mut self) -> Result<(), Death> {
        let excess = self.usage.excess(self.memory_mib, Memory::Peak);
        self.end_if(excess)
    }

    fn end_if(&mut self, excess: Option<Excess>) -> Result<(), Death> {
        match excess {
            Some(what) => {
                self.process.kill();
                Err(Death::Greedy(what))
            }
            None => Ok(()),
        }
    }

    fn exited(&mut self) -> Death {
        let status = self.process.wait(END);
        if status.is_some_and(was_killed) {
            return Death::Killed;
        }
        Death::Exited(
            status
                .and_then(|status| status.code())
                .and_then(ExitCode::of),
        )
    }

    /// How many batches it was sent.
    pub fn batches(&self) -> u32 {
        self.batches
    }

    /// Where it is, by the file it keeps; none where that tells nothing.
    pub fn progress(&self) -> Option<Progress> {
        read_progress(&self.folder.path().join("progress"))
    }

    /// What it wrote last to standard error.
    pub fn complaints(&mut self) -> String {
        self.process.complaints()
    }

    /// The process id, for messages and tests.
    pub fn id(&self) -> u32 {
        self.process.id()
    }
}

/// What the file says, which the subject may have put anything in place of.
fn read_progress(file: &Path) -> Option<Progress> {
    let file = in_place(OpenOptions::new().read(true)).open(file).ok()?;
    if !file.metadata().ok()?.is_file() {
        return None;
    }
    let mut bytes = Vec::with_capacity(8);
    file.take(8).read_to_end(&mut bytes).ok()?;
    let number = |from: usize| {
        let four = bytes.get(from..from + 4)?;
        Some(u32::from_le_bytes(four.try_into().ok()?))
    };
    Some(Progress {
        batch: number(0)?,
        index: number(4)?,
    })
}

/// Whether somebody else ended it, without asking.
#[cfg(unix)]
fn was_killed(status: ExitStatus) -> bool {
    use std::os::unix::process::ExitStatusExt;
    const KILL: i32 = 9;
    status.signal() == Some(KILL)
}

#[cfg(not(unix))]
fn was_killed(_: ExitStatus) -> bool {
    false
}

/// Flags of a worker: repeatable first of all.
fn flags(settings: &WorkerSettings) -> Vec<OsString> {
    // What the project says of assertions comes after it and holds.
    let mut flags = vec!["-ea".into()];
    flags.extend(passable(&settings.jvm_arguments));
    flags.extend([
        format!("-Xmx{}m", settings.memory_mib).into(),
        format!("-Xss{STACK_MIB}m").into(),
        format!(
            "-XX:MaxDirectMemorySize={}m",
            settings.memory_mib / PART_OF_DIRECT_MEMORY
        )
        .into(),
        // Identity hashes free of history. Unlocking is needed on every version that has the flag.
        "-XX:+UnlockExperimentalVMOptions".into(),
        "-XX:hashCode=2".into(),
        "-XX:+UseSerialGC".into(),
        // Each unit's classes are fresh and run for a second or so: the slower, better compiler would take as much of the
        // machine as they do, and seldom be done in time.
        "-XX:TieredStopAtLevel=1".into(),
        "-Duser.timezone=UTC".into(),
        "-Duser.language=en".into(),
        "-Duser.country=US".into(),
        "-Dfile.encoding=UTF-8".into(),
        "-Duser.name=palus".into(),
    ]);
    flags
}

/// The error where a program, `java` or the launcher, cannot be run at all.
pub fn cannot_start(program: &Path, error: &std::io::Error) -> Error {
    Error::configuration(
        format!("{} does not start: {error}", program.display()),
        "point the project's toolchain (or JAVA_HOME) to a JDK that works; programs must be allowed to run there",
    )
}

fn text(path: &Path) -> Arc<str> {
    // Relative paths would mean another file in the worker's own folder.
    let absolute = std::path::absolute(path).unwrap_or_else(|_| PathBuf::from(path));
    absolute.to_string_lossy().into()
}

/// The error where the launcher did not run the program, as it could not close what it must.
///
/// # Errors
/// A configuration error that names what is missing.
pub fn refusal(complaints: &str) -> Result<(), Error> {
    match Guards::read(complaints) {
        Some(guards) if complaints.contains("palus-launcher refuses") => guards.require(),
        _ => Ok(()),
    }
}

/// The error where a JVM does not start and says nothing.
pub fn silent(java: &Path, what: &str, within: Duration) -> Error {
    let (java, seconds) = (java.display(), within.as_secs());
    Error::configuration(
        format!("{java} {what}: no answer for {seconds} s"),
        "run again when the machine has less to do; where `java -version` hangs too, check the project's JDK",
    )
}

/// The line of a JVM's last words that says what is wrong.
pub fn cause(complaints: &str) -> String {
    // Lines that stand around the one that tells.
    const EMPTY_WORDS: &[&str] = &[
        "palus-launcher landlock=",
        "Picked up ",
        "WARNING",
        "Error: Could not create the Java Virtual Machine",
        "Error: A fatal exception has occurred",
        "Error occurred during initialization",
        "When counted loop safepoints are enabled",
    ];
    let lines = complaints
        .lines()
        .map(|line| line.trim_matches(['#', ' ']))
        .filter(|line| {
            !line.is_empty() && !EMPTY_WORDS.iter().any(|words| line.starts_with(words))
        });
    // A warning alone is no cause, unless it tells what the JVM could not get.
    let (warnings, lines): (Vec<&str>, Vec<&str>) =
        lines.partition(|line| line.contains(" VM warning: "));
    let tells = |line: &&&str| {
        ["rror", "xception", "nrecognized", "nvalid", "annot"]
            .iter()
            .any(|word| line.contains(word))
    };
    let telling = lines.iter().find(tells).or(lines.first());
    let telling = telling.or_else(|| warnings.iter().find(tells));
    telling
        .map_or("it ended without a word", |line| line)
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn what_the_subject_puts_in_place_of_the_progress_file_is_no_progress() {
        use rustix::fs::{CWD, FileType, Mode, mknodat};
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::write(at("good"), [1, 0, 0, 0, 2, 0, 0, 0, 9]).unwrap();
        let good = Progress { batch: 1, index: 2 };
        assert_eq!(read_progress(&at("good")), Some(good));
        std::fs::write(at("short"), [1, 0, 0, 0]).unwrap();
        std::os::unix::fs::symlink("/dev/zero", at("endless")).unwrap();
        mknodat(CWD, at("pipe"), FileType::Fifo, Mode::RUSR, 0).unwrap();
        for name in ["none", "short", "endless", "pipe"] {
            assert_eq!(read_progress(&at(name)), None, "{name}");
        }
    }

    #[test]
    fn the_line_that_tells_is_found_among_a_jvms_last_words() {
        let unknown = "palus-launcher landlock=full seccomp=on\n\
            Unrecognized option: --add-opens\n\
            Error: Could not create the Java Virtual Machine.\n";
        assert_eq!(cause(unknown), "Unrecognized option: --add-opens");
        let heap = "Error occurred during initialization of VM\n\
            Could not reserve enough space for 9999999KB object heap\n";
        assert_eq!(
            cause(heap),
            "Could not reserve enough space for 9999999KB object heap"
        );
        let crash = "#\n# A fatal error has been detected by the Java Runtime Environment:\n#\n";
        assert_eq!(
            cause(crash),
            "A fatal error has been detected by the Java Runtime Environment:"
        );
        assert_eq!(cause(""), "it ended without a word");
        let warning = "OpenJDK 64-Bit Server VM warning: Sharing is only supported for boot loader classes\n\
            When counted loop safepoints are enabled, LoopStripMiningIter must be at least 1\n";
        assert_eq!(cause(warning), "it ended without a word");
        let denied = "OpenJDK 64-Bit Server VM warning: INFO: os::commit_memory(0x1, 2, 0) failed; \
            error='Not enough space' (errno=12)";
        assert_eq!(cause(&format!("{warning}{denied}\n")), denied);
        assert_eq!(
            cause(&format!("{warning}Aborted\n")),
            "Aborted",
            "what is no warning tells more"
        );
    }

    #[test]
    fn a_jvm_that_is_silent_is_told_with_what_may_keep_it_so() {
        let error = silent(
            Path::new("/jdk/bin/java"),
            "cannot run the written tests",
            Duration::from_secs(7),
        );
        assert_eq!(
            error.message,
            "/jdk/bin/java cannot run the written tests: no answer for 7 s"
        );
        assert!(error.hint.contains("the machine has less to do"));
    }
}
