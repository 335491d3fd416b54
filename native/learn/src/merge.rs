//! Merging object histories into one call sequence model per class.
//!
//! Comes in: histories, one after the other; the order matters and is the callers' to fix.
//! Goes out: a [`CallSequenceModel`]; every call of the history is told its edge and observation.
//! Does not know: traces; other classes.
//!
//! Common beginnings share nodes and edges; constants and constraints stand on the edge; nested calls become paths
//! beside the edge of the call around them, from the same node to the same node:
//!
//! ```text
//! genMap() { RoadMap(); init() }; setMap(_)        n0 -genMap-> n1 -setMap-> n3
//!                                                  n0 -RoadMap-> n2 -init-> n1      (alternative)
//! ```
//!
//! A nested path never leads back: an edge is reused only if its target cannot be reached from where the path has to
//! end, nor from where the paths around it have to, so the graph stays acyclic. Kiezun, Artzi, Ernst, Pacheco, Perkins,
//! M-TOOS 2006.
//!
//! Nodes are kept in an order in which every edge leads forward, so that two numbers answer most questions of what can
//! be reached, and the search for the others stays between two nodes of that order: Pearce, Kelly, "A Dynamic
//! Topological Sort Algorithm for Directed Acyclic Graphs" (JEA 2006).

use crate::calls::{CallId, Calls, NOT_KEPT};
use crate::history::{HistoryCall, Label, ObjectHistory, RoleSet};
use crate::order::NodeOrder;
use crate::table::Table;
use crate::values::Values;
use crate::{
    CallEdge, CallSequenceModel, EdgeId, EdgeKind, NodeId, Observation, Role, SampleHistory,
};
use palus_bytecode::{ClassId, Program};

/// Nodes looked at before a reuse is given up; giving up only adds a node.
const MAXIMUM_SEARCH: usize = 20_000;

/// A model that still grows.
#[derive(Debug)]
pub(crate) struct ModelBuilder {
    pub model: CallSequenceModel,
    labels: Vec<Label>,
    /// Place of a distinct call among an edge's observations.
    places: Table<(EdgeId, CallId), u16>,
    /// Sources of a node's incoming edges.
    sources: Vec<Vec<NodeId>>,
    order: NodeOrder,
    /// Search round in which a node was visited last.
    visited: Vec<u32>,
    round: u32,
    /// Place of a way among the model's sample histories.
    ways: Table<Box<[(EdgeId, u32)]>, u32>,
    /// The way of the history at hand.
    way: Vec<(EdgeId, u32)>,
}

impl ModelBuilder {
    pub fn new(class: ClassId) -> Self {
        ModelBuilder {
            model: CallSequenceModel::new(class),
            labels: Vec::new(),
            places: Table::default(),
            sources: vec![Vec::new()],
            order: NodeOrder::new(),
            visited: vec![0],
            round: 0,
            ways: Table::default(),
            way: Vec::new(),
        }
    }

    /// Merges one history and returns the node after each of its outermost calls.
    pub fn insert(
        &mut self,
        program: &Program,
        values: &Values,
        calls: &Calls,
        history: &mut ObjectHistory,
    ) -> Vec<NodeId> {
        self.model.objects += 1;
        let mut merger = Merger {
            builder: self,
            program,
            values,
            calls,
        };
        let mut path = Vec::with_capacity(history.calls.len());
        let mut current = NodeId::ROOT;
        let mut around = Vec::new();
        for call in &mut history.calls {
            prune(call, &mut around);
            let edge = merger.builder.step(current, call.label);
            merger.record(edge, call);
            let target = merger.builder.model.edge(edge).target;
            merger.alternative(&mut call.children, current, &mut vec![target]);
            path.push(target);
            current = target;
        }
        self.keep_way(history);
        path
    }

    /// Counts the way of a merged history, or keeps it where it is new and there are not enough yet.
    fn keep_way(&mut self, history: &ObjectHistory) {
        let step = |call: &HistoryCall| Some((EdgeId(call.edge), u32::from(call.observation?)));
        let steps = history.calls.iter().map_while(step);
        self.way.clear();
        self.way.extend(steps.take(SampleHistory::MAXIMUM_STEPS));
        let histories = &mut self.model.histories;
        if let Some(&place) = self.ways.get(&*self.way) {
            histories[place as usize].count += 1;
        } else if !self.way.is_empty() && histories.len() < SampleHistory::MAXIMUM_HISTORIES {
            let place = histories.len() as u32;
            self.ways.insert(self.way.as_slice().into(), place);
            histories.push(SampleHistory {
                steps: self.way.clone(),
                count: 1,
            });
        }
    }

    /// The edge that a call takes from a node: one that is there, the main one first, or a new one to a new node.
    fn step(&mut self, from: NodeId, label: Label) -> EdgeId {
        let known = self.candidates(from, label).next();
        known.unwrap_or_else(|| {
            let target = self.node();
            self.edge(label, from, target, EdgeKind::Main)
        })
    }

    /// Edges out of a node with a label, main ones first, each kind in id order.
    fn candidates(&self, from: NodeId, label: Label) -> impl Iterator<Item = EdgeId> {
        let of_kind = move |kind| {
            let outgoing = self.model.outgoing(from).iter().copied();
            outgoing.filter(move |&edge| {
                self.labels[edge.index()] == label && self.model.edge(edge).kind == kind
            })
        };
        of_kind(EdgeKind::Main).chain(of_kind(EdgeKind::Alternative))
    }

    fn node(&mut self) -> NodeId {
        self.model.outgoing.push(Vec::new());
        self.sources.push(Vec::new());
        self.visited.push(0);
        self.order.push();
        NodeId(self.model.outgoing.len() as u32 - 1)
    }

    /// A new node that comes before another.
    fn node_before(&mut self, target: NodeId) -> NodeId {
        let node = self.node();
        self.order.move_before(&mut [node], target);
        node
    }

    fn edge(&mut self, label: Label, source: NodeId, target: NodeId, kind: EdgeKind) -> EdgeId {
        debug_assert!(self.order.is_before(source, target), "edges lead forward");
        let id = EdgeId(self.model.edges.len() as u32);
        self.labels.push(label);
        self.model.outgoing[source.index()].push(id);
        self.sources[target.index()].push(source);
        self.model.edges.push(CallEdge {
            id,
            method: label.method,
            roles: roles(label.roles),
            source,
            target,
            kind,
            observations: Vec::new(),
            count: 0,
        });
        id
    }

    /// True if a path to the last of some nodes may lead over another without a circle: that one comes before the last
    /// and is moved there if need be. From each of the nodes a path leads, or will lead, to the one before it. False
    /// also where that takes too long to find out.
    fn may_lead_over(&mut self, over: NodeId, ends: &[NodeId]) -> bool {
        let Some(&end) = ends.last() else {
            return true;
        };
        if self.order.is_before(over, end) {
            return true;
        }
        if self.is_reachable(ends, over) {
            return false;
        }
        let mut later = self.sources_after(over, end);
        self.order.move_before(&mut later, end);
        true
    }

    /// True if a path leads from one of some nodes to another, or the search takes too long.
    fn is_reachable(&mut self, from: &[NodeId], to: NodeId) -> bool {
        let limit = self.order.number(to);
        self.round += 1;
        let mut open = from.to_vec();
        let mut looked_at = 0;
        while let Some(node) = open.pop() {
            looked_at += 1;
            if node == to || looked_at > MAXIMUM_SEARCH {
                return true;
            }
            for &edge in self.model.outgoing(node) {
                let next = self.model.edge(edge).target;
                if self.order.number(next) <= limit && is_new(&mut self.visited, next, self.round) {
                    open.push(next);
                }
            }
        }
        false
    }

    /// A node and those from which paths lead to it, as far as they come after another node.
    fn sources_after(&mut self, node: NodeId, after: NodeId) -> Vec<NodeId> {
        self.round += 1;
        let mut found = vec![node];
        let mut next = 0;
        while let Some(&node) = found.get(next) {
            next += 1;
            for &source in &self.sources[node.index()] {
                if self.order.is_before(after, source)
                    && is_new(&mut self.visited, source, self.round)
                {
                    found.push(source);
                }
            }
        }
        found
    }
}

fn is_new(visited: &mut [u32], node: NodeId, round: u32) -> bool {
    std::mem::replace(&mut visited[node.index()], round) != round
}

struct Merger<'a> {
    builder: &'a mut ModelBuilder,
    program: &'a Program,
    values: &'a Values,
    calls: &'a Calls,
}

impl Merger<'_> {
    /// Adds nested calls as a path from `source` to the last of `ends`, the other ones being the ends of the paths around
    /// it. The recursion is as deep as histories are nested, which `history.rs` bounds.
    fn alternative(
        &mut self,
        children: &mut [HistoryCall],
        source: NodeId,
        ends: &mut Vec<NodeId>,
    ) {
        let (Some((last, before)), Some(&target)) = (children.split_last_mut(), ends.last()) else {
            return;
        };
        let mut current = source;
        for child in before {
            let candidates: Vec<EdgeId> = self.builder.candidates(current, child.label).collect();
            let reused = candidates.into_iter().find(|&edge| {
                let over = self.builder.model.edge(edge).target;
                self.builder.may_lead_over(over, ends)
            });
            let edge = reused.unwrap_or_else(|| {
                let node = self.builder.node_before(target);
                self.builder
                    .edge(child.label, current, node, EdgeKind::Alternative)
            });
            self.record(edge, child);
            let next = self.builder.model.edge(edge).target;
            ends.push(next);
            self.alternative(&mut child.children, current, ends);
            ends.pop();
            current = next;
        }
        let existing = self
            .builder
            .candidates(current, last.label)
            .find(|&edge| self.builder.model.edge(edge).target == target);
        let edge = existing.unwrap_or_else(|| {
            self.builder
                .edge(last.label, current, target, EdgeKind::Alternative)
        });
        self.record(edge, last);
        self.alternative(&mut last.children, current, ends);
    }

    fn record(&mut self, edge: EdgeId, call: &mut HistoryCall) {
        call.edge = edge.0;
        let known = self.builder.places.get(&(edge, call.call)).copied();
        let model = &mut self.builder.model;
        let entry = &mut model.edges[edge.index()];
        entry.count += 1;
        if let Some(place) = known {
            entry.observations[place as usize].count += 1;
            call.observation = Some(place);
        } else if call.call != NOT_KEPT && entry.observations.len() < CallEdge::MAXIMUM_OBSERVATIONS
        {
            let method = self.program.method(call.label.method);
            let mut records = self.calls.records(call.call, self.values);
            let has_receiver = !method.access.is_static() && !method.is_constructor();
            let receiver = has_receiver.then(|| records.remove(0));
            let place = entry.observations.len() as u16;
            entry.observations.push(Observation {
                receiver,
                arguments: records,
                count: 1,
            });
            self.builder.places.insert((edge, call.call), place);
            call.observation = Some(place);
        }
    }
}

/// Cuts a nested call where the call around it has the same label and the calls around that have it already twice.
fn prune(call: &mut HistoryCall, around: &mut Vec<Label>) {
    if call.children.is_empty() {
        return;
    }
    around.push(call.label);
    let is_repeated = around.iter().filter(|&&label| label == call.label).count() >= 2;
    if is_repeated {
        let own = call.label;
        call.leave_out(own);
    }
    for child in &mut call.children {
        prune(child, around);
    }
    around.pop();
}

fn roles(set: RoleSet) -> Vec<Role> {
    let role = |bit: u16| match bit {
        0 => Role::Result,
        1 => Role::This,
        argument => Role::Argument(argument - 2),
    };
    (0..64)
        .filter(|bit| set.0 >> bit & 1 == 1)
        .map(role)
        .collect()
}
