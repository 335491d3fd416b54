//! The ablation: what each part of generation adds, mode by mode, over subjects and seeds.
//!
//! Comes in: subjects, modes, seeds, a budget. Goes out: `ablation/<subject>.csv`, and from all of these files together
//! `ablation/ablation.md` and `ablation/ablation.svg`.
//! Rows that are there are not measured again. As many rows run at a time as were asked for, seed by seed, so that an
//! interrupted study has some rows of everything.
//! Does not know: what a mode does.

use crate::options::Options;
use crate::rows::{Rows, budget_of, read};
use crate::subject::{Subject, chosen, names, prepare};
use crate::table::{Measured, table};
use crate::{mode::Mode, plot::plot, runner};
use std::collections::{BTreeMap, VecDeque};
use std::fs;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// Stack of a thread that runs the engine.
const STACK: usize = 64 << 20;

/// A row to measure.
type Pending<'a> = (&'a Subject, &'a Mode, u64);

/// Runs the study.
pub fn run(options: &Options) -> Result<(), String> {
    let folder = options.output.join("ablation");
    let mut subjects = Vec::new();
    let mut failures = Vec::new();
    for name in chosen(options)? {
        match prepare(options, &name, &say) {
            Ok(subject) => subjects.push(subject),
            Err(error) => {
                say(&format!("{name}: {error}"));
                failures.push(error);
            }
        }
    }
    let mut files: BTreeMap<&str, Rows> = BTreeMap::new();
    for subject in &subjects {
        let rows = Rows::open(&folder, &subject.name, options.budget_seconds)?;
        files.insert(&subject.name, rows);
    }
    let pending = pending(options, &subjects, &files);
    let all = pending.len();
    say(&format!(
        "{all} rows of {} s to measure, {} at a time",
        options.budget_seconds, options.jobs
    ));
    let queue = Mutex::new(pending);
    let state = Mutex::new((files, failures));
    std::thread::scope(|scope| {
        for _ in 0..options.jobs.min(all) {
            let started = std::thread::Builder::new()
                .stack_size(STACK)
                .spawn_scoped(scope, || work(options, &folder, &queue, &state, all));
            if let Err(error) = started {
                say(&format!("cannot start a thread: {error}"));
            }
        }
    });
    let (_, failures) = state.into_inner().unwrap_or_else(PoisonError::into_inner);
    write_results(options, &folder)?;
    if failures.is_empty() {
        Ok(())
    } else {
        Err(format!("not measured: {}", failures.join("\n  ")))
    }
}

/// Rows that are not there yet, all modes of a seed before the next seed.
fn pending<'a>(
    options: &'a Options,
    subjects: &'a [Subject],
    files: &BTreeMap<&str, Rows>,
) -> VecDeque<Pending<'a>> {
    let mut pending = VecDeque::new();
    for seed in 1..=options.seeds {
        for subject in subjects {
            for mode in &options.modes {
                if !files[subject.name.as_str()].has(mode.name(), seed) {
                    pending.push_back((subject, mode, seed));
                }
            }
        }
    }
    pending
}

type State<'a> = (BTreeMap<&'a str, Rows>, Vec<String>);

fn work(
    options: &Options,
    folder: &Path,
    queue: &Mutex<VecDeque<Pending<'_>>>,
    state: &Mutex<State<'_>>,
    all: usize,
) {
    loop {
        let (next, number) = {
            let mut queue = queue.lock().unwrap_or_else(PoisonError::into_inner);
            (queue.pop_front(), all - queue.len())
        };
        let Some((subject, mode, seed)) = next else {
            return;
        };
        let result = runner::run(options, folder, subject, mode, seed);
        let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
        let (files, failures) = &mut *state;
        let kept = result.and_then(|row| {
            let counts = row.counts;
            let text = format!(
                "{number}/{all} {} {} {seed}: line {}/{}, branch {}/{}, {} tests, {:.1} s",
                row.subject,
                row.mode,
                counts.line_covered,
                counts.line_total,
                counts.branch_covered,
                counts.branch_total,
                row.tests,
                row.wall_seconds
            );
            let file = files.get_mut(subject.name.as_str());
            file.map_or(Ok(()), |file| file.add(row)).map(|()| text)
        });
        match kept {
            Ok(text) => say(&text),
            Err(error) => {
                say(&format!("{number}/{all} {error}"));
                failures.push(error);
            }
        }
    }
}

/// Table and plot of all rows in the folder.
fn write_results(options: &Options, folder: &Path) -> Result<(), String> {
    let mut measured = Vec::new();
    for name in names(&options.subjects_folder)? {
        let rows = read(&folder.join(format!("{name}.csv")))?;
        if let Some(budget) = budget_of(folder, &name)
            && !rows.is_empty()
        {
            measured.push(Measured {
                subject: name,
                budget,
                rows,
            });
        }
    }
    for (file, text) in [
        ("ablation.md", table(&measured)),
        ("ablation.svg", plot(&measured)),
    ] {
        let path = folder.join(file);
        fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
        say(&format!("written: {}", path.display()));
    }
    Ok(())
}

#[expect(clippy::print_stdout, reason = "this is a command line program")]
fn say(text: &str) {
    println!("{text}");
}
