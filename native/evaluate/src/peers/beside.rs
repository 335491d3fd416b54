//! What the rows of the peers' study do not hold: tests left out, and time beside generation.
//!
//! Comes in: one [`Beside`] per row. Goes out: its line in a file, and sections of the table.
//! Does not know: how anything was measured.

use crate::figures::Spread;
use crate::rows::{Record, latest};
use crate::table::{self, Page};
use std::fmt::Write as _;
use std::path::Path;

/// What belongs to one row.
#[derive(Clone, Debug, PartialEq)]
pub struct Beside {
    pub subject: String,
    pub mode: String,
    pub seed: u64,
    /// Tests that the tool wrote.
    pub written: u64,
    pub uncompilable: u64,
    pub failing: u64,
    /// Seconds of the existing tests' traced run; 0 for tools that need none.
    pub trace_seconds: f64,
    /// Seconds of compiling, running and measuring the tests.
    pub verify_seconds: f64,
    /// Version of the Java that made the tests and ran them.
    pub java: String,
}

impl Record for Beside {
    const HEADER: &'static str =
        "subject,mode,seed,written,uncompilable,failing,trace_s,verify_s,java";

    fn text(&self) -> String {
        format!(
            "{},{},{},{},{},{},{:.1},{:.1},{}",
            self.subject,
            self.mode,
            self.seed,
            self.written,
            self.uncompilable,
            self.failing,
            self.trace_seconds,
            self.verify_seconds,
            self.java
        )
    }

    fn read(line: &str) -> Option<Beside> {
        let fields: Vec<&str> = line.split(',').collect();
        let [
            subject,
            mode,
            seed,
            written,
            uncompilable,
            failing,
            trace,
            verify,
            java,
        ] = fields[..]
        else {
            return None;
        };
        Some(Beside {
            subject: subject.to_owned(),
            mode: mode.to_owned(),
            seed: seed.parse().ok()?,
            written: written.parse().ok()?,
            uncompilable: uncompilable.parse().ok()?,
            failing: failing.parse().ok()?,
            trace_seconds: trace.parse().ok()?,
            verify_seconds: verify.parse().ok()?,
            java: java.to_owned(),
        })
    }
}

/// Sections about all files in `folder`.
pub fn sections(page: Page<'_>, folder: &Path) -> Result<String, String> {
    let mut all: Vec<Beside> = Vec::new();
    for subject in page.measured {
        let file = folder.join(format!("{}.csv", subject.subject));
        all.extend(latest(&file, |row: &Beside| (row.mode.clone(), row.seed))?);
    }
    Ok(written(page, &all))
}

fn written(page: Page<'_>, all: &[Beside]) -> String {
    let modes: Vec<&str> = page.modes().iter().map(|mode| mode.name).collect();
    let mut text = String::new();
    let mean = |subject: &str, mode: &str, figure: &dyn Fn(&Beside) -> f64| {
        let rows = all
            .iter()
            .filter(|row| row.subject == subject && row.mode == mode);
        Spread::of(&rows.map(figure).collect::<Vec<f64>>()).map(|spread| spread.mean)
    };
    let mut section = |title: &str, cell: &dyn Fn(&str, &str) -> Option<String>| {
        table::section(&mut text, page, title, cell);
    };
    section(
        "Tests written, of these not compiled and failing at first: mean",
        &|subject, mode| {
            let written = mean(subject, mode, &|row| row.written as f64)?;
            let uncompilable = mean(subject, mode, &|row| row.uncompilable as f64)?;
            let failing = mean(subject, mode, &|row| row.failing as f64)?;
            Some(format!("{written:.0}, {uncompilable:.1} and {failing:.1}"))
        },
    );
    section(
        "Seconds of generation, JVM start included: mean",
        &|subject, mode| table::seconds(page, subject, mode),
    );
    section(
        "Seconds beside generation: tracing, and verifying",
        &|subject, mode| {
            let trace = mean(subject, mode, &|row| row.trace_seconds)?;
            let verify = mean(subject, mode, &|row| row.verify_seconds)?;
            Some(format!("{trace:.1} and {verify:.1}"))
        },
    );
    let javas: Vec<String> = modes
        .iter()
        .filter_map(|mode| {
            let mut versions: Vec<&str> = all
                .iter()
                .filter(|row| row.mode == *mode)
                .map(|row| row.java.as_str())
                .collect();
            versions.sort_unstable();
            versions.dedup();
            (!versions.is_empty()).then(|| format!("{mode} {}", versions.join(" and ")))
        })
        .collect();
    let _ = writeln!(
        text,
        "Java that made and ran the tests: {}.",
        javas.join(", ")
    );
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::peers::PEERS;
    use crate::table::Measured;
    use crate::table::tests::row;

    fn beside(mode: &str, seed: u64, failing: u64) -> Beside {
        Beside {
            subject: "bcel".to_owned(),
            mode: mode.to_owned(),
            seed,
            written: 100,
            uncompilable: 1,
            failing,
            trace_seconds: 2.0,
            verify_seconds: 3.5,
            java: "17.0.1".to_owned(),
        }
    }

    #[test]
    fn a_line_is_read_as_it_was_written() {
        let one = beside("evosuite", 3, 7);
        assert_eq!(one.text(), "bcel,evosuite,3,100,1,7,2.0,3.5,17.0.1");
        assert_eq!(Beside::read(&one.text()), Some(one));
        assert_eq!(Beside::read("bcel,evosuite"), None);
    }

    #[test]
    fn what_was_left_out_is_told_as_a_mean_of_the_seeds() {
        let measured = [Measured {
            subject: "bcel".to_owned(),
            bound: crate::bound::Bound::Seconds(30),
            rows: vec![row("bcel", "palus", 1, 50), row("bcel", "randoop", 1, 40)],
        }];
        let page = Page {
            asked: &PEERS.asked,
            measured: &measured,
        };
        let text = written(page, &[beside("palus", 1, 2), beside("palus", 2, 5)]);
        assert!(text.contains("| subject | palus | randoop |"), "{text}");
        assert!(text.contains("| bcel | 100, 1.0 and 3.5 | - |"), "{text}");
        assert!(text.contains("| bcel | 30.0 | 30.0 |"), "{text}");
        assert!(text.contains("| bcel | 2.0 and 3.5 | - |"), "{text}");
        assert!(
            text.ends_with("Java that made and ran the tests: palus 17.0.1.\n"),
            "{text}"
        );
    }
}
