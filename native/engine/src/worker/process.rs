//! Child processes that cannot outstay their welcome.
//!
//! Comes in: what to run. Goes out: a [`Process`] with deadlines on everything; dropping it kills its whole group.
//! Linux ends a worker with the *thread* that started it, so a [`Spawner`] starts all of them from one thread of its
//! own. What a process writes to standard error is kept, its tail only, and never reaches the build's console.
//! Does not know: what the process is for.
#![expect(
    clippy::disallowed_methods,
    reason = "this file is where the engine starts processes and reads the clock for them"
)]

use std::collections::VecDeque;
use std::ffi::OsString;
use std::io::{self, ErrorKind, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Bytes of standard error that are kept.
const TAIL: usize = 16 << 10;
/// Tries to run a program file that somebody else is just writing.
const BUSY_TRIES: u32 = 10;

/// What to run.
#[derive(Clone, Debug, Default)]
pub struct Launch {
    /// The program file.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// The folder it runs in.
    pub folder: PathBuf,
    /// All of its environment: nothing of this process's own gets there by itself.
    pub environment: Vec<(OsString, OsString)>,
    /// True if the program makes a process group of its own, as the launcher does; else it is put into one.
    pub makes_own_group: bool,
}

/// Why nothing could be sent or received.
#[derive(Debug, thiserror::Error)]
pub enum Trouble {
    /// Nothing happened for so long.
    #[error("no answer in time")]
    Late,
    /// The process closed its end, which it does at the latest when it ends.
    #[error("ended")]
    Ended,
    /// The operating system's words.
    #[error("{0}")]
    System(#[from] io::Error),
}

type Job = (Launch, Sender<io::Result<Child>>);

/// The one thread that starts processes.
pub struct Spawner {
    jobs: Option<Sender<Job>>,
    thread: Option<JoinHandle<()>>,
}

impl Spawner {
    /// Starts the thread.
    pub fn new() -> Spawner {
        let (jobs, todo) = channel::<Job>();
        let run = move || {
            for (launch, answer) in todo {
                if let Err(unheard) = answer.send(start(&launch)) {
                    // Nobody waits for it any more.
                    if let Ok(mut child) = unheard.0 {
                        let _ = child.kill();
                        let _ = child.wait();
                    }
                }
            }
        };
        let builder = std::thread::Builder::new().name("palus-spawner".into());
        // Without the thread every spawn fails with a sentence, which is all that can be done about it.
        Spawner {
            jobs: Some(jobs),
            thread: builder.spawn(run).ok(),
        }
    }

    /// Starts a process from the spawner's thread.
    ///
    /// # Errors
    /// The operating system's.
    pub fn spawn(&self, launch: Launch) -> io::Result<Process> {
        let gone = || io::Error::other("the thread that starts processes is gone");
        let (sender, answer) = channel();
        let jobs = self.jobs.as_ref().ok_or_else(gone)?;
        jobs.send((launch, sender)).map_err(|_| gone())?;
        Process::new(answer.recv().map_err(|_| gone())??)
    }
}

impl Default for Spawner {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for Spawner {
    fn drop(&mut self) {
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn start(launch: &Launch) -> io::Result<Child> {
    let mut command = Command::new(&launch.program);
    command
        .env_clear()
        .args(&launch.arguments)
        .envs(launch.environment.iter().map(|(name, value)| (name, value)))
        .current_dir(&launch.folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    platform::own_group(&mut command, launch);
    let mut tries = 0;
    loop {
        match command.spawn() {
            Err(error) if error.kind() == ErrorKind::ExecutableFileBusy && tries < BUSY_TRIES => {
                tries += 1;
                std::thread::sleep(Duration::from_millis(20));
            }
            result => return result,
        }
    }
}

/// True once this moment is over; never without one.
pub fn is_past(deadline: Option<Instant>) -> bool {
    deadline.is_some_and(|deadline| Instant::now() >= deadline)
}

/// A running process with its three streams.
pub struct Process {
    child: Child,
    input: Option<ChildStdin>,
    output: ChildStdout,
    complaints: Option<ChildStderr>,
    tail: VecDeque<u8>,
    status: Option<ExitStatus>,
}

impl Process {
    fn new(mut child: Child) -> io::Result<Process> {
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::Error::other("a child process without pipes"));
        };
        let complaints = child.stderr.take();
        let process = Process {
            child,
            input: Some(input),
            output,
            complaints,
            tail: VecDeque::new(),
            status: None,
        };
        platform::make_patient(&process)?;
        Ok(process)
    }

    /// The process id.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends all bytes.
    ///
    /// # Errors
    /// [`Trouble`]; how much was sent is then unknown.
    pub fn send(&mut self, mut bytes: &[u8], within: Duration) -> Result<(), Trouble> {
        let deadline = Instant::now() + within;
        while !bytes.is_empty() {
            let input = self.input.as_mut().ok_or(Trouble::Ended)?;
            match input.write(bytes) {
                Ok(0) => return Err(Trouble::Ended),
                Ok(sent) => bytes = &bytes[sent..],
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    self.wait_for(platform::Wanted::Room, deadline)?;
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::BrokenPipe => return Err(Trouble::Ended),
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    /// Closes the process's standard input.
    pub fn close_input(&mut self) {
        self.input = None;
    }

    /// Appends what the process wrote to standard output, waiting for at least one byte.
    ///
    /// # Errors
    /// [`Trouble::Ended`] at the end of the stream, else as it says.
    pub fn receive(&mut self, into: &mut Vec<u8>, within: Duration) -> Result<(), Trouble> {
        let deadline = Instant::now() + within;
        let mut block = [0; 16 << 10];
        loop {
            match self.output.read(&mut block) {
                Ok(0) => return Err(Trouble::Ended),
                Ok(length) => {
                    into.extend_from_slice(&block[..length]);
                    return Ok(());
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    self.wait_for(platform::Wanted::Bytes, deadline)?;
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Waits until the wanted stream may be used, keeping standard error empty meanwhile.
    fn wait_for(&mut self, wanted: platform::Wanted, deadline: Instant) -> Result<(), Trouble> {
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let ready = platform::poll(self, wanted, left)?;
            if ready.complaints {
                self.drain_complaints();
            }
            if ready.wanted {
                return Ok(());
            }
            if left.is_zero() {
                return Err(Trouble::Late);
            }
        }
    }

    /// Takes what stands on standard error, without waiting.
    fn drain_complaints(&mut self) {
        let mut block = [0; 4 << 10];
        while let Some(complaints) = &mut self.complaints {
            match complaints.read(&mut block) {
                Ok(0) => self.complaints = None,
                Ok(length) => {
                    self.tail.extend(&block[..length]);
                    let excess = self.tail.len().saturating_sub(TAIL);
                    self.tail.drain(..excess);
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => return,
            }
        }
    }

    /// What the process wrote last to standard error.
    pub fn complaints(&mut self) -> String {
        self.drain_complaints();
        let (front, back) = self.tail.as_slices();
        String::from_utf8_lossy(&[front, back].concat()).into_owned()
    }

    /// Waits for the process to end by itself; none where it does not in time.
    pub fn wait(&mut self, within: Duration) -> Option<ExitStatus> {
        let deadline = Instant::now() + within;
        loop {
            if self.status.is_none() {
                self.status = self.child.try_wait().ok().flatten();
                if self.status.is_some() {
                    platform::reap_group(&self.child);
                }
            }
            if self.status.is_some() || Instant::now() >= deadline {
                return self.status;
            }
            self.drain_complaints();
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Kills the process and its group, and reaps it.
    pub fn kill(&mut self) -> Option<ExitStatus> {
        if self.status.is_none() {
            // As long as the process is not reaped, its id cannot belong to anybody else.
            platform::kill_group(&self.child);
            let _ = self.child.kill();
            self.status = self.child.wait().ok();
            platform::reap_group(&self.child);
        }
        self.status
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Linux and macOS: non-blocking pipes and `poll`, process groups.
#[cfg(unix)]
mod platform {
    use super::{Launch, Process};
    use rustix::event::{PollFd, PollFlags, Timespec};
    use rustix::process::{Pid, Signal, WaitOptions};
    use std::io;
    use std::os::fd::AsFd;
    use std::os::unix::process::CommandExt;
    use std::process::{Child, Command};
    use std::time::Duration;

    /// How often the helper of a process that is gone is looked for, a millisecond apart.
    const REAP_TRIES: u32 = 1000;

    /// What is waited for.
    #[derive(Clone, Copy, PartialEq, Eq)]
    pub enum Wanted {
        /// On standard output.
        Bytes,
        /// On standard input.
        Room,
    }

    /// What may be used now.
    pub struct Ready {
        pub wanted: bool,
        pub complaints: bool,
    }

    pub fn own_group(command: &mut Command, launch: &Launch) {
        if !launch.makes_own_group {
            command.process_group(0);
        }
    }

    pub fn make_patient(process: &Process) -> io::Result<()> {
        let patient = |stream: &dyn AsFd| -> io::Result<()> {
            let flags = rustix::fs::fcntl_getfl(stream.as_fd())?;
            rustix::fs::fcntl_setfl(stream.as_fd(), flags | rustix::fs::OFlags::NONBLOCK)?;
            Ok(())
        };
        if let Some(input) = &process.input {
            patient(input)?;
        }
        if let Some(complaints) = &process.complaints {
            patient(complaints)?;
        }
        patient(&process.output)
    }

    pub fn poll(process: &Process, wanted: Wanted, within: Duration) -> io::Result<Ready> {
        let mut streams = Vec::with_capacity(2);
        match (wanted, &process.input) {
            (Wanted::Room, Some(input)) => streams.push(PollFd::new(input, PollFlags::OUT)),
            _ => streams.push(PollFd::new(&process.output, PollFlags::IN)),
        }
        if let Some(complaints) = &process.complaints {
            streams.push(PollFd::new(complaints, PollFlags::IN));
        }
        let within = Timespec {
            tv_sec: i64::try_from(within.as_secs()).unwrap_or(i64::MAX),
            tv_nsec: within.subsec_nanos().into(),
        };
        match rustix::event::poll(&mut streams, Some(&within)) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        // An error or a hang-up is told by the next read or write.
        let ready = |at: usize| streams.get(at).is_some_and(|fd| !fd.revents().is_empty());
        Ok(Ready {
            wanted: ready(0),
            complaints: ready(1),
        })
    }

    pub fn kill_group(child: &Child) {
        if let Some(group) = group(child) {
            let _ = rustix::process::kill_process_group(group, Signal::KILL);
        }
    }

    /// The launcher's helper is a child of this process in the same group, and ends with the program.
    pub fn reap_group(child: &Child) {
        let Some(group) = group(child) else { return };
        for _ in 0..REAP_TRIES {
            match rustix::process::waitpgid(group, WaitOptions::NOHANG) {
                Ok(Some(_)) => {}
                Ok(None) => std::thread::sleep(Duration::from_millis(1)),
                Err(_) => return, // nobody is left
            }
        }
    }

    fn group(child: &Child) -> Option<Pid> {
        i32::try_from(child.id()).ok().and_then(Pid::from_raw)
    }
}

/// Elsewhere streams block, and the worker's own watchdog is the only deadline.
#[cfg(not(unix))]
mod platform {
    use super::{Launch, Process};
    use std::io;
    use std::process::{Child, Command, Stdio};
    use std::time::Duration;

    #[derive(Clone, Copy, PartialEq, Eq)]
    pub enum Wanted {
        Bytes,
        Room,
    }

    pub struct Ready {
        pub wanted: bool,
        pub complaints: bool,
    }

    pub fn own_group(command: &mut Command, _: &Launch) {
        // A pipe that nobody drains would stop the process; draining it would stop us.
        command.stderr(Stdio::null());
    }

    pub fn make_patient(_: &Process) -> io::Result<()> {
        Ok(())
    }

    pub fn poll(_: &Process, _: Wanted, _: Duration) -> io::Result<Ready> {
        Ok(Ready {
            wanted: true,
            complaints: false,
        })
    }

    pub fn kill_group(_: &Child) {}

    pub fn reap_group(_: &Child) {}
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(script: &str) -> Launch {
        Launch {
            program: "/bin/sh".into(),
            arguments: vec!["-c".into(), script.into()],
            folder: std::env::temp_dir(),
            environment: vec![("PATH".into(), "/usr/bin:/bin".into())],
            ..Launch::default()
        }
    }

    fn everything(process: &mut Process) -> String {
        let mut bytes = Vec::new();
        while process.receive(&mut bytes, Duration::from_secs(20)).is_ok() {}
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn bytes_go_in_and_come_out() {
        let spawner = Spawner::new();
        let mut process = spawner.spawn(shell("cat; exit 3")).unwrap();
        process.send(b"hello", Duration::from_secs(20)).unwrap();
        process.close_input();
        assert_eq!(everything(&mut process), "hello");
        let status = process.wait(Duration::from_secs(20)).unwrap();
        assert_eq!(status.code(), Some(3));
    }

    #[test]
    fn a_silent_process_is_late_and_a_deaf_one_too() {
        let spawner = Spawner::new();
        let mut process = spawner.spawn(shell("sleep 60")).unwrap();
        let soon = Duration::from_millis(50);
        let mut bytes = Vec::new();
        assert!(matches!(
            process.receive(&mut bytes, soon),
            Err(Trouble::Late)
        ));
        let megabyte = vec![0; 1 << 20];
        assert!(matches!(process.send(&megabyte, soon), Err(Trouble::Late)));
    }

    #[test]
    fn the_tail_of_standard_error_is_kept_however_long_it_is() {
        let spawner = Spawner::new();
        let script = "i=0; while [ $i -lt 5000 ]; do echo line $i >&2; i=$((i+1)); done; echo done";
        let mut process = spawner.spawn(shell(script)).unwrap();
        assert_eq!(everything(&mut process), "done\n");
        process.wait(Duration::from_secs(20)).unwrap();
        let complaints = process.complaints();
        assert!(complaints.ends_with("line 4999\n"));
        assert_eq!(complaints.len(), TAIL);
    }

    #[test]
    fn dropping_a_process_kills_its_whole_group() {
        let spawner = Spawner::new();
        let mut process = spawner
            .spawn(shell("sleep 60 & echo $!; sleep 60"))
            .unwrap();
        let mut bytes = Vec::new();
        process
            .receive(&mut bytes, Duration::from_secs(20))
            .unwrap();
        let grandchild = String::from_utf8(bytes).unwrap();
        let folder = PathBuf::from("/proc").join(grandchild.trim());
        drop(process);
        // Whoever inherits the orphan reaps it at leisure; dead it is.
        let dead = || {
            std::fs::read_to_string(folder.join("stat")).map_or(true, |stat| {
                stat.rsplit(')').next().unwrap().starts_with(" Z")
            })
        };
        let tries = (0..200).find(|_| {
            std::thread::sleep(Duration::from_millis(10));
            dead()
        });
        assert!(tries.is_some(), "{} lives on", folder.display());
    }

    #[test]
    fn the_environment_is_only_what_was_asked_for() {
        let spawner = Spawner::new();
        let mut launch = shell("env");
        launch.program = "/usr/bin/env".into();
        launch.arguments.clear();
        assert_eq!(
            everything(&mut spawner.spawn(launch).unwrap()),
            "PATH=/usr/bin:/bin\n"
        );
    }

    #[test]
    fn a_missing_program_is_an_error_of_the_operating_system() {
        let mut launch = shell("");
        launch.program = "/no/such/program".into();
        let error = Spawner::new().spawn(launch).err().unwrap();
        assert_eq!(error.kind(), ErrorKind::NotFound);
    }
}
