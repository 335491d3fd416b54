//! A class with three nested conditions, and an executor that knows what it does.

use super::program;
use palus_analyze::Facts;
use palus_bytecode::{ClassId, ClassProbes, MethodId, Program, TargetBranch};
use palus_generate::{DependentPosition, Mode, Sources, Unit, UserValues, explore};
use palus_learn::Models;
use palus_sequence::{
    Comparison, Distance, End, Executor, ExecutorError, Observation, Outcome, Probe, Relation,
    Sequence, Statement, Thrown, Value, Variable,
};
use std::collections::{BTreeMap, BTreeSet};

pub(super) const DOOR: &[(&str, &str)] = &[(
    "Door.java",
    "public class Door { private int knocks;
  public void knock() { knocks++; }
  public boolean open(int code, String word) {
    if (code == 90817) { if (word.equals(secret())) { if (knocks > 2) return true; } }
    return false; }
  static String secret() { return new StringBuilder(\"emases\").reverse().toString(); } }",
)];

pub(super) struct Fixture {
    pub program: Program,
    pub facts: Facts,
    pub models: Models,
    pub values: UserValues,
}

impl Fixture {
    pub fn new() -> Fixture {
        let program = program(DOOR);
        Fixture {
            facts: Facts::of(&program),
            program,
            models: Models::default(),
            values: UserValues::default(),
        }
    }

    /// The unit of the door, some random steps done.
    pub fn sources(&self, executor: &mut Doorman<'_>, seed: u64, steps: u64) -> Sources<'_> {
        let unit = Unit {
            program: &self.program,
            facts: &self.facts,
            models: &self.models,
            subject: executor.class,
            seed,
            steps,
            mode: Mode::Random,
            dependent_position: DependentPosition::After,
            user_values: &self.values,
            gives_up: true,
            keeps_failures: false,
        };
        explore(unit, executor).unwrap()
    }
}

/// Runs calls of the door; what it does not know gives an object.
pub(super) struct Doorman<'a> {
    program: &'a Program,
    pub class: ClassId,
    probes: ClassProbes,
    pub watched: BTreeSet<Probe>,
    covered: BTreeSet<Probe>,
    pub executed: Vec<Sequence>,
    pub batches: Vec<usize>,
    pub limit: usize,
}

#[derive(Default)]
struct Seen {
    distances: BTreeMap<Probe, f64>,
    comparisons: BTreeSet<Comparison>,
    touched: BTreeSet<Probe>,
}

impl<'a> Doorman<'a> {
    pub fn new(program: &'a Program) -> Doorman<'a> {
        let class = program.class_named("Door").unwrap();
        Doorman {
            program,
            class,
            probes: ClassProbes::of(program, class),
            watched: BTreeSet::new(),
            covered: BTreeSet::new(),
            executed: Vec::new(),
            batches: Vec::new(),
            limit: usize::MAX,
        }
    }

    /// The probe of the innermost condition.
    pub fn inner(&self) -> Probe {
        self.outcome(self.method("open"), 2, 0)
    }

    fn method(&self, name: &str) -> MethodId {
        let mut methods = self.program.class(self.class).methods.iter().copied();
        methods
            .find(|&id| &*self.program.method(id).name == name)
            .unwrap()
    }

    fn probe(&self, index: u32) -> Probe {
        Probe {
            class: self.class.0,
            index,
        }
    }

    fn outcome(&self, method: MethodId, jump: u32, outcome: u32) -> Probe {
        let branch = TargetBranch {
            method,
            jump,
            outcome,
        };
        self.probe(self.probes.outcome(branch).unwrap())
    }

    fn jump(
        &self,
        seen: &mut Seen,
        jump: u32,
        distances: [f64; 2],
        met: Option<&(Relation, Value, Value)>,
    ) {
        let method = self.method("open");
        for (outcome, distance) in (0..).zip(distances) {
            let probe = self.outcome(method, jump, outcome);
            if distance <= 0.0 {
                seen.touched.insert(probe);
            }
            if self.watched.contains(&probe) {
                let known = seen.distances.entry(probe).or_insert(f64::INFINITY);
                *known = known.min(distance);
                if let Some((relation, left, right)) = met.cloned().filter(|_| distance > 0.0) {
                    seen.comparisons.insert(Comparison {
                        probe,
                        relation,
                        left,
                        right,
                    });
                }
            }
        }
    }

    /// `if (code == 90817) { if (word.equals(secret)) { if (knocks > 2) return true; } } return false;`
    fn open(
        &self,
        seen: &mut Seen,
        code: i32,
        word: Option<&str>,
        knocks: i32,
    ) -> Result<bool, ()> {
        let far = (f64::from(code) - 90817.0).abs();
        let equal = f64::from(u8::from(far == 0.0));
        let met = (Relation::Order, Value::Int(code), Value::Int(90817));
        self.jump(seen, 0, [far, equal], Some(&met));
        if far > 0.0 {
            return Ok(false);
        }
        let word = word.ok_or(())?;
        let differs = f64::from(u8::from(word != "sesame"));
        let met = (
            Relation::Equal,
            Value::Text(word.into()),
            Value::Text("sesame".into()),
        );
        self.jump(seen, 1, [differs, 1.0 - differs], Some(&met));
        if differs > 0.0 {
            return Ok(false);
        }
        let knocks = f64::from(knocks);
        let opens = knocks > 2.0;
        let distances = [
            (3.0 - knocks).max(0.0),
            if opens { knocks - 2.0 } else { 0.0 },
        ];
        self.jump(seen, 2, distances, None);
        Ok(opens)
    }

    fn run(&mut self, sequence: &Sequence) -> Outcome {
        let mut seen = Seen::default();
        let mut outcome = Outcome::new(End::Completed, Vec::new());
        let mut knocks: BTreeMap<Variable, i32> = BTreeMap::new();
        for (index, statement) in sequence.statements().iter().enumerate() {
            let mut threw = false;
            let own = match statement {
                Statement::Call { method, .. } => {
                    let method = self.program.method(*method);
                    (method.class == self.class).then(|| (method.id, method.name.to_string()))
                }
                _ => None,
            };
            if let (
                Some((method, name)),
                Statement::Call {
                    receiver,
                    arguments,
                    ..
                },
            ) = (own, statement)
            {
                let entry = self.probe(self.probes.entry(method).unwrap());
                seen.touched.insert(entry);
                if self.watched.contains(&entry) {
                    seen.distances.insert(entry, 0.0);
                }
                let constant =
                    |position: usize| match &sequence.statements()[arguments[position].index()] {
                        Statement::Value(value) => Some(value.clone()),
                        _ => None,
                    };
                match (&*name, receiver) {
                    ("knock", Some(door)) => *knocks.entry(*door).or_default() += 1,
                    ("open", Some(door)) => {
                        let code = match constant(0) {
                            Some(Value::Int(code)) => code,
                            _ => 7,
                        };
                        let word = match constant(1) {
                            Some(Value::Text(word)) => Some(word),
                            Some(Value::Null(_)) => None,
                            _ => Some("other".into()),
                        };
                        let knocked = knocks.get(door).copied().unwrap_or(0);
                        threw = self
                            .open(&mut seen, code, word.as_deref(), knocked)
                            .is_err();
                    }
                    _ => {}
                }
            }
            if threw {
                outcome.end = End::Threw(Thrown {
                    statement: index as u32,
                    class: "java/lang/NullPointerException".into(),
                    message: None,
                    top_frame: None,
                    fields: Vec::new(),
                });
                break;
            }
            outcome.observations.push(Observation::Nothing);
        }
        outcome.nearness.distances = seen
            .distances
            .into_iter()
            .map(|(probe, distance)| Distance { probe, distance })
            .collect();
        outcome.nearness.comparisons = seen.comparisons.into_iter().collect();
        if !seen.touched.is_subset(&self.covered) {
            outcome.coverage.probes = seen.touched.iter().copied().collect();
            self.covered.extend(seen.touched);
        }
        outcome
    }
}

impl Executor for Doorman<'_> {
    fn begin(&mut self) -> Result<(), ExecutorError> {
        self.covered.clear();
        self.watched.clear();
        Ok(())
    }

    fn execute(&mut self, batch: &[Sequence]) -> Result<Vec<Outcome>, ExecutorError> {
        if self.executed.len() >= self.limit {
            return Err(ExecutorError::OutOfTime);
        }
        self.batches.push(batch.len());
        self.executed.extend_from_slice(batch);
        Ok(batch.iter().map(|sequence| self.run(sequence)).collect())
    }

    fn watch(&mut self, probes: &[Probe]) -> Result<(), ExecutorError> {
        assert!(probes.is_sorted());
        self.watched = probes.iter().copied().collect();
        Ok(())
    }
}
