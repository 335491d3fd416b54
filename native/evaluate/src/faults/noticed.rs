//! What the rows of the study of faults do not hold: what PIT says, and what Palus says of itself.
//!
//! Comes in: one [`Noticed`] per row. Goes out: its line in a file, and sections of the table.
//! Does not know: how anything was measured.

use super::pit::Found;
use crate::figures::Spread;
use crate::peers::sources::TestFile;
use crate::rows::{Record, latest};
use crate::table::{self, Page};
use std::path::Path;

/// What belongs to one row.
#[derive(Clone, Debug, PartialEq)]
pub struct Noticed {
    pub subject: String,
    pub mode: String,
    pub seed: u64,
    /// Tests that were measured.
    pub tests: u64,
    /// Lines of the median test.
    pub lines: u64,
    pub found: Found,
    pub own: Own,
}

/// What Palus counts itself; nothing for other tools.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Own {
    pub made: u64,
    pub covered: u64,
    pub killed: u64,
}

impl Record for Noticed {
    const HEADER: &'static str = "subject,mode,seed,tests,median_lines,faults,reached,noticed,pit_s,own_faults,own_reached,own_noticed";

    fn text(&self) -> String {
        let (found, own) = (&self.found, self.own);
        format!(
            "{},{},{},{},{},{},{},{},{:.1},{},{},{}",
            self.subject,
            self.mode,
            self.seed,
            self.tests,
            self.lines,
            found.made,
            found.covered,
            found.killed,
            found.seconds,
            own.made,
            own.covered,
            own.killed
        )
    }

    fn read(line: &str) -> Option<Noticed> {
        let fields: Vec<&str> = line.split(',').collect();
        let [subject, mode, seed, tests, lines, by_pit @ ..] = &fields[..] else {
            return None;
        };
        let [
            faults,
            covered,
            killed,
            duration,
            own_made,
            own_covered,
            own_killed,
        ] = by_pit
        else {
            return None;
        };
        Some(Noticed {
            subject: (*subject).to_owned(),
            mode: (*mode).to_owned(),
            seed: seed.parse().ok()?,
            tests: tests.parse().ok()?,
            lines: lines.parse().ok()?,
            found: Found {
                made: faults.parse().ok()?,
                covered: covered.parse().ok()?,
                killed: killed.parse().ok()?,
                seconds: duration.parse().ok()?,
            },
            own: Own {
                made: own_made.parse().ok()?,
                covered: own_covered.parse().ok()?,
                killed: own_killed.parse().ok()?,
            },
        })
    }
}

/// Lines of the median test, its annotation and its braces included.
pub fn median_lines(files: &[TestFile]) -> u64 {
    let tests = files.iter().flat_map(|file| &file.tests);
    let mut lines: Vec<usize> = tests.map(|test| test.lines.clone().count()).collect();
    lines.sort_unstable();
    lines.get(lines.len() / 2).map_or(0, |&lines| lines as u64)
}

/// The sums that stand in `report.json`.
pub fn own(report: &Path) -> Result<Own, String> {
    let file = report.join("report.json");
    let text =
        std::fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
    let report: serde_json::Value =
        serde_json::from_str(&text).map_err(|error| format!("{}: {error}", file.display()))?;
    let classes = report["classes"].as_array();
    let sum = |name: &str| {
        let classes = classes.into_iter().flatten();
        classes
            .filter_map(|class| class["mutants"][name].as_u64())
            .sum()
    };
    Ok(Own {
        made: sum("made"),
        covered: sum("covered"),
        killed: sum("killed"),
    })
}

/// Sections about all files in `folder`.
pub fn sections(page: Page<'_>, folder: &Path) -> Result<String, String> {
    let mut all: Vec<Noticed> = Vec::new();
    for subject in page.measured {
        let file = folder.join(format!("{}.csv", subject.subject));
        all.extend(latest(&file, |row: &Noticed| (row.mode.clone(), row.seed))?);
    }
    Ok(told(page, &all))
}

fn told(page: Page<'_>, all: &[Noticed]) -> String {
    let mut text = String::new();
    let spread = |subject: &str, mode: &str, figure: &dyn Fn(&Noticed) -> f64| {
        let rows = all
            .iter()
            .filter(|row| row.subject == subject && row.mode == mode);
        Spread::of(&rows.map(figure).collect::<Vec<f64>>())
    };
    let mut section = |title: &str, cell: &dyn Fn(&str, &str) -> Option<String>| {
        table::section(&mut text, page, title, cell);
    };
    let percent = |part: u64, whole: u64| 100.0 * part as f64 / whole.max(1) as f64;
    section(
        "Faults noticed, of all and of those that a test reaches, in %",
        &|subject, mode| {
            let of_all = spread(subject, mode, &|row| {
                percent(row.found.killed, row.found.made)
            })?;
            let of_reached = spread(subject, mode, &|row| {
                percent(row.found.killed, row.found.covered)
            })?;
            Some(format!("{:.1}, {:.1}", of_all.mean, of_reached.mean))
        },
    );
    section("The same by Palus' own count", &|subject, mode| {
        let rows = all
            .iter()
            .filter(|row| row.subject == subject && row.mode == mode && row.own.made > 0);
        let rows: Vec<&Noticed> = rows.collect();
        let of_all = rows.iter().map(|row| percent(row.own.killed, row.own.made));
        let of_reached = rows
            .iter()
            .map(|row| percent(row.own.killed, row.own.covered));
        let of_all = Spread::of(&of_all.collect::<Vec<f64>>())?;
        let of_reached = Spread::of(&of_reached.collect::<Vec<f64>>())?;
        Some(format!("{:.1}, {:.1}", of_all.mean, of_reached.mean))
    });
    section(
        "Faults, tests and lines of the median test: mean",
        &|subject, mode| {
            let made = spread(subject, mode, &|row| row.found.made as f64)?;
            let tests = spread(subject, mode, &|row| row.tests as f64)?;
            let lines = spread(subject, mode, &|row| row.lines as f64)?;
            Some(format!(
                "{:.0}, {:.0} and {:.0}",
                made.mean, tests.mean, lines.mean
            ))
        },
    );
    section("Seconds of the tool: mean", &|subject, mode| {
        table::seconds(page, subject, mode)
    });
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::faults::FAULTS;
    use crate::table::Measured;
    use crate::table::tests::row;

    fn noticed(mode: &str, seed: u64, killed: u64) -> Noticed {
        Noticed {
            subject: "bcel".to_owned(),
            mode: mode.to_owned(),
            seed,
            tests: 30,
            lines: 7,
            found: Found {
                made: 200,
                covered: 160,
                killed,
                seconds: 12.5,
            },
            own: Own {
                made: 220,
                covered: 180,
                killed: 110,
            },
        }
    }

    #[test]
    fn a_line_is_read_as_it_was_written() {
        let one = noticed("palus", 3, 120);
        assert_eq!(one.text(), "bcel,palus,3,30,7,200,160,120,12.5,220,180,110");
        assert_eq!(Noticed::read(&one.text()), Some(one));
        assert_eq!(Noticed::read("bcel,palus,3,30,7"), None);
    }

    #[test]
    fn what_is_noticed_is_told_of_all_faults_and_of_those_reached() {
        let measured = [Measured {
            subject: "bcel".to_owned(),
            bound: crate::bound::Bound::Seconds(30),
            rows: vec![row("bcel", "palus", 1, 50), row("bcel", "evosuite", 1, 40)],
        }];
        let page = Page {
            asked: &FAULTS.asked,
            measured: &measured,
        };
        let mut other = noticed("evosuite", 1, 40);
        other.own = Own::default();
        let text = told(
            page,
            &[noticed("palus", 1, 120), noticed("palus", 2, 140), other],
        );
        assert!(text.contains("| subject | palus | evosuite |"), "{text}");
        assert!(
            text.contains("| bcel | 65.0, 81.2 | 20.0, 25.0 |"),
            "{text}"
        );
        assert!(text.contains("| bcel | 50.0, 61.1 | - |"), "{text}");
        assert!(
            text.contains("| bcel | 200, 30 and 7 | 200, 30 and 7 |"),
            "{text}"
        );
    }
}
