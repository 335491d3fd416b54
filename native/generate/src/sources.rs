//! What a unit learned, for phases that come after: fresh sequences, calls and values on demand.
//!
//! Comes in: a generator whose own phases are over, later also outcomes of sequences that others made.
//! Goes out: random sequences, sequences with a call or a value more, constants; in the end what is [`Generated`].
//! Does not know: what its users are after.

use crate::draft::{Candidate, Draft};
use crate::generator::Generator;
use crate::guided::Guided;
use crate::kinds::Kind;
use crate::ledger::Gain;
use crate::maker::{Maker, Nullable};
use crate::phases::Phases;
use crate::rng::Rng;
use crate::unit::Generated;
use palus_bytecode::{ClassId, MethodId, Program, Type};
use palus_sequence::{
    Executor, ExecutorError, Outcome, Probe, Run, Sequence, Statement, Value, Variable,
};

/// Sequences without a call of the wanted method that are made in vain before none is given.
const TRIES: usize = 4;
/// Share of calls on an object that the sequence already has, in percent.
const ON_KNOWN: usize = 75;

/// A unit whose own phases are over.
pub struct Sources<'a> {
    generator: Generator<'a>,
    phases: Phases<'a>,
}

impl<'a> Sources<'a> {
    pub(crate) fn of(generator: Generator<'a>, phases: Phases<'a>) -> Sources<'a> {
        Sources { generator, phases }
    }

    /// Gives the unit's own phases so many steps more: in mode `Full` the phase that has yielded most lately has the next
    /// turn, else random generation has them.
    ///
    /// # Errors
    /// When nothing can be run any more.
    pub fn go_on(&mut self, executor: &mut dyn Executor, steps: u64) -> Result<(), ExecutorError> {
        self.generator.ledger_mut().budget_mut().begin_lent(steps);
        self.phases.take_turns(&mut self.generator, executor)
    }

    /// Runs so far that covered something new of the subject, of what is nested in it, or of what it extends.
    pub fn gains(&self) -> u64 {
        self.generator.ledger().budget().gains()
    }

    /// What the unit learned, and where its models led.
    pub(crate) fn parts(&mut self) -> (&mut Maker<'a>, Option<&Guided<'a>>) {
        (self.generator.maker_mut(), self.phases.guided())
    }

    /// Ends the unit.
    pub fn finish(self) -> Generated {
        self.generator.finish()
    }

    /// All classes.
    pub fn program(&self) -> &'a Program {
        self.generator.maker().program()
    }

    /// The class that gets tests.
    pub fn subject(&self) -> ClassId {
        self.generator.maker().unit().subject
    }

    /// The subject and the classes nested in it.
    pub fn nest(&self) -> &[ClassId] {
        self.generator.maker().nest()
    }

    /// The unit's random numbers; there are no others.
    pub fn rng(&mut self) -> &mut Rng {
        self.generator.maker_mut().rng()
    }

    /// Sequences run so far.
    pub fn steps(&self) -> u64 {
        self.generator.ledger().budget().spent()
    }

    /// Steps since the unit's own phases covered something new of the subject, or began to.
    pub fn idle(&self) -> u64 {
        self.generator.ledger().budget().idle()
    }

    /// The runs kept so far.
    pub fn kept(&self) -> &[Run] {
        self.generator.ledger().kept()
    }

    /// True if a run that a test may show touched the probe.
    pub fn is_covered(&self, probe: Probe) -> bool {
        self.generator.ledger().is_covered(probe)
    }

    /// True the first time it is asked for a sequence, and if the unit's own phases did not run it.
    pub fn is_new(&mut self, sequence: &Sequence) -> bool {
        self.generator.ledger_mut().note(sequence)
    }

    /// True if calls of the method are no longer made, since they hung or killed workers.
    pub fn is_barred(&self, method: MethodId) -> bool {
        self.generator.maker().is_barred(method)
    }

    /// A random sequence, as the unit's last phase makes them.
    pub fn fresh(&mut self) -> Option<Sequence> {
        let made = self.generator.random_candidate()?;
        Some(made.sequence).filter(|sequence| !sequence.is_empty())
    }

    /// A random sequence whose last call may run the body of a method of the subject's.
    pub fn fresh_for(&mut self, method: MethodId) -> Option<Sequence> {
        for _ in 0..TRIES {
            let target = self.target(method)?;
            let mut draft = Draft::default();
            if self
                .generator
                .maker_mut()
                .draft_of(&mut draft, target)
                .is_some()
                && draft.len() > 0
            {
                return Some(draft.finish().sequence);
            }
        }
        None
    }

    /// A sequence and a call more at its end, of what may run the body of a method of the subject's.
    pub fn with_call(&mut self, sequence: &Sequence, method: MethodId) -> Option<Sequence> {
        let number = self.target(method)?;
        let maker = self.generator.maker_mut();
        let mut draft = Draft::from_sequence(maker.program(), maker.kinds(), sequence);
        let target = maker.calls().target(number).clone();
        let receiver = match target.receiver {
            None => None,
            Some(kind) => {
                let known = if maker.rng().percent(ON_KNOWN) {
                    maker.reuse(&draft, kind)
                } else {
                    None
                };
                let known = match known {
                    Some(known) => Some(known),
                    None if target.is_virtual => maker.pooled(&mut draft, kind),
                    None => maker.argument(&mut draft, kind, 0, Nullable::No),
                };
                let receiver = known.filter(|&known| draft.of(known).actual != Kind::VOID)?;
                Some(receiver)
            }
        };
        maker.call_target(&mut draft, number, receiver)?;
        Some(draft.finish().sequence)
    }

    /// A sequence and a call more at its end, of a drawn method on an object it has.
    pub fn with_call_on(&mut self, sequence: &Sequence, receiver: Variable) -> Option<Sequence> {
        let maker = self.generator.maker_mut();
        let mut draft = Draft::from_sequence(maker.program(), maker.kinds(), sequence);
        maker.call_something(&mut draft, receiver, 0)?;
        Some(draft.finish().sequence)
    }

    /// A sequence with a value of a type made at its end, or one that it has.
    pub fn with_value(
        &mut self,
        sequence: &Sequence,
        wanted: &Type,
        is_nullable: bool,
    ) -> Option<(Sequence, Variable)> {
        let maker = self.generator.maker_mut();
        let mut draft = Draft::from_sequence(maker.program(), maker.kinds(), sequence);
        let kind = maker.kinds().of_type(wanted);
        let nullable = if is_nullable {
            Nullable::Yes
        } else {
            Nullable::No
        };
        let made = maker.argument(&mut draft, kind, 0, nullable)?;
        Some((draft.finish().sequence, made))
    }

    /// A constant of a primitive type or `String`; none for other types.
    pub fn constant(&mut self, wanted: &Type) -> Option<Value> {
        let maker = self.generator.maker_mut();
        maker.constant(wanted)
    }

    /// A value that was met while running, for later draws.
    pub fn see(&mut self, value: &Value) {
        let maker = self.generator.maker_mut();
        maker.see(value);
    }

    /// True if a value of static type `from` may stand where `to` is wanted without a cast.
    pub fn fits(&mut self, from: &Type, to: &Type) -> bool {
        let kinds = self.generator.maker_mut().kinds();
        let (from, to) = (kinds.of_type(from), kinds.of_type(to));
        kinds.fits(from, to)
    }

    /// Takes the outcome of a sequence that the user made: it is kept if it covers something new. True if that is
    /// something of the subject, of what is nested in it, or of what it extends.
    pub fn file(&mut self, sequence: &Sequence, outcome: &Outcome) -> bool {
        let mut candidate = self.candidate(sequence);
        self.generator.file(&mut candidate, outcome) == Gain::Own
    }

    fn candidate(&mut self, sequence: &Sequence) -> Candidate {
        let maker = self.generator.maker_mut();
        let mut draft = Draft::from_sequence(maker.program(), maker.kinds(), sequence);
        for (index, statement) in sequence.statements().iter().enumerate() {
            let Statement::Call { method, .. } = statement else {
                continue;
            };
            if let Some(target) = maker.calls().target_of(*method) {
                draft.calls.push((index as u32, target));
            }
            if draft.known()[index].actual != Kind::VOID {
                draft.fresh.push(Variable(index as u32));
            }
        }
        draft.finish()
    }

    /// A drawn target whose call may run a body.
    fn target(&mut self, method: MethodId) -> Option<usize> {
        let (ledger, calls) = (self.generator.ledger(), self.generator.maker().calls());
        let targets = ledger.targets_of(method).iter();
        let open: Vec<usize> = targets
            .map(|&target| target as usize)
            .filter(|&target| !calls.tally(target).is_barred())
            .collect();
        let mut own = open.iter().copied();
        let own = own.find(|&target| calls.target(target).implementation == method);
        let rng = self.generator.maker_mut().rng();
        // The method itself is the shortest way, where a test may call it.
        match own {
            Some(own) if rng.percent(70) => Some(own),
            _ => rng.pick(&open).copied(),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::pool::Thrift;
    use crate::tests::FakeExecutor;
    use crate::{DependentPosition, Mode, Unit, UserValues, explore};
    use palus_analyze::Facts;
    use palus_learn::Models;

    /// What a unit knows of the cost of objects, after its own phases and after turns that it was lent.
    fn thrift(mode: Mode) -> [Thrift; 2] {
        let source = "public class C { C() {} public int plus(C other, int i) { return i + 1; } }";
        let program = crate::tests::program(&[("C.java", source)]);
        let unit = Unit {
            program: &program,
            facts: &Facts::of(&program),
            models: &Models::default(),
            subject: program.class_named("C").unwrap(),
            seed: 0,
            steps: 500,
            mode,
            dependent_position: DependentPosition::After,
            user_values: &UserValues::default(),
            gives_up: false,
            keeps_failures: false,
        };
        let mut executor = FakeExecutor::new(&program);
        let mut sources = explore(unit, &mut executor).unwrap();
        let own = sources.generator.maker().thrift();
        sources.go_on(&mut executor, 2_000).unwrap();
        [own, sources.generator.maker().thrift()]
    }

    #[test]
    fn modes_for_comparisons_do_not_know_what_objects_cost_in_lent_turns_either() {
        for mode in [Mode::Random, Mode::Blind, Mode::Constraints] {
            assert_eq!(thrift(mode), [Thrift::None; 2], "{mode:?}");
        }
        assert!(!thrift(Mode::Full).contains(&Thrift::None));
    }
}
