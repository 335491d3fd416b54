//! Steps that classes leave, for those that could use them.
//!
//! Comes in: the units of one batch, each with its steps used or left. Goes out: their results, after those that used all
//! their steps up while they still came nearer to open branches went on with what the others left: in equal parts, and
//! none with more than as much again as it had.
//! It depends on steps alone, and batches are the same for any number of workers, so the tests are.
//! Does not know: how units find anything.

use crate::Error;
use crate::unit::{Context, Ended, Time, UnitResult};

/// Lends, and tells of each unit that went on.
///
/// # Errors
/// Those of going on with a unit.
pub(crate) fn lend(
    context: Context<'_>,
    batch: Vec<Ended<'_>>,
    time: &dyn Fn() -> Time,
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
    let more = lent(budget, &left);
    let units = batch.into_iter().map(|ended| match ended {
        Ended::Done(unit) => Ok(*unit),
        Ended::Hungry(hungry) => {
            let unit = hungry.go_on(context, more, time())?;
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
}
