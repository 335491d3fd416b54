//! A row of the study of growth.
//!
//! Comes in: a line of its file. Goes out: [`Grown`], and back.
//! Does not know: how it is measured, how it is drawn.

use crate::rows::Record;

/// One measurement.
#[derive(Clone, Debug, PartialEq)]
pub struct Grown {
    pub subject: String,
    /// Classes that were asked for, and that the engine found something to do for.
    pub size: u64,
    pub classes: u64,
    pub seed: u64,
    /// For each class.
    pub steps: u64,
    pub generation_seconds: f64,
    pub wall_seconds: f64,
    pub peak_mib: f64,
    pub tests: u64,
}

impl Record for Grown {
    const HEADER: &'static str =
        "subject,size,classes,seed,steps,generation_s,wall_s,engine_peak_mib,tests";

    fn text(&self) -> String {
        format!(
            "{},{},{},{},{},{:.1},{:.1},{:.1},{}",
            self.subject,
            self.size,
            self.classes,
            self.seed,
            self.steps,
            self.generation_seconds,
            self.wall_seconds,
            self.peak_mib,
            self.tests
        )
    }

    fn read(line: &str) -> Option<Grown> {
        let fields: Vec<&str> = line.split(',').collect();
        let [
            subject,
            size,
            classes,
            seed,
            steps,
            generation,
            wall,
            peak,
            tests,
        ] = fields[..]
        else {
            return None;
        };
        Some(Grown {
            subject: subject.to_owned(),
            size: size.parse().ok()?,
            classes: classes.parse().ok()?,
            seed: seed.parse().ok()?,
            steps: steps.parse().ok()?,
            generation_seconds: generation.parse().ok()?,
            wall_seconds: wall.parse().ok()?,
            peak_mib: peak.parse().ok()?,
            tests: tests.parse().ok()?,
        })
    }
}
