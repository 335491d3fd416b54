//! The order of a growing model's nodes in which every edge leads forward.
//!
//! Comes in: nodes as they are made, and which of them has to come before which. Goes out: whether one comes before
//! another, in constant time.
//! Does not know: edges; who moves a node brings what has to move with it.
//!
//! A node has a number; new ones get the number half way between their neighbours', and where none is left there all
//! nodes are numbered anew: the order maintenance of Dietz and Sleator, "Two Algorithms for Maintaining Order in a
//! List" (STOC 1987), in its simplest form.

use crate::NodeId;

/// Between two neighbours that were numbered together.
const GAP: u64 = 1 << 32;

/// Nodes in a topological order.
#[derive(Debug)]
pub(crate) struct NodeOrder {
    places: Vec<Place>,
    last: NodeId,
}

#[derive(Debug, Clone, Copy)]
struct Place {
    number: u64,
    before: NodeId,
    after: NodeId,
}

impl NodeOrder {
    /// The order of a model that has its root only.
    pub fn new() -> Self {
        let root = Place {
            number: GAP,
            before: NodeId::ROOT,
            after: NodeId::ROOT,
        };
        NodeOrder {
            places: vec![root],
            last: NodeId::ROOT,
        }
    }

    /// True if the first node is before the second.
    pub fn is_before(&self, first: NodeId, second: NodeId) -> bool {
        self.number(first) < self.number(second)
    }

    /// A node's number; it grows along the order and holds until the next change.
    pub fn number(&self, node: NodeId) -> u64 {
        self.places[node.index()].number
    }

    /// Adds the next node at the end.
    pub fn push(&mut self) {
        let node = NodeId(self.places.len() as u32);
        let number = self.number(self.last) + GAP;
        self.places[self.last.index()].after = node;
        self.places.push(Place {
            number,
            before: self.last,
            after: node,
        });
        self.last = node;
    }

    /// Moves nodes, which are later in the order, to directly before another, in the order they have.
    pub fn move_before(&mut self, nodes: &mut [NodeId], target: NodeId) {
        nodes.sort_unstable_by_key(|&node| self.number(node));
        for &node in &*nodes {
            self.take(node);
            self.put_before(node, target);
        }
    }

    fn take(&mut self, node: NodeId) {
        let Place { before, after, .. } = self.places[node.index()];
        if node == self.last {
            self.places[before.index()].after = before;
            self.last = before;
        } else {
            self.places[before.index()].after = after;
            self.places[after.index()].before = before;
        }
    }

    fn put_before(&mut self, node: NodeId, target: NodeId) {
        if self.number(target) - self.number(self.places[target.index()].before) < 2 {
            self.number_anew();
        }
        let before = self.places[target.index()].before;
        let (low, high) = (self.number(before), self.number(target));
        self.places[node.index()] = Place {
            number: low + (high - low) / 2,
            before,
            after: target,
        };
        self.places[before.index()].after = node;
        self.places[target.index()].before = node;
    }

    fn number_anew(&mut self) {
        let mut node = NodeId::ROOT;
        let mut number = GAP;
        loop {
            self.places[node.index()].number = number;
            if node == self.last {
                break;
            }
            node = self.places[node.index()].after;
            number += GAP;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_number_of_nodes_finds_room_before_one() {
        let mut order = NodeOrder::new();
        order.push();
        let target = NodeId(1);
        for number in 2..200 {
            order.push();
            order.move_before(&mut [NodeId(number)], target);
        }
        let expected: Vec<u32> = [0].into_iter().chain(2..200).chain([1]).collect();
        let mut nodes: Vec<u32> = (0..200).collect();
        nodes.sort_by_key(|&node| order.number(NodeId(node)));
        assert_eq!(nodes, expected);
    }

    #[test]
    fn nodes_that_move_together_keep_their_order() {
        let mut order = NodeOrder::new();
        (0..5).for_each(|_| order.push());
        order.move_before(&mut [NodeId(5), NodeId(3)], NodeId(2));
        let mut nodes: Vec<u32> = (0..6).collect();
        nodes.sort_by_key(|&node| order.number(NodeId(node)));
        assert_eq!(nodes, [0, 1, 3, 5, 2, 4]);
        order.push();
        assert!(order.is_before(NodeId(4), NodeId(6)), "4 is the last now");
    }
}
