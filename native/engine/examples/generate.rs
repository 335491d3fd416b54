//! The engine without a build tool, for profiling and experiments:
//! `cargo run --release --example generate -- classesDirectory=... classPath=... javaHome=... ...`
//!
//! Comes in: settings as `name=value`, the names of `config.rs`. Goes out: what a plugin would print.

use palus_engine::{
    Cancel, ExplainSettings, Level, Listener, Progress, Settings, differences, explain, generate,
};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Keeps when progress was told last.
struct Console(Mutex<Option<Instant>>);

#[expect(clippy::print_stdout, reason = "this is a command line program")]
impl Listener for Console {
    fn line(&self, level: Level, text: &str) {
        match level {
            Level::Debug if std::env::var_os("PALUS_DEBUG").is_none() => {}
            Level::Warning => println!("WARNING {text}"),
            _ => println!("{text}"),
        }
    }

    fn progress(&self, progress: Progress<'_>) {
        let mut told = self.0.lock().expect("nothing panics while it is held");
        if told.is_none_or(|last| last.elapsed() >= Duration::from_secs(5)) {
            #[expect(clippy::disallowed_methods, reason = "this is a command line program")]
            let now = Instant::now();
            *told = Some(now);
            println!("{}", progress.text);
        }
    }
}

/// What the engine logs, under `PALUS_DEBUG`.
struct Log;

#[expect(clippy::print_stdout, reason = "this is a command line program")]
impl log::Log for Log {
    fn enabled(&self, _: &log::Metadata<'_>) -> bool {
        true
    }

    fn log(&self, record: &log::Record<'_>) {
        println!("{}", record.args());
    }

    fn flush(&self) {}
}

fn main() -> std::process::ExitCode {
    let pairs: Vec<(String, String)> = std::env::args()
        .skip(1)
        .filter_map(|argument| {
            argument
                .split_once('=')
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
        })
        .collect();
    if std::env::var_os("PALUS_DEBUG").is_some() && log::set_logger(&Log).is_ok() {
        log::set_max_level(log::LevelFilter::Debug);
    }
    let console = Console(Mutex::default());
    let is_given = |wanted: &str| pairs.iter().any(|(name, _)| name == wanted);
    // With `method=pkg.Class#name` the last run is asked instead, with `since=` the code is compared with another version.
    let run = if is_given("method") {
        ExplainSettings::from_pairs(&pairs).and_then(|settings| explain(&settings, &console))
    } else {
        Settings::from_pairs(&pairs)
            .and_then(|settings| {
                let run = if is_given("since") {
                    differences
                } else {
                    generate
                };
                run(&settings, &console, &Cancel::default())
            })
            .map(|_| ())
    };
    match run {
        Ok(()) => std::process::ExitCode::SUCCESS,
        Err(error) => {
            console.line(Level::Warning, &format!("{error}; {}", error.hint));
            std::process::ExitCode::FAILURE
        }
    }
}
