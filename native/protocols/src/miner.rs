//! Mining: protocols from passing executions, one after the other, in time linear in their calls.
//!
//! Comes in: executions and their [`Vocabulary`]. Goes out: [`Protocols`], independent of the executions' order.
//! Does not know: failures beyond leaving them out; files.
//!
//! A call that threw was no legal one, even where the program caught what it threw: it is left out. Else one place that
//! catches would make the call legal everywhere.
//! All subtraces of the same types feed one protocol, as steps from a state before merging to the next call
//! (`protocol.rs`). What is kept does not grow with the executions, but with the methods of the API. Where one object
//! made many others of a type, a call on it is part of all their subtraces: those that came no further since the last
//! such call are in the same state, and step once together.

use crate::label::{Bound, Parameter};
use crate::protocol::RawState;
use crate::subtrace::{Group, Origins};
use crate::{
    Call, End, Execution, Label, NameId, ObjectId, Protocol, Protocols, SignatureId, Source,
    Support, Vocabulary,
};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Protocols that still grow. All executions must be told in the words of one vocabulary.
#[derive(Debug, Default)]
pub struct Miner {
    places: BTreeMap<Vec<NameId>, usize>,
    growing: Vec<Growing>,
    executions: u64,
}

impl Miner {
    /// Learns from an execution, unless it failed: what a failing one did is no example.
    pub fn learn(&mut self, vocabulary: &Vocabulary, execution: &Execution, source: Source) {
        if execution.end != End::Passed {
            return;
        }
        self.executions += 1;
        let execution = without_thrown(execution);
        Walk::start(self, vocabulary, &execution, source).run();
    }

    /// What was learned.
    pub fn finish(self, vocabulary: &Vocabulary) -> Protocols {
        let mut protocols = Protocols::default();
        for (types, place) in &self.places {
            let names = types.iter().map(|&name| vocabulary.name(name).clone());
            protocols.add(self.growing[*place].finish(vocabulary, names.collect()));
        }
        protocols
    }

    /// The protocol of a group, to which it adds one subtrace.
    fn protocol(&mut self, group: &Group, source: Source) -> usize {
        let place = self.places.get(group.types()).copied();
        let place = place.unwrap_or_else(|| {
            let place = self.growing.len();
            self.places.insert(group.types().to_vec(), place);
            self.growing.push(Growing::default());
            place
        });
        let growing = &mut self.growing[place];
        let is_new = growing.latest != self.executions;
        growing.latest = self.executions;
        growing.support += Support {
            generated_sequences: u64::from(is_new && source == Source::GeneratedSequence),
            project_tests: u64::from(is_new && source == Source::ProjectTest),
            subtraces: 1,
        };
        place
    }
}

/// The execution with those calls alone that ended normally.
fn without_thrown(execution: &Execution) -> Cow<'_, Execution> {
    if execution.calls.iter().all(|call| call.thrown.is_none()) {
        return Cow::Borrowed(execution);
    }
    let mut left = execution.clone();
    left.calls.retain(|call| call.thrown.is_none());
    Cow::Owned(left)
}

/// A state before merging: the last label by its place, none in the initial state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct At {
    bound: Bound,
    last: Option<u32>,
}

#[derive(Debug, Default)]
struct Growing {
    places: BTreeMap<Label<SignatureId>, u32>,
    labels: Vec<Label<SignatureId>>,
    steps: BTreeSet<(At, u32)>,
    support: Support,
    /// Number of the execution that had a subtrace last.
    latest: u64,
}

impl Growing {
    fn step(&mut self, from: At, label: Label<SignatureId>) -> At {
        let bound = from.bound.union(label.bound());
        let place = self.places.get(&label).copied();
        let place = place.unwrap_or_else(|| {
            let place = self.labels.len() as u32;
            self.labels.push(label.clone());
            self.places.insert(label, place);
            place
        });
        self.steps.insert((from, place));
        At {
            bound,
            last: Some(place),
        }
    }

    fn finish(&self, vocabulary: &Vocabulary, types: Vec<Arc<str>>) -> Protocol {
        let named = |place: u32| self.labels[place as usize].named(vocabulary);
        let mut steps: BTreeMap<RawState, BTreeSet<Label>> = BTreeMap::new();
        for &(from, next) in &self.steps {
            let from = RawState {
                bound: from.bound,
                last: from.last.map(named),
            };
            steps.entry(from).or_default().insert(named(next));
        }
        Protocol {
            types,
            steps,
            support: self.support,
        }
    }
}

/// What one object made of one type.
#[derive(Debug)]
struct Family {
    protocol: usize,
    created_type: NameId,
    creator: ObjectId,
    creator_is_first: bool,
    /// Those that are still to be created, and the state in which all of their subtraces are.
    unborn: u32,
    expected: At,
    /// Those whose last call was one on the creator, and the state in which all of their subtraces are.
    untouched: u32,
    shared: At,
    /// Pairs that have a state of their own, and some that no longer have.
    touched: Vec<usize>,
}

impl Family {
    fn objects(&self, created: Option<ObjectId>) -> [Option<ObjectId>; Parameter::MOST] {
        if self.creator_is_first {
            [Some(self.creator), created]
        } else {
            [created, Some(self.creator)]
        }
    }
}

/// A creator's family and one object of it.
#[derive(Debug)]
struct Pair {
    family: usize,
    created: ObjectId,
    is_born: bool,
    /// None while it shares the state of the family.
    own: Option<At>,
}

struct Walk<'a> {
    growing: &'a mut [Growing],
    vocabulary: &'a Vocabulary,
    execution: &'a Execution,
    origins: Origins,
    /// Per object with calls of its own, its protocol and state.
    singles: Vec<Option<(usize, At)>>,
    families: Vec<Family>,
    pairs: Vec<Pair>,
    /// Families by creator, and pairs by created object.
    families_of: BTreeMap<ObjectId, Vec<usize>>,
    pairs_of: BTreeMap<ObjectId, Vec<usize>>,
}

impl<'a> Walk<'a> {
    fn start(
        miner: &'a mut Miner,
        vocabulary: &'a Vocabulary,
        execution: &'a Execution,
        source: Source,
    ) -> Self {
        let origins = Origins::of(vocabulary, execution);
        let mut singles = vec![None; execution.objects.len()];
        for object in origins.singles() {
            let protocol = miner.protocol(&Group::single(execution, object), source);
            singles[object.index()] = Some((protocol, At::default()));
        }
        let mut families: Vec<Family> = Vec::new();
        let mut families_of: BTreeMap<_, Vec<usize>> = BTreeMap::new();
        let mut pairs_of: BTreeMap<_, Vec<usize>> = BTreeMap::new();
        let mut pairs = Vec::new();
        for &(creator, created) in &origins.pairs {
            let group = Group::pair(vocabulary, execution, (creator, created));
            let protocol = miner.protocol(&group, source);
            let created_type = execution.objects[created.index()];
            let known = families_of.entry(creator).or_default();
            let family = known.iter().copied();
            let family = { family }.find(|&place| families[place].created_type == created_type);
            let family = family.unwrap_or_else(|| {
                known.push(families.len());
                families.push(Family {
                    protocol,
                    created_type,
                    creator,
                    creator_is_first: group.objects()[0] == creator,
                    unborn: 0,
                    expected: At::default(),
                    untouched: 0,
                    shared: At::default(),
                    touched: Vec::new(),
                });
                families.len() - 1
            });
            families[family].unborn += 1;
            pairs_of.entry(created).or_default().push(pairs.len());
            pairs.push(Pair {
                family,
                created,
                is_born: false,
                own: None,
            });
        }
        Walk {
            growing: &mut miner.growing,
            vocabulary,
            execution,
            origins,
            singles,
            families,
            pairs,
            families_of,
            pairs_of,
        }
    }

    fn run(mut self) {
        for (index, call) in (0..).zip(&self.execution.calls) {
            let method = self.vocabulary.called(call.site);
            let created = call
                .result
                .filter(|object| self.origins.creation[object.index()] == Some(index));
            for object in call.receiver.into_iter().chain(created) {
                if let Some((protocol, at)) = &mut self.singles[object.index()] {
                    let label = Label::of(method, call, [Some(object), None]);
                    *at = self.growing[*protocol].step(*at, label);
                }
            }
            if !self.pairs.is_empty() {
                self.step_pairs(call, method, created);
            }
        }
    }

    /// A call is part of the subtraces of the pairs that it creates or takes part in by itself, of those whose created
    /// object is the receiver, and of all whose creator is the receiver or is created.
    fn step_pairs(&mut self, call: &Call, method: SignatureId, created: Option<ObjectId>) {
        let mut special = created.map_or(Vec::new(), |object| self.pairs_with(object));
        if let Some(receiver) = call.receiver {
            special.extend(self.pairs_with(receiver));
            let others = call.arguments.iter().map(|&(_, object)| object);
            for object in others.chain(call.result) {
                let pairs = self.pairs_with(object);
                let is_receivers = |&pair: &usize| self.creator(pair) == receiver;
                special.extend(pairs.into_iter().filter(is_receivers));
            }
        }
        special.sort_unstable();
        special.dedup();
        let mut moved = Vec::with_capacity(special.len());
        for pair in special {
            let from = self.take(pair);
            let Pair {
                family, created, ..
            } = self.pairs[pair];
            let family = &self.families[family];
            let label = Label::of(method, call, family.objects(Some(created)));
            moved.push((pair, self.growing[family.protocol].step(from, label)));
        }
        for creator in call.receiver.into_iter().chain(created) {
            self.step_families(call, method, creator);
        }
        for (pair, at) in moved {
            self.pairs[pair].own = Some(at);
            let family = self.pairs[pair].family;
            self.families[family].touched.push(pair);
        }
    }

    fn pairs_with(&self, created: ObjectId) -> Vec<usize> {
        self.pairs_of.get(&created).cloned().unwrap_or_default()
    }

    fn creator(&self, pair: usize) -> ObjectId {
        self.families[self.pairs[pair].family].creator
    }

    /// Takes a pair out of what its family shares, and gives the state in which its subtrace is.
    fn take(&mut self, pair: usize) -> At {
        let Pair {
            family,
            is_born,
            own,
            ..
        } = &mut self.pairs[pair];
        let family = &mut self.families[*family];
        if !std::mem::replace(is_born, true) {
            family.unborn -= 1;
            return family.expected;
        }
        own.take().unwrap_or_else(|| {
            family.untouched -= 1;
            family.shared
        })
    }

    /// The step of all pairs of a creator that a call on it, or its creation, says nothing special of.
    fn step_families(&mut self, call: &Call, method: SignatureId, creator: ObjectId) {
        for &place in self.families_of.get(&creator).into_iter().flatten() {
            let family = &mut self.families[place];
            let growing = &mut self.growing[family.protocol];
            let label = Label::of(method, call, family.objects(None));
            if family.unborn > 0 {
                family.expected = growing.step(family.expected, label.clone());
            }
            let mut shared = family.shared;
            if family.untouched > 0 {
                shared = growing.step(shared, label.clone());
            }
            for pair in std::mem::take(&mut family.touched) {
                if let Some(at) = self.pairs[pair].own.take() {
                    shared = growing.step(at, label.clone());
                    family.untouched += 1;
                }
            }
            family.shared = shared;
        }
    }
}
