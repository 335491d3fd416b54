//! Many objectives at once: each goal has its nearest test, and tests near several goals outlive others.
//!
//! Comes in: the first individuals, goals that are open now (all of them, or those of `dynamosa.rs`). Goes out: nothing
//! but what the evaluation keeps.
//! Panichella, Kifetew, Tonella, "Reformulating Branch Coverage as a Many-Objective Optimization Problem", ICST 2015.
//! Beyond the paper: in each generation operands are fed back first (`operands.rs`), and templates are made only for goals
//! that are within reach, as those of `dynamosa.rs` all are.
//! Does not know: the executor, how fitness is found.

use crate::crossover::cross;
use crate::dates::dated;
use crate::dynamosa::Current;
use crate::evaluation::Evaluation;
use crate::hunted::Origin;
use crate::individual::Individual;
use crate::mutation::mutated;
use crate::operands::fed;
use crate::parameters::{
    CROSSOVER, FED, FRESH, LONGEST, LONGEST_TEMPLATE, OFFSPRING, ON_NEAREST, POPULATION, REFINED,
    TEMPLATES, TOURNAMENT,
};
use crate::preference::{Field, Survivor};
use crate::refine::refine;
use crate::splice::tidied;
use crate::target::TargetId;
use palus_bytecode::MethodId;
use palus_sequence::{ExecutorError, Sequence};
use std::sync::Arc;

/// Hunts until the steps are used up, nothing is open, or nothing moves any more.
///
/// # Errors
/// When nothing can be run any more.
pub(crate) fn hunt(
    evaluation: &mut Evaluation<'_, '_>,
    mut population: Vec<Individual>,
    mut current: Current,
) -> Result<(), ExecutorError> {
    let mut turn = 0;
    while evaluation.left() > 0 {
        population.extend(evaluation.share()?);
        let goals = current.goals(evaluation.targets(), evaluation.goals().is_open());
        let survivors = select(evaluation, &mut population, &goals);
        let mut batch = feed(evaluation, &mut population, &survivors, &goals, turn);
        let methods = methods(evaluation, &goals);
        breed(evaluation, &population, &survivors, &methods, &mut batch);
        for _ in 0..FRESH {
            if let Some(made) = fresh(evaluation, &goals, &methods) {
                batch.push(made);
            }
        }
        if batch.is_empty() {
            turn += 1;
            if turn > 1_000 {
                return Ok(());
            }
            continue;
        }
        population.extend(evaluation.run(batch)?);
        turn += 1;
    }
    Ok(())
}

/// The methods that goals lie in, each once.
pub(crate) fn methods(evaluation: &Evaluation<'_, '_>, goals: &[TargetId]) -> Vec<MethodId> {
    let methods = goals
        .iter()
        .map(|&goal| evaluation.targets().method(goal).method);
    let mut methods: Vec<MethodId> = methods.collect();
    methods.dedup();
    methods
}

/// Leaves in the population those that outlive the generation.
fn select(
    evaluation: &mut Evaluation<'_, '_>,
    population: &mut Vec<Individual>,
    goals: &[TargetId],
) -> Vec<Survivor> {
    let mut field = Field::new(goals.len());
    for individual in population.iter() {
        let fitness = goals.iter().map(|&goal| individual.fitness.to(goal));
        field.add(fitness, individual.sequence.len());
    }
    let rng = evaluation.rng();
    let mut survivors = field.survivors(POPULATION, &mut || rng.percent(50));
    let mut kept: Vec<Option<Individual>> = population.drain(..).map(Some).collect();
    for (place, survivor) in survivors.iter_mut().enumerate() {
        let one = kept[survivor.individual].take();
        population.push(one.expect("each survives once"));
        survivor.individual = place;
    }
    survivors
}

/// First templates of goals, and sequences in which operands of the comparisons that decide goals are fed back, for the
/// nearest test of each goal.
fn feed(
    evaluation: &mut Evaluation<'_, '_>,
    population: &mut [Individual],
    survivors: &[Survivor],
    goals: &[TargetId],
    turn: usize,
) -> Vec<(Sequence, Origin)> {
    let most = evaluation.templates_at_once();
    let mut made = first_templates(evaluation, goals, most);
    if goals.is_empty() || !evaluation.feeds_operands() {
        return made;
    }
    mend_casts(evaluation, &mut made);
    let front: Vec<usize> = survivors
        .iter()
        .filter(|survivor| survivor.rank == 0)
        .map(|survivor| survivor.individual)
        .collect();
    let from = turn * 7 % goals.len();
    for &goal in goals[from..].iter().chain(&goals[..from]) {
        let near = |one: &&usize| population[**one].fitness.to(goal);
        let nearest = front
            .iter()
            .min_by(|left, right| near(left).total_cmp(&near(right)));
        let Some(&nearest) = nearest else { break };
        feed_one(evaluation, &mut population[nearest], goal, &mut made);
        if made.len() >= FED {
            return made;
        }
    }
    let most = FED.min(made.len() + REFINED);
    for &goal in goals[from..].iter().chain(&goals[..from]) {
        let near = |one: &&usize| population[**one].fitness.to(goal);
        let nearest = front
            .iter()
            .min_by(|left, right| near(left).total_cmp(&near(right)));
        let Some(&nearest) = nearest else { break };
        refine(evaluation, &population[nearest], goal, &mut made, most);
        if made.len() >= most {
            break;
        }
    }
    made
}

/// At most so many templates for goals that have not had their first ones.
pub(crate) fn first_templates(
    evaluation: &mut Evaluation<'_, '_>,
    goals: &[TargetId],
    most: usize,
) -> Vec<(Sequence, Origin)> {
    let mut made = Vec::new();
    for &goal in goals {
        if made.len() >= most {
            break;
        }
        let template = evaluation.first_template(goal);
        made.extend(template.map(|template| (template, Origin::Template)));
    }
    made
}

/// The same for one individual and goal; what does not fit into the batch is left for the next.
pub(crate) fn feed_one(
    evaluation: &mut Evaluation<'_, '_>,
    individual: &mut Individual,
    goal: TargetId,
    made: &mut Vec<(Sequence, Origin)>,
) {
    if individual.fed.contains(&goal) || !evaluation.feeds_operands() {
        return;
    }
    let program = evaluation.program();
    for comparison in individual.comparisons(goal) {
        let fed = fed(&individual.sequence, comparison);
        for changed in fed
            .into_iter()
            .chain(dated(program, &individual.sequence, comparison))
        {
            if made.len() >= FED {
                return;
            }
            let longest = LONGEST_TEMPLATE;
            if let Some(tidy) = tidied(program, &changed, longest)
                && evaluation.sources().is_new(&tidy)
            {
                made.push((tidy, Origin::Operand));
            }
        }
    }
    individual.fed.insert(goal);
}

/// Sequences that may get past casts which failed in the last batch.
pub(crate) fn mend_casts(evaluation: &mut Evaluation<'_, '_>, made: &mut Vec<(Sequence, Origin)>) {
    let program = evaluation.program();
    for mended in evaluation.mended_casts() {
        if let Some(tidy) = tidied(program, &mended, LONGEST_TEMPLATE)
            && evaluation.sources().is_new(&tidy)
        {
            made.push((tidy, Origin::Operand));
        }
    }
}

/// Adds offspring.
fn breed(
    evaluation: &mut Evaluation<'_, '_>,
    population: &[Individual],
    survivors: &[Survivor],
    methods: &[MethodId],
    batch: &mut Vec<(Sequence, Origin)>,
) {
    let program = evaluation.program();
    let end = batch.len() + OFFSPRING;
    for _ in 0..OFFSPRING {
        if batch.len() >= end {
            return;
        }
        let sources = evaluation.sources();
        let (Some(left), Some(right)) = (
            tournament(sources.rng(), survivors),
            tournament(sources.rng(), survivors),
        ) else {
            return;
        };
        let parents = [left, right].map(|parent| &population[parent].sequence);
        let crossed = if sources.rng().percent(CROSSOVER) {
            cross(sources, parents[0], parents[1])
        } else {
            None
        };
        let offspring = match crossed {
            Some((left, right)) => [left, right].map(Arc::new),
            None => parents.map(Arc::clone),
        };
        for (offspring, parent) in offspring.iter().zip(parents) {
            let tidy = tidied(program, offspring, LONGEST.max(parent.len()));
            let offspring = tidy.as_ref().unwrap_or(parent);
            if let Some(changed) = mutated(sources, offspring, methods)
                && sources.is_new(&changed)
            {
                batch.push((changed, Origin::Offspring));
            }
        }
    }
}

/// The best of some drawn survivors, by rank and then by how apart they stand.
fn tournament(rng: &mut palus_generate::Rng, survivors: &[Survivor]) -> Option<usize> {
    let mut best = *rng.pick(survivors)?;
    for _ in 1..TOURNAMENT {
        let other = *rng.pick(survivors)?;
        if (other.rank, -other.apart) < (best.rank, -best.apart) {
            best = other;
        }
    }
    Some(best.individual)
}

/// A test made afresh: a template for a drawn goal, a random one that calls the goal's method, or a changed one of the
/// archive.
fn fresh(
    evaluation: &mut Evaluation<'_, '_>,
    goals: &[TargetId],
    methods: &[MethodId],
) -> Option<(Sequence, Origin)> {
    if evaluation.rng().percent(50) {
        return made_afresh(evaluation, goals);
    }
    let known = evaluation.archived()?;
    let changed = mutated(evaluation.sources(), &known, methods)?;
    let is_new = evaluation.sources().is_new(&changed);
    is_new.then_some((changed, Origin::Fresh))
}

/// A template for a drawn goal, or a random test that calls the goal's method.
pub(crate) fn made_afresh(
    evaluation: &mut Evaluation<'_, '_>,
    goals: &[TargetId],
) -> Option<(Sequence, Origin)> {
    let &goal = evaluation.rng().pick(goals)?;
    if evaluation.takes_template(goal) && evaluation.rng().percent(TEMPLATES) {
        let is_on_nearest = evaluation.rng().percent(ON_NEAREST);
        if let Some(made) = evaluation.template(goal, is_on_nearest) {
            return Some((made, Origin::Template));
        }
    }
    let method = evaluation.targets().method(goal).method;
    let sources = evaluation.sources();
    let made = if sources.rng().percent(70) {
        sources.fresh_for(method).or_else(|| sources.fresh())?
    } else {
        sources.fresh()?
    };
    sources.is_new(&made).then_some((made, Origin::Fresh))
}
