//! `palus-evaluate study=ablation name=value ...`: runs studies over libraries; `./gradlew evaluate` calls it.
//!
//! Comes in: arguments as `name=value` (see `options.rs`). Goes out: per study a folder with CSV files of rows, a table
//! in Markdown and a plot in SVG, both made from the CSV files alone.
//! A program for who works on Palus; no plugin carries it. Unlike the other crates beside `engine` it has files, processes
//! and a clock of its own; it calls the engine as a plugin does.
//! Does not know: how tests are generated.

#![expect(
    clippy::cast_precision_loss,
    reason = "counts and seconds are far below 2^52"
)]

mod ablation;
mod comparison;
mod figures;
mod growth;
mod measure;
mod mode;
mod options;
mod peers;
mod plot;
mod rows;
mod runner;
mod statistics;
mod study;
mod subject;
mod table;
mod templates;

use options::Options;
use std::process::ExitCode;

#[expect(clippy::print_stderr, reason = "this is a command line program")]
fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [task, file] = &arguments[..]
        && task == growth::CHILD
    {
        return growth::child(file);
    }
    let done = Options::read(&arguments).and_then(|options| (options.study.run)(&options));
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("evaluate: {error}");
            ExitCode::FAILURE
        }
    }
}
