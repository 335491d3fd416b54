//! Tests only: gates, and one fault that they can have.

use super::{Subject, object};
use crate::about::Home;
use crate::drafting::Builder;
use crate::observer::Observers;
use palus_analyze::ValueMaker;
use palus_bytecode::{ClassId, MethodId};
use palus_sequence::{
    End, Executor, ExecutorError, Mutant, Observation, Outcome, Probe, Reached, Run, Sequence,
    Statement, Value,
};
use std::collections::BTreeMap;

/// Lets pass what weighs more than 10.
pub(crate) const GATE: (&str, &str) = (
    "demo/Gate.java",
    "package demo; public class Gate { public boolean pass(int weight) { return weight > 10; } }",
);

/// Runs gates; the only mutant lets 10 pass.
#[derive(Default)]
pub(crate) struct Gates {
    is_mutated: bool,
    is_on: bool,
}

impl Gates {
    pub(crate) fn run(&self, sequence: &Sequence) -> Outcome {
        let mut reached = Vec::new();
        let mut observations = Vec::new();
        for statement in sequence.statements() {
            let boxed = false;
            observations.push(match statement {
                Statement::Value(value) => {
                    let value = value.clone();
                    Observation::Value { value, boxed }
                }
                Statement::Call { arguments, .. } if arguments.is_empty() => object("demo/Gate"),
                Statement::Call { arguments, .. } => {
                    let Statement::Value(Value::Int(weight)) =
                        sequence.statements()[arguments[0].index()]
                    else {
                        panic!("{sequence:?}");
                    };
                    if self.is_mutated && !self.is_on {
                        let is_infected = weight == 10;
                        reached.push(Reached {
                            mutant: 0,
                            is_infected,
                        });
                    }
                    let value = Value::Boolean(weight > 10 || (self.is_on && weight == 10));
                    Observation::Value { value, boxed }
                }
                other => panic!("{other:?}"),
            });
        }
        Outcome {
            reached,
            ..Outcome::new(End::Completed, observations)
        }
    }
}

impl Executor for Gates {
    fn begin(&mut self) -> Result<(), ExecutorError> {
        (self.is_mutated, self.is_on) = (false, false);
        Ok(())
    }

    fn begin_mutated(&mut self, _: &[ClassId]) -> Result<Vec<Mutant>, ExecutorError> {
        (self.is_mutated, self.is_on) = (true, false);
        Ok(vec![Mutant {
            class: 0,
            operator: "CONDITIONALS_BOUNDARY",
            method: "pass".into(),
            descriptor: "(I)Z".into(),
            line: None,
            detail: "".into(),
        }])
    }

    fn turn_on(&mut self, mutant: Option<u32>, _: u32) -> Result<(), ExecutorError> {
        self.is_on = mutant.is_some();
        Ok(())
    }

    fn watch(&mut self, _: &[Probe]) -> Result<(), ExecutorError> {
        Ok(())
    }

    fn execute(&mut self, batch: &[Sequence]) -> Result<Vec<Outcome>, ExecutorError> {
        Ok(batch.iter().map(|sequence| self.run(sequence)).collect())
    }
}

/// A gate that so many things come to, one after the other.
pub(crate) fn run(subject: &Subject, weights: &[i32]) -> Run {
    let mut script = subject.script();
    let gate = script.construct("demo/Gate", "()V", &[]);
    for weight in weights {
        let weight = script.int(*weight);
        let truth = Observation::Nothing;
        script.call("demo/Gate.pass(I)Z", Some(gate), &[weight], truth);
    }
    let sequence = script.run().sequence;
    let outcome = Gates::default().run(&sequence);
    Run { sequence, outcome }
}

static NO_MAKERS: BTreeMap<ClassId, Vec<ValueMaker>> = BTreeMap::new();

fn never(_: MethodId) -> bool {
    false
}

/// What makes drafts of tests of gates, for all that is known every call changes something.
pub(crate) fn builder(subject: &Subject) -> Builder<'_> {
    let program = &subject.program;
    Builder {
        program,
        is_pure: &never,
        package: "demo",
        makers: &NO_MAKERS,
        home: Home::of(program, subject.class("demo/Gate")),
        observers: Observers {
            program,
            is_pure: &never,
            package: "demo",
            makers: &NO_MAKERS,
        },
        files: None,
    }
}
