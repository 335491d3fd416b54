//! Which column a node stands in: the longest way to it, cycles broken.
//!
//! Comes in: edges. Goes out: a level per node, and which edges are drawn against their direction.

use super::cells::Edge;

/// Levels from 0, and per edge whether it leads back.
pub(super) fn levels(nodes: usize, edges: &[Edge]) -> (Vec<usize>, Vec<bool>) {
    let mut outgoing: Vec<Vec<usize>> = vec![Vec::new(); nodes];
    for (index, edge) in edges.iter().enumerate() {
        outgoing[edge.source].push(index);
    }
    let (postorder, reversed) = depth_first(nodes, edges, &outgoing);
    let ends = |index: usize| {
        let edge = &edges[index];
        if reversed[index] {
            (edge.target, edge.source)
        } else {
            (edge.source, edge.target)
        }
    };
    let mut successors: Vec<Vec<usize>> = vec![Vec::new(); nodes];
    let mut has_source = vec![false; nodes];
    for index in 0..edges.len() {
        let (from, to) = ends(index);
        if from != to {
            successors[from].push(to);
            has_source[to] = true;
        }
    }
    let mut levels = vec![0_usize; nodes];
    for &node in postorder.iter().rev() {
        for &next in &successors[node] {
            levels[next] = levels[next].max(levels[node] + 1);
        }
    }
    // What nothing leads to stands right before what it leads to.
    for node in 1..nodes {
        if !has_source[node]
            && let Some(next) = successors[node].iter().map(|&next| levels[next]).min()
        {
            levels[node] = next - 1;
        }
    }
    (levels, reversed)
}

/// Nodes in postorder of a depth-first walk, and the edges that closed a cycle.
fn depth_first(nodes: usize, edges: &[Edge], outgoing: &[Vec<usize>]) -> (Vec<usize>, Vec<bool>) {
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        New,
        Open,
        Done,
    }
    let mut marks = vec![Mark::New; nodes];
    let mut reversed = vec![false; edges.len()];
    let mut postorder = Vec::with_capacity(nodes);
    for start in 0..nodes {
        if marks[start] != Mark::New {
            continue;
        }
        marks[start] = Mark::Open;
        let mut stack = vec![(start, 0)];
        while let Some((node, next)) = stack.last_mut() {
            let node = *node;
            let Some(&index) = outgoing[node].get(*next) else {
                marks[node] = Mark::Done;
                postorder.push(node);
                stack.pop();
                continue;
            };
            *next += 1;
            let target = edges[index].target;
            match marks[target] {
                Mark::New => {
                    marks[target] = Mark::Open;
                    stack.push((target, 0));
                }
                Mark::Open => reversed[index] = target != node,
                Mark::Done => {}
            }
        }
    }
    (postorder, reversed)
}
