//! A layered drawing of a graph, from left to right: every call has a row of its own for its label.
//!
//! Comes in: sizes of nodes and labels, edges with weights. Goes out: where nodes, labels and lines are.
//! Does not know: what a node or an edge stands for, how it is drawn.
//!
//! Sugiyama, Tagawa, Toda, "Methods for Visual Understanding of Hierarchical System Structures", IEEE SMC 1981: break
//! cycles, give each node a rank, put a cell into every rank that an edge crosses, order the cells of each rank, place
//! them. Ranks of nodes and ranks of labels alternate, so that no label lies on a node or on another label:
//!
//! ```text
//! rank 0     1         2     3       4
//!  (0) ──── new ──── (1) ── init ── (2)
//!    ╰───── genMap ───────────────────╯      a bend in rank 2 and 3 keeps the line away from node 1
//! ```
//!
//! The edge with the greatest weight goes on straight from its node, and the others leave it to the side, so that the
//! most trodden path is a line along the top. The crates there are for this give no places for labels or bends.

mod cells;
mod order;
mod place;
mod rank;

pub(crate) use cells::{Edge, length};

use cells::{Cell, Cells, Content, Segment};

/// Size of a node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Size {
    pub width: f64,
    pub height: f64,
}

/// Where an edge goes.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Route {
    /// From source to target; every other part is level.
    pub points: Vec<(f64, f64)>,
    /// Left end of the level part that carries the label.
    pub label: (f64, f64),
}

/// Where everything is; the top left corner is (0, 0).
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Layout {
    /// Centre of each node.
    pub nodes: Vec<(f64, f64)>,
    /// One per edge.
    pub routes: Vec<Route>,
    pub width: f64,
    pub height: f64,
}

/// Height of a label's row above its line, and below it.
const LABEL: (f64, f64) = (14.0, 4.0);
/// Room for a line that passes by.
const BEND: f64 = 4.0;

/// Lays a graph out; node 0 is where reading begins.
pub(crate) fn layout(nodes: &[Size], edges: &[Edge]) -> Layout {
    if nodes.is_empty() {
        return Layout::default();
    }
    let (levels, reversed) = rank::levels(nodes.len(), edges);
    let mut cells = cells(nodes, edges, &levels, reversed);
    order::order(&mut cells);
    let heights = place::heights(&cells);
    let columns = place::columns(&cells, &heights);
    finish(nodes.len(), &cells, &heights, &columns)
}

fn cells(nodes: &[Size], edges: &[Edge], levels: &[usize], reversed: Vec<bool>) -> Cells {
    let mut graph = Cells {
        reversed,
        ..Cells::default()
    };
    for (index, node) in nodes.iter().enumerate() {
        graph.all.push(Cell {
            content: Content::Node(index),
            rank: levels[index] * 2,
            width: node.width,
            above: node.height / 2.0,
            below: node.height / 2.0,
        });
    }
    for (index, edge) in edges.iter().enumerate() {
        let (from, to) = if graph.reversed[index] {
            (edge.target, edge.source)
        } else {
            (edge.source, edge.target)
        };
        if from == to {
            graph.routes.push(vec![from]);
            continue;
        }
        let mut route = vec![from];
        for rank in levels[from] * 2 + 1..levels[to] * 2 {
            let has_label = rank == levels[from] * 2 + 1 && edge.label > 0.0;
            let (above, below) = if has_label { LABEL } else { (BEND, BEND) };
            route.push(graph.all.len());
            graph.all.push(Cell {
                content: if has_label {
                    Content::Label(index)
                } else {
                    Content::Bend
                },
                rank,
                width: if has_label { edge.label } else { 0.0 },
                above,
                below,
            });
        }
        route.push(to);
        for pair in route.windows(2) {
            graph.segments.push(Segment {
                from: pair[0],
                to: pair[1],
                weight: edge.weight,
                edge: index,
                has_label: edge.label > 0.0,
            });
        }
        graph.routes.push(route);
    }
    let last = graph.all.iter().map(|cell| cell.rank).max();
    graph.ranks = vec![Vec::new(); last.map_or(0, |last| last + 1)];
    graph
}

fn finish(nodes: usize, graph: &Cells, heights: &[f64], columns: &[(f64, f64)]) -> Layout {
    let centre = |rank: usize| f64::midpoint(columns[rank].0, columns[rank].1);
    let mut layout = Layout {
        nodes: (0..nodes)
            .map(|node| (centre(graph.all[node].rank), heights[node]))
            .collect(),
        width: columns.last().map_or(0.0, |column| column.1),
        height: graph
            .all
            .iter()
            .zip(heights)
            .map(|(cell, y)| y + cell.below)
            .fold(0.0, f64::max),
        ..Layout::default()
    };
    for (edge, route) in graph.routes.iter().enumerate() {
        let mut drawn = Route::default();
        for (place, &cell) in route.iter().enumerate() {
            let Cell {
                content,
                rank,
                width,
                ..
            } = graph.all[cell];
            let y = heights[cell];
            match content {
                Content::Node(_) if place == 0 => {
                    drawn.points.push((centre(rank) + width / 2.0, y));
                }
                Content::Node(_) => drawn.points.push((centre(rank) - width / 2.0, y)),
                _ => {
                    if content == Content::Label(edge) {
                        drawn.label = (columns[rank].0, y);
                    }
                    drawn
                        .points
                        .extend([(columns[rank].0, y), (columns[rank].1, y)]);
                }
            }
        }
        if graph.reversed[edge] {
            drawn.points.reverse();
        }
        layout.routes.push(drawn);
    }
    layout
}

#[cfg(test)]
mod tests {
    use super::*;

    const NODE: Size = Size {
        width: 20.0,
        height: 20.0,
    };

    fn edge(source: usize, target: usize, weight: f64) -> Edge {
        Edge {
            source,
            target,
            label: 60.0,
            weight,
        }
    }

    fn lay(nodes: usize, edges: &[Edge]) -> Layout {
        layout(&vec![NODE; nodes], edges)
    }

    /// Boxes of all nodes and labels.
    fn boxes(layout: &Layout, edges: &[Edge]) -> Vec<(f64, f64, f64, f64)> {
        let nodes = layout
            .nodes
            .iter()
            .map(|(x, y)| (x - 10.0, y - 10.0, x + 10.0, y + 10.0));
        let labels = layout.routes.iter().zip(edges).map(|(route, edge)| {
            let (x, y) = route.label;
            (x, y - LABEL.0, x + edge.label, y + LABEL.1)
        });
        nodes.chain(labels).collect()
    }

    fn assert_nothing_overlaps(layout: &Layout, edges: &[Edge]) {
        let boxes = boxes(layout, edges);
        for (index, one) in boxes.iter().enumerate() {
            assert!(one.0 >= -0.01 && one.1 >= -0.01, "{one:?} is outside");
            for other in &boxes[index + 1..] {
                let apart = one.2 <= other.0 + 0.01
                    || other.2 <= one.0 + 0.01
                    || one.3 <= other.1 + 0.01
                    || other.3 <= one.1 + 0.01;
                assert!(apart, "{one:?} lies on {other:?}");
            }
        }
    }

    #[test]
    fn a_line_that_passes_a_node_bends_around_it() {
        let edges = [edge(0, 1, 1.0), edge(1, 2, 1.0), edge(0, 2, 5.0)];
        let layout = lay(3, &edges);
        assert!(layout.nodes[0].0 < layout.nodes[1].0 && layout.nodes[1].0 < layout.nodes[2].0);
        assert_nothing_overlaps(&layout, &edges);
        let passing = layout.routes[2]
            .points
            .iter()
            .filter(|(x, _)| (x - layout.nodes[1].0).abs() <= 10.0)
            .map(|(_, y)| (y - layout.nodes[1].1).abs());
        let nearest = passing.fold(f64::INFINITY, f64::min);
        assert!(nearest >= 14.0, "{nearest}");
    }

    #[test]
    fn the_heaviest_path_is_a_straight_line_along_the_top() {
        let edges = [
            edge(0, 1, 1.0),
            edge(0, 2, 9.0),
            edge(2, 3, 1.0),
            edge(2, 4, 7.0),
        ];
        let layout = lay(5, &edges);
        let top = layout.nodes[0].1;
        assert!((layout.nodes[2].1 - top).abs() < 0.5);
        assert!((layout.nodes[4].1 - top).abs() < 0.5);
        assert!(layout.nodes[1].1 > top + 10.0 && layout.nodes[3].1 > top + 10.0);
    }

    #[test]
    fn a_fan_a_chain_and_a_mesh_of_150_nodes_have_no_overlaps() {
        let fan: Vec<Edge> = (1..150).map(|node| edge(0, node, length(node))).collect();
        let chain: Vec<Edge> = (1..150).map(|node| edge(node - 1, node, 1.0)).collect();
        let mesh: Vec<Edge> = (1..150)
            .flat_map(|node| [edge(node / 3, node, 2.0), edge(node * 7 % node, node, 1.0)])
            .filter(|edge| edge.source != edge.target)
            .collect();
        for edges in [fan, chain, mesh] {
            assert_nothing_overlaps(&lay(150, &edges), &edges);
        }
    }

    #[test]
    fn a_tree_is_drawn_without_crossings() {
        let edges: Vec<Edge> = (1..80)
            .map(|node| edge((node - 1) / 4, node, 1.0))
            .collect();
        let (levels, reversed) = rank::levels(80, &edges);
        let mut graph = cells(&[NODE; 80], &edges, &levels, reversed);
        order::order(&mut graph);
        assert_eq!(order::crossings(&graph), 0);
    }

    #[test]
    fn a_cycle_and_a_loop_are_drawn_too() {
        let edges = [
            edge(0, 1, 1.0),
            edge(1, 2, 1.0),
            edge(2, 1, 1.0),
            edge(2, 2, 1.0),
        ];
        let layout = lay(3, &edges);
        let back = &layout.routes[2].points;
        assert!(back[0].0 > back[back.len() - 1].0, "from right to left");
        assert_eq!(layout.routes[3].points.len(), 1);
    }

    #[test]
    fn nothing_gives_nothing() {
        assert_eq!(lay(0, &[]), Layout::default());
        assert_eq!(lay(1, &[]).nodes.len(), 1);
    }
}
