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
mod bound;
mod comparison;
mod faults;
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
use study::Study;

/// What a study does.
type Run = fn(&Options) -> Result<(), String>;

/// The studies and what each does.
const STUDIES: &[(&Study, Run)] = &[
    (&ablation::STUDY, |options| ablation::ABLATION.run(options)),
    (&templates::STUDY, |options| {
        templates::TEMPLATES.run(options)
    }),
    (&peers::STUDY, peers::run),
    (&faults::STUDY, faults::run),
    (&growth::STUDY, growth::run),
];

#[expect(clippy::print_stderr, reason = "this is a command line program")]
fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [task, file] = &arguments[..]
        && task == growth::CHILD
    {
        return growth::child(file);
    }
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("evaluate: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[String]) -> Result<(), String> {
    let studies: Vec<&Study> = STUDIES.iter().map(|(study, _)| *study).collect();
    let options = Options::read(arguments, &studies)?;
    let study = STUDIES
        .iter()
        .find(|(study, _)| study.name == options.study.name);
    study.map_or(Ok(()), |(_, run)| run(&options))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_study_is_refused_with_the_known_ones() {
        let studies: Vec<&Study> = STUDIES.iter().map(|(study, _)| *study).collect();
        assert!(study::named("ablation", &studies).is_ok());
        let error = study::named("abblation", &studies).unwrap_err();
        assert!(error.starts_with("there is no study `abblation`; known: ablation, templates"));
    }

    #[test]
    fn the_modes_of_a_short_form_are_the_studys_own() {
        for (study, _) in STUDIES {
            for form in [&study.long, &study.short] {
                let names = form.modes.iter().copied();
                assert!(mode::read(names, study.modes).is_ok(), "{}", study.name);
            }
        }
    }
}
