//! Ends the process where one input takes too long: a thread cannot be stopped from outside.
//!
//! Comes in: which input is being read. Goes out: status 1 and that input on the console.
//! Does not know: what reading is.
#![expect(clippy::print_stdout, reason = "the process ends with it")]

use crate::failure::Failure;
use std::sync::{Mutex, Once, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// No input is read for longer, on a busy machine either.
pub const LONGEST: Duration = Duration::from_secs(30);

static NOW: Mutex<Option<Reading>> = Mutex::new(None);
static START: Once = Once::new();

struct Reading {
    target: &'static str,
    input: Vec<u8>,
    start: Instant,
}

/// The time.
#[expect(
    clippy::disallowed_methods,
    reason = "no plugin carries this program; what it finds depends on the seed alone"
)]
pub fn now() -> Instant {
    Instant::now()
}

/// An input is about to be read.
pub fn begin(target: &'static str, input: &[u8]) {
    START.call_once(|| drop(thread::spawn(look)));
    let reading = Reading {
        target,
        input: input.to_vec(),
        start: now(),
    };
    *NOW.lock().unwrap_or_else(PoisonError::into_inner) = Some(reading);
}

/// It was read.
pub fn end() {
    *NOW.lock().unwrap_or_else(PoisonError::into_inner) = None;
}

fn look() {
    loop {
        thread::sleep(LONGEST / 10);
        let now = NOW.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(reading) = &*now
            && reading.start.elapsed() > LONGEST
        {
            let failure = Failure {
                what: format!("no end after {} s", LONGEST.as_secs()),
                input: reading.input.clone(),
            };
            println!("{}: 1 crash, {failure}", reading.target);
            std::process::exit(1);
        }
    }
}
