//! Which objects must exist, and in which state, for a branch to be decided: the object construction graph.
//!
//! Comes in: a branch. Goes out: a [`ConstructionGraph`]: inputs of the method, fields and elements below them that the
//! branch depends on, and the calls between; an edge says that the child is built from the parent.
//! Only what lies on a way from an input to the read of a field or element stays; loads, stores and casts are contracted
//! and plain getters are the fields they give. Without such a way the graph is empty.
//! Lin, Ong, Sun, Fraser, Dong, "Graph-based seed object synthesis for search-based unit testing", ESEC/FSE 2021,
//! section 4.2.
//! Does not know: how tests make objects (see `setter.rs` for what sets a field).
//!
//! ```java
//! int example(Student s) {                                       // s -> Student.supervisor
//!   if (s.getSupervisor().getCv().getAwardNum() > 2) return 1;   //   -> Supervisor.cv -> CV.awardNum
//!   return 0; }
//! ```
//!
//! Use: `let mut graphs = ConstructionGraphs::new(program);` and then per branch
//! `graphs.of(TargetBranch { method, jump, outcome }) -> Arc<ConstructionGraph>`, which remembers all it was asked; or
//! once `ConstructionGraph::of(program, branch)`.

mod node;
mod reduce;
#[cfg(test)]
mod tests;

pub use node::{Node, NodeId, NodeKind};

use crate::slice::{Bodies, Criteria, Step, slice};
use palus_bytecode::{Class, MethodId, Operation, Program, TargetBranch};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Calls are followed no deeper than this, unless said otherwise.
pub const CALL_DEPTH: u32 = 5;
/// Ways to a method that tests cannot call are no longer than this.
const LONGEST_WAY: usize = 3;
/// Graphs with more nodes are left empty: their templates would be too long to run.
const MOST_NODES: usize = 400;

/// The object construction graph of one branch. Node ids follow the inputs' order, then call depth and code order; there
/// are no cycles.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ConstructionGraph {
    method: Option<MethodId>,
    nodes: Vec<Node>,
    is_too_large: bool,
}

impl ConstructionGraph {
    /// The graph of a branch.
    pub fn of(program: &Program, branch: TargetBranch) -> ConstructionGraph {
        let bodies = &mut Bodies::new(program);
        ConstructionGraph::within(bodies, &[], branch, CALL_DEPTH, Criteria::All)
    }

    fn within(
        bodies: &mut Bodies<'_>,
        way: &[Step],
        branch: TargetBranch,
        call_depth: u32,
        criteria: Criteria,
    ) -> ConstructionGraph {
        let method = way.first().map_or(branch.method, |(method, _)| *method);
        let mut graph = ConstructionGraph {
            method: Some(method),
            ..ConstructionGraph::default()
        };
        match slice(bodies, way, branch, call_depth, criteria) {
            Some(slice) => graph.nodes = reduce::nodes(bodies, method, &slice),
            None => graph.is_too_large = true,
        }
        if graph.nodes.len() > MOST_NODES {
            graph.nodes.clear();
            graph.is_too_large = true;
        }
        graph
    }

    /// All nodes, inputs first.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// One node.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// The method that a test calls: that of the branch, or the one from which the way to it starts.
    pub fn method(&self) -> MethodId {
        self.method.expect("only the default has none")
    }

    /// Nodes without parents.
    pub fn inputs(&self) -> impl Iterator<Item = NodeId> + '_ {
        let ids = (0..self.nodes.len()).map(|index| NodeId(index as u32));
        ids.filter(|id| self.node(*id).parents.is_empty())
    }

    /// Number of edges.
    pub fn edges(&self) -> usize {
        self.nodes.iter().map(|node| node.parents.len()).sum()
    }

    /// True if no state of an object decides the branch, or it would be too large.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// True if the graph was given up for its size.
    pub fn is_too_large(&self) -> bool {
        self.is_too_large
    }
}

/// Graphs on demand; each is made once, empty ones too.
#[derive(Debug)]
pub struct ConstructionGraphs<'a> {
    bodies: Bodies<'a>,
    call_depth: u32,
    /// By method, jump, what the slice begins with, and where the way to the method starts if tests cannot call it.
    known: BTreeMap<(MethodId, u32, Criteria, Option<MethodId>), Arc<ConstructionGraph>>,
    /// Per method that tests cannot call: the calls that lead to it, the shortest first.
    ways: BTreeMap<MethodId, Arc<[Vec<Step>]>>,
}

impl<'a> ConstructionGraphs<'a> {
    /// No graph is made yet.
    pub fn new(program: &'a Program) -> Self {
        ConstructionGraphs::with_call_depth(program, CALL_DEPTH)
    }

    /// With another bound on the depth of calls.
    pub fn with_call_depth(program: &'a Program, call_depth: u32) -> Self {
        ConstructionGraphs {
            bodies: Bodies::new(program),
            call_depth,
            known: BTreeMap::new(),
            ways: BTreeMap::new(),
        }
    }

    /// The graph of a branch in a method that tests call or, where they cannot, in one that leads to it by calls within
    /// the same outermost class. Ask always with the same answers.
    pub fn reached(
        &mut self,
        branch: TargetBranch,
        is_callable: &dyn Fn(MethodId) -> bool,
    ) -> Arc<ConstructionGraph> {
        self.made(branch, is_callable, &|_| true, Criteria::All)
    }

    /// The same for a run that calls some methods: the way starts from one of these, if one does. Of a run that reached
    /// the jump, only the part that the operands of the jump itself come from: all else stands well as it is.
    pub fn from_run(
        &mut self,
        branch: TargetBranch,
        is_callable: &dyn Fn(MethodId) -> bool,
        is_called: &dyn Fn(MethodId) -> bool,
        reached: bool,
    ) -> Arc<ConstructionGraph> {
        if reached {
            let near = self.made(branch, is_callable, is_called, Criteria::Jump);
            if !near.is_empty() {
                return near;
            }
        }
        self.made(branch, is_callable, is_called, Criteria::All)
    }

    /// The graph of a branch, the same for all outcomes of its jump.
    pub fn of(&mut self, branch: TargetBranch) -> Arc<ConstructionGraph> {
        self.made(branch, &|_| true, &|_| true, Criteria::All)
    }

    fn made(
        &mut self,
        branch: TargetBranch,
        is_callable: &dyn Fn(MethodId) -> bool,
        is_called: &dyn Fn(MethodId) -> bool,
        criteria: Criteria,
    ) -> Arc<ConstructionGraph> {
        let program = self.bodies.program;
        let mut way: &[Step] = &[];
        let ways;
        let is_direct = is_callable(branch.method);
        if !is_direct {
            let known = self.ways.entry(branch.method);
            ways = Arc::clone(
                known.or_insert_with(|| find_ways(program, branch.method, is_callable).into()),
            );
            let called = ways.iter().find(|way| is_called(way[0].0));
            way = called.or(ways.first()).map_or(&[], Vec::as_slice);
        }
        let start = way.first().map(|(start, _)| *start);
        let (bodies, depth) = (&mut self.bodies, self.call_depth);
        let key = (branch.method, branch.jump, criteria, start);
        let graph = self.known.entry(key).or_insert_with(|| {
            Arc::new(if is_direct || !way.is_empty() {
                ConstructionGraph::within(bodies, way, branch, depth, criteria)
            } else {
                ConstructionGraph::default()
            })
        });
        Arc::clone(graph)
    }
}

/// The shortest ways of calls from callable methods to another, one from each, outermost call first.
fn find_ways(
    program: &Program,
    to: MethodId,
    is_callable: &dyn Fn(MethodId) -> bool,
) -> Vec<Vec<Step>> {
    fn outermost(class: &Class) -> Option<&str> {
        class.name.split('$').next()
    }
    let around = outermost(program.class(program.method(to).class));
    let inside = program.classes().iter();
    let inside = inside.filter(|class| outermost(class) == around);
    let methods: Vec<MethodId> = inside.flat_map(|class| class.methods.clone()).collect();
    let mut ring: Vec<(MethodId, Vec<Step>)> = vec![(to, Vec::new())];
    let mut seen = vec![to];
    let mut found = Vec::new();
    for _ in 0..LONGEST_WAY {
        let mut next = Vec::new();
        for caller in methods.iter().map(|&method| program.method(method)) {
            if seen.contains(&caller.id) {
                continue;
            }
            let Some(code) = &caller.code else { continue };
            let call = code
                .instructions
                .iter()
                .enumerate()
                .find_map(|(at, known)| {
                    let Operation::Invoke { method, .. } = &known.operation else {
                        return None;
                    };
                    let callee = program.resolve_method(method)?;
                    let (_, rest) = ring.iter().find(|(known, _)| *known == callee)?;
                    let way = std::iter::once((caller.id, at as u32)).chain(rest.iter().copied());
                    Some(way.collect::<Vec<Step>>())
                });
            if let Some(way) = call {
                seen.push(caller.id);
                if is_callable(caller.id) {
                    found.push(way);
                } else {
                    next.push((caller.id, way));
                }
            }
        }
        ring = next;
    }
    found
}
