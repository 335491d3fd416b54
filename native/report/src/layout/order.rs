//! Who stands above whom in a rank, so that few lines cross.
//!
//! Comes in: cells with ranks. Goes out: the ranks' lists, ordered.
//! A depth-first walk, heaviest edge first, is free of crossings for trees; sweeps by barycentre follow and are kept
//! only where they cross less.

use super::cells::{Cells, length};

/// Sweeps there and back.
const SWEEPS: usize = 12;
/// More segments than this are left as the walk gave them.
const MAXIMUM_SEGMENTS: usize = 60_000;

/// Fills and orders the ranks.
pub(super) fn order(graph: &mut Cells) {
    walk(graph);
    if graph.segments.len() > MAXIMUM_SEGMENTS {
        return;
    }
    let mut best = (crossings(graph), graph.ranks.clone());
    for sweep in 0..SWEEPS {
        if best.0 == 0 {
            break;
        }
        barycentre(graph, sweep % 2 == 0);
        let crossed = crossings(graph);
        if crossed < best.0 {
            best = (crossed, graph.ranks.clone());
        }
    }
    graph.ranks = best.1;
}

fn walk(graph: &mut Cells) {
    let mut next: Vec<Vec<(usize, f64)>> = vec![Vec::new(); graph.all.len()];
    for segment in &graph.segments {
        next[segment.from].push((segment.to, segment.weight));
    }
    for list in &mut next {
        list.sort_by(|left, right| left.1.total_cmp(&right.1));
    }
    let mut seen = vec![false; graph.all.len()];
    for start in 0..graph.all.len() {
        let mut stack = vec![start];
        while let Some(cell) = stack.pop() {
            if std::mem::replace(&mut seen[cell], true) {
                continue;
            }
            graph.ranks[graph.all[cell].rank].push(cell);
            stack.extend(next[cell].iter().map(|&(to, _)| to));
        }
    }
}

/// Places in the ranks by cell.
fn places(graph: &Cells) -> Vec<usize> {
    let mut places = vec![0; graph.all.len()];
    for rank in &graph.ranks {
        for (place, &cell) in rank.iter().enumerate() {
            places[cell] = place;
        }
    }
    places
}

fn barycentre(graph: &mut Cells, forward: bool) {
    let mut neighbours: Vec<Vec<usize>> = vec![Vec::new(); graph.all.len()];
    for segment in &graph.segments {
        let (of, other) = if forward {
            (segment.to, segment.from)
        } else {
            (segment.from, segment.to)
        };
        neighbours[of].push(other);
    }
    let mut places = places(graph);
    let count = graph.ranks.len();
    for step in 0..count {
        let rank = if forward { step } else { count - 1 - step };
        let mut wanted: Vec<(f64, usize)> = graph.ranks[rank]
            .iter()
            .map(|&cell| {
                let near = &neighbours[cell];
                let mean = if near.is_empty() {
                    length(places[cell])
                } else {
                    near.iter().map(|&other| length(places[other])).sum::<f64>()
                        / length(near.len())
                };
                (mean, cell)
            })
            .collect();
        wanted.sort_by(|left, right| left.0.total_cmp(&right.0));
        graph.ranks[rank] = wanted.into_iter().map(|(_, cell)| cell).collect();
        for (place, &cell) in graph.ranks[rank].iter().enumerate() {
            places[cell] = place;
        }
    }
}

/// How many pairs of segments cross.
pub(super) fn crossings(graph: &Cells) -> usize {
    let places = places(graph);
    let mut by_rank: Vec<Vec<(usize, usize)>> = vec![Vec::new(); graph.ranks.len()];
    for segment in &graph.segments {
        by_rank[graph.all[segment.from].rank].push((places[segment.from], places[segment.to]));
    }
    let mut crossed = 0;
    for (rank, mut segments) in by_rank.into_iter().enumerate() {
        segments.sort_unstable();
        let size = graph.ranks.get(rank + 1).map_or(0, Vec::len);
        // A Fenwick tree over the right ends seen so far.
        let mut tree = vec![0_usize; size + 1];
        for (seen, &(_, to)) in segments.iter().enumerate() {
            let mut not_beyond = 0;
            let mut at = to + 1;
            while at > 0 {
                not_beyond += tree[at];
                at &= at - 1;
            }
            crossed += seen - not_beyond;
            let mut at = to + 1;
            while at <= size {
                tree[at] += 1;
                at += at & at.wrapping_neg();
            }
        }
    }
    crossed
}
