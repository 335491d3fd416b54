//! The study of peers: Palus, EvoSuite and Randoop on the same classes with the same time.
//!
//! Comes in: subjects with a list of a few classes each, tools, seeds, a budget. Goes out: rows, a table and a plot (see
//! `comparison.rs`), and beside them what was left out (see `beside.rs`).
//! The peers are programs of other people and no part of this project; where their jars lie is said by options, and one
//! that is not said is left out.
//! A row's time is the wall clock of generation for all classes together, with the start of every JVM, with loading and
//! learning. Tracing before it and verifying after it are told apart.
//! Does not know: how a tool works.

mod beside;
mod evosuite;
pub mod judge;
pub mod process;
mod randoop;
pub mod sources;

use crate::bound::Bound;
use crate::comparison::{Comparison, Task, say};
use crate::mode::Mode;
use crate::options::Options;
use crate::rows::{Row, Rows};
use crate::runner;
use crate::study::{Form, Study};
use crate::table::{Asked, Pairing};
use beside::Beside;
use judge::Judged;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

pub static STUDY: Study = Study {
    name: "peers",
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

pub static PEERS: Comparison = Comparison {
    asked: Asked {
        study: &STUDY,
        title: "Peers",
        said: "Generation has the time of its subject, JVM start, loading and learning included; `palus-tenth` a tenth of it. \
           Palus works with one worker, EvoSuite class after class, Randoop on all classes at once. \
           Palus neither shortens tests nor asserts; the others do as they do by default.",
        differences: &[
            ("palus", "evosuite"),
            ("palus-tenth", "evosuite"),
            ("palus", "randoop"),
        ],
        pairings: &[
            Pairing {
                title: "Palus against EvoSuite",
                pairs: &[("palus", "evosuite")],
            },
            Pairing {
                title: "Palus in a tenth of the time against EvoSuite",
                pairs: &[("palus-tenth", "evosuite")],
            },
            Pairing {
                title: "Palus against Randoop",
                pairs: &[("palus", "randoop")],
            },
        ],
    },
    measure,
    appendix: |page, folder| beside::sections(page, &folder.join(BESIDE)),
};

const MODES: &[Mode] = &[
    Mode {
        name: "palus",
        settings: &[],
        colour: "#2a8a4a",
    },
    Mode {
        name: "palus-tenth",
        settings: &[],
        colour: "#9fcfae",
    },
    EVOSUITE,
    RANDOOP,
];

pub const EVOSUITE: Mode = Mode {
    name: "evosuite",
    settings: &[],
    colour: "#b5762a",
};

pub const RANDOOP: Mode = Mode {
    name: "randoop",
    settings: &[],
    colour: "#9a9a9a",
};

/// The folder of what the rows do not hold.
const BESIDE: &str = "beside";

/// What the engine is told in this study.
const PALUS: &[(&str, &str)] = &[("mode", "FULL"), ("generationFromStart", "true")];

/// Runs the study with those tools that are there.
pub fn run(options: &Options) -> Result<(), String> {
    if options.steps.is_some() {
        return Err(
            "the study `peers` has no option `steps`, for other tools know only time; say `budget`"
                .to_owned(),
        );
    }
    run_with_tools(options, &PEERS)
}

/// Runs a study with those of the peers whose jars are given.
pub fn run_with_tools(options: &Options, study: &Comparison) -> Result<(), String> {
    let mut options = options.clone();
    options.modes.retain(|mode| {
        let missing = match mode.name {
            "evosuite" if options.peers.evosuite.is_none() => "evosuiteJar",
            "randoop" if options.peers.randoop.is_none() => "randoopJar",
            _ => return true,
        };
        say(&format!("{} is left out: no {missing} is given", mode.name));
        false
    });
    study.run(&options)
}

/// Rows that are measured at the same time must not write one header each.
static WRITING: Mutex<()> = Mutex::new(());

fn measure(task: &Task<'_>) -> Result<Row, String> {
    let budget = task.options.budget_seconds;
    let (row, beside) = match task.mode.name {
        "evosuite" | "randoop" => peer(task)?,
        "palus-tenth" => palus(task, (budget / 10).max(1))?,
        _ => palus(task, budget)?,
    };
    let _writing = WRITING.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = task.folder.join(BESIDE);
    Rows::open(&folder, &task.subject.name, Bound::Seconds(budget))?.add(beside)?;
    Ok(row)
}

fn palus(task: &Task<'_>, budget: u64) -> Result<(Row, Beside), String> {
    let ran = runner::run_for(task, Bound::Seconds(budget), PALUS)?;
    let beside = Beside {
        subject: task.subject.name.clone(),
        mode: task.mode.name.to_owned(),
        seed: task.seed,
        written: ran.row.tests + ran.uncompilable + ran.failing,
        uncompilable: ran.uncompilable,
        failing: ran.failing,
        trace_seconds: task.subject.trace_seconds,
        verify_seconds: ran.seconds - ran.row.wall_seconds,
        java: java_version(&task.options.tools.java_home),
    };
    Ok((ran.row, beside))
}

/// What a tool wrote.
#[derive(Clone, Debug)]
pub struct Written {
    pub sources: PathBuf,
    /// What generation took.
    pub wall_seconds: f64,
    /// The Java that its tests run on.
    pub java_home: PathBuf,
    /// What they need beside the subject.
    pub more: Vec<PathBuf>,
}

/// Lets the peer that a row is of write its tests.
pub fn written_by_peer(task: &Task<'_>, work: &Path) -> Result<Written, String> {
    let peers = &task.options.peers;
    let classes = &task.subject.globs.chosen;
    let is_evosuite = task.mode.name == "evosuite";
    let tool = if is_evosuite {
        peers.evosuite.as_ref()
    } else {
        peers.randoop.as_ref()
    };
    let tool = tool.ok_or_else(|| format!("{}: its jar is not given", task.mode.name))?;
    let (sources, wall_seconds) = if is_evosuite {
        evosuite::generate(task, tool, classes, work)?
    } else {
        randoop::generate(task, tool, classes, work)?
    };
    Ok(Written {
        sources,
        wall_seconds,
        java_home: tool.java_home.clone(),
        // Its tests may need its jar.
        more: vec![tool.jar.clone()],
    })
}

fn peer(task: &Task<'_>) -> Result<(Row, Beside), String> {
    let (work, log) = (task.work()?, task.log()?);
    let _ = std::fs::remove_file(&log);
    let Written {
        sources,
        wall_seconds,
        java_home,
        more,
    } = written_by_peer(task, &work)?;
    let started = process::now();
    let judged = judge::judge(task, &sources, &java_home, &more, &work)?;
    let verify_seconds = process::now().duration_since(started).as_secs_f64();
    std::fs::remove_dir_all(&work).map_err(|error| format!("{}: {error}", work.display()))?;
    let Judged {
        written,
        uncompilable,
        failing,
        counts,
        ..
    } = judged;
    let row = Row {
        subject: task.subject.name.clone(),
        mode: task.mode.name.to_owned(),
        seed: task.seed,
        counts,
        tests: written - uncompilable - failing,
        wall_seconds,
    };
    let beside = Beside {
        subject: task.subject.name.clone(),
        mode: task.mode.name.to_owned(),
        seed: task.seed,
        written,
        uncompilable,
        failing,
        trace_seconds: 0.0,
        verify_seconds,
        java: java_version(&java_home),
    };
    Ok((row, beside))
}

/// As the JDK says it of itself.
fn java_version(java_home: &Path) -> String {
    let release = std::fs::read_to_string(java_home.join("release")).unwrap_or_default();
    let mut lines = release.lines();
    let version = lines.find_map(|line| line.strip_prefix("JAVA_VERSION="));
    version.map_or("unknown".to_owned(), |text| {
        text.trim_matches('"').to_owned()
    })
}
