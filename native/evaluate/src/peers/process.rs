//! Running another tool: a process with all its children, until it ends or its time is over.
//!
//! Comes in: a command, a log, a time. Goes out: how long it took and how it ended.
//! Does not know: what the tool does.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How a tool ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ended {
    pub seconds: f64,
    /// None where it was stopped.
    pub code: Option<i32>,
}

/// Time between two looks.
const TICK: Duration = Duration::from_millis(50);

/// Runs a Java program in `folder`; what it says is added to `log`. Whatever JVM it starts itself is of the same Java.
pub fn run_java(
    java_home: &Path,
    arguments: &[String],
    folder: &Path,
    log: &Path,
    most: Duration,
) -> Result<Ended, String> {
    let mut command = command(&java_home.join("bin/java"), arguments);
    // EvoSuite takes the Java of its client from here; it does not work on the one of the build.
    command.env("JAVA_HOME", java_home);
    run(command, folder, log, most)
}

#[expect(clippy::disallowed_methods, reason = "this program starts processes")]
fn command(program: &Path, arguments: &[String]) -> Command {
    let mut command = Command::new(program);
    command.args(arguments);
    command
}

fn run(mut command: Command, folder: &Path, log: &Path, most: Duration) -> Result<Ended, String> {
    let program = command.get_program().display().to_string();
    let failed = |error: std::io::Error| format!("{program}: {error}");
    let open = || OpenOptions::new().create(true).append(true).open(log);
    let (output, errors) = (open().map_err(failed)?, open().map_err(failed)?);
    let started = now();
    let mut child = command
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(output)
        .stderr(errors)
        .process_group(0)
        .spawn()
        .map_err(failed)?;
    let status = loop {
        if let Some(status) = child.try_wait().map_err(failed)? {
            break Some(status);
        }
        if now().duration_since(started) >= most {
            break None;
        }
        std::thread::sleep(TICK);
    };
    let seconds = now().duration_since(started).as_secs_f64();
    // Children that it left behind would work on beside the next row.
    if let Some(group) = i32::try_from(child.id())
        .ok()
        .and_then(rustix::process::Pid::from_raw)
    {
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    let _ = child.wait();
    Ok(Ended {
        seconds,
        code: status.and_then(|status| status.code()),
    })
}

#[expect(clippy::disallowed_methods, reason = "this program measures")]
pub fn now() -> Instant {
    Instant::now()
}

/// Adds to what is kept of a row.
pub fn append(log: &Path, text: &str) -> Result<(), String> {
    let opened = OpenOptions::new().create(true).append(true).open(log);
    opened
        .and_then(|mut file| file.write_all(text.as_bytes()))
        .map_err(|error| format!("{}: {error}", log.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sh(script: &str, most: u64) -> (Ended, String) {
        let folder = std::env::temp_dir();
        let log = folder.join(format!("palus-process-{}-{most}", std::process::id()));
        let arguments = ["-c".to_owned(), script.to_owned()];
        let most = Duration::from_secs(most);
        let ended = run(
            command(Path::new("/bin/sh"), &arguments),
            &folder,
            &log,
            most,
        )
        .unwrap();
        let said = std::fs::read_to_string(&log).unwrap();
        std::fs::remove_file(log).unwrap();
        (ended, said)
    }

    #[test]
    fn a_java_program_and_what_it_starts_are_of_one_java() {
        let home = tempfile::tempdir().unwrap();
        let java = home.path().join("bin/java");
        std::fs::create_dir(home.path().join("bin")).unwrap();
        std::os::unix::fs::symlink("/usr/bin/env", &java).unwrap();
        let log = home.path().join("log");
        let most = Duration::from_secs(20);
        let ended = run_java(home.path(), &[], home.path(), &log, most).unwrap();
        assert_eq!(ended.code, Some(0));
        let said = std::fs::read_to_string(log).unwrap();
        let wanted = format!("JAVA_HOME={}", home.path().display());
        assert!(said.lines().any(|line| line == wanted), "{said}");
    }

    #[test]
    fn what_ends_by_itself_has_a_code_and_its_words_are_kept() {
        let (ended, said) = sh("echo out; echo err >&2; exit 3", 20);
        assert_eq!(ended.code, Some(3));
        assert_eq!(said, "out\nerr\n");
    }

    #[test]
    fn what_takes_too_long_is_stopped_with_its_children() {
        let (ended, said) = sh("sleep 77 & echo $!; wait", 1);
        assert_eq!(ended.code, None);
        assert!(ended.seconds < 20.0);
        let stat = format!("/proc/{}/stat", said.trim());
        let is_gone = || {
            let state = std::fs::read_to_string(&stat);
            state.map_or(true, |text| text.contains(") Z "))
        };
        let mut looks = (0..100).map(|_| std::thread::sleep(TICK));
        assert!(looks.any(|()| is_gone()), "the child lives on");
    }
}
