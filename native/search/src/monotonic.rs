//! Whole suites: an individual is a suite, and the best suite never gets worse.
//!
//! Comes in: the first tests. Goes out: nothing but what the evaluation keeps.
//! Fraser, Arcuri, "Whole Test Suite Generation", TSE 2013, sections 3 and 4. A jump counts as executed once where only
//! one test of the suite executes it, for outcomes tell smallest distances and no counts.
//! Beyond the paper: in each generation operands of the best suite's comparisons are fed back, and tests that come nearer
//! by that join a copy of it. Templates that goals get beside are run for what they cover and come near to, and join no
//! suite: they are many and long, and of a suite of many tests few change in a generation.
//! Does not know: the executor, how distances are found.
//!
//! ```text
//! suite: a test that ends at J2 (J1 taken, J2 not taken), a test with action 5 (J1 taken, J2 taken, J3 taken)
//! J1: both tests, taken 0, not taken 1: f(0) + f(1) = 0.5    J2: both tests, 0    J3: one test: 1    in all 1.5
//! ```

use crate::crossover::cut;
use crate::evaluation::Evaluation;
use crate::fitness::normalised;
use crate::hunted::Origin;
use crate::individual::Individual;
use crate::mosa::{feed_one, first_templates, made_afresh, mend_casts, methods};
use crate::mutation::mutated;
use crate::parameters::{BIAS, CROSSOVER, FED, INSERT_TEST, POPULATION, SUITE};
use crate::refine::refine;
use crate::target::{TargetId, Targets};
use palus_generate::Rng;
use palus_sequence::{ExecutorError, Sequence};
use std::cmp::Ordering;
use std::sync::Arc;

/// What suites are measured by: the jumps that had an open outcome when the hunt began, and the methods not entered.
#[derive(Clone, Debug, Default)]
struct Measure {
    jumps: Vec<u32>,
    entries: Vec<TargetId>,
}

#[derive(Clone, Debug)]
struct Suite {
    tests: Vec<Arc<Individual>>,
    fitness: f64,
    length: usize,
}

/// A suite with tests that still have to be run.
struct Unborn {
    known: Vec<Arc<Individual>>,
    new: Vec<(Sequence, Origin)>,
}

impl Measure {
    fn of(targets: &Targets, open: impl Iterator<Item = TargetId>) -> Measure {
        let mut measure = Measure::default();
        for target in open {
            match targets.get(target).branch {
                Some((jump, _)) => measure.jumps.push(jump),
                None => measure.entries.push(target),
            }
        }
        measure.jumps.dedup();
        measure
    }

    /// The sum over jumps and methods; 0 where all is covered.
    fn fitness(&self, targets: &Targets, tests: &[Arc<Individual>]) -> f64 {
        let jumps = self.jumps.iter().map(|&jump| &targets.jumps[jump as usize]);
        if tests.iter().any(|test| test.is_cut) {
            let outcomes: usize = jumps.map(|jump| jump.outcomes.len()).sum();
            return (outcomes + self.entries.len()) as f64;
        }
        // Per target: how many tests tell how near they came, and the nearest of them.
        let mut near = vec![(0_usize, f64::INFINITY); targets.list.len()];
        for test in tests {
            for &(target, distance) in test.fitness.distances() {
                let (times, nearest) = &mut near[target.index()];
                *times += 1;
                *nearest = nearest.min(distance);
            }
        }
        let mut sum = 0.0;
        for jump in jumps {
            let outcomes = jump.outcomes.clone().map(|outcome| near[outcome as usize]);
            let times = outcomes.clone().map(|(times, _)| times).max();
            sum += match times.unwrap_or(0) {
                0 => jump.outcomes.len() as f64,
                1 => jump.outcomes.len() as f64 - 1.0,
                _ => outcomes.map(|(_, nearest)| normalised(nearest)).sum(),
            };
        }
        let missed = self
            .entries
            .iter()
            .filter(|entry| near[entry.index()].0 == 0);
        sum + missed.count() as f64
    }

    fn suite(&self, targets: &Targets, tests: Vec<Arc<Individual>>) -> Suite {
        Suite {
            fitness: self.fitness(targets, &tests),
            length: tests.iter().map(|test| test.sequence.len()).sum(),
            tests,
        }
    }
}

/// Best first; of equals the shortest.
fn order(left: &Suite, right: &Suite) -> Ordering {
    let by_fitness = left.fitness.total_cmp(&right.fitness);
    by_fitness.then(left.length.cmp(&right.length))
}

/// Keeps watching the jumps that suites are measured by, covered or not.
pub(crate) fn watch_all(evaluation: &mut Evaluation<'_, '_>) {
    let measure = Measure::of(evaluation.targets(), evaluation.goals().open());
    let outcomes = measure
        .jumps
        .iter()
        .flat_map(|&jump| evaluation.targets().jumps[jump as usize].outcomes.clone());
    let all = outcomes
        .map(TargetId)
        .chain(measure.entries.iter().copied());
    let all = all.collect();
    evaluation.always_watch(all);
}

/// Hunts until the steps are used up, nothing is open, or nothing moves any more.
///
/// # Errors
/// When nothing can be run any more.
pub(crate) fn hunt(
    evaluation: &mut Evaluation<'_, '_>,
    first: Vec<Individual>,
) -> Result<(), ExecutorError> {
    let measure = Measure::of(
        evaluation.targets(),
        evaluation.goals().always().iter().copied(),
    );
    let tests: Vec<Arc<Individual>> = first.into_iter().map(Arc::new).collect();
    if tests.is_empty() {
        return Ok(());
    }
    let mut suites: Vec<Suite> = (0..POPULATION)
        .map(|_| {
            let rng = evaluation.rng();
            let count = 1 + rng.below(SUITE.0);
            let drawn = (0..count).filter_map(|_| rng.pick(&tests).cloned());
            let drawn = drawn.collect();
            measure.suite(evaluation.targets(), drawn)
        })
        .collect();
    suites.sort_by(order);
    let mut idle = 0;
    while evaluation.left() > 0 && idle < 1_000 {
        let before = evaluation.steps();
        let found = evaluation.share()?;
        join(evaluation, &measure, &mut suites, found);
        generation(evaluation, &measure, &mut suites)?;
        idle = if evaluation.steps() == before {
            idle + 1
        } else {
            0
        };
    }
    Ok(())
}

/// Lets tests that came from elsewhere into a copy of the best suite.
fn join(
    evaluation: &Evaluation<'_, '_>,
    measure: &Measure,
    suites: &mut Vec<Suite>,
    found: Vec<Individual>,
) {
    if found.is_empty() {
        return;
    }
    let mut tests = suites[0].tests.clone();
    tests.extend(found.into_iter().filter(|test| !test.is_cut).map(Arc::new));
    if tests.len() <= SUITE.1 {
        suites.push(measure.suite(evaluation.targets(), tests));
        suites.sort_by(order);
        suites.truncate(POPULATION);
    }
}

fn generation(
    evaluation: &mut Evaluation<'_, '_>,
    measure: &Measure,
    suites: &mut Vec<Suite>,
) -> Result<(), ExecutorError> {
    let goals: Vec<TargetId> = evaluation.goals().open().collect();
    let most = evaluation.templates_at_once();
    let mut batch = first_templates(evaluation, &goals, most);
    let from = batch.len();
    feed(evaluation, &mut suites[0], &goals, &mut batch);
    let fed = from..batch.len();
    let mut couples = Vec::new();
    for _ in 0..POPULATION / 2 {
        let rng = evaluation.rng();
        let parents = [rank(rng, suites.len()), rank(rng, suites.len())];
        let offspring = offspring(evaluation, suites, parents, &goals);
        let offspring = offspring.map(|mut unborn| {
            let from = batch.len();
            batch.append(&mut unborn.new);
            (unborn.known, from..batch.len())
        });
        couples.push((parents, offspring));
    }
    let born: Vec<Arc<Individual>> = evaluation.run(batch)?.into_iter().map(Arc::new).collect();
    // The steps may have ended before all were run.
    let of = |range: std::ops::Range<usize>| {
        born[range.start.min(born.len())..range.end.min(born.len())].to_vec()
    };
    let mut next = vec![suites[0].clone()];
    let mut better = suites[0].tests.clone();
    if !fed.is_empty() {
        let known = nearest(&suites[0], &goals);
        let fed = of(fed).into_iter();
        better.extend(fed.filter(|test| comes_nearer(test, &goals, &known)));
    }
    if better.len() > suites[0].tests.len() && better.len() <= SUITE.1 {
        next.push(measure.suite(evaluation.targets(), better));
    }
    for (parents, offspring) in couples {
        let offspring = offspring.map(|(mut tests, new)| {
            tests.extend(of(new));
            measure.suite(evaluation.targets(), tests)
        });
        let parents = parents.map(|parent| &suites[parent]);
        let best = |pair: [&Suite; 2]| {
            pair.iter()
                .map(|suite| suite.fitness)
                .fold(f64::INFINITY, f64::min)
        };
        let is_no_worse = best([&offspring[0], &offspring[1]]) <= best(parents);
        for (offspring, parent) in offspring.into_iter().zip(parents) {
            let is_usable = !offspring.tests.is_empty() && offspring.tests.len() <= SUITE.1;
            next.push(if is_no_worse && is_usable {
                offspring
            } else {
                parent.clone()
            });
        }
    }
    next.sort_by(order);
    next.truncate(POPULATION);
    debug_assert!(next[0].fitness <= suites[0].fitness);
    *suites = next;
    Ok(())
}

/// How near a suite comes to each goal.
fn nearest(suite: &Suite, goals: &[TargetId]) -> Vec<f64> {
    let near = |goal| {
        let known = suite.tests.iter().map(|known| known.fitness.to(goal));
        known.fold(f64::INFINITY, f64::min)
    };
    goals.iter().map(|&goal| near(goal)).collect()
}

/// True if a test comes nearer to a goal than is known, in the order of goals.
fn comes_nearer(test: &Individual, goals: &[TargetId], known: &[f64]) -> bool {
    let mut goals = goals.iter().zip(known);
    !test.is_cut && goals.any(|(&goal, &known)| test.fitness.to(goal) < known)
}

/// Operands of comparisons of the best suite, and changes of what goals depend on, for the nearest test of each goal.
fn feed(
    evaluation: &mut Evaluation<'_, '_>,
    suite: &mut Suite,
    goals: &[TargetId],
    made: &mut Vec<(Sequence, Origin)>,
) {
    if !evaluation.feeds_operands() {
        return;
    }
    mend_casts(evaluation, made);
    for &goal in goals {
        let near = |one: &&mut Arc<Individual>| one.fitness.to(goal);
        let nearest = suite
            .tests
            .iter_mut()
            .min_by(|left, right| near(left).total_cmp(&near(right)));
        let Some(nearest) = nearest else { break };
        feed_one(evaluation, Arc::make_mut(nearest), goal, made);
        refine(evaluation, nearest, goal, made, FED);
        if made.len() >= FED {
            break;
        }
    }
}

/// The place of a drawn suite, the better the likelier.
fn rank(rng: &mut Rng, count: usize) -> usize {
    let drawn = rng.even();
    let d = BIAS - (BIAS * BIAS - 4.0 * (BIAS - 1.0) * drawn).sqrt();
    let place = (count as f64 * d / 2.0 / (BIAS - 1.0)).floor() as usize;
    place.min(count - 1)
}

/// Two suites from two.
fn offspring(
    evaluation: &mut Evaluation<'_, '_>,
    suites: &[Suite],
    parents: [usize; 2],
    goals: &[TargetId],
) -> [Unborn; 2] {
    let [left, right] = parents.map(|parent| &suites[parent].tests);
    let rng = evaluation.rng();
    let mixed = if left.len() > 1 && right.len() > 1 && rng.percent(CROSSOVER) {
        let share = rng.even();
        let (at, other) = (cut(left.len(), share), cut(right.len(), share));
        let join = |head: &[Arc<Individual>], tail: &[Arc<Individual>]| [head, tail].concat();
        [
            join(&left[..at], &right[other..]),
            join(&right[..other], &left[at..]),
        ]
    } else {
        [left.clone(), right.clone()]
    };
    mixed.map(|tests| changed(evaluation, tests, goals))
}

/// Changes tests of a suite and adds some.
fn changed(
    evaluation: &mut Evaluation<'_, '_>,
    tests: Vec<Arc<Individual>>,
    goals: &[TargetId],
) -> Unborn {
    let methods = methods(evaluation, goals);
    let count = tests.len();
    let mut unborn = Unborn {
        known: Vec::with_capacity(count),
        new: Vec::new(),
    };
    for test in tests {
        if evaluation.rng().below(count) == 0
            && let Some(made) = mutated(evaluation.sources(), &test.sequence, &methods)
            && evaluation.sources().is_new(&made)
        {
            unborn.new.push((made, Origin::Offspring));
        } else {
            unborn.known.push(test);
        }
    }
    let mut count = 1;
    while unborn.known.len() + unborn.new.len() < SUITE.1
        && (0..count).all(|_| evaluation.rng().percent(INSERT_TEST))
    {
        match made_afresh(evaluation, goals) {
            Some(made) => unborn.new.push(made),
            None => break,
        }
        count += 1;
    }
    unborn
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fitness::Fitness;
    use crate::tests::vectors::{ACTION_5, NO_TARGET, game, nearness};

    fn test(targets: &Targets, jumps: &[(f64, f64)], is_cut: bool) -> Arc<Individual> {
        Arc::new(Individual {
            sequence: Arc::new(Sequence::default()),
            fitness: Fitness::of(targets, &nearness(targets, jumps)),
            comparisons: Vec::new().into(),
            fed: std::collections::BTreeSet::new(),
            is_cut,
        })
    }

    #[test]
    fn a_suite_is_measured_by_all_jumps_and_methods() {
        let (_, targets) = game();
        let measure = Measure::of(&targets, targets.all());
        let of = |tests: Vec<Arc<Individual>>| measure.suite(&targets, tests).fitness;
        let tests = vec![
            test(&targets, NO_TARGET, false),
            test(&targets, ACTION_5, false),
        ];
        assert!((of(tests.clone()) - 1.5).abs() < 1e-12, "{}", of(tests));
        assert!((of(Vec::new()) - 8.0).abs() < 1e-12);
        // A test that hung spoils the suite.
        assert!((of(vec![test(&targets, ACTION_5, true)]) - 8.0).abs() < 1e-12);
    }

    #[test]
    fn better_suites_are_drawn_more_often() {
        let mut rng = Rng::of(1, "");
        let mut counts = [0; 50];
        for _ in 0..10_000 {
            counts[rank(&mut rng, 50)] += 1;
        }
        let (first, last): (u32, u32) = (counts[..10].iter().sum(), counts[40..].iter().sum());
        assert!(first > 3 * last, "{counts:?}");
    }
}
