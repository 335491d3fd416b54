//! The control flow of one body: basic blocks, their edges, post-dominators.
//!
//! Comes in: a [`Code`]. Goes out: [`ControlFlow`]. A block ends where control may go elsewhere: at jumps, returns and
//! throws, and inside a `try` after each instruction that may throw, whose handlers are successors like any other.
//! An exception that no handler of the method catches is no edge, but for `athrow`.
//! Does not know: which edges a run takes, callees, values.
//!
//! ```text
//! int sign(int n) {          block 0: iload n; ifle -> 2     successors 1 (jump 0 not taken), 2 (jump 0 taken)
//!   if (n > 0) return 1;     block 1: iconst_1; ireturn      successor: the exit
//!   return 0; }              block 2: iconst_0; ireturn      successor: the exit
//! ```
//! The exit post-dominates all; block 0 is post-dominated by the exit alone.

use palus_bytecode::{Code, Jump, Operation};
use std::collections::{BTreeSet, VecDeque};

/// Why control goes from a block to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EdgeKind {
    /// An outcome of a jump.
    Outcome {
        /// The jump's ordinal.
        jump: u32,
        /// Number of the outcome.
        outcome: u32,
    },
    /// Going on, `goto`, return, or a throw that nobody here catches.
    Next,
    /// An exception that a handler of the method may catch.
    Caught,
    /// Not in the code: makes the exit reachable from a loop without end.
    Endless,
}

/// An edge between blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edge {
    /// Where it leads: a block, or [`ControlFlow::exit`].
    pub to: u32,
    /// Why.
    pub kind: EdgeKind,
}

/// The control flow of a body.
#[derive(Clone, Debug)]
pub struct ControlFlow {
    jumps: Vec<Jump>,
    /// First instruction of each block, ascending.
    starts: Vec<u32>,
    /// Per instruction: its block.
    block_of: Vec<u32>,
    /// Per block.
    edges: Vec<Vec<Edge>>,
    /// Per block: its nearest post-dominator other than itself; the exit's own is the exit.
    post_dominators: Vec<u32>,
}

impl ControlFlow {
    /// Reads a body.
    pub fn of(code: &Code) -> ControlFlow {
        let jumps = code.jumps();
        let starts = starts(code);
        let mut block_of = vec![0; code.instructions.len()];
        for (block, &start) in starts.iter().enumerate() {
            let end = starts.get(block + 1);
            let end = end.map_or(code.instructions.len(), |&next| next as usize);
            block_of[start as usize..end].fill(block as u32);
        }
        let mut flow = ControlFlow {
            jumps,
            starts,
            block_of,
            edges: Vec::new(),
            post_dominators: Vec::new(),
        };
        flow.edges = (0..flow.exit())
            .map(|block| flow.edges_of(code, block))
            .collect();
        flow.lead_to_the_exit();
        flow.post_dominators = flow.find_post_dominators();
        flow
    }

    /// Conditional jumps and switches in code order.
    pub fn jumps(&self) -> &[Jump] {
        &self.jumps
    }

    /// Number of blocks; as a block's number, the virtual block behind all returns and throws.
    pub fn exit(&self) -> u32 {
        self.starts.len() as u32
    }

    /// The block an instruction belongs to.
    pub fn block(&self, instruction: u32) -> u32 {
        self.block_of[instruction as usize]
    }

    /// First instruction of a block.
    pub fn start(&self, block: u32) -> u32 {
        self.starts[block as usize]
    }

    /// Edges that leave a block.
    pub fn edges(&self, block: u32) -> &[Edge] {
        self.edges.get(block as usize).map_or(&[], Vec::as_slice)
    }

    /// The nearest block, or the exit, that every way from this block to the exit goes through.
    pub fn post_dominator(&self, block: u32) -> u32 {
        self.post_dominators[block as usize]
    }

    /// Blocks from which a block can be reached, itself included.
    pub fn leading_to(&self, block: u32) -> Vec<bool> {
        let mut seen = vec![false; self.starts.len() + 1];
        let before = self.predecessors();
        let mut open = vec![block];
        seen[block as usize] = true;
        while let Some(next) = open.pop() {
            for &from in &before[next as usize] {
                if !std::mem::replace(&mut seen[from as usize], true) {
                    open.push(from);
                }
            }
        }
        seen
    }

    /// The longest of the shortest ways between blocks, in blocks. Computed at each call: keep it.
    pub fn diameter(&self) -> u32 {
        let mut longest = 0;
        let mut distance = vec![u32::MAX; self.starts.len() + 1];
        let mut open = VecDeque::new();
        for from in 0..self.exit() {
            distance.fill(u32::MAX);
            distance[from as usize] = 0;
            open.push_back(from);
            while let Some(block) = open.pop_front() {
                let next = distance[block as usize] + 1;
                for edge in self.edges(block) {
                    let known = &mut distance[edge.to as usize];
                    if *known == u32::MAX && edge.kind != EdgeKind::Endless {
                        *known = next;
                        longest = longest.max(next);
                        open.push_back(edge.to);
                    }
                }
            }
        }
        longest
    }

    fn edges_of(&self, code: &Code, block: u32) -> Vec<Edge> {
        let end = self.starts.get(block as usize + 1);
        let end = end.map_or(code.instructions.len(), |&next| next as usize);
        let last = end - 1;
        let to = |target: u32, kind| Edge {
            to: self.block_of[target as usize],
            kind,
        };
        let jump = self
            .jumps
            .binary_search_by_key(&(last as u32), |jump| jump.instruction);
        let outcome = |outcome| EdgeKind::Outcome {
            jump: jump.unwrap_or_default() as u32,
            outcome,
        };
        let after = |kind| {
            if end < code.instructions.len() {
                to(end as u32, kind)
            } else {
                Edge {
                    to: self.exit(),
                    kind,
                }
            }
        };
        let leave = Edge {
            to: self.exit(),
            kind: EdgeKind::Next,
        };
        let operation = &code.instructions[last].operation;
        let mut edges = match operation {
            Operation::JumpIf { target, .. }
            | Operation::JumpIfInts { target, .. }
            | Operation::JumpIfReferences { target, .. } => {
                vec![after(outcome(0)), to(*target, outcome(1))]
            }
            Operation::Switch { cases, default } => {
                let targets = cases.iter().map(|(_, target)| *target).chain([*default]);
                let numbered = targets.enumerate();
                numbered
                    .map(|(number, target)| to(target, outcome(number as u32)))
                    .collect()
            }
            Operation::Jump { target } => vec![to(*target, EdgeKind::Next)],
            Operation::Return { .. } | Operation::Subroutine => vec![leave],
            Operation::Throw => Vec::new(),
            _ => vec![after(EdgeKind::Next)],
        };
        let mut catches_all = false;
        if may_throw(operation) {
            // A block may be covered by as many as a class file has room for.
            let mut caught_at: BTreeSet<u32> = BTreeSet::new();
            for handler in &code.handlers {
                let covered = handler.start as usize..handler.end as usize;
                if covered.contains(&last) && !catches_all {
                    let caught = to(handler.target, EdgeKind::Caught);
                    if caught_at.insert(caught.to) {
                        edges.push(caught);
                    }
                    catches_all = handler
                        .catches
                        .as_deref()
                        .is_none_or(|class| class == "java/lang/Throwable");
                }
            }
        }
        if matches!(operation, Operation::Throw) && !catches_all {
            edges.push(leave);
        }
        edges
    }

    /// Adds an edge to the exit wherever nothing leads there, as late in the code as possible.
    fn lead_to_the_exit(&mut self) {
        loop {
            let seen = self.leading_to(self.exit());
            let Some(block) = (0..self.starts.len()).rev().find(|&block| !seen[block]) else {
                return;
            };
            let to = self.exit();
            self.edges[block].push(Edge {
                to,
                kind: EdgeKind::Endless,
            });
        }
    }

    fn predecessors(&self) -> Vec<Vec<u32>> {
        let mut before = vec![Vec::new(); self.starts.len() + 1];
        for (block, edges) in self.edges.iter().enumerate() {
            for edge in edges {
                before[edge.to as usize].push(block as u32);
            }
        }
        before
    }

    /// Cooper, Harvey, Kennedy, "A simple, fast dominance algorithm", 2001, on the reversed edges.
    fn find_post_dominators(&self) -> Vec<u32> {
        const UNKNOWN: u32 = u32::MAX;
        let before = self.predecessors();
        let exit = self.exit();
        // Post-order of the reversed graph, from the exit.
        let mut order = Vec::with_capacity(before.len());
        let mut seen = vec![false; before.len()];
        let mut stack = vec![(exit, 0)];
        seen[exit as usize] = true;
        while let Some((block, next)) = stack.last_mut() {
            if let Some(&to) = before[*block as usize].get(*next) {
                *next += 1;
                if !std::mem::replace(&mut seen[to as usize], true) {
                    stack.push((to, 0));
                }
            } else {
                order.push(*block);
                stack.pop();
            }
        }
        let mut number = vec![0; before.len()];
        for (position, &block) in order.iter().enumerate() {
            number[block as usize] = position;
        }
        let mut nearest = vec![UNKNOWN; before.len()];
        nearest[exit as usize] = exit;
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for &block in order.iter().rev().filter(|&&block| block != exit) {
                let mut common = UNKNOWN;
                for edge in self.edges(block) {
                    if nearest[edge.to as usize] == UNKNOWN {
                        continue;
                    }
                    let (mut left, mut right) = (edge.to, common);
                    while right != UNKNOWN && left != right {
                        if number[left as usize] < number[right as usize] {
                            left = nearest[left as usize];
                        } else {
                            right = nearest[right as usize];
                        }
                    }
                    common = left;
                }
                if nearest[block as usize] != common {
                    nearest[block as usize] = common;
                    changed = true;
                }
            }
        }
        nearest
    }
}

/// First instructions of all blocks.
fn starts(code: &Code) -> Vec<u32> {
    let count = code.instructions.len();
    let mut leads = vec![false; count + 1];
    let mut is_covered = vec![false; count];
    for handler in &code.handlers {
        leads[handler.target as usize] = true;
        leads[handler.start as usize] = true;
        leads[(handler.end as usize).min(count)] = true;
        is_covered[handler.start as usize..(handler.end as usize).min(count)].fill(true);
    }
    if count > 0 {
        leads[0] = true;
    }
    for (index, instruction) in code.instructions.iter().enumerate() {
        let operation = &instruction.operation;
        let ends = match operation {
            Operation::JumpIf { target, .. }
            | Operation::JumpIfInts { target, .. }
            | Operation::JumpIfReferences { target, .. }
            | Operation::Jump { target } => {
                leads[*target as usize] = true;
                true
            }
            Operation::Switch { cases, default } => {
                leads[*default as usize] = true;
                for (_, target) in cases {
                    leads[*target as usize] = true;
                }
                true
            }
            Operation::Return { .. } | Operation::Throw | Operation::Subroutine => true,
            _ => is_covered[index] && may_throw(operation),
        };
        leads[index + 1] |= ends;
    }
    let led = leads.iter().take(count).enumerate();
    led.filter(|(_, leads)| **leads)
        .map(|(index, _)| index as u32)
        .collect()
}

/// True for instructions that throw in code that is not broken; running out of memory is not looked at.
fn may_throw(operation: &Operation) -> bool {
    match operation {
        Operation::Invoke { .. }
        | Operation::InvokeDynamic { .. }
        | Operation::ArrayLoad { .. }
        | Operation::ArrayStore
        | Operation::ArrayLength
        | Operation::NewArray { .. }
        | Operation::New(_)
        | Operation::Cast(_)
        | Operation::Throw
        | Operation::Monitor => true,
        Operation::GetField { is_static, .. } | Operation::PutField { is_static, .. } => !is_static,
        // Division by zero.
        Operation::Arithmetic { result, operands } => {
            *operands == 2
                && matches!(
                    result,
                    palus_bytecode::Type::Int | palus_bytecode::Type::Long
                )
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{method, program};

    fn flow(body: &str) -> ControlFlow {
        let program = program(&[("A.java", &format!("class A {{ {body} }}"))]);
        let first = method(&program, "A.m");
        ControlFlow::of(program.method(first).code.as_ref().unwrap())
    }

    #[test]
    fn blocks_end_at_jumps_and_are_post_dominated_by_where_ways_meet() {
        let flow = flow("static int m(int n) { if (n > 0) return 1; return 0; }");
        assert_eq!(flow.exit(), 3);
        let to: Vec<u32> = flow.edges(0).iter().map(|edge| edge.to).collect();
        assert_eq!(to, [1, 2]);
        assert_eq!(
            [0, 1, 2].map(|block| flow.post_dominator(block)),
            [flow.exit(); 3]
        );
        assert_eq!(flow.diameter(), 2);
    }

    #[test]
    fn a_handler_follows_each_instruction_that_may_throw() {
        let flow = flow(
            "static int m(Object[] a) { try { a[0].hashCode(); a[1].hashCode(); } \
             catch (RuntimeException e) { return 1; } return 0; }",
        );
        let caught = (0..flow.exit()).flat_map(|block| flow.edges(block));
        let caught = caught.filter(|edge| edge.kind == EdgeKind::Caught).count();
        assert_eq!(caught, 4);
    }

    #[test]
    fn an_endless_loop_has_a_way_to_the_exit_that_no_run_takes() {
        let flow = flow("static void m(int n) { while (true) { if (n > 3) n--; } }");
        let pretended = (0..flow.exit()).flat_map(|block| flow.edges(block));
        let pretended = pretended.filter(|edge| edge.kind == EdgeKind::Endless);
        assert_eq!(pretended.count(), 1);
    }
}
