//! One call of the engine: its thread, its words to the console, its end.
//!
//! Comes in: checked pairs and the console object. Goes out: the engine's summary or error.
//! The engine and all its threads speak through a channel; the calling thread alone calls into Java. So no foreign
//! thread is ever attached to the JVM, and build tools that sort their output by thread see the thread they know.
//! Between messages the calling thread looks at its own interrupt flag, every 20 ms, and asks the engine to stop.

use crate::policy::{Failure, from_panic};
use jni::objects::JObject;
use jni::{Env, JValue, jni_sig, jni_str};
use palus_engine::{Cancel, Error, Level, Listener, Progress, Secrets, Summary};
use std::backtrace::Backtrace;
use std::collections::BTreeMap;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, Once, PoisonError};
use std::thread;
use std::time::Duration;

/// Deep inputs must not end the JVM: a stack overflow in native code cannot be caught.
const STACK_BYTES: usize = 64 << 20;
/// How names of the engine's other threads begin; systems cut names at 15 bytes.
const POOL: &str = "palus-pool-";
/// How soon an interrupt is seen.
const INTERRUPT_POLL: Duration = Duration::from_millis(20);

/// Something the engine wants the user to see.
enum Message {
    Line(Level, String),
    Progress(i32, i32, String),
}

/// Sends what the engine says to the calling thread.
struct Speaker(Sender<Message>);

impl Listener for Speaker {
    fn line(&self, level: Level, text: &str) {
        // Nobody listens any more only when the call is over.
        let _ = self.0.send(Message::Line(level, text.to_owned()));
    }

    fn progress(&self, progress: Progress<'_>) {
        let number = |count: u32| i32::try_from(count).unwrap_or(i32::MAX);
        let (done, all) = (number(progress.done), number(progress.all));
        let text = progress.text.to_owned();
        let _ = self.0.send(Message::Progress(done, all, text));
    }
}

/// What a call asks of the engine.
pub(crate) type Work = fn(&[(String, String)], &dyn Listener, &Cancel) -> Result<Summary, Error>;

/// Runs the engine to its end and speaks for it meanwhile.
pub(crate) fn run(
    env: &mut Env<'_>,
    console: &JObject<'_>,
    pairs: Vec<(String, String)>,
    work: Work,
) -> Result<Summary, Failure> {
    // Whatever is said on this call's behalf, by whom ever, passes here.
    let secrets = Arc::new(Secrets::of_pairs(&pairs));
    let (sender, receiver) = mpsc::channel();
    let log = LogSink::open(&sender, &secrets);
    let cancel = Cancel::default();
    let engine_cancel = cancel.clone();
    let speaker = Speaker(sender);
    let engine = thread::Builder::new()
        .name("palus-engine".to_owned())
        .stack_size(STACK_BYTES)
        .spawn(move || on_own_pool(|| work(&pairs, &speaker, &engine_cancel))?)
        .map_err(|error| Error::internal(format!("no thread for the engine: {error}")))?;
    while !engine.is_finished() {
        match receiver.recv_timeout(INTERRUPT_POLL) {
            Ok(message) => tell(env, console, &secrets, &message),
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {}
        }
        if !cancel.is_cancelled() && is_interrupted(env) {
            cancel.cancel();
        }
    }
    let result = engine.join();
    drop(log);
    for message in receiver.try_iter() {
        tell(env, console, &secrets, &message);
    }
    match result {
        Ok(Ok(summary)) => Ok(summary),
        Ok(Err(error)) => Err(redacted(&secrets, &error).into()),
        Err(payload) => Err(redacted(&secrets, &from_panic(payload.as_ref())).into()),
    }
}

/// Does the work on a thread of a pool that is its own: what runs side by side does so there, not on the library's pool,
/// whose threads never end. All of its threads have ended before this returns.
fn on_own_pool<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T, Error> {
    rayon::ThreadPoolBuilder::new()
        .thread_name(|number| format!("{POOL}{number}"))
        .stack_size(STACK_BYTES)
        .build_scoped(rayon::ThreadBuilder::run, |pool| pool.install(work))
        .map_err(|error| Error::internal(format!("no threads for the engine: {error}")))
}

fn redacted(secrets: &Secrets, error: &Error) -> Error {
    let (message, hint) = (secrets.redact(&error.message), secrets.redact(&error.hint));
    Error::new(error.kind, message, hint)
}

/// Calls the console; an exception it throws is the console's own trouble and is swallowed.
fn tell(env: &mut Env<'_>, console: &JObject<'_>, secrets: &Secrets, message: &Message) {
    let told = env.with_local_frame(4, |env| -> jni::errors::Result<()> {
        match message {
            Message::Line(level, text) => {
                let text = env.new_string(secrets.redact(text))?;
                let level = JValue::Int(level_number(*level));
                env.call_method(
                    console,
                    jni_str!("line"),
                    jni_sig!("(ILjava/lang/String;)V"),
                    &[level, (&text).into()],
                )?;
            }
            Message::Progress(done, all, text) => {
                let text = env.new_string(secrets.redact(text))?;
                env.call_method(
                    console,
                    jni_str!("progress"),
                    jni_sig!("(IILjava/lang/String;)V"),
                    &[JValue::Int(*done), JValue::Int(*all), (&text).into()],
                )?;
            }
        }
        Ok(())
    });
    if told.is_err() {
        env.exception_clear();
    }
}

/// The numbers of `io.palus.host.Console`.
fn level_number(level: Level) -> i32 {
    match level {
        Level::Debug => 0,
        Level::Info => 1,
        Level::Warning => 2,
    }
}

/// Whether the calling thread has been interrupted; its flag stays as it is.
fn is_interrupted(env: &mut Env<'_>) -> bool {
    let asked = env.with_local_frame(4, |env| -> jni::errors::Result<bool> {
        let class = jni_str!("java/lang/Thread");
        let current = env
            .call_static_method(
                class,
                jni_str!("currentThread"),
                jni_sig!("()Ljava/lang/Thread;"),
                &[],
            )?
            .l()?;
        env.call_method(&current, jni_str!("isInterrupted"), jni_sig!("()Z"), &[])?
            .z()
    });
    asked.unwrap_or_else(|_| {
        env.exception_clear();
        false
    })
}

/// A call now running.
struct Sink {
    sender: Sender<Message>,
    secrets: Arc<Secrets>,
}

/// Where panics and log records of this library go: to every call now running, as neither knows its call.
static SINKS: Mutex<(u64, BTreeMap<u64, Sink>)> = Mutex::new((0, BTreeMap::new()));

/// One call's registration; dropped at its end.
struct LogSink(u64);

impl LogSink {
    fn open(sender: &Sender<Message>, secrets: &Arc<Secrets>) -> Self {
        install_once();
        let mut sinks = SINKS.lock().unwrap_or_else(PoisonError::into_inner);
        sinks.0 += 1;
        let id = sinks.0;
        let sink = Sink {
            sender: sender.clone(),
            secrets: secrets.clone(),
        };
        sinks.1.insert(id, sink);
        LogSink(id)
    }
}

impl Drop for LogSink {
    fn drop(&mut self) {
        SINKS
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .1
            .remove(&self.0);
    }
}

fn send_to_all(level: Level, text: &str) {
    let sinks = SINKS.lock().unwrap_or_else(PoisonError::into_inner);
    let text = without_secrets(sinks.1.values().map(|sink| &*sink.secrets), text);
    for sink in sinks.1.values() {
        let _ = sink.sender.send(Message::Line(level, text.clone()));
    }
}

/// What one call says all hear, so none of it may hold a secret of any.
fn without_secrets<'s>(all: impl Iterator<Item = &'s Secrets>, text: &str) -> String {
    all.fold(text.to_owned(), |text, secrets| {
        secrets.redact(&text).into_owned()
    })
}

/// The hook and the logger are this copy of the library's own: the standard library is linked into it.
fn install_once() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        std::panic::set_hook(Box::new(|panic| {
            let current = thread::current();
            let name = current.name().unwrap_or("unnamed");
            send_to_all(
                Level::Debug,
                &format!("thread '{name}': {panic}\n{}", Backtrace::force_capture()),
            );
        }));
        if log::set_logger(&ConsoleLog).is_ok() {
            log::set_max_level(log::LevelFilter::Debug);
        }
    });
}

struct ConsoleLog;

impl log::Log for ConsoleLog {
    fn enabled(&self, metadata: &log::Metadata<'_>) -> bool {
        // Other crates' chatter is of no use in a build's log.
        metadata.target().starts_with("palus")
    }

    fn log(&self, record: &log::Record<'_>) {
        if self.enabled(record.metadata()) {
            let level = if record.level() <= log::Level::Warn {
                Level::Warning
            } else {
                Level::Debug
            };
            send_to_all(level, &record.args().to_string());
        }
    }

    fn flush(&self) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names of the threads of this process, on Linux; elsewhere none.
    fn threads() -> Vec<String> {
        let tasks = std::fs::read_dir("/proc/self/task");
        let names = tasks
            .into_iter()
            .flatten()
            .map(|task| std::fs::read_to_string(task.unwrap().path().join("comm")));
        // One that ends meanwhile has no name.
        names.filter_map(Result::ok).collect()
    }

    fn of_pool() -> usize {
        let names = threads();
        names.iter().filter(|name| name.starts_with(POOL)).count()
    }

    #[test]
    fn what_one_call_says_holds_no_secret_of_another() {
        let secrets = |value: &str| {
            let pair = ("jvmArgument", format!("-Dsecret.password={value}"));
            Secrets::of_pairs(&[(pair.0.to_owned(), pair.1)])
        };
        let all = [secrets("first-hush"), secrets("second-hush")];
        let said = without_secrets(all.iter(), "a worker said first-hush and second-hush");
        assert_eq!(said, "a worker said *** and ***");
    }

    #[test]
    fn every_thread_has_ended_when_the_work_has() {
        let found = on_own_pool(|| {
            // Runs on each of them.
            let names = rayon::broadcast(|_| thread::current().name().map(str::to_owned));
            (names, of_pool())
        });
        let (names, during) = found.unwrap();
        let is_of_pool =
            |name: &Option<String>| name.as_ref().is_some_and(|name| name.starts_with(POOL));
        assert!(names.iter().all(is_of_pool), "{names:?}");
        if cfg!(target_os = "linux") {
            assert_eq!(during, names.len());
        }
        // The system may list one for a moment longer than it runs anything.
        let is_gone = (0..10_000).any(|_| {
            thread::yield_now();
            of_pool() == 0
        });
        assert!(is_gone, "{:?}", threads());
    }
}
