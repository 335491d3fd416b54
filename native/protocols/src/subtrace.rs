//! An execution split into the calls of one object, and of pairs of which one made the other.
//!
//! Comes in: an [`Execution`]. Goes out: [`Origins`], and from these the objects and calls of each subtrace.
//! Does not know: what subtraces are for; protocols.
//!
//! - One object: the calls on it, and the call that first returned it.
//! - A creator and what it created: the object was first returned by a call on the creator, or by a constructor that
//!   has the creator as an argument: all calls on either, and the calls that first returned them.
//!
//! Objects on which nothing is called have none. An object that was a receiver or an argument before it is returned
//! was created elsewhere; who returned it first is then not known.

use crate::label::Parameter;
use crate::{Execution, NameId, ObjectId, Vocabulary};

/// What is known of where each object of an execution came from.
#[derive(Debug)]
pub(crate) struct Origins {
    /// Per object, the call that first returned it, if it was not seen before.
    pub creation: Vec<Option<u32>>,
    /// Per object, true if it is the receiver of some call.
    pub is_receiver: Vec<bool>,
    /// Creators and what they created, in order of creation; both are receivers.
    pub pairs: Vec<(ObjectId, ObjectId)>,
}

/// Objects in the order of the parameters that they stand for, with the types of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Group {
    objects: [ObjectId; Parameter::MOST],
    types: [NameId; Parameter::MOST],
    length: usize,
}

impl Origins {
    pub fn of(vocabulary: &Vocabulary, execution: &Execution) -> Self {
        let objects = execution.objects.len();
        let mut is_seen = vec![false; objects];
        let mut origins = Origins {
            creation: vec![None; objects],
            is_receiver: vec![false; objects],
            pairs: Vec::new(),
        };
        for call in &execution.calls {
            if let Some(receiver) = call.receiver {
                origins.is_receiver[receiver.index()] = true;
            }
        }
        for (index, call) in (0..).zip(&execution.calls) {
            let arguments = call.arguments.iter().map(|&(_, object)| object);
            for object in arguments.clone().chain(call.receiver) {
                is_seen[object.index()] = true;
            }
            let Some(created) = call.result else { continue };
            if std::mem::replace(&mut is_seen[created.index()], true) {
                continue;
            }
            origins.creation[created.index()] = Some(index);
            let mut pair = |creator: ObjectId| {
                let pair = (creator, created);
                let is_first = origins.pairs.last() != Some(&pair);
                if is_first
                    && [creator, created]
                        .iter()
                        .all(|o| origins.is_receiver[o.index()])
                {
                    origins.pairs.push(pair);
                }
            };
            match call.receiver {
                Some(creator) => pair(creator),
                None if vocabulary
                    .signature(vocabulary.called(call.site))
                    .is_constructor() =>
                {
                    let mut creators: Vec<ObjectId> = arguments.collect();
                    creators.sort_unstable();
                    creators.into_iter().for_each(pair);
                }
                None => {}
            }
        }
        origins
    }

    /// All objects with calls of their own, in their order.
    pub fn singles(&self) -> impl Iterator<Item = ObjectId> {
        let receivers = (0..).map(ObjectId).zip(&self.is_receiver);
        receivers.filter(|(_, is)| **is).map(|(object, _)| object)
    }

    /// Per object, the calls on it and the one that created it, in order.
    pub fn calls_of_objects(&self, execution: &Execution) -> Vec<Vec<u32>> {
        let mut calls = vec![Vec::new(); execution.objects.len()];
        for (index, call) in (0..).zip(&execution.calls) {
            let is_created = |object: &ObjectId| self.creation[object.index()] == Some(index);
            for object in call
                .receiver
                .into_iter()
                .chain(call.result.filter(is_created))
            {
                calls[object.index()].push(index);
            }
        }
        calls
    }
}

impl Group {
    /// One object.
    pub fn single(execution: &Execution, object: ObjectId) -> Self {
        let of = execution.objects[object.index()];
        Group {
            objects: [object; 2],
            types: [of; 2],
            length: 1,
        }
    }

    /// A creator and what it created, in order of the names of their types, the creator first where these are equal.
    pub fn pair(
        vocabulary: &Vocabulary,
        execution: &Execution,
        (creator, created): (ObjectId, ObjectId),
    ) -> Self {
        let name = |object: ObjectId| vocabulary.name(execution.objects[object.index()]);
        let objects = if name(created) < name(creator) {
            [created, creator]
        } else {
            [creator, created]
        };
        Group {
            objects,
            types: objects.map(|object| execution.objects[object.index()]),
            length: 2,
        }
    }

    pub fn objects(&self) -> &[ObjectId] {
        &self.objects[..self.length]
    }

    pub fn types(&self) -> &[NameId] {
        &self.types[..self.length]
    }

    /// The objects the other way round, where they are of one type: then either may stand for either parameter.
    pub fn exchanged(&self) -> Option<Self> {
        let is_alike = self.length == 2 && self.types[0] == self.types[1];
        is_alike.then(|| Group {
            objects: [self.objects[1], self.objects[0]],
            ..*self
        })
    }
}
