//! What a drawing is made of before anything has a place: cells in ranks, and the parts of edges between them.
//!
//! Comes in: nothing. Goes out: the types that ranking, ordering and placing share.
//! Does not know: how cells get their ranks and places.

/// What one cell holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Content {
    Node(usize),
    Label(usize),
    Bend,
}

/// A thing with a place of its own in one rank.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    pub content: Content,
    pub rank: usize,
    pub width: f64,
    /// How far it reaches above and below its own height.
    pub above: f64,
    pub below: f64,
}

/// A part of an edge between cells of neighbouring ranks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Segment {
    pub from: usize,
    pub to: usize,
    pub weight: f64,
    pub edge: usize,
    /// False for edges without a label, which give way to all others.
    pub has_label: bool,
}

/// A graph of cells.
#[derive(Debug, Default)]
pub(super) struct Cells {
    pub all: Vec<Cell>,
    pub segments: Vec<Segment>,
    /// Cells of each rank, from the top.
    pub ranks: Vec<Vec<usize>>,
    /// Cells of each edge from its first to its last rank.
    pub routes: Vec<Vec<usize>>,
    /// Edges drawn from right to left.
    pub reversed: Vec<bool>,
}

/// An edge to draw.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    pub source: usize,
    pub target: usize,
    /// Width of its label; zero without one.
    pub label: f64,
    /// How much it matters that it is straight.
    pub weight: f64,
}

/// A count as a length.
pub(crate) fn length(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}
