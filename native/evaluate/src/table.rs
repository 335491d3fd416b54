//! The table of a study that compares modes, in Markdown.
//!
//! Comes in: rows by subject. Goes out: text. Each cell is mean ± standard deviation over seeds; where a cell has fewer
//! seeds than others, it says its n. The means over subjects and the differences count only subjects that have every
//! mode they need, and say how many these are.
//! Modes that are paired are tested, on branch coverage: per subject by the rank sum of the seeds, which are independent
//! of one another in both modes; over all subjects by the signed ranks of the pairs of a subject and seed, since
//! coverage differs more between subjects than between modes.
//! Does not know: files.

use crate::bound::Bound;
use crate::figures::{Kind, Spread};
use crate::mode::Mode;
use crate::rows::Row;
use crate::statistics::{a12, rank_sum, signed_rank};
use crate::study::Study;
use std::fmt::Write as _;

/// What a study asks of its rows.
#[derive(Debug)]
pub struct Asked {
    pub study: &'static Study,
    /// Of table and plot.
    pub title: &'static str,
    /// How generation is bounded, in a sentence or a few.
    pub said: &'static str,
    /// Pairs of modes whose difference is shown.
    pub differences: &'static [(&'static str, &'static str)],
    /// Comparisons with significance and effect size.
    pub pairings: &'static [Pairing],
}

/// Modes that are tested against others.
#[derive(Debug)]
pub struct Pairing {
    pub title: &'static str,
    /// Several pairs are told together, over all subjects only.
    pub pairs: &'static [(&'static str, &'static str)],
}

/// What a table and a plot are made of.
#[derive(Clone, Copy, Debug)]
pub struct Page<'a> {
    pub asked: &'a Asked,
    pub measured: &'a [Measured],
}

/// All rows of a subject.
#[derive(Clone, Debug)]
pub struct Measured {
    pub subject: String,
    /// Of each row.
    pub bound: Bound,
    pub rows: Vec<Row>,
}

impl Measured {
    /// The figures of one mode.
    pub fn spread(&self, mode: &str, kind: Kind) -> Option<Spread> {
        Spread::of(&self.figures(mode, kind))
    }

    fn figures(&self, mode: &str, kind: Kind) -> Vec<f64> {
        let rows = self.rows.iter().filter(|row| row.mode == mode);
        rows.map(|row| kind.of(row)).collect()
    }

    /// Differences of two modes, seed by seed.
    fn paired(&self, (more, less): (&str, &str), kind: Kind) -> Vec<f64> {
        let of = |mode: &str, seed| {
            let mut rows = self.rows.iter();
            let row = rows.find(|row| row.mode == mode && row.seed == seed)?;
            Some(kind.of(row))
        };
        let rows = self.rows.iter().filter(|row| row.mode == more);
        rows.filter_map(|row| Some(kind.of(row) - of(less, row.seed)?))
            .collect()
    }
}

impl Page<'_> {
    /// The modes that have a row, in the study's order.
    pub fn modes(&self) -> Vec<&'static Mode> {
        let all = self.asked.study.modes.iter();
        all.filter(|mode| {
            let mut rows = self.measured.iter().flat_map(|subject| &subject.rows);
            rows.any(|row| row.mode == mode.name)
        })
        .collect()
    }

    /// The mean over subjects of a mode's means, over those subjects that have all the modes; and how many these are.
    pub fn mean_over_subjects(&self, mode: &str, needed: &[&str], kind: Kind) -> Option<Spread> {
        let complete = self.measured.iter().filter(|subject| {
            let mut needed = needed.iter();
            needed.all(|mode| subject.spread(mode, kind).is_some())
        });
        let means: Vec<f64> = complete
            .filter_map(|subject| subject.spread(mode, kind))
            .map(|spread| spread.mean)
            .collect();
        Spread::of(&means)
    }
}

/// A section with a row for each subject and a column for each mode.
pub fn section(
    text: &mut String,
    page: Page<'_>,
    title: &str,
    cell: &dyn Fn(&str, &str) -> Option<String>,
) {
    let modes: Vec<&str> = page.modes().iter().map(|mode| mode.name).collect();
    let _ = writeln!(text, "## {title}\n");
    head(text, &modes);
    for subject in page.measured {
        let cells = modes.iter().map(|mode| cell(&subject.subject, mode));
        line(
            text,
            &subject.subject,
            cells.map(|cell| cell.unwrap_or("-".to_owned())),
        );
    }
    text.push('\n');
}

/// What generation took in a mode, in seconds: the mean of the seeds.
pub fn seconds(page: Page<'_>, subject: &str, mode: &str) -> Option<String> {
    let subject = page.measured.iter().find(|it| it.subject == subject)?;
    let rows = subject.rows.iter().filter(|row| row.mode == mode);
    let spread = Spread::of(&rows.map(|row| row.wall_seconds).collect::<Vec<f64>>())?;
    Some(format!("{:.1}", spread.mean))
}

/// The whole page.
pub fn table(page: Page<'_>) -> String {
    let measured = page.measured;
    let modes: Vec<&str> = page.modes().iter().map(|mode| mode.name).collect();
    let cells = measured.iter().flat_map(|subject| {
        let spread = |mode: &&str| {
            subject
                .spread(mode, Kind::Line)
                .map_or(0, |spread| spread.n)
        };
        modes.iter().map(spread)
    });
    let seeds = cells.max().unwrap_or(0);
    let mut bounds: Vec<Bound> = measured.iter().map(|subject| subject.bound).collect();
    bounds.sort_unstable();
    bounds.dedup();
    let mut text = format!("# {}\n\n", page.asked.title);
    let bound = match bounds[..] {
        [Bound::Seconds(one)] => {
            format!("The time of a subject, all its classes together, is {one} s.")
        }
        [Bound::Steps(one)] => format!("Each class has {one} steps, however long they take."),
        _ => "What bounds a subject stands beside its name: the time of all its classes together, \
              or the steps of each."
            .to_owned(),
    };
    let _ = writeln!(
        text,
        "Mean and standard deviation over {seeds} seeds; a cell with fewer says its n.\n\
         {bound}\n\
         {}\n\
         JaCoCo measures the written tests alone.\n",
        page.asked.said
    );
    let name = |subject: &Measured| match bounds.len() {
        1 => subject.subject.clone(),
        _ => format!("{} ({})", subject.subject, subject.bound),
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
            .and_then(|mode| page.mean_over_subjects(mode, &modes, kind));
        let complete = complete.map_or(0, |spread| spread.n);
        let mean = modes.iter().map(|mode| {
            let mean = page.mean_over_subjects(mode, &modes, kind);
            mean.map_or("-".to_owned(), |mean| format!("**{:.1}**", mean.mean))
        });
        let title = format!("**mean of {complete} of {} subjects**", measured.len());
        line(&mut text, &title, mean);
        text.push('\n');
    }
    differences(&mut text, page, &name);
    for pairing in page.asked.pairings {
        tests(&mut text, page, pairing, &name);
    }
    text
}

/// Differences of means, in points.
fn differences(text: &mut String, page: Page<'_>, name: &dyn Fn(&Measured) -> String) {
    let all = page.asked.differences;
    for kind in [Kind::Line, Kind::Branch] {
        let _ = writeln!(text, "## Differences in points: {}\n", kind.title());
        let titles: Vec<String> = all
            .iter()
            .map(|(more, less)| format!("{more} - {less}"))
            .collect();
        head(text, &titles.iter().map(String::as_str).collect::<Vec<_>>());
        for subject in page.measured {
            let cells = all.iter().map(|(more, less)| {
                let less = subject.spread(less, kind)?;
                Some(subject.spread(more, kind)?.mean - less.mean)
            });
            line(text, &name(subject), cells.map(signed));
        }
        let means = all.iter().map(|(more, less)| {
            let needed = [*more, *less];
            let (more, less) = (
                page.mean_over_subjects(more, &needed, kind),
                page.mean_over_subjects(less, &needed, kind),
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

/// Significance and effect size of one pairing, on branch coverage.
fn tests(text: &mut String, page: Page<'_>, pairing: &Pairing, name: &dyn Fn(&Measured) -> String) {
    let kind = Kind::Branch;
    let mut rows: Vec<(String, f64, f64, Option<f64>)> = Vec::new();
    let mut paired: Vec<f64> = Vec::new();
    for subject in page.measured {
        for &(more, less) in pairing.pairs {
            paired.extend(subject.paired((more, less), kind));
            let (more, less) = (subject.figures(more, kind), subject.figures(less, kind));
            let effect = a12(&more, &less);
            if let (Some(effect), Some(more_mean), Some(less_mean)) =
                (effect, Spread::of(&more), Spread::of(&less))
            {
                let points = more_mean.mean - less_mean.mean;
                rows.push((name(subject), points, effect, rank_sum(&more, &less)));
            }
        }
    }
    if rows.is_empty() {
        return;
    }
    let _ = writeln!(text, "## {}: branch coverage\n", pairing.title);
    head(text, &["points", "A12", "p"]);
    let n = rows.len() as f64;
    let points: f64 = rows.iter().map(|(_, points, ..)| points).sum();
    let effects: f64 = rows.iter().map(|(_, _, effect, _)| effect).sum();
    if pairing.pairs.len() == 1 {
        for (name, points, effect, p) in rows {
            let cells = [signed(Some(points)), format!("{effect:.2}"), probability(p)];
            line(text, &name, cells.into_iter());
        }
    }
    let cells = [
        format!("**{:+.1}**", points / n),
        format!("**{:.2}**", effects / n),
        format!("**{}**", probability(signed_rank(&paired))),
    ];
    line(text, "**all**", cells.into_iter());
    let _ = writeln!(
        text,
        "\nA12 is the chance that a row of the first is above one of the second. p: of a subject by Wilcoxon's rank sum \
         test of its seeds; of all by his signed rank test of the {} pairs of a subject and seed{}; both exact, two-sided.\n",
        paired.len(),
        if pairing.pairs.len() == 1 {
            ""
        } else {
            ", of each pair of modes"
        },
    );
}

fn signed(number: Option<f64>) -> String {
    number.map_or("-".to_owned(), |n| format!("{n:+.1}"))
}

fn probability(p: Option<f64>) -> String {
    match p {
        None => "-".to_owned(),
        Some(p) if p < 0.001 => "< 0.001".to_owned(),
        Some(p) => format!("{p:.3}"),
    }
}

/// The head of a table with a row per subject.
pub fn head(text: &mut String, titles: &[&str]) {
    let _ = writeln!(text, "| subject | {} |", titles.join(" | "));
    let _ = writeln!(text, "|---|{}", "---:|".repeat(titles.len()));
}

/// A row of such a table.
pub fn line(text: &mut String, name: &str, cells: impl Iterator<Item = String>) {
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

    /// As an ablation.
    pub fn page(measured: &[Measured]) -> Page<'_> {
        Page {
            asked: &crate::ablation::ABLATION.asked,
            measured,
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
                bound: Bound::Seconds(30),
                rows,
            })
            .into()
    }

    #[test]
    fn a_cell_is_mean_and_deviation_and_a_partial_one_says_its_n() {
        let text = table(page(&example()));
        assert!(text.contains("over 2 seeds"));
        assert!(text.contains("together, is 30 s."));
        assert!(text.contains("| subject | random | palulu | full |\n|---|---:|---:|---:|\n"));
        assert!(text.contains("| bcel | 40.0 ± 0.0 | 50.0 ± 0.0 | 62.0 ± 2.8 |"));
        assert!(text.contains("| jsap | 82.0 ± 2.8 | - | 90.0 (n 1) |"));
    }

    #[test]
    fn a_mean_over_subjects_says_how_many_have_all_modes() {
        let text = table(page(&example()));
        assert!(text.contains("| **mean of 1 of 2 subjects** | **40.0** | **50.0** | **62.0** |"));
    }

    #[test]
    fn differences_are_in_points_and_count_the_subjects_that_have_both_modes() {
        let text = table(page(&example()));
        assert!(text.contains(
            "| subject | full - palus | palus - constraints | constraints - palulu | palulu - random | palus - random | full - random | full - unguided |"
        ));
        assert!(text.contains("| bcel | - | - | - | +10.0 | - | +22.0 | - |"));
        assert!(text.contains("| jsap | - | - | - | - | - | +8.0 | - |"));
        assert!(
            text.contains("| **mean** | - | - | - | **+10.0** (n 1) | - | **+15.0** (n 2) | - |")
        );
    }

    #[test]
    fn subjects_of_several_budgets_say_theirs() {
        let mut measured = example();
        measured[1].bound = Bound::Seconds(60);
        let text = table(page(&measured));
        assert!(text.contains("| jsap (60 s) |") && text.contains("| bcel (30 s) |"));
        for subject in &mut measured {
            subject.bound = Bound::Steps(4000);
        }
        let text = table(page(&measured));
        assert!(text.contains("\nEach class has 4000 steps, however long they take.\n"));
    }

    #[test]
    fn pairs_are_tested_per_subject_and_over_all() {
        let rows = |subject: &str, with: [u32; 3], without: [u32; 3]| {
            let mut rows = Vec::new();
            for (seed, (with, without)) in (1..).zip(with.into_iter().zip(without)) {
                rows.push(row(subject, "mosa", seed, 2 * with));
                rows.push(row(subject, "mosa-plain", seed, 2 * without));
            }
            Measured {
                subject: subject.to_owned(),
                bound: Bound::Seconds(30),
                rows,
            }
        };
        let measured = [
            rows("bcel", [24, 25, 26], [21, 22, 23]),
            rows("jsap", [40, 41, 42], [40, 41, 39]),
        ];
        let text = table(Page {
            asked: &crate::templates::TEMPLATES.asked,
            measured: &measured,
        });
        let (_, section) = text
            .split_once("## MOSA with templates against without")
            .unwrap();
        // Four differences, all to the good: 2 of 16 ways.
        let expected = ": branch coverage\n\n| subject | points | A12 | p |\n|---|---:|---:|---:|\n\
             | bcel | +3.0 | 1.00 | 0.100 |\n| jsap | +1.0 | 0.78 | 0.500 |\n| **all** | **+2.0** | **0.89** | **0.125** |\n";
        assert!(section.starts_with(expected), "{section}");
        assert!(!text.contains("DynaMOSA with templates"), "no rows of it");
        let (_, all) = text.split_once("## All three").unwrap();
        assert!(
            all.contains("|\n| **all** | **+2.0** |") && !all.contains("| bcel |"),
            "{all}"
        );
    }
}
