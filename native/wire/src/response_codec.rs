//! Responses as bytes and back, laid out as `FORMAT.md`, "Requests and responses", says.
//!
//! Comes in: a [`Response`], or the body of one frame. Goes out: the body of one frame, or a [`Response`].
//! Names in outcomes are written once per frame and referred to afterwards, since a batch repeats few of them often.
//! Does not know: who asked, what the outcomes are for.

use crate::WireError;
use crate::frame::{ByteReader, ByteWriter};
use crate::request_codec::{
    MAGIC, VERSION, WORKER, read_constant, read_list, read_probes, read_slot, read_text,
    write_constant, write_probes, write_slot,
};
use crate::response::{Response, WireComparison, WireEnd, WireNear, WireObservation, WireOutcome};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Stands where the kind of another observation could.
const NO_MORE_OBSERVATIONS: u8 = 7;
/// Bits of what a sequence leaves behind.
const LEAVES_THREAD_LOCALS: u8 = 1;
const ENDS_OTHERWISE: u8 = 2;
/// Whole distances below this are written short.
const WHOLE_BELOW: u32 = 1 << 31;

impl Response {
    /// Appends the body of the response's frame.
    pub fn encode(&self, bytes: &mut Vec<u8>) {
        let mut writer = ByteWriter::new();
        match self {
            Response::Ready { java_version } => {
                writer.byte(0);
                writer.magic(MAGIC, VERSION);
                writer.string(java_version);
            }
            Response::Begun { failed } => {
                writer.byte(1);
                writer.length(failed.len());
                for (class, cause) in failed {
                    writer.string(class);
                    writer.string(cause);
                }
            }
            Response::Outcomes(outcomes) => {
                let is_near = outcomes.iter().any(|outcome| outcome.near.is_some());
                writer.byte(if is_near { 5 } else { 2 });
                writer.length(outcomes.len());
                let mut names = NamesOut::default();
                for outcome in outcomes {
                    write_outcome(&mut writer, &mut names, outcome);
                    if is_near {
                        let near = outcome.near.as_deref();
                        write_near(&mut writer, near.unwrap_or(&WireNear::default()));
                    }
                }
            }
            Response::ClassFiles(files) => {
                writer.byte(3);
                writer.length(files.len());
                for file in files {
                    writer.boolean(file.is_some());
                    if let Some(file) = file {
                        writer.blob(file);
                    }
                }
            }
            Response::Failure(text) => {
                writer.byte(4);
                writer.string(text);
            }
        }
        bytes.extend_from_slice(writer.as_bytes());
    }

    /// Reads the body of a frame.
    ///
    /// # Errors
    /// [`WireError`] if it is no response of this version.
    pub fn decode(bytes: &[u8]) -> Result<Response, WireError> {
        let mut reader = ByteReader::new(bytes);
        let response = match reader.byte()? {
            0 => {
                reader.magic(MAGIC, VERSION, WORKER)?;
                Response::Ready {
                    java_version: read_text(&mut reader)?,
                }
            }
            1 => Response::Begun {
                failed: read_list(&mut reader, |reader| {
                    Ok((read_text(reader)?, read_text(reader)?))
                })?,
            },
            kind @ (2 | 5) => {
                let mut names = Vec::new();
                Response::Outcomes(read_list(&mut reader, |reader| {
                    let mut outcome = read_outcome(reader, &mut names)?;
                    if kind == 5 {
                        outcome.near = Some(Box::new(read_near(reader)?));
                    }
                    Ok(outcome)
                })?)
            }
            3 => Response::ClassFiles(read_list(&mut reader, |reader| {
                Ok(if reader.boolean()? {
                    Some(reader.blob()?.to_vec())
                } else {
                    None
                })
            })?),
            4 => Response::Failure(read_text(&mut reader)?),
            _ => return Err(reader.damaged("a kind of response")),
        };
        reader.end()?;
        Ok(response)
    }
}

/// Names written so far in this frame.
#[derive(Default)]
struct NamesOut {
    numbers: BTreeMap<Arc<str>, u64>,
}

impl NamesOut {
    /// 0 and the text at first, then its number (from 1).
    fn write(&mut self, writer: &mut ByteWriter, name: &Arc<str>) {
        if let Some(number) = self.numbers.get(name) {
            writer.varint(*number);
        } else {
            let number = self.numbers.len() as u64 + 1;
            self.numbers.insert(name.clone(), number);
            writer.varint(0);
            writer.string(name);
        }
    }
}

fn read_name(
    reader: &mut ByteReader<'_>,
    names: &mut Vec<Arc<str>>,
) -> Result<Arc<str>, WireError> {
    match usize::try_from(reader.varint()?) {
        Ok(0) => {
            let name = read_text(reader)?;
            names.push(name.clone());
            Ok(name)
        }
        Ok(number) if number <= names.len() => Ok(names[number - 1].clone()),
        _ => Err(reader.damaged("the number of a name")),
    }
}

fn write_outcome(writer: &mut ByteWriter, names: &mut NamesOut, outcome: &WireOutcome) {
    // The end comes after the observations, so that a worker can write these while the sequence runs.
    for observation in &outcome.observations {
        write_observation(writer, names, observation);
    }
    writer.byte(NO_MORE_OBSERVATIONS);
    match &outcome.end {
        WireEnd::Completed => writer.byte(0),
        WireEnd::Threw {
            statement,
            class,
            message,
            top_frame,
        } => {
            writer.byte(1);
            writer.varint(u64::from(*statement));
            names.write(writer, class);
            writer.boolean(message.is_some());
            if let Some(message) = message {
                writer.string(message);
            }
            writer.boolean(top_frame.is_some());
            if let Some((class, method)) = top_frame {
                names.write(writer, class);
                names.write(writer, method);
            }
        }
        WireEnd::OutOfFuel => writer.byte(2),
        WireEnd::TooDeep => writer.byte(3),
        WireEnd::TimedOut => writer.byte(4),
        WireEnd::Denied(what) => {
            writer.byte(5);
            writer.string(what);
        }
        WireEnd::StartedThread => writer.byte(6),
        WireEnd::Unusable(cause) => {
            writer.byte(7);
            writer.string(cause);
        }
        WireEnd::OutOfMemory => writer.byte(8),
    }
    write_probes(writer, &outcome.probes);
    writer.varint(u64::from(outcome.cost));
    let left = if outcome.leaves_thread_locals {
        LEAVES_THREAD_LOCALS
    } else {
        0
    };
    writer.byte(left | if outcome.repeats { 0 } else { ENDS_OTHERWISE });
}

fn read_outcome(
    reader: &mut ByteReader<'_>,
    names: &mut Vec<Arc<str>>,
) -> Result<WireOutcome, WireError> {
    let mut observations = Vec::new();
    while let Some(observation) = read_observation(reader, names)? {
        observations.push(observation);
    }
    let end = match reader.byte()? {
        0 => WireEnd::Completed,
        1 => WireEnd::Threw {
            statement: reader.varint32()?,
            class: read_name(reader, names)?,
            message: if reader.boolean()? {
                Some(read_text(reader)?)
            } else {
                None
            },
            top_frame: if reader.boolean()? {
                Some((read_name(reader, names)?, read_name(reader, names)?))
            } else {
                None
            },
        },
        2 => WireEnd::OutOfFuel,
        3 => WireEnd::TooDeep,
        4 => WireEnd::TimedOut,
        5 => WireEnd::Denied(read_text(reader)?),
        6 => WireEnd::StartedThread,
        7 => WireEnd::Unusable(read_text(reader)?),
        8 => WireEnd::OutOfMemory,
        _ => return Err(reader.damaged("a kind of end")),
    };
    let probes = read_probes(reader)?;
    let cost = reader.varint32()?;
    let aftermath = reader.byte()?;
    if aftermath > (LEAVES_THREAD_LOCALS | ENDS_OTHERWISE) {
        return Err(reader.damaged("an aftermath"));
    }
    Ok(WireOutcome {
        end,
        observations,
        probes,
        cost,
        leaves_thread_locals: aftermath & LEAVES_THREAD_LOCALS != 0,
        repeats: aftermath & ENDS_OTHERWISE == 0,
        near: None,
    })
}

fn write_near(writer: &mut ByteWriter, near: &WireNear) {
    writer.length(near.distances.len());
    let mut last = 0;
    for &(place, bits) in &near.distances {
        writer.varint(u64::from(place.wrapping_sub(last)));
        last = place;
        write_distance(writer, f64::from_bits(bits));
    }
    writer.length(near.comparisons.len());
    for comparison in &near.comparisons {
        writer.varint(u64::from(comparison.place));
        writer.byte(comparison.relation);
        write_constant(writer, &comparison.left);
        write_constant(writer, &comparison.right);
    }
}

fn read_near(reader: &mut ByteReader<'_>) -> Result<WireNear, WireError> {
    let mut last = 0_u32;
    Ok(WireNear {
        distances: read_list(reader, |reader| {
            let step = reader.varint32()?;
            last = last
                .checked_add(step)
                .ok_or_else(|| reader.damaged("a place"))?;
            Ok((last, read_distance(reader)?.to_bits()))
        })?,
        comparisons: read_list(reader, |reader| {
            Ok(WireComparison {
                place: reader.varint32()?,
                relation: reader.byte()?,
                left: read_constant(reader)?,
                right: read_constant(reader)?,
            })
        })?,
    })
}

/// Twice a small whole number; 1 and eight bytes for any other.
fn write_distance(writer: &mut ByteWriter, distance: f64) {
    let whole = u32::try_from(distance as i64).ok();
    match whole.filter(|whole| f64::from(*whole).to_bits() == distance.to_bits()) {
        Some(whole) if whole < WHOLE_BELOW => writer.varint(2 * u64::from(whole)),
        _ => {
            writer.varint(1);
            writer.fixed64(distance.to_bits());
        }
    }
}

fn read_distance(reader: &mut ByteReader<'_>) -> Result<f64, WireError> {
    let twice = reader.varint()?;
    if twice == 1 {
        return Ok(f64::from_bits(reader.fixed64()?));
    }
    u32::try_from(twice / 2)
        .ok()
        .filter(|whole| twice % 2 == 0 && *whole < WHOLE_BELOW)
        .map(f64::from)
        .ok_or_else(|| reader.damaged("a distance"))
}

fn write_observation(writer: &mut ByteWriter, names: &mut NamesOut, observation: &WireObservation) {
    match observation {
        WireObservation::Nothing => writer.byte(0),
        WireObservation::Null => writer.byte(1),
        WireObservation::Value { value, boxed } => {
            writer.byte(if *boxed { 3 } else { 2 });
            write_constant(writer, value);
        }
        WireObservation::EnumConstant(class, name) => {
            writer.byte(4);
            names.write(writer, class);
            names.write(writer, name);
        }
        WireObservation::Object {
            class,
            profile,
            same_as,
        } => {
            writer.byte(5);
            names.write(writer, class);
            // 0 for none, else the length plus one.
            writer.varint(profile.as_ref().map_or(0, |codes| codes.len() as u64 + 1));
            for code in profile.iter().flatten() {
                writer.varint(u64::from(*code));
            }
            write_slot(writer, *same_as);
        }
        WireObservation::LongText => writer.byte(6),
    }
}

fn read_observation(
    reader: &mut ByteReader<'_>,
    names: &mut Vec<Arc<str>>,
) -> Result<Option<WireObservation>, WireError> {
    Ok(Some(match reader.byte()? {
        0 => WireObservation::Nothing,
        1 => WireObservation::Null,
        kind @ (2 | 3) => WireObservation::Value {
            value: read_constant(reader)?,
            boxed: kind == 3,
        },
        4 => WireObservation::EnumConstant(read_name(reader, names)?, read_name(reader, names)?),
        5 => WireObservation::Object {
            class: read_name(reader, names)?,
            profile: match reader.varint()?.checked_sub(1) {
                None => None,
                Some(length) if length <= reader.remaining() as u64 => {
                    let codes: Result<Vec<u16>, WireError> =
                        (0..length).map(|_| reader.varint16()).collect();
                    Some(codes?)
                }
                Some(_) => return Err(reader.damaged("a profile that fits the bytes left")),
            },
            same_as: read_slot(reader)?,
        },
        6 => WireObservation::LongText,
        NO_MORE_OBSERVATIONS => return Ok(None),
        _ => return Err(reader.damaged("a kind of observation")),
    }))
}
