//! What bounds the generation of a row: time, or steps.
//!
//! Comes in: a number. Goes out: how it stands in names of files, in `<subject>.budget`, in tables and plots.
//! Does not know: who counts, and what a row is.

use std::fmt;

/// What bounds the generation of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Bound {
    /// Wall-clock seconds of all classes of a subject together.
    Seconds(u64),
    /// Steps (executed sequences) of each class, however long they take.
    Steps(u64),
}

impl Bound {
    /// Reads what [`Bound::tag`] wrote.
    pub fn read(tag: &str) -> Option<Bound> {
        match tag.strip_suffix("steps") {
            Some(steps) => steps.parse().ok().map(Bound::Steps),
            None => tag.strip_suffix('s')?.parse().ok().map(Bound::Seconds),
        }
    }

    /// In one word, for files: `60s`, `4000steps`.
    pub fn tag(self) -> String {
        match self {
            Bound::Seconds(seconds) => format!("{seconds}s"),
            Bound::Steps(steps) => format!("{steps}steps"),
        }
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Bound::Seconds(seconds) => write!(f, "{seconds} s"),
            Bound::Steps(steps) => write!(f, "{steps} steps a class"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_is_read_as_it_was_written_and_time_is_never_taken_for_steps() {
        for bound in [Bound::Seconds(60), Bound::Steps(60)] {
            assert_eq!(Bound::read(&bound.tag()), Some(bound));
        }
        assert_eq!(Bound::read("60"), None);
        assert_eq!(Bound::read("manysteps"), None);
    }
}
