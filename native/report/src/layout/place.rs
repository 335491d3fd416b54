//! Heights of cells and widths of columns.
//!
//! Comes in: ordered ranks. Goes out: a height per cell and a left and right end per rank.
//! Each rank in turn is pulled towards its neighbours; the pull that keeps the order and the distances is a weighted
//! isotonic regression, solved by pooling adjacent violators.

use super::cells::{Cells, Content};

/// Passes there and back.
const PASSES: usize = 10;
/// Least room between two cells of a rank.
const GAP: f64 = 4.0;
/// Pull of the heaviest edge of a node against one for the others.
const MAIN: f64 = 60.0;
/// Pull of an edge without a label.
const FAINT: f64 = 0.02;
/// Pull along an edge that passes ranks by.
const STRAIGHT: f64 = 20.0;
/// Room between two ranks: what it has at least, at most, and how it grows with the steepest line in it.
const COLUMN: (f64, f64, f64) = (16.0, 130.0, 0.05);

struct Pull {
    other: usize,
    strength: f64,
}

/// A height per cell; the topmost cell begins at 0.
pub(super) fn heights(graph: &Cells) -> Vec<f64> {
    let mut heights = vec![0.0; graph.all.len()];
    for rank in &graph.ranks {
        let mut y = 0.0;
        for &cell in rank {
            y += graph.all[cell].above;
            heights[cell] = y;
            y += graph.all[cell].below + GAP;
        }
    }
    let (left, right) = pulls(graph);
    let count = graph.ranks.len();
    for pass in 0..PASSES {
        let forward = pass % 2 == 0;
        for step in 0..count {
            let rank = &graph.ranks[if forward { step } else { count - 1 - step }];
            let pulls = if forward { &left } else { &right };
            settle(graph, rank, pulls, &mut heights);
        }
    }
    let top = graph
        .all
        .iter()
        .zip(&heights)
        .map(|(cell, y)| y - cell.above)
        .fold(f64::INFINITY, f64::min);
    for y in &mut heights {
        *y -= top;
    }
    heights
}

/// Per cell, what pulls it from the left and from the right.
fn pulls(graph: &Cells) -> (Vec<Vec<Pull>>, Vec<Vec<Pull>>) {
    let count = graph.all.len();
    let is_node = |cell: usize| matches!(graph.all[cell].content, Content::Node(_));
    // The heaviest edge out of each node.
    let mut heaviest: Vec<Option<usize>> = vec![None; count];
    for (index, segment) in graph.segments.iter().enumerate() {
        let best = &mut heaviest[segment.from];
        if best.is_none_or(|best| graph.segments[best].weight < segment.weight) {
            *best = Some(index);
        }
    }
    let mut is_heaviest = vec![false; graph.routes.len()];
    for (cell, &best) in heaviest.iter().enumerate() {
        if let Some(best) = best.filter(|_| is_node(cell)) {
            is_heaviest[graph.segments[best].edge] = true;
        }
    }
    let mut left: Vec<Vec<Pull>> = (0..count).map(|_| Vec::new()).collect();
    let mut right: Vec<Vec<Pull>> = (0..count).map(|_| Vec::new()).collect();
    for (index, segment) in graph.segments.iter().enumerate() {
        let is_main = heaviest[segment.from] == Some(index);
        let strength = if !segment.has_label {
            FAINT
        } else if is_heaviest[segment.edge] {
            MAIN
        } else {
            match (is_node(segment.from), is_node(segment.to)) {
                (false, false) => STRAIGHT,
                (false, true) => 4.0,
                _ => 1.0,
            }
        };
        left[segment.to].push(Pull {
            other: segment.from,
            strength,
        });
        // A node follows its heaviest edge alone, so that it stays at the top of what leaves it.
        if is_main {
            right[segment.from].push(Pull {
                other: segment.to,
                strength,
            });
        }
    }
    (left, right)
}

/// Moves the cells of one rank to where they are pulled, as far as order and distances let them.
fn settle(graph: &Cells, rank: &[usize], pulls: &[Vec<Pull>], heights: &mut [f64]) {
    struct Block {
        strength: f64,
        mean: f64,
        cells: usize,
    }
    let mut blocks: Vec<Block> = Vec::with_capacity(rank.len());
    let mut offsets = Vec::with_capacity(rank.len());
    let mut offset = 0.0;
    for (place, &cell) in rank.iter().enumerate() {
        if place > 0 {
            let before = &graph.all[rank[place - 1]];
            offset += before.below + GAP + graph.all[cell].above;
        }
        offsets.push(offset);
        let strength: f64 = pulls[cell].iter().map(|pull| pull.strength).sum();
        let wanted = pulls[cell]
            .iter()
            .map(|pull| pull.strength * heights[pull.other])
            .sum::<f64>();
        let (strength, wanted) = if strength > 0.0 {
            (strength, wanted / strength)
        } else {
            (0.05, heights[cell])
        };
        blocks.push(Block {
            strength,
            mean: wanted - offset,
            cells: 1,
        });
        while let [.., before, last] = blocks.as_mut_slice() {
            if before.mean <= last.mean {
                break;
            }
            let strength = before.strength + last.strength;
            before.mean = (before.mean * before.strength + last.mean * last.strength) / strength;
            before.strength = strength;
            before.cells += last.cells;
            blocks.pop();
        }
    }
    let mut place = 0;
    for block in blocks {
        for _ in 0..block.cells {
            heights[rank[place]] = block.mean + offsets[place];
            place += 1;
        }
    }
}

/// Left and right end of each rank.
pub(super) fn columns(graph: &Cells, heights: &[f64]) -> Vec<(f64, f64)> {
    let mut steepest = vec![0.0_f64; graph.ranks.len()];
    for segment in &graph.segments {
        let rank = graph.all[segment.from].rank;
        steepest[rank] = steepest[rank].max((heights[segment.from] - heights[segment.to]).abs());
    }
    let mut x = 0.0;
    let mut columns = Vec::with_capacity(graph.ranks.len());
    for (rank, cells) in graph.ranks.iter().enumerate() {
        let width = cells
            .iter()
            .map(|&cell| graph.all[cell].width)
            .fold(0.0, f64::max);
        columns.push((x, x + width));
        let (least, most, growth) = COLUMN;
        x += width + (least + steepest[rank] * growth).min(most);
    }
    columns
}
