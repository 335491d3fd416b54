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

/// Receives lines; called from several threads.
pub trait Listener: Sync {
    /// A finished line.
    fn line(&self, level: Level, text: &str);

    /// The state of long work; replaces the state before it on a terminal, and may be dropped elsewhere.
    fn progress(&self, text: &str);
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
