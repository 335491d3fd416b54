//! What a JVM that verifies tests says, line by line, until it ends or is to be ended.
//!
//! Comes in: its process, and the folder that it may write into. Goes out: the lines, and how listening ended.
//! Does not know: what a line means.

use crate::worker::process::{Process, Trouble, is_past};
use crate::worker::usage::{self, Filled, Left, Memory};
use crate::worker::{START, WorkerSettings, now};
use crate::{Error, ErrorKind};
use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// How often the run is asked whether it is cancelled.
const SLICE: Duration = Duration::from_millis(200);
/// Bytes that are kept of one line.
const LONGEST_LINE: usize = 64 << 10;

/// How long a JVM may be silent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patience {
    /// Before its first word.
    pub(super) start: Duration,
    /// Between two words: one test, whose own limit is shorter.
    pub(super) silence: Duration,
}

impl Patience {
    pub(super) const USUAL: Patience = Patience {
        start: START,
        silence: Duration::from_mins(1),
    };
}

/// How listening ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    ByItself,
    Silent,
    /// With what it used too much of.
    Greedy(String),
    /// Since the files that its tests left take too much together.
    Full,
    OutOfTime,
}

/// Reads lines until the JVM closes its output.
pub(super) fn listen(
    process: &mut Process,
    folder: &Path,
    settings: &WorkerSettings,
    patience: Patience,
    mut read: impl FnMut(&str),
) -> Result<Ended, Error> {
    let mut received = Vec::new();
    let mut silence = Duration::ZERO;
    let mut limit = patience.start;
    let (mut left, mut looked) = (Left::default(), None::<Instant>);
    loop {
        if settings.cancel.is_cancelled() {
            return Err(Error::new(ErrorKind::Cancelled, "cancelled", ""));
        }
        if is_past(settings.deadline) {
            return Ok(Ended::OutOfTime);
        }
        if let Some(excess) = usage::excess(process.id(), settings.memory_mib, Memory::Now) {
            return Ok(Ended::Greedy(excess.text));
        }
        // Its files are read one by one, and lines come by the thousand.
        if looked.is_none_or(|last| last.elapsed() >= SLICE) {
            looked = Some(now());
            match left.look(folder) {
                Filled::No => {}
                Filled::ByTest(excess) => return Ok(Ended::Greedy(excess.text)),
                Filled::ByAll => return Ok(Ended::Full),
            }
        }
        match process.receive(&mut received, SLICE) {
            Ok(()) => {
                (silence, limit) = (Duration::ZERO, patience.silence);
                let whole = received.iter().rposition(|byte| *byte == b'\n');
                let lines = received.drain(..whole.map_or(0, |end| end + 1));
                let lines: Vec<u8> = lines.collect();
                for line in String::from_utf8_lossy(&lines).lines() {
                    read(line);
                    if line.starts_with("start ") {
                        left.next();
                        settings.ran.fetch_add(1, Ordering::Relaxed);
                    }
                }
                // The rest of a line that does not end is dropped.
                received.truncate(LONGEST_LINE);
            }
            Err(Trouble::Late) => {
                silence += SLICE;
                if silence >= limit {
                    return Ok(Ended::Silent);
                }
            }
            Err(Trouble::Ended) => return Ok(Ended::ByItself),
            Err(Trouble::System(error)) => {
                return Err(Error::worker(
                    format!("the JVM that verifies the written tests is out of reach: {error}"),
                    "run again",
                ));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::worker::process::{Launch, Spawner};
    use crate::{Cancel, Settings};

    fn heard(script: &str, start: u64, silence: u64) -> (Ended, Vec<String>) {
        let settings = Settings::partial(&[]).unwrap();
        let settings = WorkerSettings::of(&settings, None, &Cancel::default());
        let launch = Launch {
            program: "/bin/sh".into(),
            arguments: vec!["-c".into(), script.into()],
            folder: std::env::temp_dir(),
            environment: vec![("PATH".into(), "/usr/bin:/bin".into())],
            ..Launch::default()
        };
        let mut process = Spawner::new().spawn(launch).unwrap();
        let patience = Patience {
            start: Duration::from_secs(start),
            silence: Duration::from_secs(silence),
        };
        let mut lines = Vec::new();
        let read = |line: &str| lines.push(line.to_owned());
        let ended = listen(
            &mut process,
            Path::new("/nowhere"),
            &settings,
            patience,
            read,
        )
        .unwrap();
        (ended, lines)
    }

    #[test]
    fn the_first_word_may_take_longer_than_the_next_ones() {
        let late = "sleep 2; echo start 0; echo pass 0";
        let said = ["start 0".to_owned(), "pass 0".to_owned()];
        assert_eq!(heard(late, 60, 1), (Ended::ByItself, said.to_vec()));
        assert_eq!(heard(late, 1, 60), (Ended::Silent, Vec::new()));
        let hangs = "echo start 0; sleep 60";
        assert_eq!(
            heard(hangs, 60, 1),
            (Ended::Silent, vec!["start 0".to_owned()])
        );
    }
}
