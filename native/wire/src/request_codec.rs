//! Requests as bytes and back, laid out as `FORMAT.md`, "Requests and responses", says.
//!
//! Comes in: a [`Request`], or the body of one frame. Goes out: the body of one frame, or a [`Request`].
//! Does not know: who sends it, what it does.
//!
//! Worked example: `Begin { initialise: ["A"] }` is `03 01 01 41` (kind, count, length, text).

use crate::WireError;
use crate::frame::{ByteReader, ByteWriter};
use crate::kinds as kind;
use crate::request::{
    CallKind, FieldDefinition, MethodDefinition, Request, Setup, WireConstant, WireSequence,
    WireSites, WireStatement,
};
use std::sync::Arc;

/// Magic number in `Setup` and `Ready`: both ends speak of the same thing.
pub(crate) const MAGIC: [u8; 4] = *b"PALW";
/// Version of requests and responses.
pub(crate) const VERSION: u16 = 8;
pub(crate) const WORKER: &str = "the Palus worker's wire";

impl Request {
    /// Appends the body of the request's frame.
    pub fn encode(&self, bytes: &mut Vec<u8>) {
        let mut writer = ByteWriter::new();
        match self {
            Request::Setup(setup) => {
                kind::Request::Setup.write(&mut writer);
                write_setup(&mut writer, setup);
            }
            Request::DefineMethods(methods) => {
                kind::Request::DefineMethods.write(&mut writer);
                writer.length(methods.len());
                for method in methods {
                    write_method(&mut writer, method);
                }
            }
            Request::DefineFields(fields) => {
                kind::Request::DefineFields.write(&mut writer);
                writer.length(fields.len());
                for field in fields {
                    write_field(&mut writer, field);
                }
            }
            Request::Begin {
                initialise,
                environment,
            } => {
                kind::Request::Begin.write(&mut writer);
                write_strings(&mut writer, initialise);
                writer.varint(u64::from(*environment));
            }
            Request::Execute(sequences) => {
                kind::Request::Execute.write(&mut writer);
                writer.length(sequences.len());
                for sequence in sequences {
                    writer.length(sequence.statements.len());
                    for statement in &sequence.statements {
                        write_statement(&mut writer, statement);
                    }
                }
            }
            Request::ReadClasses(names) => {
                kind::Request::ReadClasses.write(&mut writer);
                write_strings(&mut writer, names);
            }
            Request::Exit => kind::Request::Exit.write(&mut writer),
            Request::Watch(probes) => {
                kind::Request::Watch.write(&mut writer);
                write_probes(&mut writer, probes);
            }
            Request::Forget => kind::Request::Forget.write(&mut writer),
            Request::Mutate(classes) => {
                kind::Request::Mutate.write(&mut writer);
                write_strings(&mut writer, classes);
            }
            Request::TurnOn { mutant, fuel } => {
                kind::Request::TurnOn.write(&mut writer);
                writer.varint(u64::from(*mutant));
                writer.varint(u64::from(*fuel));
            }
            Request::DefineSites(sites) => {
                kind::Request::DefineSites.write(&mut writer);
                write_sites(&mut writer, sites);
            }
            Request::Record(records) => {
                kind::Request::Record.write(&mut writer);
                writer.boolean(*records);
            }
        }
        bytes.extend_from_slice(writer.as_bytes());
    }

    /// Reads the body of a frame.
    ///
    /// # Errors
    /// [`WireError`] if it is no request of this version.
    pub fn decode(bytes: &[u8]) -> Result<Request, WireError> {
        let mut reader = ByteReader::new(bytes);
        let request = match kind::Request::read(&mut reader)? {
            kind::Request::Setup => Request::Setup(read_setup(&mut reader)?),
            kind::Request::DefineMethods => {
                Request::DefineMethods(read_list(&mut reader, read_method)?)
            }
            kind::Request::DefineFields => {
                Request::DefineFields(read_list(&mut reader, read_field)?)
            }
            kind::Request::Begin => Request::Begin {
                initialise: read_list(&mut reader, read_text)?,
                environment: reader.varint32()?,
            },
            kind::Request::Execute => Request::Execute(read_list(&mut reader, |reader| {
                Ok(WireSequence {
                    statements: read_list(reader, read_statement)?,
                })
            })?),
            kind::Request::ReadClasses => Request::ReadClasses(read_list(&mut reader, read_text)?),
            kind::Request::Exit => Request::Exit,
            kind::Request::Watch => Request::Watch(read_probes(&mut reader)?),
            kind::Request::Forget => Request::Forget,
            kind::Request::Mutate => Request::Mutate(read_list(&mut reader, read_text)?),
            kind::Request::TurnOn => Request::TurnOn {
                mutant: reader.varint32()?,
                fuel: reader.varint32()?,
            },
            kind::Request::DefineSites => Request::DefineSites(read_sites(&mut reader)?),
            kind::Request::Record => Request::Record(reader.boolean()?),
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

fn write_sites(writer: &mut ByteWriter, sites: &WireSites) {
    write_strings(writer, &sites.api);
    writer.length(sites.sites.len());
    for (class, of_class) in &sites.sites {
        writer.string(class);
        writer.length(of_class.len());
        for &(place, number) in of_class {
            writer.varint(u64::from(place));
            writer.varint(u64::from(number));
        }
    }
}

fn read_sites(reader: &mut ByteReader<'_>) -> Result<WireSites, WireError> {
    Ok(WireSites {
        api: read_list(reader, read_text)?,
        sites: read_list(reader, |reader| {
            let class = read_text(reader)?;
            let of_class = read_list(reader, |reader| {
                Ok((reader.varint32()?, reader.varint32()?))
            })?;
            Ok((class, of_class))
        })?,
    })
}

fn write_method(writer: &mut ByteWriter, method: &MethodDefinition) {
    writer.varint(u64::from(method.id));
    let call = match method.kind {
        CallKind::Constructor => kind::Call::Constructor,
        CallKind::Static => kind::Call::Static,
        CallKind::Virtual => kind::Call::Virtual,
        CallKind::Interface => kind::Call::Interface,
        CallKind::InterfaceStatic => kind::Call::InterfaceStatic,
    };
    call.write(writer);
    writer.string(&method.owner);
    writer.string(&method.name);
    writer.string(&method.descriptor);
}

fn read_method(reader: &mut ByteReader<'_>) -> Result<MethodDefinition, WireError> {
    Ok(MethodDefinition {
        id: reader.varint32()?,
        kind: match kind::Call::read(reader)? {
            kind::Call::Constructor => CallKind::Constructor,
            kind::Call::Static => CallKind::Static,
            kind::Call::Virtual => CallKind::Virtual,
            kind::Call::Interface => CallKind::Interface,
            kind::Call::InterfaceStatic => CallKind::InterfaceStatic,
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
            kind::Statement::Constant.write(writer);
            write_constant(writer, constant);
        }
        WireStatement::Call {
            method,
            receiver,
            arguments,
        } => {
            kind::Statement::Call.write(writer);
            writer.varint(u64::from(*method));
            write_slot(writer, *receiver);
            write_slots(writer, arguments);
        }
        WireStatement::NewArray {
            array_type,
            elements,
        } => {
            kind::Statement::NewArray.write(writer);
            writer.string(array_type);
            write_slots(writer, elements);
        }
        WireStatement::GetField { field, receiver } => {
            kind::Statement::GetField.write(writer);
            writer.varint(u64::from(*field));
            write_slot(writer, *receiver);
        }
        WireStatement::SetField {
            field,
            receiver,
            value,
        } => {
            kind::Statement::SetField.write(writer);
            writer.varint(u64::from(*field));
            write_slot(writer, *receiver);
            writer.varint(u64::from(*value));
        }
        WireStatement::Stub { class, answers } => {
            kind::Statement::Stub.write(writer);
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
    Ok(match kind::Statement::read(reader)? {
        kind::Statement::Constant => WireStatement::Constant(read_constant(reader)?),
        kind::Statement::Call => WireStatement::Call {
            method: reader.varint32()?,
            receiver: read_slot(reader)?,
            arguments: read_list(reader, ByteReader::varint32)?
                .into_iter()
                .collect(),
        },
        kind::Statement::NewArray => WireStatement::NewArray {
            array_type: read_text(reader)?,
            elements: read_list(reader, ByteReader::varint32)?,
        },
        kind::Statement::GetField => WireStatement::GetField {
            field: reader.varint32()?,
            receiver: read_slot(reader)?,
        },
        kind::Statement::SetField => WireStatement::SetField {
            field: reader.varint32()?,
            receiver: read_slot(reader)?,
            value: reader.varint32()?,
        },
        kind::Statement::Stub => WireStatement::Stub {
            class: read_text(reader)?,
            answers: read_list(reader, |reader| {
                Ok((read_text(reader)?, read_slot(reader)?))
            })?,
        },
    })
}

pub(crate) fn write_constant(writer: &mut ByteWriter, constant: &WireConstant) {
    match constant {
        WireConstant::Null => kind::Constant::Null.write(writer),
        WireConstant::Boolean(value) => {
            kind::Constant::Boolean.write(writer);
            writer.boolean(*value);
        }
        WireConstant::Byte(value) => {
            kind::Constant::Byte.write(writer);
            writer.signed(i64::from(*value));
        }
        WireConstant::Char(value) => {
            kind::Constant::Char.write(writer);
            writer.varint(u64::from(*value));
        }
        WireConstant::Short(value) => {
            kind::Constant::Short.write(writer);
            writer.signed(i64::from(*value));
        }
        WireConstant::Int(value) => {
            kind::Constant::Int.write(writer);
            writer.signed(i64::from(*value));
        }
        WireConstant::Long(value) => {
            kind::Constant::Long.write(writer);
            writer.signed(*value);
        }
        WireConstant::Float(bits) => {
            kind::Constant::Float.write(writer);
            writer.fixed32(*bits);
        }
        WireConstant::Double(bits) => {
            kind::Constant::Double.write(writer);
            writer.fixed64(*bits);
        }
        WireConstant::Text(text) => {
            kind::Constant::Text.write(writer);
            writer.string(text);
        }
        WireConstant::EnumConstant(class, name) => {
            kind::Constant::EnumConstant.write(writer);
            writer.string(class);
            writer.string(name);
        }
        WireConstant::ClassLiteral(descriptor) => {
            kind::Constant::ClassLiteral.write(writer);
            writer.string(descriptor);
        }
    }
}

pub(crate) fn read_constant(reader: &mut ByteReader<'_>) -> Result<WireConstant, WireError> {
    Ok(match kind::Constant::read(reader)? {
        kind::Constant::Null => WireConstant::Null,
        kind::Constant::Boolean => WireConstant::Boolean(reader.boolean()?),
        kind::Constant::Byte => WireConstant::Byte(
            i8::try_from(reader.signed()?).map_err(|_| reader.damaged("a byte's value"))?,
        ),
        kind::Constant::Char => WireConstant::Char(reader.varint16()?),
        kind::Constant::Short => WireConstant::Short(
            i16::try_from(reader.signed()?).map_err(|_| reader.damaged("a short's value"))?,
        ),
        kind::Constant::Int => WireConstant::Int(reader.signed32()?),
        kind::Constant::Long => WireConstant::Long(reader.signed()?),
        kind::Constant::Float => WireConstant::Float(reader.fixed32()?),
        kind::Constant::Double => WireConstant::Double(reader.fixed64()?),
        kind::Constant::Text => WireConstant::Text(read_text(reader)?),
        kind::Constant::EnumConstant => {
            WireConstant::EnumConstant(read_text(reader)?, read_text(reader)?)
        }
        kind::Constant::ClassLiteral => WireConstant::ClassLiteral(read_text(reader)?),
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
