//! Figures of a study: mean and spread.
//!
//! Comes in: numbers. Goes out: [`Spread`].

use crate::rows::Row;

/// Mean and sample standard deviation of some numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    pub n: usize,
    pub mean: f64,
    /// None for a single number.
    pub deviation: Option<f64>,
}

impl Spread {
    /// None of no numbers.
    pub fn of(numbers: &[f64]) -> Option<Spread> {
        let n = numbers.len();
        if n == 0 {
            return None;
        }
        let mean = numbers.iter().sum::<f64>() / n as f64;
        let squares: f64 = numbers.iter().map(|number| (number - mean).powi(2)).sum();
        Some(Spread {
            n,
            mean,
            deviation: (n > 1).then(|| (squares / (n - 1) as f64).sqrt()),
        })
    }
}

/// Which of the two kinds of coverage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Line,
    Branch,
}

impl Kind {
    pub fn title(self) -> &'static str {
        match self {
            Kind::Line => "Line coverage in %",
            Kind::Branch => "Branch coverage in %",
        }
    }

    /// In percent.
    pub fn of(self, row: &Row) -> f64 {
        let counts = row.counts;
        let (covered, total) = match self {
            Kind::Line => (counts.line_covered, counts.line_total),
            Kind::Branch => (counts.branch_covered, counts.branch_total),
        };
        100.0 * f64::from(covered) / f64::from(total.max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_spread_is_the_sample_standard_deviation() {
        let spread = Spread::of(&[2.0, 4.0, 9.0]).unwrap();
        assert!((spread.mean - 5.0).abs() < 1e-9);
        assert!((spread.deviation.unwrap() - 13.0_f64.sqrt()).abs() < 1e-9);
        assert_eq!(Spread::of(&[7.0]).unwrap().deviation, None);
        assert_eq!(Spread::of(&[]), None);
    }
}
