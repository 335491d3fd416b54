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
