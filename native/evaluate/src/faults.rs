//! The study of faults: whose tests notice more small faults of the classes they are for, by PIT.
//!
//! Comes in: subjects with a list of a few classes each, tools, seeds, a budget. Goes out: rows, a table and a plot (see
//! `comparison.rs`), and beside them what PIT says (see `noticed.rs`).
//! Palus runs here as a user has it, with all its defaults: it shortens, asserts and verifies, and its row's time is that of the whole run.
//! The peers do as they do by default, with the time of the row for generation alone.
//! Of each tool the same tests count: those that compile and pass, run once in the sandbox.
//! Does not know: which faults there are.

mod noticed;
mod pit;

use crate::bound::Bound;
use crate::comparison::{Comparison, Task};
use crate::mode::Mode;
use crate::options::Options;
use crate::peers::judge::{Judged, judge};
use crate::peers::process::now;
use crate::peers::{EVOSUITE, RANDOOP, Written, written_by_peer};
use crate::rows::{Row, Rows};
use crate::runner;
use crate::study::{Form, Study};
use crate::table::{Asked, Pairing};
use noticed::{Noticed, Own};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

pub static STUDY: Study = Study {
    name: "faults",
    modes: MODES,
    long: Form {
        budget_seconds: 300,
        seeds: 3,
        modes: &[],
    },
    short: Form {
        budget_seconds: 150,
        seeds: 1,
        modes: &[],
    },
    // A row has the machine for itself.
    fills_the_machine: false,
    list: "peers",
};

pub static FAULTS: Comparison = Comparison {
    asked: Asked {
        study: &STUDY,
        title: "Faults",
        said: "Palus runs with its defaults and ends when it is done, at the latest when the time is over; its time is that of the whole run, \
           verification included. The peers have the time for generation alone. What is measured are the tests that compile and pass.",
        differences: &[
            ("palus", "evosuite"),
            ("palus", "randoop"),
            ("palus", "palus-plain"),
        ],
        pairings: &[Pairing {
            title: "Palus against EvoSuite",
            pairs: &[("palus", "evosuite")],
        }],
    },
    measure,
    appendix: |page, folder| noticed::sections(page, &folder.join(NOTICED)),
};

const MODES: &[Mode] = &[
    Mode {
        name: "palus",
        settings: &[],
        colour: "#2a8a4a",
    },
    Mode {
        name: "palus-plain",
        settings: &[("mutants", "false")],
        colour: "#9fcfae",
    },
    EVOSUITE,
    RANDOOP,
];

/// The folder of what PIT says.
const NOTICED: &str = "noticed";

/// Runs the study with those tools that are there.
pub fn run(options: &Options) -> Result<(), String> {
    if options.pit_class_path.is_empty() {
        return Err(
            "the option `pitClassPath` is missing; `./gradlew evaluate` gives it".to_owned(),
        );
    }
    crate::peers::run_with_tools(options, &FAULTS)
}

/// Rows that are measured at the same time must not write one header each.
static WRITING: Mutex<()> = Mutex::new(());

fn measure(task: &Task<'_>) -> Result<Row, String> {
    let work = task.work()?;
    let log = task.log()?;
    let _ = std::fs::remove_file(&log);
    let (written, own) = match task.mode.name {
        "evosuite" | "randoop" => (written_by_peer(task, &work)?, Own::default()),
        _ => palus(task, &work)?,
    };
    let Written {
        sources,
        wall_seconds,
        java_home,
        more,
    } = written;
    let Judged {
        counts, passing, ..
    } = judge(task, &sources, &java_home, &more, &work)?;
    let tests: u64 = passing.iter().map(|file| file.tests.len() as u64).sum();
    let found = pit::run(task, &passing, &java_home, &more, &work)?;
    let noticed = Noticed {
        subject: task.subject.name.clone(),
        mode: task.mode.name.to_owned(),
        seed: task.seed,
        tests,
        lines: noticed::median_lines(&passing),
        found,
        own,
    };
    std::fs::remove_dir_all(&work).map_err(|error| format!("{}: {error}", work.display()))?;
    let _writing = WRITING.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = task.folder.join(NOTICED);
    let bound = Bound::Seconds(task.options.budget_seconds);
    Rows::open(&folder, &task.subject.name, bound)?.add(noticed)?;
    Ok(Row {
        subject: task.subject.name.clone(),
        mode: task.mode.name.to_owned(),
        seed: task.seed,
        counts,
        tests,
        wall_seconds,
    })
}

/// Palus as a user has it, one worker as the peers have.
fn palus(task: &Task<'_>, work: &Path) -> Result<(Written, Own), String> {
    let settings = [
        ("workers", "1".to_owned()),
        ("seed", task.seed.to_string()),
        ("timeLimit", task.options.budget_seconds.to_string()),
    ];
    let started = now();
    runner::run_as_user(task, work, &settings)?;
    let wall_seconds = now().duration_since(started).as_secs_f64();
    let own = noticed::own(&work.join("report"))?;
    let written = Written {
        sources: work.join("tests"),
        wall_seconds,
        java_home: task.options.tools.java_home.clone(),
        more: Vec::new(),
    };
    Ok((written, own))
}
