//! The engine without a build tool, for profiling and experiments:
//! `cargo run --release --example generate -- classesDirectory=... classPath=... javaHome=... ...`
//!
//! Comes in: settings as `name=value`, the names of `config.rs`. Goes out: what a plugin would print.

use palus_engine::{Cancel, Level, Listener, Settings, generate};

struct Console;

#[expect(clippy::print_stdout, reason = "this is a command line program")]
impl Listener for Console {
    fn line(&self, level: Level, text: &str) {
        match level {
            Level::Debug if std::env::var_os("PALUS_DEBUG").is_none() => {}
            Level::Warning => println!("WARNING {text}"),
            _ => println!("{text}"),
        }
    }

    fn progress(&self, text: &str) {
        println!("{text}");
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
    let run = Settings::from_pairs(&pairs)
        .and_then(|settings| generate(&settings, &Console, &Cancel::default()));
    match run {
        Ok(_) => std::process::ExitCode::SUCCESS,
        Err(error) => {
            Console.line(Level::Warning, &format!("{error}; {}", error.hint));
            std::process::ExitCode::FAILURE
        }
    }
}
