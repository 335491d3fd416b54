//! Behaviour on purpose, so that tests of the border can see each way a call ends.
//!
//! Comes in: the setting `selfTest` and what stands beside it. Goes out: a panic, an error, lines, a long wait.
//! Does not know: the engine's pipeline, which is not run. Part of a library of its own that `native/build.gradle` builds
//! with the feature of this name, for the tests of `java/host`; the library that is shipped has none of it.

use palus_engine::{Cancel, Error, ErrorKind, Level, Listener, Progress, Summary};
use std::thread;
use std::time::Duration;

/// Behaves as asked; none where nothing is.
pub(crate) fn run(
    pairs: &[(String, String)],
    listener: &dyn Listener,
    cancel: &Cancel,
) -> Option<Result<Summary, Error>> {
    let (asked, others): (Vec<_>, Vec<_>) = pairs.iter().partition(|(name, _)| name == "selfTest");
    let (_, test) = asked.first()?;
    Some(behave(test, &others, listener, cancel))
}

fn behave(
    test: &str,
    pairs: &[&(String, String)],
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
