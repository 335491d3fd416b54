//! In which order a unit's phases come, and how much each may take.
//!
//! Comes in: a generator, and the models that matter to it. Goes out: what the phases leave in the generator.
//! The trace's histories and tests come first. In mode `Full` generation led by models, random generation with cheap
//! objects, and random generation with any then take turns (`turns.rs`), as what each yields for its cost decides; the
//! other modes, which are for comparisons, give each a fixed share.
//! Cheap and dear objects have turns of their own, for neither is better everywhere (30 s on ten classes each, three
//! seeds, branches): where the traced tests make dear ones that hardly matter, as Rhino's scopes with all standard
//! objects, 48.3 % became 54.4 %; where all depends on them, as on HSQLDB's open tables, cheap ones alone lost 6 of 63.
//! Turns can be taken when all phases are over, too, as long as something else has steps to lend.
//! Does not know: how candidates are made, what else hunts open branches.

use crate::draft::Candidate;
use crate::generator::Generator;
use crate::guided::Guided;
use crate::maker::Maker;
use crate::mode::Mode;
use crate::pool::Thrift;
use crate::turns::{TURN, Turns};
use palus_sequence::{Executor, ExecutorError};
use std::cell::RefCell;

/// Share of the steps, in percent, after which models no longer lead, in the modes for comparisons. 40 : 60 as in Zhang,
/// Saff, Bu, Ernst, "Combined Static and Dynamic Automated Test Generation", ISSTA 2011, section 4.
const GUIDED_FIRST: u64 = 40;
/// Share of the steps, in percent, after which the trace's histories are no longer replayed.
const HISTORIES_FIRST: u64 = 10;
/// The same of its tests.
const REPLAY_FIRST: u64 = 20;
/// Share of the steps, in percent, of the random phase that comes before models lead, in mode `Palulu`.
const RANDOM_FIRST: u64 = 50;

/// The phases that take turns: led by models, random with cheap objects, and random with any.
const LED: usize = 0;
const FRUGAL: usize = 1;
const RANDOM: [bool; 3] = [false, true, true];

/// The phases of one unit: led by models where there are some, and random.
pub(crate) struct Phases<'a> {
    guided: Option<Guided<'a>>,
    turns: Turns<3>,
    /// Per phase: whether it still finds something to try.
    goes_on: [bool; 3],
}

impl<'a> Phases<'a> {
    /// None was run yet.
    pub fn of(generator: &Generator<'a>) -> Phases<'a> {
        let has_models = generator.maker().unit().mode.has_models();
        let guided = has_models.then(|| Guided::new(generator.maker())).flatten();
        Phases {
            goes_on: [
                guided.as_ref().is_some_and(Guided::leads),
                // Modes for comparisons do not know what objects cost.
                !generator.maker().unit().mode.is_plain(),
                true,
            ],
            guided,
            turns: Turns::default(),
        }
    }

    /// The models, and what was led to their nodes; none without a trace.
    pub fn guided(&self) -> Option<&Guided<'a>> {
        self.guided.as_ref()
    }

    /// Runs all phases.
    ///
    /// # Errors
    /// When nothing can be run any more.
    pub fn run(
        &mut self,
        generator: &mut Generator<'a>,
        executor: &mut dyn Executor,
    ) -> Result<(), ExecutorError> {
        if generator.maker().calls().targets().is_empty() {
            return Ok(());
        }
        let mode = generator.maker().unit().mode;
        let Some(guided) = &mut self.guided else {
            generator.ledger_mut().budget_mut().begin_last();
            return if mode.is_plain() {
                wander(generator, executor)
            } else {
                self.take_turns(generator, executor)
            };
        };
        if mode == Mode::Palulu {
            generator.ledger_mut().budget_mut().begin(RANDOM_FIRST);
            wander(generator, executor)?;
            generator.ledger_mut().budget_mut().begin_last();
            return lead(generator, executor, guided);
        }
        let is_all_guided = mode == Mode::Literal && generator.leave_out_covered();
        if is_all_guided {
            generator.ledger_mut().budget_mut().begin_last();
            return lead(generator, executor, guided);
        }
        if mode == Mode::Full {
            replay(generator, executor, guided)?;
            generator.ledger_mut().budget_mut().begin_last();
            return self.take_turns(generator, executor);
        }
        if guided.leads() {
            generator.ledger_mut().budget_mut().begin(GUIDED_FIRST);
            lead(generator, executor, guided)?;
        }
        generator.ledger_mut().budget_mut().begin_last();
        wander(generator, executor)
    }

    /// Turn by turn, as long as the budget's phase lasts.
    ///
    /// # Errors
    /// When nothing can be run any more.
    pub fn take_turns(
        &mut self,
        generator: &mut Generator<'a>,
        executor: &mut dyn Executor,
    ) -> Result<(), ExecutorError> {
        while generator.ledger().budget().left() > 0
            && !executor.is_over(generator.ledger().budget().percent())
            && let Some(phase) = self.turns.next(self.goes_on)
        {
            let (effort, gains) = (
                generator.ledger().budget().effort(),
                generator.ledger().budget().gains(),
            );
            generator.ledger_mut().budget_mut().begin_turn(TURN);
            set_thrift(generator, phase);
            match (phase, &mut self.guided) {
                (LED, Some(guided)) => lead(generator, executor, guided)?,
                _ => wander(generator, executor)?,
            }
            generator.ledger_mut().budget_mut().end_turn();
            let effort = generator.ledger().budget().effort() - effort;
            self.goes_on[phase] = effort > 0;
            let gains = generator.ledger().budget().gains() - gains;
            self.turns.took(phase, effort, gains);
        }
        // Whoever needs an object later, as the search does, does as the random phase that yields more.
        set_thrift(generator, self.turns.next(RANDOM).unwrap_or_default());
        Ok(())
    }
}

fn set_thrift(generator: &mut Generator<'_>, phase: usize) {
    if !generator.maker().unit().mode.is_plain() {
        generator.maker_mut().set_thrift(if phase == FRUGAL {
            Thrift::OfAll
        } else {
            Thrift::OfOneClass
        });
    }
}

/// Random generation, as long as the phase lasts.
fn wander(generator: &mut Generator<'_>, executor: &mut dyn Executor) -> Result<(), ExecutorError> {
    generator.run(executor, Generator::random_candidate, |_, _, _| {})
}

/// Generation led by models, as long as the phase lasts.
fn lead<'a>(
    generator: &mut Generator<'a>,
    executor: &mut dyn Executor,
    guided: &mut Guided<'a>,
) -> Result<(), ExecutorError> {
    let guided = RefCell::new(guided);
    generator.run(
        executor,
        |generator| guided.borrow_mut().candidate(generator.maker_mut()),
        |generator, candidate, outcome| {
            guided
                .borrow_mut()
                .file(generator.maker_mut(), candidate, outcome);
        },
    )
}

/// The trace's histories, model by model, the subject's first: those that show new calls, those that show new arguments,
/// and all others. Then its tests in which the subject ran: they are long, and show what histories do not.
fn replay<'a>(
    generator: &mut Generator<'a>,
    executor: &mut dyn Executor,
    guided: &mut Guided<'a>,
) -> Result<(), ExecutorError> {
    let guided = RefCell::new(guided);
    let candidates: [fn(&mut Guided<'a>, &mut Maker<'a>) -> Option<Candidate>; 2] =
        [Guided::replay_candidate, Guided::carved_candidate];
    for (share, candidate) in [HISTORIES_FIRST, REPLAY_FIRST].into_iter().zip(candidates) {
        generator.ledger_mut().budget_mut().begin(share);
        generator.run(
            executor,
            |generator| candidate(&mut guided.borrow_mut(), generator.maker_mut()),
            |generator, candidate, outcome| {
                let sequence = &candidate.sequence;
                generator.ledger_mut().take_replay(sequence, outcome);
                guided
                    .borrow_mut()
                    .file(generator.maker_mut(), candidate, outcome);
            },
        )?;
    }
    let replayed = guided.borrow().replayed_so_far();
    generator.set_replayed(replayed);
    Ok(())
}
