//! Smaller models: nodes from which the same calls can follow become one (kTail).
//!
//! Comes in: finished [`Models`] and k. Goes out: models with fewer nodes, which may have cycles; everything that names
//! a node or an edge is renamed along: states of arguments, state dependences, sample histories.
//! Does not know: traces.
//!
//! The k-tails of a node are all sequences of at most k calls that leave it. Nodes with equal k-tails are merged, once,
//! the root never; what is recorded on an edge does not matter. With k = 3, `L(); add; add; add; add; add` becomes
//!
//! ```text
//! n0 -L-> n1 -add-> n2 -add-> n3 -add-> n4 -add-> n5 -add-> n6        add, add, add can follow n1, n2 and n3
//! m0 -L-> m1 -add-> m1,  m1 -add-> m2 -add-> m3 -add-> m4
//! ```
//!
//! Sets of sequences are compared as prefix trees, each distinct tree kept once. A tree is that of a set of nodes, as
//! equal calls may lead to several. Zhang, Saff, Bu, Ernst, ISSTA 2011, section 3.1.4; off by default, as there.

use crate::table::Table;
use crate::{
    ArgumentRecord, CallEdge, CallSequenceModel, EdgeId, EdgeKind, Models, NodeId, Observation,
    Role, SampleHistory, state_dependence,
};
use palus_bytecode::{ClassId, MethodId};
use std::collections::BTreeMap;

impl Models {
    /// The models with all nodes merged that have equal k-tails.
    #[must_use]
    pub fn k_tailed(&self, k: u32) -> Models {
        let blocks: BTreeMap<ClassId, Vec<NodeId>> = self
            .by_class
            .iter()
            .map(|(&class, model)| (class, blocks(model, k)))
            .collect();
        let by_class: BTreeMap<_, _> = self
            .by_class
            .iter()
            .map(|(&class, model)| (class, merged(model, &blocks)))
            .collect();
        let dependences = state_dependence::all(&by_class);
        Models {
            by_class,
            dependences,
            static_calls: self.static_calls.clone(),
            statistics: self.statistics.clone(),
            carved: self.carved.clone(),
            by_method: crate::ByMethod::default(),
        }
    }
}

/// Number of a distinct label.
type LabelId = u32;
/// Number of a distinct prefix tree; 0 is the empty one.
type TreeId = u32;
/// A set of nodes, in order, and how many calls its sequences have at most.
type Question = (Box<[NodeId]>, u32);

/// For each node the node it becomes, numbered by their smallest members.
fn blocks(model: &CallSequenceModel, k: u32) -> Vec<NodeId> {
    let mut tails = Tails::new(model);
    let mut known: Table<TreeId, NodeId> = Table::default();
    let mut next = 1;
    let mut blocks = vec![NodeId::ROOT];
    for node in 1..model.node_count() as u32 {
        let tree = tails.of(NodeId(node), k);
        let block = *known.entry(tree).or_insert_with(|| {
            next += 1;
            NodeId(next - 1)
        });
        blocks.push(block);
    }
    blocks
}

/// The prefix trees of a model's nodes.
struct Tails<'a> {
    model: &'a CallSequenceModel,
    /// Label of each edge.
    labels: Vec<LabelId>,
    /// Longest path from each node, which is as long as a sequence of calls can be.
    heights: Vec<u32>,
    /// Each distinct tree by its branches.
    trees: Table<Box<[(LabelId, TreeId)]>, TreeId>,
    answers: Table<Question, TreeId>,
}

impl<'a> Tails<'a> {
    fn new(model: &'a CallSequenceModel) -> Self {
        let mut known: BTreeMap<(MethodId, &[Role]), LabelId> = BTreeMap::new();
        let mut labels = Vec::with_capacity(model.edges().len());
        for edge in model.edges() {
            let count = known.len() as LabelId;
            let label = known.entry((edge.method, &edge.roles)).or_insert(count);
            labels.push(*label);
        }
        Tails {
            model,
            labels,
            heights: heights(model),
            trees: Table::from_iter([(Box::default(), 0)]),
            answers: Table::default(),
        }
    }

    /// The tree of a node's k-tails.
    fn of(&mut self, node: NodeId, k: u32) -> TreeId {
        let question = self.question(vec![node], k);
        let mut open = vec![question.clone()];
        while let Some(asked) = open.last() {
            if self.answers.contains_key(asked) {
                open.pop();
                continue;
            }
            let mut branches = Vec::new();
            let mut unanswered = Vec::new();
            for (label, next) in self.successors(asked) {
                match self.answers.get(&next) {
                    Some(&tree) => branches.push((label, tree)),
                    None => unanswered.push(next),
                }
            }
            if unanswered.is_empty() {
                let count = self.trees.len() as TreeId;
                let tree = *self.trees.entry(branches.into()).or_insert(count);
                let asked = open.pop().expect("the loop looks at the last one");
                self.answers.insert(asked, tree);
            } else {
                open.append(&mut unanswered);
            }
        }
        self.answers[&question]
    }

    /// The same question wherever more calls make no difference.
    fn question(&self, mut nodes: Vec<NodeId>, k: u32) -> Question {
        nodes.sort();
        nodes.dedup();
        let heights = nodes.iter().map(|node| self.heights[node.index()]);
        let k = k.min(heights.max().unwrap_or(0));
        (nodes.into(), k)
    }

    /// What can follow, by label.
    fn successors(&self, (nodes, k): &Question) -> Vec<(LabelId, Question)> {
        let Some(rest) = k.checked_sub(1) else {
            return Vec::new();
        };
        let mut targets: BTreeMap<LabelId, Vec<NodeId>> = BTreeMap::new();
        for &edge in nodes.iter().flat_map(|&node| self.model.outgoing(node)) {
            let label = self.labels[edge.index()];
            let target = self.model.edge(edge).target;
            targets.entry(label).or_default().push(target);
        }
        let question = |(label, nodes)| (label, self.question(nodes, rest));
        targets.into_iter().map(question).collect()
    }
}

/// The longest path from each node, by taking away nodes without a way on. Where a path has no end, as many calls as
/// there are nodes are enough to tell nodes apart, if equal calls never lead to several.
fn heights(model: &CallSequenceModel) -> Vec<u32> {
    let count = model.node_count();
    let mut incoming: Vec<Vec<NodeId>> = vec![Vec::new(); count];
    let mut open_edges = vec![0usize; count];
    for edge in model.edges() {
        incoming[edge.target.index()].push(edge.source);
        open_edges[edge.source.index()] += 1;
    }
    let mut heights = vec![0u32; count];
    let mut ends: Vec<usize> = (0..count).filter(|&node| open_edges[node] == 0).collect();
    while let Some(node) = ends.pop() {
        for source in std::mem::take(&mut incoming[node]) {
            let source = source.index();
            heights[source] = heights[source].max(heights[node] + 1);
            open_edges[source] -= 1;
            if open_edges[source] == 0 {
                ends.push(source);
            }
        }
    }
    for (height, open) in heights.iter_mut().zip(open_edges) {
        if open > 0 {
            *height = count as u32;
        }
    }
    heights
}

/// Where an edge went, and where each of its observations.
struct Renamed {
    edge: EdgeId,
    observations: Vec<Option<u32>>,
}

fn merged(model: &CallSequenceModel, blocks: &BTreeMap<ClassId, Vec<NodeId>>) -> CallSequenceModel {
    let own = &blocks[&model.class()];
    let nodes = own.iter().max().map_or(1, |last| last.index() + 1);
    let mut small = CallSequenceModel {
        outgoing: vec![Vec::new(); nodes],
        objects: model.objects,
        ..CallSequenceModel::new(model.class())
    };
    let mut known: BTreeMap<(NodeId, MethodId, &[Role], NodeId), EdgeId> = BTreeMap::new();
    let mut places: Table<(EdgeId, Key), u32> = Table::default();
    let mut renamed = Vec::with_capacity(model.edges().len());
    for edge in model.edges() {
        let (source, target) = (own[edge.source.index()], own[edge.target.index()]);
        let next = EdgeId(small.edges.len() as u32);
        let id = *known
            .entry((source, edge.method, &edge.roles, target))
            .or_insert(next);
        if id == next {
            small.outgoing[source.index()].push(id);
            small.edges.push(CallEdge {
                id,
                method: edge.method,
                roles: edge.roles.clone(),
                source,
                target,
                kind: edge.kind,
                observations: Vec::new(),
                count: 0,
            });
        }
        let into = &mut small.edges[id.index()];
        into.count += edge.count;
        if edge.kind == EdgeKind::Main {
            into.kind = EdgeKind::Main;
        }
        let observations = edge.observations.iter().map(|observation| {
            let mut observation = observation.clone();
            rename_states(&mut observation, blocks);
            unite(into, &mut places, observation)
        });
        renamed.push(Renamed {
            edge: id,
            observations: observations.collect(),
        });
    }
    small.histories = renamed_histories(model.sample_histories(), &renamed);
    small
}

/// What makes two observations of an edge the same: all but count and states.
type Key = (Option<ArgumentRecord>, Vec<ArgumentRecord>);

/// Adds an observation to an edge and returns its place; none where the edge has enough.
fn unite(
    edge: &mut CallEdge,
    places: &mut Table<(EdgeId, Key), u32>,
    observation: Observation,
) -> Option<u32> {
    let stateless = |record: &ArgumentRecord| {
        let mut record = record.clone();
        if let ArgumentRecord::Constrained(constraint) = &mut record {
            constraint.dep_states.clear();
        }
        record
    };
    let key = (
        observation.receiver.as_ref().map(stateless),
        observation.arguments.iter().map(stateless).collect(),
    );
    let key = (edge.id, key);
    if let Some(&place) = places.get(&key) {
        let known = &mut edge.observations[place as usize];
        known.count += observation.count;
        let records = known.receiver.iter_mut().chain(&mut known.arguments);
        let more = observation.receiver.iter().chain(&observation.arguments);
        for pair in records.zip(more) {
            if let (ArgumentRecord::Constrained(record), ArgumentRecord::Constrained(more)) = pair {
                record.dep_states.extend(&more.dep_states);
                state_dependence::limit(&mut record.dep_states);
            }
        }
        return Some(place);
    }
    if edge.observations.len() >= CallEdge::MAXIMUM_OBSERVATIONS {
        return None;
    }
    let place = edge.observations.len() as u32;
    edge.observations.push(observation);
    places.insert(key, place);
    Some(place)
}

fn rename_states(observation: &mut Observation, blocks: &BTreeMap<ClassId, Vec<NodeId>>) {
    let records = observation
        .receiver
        .iter_mut()
        .chain(&mut observation.arguments);
    for record in records {
        if let ArgumentRecord::Constrained(constraint) = record {
            for (class, node) in &mut constraint.dep_states {
                *node = blocks[class][node.index()];
            }
            state_dependence::limit(&mut constraint.dep_states);
        }
    }
}

/// The histories in terms of the new edges; those that became equal are counted together.
fn renamed_histories(histories: &[SampleHistory], renamed: &[Renamed]) -> Vec<SampleHistory> {
    let mut known: BTreeMap<Vec<(EdgeId, u32)>, usize> = BTreeMap::new();
    let mut found: Vec<SampleHistory> = Vec::new();
    for history in histories {
        let steps = history.steps.iter().map_while(|&(edge, observation)| {
            let renamed = &renamed[edge.index()];
            Some((renamed.edge, renamed.observations[observation as usize]?))
        });
        let steps: Vec<_> = steps.collect();
        if steps.is_empty() {
            continue;
        }
        let place = *known.entry(steps.clone()).or_insert(found.len());
        if place < found.len() {
            found[place].count += history.count;
        } else {
            found.push(SampleHistory {
                steps,
                count: history.count,
            });
        }
    }
    found
}
