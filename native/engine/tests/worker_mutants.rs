//! Mutants in real worker JVMs: which there are, what they do while they are on, and what becomes of those that end a
//! worker.

use crate::worker_lab::{Lab, ends};
use palus_sequence::{End, Executor, Mutant, Observation, Outcome, Reached, Sequence, Value};

const GATE: (&str, &str) = (
    "demo/Gate.java",
    r"
package demo;
public class Gate {
  private int passed;
  public int pass(int weight) {
    if (weight < 10) {
      passed = passed + 1;
    }
    return passed;
  }
  public int waitFor(int weight) {
    if (weight <= 100) {
      return weight;
    }
    if (weight <= 100) {
      java.util.stream.Stream.generate(Object::new).count();
    }
    return weight;
  }
}
",
);

fn gate(lab: &Lab, method: &str, weight: i32) -> Sequence {
    let mut body = lab.body();
    let gate = body.new_object("demo/Gate", "()V", &[]);
    let weight = body.int(weight);
    body.call("demo/Gate", method, Some(gate), &[weight]);
    body.sequence
}

fn last(outcome: &Outcome) -> i32 {
    match outcome.observations.last() {
        Some(Observation::Value {
            value: Value::Int(value),
            ..
        }) => *value,
        other => panic!("{other:?}, {:?}", outcome.end),
    }
}

fn place(mutants: &[Mutant], operator: &str, line: u32) -> u32 {
    let found = mutants.iter().position(|mutant| {
        mutant.operator == operator && mutant.line == Some(line) && &*mutant.descriptor == "(I)I"
    });
    found.unwrap_or_else(|| panic!("no {operator} in {mutants:?}")) as u32
}

#[test]
fn mutants_are_on_one_at_a_time_until_classes_begin_anew() {
    let lab = Lab::new(&[GATE], &[]);
    let pool = lab.pool().unwrap();
    pool.with_executor(&[], |executor| {
        let mutants = executor.begin_mutated(&[lab.class("demo/Gate")]).unwrap();
        let boundary = place(&mutants, "CONDITIONALS_BOUNDARY", 6);
        let removal = place(&mutants, "REMOVE_CONDITIONALS", 6);
        let sum = place(&mutants, "MATH", 7);
        let store = place(&mutants, "EXPERIMENTAL_MEMBER_VARIABLE", 7);
        assert_eq!(&*mutants[store as usize].detail, "passed");
        let zero = place(&mutants, "PRIMITIVE_RETURNS", 9);
        let batch = [gate(&lab, "pass", 9), gate(&lab, "pass", 10)];
        let outcomes = executor.execute(&batch).unwrap();
        let reached = |pairs: &[(u32, bool)]| -> Vec<Reached> {
            let reached = pairs.iter().map(|&(mutant, is_infected)| Reached {
                mutant,
                is_infected,
            });
            reached.collect()
        };
        assert_eq!(
            outcomes[0].reached,
            reached(&[
                (boundary, false),
                (removal, true),
                (sum, true),
                (store, true),
                (zero, true)
            ])
        );
        assert_eq!(
            outcomes[1].reached,
            reached(&[(boundary, true), (removal, false), (zero, false)])
        );
        let mut results = Vec::new();
        for mutant in [
            None,
            Some(boundary),
            Some(removal),
            Some(sum),
            Some(store),
            None,
        ] {
            executor.turn_on(mutant, 1_000).unwrap();
            let outcomes = executor.execute(&batch).unwrap();
            results.push([last(&outcomes[0]), last(&outcomes[1])]);
        }
        assert_eq!(results, [[1, 0], [1, 1], [0, 0], [-1, 0], [0, 0], [1, 0]]);
        executor.turn_on(Some(sum), 1_000).unwrap();
        executor.begin().unwrap();
        let outcomes = executor.execute(&batch).unwrap();
        assert_eq!(last(&outcomes[0]), 1);
        assert!(outcomes[0].reached.is_empty());
    })
    .unwrap();
    // The next unit's classes hold none, though the worker is the same.
    pool.with_executor(&[], |executor| {
        executor.begin().unwrap();
        let outcomes = executor.execute(&[gate(&lab, "pass", 9)]).unwrap();
        assert!(outcomes[0].reached.is_empty());
    })
    .unwrap();
}

#[test]
fn a_mutant_that_ends_its_worker_is_on_in_the_next_and_nobody_is_blamed() {
    let lab = Lab::new(&[GATE], &[]);
    let pool = lab.pool().unwrap();
    pool.with_executor(&[], |executor| {
        let mutants = executor.begin_mutated(&[lab.class("demo/Gate")]).unwrap();
        let removal = place(&mutants, "REMOVE_CONDITIONALS", 12);
        let batch = [
            gate(&lab, "waitFor", 101),
            gate(&lab, "waitFor", 1),
            gate(&lab, "waitFor", 102),
        ];
        executor.turn_on(Some(removal), 1_000).unwrap();
        // More often than a method may lose workers without a mutant.
        for _ in 0..4 {
            let outcomes = executor.execute(&batch).unwrap();
            assert_eq!(ends(&outcomes), ["Completed", "TimedOut", "Completed"]);
            assert_eq!(last(&outcomes[2]), 102);
        }
        assert_eq!(executor.deaths(), 0);
        executor.turn_on(None, 1_000).unwrap();
        let outcomes = executor.execute(&batch[1..2]).unwrap();
        assert_eq!(outcomes[0].end, End::Completed);
    })
    .unwrap();
}
