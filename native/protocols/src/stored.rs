//! Protocols as a file that projects can share.
//!
//! Comes in: [`Protocols`]. Goes out: JSON, and the same back. The same protocols give the same text, whoever mined them
//! in whatever order: everything is sorted, and states are those before merging, so that files can be merged.
//!
//! ```text
//! {"format": "palus-protocols", "version": 1, "protocols": [{"types": ["java/util/Stack"],
//!   "support": {"generated_sequences": 2, "project_tests": 0, "subtraces": 2},
//!   "labels": [{"method": "<init>", "descriptor": "()V", "result": 1}, {"method": "push", ..., "receiver": 1}],
//!   "states": [{"bound": [], "next": [0]}, {"bound": [1], "last": 0, "next": [1]}]}]}
//! ```
//!
//! Parameters are counted from 1, as they are shown; labels, from 0, are named by `last` and `next`.
//! Does not know: where the file lies.

use crate::label::{Bound, Parameter};
use crate::protocol::RawState;
use crate::{Label, Protocol, Protocols, Signature, Support};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use thiserror::Error;

const FORMAT: &str = "palus-protocols";
const VERSION: u32 = 1;

/// Why a text is no file of protocols. Who read the file names it.
#[derive(Debug, Error)]
pub enum StoredError {
    /// It is no JSON, or not of this form.
    #[error("it is no file of protocols, or was damaged ({0}); export it again")]
    Malformed(#[from] serde_json::Error),
    /// It is JSON of something else.
    #[error(
        "its \"format\" is \"{0}\", where \"{FORMAT}\" was expected; take a file that Palus exported"
    )]
    Foreign(String),
    /// Another version of Palus wrote it.
    #[error(
        "it has version {0}, and this version of Palus reads version {VERSION}; export it again with this version"
    )]
    Version(u32),
    /// It says what no protocol says.
    #[error("it was damaged: protocol {protocol} {what}; export it again")]
    Damaged {
        /// Its number in the file, from 1.
        protocol: usize,
        /// What is wrong with it.
        what: &'static str,
    },
}

/// What each version of the file begins with.
#[derive(Deserialize)]
struct Header {
    format: String,
    version: u32,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredFile {
    format: String,
    version: u32,
    protocols: Vec<StoredProtocol>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredProtocol {
    types: Vec<Arc<str>>,
    support: StoredSupport,
    labels: Vec<StoredLabel>,
    states: Vec<StoredState>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredSupport {
    generated_sequences: u64,
    project_tests: u64,
    subtraces: u64,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredLabel {
    method: Arc<str>,
    descriptor: Arc<str>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    receiver: Option<u8>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    arguments: Vec<(u16, u8)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    result: Option<u8>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredState {
    bound: Vec<u8>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    last: Option<usize>,
    next: Vec<usize>,
}

impl Protocols {
    /// The text of the file.
    pub fn to_json(&self) -> String {
        let file = StoredFile {
            format: FORMAT.to_owned(),
            version: VERSION,
            protocols: self.iter().map(write).collect(),
        };
        let text = serde_json::to_string_pretty(&file);
        text.expect("plain data can be written as JSON") + "\n"
    }

    /// Reads the text of a file.
    ///
    /// # Errors
    /// [`StoredError`] where it is of another version or form, or contradicts itself.
    pub fn from_json(text: &str) -> Result<Self, StoredError> {
        let header: Header = serde_json::from_str(text)?;
        if header.format != FORMAT {
            return Err(StoredError::Foreign(header.format));
        }
        if header.version != VERSION {
            return Err(StoredError::Version(header.version));
        }
        let file: StoredFile = serde_json::from_str(text)?;
        let mut protocols = Protocols::default();
        for (number, stored) in (1..).zip(&file.protocols) {
            let damaged = |what| StoredError::Damaged {
                protocol: number,
                what,
            };
            let protocol = read(stored).map_err(damaged)?;
            let latest = protocols.by_types.keys().next_back();
            if latest.is_some_and(|types| *types >= protocol.types) {
                return Err(damaged("is not in the order of types"));
            }
            protocols.add(protocol);
        }
        Ok(protocols)
    }
}

fn write(protocol: &Protocol) -> StoredProtocol {
    let labels: BTreeSet<&Label> = protocol.steps.values().flatten().collect();
    let places: BTreeMap<&Label, usize> = labels.iter().copied().zip(0..).collect();
    let number = |parameter: Parameter| parameter.0 + 1;
    let label = |label: &&Label| StoredLabel {
        method: label.method.name.clone(),
        descriptor: label.method.descriptor.clone(),
        receiver: label.receiver.map(number),
        arguments: label
            .arguments
            .iter()
            .map(|&(position, parameter)| (position, number(parameter)))
            .collect(),
        result: label.result.map(number),
    };
    let all = (0..).map(Parameter).take(protocol.types.len());
    let state = |(state, next): (&RawState, &BTreeSet<Label>)| StoredState {
        bound: all
            .clone()
            .filter(|one| state.bound.has(*one))
            .map(number)
            .collect(),
        last: state.last.as_ref().map(|last| places[last]),
        next: next.iter().map(|label| places[label]).collect(),
    };
    let Support {
        generated_sequences,
        project_tests,
        subtraces,
    } = protocol.support;
    StoredProtocol {
        types: protocol.types.clone(),
        support: StoredSupport {
            generated_sequences,
            project_tests,
            subtraces,
        },
        labels: labels.iter().map(label).collect(),
        states: protocol.steps.iter().map(state).collect(),
    }
}

fn read(stored: &StoredProtocol) -> Result<Protocol, &'static str> {
    let count = stored.types.len();
    if !(1..=Parameter::MOST).contains(&count) || !stored.types.is_sorted() {
        return Err("has not one or two types in order");
    }
    let parameter = |number: u8| match number {
        1..=2 if usize::from(number) <= count => Ok(Parameter(number - 1)),
        _ => Err("names a parameter that it does not have"),
    };
    let mut labels = Vec::with_capacity(stored.labels.len());
    for stored in &stored.labels {
        let arguments = stored.arguments.iter();
        let label = Label {
            method: Signature {
                name: stored.method.clone(),
                descriptor: stored.descriptor.clone(),
            },
            receiver: stored.receiver.map(parameter).transpose()?,
            arguments: arguments
                .map(|&(position, number)| Ok((position, parameter(number)?)))
                .collect::<Result<_, &'static str>>()?,
            result: stored.result.map(parameter).transpose()?,
        };
        if label.bound() == Bound::default() || !is_ascending(&label.arguments) {
            return Err("has a label without parameters, or with arguments that are not in order");
        }
        labels.push(label);
    }
    if !is_ascending(&labels) {
        return Err("has labels that are not in order");
    }
    let label = |place: usize| {
        labels
            .get(place)
            .ok_or("names a label that it does not have")
    };
    let mut steps = BTreeMap::new();
    let mut is_used = vec![false; labels.len()];
    for stored in &stored.states {
        let mut numbers = stored.bound.iter().map(|&number| parameter(number));
        let state = RawState {
            bound: numbers.try_fold(Bound::default(), |bound, one| Ok(bound.with(one?)))?,
            last: stored.last.map(|place| label(place).cloned()).transpose()?,
        };
        let last = state.last.as_ref().map_or(Bound::default(), Label::bound);
        let is_possible = state.bound.union(last) == state.bound
            && state.last.is_some() == (state.bound != Bound::default());
        let is_in_order = steps
            .last_key_value()
            .is_none_or(|(before, _)| *before < state);
        if !is_possible || !is_in_order || stored.next.is_empty() || !is_ascending(&stored.next) {
            return Err("has a state that cannot be");
        }
        let next = stored.next.iter().map(|&place| {
            label(place)?;
            is_used[place] = true;
            label(place).cloned()
        });
        steps.insert(state, next.collect::<Result<BTreeSet<_>, &'static str>>()?);
    }
    if is_used.contains(&false) {
        return Err("has a label that no state allows");
    }
    Ok(Protocol {
        types: stored.types.clone(),
        steps,
        support: Support {
            generated_sequences: stored.support.generated_sequences,
            project_tests: stored.support.project_tests,
            subtraces: stored.support.subtraces,
        },
    })
}

fn is_ascending<T: Ord>(list: &[T]) -> bool {
    list.is_sorted_by(|left, right| left < right)
}
