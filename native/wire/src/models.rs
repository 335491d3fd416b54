//! Call sequence models as a cache file keeps them between two runs.
//!
//! Comes in: [`StoredModels`], plain data in which classes and methods have names. Goes out: bytes, and back.
//! `FORMAT.md`, part "Model cache", says how they are laid out. Nothing of ours but this engine reads them.
//! Does not know: what a model means; files; how the key and the digest are computed.
//!
//! Worked example: no model at all is `00 00 00 00 00 00`, six counts: names, methods, records, models, tests, statistics.

use crate::WireError;
use crate::frame::{ByteReader, ByteWriter};
use crate::request::WireConstant;
use crate::request_codec::{read_constant, read_list, read_slot, read_text};
use crate::request_codec::{write_constant, write_slot};
use std::sync::Arc;

const MAGIC: [u8; 4] = *b"PALM";
const VERSION: u16 = 2;

/// A digest of the user of this format's choice.
pub type Digest = [u8; 32];

/// Models with all that is needed to have them again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StoredModels {
    /// Internal names of classes and descriptors of arrays; the others name them by index.
    pub names: Vec<Arc<str>>,
    /// Methods that label edges or ran in tests.
    pub methods: Vec<StoredMethod>,
    /// What stood in calls, each once.
    pub records: Vec<StoredRecord>,
    /// One per class.
    pub models: Vec<StoredModel>,
    /// What whole tests called.
    pub tests: Vec<StoredTest>,
    /// Counts, whose meaning is the reader's to know.
    pub statistics: Vec<u64>,
}

/// A method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredMethod {
    /// Name of its class.
    pub class: u32,
    /// Its name.
    pub name: Arc<str>,
    /// Its descriptor.
    pub descriptor: Arc<str>,
}

/// What stood at one position of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
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

/// The model of one class.
#[derive(Clone, Debug, PartialEq, Eq)]
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
#[derive(Clone, Debug, PartialEq, Eq)]
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
    /// Distinct calls: records of the receiver, if any, and of the arguments; and how often each was seen.
    pub observations: Vec<(Vec<u32>, u32)>,
}

/// What one test called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredTest {
    /// Its calls, in order.
    pub calls: Vec<StoredCall>,
    /// Methods that ran.
    pub methods: Vec<u32>,
    /// Events of the trace in it.
    pub events: u64,
}

/// A call that a test made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredCall {
    /// Its method.
    pub method: u32,
    /// The receiver, if any, and the arguments.
    pub values: Vec<StoredValue>,
    /// Number of the object that it returned, and the name of its class.
    pub result: Option<(u32, u32)>,
}

/// What stood at a position of such a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoredValue {
    /// An object by its number, and its record.
    Object(u32, u32),
    /// The record of an array, and its elements.
    Array(u32, Vec<StoredValue>),
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
        let mut writer = ByteWriter::new();
        write_list(&mut writer, &self.names, |writer, name| writer.string(name));
        write_list(&mut writer, &self.methods, |writer, method| {
            number(writer, method.class);
            writer.string(&method.name);
            writer.string(&method.descriptor);
        });
        write_list(&mut writer, &self.records, write_record);
        write_list(&mut writer, &self.models, write_model);
        write_list(&mut writer, &self.tests, write_test);
        write_list(&mut writer, &self.statistics, |writer, count| {
            writer.varint(*count);
        });
        writer.into_bytes()
    }

    /// Reads the body of a cache file.
    ///
    /// # Errors
    /// [`WireError`] where it breaks the format.
    pub fn decode(bytes: &[u8]) -> Result<StoredModels, WireError> {
        let mut reader = ByteReader::new(bytes);
        let stored = StoredModels {
            names: read_list(&mut reader, read_text)?,
            methods: read_list(&mut reader, |reader| {
                Ok(StoredMethod {
                    class: reader.varint32()?,
                    name: read_text(reader)?,
                    descriptor: read_text(reader)?,
                })
            })?,
            records: read_list(&mut reader, read_record)?,
            models: read_list(&mut reader, read_model)?,
            tests: read_list(&mut reader, read_test)?,
            statistics: read_list(&mut reader, ByteReader::varint)?,
        };
        reader.end()?;
        Ok(stored)
    }
}

fn number(writer: &mut ByteWriter, number: u32) {
    writer.varint(u64::from(number));
}

fn write_list<T>(writer: &mut ByteWriter, list: &[T], mut write: impl FnMut(&mut ByteWriter, &T)) {
    writer.length(list.len());
    for element in list {
        write(writer, element);
    }
}

fn write_pairs(writer: &mut ByteWriter, pairs: &[(u32, u32)]) {
    write_list(writer, pairs, |writer, &(first, second)| {
        number(writer, first);
        number(writer, second);
    });
}

fn read_pair(reader: &mut ByteReader<'_>) -> Result<(u32, u32), WireError> {
    Ok((reader.varint32()?, reader.varint32()?))
}

fn write_record(writer: &mut ByteWriter, record: &StoredRecord) {
    match record {
        StoredRecord::SelfObject => writer.byte(0),
        StoredRecord::Constant(constant) => {
            writer.byte(1);
            write_constant(writer, constant);
        }
        StoredRecord::ConstantArray { class, elements } => {
            writer.byte(2);
            number(writer, *class);
            write_list(writer, elements, write_constant);
        }
        StoredRecord::Constrained {
            is_null,
            class,
            profile,
            states,
        } => {
            writer.byte(3);
            writer.boolean(*is_null);
            write_slot(writer, *class);
            writer.boolean(profile.is_some());
            if let Some(codes) = profile {
                write_list(writer, codes, |writer, &code| {
                    number(writer, u32::from(code));
                });
            }
            write_pairs(writer, states);
        }
    }
}

fn read_record(reader: &mut ByteReader<'_>) -> Result<StoredRecord, WireError> {
    Ok(match reader.byte()? {
        0 => StoredRecord::SelfObject,
        1 => StoredRecord::Constant(read_constant(reader)?),
        2 => StoredRecord::ConstantArray {
            class: reader.varint32()?,
            elements: read_list(reader, read_constant)?,
        },
        3 => StoredRecord::Constrained {
            is_null: reader.boolean()?,
            class: read_slot(reader)?,
            profile: if reader.boolean()? {
                Some(read_list(reader, ByteReader::varint16)?)
            } else {
                None
            },
            states: read_list(reader, read_pair)?,
        },
        _ => return Err(reader.damaged("a kind of record")),
    })
}

fn write_model(writer: &mut ByteWriter, model: &StoredModel) {
    number(writer, model.class);
    number(writer, model.nodes);
    writer.varint(model.objects);
    write_list(writer, &model.edges, |writer, edge| {
        number(writer, edge.method);
        write_list(writer, &edge.roles, |writer, &role| {
            number(writer, u32::from(role));
        });
        number(writer, edge.source);
        number(writer, edge.target);
        writer.boolean(edge.is_main);
        writer.varint(edge.count);
        write_list(writer, &edge.observations, |writer, (records, count)| {
            write_list(writer, records, |writer, &record| number(writer, record));
            number(writer, *count);
        });
    });
    write_list(writer, &model.histories, |writer, (steps, count)| {
        write_pairs(writer, steps);
        writer.varint(*count);
    });
}

fn read_model(reader: &mut ByteReader<'_>) -> Result<StoredModel, WireError> {
    Ok(StoredModel {
        class: reader.varint32()?,
        nodes: reader.varint32()?,
        objects: reader.varint()?,
        edges: read_list(reader, |reader| {
            Ok(StoredEdge {
                method: reader.varint32()?,
                roles: read_list(reader, ByteReader::varint16)?,
                source: reader.varint32()?,
                target: reader.varint32()?,
                is_main: reader.boolean()?,
                count: reader.varint()?,
                observations: read_list(reader, |reader| {
                    Ok((read_list(reader, ByteReader::varint32)?, reader.varint32()?))
                })?,
            })
        })?,
        histories: read_list(reader, |reader| {
            Ok((read_list(reader, read_pair)?, reader.varint()?))
        })?,
    })
}

fn write_test(writer: &mut ByteWriter, test: &StoredTest) {
    write_list(writer, &test.calls, |writer, call| {
        number(writer, call.method);
        write_list(writer, &call.values, write_value);
        writer.boolean(call.result.is_some());
        if let Some((object, class)) = call.result {
            number(writer, object);
            number(writer, class);
        }
    });
    write_list(writer, &test.methods, |writer, &method| {
        number(writer, method);
    });
    writer.varint(test.events);
}

fn read_test(reader: &mut ByteReader<'_>) -> Result<StoredTest, WireError> {
    Ok(StoredTest {
        calls: read_list(reader, |reader| {
            Ok(StoredCall {
                method: reader.varint32()?,
                values: read_list(reader, read_value)?,
                result: if reader.boolean()? {
                    Some(read_pair(reader)?)
                } else {
                    None
                },
            })
        })?,
        methods: read_list(reader, ByteReader::varint32)?,
        events: reader.varint()?,
    })
}

fn write_value(writer: &mut ByteWriter, value: &StoredValue) {
    match value {
        StoredValue::Object(object, record) => {
            writer.byte(0);
            number(writer, *object);
            number(writer, *record);
        }
        StoredValue::Array(record, elements) => {
            writer.byte(1);
            number(writer, *record);
            write_list(writer, elements, write_value);
        }
        StoredValue::Other(record) => {
            writer.byte(2);
            number(writer, *record);
        }
    }
}

fn read_value(reader: &mut ByteReader<'_>) -> Result<StoredValue, WireError> {
    let element = |reader: &mut ByteReader<'_>, kind: u8| match kind {
        0 => Ok(StoredValue::Object(reader.varint32()?, reader.varint32()?)),
        2 => Ok(StoredValue::Other(reader.varint32()?)),
        _ => Err(reader.damaged("a kind of value")),
    };
    match reader.byte()? {
        // An array holds none: the reader's stack is not the file's to fill.
        1 => Ok(StoredValue::Array(
            reader.varint32()?,
            read_list(reader, |reader| {
                let kind = reader.byte()?;
                element(reader, kind)
            })?,
        )),
        kind => element(reader, kind),
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
                            vec![StoredValue::Object(1, 3), StoredValue::Other(4)],
                        ),
                    ],
                    result: Some((0, 0)),
                }],
                methods: vec![0],
                events: 300,
            }],
            statistics: vec![1, 0, u64::MAX],
        }
    }

    #[test]
    fn models_go_both_ways() {
        let body = sample().encode();
        assert_eq!(StoredModels::decode(&body), Ok(sample()));
        let nothing = StoredModels::default().encode();
        assert_eq!(nothing, [0; 6]);
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
