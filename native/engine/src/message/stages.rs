//! How far generating and verifying have come, and what became of candidates.
//!
//! Comes in: figures. Goes out: parts of lines.
//! Does not know: what is counted, and when (see `board.rs`).

use super::count;
use crate::verify::coverage::Counts;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

/// `27/38 classes, 212 candidates so far, line 61.2 -> 74.8 %, ETA 0:41`; once all are done, their tests are verified.
pub(crate) fn progress(
    done: u32,
    all: u32,
    candidates: u64,
    coverage: &str,
    eta: Option<Duration>,
) -> String {
    let mut text = format!(
        "{done}/{all} classes, {} so far",
        count(candidates, "candidate", "candidates")
    );
    if !coverage.is_empty() {
        let _ = write!(text, ", {coverage}");
    }
    if done == all {
        text += ", verifying their tests";
    } else if let Some(eta) = eta {
        let _ = write!(text, ", ETA {}", minutes(eta));
    }
    text
}

/// `line 61.2 -> 74.8 %`, of the tests verified so far.
pub(crate) fn coverage_so_far(before: &Counts, after: &Counts) -> String {
    format!(
        "line {:.1} -> {:.1} %",
        before.line_percent(),
        after.line_percent()
    )
}

/// `running 1204 tests, 5310 runs so far, 0:12`
pub(crate) fn at_work(text: &str, ran: u64, elapsed: Duration) -> String {
    let runs = match ran {
        0 => String::new(),
        ran => format!(", {} so far", count(ran, "run", "runs")),
    };
    format!("{text}{runs}, {}", minutes(elapsed))
}

/// `0:41`
fn minutes(time: Duration) -> String {
    let seconds = time.as_secs();
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

/// What is at work while tests are compiled and run.
pub(crate) fn verifying(tests: u64) -> String {
    format!("compiling and running {}", count(tests, "test", "tests"))
}

/// What became of candidates.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fates<'a> {
    /// How many there were.
    pub(crate) candidates: u64,
    /// Those that are written.
    pub(crate) stable: u64,
    pub(crate) drops: &'a BTreeMap<crate::verify::DropReason, u64>,
    /// Those in the place of which tests of an earlier run stay.
    pub(crate) behind: u64,
    /// True where what else passed is not written, since the time was over.
    pub(crate) is_unwritten: bool,
}

/// `1204 tests, 1181 stable, 23 dropped (17 ..., 6 ...)`; the numbers add up.
pub(crate) fn verify(fates: Fates<'_>) -> String {
    let Fates {
        candidates,
        stable,
        drops,
        behind,
        is_unwritten,
    } = fates;
    let dropped: u64 = drops.values().sum();
    let mut text = format!(
        "{}, {stable} stable, {dropped} dropped",
        count(candidates, "test", "tests")
    );
    if dropped > 0 {
        let reasons: Vec<String> = drops
            .iter()
            .map(|(reason, number)| format!("{number} {}", reason.code()))
            .collect();
        let _ = write!(text, " ({})", reasons.join(", "));
    }
    if behind > 0 {
        let _ = write!(
            text,
            ", {behind} behind those of an earlier run, which stay"
        );
    }
    let rest = candidates.saturating_sub(stable + dropped + behind);
    if rest > 0 && is_unwritten {
        let _ = write!(text, ", {rest} not written for want of time");
    } else if rest > 0 {
        let _ = write!(text, ", {rest} given up with their classes");
    }
    text
}

/// `27 classes, 900 candidates from 81000 sequences`
pub(crate) fn generated(classes: usize, candidates: u64, steps: u64) -> String {
    format!(
        "{}, {} from {}",
        count(classes as u64, "class", "classes"),
        count(candidates, "candidate", "candidates"),
        count(steps, "sequence", "sequences")
    )
}
