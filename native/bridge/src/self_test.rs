//! Behaviour on purpose, so that tests of the border can see each way a call ends in the library that is shipped.
//!
//! Comes in: the hidden setting `selfTest` and what stands beside it. Goes out: a panic, an error, lines, a long wait.
//! Does not know: the engine's pipeline, which is not run.

use palus_engine::{Cancel, Error, ErrorKind, Level, Listener, Progress, Summary};
use std::thread;
use std::time::Duration;

/// The hidden setting's name.
const NAME: &str = "selfTest";

/// Takes the setting out of the pairs, where it is there.
pub(crate) fn take(pairs: &mut Vec<(String, String)>) -> Option<String> {
    let index = pairs.iter().position(|(name, _)| name == NAME)?;
    Some(pairs.remove(index).1)
}

/// Behaves as asked.
pub(crate) fn run(
    test: &str,
    pairs: &[(String, String)],
    listener: &dyn Listener,
    cancel: &Cancel,
) -> Result<Summary, Error> {
    match test {
        "panic" => panic!("asked to panic"),
        "formattedPanic" => panic!("asked to panic with {} settings", pairs.len()),
        "deepPanic" => {
            // A panic of a thread below the engine's, as the pool's threads have.
            let thread = thread::spawn(|| panic!("asked to panic on another thread"));
            match thread.join() {
                Ok(()) => Ok(Summary::default()),
                Err(payload) => std::panic::resume_unwind(payload),
            }
        }
        "configuration" => Err(Error::configuration(
            "setting 'selfTest' is 'configuration'",
            "leave it out",
        )),
        "worker" => Err(Error::worker("no worker", "try again")),
        "wait" => {
            listener.line(Level::Info, "waiting");
            while !cancel.is_cancelled() {
                thread::sleep(Duration::from_millis(5));
            }
            Err(Error::new(ErrorKind::Cancelled, "interrupted", ""))
        }
        "echo" => {
            for (name, value) in pairs {
                listener.line(Level::Info, &format!("{name}={value}"));
            }
            listener.line(Level::Debug, "debug");
            listener.line(Level::Warning, "warning");
            listener.progress(Progress {
                done: 27,
                all: 38,
                text: "progress",
            });
            log::debug!("logged");
            Ok(Summary {
                tests: pairs.len() as u64,
                files: 1,
                report: "report ü 😀".to_owned(),
                ..Summary::default()
            })
        }
        other => Err(Error::configuration(
            format!("there is no self test '{other}'"),
            "",
        )),
    }
}
