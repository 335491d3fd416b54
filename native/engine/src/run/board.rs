//! The state of the stage that is at work, told to the listener five times a second.
//!
//! Comes in: which stage, how much of it is done. Goes out: [`Progress`], from a thread of its own, so that there is a
//! sign of life while all others wait for a JVM or a compiler.
//! Does not know: how it is shown; a stage that ends within a second says nothing.

use crate::listener::{Listener, Progress};
use crate::message;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Time between two messages.
const TICK: Duration = Duration::from_millis(200);
/// A stage shorter than this is not worth a word.
const SHORT: Duration = Duration::from_secs(1);

/// What the pipeline writes on and the ticking thread reads from.
#[derive(Debug, Default)]
pub(crate) struct Board {
    state: Mutex<State>,
    ended: Condvar,
}

#[derive(Debug, Default)]
struct State {
    is_over: bool,
    stage: Option<Stage>,
}

#[derive(Debug)]
struct Stage {
    name: &'static str,
    text: String,
    since: Instant,
    /// When the last class was done.
    last: Instant,
    done: u32,
    /// Zero where nothing is counted.
    all: u32,
    candidates: u64,
    coverage: String,
    /// How often a test was run so far.
    ran: Option<Arc<AtomicU64>>,
}

impl Board {
    /// A stage begins; `all` is how many classes it has to do, or zero.
    pub(crate) fn begin(&self, name: &'static str, text: impl Into<String>, all: usize) {
        let now = now();
        self.state().stage = Some(Stage {
            name,
            text: text.into(),
            since: now,
            last: now,
            done: 0,
            all: all as u32,
            candidates: 0,
            coverage: String::new(),
            ran: None,
        });
    }

    /// So often a test was run so far, in the stage that is at work.
    pub(crate) fn counts(&self, ran: &Arc<AtomicU64>) {
        if let Some(stage) = &mut self.state().stage {
            stage.ran = Some(Arc::clone(ran));
        }
    }

    /// One more class is done and gave this many candidates.
    pub(crate) fn done(&self, candidates: u64) {
        if let Some(stage) = &mut self.state().stage {
            stage.done += 1;
            stage.last = now();
            stage.candidates += candidates;
        }
    }

    /// What the tests verified so far cover.
    pub(crate) fn coverage(&self, text: String) {
        if let Some(stage) = &mut self.state().stage {
            stage.coverage = text;
        }
    }

    /// The stage has ended: after this nothing is said of it.
    pub(crate) fn end(&self) {
        self.state().stage = None;
    }

    /// Runs the work while another thread tells the listener how it stands.
    pub(crate) fn during<T>(&self, listener: &dyn Listener, work: impl FnOnce() -> T) -> T {
        std::thread::scope(|scope| {
            // Without the thread there is no progress, and nothing else is amiss.
            let _ = std::thread::Builder::new()
                .name("palus-progress".to_owned())
                .spawn_scoped(scope, || self.tick(listener));
            let over = Over(self);
            let result = work();
            drop(over);
            result
        })
    }

    fn tick(&self, listener: &dyn Listener) {
        let mut state = self.state();
        while !state.is_over {
            if let Some(stage) = &state.stage
                && now().duration_since(stage.since) >= SHORT
            {
                let text = stage.text();
                listener.progress(Progress {
                    done: stage.done,
                    all: stage.all,
                    text: &text,
                });
            }
            state = self
                .ended
                .wait_timeout(state, TICK)
                .unwrap_or_else(PoisonError::into_inner)
                .0;
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Stage {
    fn text(&self) -> String {
        let now = now();
        let text = if self.all == 0 {
            let ran = self.ran.as_ref();
            let ran = ran.map_or(0, |ran| ran.load(Ordering::Relaxed));
            message::at_work(&self.text, ran, now.duration_since(self.since))
        } else {
            let (done, eta) = (self.done, self.eta(now));
            message::progress(done, self.all, self.candidates, &self.coverage, eta)
        };
        message::line(self.name, &text)
    }

    /// What is left by what classes took so far; none where nothing is known of that, or the last ones take longer.
    fn eta(&self, now: Instant) -> Option<Duration> {
        let left = self.all.saturating_sub(self.done);
        let took = self.last.duration_since(self.since);
        let all = (took * left).checked_div(self.done)?;
        let rest = all.saturating_sub(now.duration_since(self.last));
        (rest >= Duration::from_secs(1)).then_some(rest)
    }
}

/// Ends the ticking thread, also when the work panics.
struct Over<'a>(&'a Board);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        let mut state = self.0.state();
        state.stage = None;
        state.is_over = true;
        self.0.ended.notify_all();
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the engine is where time is read"
)]
fn now() -> Instant {
    Instant::now()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Level;

    #[derive(Default)]
    struct Heard(Mutex<Vec<(u32, u32, String)>>);

    impl Listener for Heard {
        fn line(&self, _: Level, text: &str) {
            self.0.lock().unwrap().push((0, 0, text.to_owned()));
        }

        fn progress(&self, progress: Progress<'_>) {
            let Progress { done, all, text } = progress;
            self.0.lock().unwrap().push((done, all, text.to_owned()));
        }
    }

    #[test]
    fn long_work_is_told_with_what_is_done_and_falls_silent_at_its_end() {
        let (board, heard) = (Board::default(), Heard::default());
        board.during(&heard, || {
            board.begin("generate", "", 4);
            board.done(5);
            std::thread::sleep(2 * SHORT);
            board.done(2);
            std::thread::sleep(2 * TICK);
            board.end();
            heard.line(Level::Info, "over");
            std::thread::sleep(2 * TICK);
        });
        let heard = heard.0.lock().unwrap();
        let over = heard.len() - 1;
        let (first, last) = (&heard[0], &heard[over - 1]);
        // The only class took no time, so nobody knows what the others take.
        assert_eq!(first.2, "generate  1/4 classes, 5 candidates so far");
        assert_eq!((last.0, last.1), (2, 4));
        let text = "generate  2/4 classes, 7 candidates so far, ETA 0:0";
        assert!(last.2.starts_with(text), "{heard:?}");
        assert_eq!(heard[over].2, "over");
    }

    #[test]
    fn what_is_left_is_counted_down_and_not_told_once_it_is_over() {
        let since = now();
        let at = |seconds| since + Duration::from_secs(seconds);
        let ran = Arc::new(AtomicU64::new(0));
        let mut stage = Stage {
            name: "generate",
            text: "running 3 tests".to_owned(),
            since,
            last: at(30),
            done: 3,
            all: 4,
            candidates: 9,
            coverage: String::new(),
            ran: Some(Arc::clone(&ran)),
        };
        let eta = |stage: &Stage, seconds| stage.eta(at(seconds)).map(|eta| eta.as_secs());
        assert_eq!(eta(&stage, 30), Some(10));
        assert_eq!(eta(&stage, 36), Some(4));
        assert_eq!(eta(&stage, 40), None);
        assert_eq!(eta(&stage, 90), None);
        stage.done = 4;
        assert_eq!(eta(&stage, 30), None);
        let text = "generate  4/4 classes, 9 candidates so far, verifying their tests";
        assert_eq!(stage.text(), text);
        (stage.all, stage.name) = (0, "verify");
        assert!(stage.text().starts_with("verify    running 3 tests, 0:0"));
        ran.store(12, Ordering::Relaxed);
        let text = "verify    running 3 tests, 12 runs so far, 0:0";
        assert!(stage.text().starts_with(text), "{}", stage.text());
    }

    #[test]
    fn a_short_stage_says_nothing_and_a_panic_ends_the_thread() {
        let (board, heard) = (Board::default(), Heard::default());
        let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            board.during(&heard, || {
                board.begin("model", "reading", 0);
                panic!("on purpose");
            });
        }));
        assert!(panicked.is_err());
        assert!(heard.0.lock().unwrap().is_empty());
    }
}
