//! Which faults finished tests notice, and by which of their assertions.
//!
//! Comes in: sequences with what is known of each statement, the classes whose faults count, an executor.
//! Goes out: a [`Matrix`] of tests, what they could assert, and the mutants that each of it kills.
//! All run once with no mutant on. Each mutant then runs with those only that come to it where it makes a difference: with
//! any other it changes nothing (weak mutation; Howden, "Weak mutation testing and completeness of test sets", TSE 1982).
//! Does not know: how mutants are made, which assertions are kept.
//!
//! ```text
//! test           ends otherwise   push's result   size()   isEmpty()
//! push, full     #3 #4            -               #1       #1 #2        #3 is killed whatever is asserted
//! ```

use crate::assertion::{Expected, expected_of};
use crate::minimize::run_all;
use crate::scope::Scope;
use crate::told::{Told, told};
use palus_bytecode::{ClassId, MethodId};
use palus_sequence::{End, Executor, ExecutorError, Mutant, Observation, Outcome, Sequence};
use std::collections::{BTreeMap, BTreeSet};

/// Runs with a mutant on, for one class; where more would be needed, each mutant runs with some of the tests that come to it.
const MOST_RUNS: usize = 20_000;
/// Tests that run first with a mutant: what they show of it may spare the others.
const FIRST: usize = 4;
/// Mutants that may end their worker or take too much time; no other runs after that.
const MOST_LOSSES: usize = 5;
/// What a run with a mutant may cost: so many times what the dearest costs without, and so much more.
const COST: (u32, u32) = (10, 1_000);

/// A test that could assert more than it will.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate<'a> {
    /// What it does.
    pub(crate) sequence: &'a Sequence,
    /// Statements before those that only observe.
    pub(crate) length: usize,
    /// How it ends.
    pub(crate) end: &'a End,
    /// What it asserts of the exception that ends it.
    pub(crate) told: &'a [Told],
    /// By statement: what it may assert.
    pub(crate) expected: &'a [Option<Expected>],
}

/// Mutants, by place, that a test kills.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Kills {
    /// Those with which it ends otherwise, whatever it asserts.
    pub(crate) by_end: BTreeSet<u32>,
    /// Those with which a statement gives something else, or is an observer that ends the test.
    pub(crate) by_statement: BTreeMap<usize, BTreeSet<u32>>,
    /// Those that make a difference before anything is observed: the others are faults of observers alone.
    pub(crate) own: BTreeSet<u32>,
    /// Those that make one before the call that the test is about.
    pub(crate) of_set_up: BTreeSet<u32>,
    /// Those that it comes to before anything is observed, whether they make a difference or not.
    pub(crate) reached: BTreeSet<u32>,
}

/// What is known of all tests of a class.
#[derive(Clone, Debug, Default)]
pub(crate) struct Matrix {
    /// All mutants.
    pub(crate) mutants: Vec<Mutant>,
    /// Those that a test comes to.
    pub(crate) covered: BTreeSet<u32>,
    /// By test; none where it ran otherwise with no mutant on.
    pub(crate) kills: Vec<Option<Kills>>,
    /// True where some tests did not run with each mutant that makes a difference in them.
    pub(crate) is_cut: bool,
}

/// Runs tests with the mutants of these classes, or with some of them only; where time is over before, with the first of
/// them.
///
/// # Errors
/// [`ExecutorError`] when nothing can be run any more.
pub(crate) fn matrix(
    scope: Scope<'_>,
    classes: &[ClassId],
    only: Option<&BTreeSet<u32>>,
    candidates: &[Candidate<'_>],
    executor: &mut dyn Executor,
) -> Result<Matrix, ExecutorError> {
    let mut matrix = Matrix {
        kills: vec![None; candidates.len()],
        ..Matrix::default()
    };
    if candidates.is_empty() {
        return Ok(matrix);
    }
    matrix.mutants = executor.begin_mutated(classes)?;
    if matrix.mutants.is_empty() {
        return Ok(matrix);
    }
    let sequences: Vec<Sequence> = candidates.iter().map(|one| one.sequence.clone()).collect();
    let usual = run_all(executor, &sequences)?;
    let bodies = prefixes(candidates, |one| one.length, executor)?;
    let set_ups = prefixes(candidates, |one| one.length - 1, executor)?;
    let mut reached: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (index, (candidate, outcome)) in candidates.iter().zip(&usual).enumerate() {
        matrix
            .covered
            .extend(outcome.reached.iter().map(|one| one.mutant));
        let kills = noticed(scope, *candidate, outcome, 0, None);
        if kills != Kills::default() {
            continue; // it depends on what ran before
        }
        matrix.kills[index] = Some(Kills {
            own: infected(&bodies[index]),
            of_set_up: infected(&set_ups[index]),
            reached: bodies[index].reached.iter().map(|one| one.mutant).collect(),
            ..kills
        });
        for mutant in infected(outcome) {
            if only.is_none_or(|only| only.contains(&mutant)) {
                reached.entry(mutant).or_default().push(index);
            }
        }
    }
    let runs: usize = reached.values().map(Vec::len).sum();
    let most = if runs > MOST_RUNS {
        (MOST_RUNS / reached.len()).max(1)
    } else {
        usize::MAX
    };
    matrix.is_cut = most < usize::MAX;
    let turn = Turns {
        scope,
        mutants: &matrix.mutants,
        candidates,
        sequences: &sequences,
        usual: &usual,
        most,
    };
    let tried = turn.all(reached, &mut matrix.kills, executor);
    matrix.is_cut |= !matches!(tried, Ok(true));
    match tried.and_then(|_| executor.begin()) {
        Ok(()) => Ok(matrix),
        // What is known by then is true. Whoever runs something next is to meet no mutant, whether it begins anew or not.
        Err(ExecutorError::OutOfTime) => {
            executor.turn_on(None, u32::MAX)?;
            Ok(matrix)
        }
        Err(error) => Err(error),
    }
}

/// What mutants are turned on for, one after the other.
struct Turns<'a> {
    scope: Scope<'a>,
    mutants: &'a [Mutant],
    candidates: &'a [Candidate<'a>],
    sequences: &'a [Sequence],
    /// What they do with no mutant on.
    usual: &'a [Outcome],
    /// How many of the tests that come to a mutant run with it.
    most: usize,
}

impl Turns<'_> {
    /// False where it ended before all had their turn.
    fn all(
        &self,
        reached: BTreeMap<u32, Vec<usize>>,
        kills: &mut [Option<Kills>],
        executor: &mut dyn Executor,
    ) -> Result<bool, ExecutorError> {
        let mut losses = 0;
        for (mutant, tests) in reached {
            let tests = spread(&tests, self.most);
            let dearest = tests.iter().map(|&test| self.usual[test].cost).max();
            let cost = dearest
                .unwrap_or(0)
                .saturating_mul(COST.0)
                .saturating_add(COST.1);
            executor.turn_on(Some(mutant), cost)?;
            let of = &self.mutants[mutant as usize];
            let at =
                self.scope
                    .program
                    .declared_method(ClassId(of.class), &of.method, &of.descriptor);
            let (first, rest) = tests.split_at(tests.len().min(FIRST));
            for part in [first, rest] {
                let batch: Vec<Sequence> = part
                    .iter()
                    .map(|&test| self.sequences[test].clone())
                    .collect();
                let outcomes = run_all(executor, &batch)?;
                let mut is_loss = false;
                for (&test, outcome) in part.iter().zip(&outcomes) {
                    is_loss |= matches!(outcome.end, End::Crashed(_) | End::TimedOut);
                    let found = noticed(self.scope, self.candidates[test], outcome, mutant, at);
                    if let Some(kills) = &mut kills[test] {
                        kills.add(found);
                    }
                }
                if is_loss {
                    losses += 1;
                    break;
                }
            }
            if losses >= MOST_LOSSES {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

impl Kills {
    /// What it kills besides.
    pub(crate) fn add(&mut self, other: Kills) {
        self.by_end.extend(other.by_end);
        for (statement, mutants) in other.by_statement {
            self.by_statement
                .entry(statement)
                .or_default()
                .extend(mutants);
        }
    }

    /// What the test kills if it asserts what these statements give.
    pub(crate) fn of(&self, statements: impl Iterator<Item = usize>) -> BTreeSet<u32> {
        let mut killed = self.by_end.clone();
        for statement in statements {
            killed.extend(self.by_statement.get(&statement).into_iter().flatten());
        }
        killed
    }

    /// Statements to assert, out of some in the order of their worth: of each group of those that say what the call gave always
    /// one, that which kills most; then as long as there is one that kills what nothing before it kills, that which kills most of it.
    /// What the call neither gave nor changed counts only for faults that the set-up does not meet.
    pub(crate) fn choose(
        &self,
        ranked: &[usize],
        of_result: &[&[usize]],
        near: &[usize],
        most: usize,
    ) -> Vec<usize> {
        let mut killed = self.by_end.clone();
        let mut chosen: Vec<usize> = Vec::new();
        for group in of_result {
            let has_one = chosen.iter().any(|one| group.contains(one));
            if let Some(best) = self.best(group, near, &killed).filter(|_| !has_one) {
                chosen.push(best);
                killed = self.of(chosen.iter().copied());
            }
        }
        while chosen.len() < most {
            let best = self.best(ranked, near, &killed);
            let Some(best) = best.filter(|&best| self.own_gain(best, near, &killed) > 0) else {
                break;
            };
            chosen.push(best);
            killed = self.of(chosen.iter().copied());
        }
        chosen
    }
}

impl Kills {
    /// How many mutants a statement kills beside those.
    pub(crate) fn gain(&self, statement: usize, killed: &BTreeSet<u32>) -> usize {
        let of = self.by_statement.get(&statement);
        of.map_or(0, |mutants| mutants.difference(killed).count())
    }

    /// How many of the test's own mutants a statement kills beside those.
    fn own_gain(&self, statement: usize, near: &[usize], killed: &BTreeSet<u32>) -> usize {
        let is_near = near.contains(&statement);
        let counts = |mutant: &&u32| {
            let is_own = self.own.contains(mutant) && !killed.contains(mutant);
            is_own && (is_near || !self.of_set_up.contains(mutant))
        };
        let of = self.by_statement.get(&statement);
        of.map_or(0, |mutants| mutants.iter().filter(counts).count())
    }

    /// The statement that kills most of its own beside those, of several the first.
    fn best(&self, statements: &[usize], near: &[usize], killed: &BTreeSet<u32>) -> Option<usize> {
        // `max_by_key` takes the last.
        let statements = statements.iter().rev().copied();
        statements.max_by_key(|&statement| self.own_gain(statement, near, killed))
    }
}

/// By candidate: what so many of its first statements do.
fn prefixes(
    candidates: &[Candidate<'_>],
    length: impl Fn(&Candidate<'_>) -> usize,
    executor: &mut dyn Executor,
) -> Result<Vec<Outcome>, ExecutorError> {
    let prefixes = candidates
        .iter()
        .map(|one| one.sequence.prefix(length(one)));
    run_all(executor, &prefixes.collect::<Vec<_>>())
}

/// The mutants that make a difference in a run that comes to them.
pub(crate) fn infected(outcome: &Outcome) -> BTreeSet<u32> {
    let reached = outcome.reached.iter().filter(|one| one.is_infected);
    reached.map(|one| one.mutant).collect()
}

/// At most so many, spread evenly.
fn spread(tests: &[usize], most: usize) -> Vec<usize> {
    let count = tests.len().min(most);
    (0..count)
        .map(|at| tests[at * tests.len() / count])
        .collect()
}

/// Whether what a value is compared with is made, or compared, by the code with the mutant: both may be wrong alike.
fn is_on_both_sides(scope: Scope<'_>, wanted: Option<&Expected>, at: Option<MethodId>) -> bool {
    let (Some(Expected::Made(made)), Some(at)) = (wanted, at) else {
        return false;
    };
    let mutated = scope.program.method(at);
    made.calls(&|method| {
        let is_of_class = scope.program.method(method).class == mutated.class;
        method == at || is_of_class && (mutated.is_constructor() || &*mutated.name == "equals")
    })
}

/// What of a test tells this outcome from that without a mutant, which is one of a method.
pub(crate) fn noticed(
    scope: Scope<'_>,
    candidate: Candidate<'_>,
    outcome: &Outcome,
    mutant: u32,
    at: Option<MethodId>,
) -> Kills {
    let mut kills = Kills::default();
    let done = outcome.observations.len();
    let is_same = match (candidate.end, &outcome.end) {
        (End::Completed, End::Completed) => true,
        (End::Threw(wanted), End::Threw(thrown)) => {
            let told = told(scope, candidate.sequence, &outcome.end);
            let is_told = candidate.told.iter().all(|one| told.contains(one));
            wanted.class == thrown.class && wanted.statement == thrown.statement && is_told
        }
        _ => false,
    };
    if !is_same {
        if *candidate.end == End::Completed && done >= candidate.length {
            kills.by_statement.entry(done).or_default().insert(mutant);
        } else {
            kills.by_end.insert(mutant);
        }
    }
    let seen = |index: usize| {
        let observation: Option<&Observation> = outcome.observations.get(index);
        let statement = &candidate.sequence.statements()[index];
        observation.and_then(|one| expected_of(scope, statement, one))
    };
    for (index, wanted) in candidate.expected.iter().enumerate().take(done) {
        let is_same = match (wanted, seen(index)) {
            (None, _) => true,
            // All that is said of it is that it is there.
            (Some(Expected::NotNull), Some(seen)) => seen != Expected::Null,
            (Some(wanted), seen) => seen.as_ref() == Some(wanted),
        };
        if !is_same && !is_on_both_sides(scope, wanted.as_ref(), at) {
            kills.by_statement.entry(index).or_default().insert(mutant);
        }
    }
    kills
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kills(by_end: &[u32], by_statement: &[(usize, &[u32])]) -> Kills {
        let by_statement = by_statement.iter();
        Kills {
            own: (0..10).collect(),
            of_set_up: BTreeSet::new(),
            reached: BTreeSet::new(),
            by_end: by_end.iter().copied().collect(),
            by_statement: by_statement
                .map(|(statement, mutants)| (*statement, mutants.iter().copied().collect()))
                .collect(),
        }
    }

    #[test]
    fn what_kills_nothing_more_is_not_asserted() {
        let kills = kills(&[1], &[(2, &[1]), (3, &[2, 3]), (4, &[3, 4, 5]), (5, &[2])]);
        assert_eq!(kills.choose(&[2, 3, 4, 5], &[], &[], 5), [4, 3]);
        assert_eq!(kills.choose(&[2, 5, 3, 4], &[], &[], 5), [4, 5]);
        assert_eq!(kills.choose(&[3, 4], &[], &[], 1), [4]);
    }

    #[test]
    fn the_result_of_the_call_stays_whatever_it_kills() {
        let kills = kills(&[], &[(2, &[1]), (3, &[1, 2])]);
        assert_eq!(kills.choose(&[7, 2, 3], &[&[7]], &[], 5), [7, 3]);
    }

    #[test]
    fn of_what_the_result_says_that_stays_which_kills_most() {
        let kills = kills(&[1], &[(2, &[1]), (3, &[2]), (4, &[2, 3]), (9, &[2, 3, 4])]);
        assert_eq!(kills.choose(&[2, 3, 4, 9], &[&[2, 3, 4]], &[], 5), [4, 9]);
    }

    #[test]
    fn a_group_that_has_one_gets_no_other() {
        let kills = kills(&[], &[(2, &[1]), (3, &[]), (4, &[])]);
        assert_eq!(
            kills.choose(&[2, 3, 4], &[&[2, 3, 4], &[3, 4]], &[], 5),
            [2, 3]
        );
        assert_eq!(kills.choose(&[2, 3, 4], &[&[3, 4], &[3]], &[], 5), [3, 2]);
    }

    #[test]
    fn faults_of_observers_and_of_the_set_up_are_no_reason() {
        let mut kills = kills(&[], &[(2, &[1]), (3, &[2]), (4, &[3]), (5, &[20])]);
        kills.of_set_up = BTreeSet::from([1, 2]);
        assert_eq!(kills.choose(&[5, 2, 3, 4], &[], &[3], 5), [3, 4]);
    }

    #[test]
    fn one_stays_where_none_kills_anything() {
        assert_eq!(
            kills(&[1], &[(4, &[1])]).choose(&[4, 5], &[], &[], 5),
            [] as [usize; 0]
        );
        assert!(kills(&[1], &[]).choose(&[], &[], &[], 5).is_empty());
    }

    #[test]
    fn a_sample_is_spread_over_all() {
        assert_eq!(spread(&[10, 11, 12, 13, 14, 15], 3), [10, 12, 14]);
        assert_eq!(spread(&[10, 11], 3), [10, 11]);
    }

    #[test]
    fn a_fault_of_what_makes_the_expected_value_is_not_noticed_by_comparing_with_it() {
        let price = "package demo; public final class Price {
          private final int cents; Price(int cents) { this.cents = cents; }
          static Price of(int cents) { return new Price(cents); }
          public boolean equals(Object other) { return other instanceof Price && cents == ((Price) other).cents; }
          public int hashCode() { return 1; } public Price half() { return this; } }";
        let subject = crate::testing::subject(&[("demo/Price.java", price)]);
        let program = &subject.program;
        let class = program.class(subject.class("demo/Price"));
        let method = |name: &str| {
            let mut methods = class.methods.iter().copied();
            methods.find(|&id| &*program.method(id).name == name)
        };
        let scope = Scope {
            program,
            package: "demo",
            makers: &BTreeMap::new(),
        };
        let made = Some(Expected::Made(crate::Made::Called {
            method: method("of").unwrap(),
            arguments: Vec::new(),
        }));
        for (name, is_excused) in [
            ("<init>", true),
            ("of", true),
            ("equals", true),
            ("half", false),
        ] {
            assert_eq!(
                is_on_both_sides(scope, made.as_ref(), method(name)),
                is_excused,
                "{name}"
            );
        }
    }
}
