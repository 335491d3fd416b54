//! A study that compares modes: rows over subjects, modes and seeds, and what is made of them.
//!
//! Comes in: a [`Comparison`] and options. Goes out, in a folder of the study's name: `<subject>.csv`, and from all of
//! these files together a table in Markdown and a plot in SVG.
//! Rows that are there are not measured again. As many rows run at a time as were asked for, seed by seed and mode after
//! mode, so that an interrupted study has some rows of everything and no mode has a better hour than another.
//! Does not know: what a mode does, how a row is measured.

use crate::mode::Mode;
use crate::options::Options;
use crate::plot::plot;
use crate::rows::{Row, Rows, bound_of, read};
use crate::subject::{Subject, chosen, names, prepare};
use crate::table::{Asked, Measured, Page, table};
use std::collections::{BTreeMap, VecDeque};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Stack of a thread that runs the engine.
const STACK: usize = 64 << 20;

/// A study that compares modes.
#[derive(Debug)]
pub struct Comparison {
    pub asked: Asked,
    /// Measures one row.
    pub measure: fn(&Task<'_>) -> Result<Row, String>,
    /// What the table says after all else, from other files of the folder.
    pub appendix: fn(Page<'_>, &Path) -> Result<String, String>,
}

/// A row to measure.
#[derive(Clone, Copy, Debug)]
pub struct Task<'a> {
    pub options: &'a Options,
    /// The study's folder.
    pub folder: &'a Path,
    pub subject: &'a Subject,
    pub mode: &'static Mode,
    pub seed: u64,
}

impl Task<'_> {
    /// The row's name in file names and messages.
    pub fn name(&self) -> String {
        format!("{}-{}-{}", self.subject.name, self.mode.name, self.seed)
    }

    /// An empty folder for the row's work.
    pub fn work(&self) -> Result<PathBuf, String> {
        let work = self.folder.join("work").join(self.name());
        let _ = fs::remove_dir_all(&work);
        fs::create_dir_all(&work).map_err(|error| format!("{}: {error}", work.display()))?;
        Ok(work)
    }

    /// Where what was said while the row was measured is kept.
    pub fn log(&self) -> Result<PathBuf, String> {
        let logs = self.folder.join("logs");
        fs::create_dir_all(&logs).map_err(|error| format!("{}: {error}", logs.display()))?;
        Ok(logs.join(format!("{}.log", self.name())))
    }
}

impl Comparison {
    /// Runs the study.
    pub fn run(&self, options: &Options) -> Result<(), String> {
        let folder = options.folder();
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
            let rows = Rows::open(&folder, &subject.name, options.bound())?;
            files.insert(&subject.name, rows);
        }
        let pending = pending(options, &folder, &subjects, &files);
        let all = pending.len();
        say(&format!(
            "{all} rows of {} to measure, {} at a time",
            options.bound(),
            options.jobs
        ));
        let queue = Mutex::new(pending);
        let state = Mutex::new((files, failures));
        std::thread::scope(|scope| {
            for _ in 0..options.jobs.min(all) {
                let started = std::thread::Builder::new()
                    .stack_size(STACK)
                    .spawn_scoped(scope, || self.work(&queue, &state, all));
                if let Err(error) = started {
                    say(&format!("cannot start a thread: {error}"));
                }
            }
        });
        let (_, failures) = state.into_inner().unwrap_or_else(PoisonError::into_inner);
        self.write_results(options, &folder)?;
        if failures.is_empty() {
            Ok(())
        } else {
            Err(format!("not measured: {}", failures.join("\n  ")))
        }
    }

    fn work(&self, queue: &Mutex<VecDeque<Task<'_>>>, state: &Mutex<State<'_>>, all: usize) {
        loop {
            let (next, number) = {
                let mut queue = queue.lock().unwrap_or_else(PoisonError::into_inner);
                (queue.pop_front(), all - queue.len())
            };
            let Some(task) = next else {
                return;
            };
            let result = (self.measure)(&task);
            let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
            let (files, failures) = &mut *state;
            let kept = result.and_then(|row| {
                let text = told(&row);
                let file = files.get_mut(task.subject.name.as_str());
                file.map_or(Ok(()), |file| file.add(row)).map(|()| text)
            });
            match kept {
                Ok(text) => say(&format!("{number}/{all} {text}")),
                Err(error) => {
                    say(&format!("{number}/{all} {error}"));
                    failures.push(error);
                }
            }
        }
    }

    /// Table and plot of all rows in the folder.
    fn write_results(&self, options: &Options, folder: &Path) -> Result<(), String> {
        let mut measured = Vec::new();
        for name in names(&options.subjects_folder, &options.list)? {
            let rows = read(&folder.join(format!("{name}.csv")))?;
            if let Some(bound) = bound_of(folder, &name)
                && !rows.is_empty()
            {
                measured.push(Measured {
                    subject: name,
                    bound,
                    rows,
                });
            }
        }
        let page = Page {
            asked: &self.asked,
            measured: &measured,
        };
        let mut text = table(page);
        text.push_str(&(self.appendix)(page, folder)?);
        write(folder, &format!("{}.md", self.asked.study.name), &text)?;
        write(
            folder,
            &format!("{}.svg", self.asked.study.name),
            &plot(page),
        )
    }
}

/// Writes a result and says so.
pub fn write(folder: &Path, file: &str, text: &str) -> Result<(), String> {
    let path = folder.join(file);
    fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    say(&format!("written: {}", path.display()));
    Ok(())
}

/// Rows that are not there yet, all modes of a seed before the next seed.
fn pending<'a>(
    options: &'a Options,
    folder: &'a Path,
    subjects: &'a [Subject],
    files: &BTreeMap<&str, Rows>,
) -> VecDeque<Task<'a>> {
    let mut pending = VecDeque::new();
    for seed in 1..=options.seeds {
        for subject in subjects {
            for &mode in &options.modes {
                if !files[subject.name.as_str()].has(mode.name, seed) {
                    pending.push_back(Task {
                        options,
                        folder,
                        subject,
                        mode,
                        seed,
                    });
                }
            }
        }
    }
    pending
}

type State<'a> = (BTreeMap<&'a str, Rows>, Vec<String>);

fn told(row: &Row) -> String {
    let counts = row.counts;
    format!(
        "{} {} {}: line {}/{}, branch {}/{}, {} tests, {:.1} s",
        row.subject,
        row.mode,
        row.seed,
        counts.line_covered,
        counts.line_total,
        counts.branch_covered,
        counts.branch_total,
        row.tests,
        row.wall_seconds
    )
}

#[expect(clippy::print_stdout, reason = "this is a command line program")]
pub fn say(text: &str) {
    println!("{text}");
}
