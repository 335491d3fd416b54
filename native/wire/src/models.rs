//! Call sequence models as a cache file keeps them between two runs.
//!
//! Comes in: [`StoredModels`], plain data in which classes and methods have names. Goes out: bytes, and back.
//! The types below are the layout, which postcard writes and reads: another layout is another [`VERSION`]. Nothing of
//! ours but this engine reads such files.
//! Does not know: what a model means; files; how the key and the digest are computed.

mod digest;

use crate::WireError;
use crate::frame::{ByteReader, ByteWriter};
use crate::request::WireConstant;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

const MAGIC: [u8; 4] = *b"PALM";
const VERSION: u16 = 4;

/// A digest of the user of this format's choice.
pub type Digest = [u8; 32];

/// Models with all that is needed to have them again.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredModels {
    /// Internal names of classes and descriptors of arrays; the others name them by index.
    pub names: Vec<Arc<str>>,
    /// Methods that label edges, ran in tests or are static.
    pub methods: Vec<StoredMethod>,
    /// What stood in calls, each once.
    pub records: Vec<StoredRecord>,
    /// One per class.
    pub models: Vec<StoredModel>,
    /// What whole tests called.
    pub tests: Vec<StoredTest>,
    /// Static methods, and the distinct calls of each that no model holds.
    pub static_calls: Vec<(u32, Vec<StoredObservation>)>,
    /// Names of classes, and counts of objects in no model, whose meaning is the reader's to know.
    pub dropped: Vec<(u32, [u64; 4])>,
    /// Counts, whose meaning is the reader's to know.
    pub statistics: Vec<u64>,
}

/// A method.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredMethod {
    /// Name of its class.
    pub class: u32,
    /// Its name.
    pub name: Arc<str>,
    /// Its descriptor.
    pub descriptor: Arc<str>,
}

/// What stood at one position of a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum StoredRecord {
    /// The object whose model it is.
    SelfObject,
    /// A constant.
    Constant(WireConstant),
    /// An array of constants, with `Null` for null.
    ConstantArray {
        /// Name of its class.
        class: u32,
        /// Its elements.
        elements: Vec<WireConstant>,
    },
    /// Another object, or null.
    Constrained {
        /// True for null.
        is_null: bool,
        /// Name of its class.
        class: Option<u32>,
        /// Codes of its profile.
        profile: Option<Vec<u16>>,
        /// Names of classes and numbers of nodes of their models.
        states: Vec<(u32, u32)>,
    },
}

/// A distinct call: records of the receiver, if any, and of the arguments; and how often it was seen.
pub type StoredObservation = (Vec<u32>, u32);

/// The model of one class.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredModel {
    /// Name of the class.
    pub class: u32,
    /// Number of nodes.
    pub nodes: u32,
    /// Number of objects.
    pub objects: u64,
    /// Its edges.
    pub edges: Vec<StoredEdge>,
    /// Ways of objects: edge and observation per call, and how many objects went that way.
    pub histories: Vec<(Vec<(u32, u32)>, u64)>,
}

/// An edge.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredEdge {
    /// Its method.
    pub method: u32,
    /// 0 result, 1 receiver, then arguments from 2.
    pub roles: Vec<u16>,
    /// Node it leaves.
    pub source: u32,
    /// Node it leads to.
    pub target: u32,
    /// True for an outermost call.
    pub is_main: bool,
    /// Calls seen.
    pub count: u64,
    /// Distinct calls.
    pub observations: Vec<StoredObservation>,
}

/// What one test called.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredTest {
    /// Its calls, in order.
    pub calls: Vec<StoredCall>,
    /// Methods that ran.
    pub methods: Vec<u32>,
    /// Events of the trace in it.
    pub events: u64,
}

/// A call that a test made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredCall {
    /// Its method.
    pub method: u32,
    /// The receiver, if any, and the arguments.
    pub values: Vec<StoredValue>,
    /// Number of the object that it returned, and the name of its class.
    pub result: Option<(u32, u32)>,
}

/// What stood at a position of such a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum StoredValue {
    /// An object by its number, and its record.
    Object(u32, u32),
    /// The record of an array, and its elements.
    Array(u32, Vec<StoredElement>),
    /// The record of anything else.
    Other(u32),
}

/// What stood in an array, which holds no arrays: the reader's stack is not the file's to fill.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum StoredElement {
    /// An object by its number, and its record.
    Object(u32, u32),
    /// The record of anything else.
    Other(u32),
}

/// The bytes of a cache file: what it was made from, the digest of the body, and the body.
pub fn seal(key: &Digest, digest: &Digest, body: &[u8]) -> Vec<u8> {
    let mut writer = ByteWriter::new();
    writer.magic(MAGIC, VERSION);
    writer.raw(key);
    writer.raw(digest);
    writer.raw(body);
    writer.into_bytes()
}

/// The body of a cache file and the digest it must have; none if it was made from something else.
///
/// # Errors
/// [`WireError`] if it is no cache file of this version.
pub fn open<'a>(bytes: &'a [u8], key: &Digest) -> Result<Option<(Digest, &'a [u8])>, WireError> {
    let mut reader = ByteReader::new(bytes);
    reader.magic(MAGIC, VERSION, "a cache of Palus models")?;
    let made_from = reader.raw(key.len(), "a key")?;
    let digest = reader.raw(key.len(), "a digest")?;
    let digest = digest.try_into().expect("read with this length");
    let body = reader.raw(reader.remaining(), "a body")?;
    Ok((made_from == key).then_some((digest, body)))
}

impl StoredModels {
    /// The body of the cache file.
    pub fn encode(&self) -> Vec<u8> {
        postcard::to_allocvec(self).expect("plain data, and memory to hold it twice")
    }

    /// Reads the body of a cache file. No list is longer than the bytes that are left, so that a damaged length costs
    /// no more memory than the file has bytes for.
    ///
    /// # Errors
    /// [`WireError`] where it breaks the format.
    pub fn decode(bytes: &[u8]) -> Result<StoredModels, WireError> {
        match postcard::take_from_bytes(bytes) {
            Ok((stored, [])) => Ok(stored),
            Ok((_, rest)) => Err(WireError::Damaged {
                offset: (bytes.len() - rest.len()) as u64,
                what: "the end",
            }),
            Err(_) => Err(WireError::Damaged {
                offset: 0,
                what: "models",
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> StoredModels {
        StoredModels {
            names: vec!["City".into(), "[I".into()],
            methods: vec![StoredMethod {
                class: 0,
                name: "<init>".into(),
                descriptor: "(Ljava/lang/String;)V".into(),
            }],
            records: vec![
                StoredRecord::SelfObject,
                StoredRecord::Constant(WireConstant::Text("Portland".into())),
                StoredRecord::ConstantArray {
                    class: 1,
                    elements: vec![WireConstant::Int(7), WireConstant::Null],
                },
                StoredRecord::Constrained {
                    is_null: false,
                    class: Some(0),
                    profile: Some(vec![1, 300]),
                    states: vec![(0, 4)],
                },
                StoredRecord::Constrained {
                    is_null: true,
                    class: None,
                    profile: None,
                    states: vec![],
                },
            ],
            models: vec![StoredModel {
                class: 0,
                nodes: 2,
                objects: 1 << 40,
                edges: vec![StoredEdge {
                    method: 0,
                    roles: vec![0, 2],
                    source: 0,
                    target: 1,
                    is_main: true,
                    count: 3,
                    observations: vec![(vec![1], 2), (vec![4], 1)],
                }],
                histories: vec![(vec![(0, 1)], 3)],
            }],
            tests: vec![StoredTest {
                calls: vec![StoredCall {
                    method: 0,
                    values: vec![
                        StoredValue::Other(1),
                        StoredValue::Array(
                            2,
                            vec![StoredElement::Object(1, 3), StoredElement::Other(4)],
                        ),
                    ],
                    result: Some((0, 0)),
                }],
                methods: vec![0],
                events: 300,
            }],
            static_calls: vec![(0, vec![(vec![1], 1)])],
            dropped: vec![(0, [4, 0, 300, 1])],
            statistics: vec![1, 0, u64::MAX],
        }
    }

    #[test]
    fn models_go_both_ways() {
        let body = sample().encode();
        assert_eq!(StoredModels::decode(&body), Ok(sample()));
        let nothing = StoredModels::default().encode();
        assert_eq!(nothing, [0; 8]);
        assert_eq!(StoredModels::decode(&nothing), Ok(StoredModels::default()));
    }

    #[test]
    fn every_cut_is_damage() {
        let body = sample().encode();
        for end in 0..body.len() {
            assert!(StoredModels::decode(&body[..end]).is_err(), "{end}");
        }
    }

    #[test]
    fn what_follows_the_models_is_damage() {
        let mut body = sample().encode();
        body.push(0);
        assert!(StoredModels::decode(&body).is_err());
    }

    #[test]
    fn a_file_opens_with_its_own_key_only() {
        let file = seal(&[7; 32], &[9; 32], b"body");
        assert_eq!(open(&file, &[7; 32]), Ok(Some(([9; 32], &b"body"[..]))));
        assert_eq!(open(&file, &[8; 32]), Ok(None));
        assert!(open(&file[..20], &[7; 32]).is_err());
        let mut other = file.clone();
        other[4] += 1;
        assert!(matches!(
            open(&other, &[7; 32]),
            Err(WireError::Version { .. })
        ));
        assert!(matches!(
            open(b"PK\x03\x04 a jar", &[7; 32]),
            Err(WireError::Foreign { .. })
        ));
    }
}
