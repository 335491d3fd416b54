//! The numbers of the search, in one place.
//!
//! Those of Panichella, Kifetew, Tonella, "Automated Test Case Generation as a Many-Objective Optimisation Problem with
//! Dynamic Selection of the Targets", TSE 2018, section 6, and Fraser, Arcuri, "Whole Test Suite Generation", TSE 2013,
//! section 4, where nothing else is said.
//! Does not know: what the numbers are used for.

/// Individuals that outlive a generation.
pub(crate) const POPULATION: usize = 50;
/// Offspring of one generation.
pub(crate) const OFFSPRING: usize = 50;
/// Individuals made afresh in one generation: a tenth of the population.
pub(crate) const FRESH: usize = POPULATION / 10;
/// Sequences with operands fed back in one generation; with the offspring they fill a batch.
pub(crate) const FED: usize = 45;
/// Sequences in one generation in which one constant is changed, of those that operands leave room for.
pub(crate) const REFINED: usize = 16;
/// Longer offspring are given up.
pub(crate) const LONGEST: usize = 100;
/// Longer templates are cut by who makes them.
pub(crate) const LONGEST_TEMPLATE: usize = 200;
/// Couples that are crossed, in percent.
pub(crate) const CROSSOVER: usize = 75;
/// Individuals that compete to be a parent.
pub(crate) const TOURNAMENT: usize = 10;
/// Fresh individuals that are templates, in percent (Lin, Ong, Sun, Fraser, Dong, "Graph-Based Seed Object Synthesis for
/// Search-Based Unit Testing", FSE 2021; the value is that of the authors' tool).
pub(crate) const TEMPLATES: usize = 30;
/// Templates that each goal gets as soon as it is one: on the run that came nearest and from nothing, in turn. Beyond the
/// paper, where chance alone gives them: of hundreds of open branches few ever got one.
pub(crate) const FIRST_TEMPLATES: u64 = 4;
/// Such templates in one generation, as long as templates yield more than all else.
pub(crate) const TEMPLATES_AT_ONCE: usize = 20;
/// Such templates in one generation otherwise.
pub(crate) const TEMPLATES_AT_LEAST: usize = 2;
/// Templates that begin with the run that came nearest, in percent.
pub(crate) const ON_NEAREST: usize = 60;
/// Of these, where the run did not reach the jump, those that change only what decides where it left the way, in percent.
pub(crate) const WHERE_LEFT: usize = 50;
/// Mutations of a number that draw a new one, in percent; the others add a delta.
pub(crate) const NEW_NUMBER: usize = 20;
/// Deltas are drawn from the normal distribution with this deviation.
pub(crate) const DEVIATION: f64 = 20.0;
/// Inserted statements that call the subject; of the others all but a fifth call an object of the sequence, in percent.
pub(crate) const INSERT_SUBJECT: usize = 50;
/// Statements that keep their object where another has it as well, in percent.
pub(crate) const REUSE: usize = 50;

/// Tests that a suite begins with at most, and that it may ever hold.
pub(crate) const SUITE: (usize, usize) = (10, 100);
/// Bias of rank selection.
pub(crate) const BIAS: f64 = 1.7;
/// A suite gets its n-th new test in one mutation with this probability, in percent, to the power of n.
pub(crate) const INSERT_TEST: usize = 10;

/// Steps without a target covered or a best fitness improved before the search gives up, at least.
pub(crate) const PATIENCE: u64 = 4_000;
/// Part of the steps so far that it waits for at least as well.
pub(crate) const PATIENCE_SHARE: u64 = 3;
/// Sequences run at once.
pub(crate) const BATCH: usize = 100;
/// Kept runs that the search starts from, at most.
pub(crate) const SEEDS: usize = 400;
