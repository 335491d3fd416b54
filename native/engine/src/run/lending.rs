//! Steps that classes leave, and in a study time, for those that could use them.
//!
//! Comes in: the units of one batch, each with its steps used or left. Goes out: their results, after those that used all
//! their steps up while they still came nearer to open branches went on with what the others left: in equal parts, and
//! none with more than as much again as it had.
//! That depends on steps alone, and batches are the same for any number of workers, so the tests are.
//! In a study the clock counts and steps do not: those of the last batch whose time ended before all was covered go on,
//! one after the other, each with as large a part of the time left as it has of what is open in it and those after it.
//! Does not know: how units find anything, how much time is left.

use crate::Error;
use crate::run::defect::caught;
use crate::run::unit::{Context, Ended, Hungry, Time, UnitResult};

/// Lends, and tells of each unit that went on. `time` is asked when a unit goes on, with its part of what is left.
///
/// # Errors
/// Those of going on with a unit.
pub(crate) fn lend(
    context: Context<'_>,
    batch: Vec<Ended<'_>>,
    time: &dyn Fn(&Hungry<'_>, f64) -> Time,
    mut went_on: impl FnMut(&UnitResult),
) -> Result<Vec<UnitResult>, Error> {
    let budget = context.settings.budget;
    let left: Vec<Option<u64>> = batch
        .iter()
        .map(|ended| match ended {
            Ended::Done(unit) => Some(budget.saturating_sub(unit.steps)),
            Ended::Hungry(_) => None,
        })
        .collect();
    let more = match context.settings.generation_seconds {
        Some(_) => budget,
        None => lent(budget, &left),
    };
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
                let go_on = || hungry.go_on(context, more, time);
                let unit = caught(program, subject, go_on, |broken| broken)?;
                went_on(&unit);
                Ok(unit)
            }
        });
    units.collect()
}

/// What each unit that could go on gets. Per unit: what it left; none for those.
fn lent(budget: u64, left: &[Option<u64>]) -> u64 {
    let all: u64 = left.iter().flatten().sum();
    let hungry = left.iter().filter(|left| left.is_none()).count() as u64;
    all.checked_div(hungry).unwrap_or_default().min(budget)
}

/// Which part of what is left when its turn comes each unit gets. Per unit: targets that it could go on with.
fn parts(open: &[u32]) -> Vec<f64> {
    let mut rest: f64 = open.iter().copied().map(f64::from).sum();
    let parts = open.iter().map(|&open| {
        let open = f64::from(open);
        let part = open / rest.max(1.0);
        rest -= open;
        part
    });
    parts.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_is_shared_by_those_that_could_go_on() {
        assert_eq!(lent(100, &[Some(60), None, Some(20), None]), 40);
        assert_eq!(lent(100, &[Some(90), None, Some(90)]), 100, "as much again");
        assert_eq!(lent(100, &[None, None]), 0);
        assert_eq!(lent(100, &[Some(50)]), 0);
    }

    #[test]
    fn who_has_more_open_gets_more_of_the_time_and_the_last_one_all_that_is_left() {
        assert_eq!(parts(&[0, 60, 0, 10, 30]), [0.0, 0.6, 0.0, 0.25, 1.0]);
        assert_eq!(parts(&[5, 0]), [1.0, 0.0]);
        assert_eq!(parts(&[0]), [0.0]);
        assert!(parts(&[]).is_empty());
    }
}
