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
mod figures;
mod measure;
mod mode;
mod options;
mod plot;
mod rows;
mod runner;
mod subject;
mod table;

use options::Options;
use std::process::ExitCode;

/// Studies by name; `templates` and `peers` are to follow.
const STUDIES: &[(&str, Study)] = &[("ablation", ablation::run)];

/// A study: what it was told, and whether all went well.
type Study = fn(&Options) -> Result<(), String>;

fn study(name: &str) -> Result<Study, String> {
    let found = STUDIES.iter().find(|(known, _)| *known == name);
    found.map(|&(_, study)| study).ok_or_else(|| {
        let known: Vec<&str> = STUDIES.iter().map(|(known, _)| *known).collect();
        format!("there is no study `{name}`; known: {}", known.join(", "))
    })
}

#[expect(clippy::print_stderr, reason = "this is a command line program")]
fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let done = Options::read(&arguments).and_then(|options| study(&options.study)?(&options));
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("evaluate: {error}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_study_is_refused_with_the_known_ones() {
        assert!(study("ablation").is_ok());
        let error = study("abblation").unwrap_err();
        assert_eq!(error, "there is no study `abblation`; known: ablation");
    }
}
