//! Constants that a template's slots begin with, beside those that any argument may be.
//!
//! Comes in: the runs that a unit kept, and the methods that a construction graph goes through. Goes out: per parameter,
//! constants with which the call completed; and the constants on the graph's paths, with their neighbours.
//! Does not know: what the constants are for.

use crate::constants::ConstantPool;
use crate::rng::Rng;
use palus_analyze::{Constants, ConstructionGraph, NodeKind};
use palus_bytecode::{MethodId, Program, Type};
use palus_sequence::{Run, Statement, Value};
use std::collections::{BTreeMap, BTreeSet};

/// Constants remembered per parameter; later ones are left out.
const PER_PARAMETER: usize = 24;

/// What is known of good constants in one unit.
#[derive(Debug, Default)]
pub(super) struct KnownConstants {
    /// How many kept runs were read.
    read: usize,
    /// Per method and position of the parameter.
    given: BTreeMap<(MethodId, u32), Vec<Value>>,
    /// By the methods that the paths go through.
    paths: BTreeMap<BTreeSet<MethodId>, ConstantPool>,
}

impl KnownConstants {
    /// Takes the arguments of completed calls in runs that were kept since it was last asked.
    pub fn read(&mut self, kept: &[Run]) {
        for run in &kept[self.read..] {
            let statements = run.sequence.statements();
            for statement in statements.iter().take(run.outcome.observations.len()) {
                let Statement::Call {
                    method, arguments, ..
                } = statement
                else {
                    continue;
                };
                for (position, argument) in (0..).zip(arguments) {
                    if let Statement::Value(value) = &statements[argument.index()]
                        && value.plain_type().is_some()
                    {
                        let given = self.given.entry((*method, position)).or_default();
                        if given.len() < PER_PARAMETER && !given.contains(value) {
                            given.push(value.clone());
                        }
                    }
                }
            }
        }
        self.read = kept.len();
    }

    /// A constant with which a call completed.
    pub fn given(&self, rng: &mut Rng, method: MethodId, position: u32) -> Option<Value> {
        rng.pick(self.given.get(&(method, position))?).cloned()
    }

    /// A constant of the code that decides the branch; none where there is none of the type.
    pub fn on_path(
        &mut self,
        rng: &mut Rng,
        program: &Program,
        graph: &ConstructionGraph,
        branch: MethodId,
        wanted: &Type,
    ) -> Option<Value> {
        let nodes = graph.nodes().iter();
        let called = nodes.filter_map(|node| match node.kind {
            NodeKind::Call(method) => Some(method),
            _ => node.accessed_via,
        });
        let methods: BTreeSet<MethodId> = called.chain([graph.method(), branch]).collect();
        let pool = self.paths.entry(methods).or_insert_with_key(|methods| {
            let constants = Constants::of_methods(program, methods.iter().copied());
            ConstantPool::new([&constants].into_iter(), &[])
        });
        pool.draw_fact(rng, wanted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{method, program};
    use palus_sequence::{End, Observation, Outcome, Sequence, Variable};

    #[test]
    fn constants_are_those_of_completed_calls_and_of_the_path() {
        let program = program(&[(
            "A.java",
            "class A { static void f(int a) {} static int g(A o) { if (o == null) return 4711; return 4711; } }",
        )]);
        let called = method(&program, "A", "f");
        let call = |argument| Statement::Call {
            method: called,
            receiver: None,
            arguments: vec![Variable(argument)],
        };
        let statements = vec![
            Statement::Value(Value::Int(7)),
            call(0),
            Statement::Value(Value::Int(8)),
            call(2),
        ];
        // The second call threw.
        let run = Run {
            sequence: Sequence::new(statements),
            outcome: Outcome::new(End::Completed, vec![Observation::Nothing; 3]),
        };
        let mut known = KnownConstants::default();
        let rng = &mut Rng::of(1, "");
        assert_eq!(known.given(rng, called, 0), None);
        known.read(&[run]);
        for _ in 0..9 {
            assert_eq!(known.given(rng, called, 0), Some(Value::Int(7)));
        }
        let branch = method(&program, "A", "g");
        let graph = ConstructionGraph::of(
            &program,
            palus_bytecode::TargetBranch {
                method: branch,
                jump: 0,
                outcome: 0,
            },
        );
        let drawn = (0..9).map(|_| known.on_path(rng, &program, &graph, branch, &Type::Int));
        for value in drawn {
            assert!(matches!(value, Some(Value::Int(4710..=4712))), "{value:?}");
        }
        let text = Type::object("java/lang/String");
        assert_eq!(known.on_path(rng, &program, &graph, branch, &text), None);
    }
}
