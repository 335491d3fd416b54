//! Checking: calls of an execution that a protocol does not allow.
//!
//! Comes in: [`Protocols`], an [`Execution`] and its [`Vocabulary`]. Goes out: [`Violation`]s in the order of calls.
//! Does not know: exceptions; which violations are worth a warning (`filter.rs`).
//!
//! What is in doubt is no violation. A call that no passing execution made on such objects says nothing. After a
//! violation the state stays, so that a harmless one does not hide the next. Where two objects may stand for the same
//! parameters, each way must be violated. Of an object whose creation was not seen, all states are tried in which it may
//! be: those that follow a creation, and the initial one where passing executions began so.

use crate::label::Parameter;
use crate::protocol::{Machine, StateKind};
use crate::subtrace::{Group, Origins};
use crate::{Call, Execution, Label, NameId, ObjectId, Protocols, SignatureId, Vocabulary};
use std::collections::{BTreeMap, BTreeSet};

/// A call that a protocol does not allow.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Violation {
    /// Its place among the calls of the execution.
    pub call: usize,
    /// Place of the protocol, for [`Checker::machine`].
    pub protocol: usize,
    /// Places of the states in which the objects may have been, ascending; mostly one.
    pub states: Vec<usize>,
    /// Places of the calls that led there: those of the subtrace before it that the protocol knows.
    pub path: Vec<usize>,
    /// Places of the states on that way, from the first on; where there may be several, the first of these.
    pub trail: Vec<usize>,
    /// The call, as the protocol sees it.
    pub refused: Label,
}

/// Protocols made ready for checking executions that are told in the words of one vocabulary.
#[derive(Debug)]
pub struct Checker {
    by_types: BTreeMap<Vec<NameId>, usize>,
    compiled: Vec<Compiled>,
}

#[derive(Debug)]
struct Compiled {
    machine: Machine,
    /// Methods of all labels.
    alphabet: BTreeSet<SignatureId>,
    /// Per state.
    next: Vec<BTreeMap<Label<SignatureId>, usize>>,
}

impl Checker {
    /// Makes protocols ready; their names become part of the vocabulary.
    pub fn new(protocols: &Protocols, vocabulary: &mut Vocabulary) -> Self {
        let mut by_types = BTreeMap::new();
        let mut compiled = Vec::new();
        for protocol in protocols.iter() {
            let names = protocol.types().iter();
            let types: Vec<NameId> = names.map(|name| vocabulary.name_id(name)).collect();
            by_types.insert(types, compiled.len());
            let machine = protocol.machine();
            let mut number = |state: &crate::State| {
                let steps = state.steps.iter();
                steps
                    .map(|(label, target)| (label.numbered(vocabulary), *target))
                    .collect::<BTreeMap<_, _>>()
            };
            let next: Vec<_> = machine.states().iter().map(&mut number).collect();
            let labels = next.iter().flat_map(BTreeMap::keys);
            compiled.push(Compiled {
                alphabet: labels.map(|label| label.method).collect(),
                machine,
                next,
            });
        }
        Checker { by_types, compiled }
    }

    /// The state machine of a protocol by its place, which is that in the order of [`Protocols::iter`].
    pub fn machine(&self, protocol: usize) -> &Machine {
        &self.compiled[protocol].machine
    }

    /// The violations among the calls that `is_asked` chooses. Subtraces without such a call are not looked at.
    pub fn violations(
        &self,
        vocabulary: &Vocabulary,
        execution: &Execution,
        is_asked: &dyn Fn(&Call) -> bool,
    ) -> Vec<Violation> {
        let calls = execution.calls.iter().enumerate();
        let asked: BTreeSet<usize> = calls
            .filter(|(_, call)| is_asked(call))
            .map(|(index, _)| index)
            .collect();
        if asked.is_empty() {
            return Vec::new();
        }
        let origins = Origins::of(vocabulary, execution);
        let calls = origins.calls_of_objects(execution);
        let mut is_part = vec![false; execution.objects.len()];
        for &index in &asked {
            let call = &execution.calls[index];
            let is_created =
                |object: &ObjectId| origins.creation[object.index()] == Some(index as u32);
            for object in call
                .receiver
                .into_iter()
                .chain(call.result.filter(is_created))
            {
                is_part[object.index()] = true;
            }
        }
        let is_part = |object: ObjectId| is_part[object.index()];
        let singles = origins.singles().filter(|&object| is_part(object));
        let singles = singles.map(|object| (Group::single(execution, object), object));
        let pairs = origins.pairs.iter();
        let pairs = pairs.filter(|(creator, created)| is_part(*creator) || is_part(*created));
        let pairs = pairs.map(|&pair| (Group::pair(vocabulary, execution, pair), pair.0));
        let mut found = Vec::new();
        for (group, creator) in singles.chain(pairs) {
            let Some(&protocol) = self.by_types.get(group.types()) else {
                continue;
            };
            let subtrace = Subtrace {
                vocabulary,
                execution,
                origins: &origins,
                calls: &calls,
                creator,
            };
            let check = |group| self.compiled[protocol].check(&subtrace, group, protocol, &asked);
            let mut violations = check(group);
            if let Some(exchanged) = group.exchanged() {
                let others = check(exchanged);
                violations.retain(|one| others.iter().any(|other| other.call == one.call));
            }
            found.append(&mut violations);
        }
        found.sort();
        found
    }
}

struct Subtrace<'a> {
    vocabulary: &'a Vocabulary,
    execution: &'a Execution,
    origins: &'a Origins,
    /// Per object, the calls on it and the one that created it.
    calls: &'a [Vec<u32>],
    creator: ObjectId,
}

impl Compiled {
    fn check(
        &self,
        subtrace: &Subtrace<'_>,
        group: Group,
        protocol: usize,
        asked: &BTreeSet<usize>,
    ) -> Vec<Violation> {
        let mut violations = Vec::new();
        let mut path = Vec::new();
        let mut trail = Vec::new();
        let objects = group.objects();
        let assigned = [Some(objects[0]), objects.get(1).copied()];
        let is_seen = subtrace.origins.creation[subtrace.creator.index()].is_some();
        let mut states = vec![0];
        let mut may_begin = false;
        if !is_seen {
            let place = objects
                .iter()
                .position(|&object| object == subtrace.creator);
            let creator = Parameter(place.expect("the creator is of the group") as u8);
            let possible = self.machine.states_of_unseen(creator);
            if !possible.is_empty() {
                // Of one object, the initial state is left with the first call, and binds.
                may_begin = objects.len() == 1;
                states = possible;
            }
        }
        trail.push(states[0]);
        let of_objects = objects
            .iter()
            .flat_map(|object| &subtrace.calls[object.index()]);
        let mut indices: Vec<usize> = of_objects.map(|&index| index as usize).collect();
        indices.sort_unstable();
        indices.dedup();
        for index in indices {
            let call = &subtrace.execution.calls[index];
            let method = subtrace.vocabulary.called(call.site);
            if !self.alphabet.contains(&method) {
                continue;
            }
            let label = Label::of(method, call, assigned);
            let mut next = self.after(&states, &label);
            if std::mem::take(&mut may_begin) {
                next.extend(self.next[0].get(&label));
            }
            if !next.is_empty() {
                states = next.into_iter().collect();
            } else if asked.contains(&index) {
                violations.push(Violation {
                    call: index,
                    protocol,
                    states: states.clone(),
                    path: path.clone(),
                    trail: trail.clone(),
                    refused: label.named(subtrace.vocabulary),
                });
                continue;
            }
            path.push(index);
            trail.push(states[0]);
        }
        violations
    }

    /// The states after a call; a setup state binds nobody, so that one which does not know the call stays.
    fn after(&self, states: &[usize], label: &Label<SignatureId>) -> BTreeSet<usize> {
        let step = |&state: &usize| match self.next[state].get(label) {
            Some(&target) => Some(target),
            None if self.machine.states()[state].kind == StateKind::Setup => Some(state),
            None => None,
        };
        states.iter().filter_map(step).collect()
    }
}
