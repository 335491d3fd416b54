//! Requests as bytes and back, laid out as `FORMAT.md`, "Requests and responses", says.
//!
//! Comes in: a [`Request`], or the body of one frame. Goes out: the body of one frame, or a [`Request`].
//! Does not know: who sends it, what it does.
//!
//! Worked example: `Begin { initialise: ["A"] }` is `03 01 01 41` (kind, count, length, text).

use crate::WireError;
use crate::frame::{ByteReader, ByteWriter};
use crate::request::{
    CallKind, FieldDefinition, MethodDefinition, Request, Setup, WireConstant, WireSequence,
    WireStatement,
};
use std::sync::Arc;

/// Magic number in `Setup` and `Ready`: both ends speak of the same thing.
pub(crate) const MAGIC: [u8; 4] = *b"PALW";
/// Version of requests and responses.
pub(crate) const VERSION: u16 = 5;
pub(crate) const WORKER: &str = "the Palus worker's wire";

impl Request {
    /// Appends the body of the request's frame.
    pub fn encode(&self, bytes: &mut Vec<u8>) {
        let mut writer = ByteWriter::new();
        match self {
            Request::Setup(setup) => {
                writer.byte(0);
                write_setup(&mut writer, setup);
            }
            Request::DefineMethods(methods) => {
                writer.byte(1);
                writer.length(methods.len());
                for method in methods {
                    write_method(&mut writer, method);
                }
            }
            Request::DefineFields(fields) => {
                writer.byte(2);
                writer.length(fields.len());
                for field in fields {
                    write_field(&mut writer, field);
                }
            }
            Request::Begin { initialise } => {
                writer.byte(3);
                write_strings(&mut writer, initialise);
            }
            Request::Execute(sequences) => {
                writer.byte(4);
                writer.length(sequences.len());
                for sequence in sequences {
                    writer.length(sequence.statements.len());
                    for statement in &sequence.statements {
                        write_statement(&mut writer, statement);
                    }
                }
            }
            Request::ReadClasses(names) => {
                writer.byte(5);
                write_strings(&mut writer, names);
            }
            Request::Exit => writer.byte(6),
            Request::Watch(probes) => {
                writer.byte(7);
                write_probes(&mut writer, probes);
            }
            Request::Forget => writer.byte(8),
        }
        bytes.extend_from_slice(writer.as_bytes());
    }

    /// Reads the body of a frame.
    ///
    /// # Errors
    /// [`WireError`] if it is no request of this version.
    pub fn decode(bytes: &[u8]) -> Result<Request, WireError> {
        let mut reader = ByteReader::new(bytes);
        let request = match reader.byte()? {
            0 => Request::Setup(read_setup(&mut reader)?),
            1 => Request::DefineMethods(read_list(&mut reader, read_method)?),
            2 => Request::DefineFields(read_list(&mut reader, read_field)?),
            3 => Request::Begin {
                initialise: read_list(&mut reader, read_text)?,
            },
            4 => Request::Execute(read_list(&mut reader, |reader| {
                Ok(WireSequence {
                    statements: read_list(reader, read_statement)?,
                })
            })?),
            5 => Request::ReadClasses(read_list(&mut reader, read_text)?),
            6 => Request::Exit,
            7 => Request::Watch(read_probes(&mut reader)?),
            8 => Request::Forget,
            _ => return Err(reader.damaged("a kind of request")),
        };
        reader.end()?;
        Ok(request)
    }
}

fn write_setup(writer: &mut ByteWriter, setup: &Setup) {
    writer.magic(MAGIC, VERSION);
    write_strings(writer, &setup.class_path);
    writer.length(setup.subject_classes.len());
    for (number, name) in &setup.subject_classes {
        writer.varint(u64::from(*number));
        writer.string(name);
    }
    writer.varint(u64::from(setup.fuel));
    writer.varint(u64::from(setup.max_depth));
    writer.varint(u64::from(setup.time_limit_millis));
    writer.string(&setup.work_folder);
}

fn read_setup(reader: &mut ByteReader<'_>) -> Result<Setup, WireError> {
    reader.magic(MAGIC, VERSION, WORKER)?;
    Ok(Setup {
        class_path: read_list(reader, read_text)?,
        subject_classes: read_list(reader, |reader| {
            Ok((reader.varint32()?, read_text(reader)?))
        })?,
        fuel: reader.varint32()?,
        max_depth: reader.varint32()?,
        time_limit_millis: reader.varint32()?,
        work_folder: read_text(reader)?,
    })
}

fn write_method(writer: &mut ByteWriter, method: &MethodDefinition) {
    writer.varint(u64::from(method.id));
    writer.byte(match method.kind {
        CallKind::Constructor => 0,
        CallKind::Static => 1,
        CallKind::Virtual => 2,
        CallKind::Interface => 3,
        CallKind::InterfaceStatic => 4,
    });
    writer.string(&method.owner);
    writer.string(&method.name);
    writer.string(&method.descriptor);
}

fn read_method(reader: &mut ByteReader<'_>) -> Result<MethodDefinition, WireError> {
    Ok(MethodDefinition {
        id: reader.varint32()?,
        kind: match reader.byte()? {
            0 => CallKind::Constructor,
            1 => CallKind::Static,
            2 => CallKind::Virtual,
            3 => CallKind::Interface,
            4 => CallKind::InterfaceStatic,
            _ => return Err(reader.damaged("a kind of call")),
        },
        owner: read_text(reader)?,
        name: read_text(reader)?,
        descriptor: read_text(reader)?,
    })
}

fn write_field(writer: &mut ByteWriter, field: &FieldDefinition) {
    writer.varint(u64::from(field.id));
    writer.boolean(field.is_static);
    writer.string(&field.owner);
    writer.string(&field.name);
    writer.string(&field.descriptor);
}

fn read_field(reader: &mut ByteReader<'_>) -> Result<FieldDefinition, WireError> {
    Ok(FieldDefinition {
        id: reader.varint32()?,
        is_static: reader.boolean()?,
        owner: read_text(reader)?,
        name: read_text(reader)?,
        descriptor: read_text(reader)?,
    })
}

fn write_statement(writer: &mut ByteWriter, statement: &WireStatement) {
    match statement {
        WireStatement::Constant(constant) => {
            writer.byte(0);
            write_constant(writer, constant);
        }
        WireStatement::Call {
            method,
            receiver,
            arguments,
        } => {
            writer.byte(1);
            writer.varint(u64::from(*method));
            write_slot(writer, *receiver);
            write_slots(writer, arguments);
        }
        WireStatement::NewArray {
            array_type,
            elements,
        } => {
            writer.byte(2);
            writer.string(array_type);
            write_slots(writer, elements);
        }
        WireStatement::GetField { field, receiver } => {
            writer.byte(3);
            writer.varint(u64::from(*field));
            write_slot(writer, *receiver);
        }
        WireStatement::SetField {
            field,
            receiver,
            value,
        } => {
            writer.byte(4);
            writer.varint(u64::from(*field));
            write_slot(writer, *receiver);
            writer.varint(u64::from(*value));
        }
        WireStatement::Stub { class, answers } => {
            writer.byte(5);
            writer.string(class);
            writer.varint(answers.len() as u64);
            for (method, slot) in answers {
                writer.string(method);
                write_slot(writer, *slot);
            }
        }
    }
}

fn read_statement(reader: &mut ByteReader<'_>) -> Result<WireStatement, WireError> {
    Ok(match reader.byte()? {
        0 => WireStatement::Constant(read_constant(reader)?),
        1 => WireStatement::Call {
            method: reader.varint32()?,
            receiver: read_slot(reader)?,
            arguments: read_list(reader, ByteReader::varint32)?,
        },
        2 => WireStatement::NewArray {
            array_type: read_text(reader)?,
            elements: read_list(reader, ByteReader::varint32)?,
        },
        3 => WireStatement::GetField {
            field: reader.varint32()?,
            receiver: read_slot(reader)?,
        },
        4 => WireStatement::SetField {
            field: reader.varint32()?,
            receiver: read_slot(reader)?,
            value: reader.varint32()?,
        },
        5 => WireStatement::Stub {
            class: read_text(reader)?,
            answers: read_list(reader, |reader| {
                Ok((read_text(reader)?, read_slot(reader)?))
            })?,
        },
        _ => return Err(reader.damaged("a kind of statement")),
    })
}

pub(crate) fn write_constant(writer: &mut ByteWriter, constant: &WireConstant) {
    match constant {
        WireConstant::Null => writer.byte(0),
        WireConstant::Boolean(value) => {
            writer.byte(1);
            writer.boolean(*value);
        }
        WireConstant::Byte(value) => {
            writer.byte(2);
            writer.signed(i64::from(*value));
        }
        WireConstant::Char(value) => {
            writer.byte(3);
            writer.varint(u64::from(*value));
        }
        WireConstant::Short(value) => {
            writer.byte(4);
            writer.signed(i64::from(*value));
        }
        WireConstant::Int(value) => {
            writer.byte(5);
            writer.signed(i64::from(*value));
        }
        WireConstant::Long(value) => {
            writer.byte(6);
            writer.signed(*value);
        }
        WireConstant::Float(bits) => {
            writer.byte(7);
            writer.fixed32(*bits);
        }
        WireConstant::Double(bits) => {
            writer.byte(8);
            writer.fixed64(*bits);
        }
        WireConstant::Text(text) => {
            writer.byte(9);
            writer.string(text);
        }
        WireConstant::EnumConstant(class, name) => {
            writer.byte(10);
            writer.string(class);
            writer.string(name);
        }
        WireConstant::ClassLiteral(descriptor) => {
            writer.byte(11);
            writer.string(descriptor);
        }
    }
}

pub(crate) fn read_constant(reader: &mut ByteReader<'_>) -> Result<WireConstant, WireError> {
    Ok(match reader.byte()? {
        0 => WireConstant::Null,
        1 => WireConstant::Boolean(reader.boolean()?),
        2 => WireConstant::Byte(
            i8::try_from(reader.signed()?).map_err(|_| reader.damaged("a byte's value"))?,
        ),
        3 => WireConstant::Char(reader.varint16()?),
        4 => WireConstant::Short(
            i16::try_from(reader.signed()?).map_err(|_| reader.damaged("a short's value"))?,
        ),
        5 => WireConstant::Int(reader.signed32()?),
        6 => WireConstant::Long(reader.signed()?),
        7 => WireConstant::Float(reader.fixed32()?),
        8 => WireConstant::Double(reader.fixed64()?),
        9 => WireConstant::Text(read_text(reader)?),
        10 => WireConstant::EnumConstant(read_text(reader)?, read_text(reader)?),
        11 => WireConstant::ClassLiteral(read_text(reader)?),
        _ => return Err(reader.damaged("a kind of constant")),
    })
}

fn write_strings(writer: &mut ByteWriter, texts: &[Arc<str>]) {
    writer.length(texts.len());
    for text in texts {
        writer.string(text);
    }
}

fn write_slots(writer: &mut ByteWriter, slots: &[u32]) {
    writer.length(slots.len());
    for slot in slots {
        writer.varint(u64::from(*slot));
    }
}

/// Differences, since the list ascends; a new class starts over at probe 0.
pub(crate) fn write_probes(writer: &mut ByteWriter, probes: &[(u32, u32)]) {
    writer.length(probes.len());
    let mut last = (0, 0);
    for &(class, probe) in probes {
        writer.varint(u64::from(class.wrapping_sub(last.0)));
        let base = if class == last.0 { last.1 } else { 0 };
        writer.varint(u64::from(probe.wrapping_sub(base)));
        last = (class, probe);
    }
}

pub(crate) fn read_probes(reader: &mut ByteReader<'_>) -> Result<Vec<(u32, u32)>, WireError> {
    let mut last = (0, 0);
    read_list(reader, |reader| {
        let class = reader.varint32()?;
        let base = if class == 0 { last.1 } else { 0 };
        let next = (
            u32::checked_add(last.0, class),
            u32::checked_add(base, reader.varint32()?),
        );
        let (Some(class), Some(probe)) = next else {
            return Err(reader.damaged("a probe"));
        };
        last = (class, probe);
        Ok(last)
    })
}

/// 0 for none, else the slot plus one.
pub(crate) fn write_slot(writer: &mut ByteWriter, slot: Option<u32>) {
    writer.varint(slot.map_or(0, |slot| u64::from(slot) + 1));
}

pub(crate) fn read_slot(reader: &mut ByteReader<'_>) -> Result<Option<u32>, WireError> {
    match reader.varint()?.checked_sub(1) {
        None => Ok(None),
        Some(slot) => u32::try_from(slot)
            .map(Some)
            .map_err(|_| reader.damaged("a slot")),
    }
}

pub(crate) fn read_text(reader: &mut ByteReader<'_>) -> Result<Arc<str>, WireError> {
    reader.string().map(Arc::from)
}

pub(crate) fn read_list<'a, T>(
    reader: &mut ByteReader<'a>,
    mut read: impl FnMut(&mut ByteReader<'a>) -> Result<T, WireError>,
) -> Result<Vec<T>, WireError> {
    let count = reader.count()?;
    // Grows as elements are really there: a hostile count of large elements must not allocate ahead.
    let mut list = Vec::with_capacity(count.min(1024));
    for _ in 0..count {
        list.push(read(reader)?);
    }
    Ok(list)
}
