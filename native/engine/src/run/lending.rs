//! Time that classes leave, for those that could use it: in a study, or where the time limit of a run is short.
//!
//! Comes in: the units of one batch. Goes out: their results, after those of the last batch whose time ended before all was
//! covered went on, one after the other, each with as large a part of the time left as it has of what is open in it and
//! those after it. Steps are lent by nobody: what a class gets is no matter of the others.
//! Does not know: how units find anything, how much time is left.

use crate::Error;
use crate::run::defect::caught;
use crate::run::schedule::Lent;
use crate::run::unit::{Context, Ended, Hungry, Time, UnitResult};

/// Lends, and tells of each unit that went on. `time` is asked when a unit goes on, with its part of what is left.
///
/// # Errors
/// Those of going on with a unit.
pub(crate) fn lend(
    context: Context<'_>,
    batch: Vec<Ended<'_>>,
    time: &dyn Fn(&Hungry<'_>, Lent) -> Time,
    mut went_on: impl FnMut(&UnitResult),
) -> Result<Vec<UnitResult>, Error> {
    let open = batch.iter().map(|ended| match ended {
        Ended::Done(_) => 0,
        Ended::Hungry(hungry) => hungry.open(),
    });
    let parts = parts(&open.collect::<Vec<_>>());
    let units = batch
        .into_iter()
        .zip(parts)
        .map(|(ended, part)| match ended {
            Ended::Done(unit) => Ok(*unit),
            Ended::Hungry(hungry) => {
                let time = time(&hungry, part);
                let (program, subject) = (&context.project.program, hungry.subject());
                let go_on = || hungry.go_on(context, time);
                let unit = caught(program, subject, go_on, |broken| broken)?;
                went_on(&unit);
                Ok(unit)
            }
        });
    units.collect()
}

/// What each unit gets of what is left when its turn comes. Per unit: targets that it could go on with.
fn parts(open: &[u32]) -> Vec<Lent> {
    let mut rest: f64 = open.iter().copied().map(f64::from).sum();
    let mut waiting = open.iter().filter(|&&open| open > 0).count();
    let parts = open.iter().map(|&open| {
        let lent = Lent {
            part: f64::from(open) / rest.max(1.0),
            waiting,
        };
        rest -= f64::from(open);
        waiting -= usize::from(open > 0);
        lent
    });
    parts.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_has_more_open_gets_more_of_the_time_and_the_last_one_all_that_is_left() {
        let of = |open: &[u32]| -> Vec<f64> { parts(open).iter().map(|lent| lent.part).collect() };
        assert_eq!(of(&[0, 60, 0, 10, 30]), [0.0, 0.6, 0.0, 0.25, 1.0]);
        assert_eq!(of(&[5, 0]), [1.0, 0.0]);
        assert_eq!(of(&[0]), [0.0]);
        assert!(of(&[]).is_empty());
        let waiting = parts(&[0, 60, 0, 10, 30]).into_iter();
        let waiting: Vec<usize> = waiting.map(|lent| lent.waiting).collect();
        assert_eq!(waiting, [3, 3, 2, 2, 1]);
    }
}
