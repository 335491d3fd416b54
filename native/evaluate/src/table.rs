//! The table of an ablation in Markdown.
//!
//! Comes in: rows by subject. Goes out: text. Each cell is mean ± standard deviation over seeds; where a cell has fewer
//! seeds than others, it says its n. The means over subjects and the differences count only subjects that have every
//! mode they need, and say how many these are.
//! Does not know: files.

use crate::figures::{Kind, Spread};
use crate::mode::Mode;
use crate::rows::Row;
use std::fmt::Write as _;

/// All rows of a subject.
#[derive(Clone, Debug)]
pub struct Measured {
    pub subject: String,
    /// Seconds.
    pub budget: u64,
    pub rows: Vec<Row>,
}

impl Measured {
    /// The figures of one mode.
    pub fn spread(&self, mode: &str, kind: Kind) -> Option<Spread> {
        let rows = self.rows.iter().filter(|row| row.mode == mode);
        let figures: Vec<f64> = rows.map(|row| kind.of(row)).collect();
        Spread::of(&figures)
    }
}

/// Pairs of modes whose difference says what a part adds.
const DIFFERENCES: &[(&str, &str)] = &[
    ("full", "constraints"),
    ("constraints", "palulu"),
    ("palulu", "random"),
    ("full", "random"),
    ("full", "unguided"),
];

/// The modes that have a row, in the order of the feature matrix.
pub fn modes(measured: &[Measured]) -> Vec<&'static str> {
    let all = Mode::ALL_NAMES.split(',');
    all.filter(|mode| {
        let mut rows = measured.iter().flat_map(|subject| &subject.rows);
        rows.any(|row| row.mode == *mode)
    })
    .collect()
}

/// The mean over subjects of a mode's means, over those subjects that have all the modes; and how many these are.
pub fn mean_over_subjects(
    measured: &[Measured],
    mode: &str,
    needed: &[&str],
    kind: Kind,
) -> Option<Spread> {
    let complete = measured.iter().filter(|subject| {
        let mut needed = needed.iter();
        needed.all(|mode| subject.spread(mode, kind).is_some())
    });
    let means: Vec<f64> = complete
        .filter_map(|subject| subject.spread(mode, kind))
        .map(|spread| spread.mean)
        .collect();
    Spread::of(&means)
}

/// The whole page.
pub fn table(measured: &[Measured]) -> String {
    let modes = modes(measured);
    let cells = measured.iter().flat_map(|subject| {
        let spread = |mode: &&str| {
            subject
                .spread(mode, Kind::Line)
                .map_or(0, |spread| spread.n)
        };
        modes.iter().map(spread)
    });
    let seeds = cells.max().unwrap_or(0);
    let mut budgets: Vec<u64> = measured.iter().map(|subject| subject.budget).collect();
    budgets.sort_unstable();
    budgets.dedup();
    let mut text = String::from("# Ablation\n\n");
    let budget = match budgets[..] {
        [one] => format!("{one} s"),
        _ => "the time beside its name".to_owned(),
    };
    let _ = writeln!(
        text,
        "Mean and standard deviation over {seeds} seeds; a cell with fewer says its n.\n\
         Generation has {budget} for all classes of a subject together, with one worker.\n\
         JaCoCo measures the written tests alone.\n"
    );
    let name = |subject: &Measured| match budgets.len() {
        1 => subject.subject.clone(),
        _ => format!("{} ({} s)", subject.subject, subject.budget),
    };
    for kind in [Kind::Line, Kind::Branch] {
        let _ = writeln!(text, "## {}\n", kind.title());
        head(&mut text, &modes);
        for subject in measured {
            let spreads = modes.iter().map(|mode| subject.spread(mode, kind));
            let cells = spreads.map(|spread| cell(spread, seeds));
            line(&mut text, &name(subject), cells);
        }
        let complete = modes
            .first()
            .and_then(|mode| mean_over_subjects(measured, mode, &modes, kind));
        let complete = complete.map_or(0, |spread| spread.n);
        let mean = modes.iter().map(|mode| {
            let mean = mean_over_subjects(measured, mode, &modes, kind);
            mean.map_or("-".to_owned(), |mean| format!("**{:.1}**", mean.mean))
        });
        let title = format!("**mean of {complete} of {} subjects**", measured.len());
        line(&mut text, &title, mean);
        text.push('\n');
    }
    differences(&mut text, measured, &name);
    text
}

/// Differences of means, in points.
fn differences(text: &mut String, measured: &[Measured], name: &dyn Fn(&Measured) -> String) {
    for kind in [Kind::Line, Kind::Branch] {
        let _ = writeln!(text, "## Differences in points: {}\n", kind.title());
        let titles: Vec<String> = DIFFERENCES
            .iter()
            .map(|(more, less)| format!("{more} - {less}"))
            .collect();
        head(text, &titles.iter().map(String::as_str).collect::<Vec<_>>());
        let signed = |number: Option<f64>| number.map_or("-".to_owned(), |n| format!("{n:+.1}"));
        for subject in measured {
            let cells = DIFFERENCES.iter().map(|(more, less)| {
                let less = subject.spread(less, kind)?;
                Some(subject.spread(more, kind)?.mean - less.mean)
            });
            line(text, &name(subject), cells.map(signed));
        }
        let means = DIFFERENCES.iter().map(|(more, less)| {
            let needed = [*more, *less];
            let (more, less) = (
                mean_over_subjects(measured, more, &needed, kind),
                mean_over_subjects(measured, less, &needed, kind),
            );
            match (more, less) {
                (Some(more), Some(less)) => {
                    format!("**{:+.1}** (n {})", more.mean - less.mean, more.n)
                }
                _ => "-".to_owned(),
            }
        });
        line(text, "**mean**", means);
        text.push('\n');
    }
}

fn head(text: &mut String, titles: &[&str]) {
    let _ = writeln!(text, "| subject | {} |", titles.join(" | "));
    let _ = writeln!(text, "|---|{}", "---:|".repeat(titles.len()));
}

fn line(text: &mut String, name: &str, cells: impl Iterator<Item = String>) {
    let cells: Vec<String> = cells.collect();
    let _ = writeln!(text, "| {name} | {} |", cells.join(" | "));
}

fn cell(spread: Option<Spread>, seeds: usize) -> String {
    let Some(spread) = spread else {
        return "-".to_owned();
    };
    let mut text = format!("{:.1}", spread.mean);
    if let Some(deviation) = spread.deviation {
        let _ = write!(text, " ± {deviation:.1}");
    }
    if spread.n < seeds {
        let _ = write!(text, " (n {})", spread.n);
    }
    text
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::rows::Counts;

    /// Lines are covered as said, of 100; branches half as many.
    pub fn row(subject: &str, mode: &str, seed: u64, line_covered: u32) -> Row {
        Row {
            subject: subject.to_owned(),
            mode: mode.to_owned(),
            seed,
            counts: Counts {
                line_covered,
                line_total: 100,
                branch_covered: line_covered / 2,
                branch_total: 100,
            },
            tests: 1,
            wall_seconds: 30.0,
        }
    }

    /// Two subjects; one lacks a mode and a seed.
    pub fn example() -> Vec<Measured> {
        let bcel = vec![
            row("bcel", "full", 1, 60),
            row("bcel", "full", 2, 64),
            row("bcel", "random", 1, 40),
            row("bcel", "random", 2, 40),
            row("bcel", "palulu", 1, 50),
            row("bcel", "palulu", 2, 50),
        ];
        let jsap = vec![
            row("jsap", "full", 1, 90),
            row("jsap", "random", 1, 80),
            row("jsap", "random", 2, 84),
        ];
        [("bcel", bcel), ("jsap", jsap)]
            .map(|(subject, rows)| Measured {
                subject: subject.to_owned(),
                budget: 30,
                rows,
            })
            .into()
    }

    #[test]
    fn a_cell_is_mean_and_deviation_and_a_partial_one_says_its_n() {
        let text = table(&example());
        assert!(text.contains("over 2 seeds"));
        assert!(text.contains("Generation has 30 s "));
        assert!(text.contains("| subject | random | palulu | full |\n|---|---:|---:|---:|\n"));
        assert!(text.contains("| bcel | 40.0 ± 0.0 | 50.0 ± 0.0 | 62.0 ± 2.8 |"));
        assert!(text.contains("| jsap | 82.0 ± 2.8 | - | 90.0 (n 1) |"));
    }

    #[test]
    fn a_mean_over_subjects_says_how_many_have_all_modes() {
        let text = table(&example());
        assert!(text.contains("| **mean of 1 of 2 subjects** | **40.0** | **50.0** | **62.0** |"));
    }

    #[test]
    fn differences_are_in_points_and_count_the_subjects_that_have_both_modes() {
        let text = table(&example());
        assert!(text.contains(
            "| subject | full - constraints | constraints - palulu | palulu - random | full - random | full - unguided |"
        ));
        assert!(text.contains("| bcel | - | - | +10.0 | +22.0 | - |"));
        assert!(text.contains("| jsap | - | - | - | +8.0 | - |"));
        assert!(text.contains("| **mean** | - | - | **+10.0** (n 1) | **+15.0** (n 2) | - |"));
    }

    #[test]
    fn subjects_of_several_budgets_say_theirs() {
        let mut measured = example();
        measured[1].budget = 60;
        let text = table(&measured);
        assert!(text.contains("| jsap (60 s) |") && text.contains("| bcel (30 s) |"));
    }
}
