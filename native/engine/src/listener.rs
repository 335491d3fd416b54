//! How the engine talks while it works: lines for the console, and a flag by which it is asked to stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// How important a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// For those who look for trouble.
    Debug,
    /// The ordinary lines.
    Info,
    /// Something the user should know.
    Warning,
}

/// How far long work has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress<'a> {
    /// Classes done.
    pub done: u32,
    /// Classes in all; zero where nothing is counted.
    pub all: u32,
    /// The same in words, without a bar.
    pub text: &'a str,
}

/// Receives lines; called from several threads.
pub trait Listener: Sync {
    /// A finished line.
    fn line(&self, level: Level, text: &str);

    /// The state of long work, several times a second; replaces the state before it on a terminal, and may be dropped
    /// elsewhere.
    fn progress(&self, progress: Progress<'_>);
}

/// A flag shared with whoever may ask the run to stop.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Asks the run to stop soon.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// True once asked.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
