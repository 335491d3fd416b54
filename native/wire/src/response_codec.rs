//! Responses as bytes and back, laid out as `FORMAT.md`, "Requests and responses", says.
//!
//! Comes in: a [`Response`], or the body of one frame. Goes out: the body of one frame, or a [`Response`].
//! Names in outcomes are written once per frame and referred to afterwards, since a batch repeats few of them often.
//! Does not know: who asked, what the outcomes are for.

use crate::WireError;
use crate::frame::{ByteReader, ByteWriter};
use crate::kinds as kind;
use crate::request_codec::{
    MAGIC, VERSION, WORKER, read_constant, read_list, read_probes, read_slot, read_text,
    write_constant, write_probes, write_slot,
};
use crate::response::{
    Response, WireApiCall, WireComparison, WireContent, WireEnd, WireFailure, WireFrame,
    WireMutant, WireNear, WireObservation, WireOutcome, WireRecording,
};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Bits of what a sequence leaves behind.
const LEAVES_THREAD_LOCALS: u8 = 1;
const ENDS_OTHERWISE: u8 = 2;
/// Collections within collections within what a statement gave.
const DEEPEST: usize = 3;
/// Observations for which room is made before they are there, as many as the outcome before had.
const MOST_LIKELY: usize = 64;
/// Whole distances below this are written short.
const WHOLE_BELOW: u32 = 1 << 31;

impl Response {
    /// Appends the body of the response's frame.
    pub fn encode(&self, bytes: &mut Vec<u8>) {
        let mut writer = ByteWriter::new();
        match self {
            Response::Ready { java_version } => {
                kind::Response::Ready.write(&mut writer);
                writer.magic(MAGIC, VERSION);
                writer.string(java_version);
            }
            Response::Begun { failed } => {
                kind::Response::Begun.write(&mut writer);
                writer.length(failed.len());
                for (class, cause) in failed {
                    writer.string(class);
                    writer.string(cause);
                }
            }
            Response::Outcomes(outcomes) => {
                let is_near = outcomes.iter().any(|outcome| outcome.near.is_some());
                let has_mutants = outcomes.iter().any(|outcome| outcome.reached.is_some());
                let is_recorded = outcomes.iter().any(|outcome| outcome.recording.is_some());
                let kind = if is_recorded {
                    kind::Response::RecordedOutcomes
                } else if has_mutants {
                    kind::Response::MutantOutcomes
                } else if is_near {
                    kind::Response::NearOutcomes
                } else {
                    kind::Response::Outcomes
                };
                kind.write(&mut writer);
                writer.length(outcomes.len());
                let mut names = NamesOut::default();
                for outcome in outcomes {
                    write_outcome(&mut writer, &mut names, outcome);
                    if is_recorded {
                        let recording = outcome.recording.as_deref();
                        let none = WireRecording::default();
                        write_recording(&mut writer, &mut names, recording.unwrap_or(&none));
                    } else if has_mutants {
                        write_reached(&mut writer, outcome.reached.as_deref().unwrap_or(&[]));
                    } else if is_near {
                        let near = outcome.near.as_deref();
                        write_near(&mut writer, near.unwrap_or(&WireNear::default()));
                    }
                }
            }
            Response::ClassFiles(files) => {
                kind::Response::ClassFiles.write(&mut writer);
                writer.length(files.len());
                for file in files {
                    writer.boolean(file.is_some());
                    if let Some(file) = file {
                        writer.blob(file);
                    }
                }
            }
            Response::Failure(text) => {
                kind::Response::Failure.write(&mut writer);
                writer.string(text);
            }
            Response::Mutants(mutants) => {
                kind::Response::Mutants.write(&mut writer);
                writer.length(mutants.len());
                for mutant in mutants {
                    writer.varint(u64::from(mutant.class));
                    mutant.operator.write(&mut writer);
                    writer.string(&mutant.method);
                    writer.string(&mutant.descriptor);
                    writer.varint(u64::from(mutant.line));
                    writer.string(&mutant.detail);
                }
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
        let response = match kind::Response::read(&mut reader)? {
            kind::Response::Ready => {
                reader.magic(MAGIC, VERSION, WORKER)?;
                Response::Ready {
                    java_version: read_text(&mut reader)?,
                }
            }
            kind::Response::Begun => Response::Begun {
                failed: read_list(&mut reader, |reader| {
                    Ok((read_text(reader)?, read_text(reader)?))
                })?,
            },
            asked @ (kind::Response::Outcomes
            | kind::Response::NearOutcomes
            | kind::Response::MutantOutcomes
            | kind::Response::RecordedOutcomes) => {
                let mut names = Vec::new();
                let mut likely = 0;
                Response::Outcomes(read_list(&mut reader, |reader| {
                    let mut outcome = read_outcome(reader, &mut names, likely)?;
                    likely = outcome.observations.len().min(MOST_LIKELY);
                    if asked == kind::Response::NearOutcomes {
                        outcome.near = Some(Box::new(read_near(reader)?));
                    }
                    if asked == kind::Response::MutantOutcomes {
                        outcome.reached = Some(read_list(reader, read_reached)?);
                    }
                    if asked == kind::Response::RecordedOutcomes {
                        outcome.recording = Some(Box::new(read_recording(reader, &mut names)?));
                    }
                    Ok(outcome)
                })?)
            }
            kind::Response::ClassFiles => Response::ClassFiles(read_list(&mut reader, |reader| {
                Ok(if reader.boolean()? {
                    Some(reader.blob()?.to_vec())
                } else {
                    None
                })
            })?),
            kind::Response::Failure => Response::Failure(read_text(&mut reader)?),
            kind::Response::Mutants => Response::Mutants(read_list(&mut reader, |reader| {
                Ok(WireMutant {
                    class: reader.varint32()?,
                    operator: kind::Operator::read(reader)?,
                    method: read_text(reader)?,
                    descriptor: read_text(reader)?,
                    line: reader.varint32()?,
                    detail: read_text(reader)?,
                })
            })?),
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
    kind::Observation::NoMore.write(writer);
    match &outcome.end {
        WireEnd::Completed => kind::End::Completed.write(writer),
        WireEnd::Threw {
            statement,
            class,
            message,
            top_frame,
            fields,
        } => {
            kind::End::Threw.write(writer);
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
            writer.varint(fields.len() as u64);
            for (name, held) in fields {
                names.write(writer, name);
                write_observation(writer, names, held);
            }
        }
        WireEnd::OutOfFuel => kind::End::OutOfFuel.write(writer),
        WireEnd::TooDeep => kind::End::TooDeep.write(writer),
        WireEnd::TimedOut => kind::End::TimedOut.write(writer),
        WireEnd::Denied(what) => {
            kind::End::Denied.write(writer);
            writer.string(what);
        }
        WireEnd::StartedThread => kind::End::StartedThread.write(writer),
        WireEnd::Unusable(cause) => {
            kind::End::Unusable.write(writer);
            writer.string(cause);
        }
        WireEnd::OutOfMemory => kind::End::OutOfMemory.write(writer),
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
    likely: usize,
) -> Result<WireOutcome, WireError> {
    let mut observations = Vec::with_capacity(likely);
    while let Some(observation) = read_observation(reader, names, 0)? {
        observations.push(observation);
    }
    let end = match kind::End::read(reader)? {
        kind::End::Completed => WireEnd::Completed,
        kind::End::Threw => WireEnd::Threw {
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
            fields: read_list(reader, |reader| {
                Ok((read_name(reader, names)?, read_held(reader, names, 0)?))
            })?,
        },
        kind::End::OutOfFuel => WireEnd::OutOfFuel,
        kind::End::TooDeep => WireEnd::TooDeep,
        kind::End::TimedOut => WireEnd::TimedOut,
        kind::End::Denied => WireEnd::Denied(read_text(reader)?),
        kind::End::StartedThread => WireEnd::StartedThread,
        kind::End::Unusable => WireEnd::Unusable(read_text(reader)?),
        kind::End::OutOfMemory => WireEnd::OutOfMemory,
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
        reached: None,
        recording: None,
    })
}

/// Twice the number, which counts from 1, and one more where it would have made a difference.
fn write_reached(writer: &mut ByteWriter, reached: &[(u32, bool)]) {
    writer.length(reached.len());
    for &(place, is_infected) in reached {
        writer.varint(2 * (u64::from(place) + 1) + u64::from(is_infected));
    }
}

fn read_reached(reader: &mut ByteReader<'_>) -> Result<(u32, bool), WireError> {
    let number = reader.varint()?;
    let place = (number / 2).checked_sub(1);
    let place = place.and_then(|place| u32::try_from(place).ok());
    let place = place.ok_or_else(|| reader.damaged("a mutant"))?;
    Ok((place, number % 2 == 1))
}

fn write_recording(writer: &mut ByteWriter, names: &mut NamesOut, recording: &WireRecording) {
    writer.length(recording.objects.len());
    for name in &recording.objects {
        names.write(writer, name);
    }
    writer.length(recording.calls.len());
    for call in &recording.calls {
        writer.varint(u64::from(call.site));
        write_slot(writer, call.receiver);
        writer.length(call.arguments.len());
        for &(position, object) in &call.arguments {
            writer.varint(u64::from(position));
            writer.varint(u64::from(object));
        }
        write_slot(writer, call.result);
        writer.boolean(call.thrown.is_some());
        if let Some(thrown) = &call.thrown {
            names.write(writer, thrown);
        }
    }
    writer.boolean(recording.failure.is_some());
    let Some(failure) = &recording.failure else {
        return;
    };
    writer.length(failure.lineage.len());
    for name in &failure.lineage {
        names.write(writer, name);
    }
    writer.length(failure.stack.len());
    for frame in &failure.stack {
        names.write(writer, &frame.class);
        names.write(writer, &frame.method);
        writer.varint(u64::from(frame.line));
    }
}

fn read_recording(
    reader: &mut ByteReader<'_>,
    names: &mut Vec<Arc<str>>,
) -> Result<WireRecording, WireError> {
    let objects = read_list(reader, |reader| read_name(reader, names))?;
    let count = objects.len();
    let known = |reader: &ByteReader<'_>, object: u32| {
        if (object as usize) < count {
            Ok(object)
        } else {
            Err(reader.damaged("an object of the API"))
        }
    };
    let calls = read_list(reader, |reader| {
        let optional = |reader: &mut ByteReader<'_>| {
            let object = read_slot(reader)?;
            object.map(|object| known(reader, object)).transpose()
        };
        Ok(WireApiCall {
            site: reader.varint32()?,
            receiver: optional(reader)?,
            arguments: read_list(reader, |reader| {
                let position = reader.varint16()?;
                let object = reader.varint32()?;
                Ok((position, known(reader, object)?))
            })?,
            result: optional(reader)?,
            thrown: if reader.boolean()? {
                Some(read_name(reader, names)?)
            } else {
                None
            },
        })
    })?;
    let failure = if reader.boolean()? {
        Some(WireFailure {
            lineage: read_list(reader, |reader| read_name(reader, names))?,
            stack: read_list(reader, |reader| {
                Ok(WireFrame {
                    class: read_name(reader, names)?,
                    method: read_name(reader, names)?,
                    line: reader.varint32()?,
                })
            })?,
        })
    } else {
        None
    };
    Ok(WireRecording {
        objects,
        calls,
        failure,
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
        WireObservation::Nothing => kind::Observation::Nothing.write(writer),
        WireObservation::Null => kind::Observation::Null.write(writer),
        WireObservation::Value { value, boxed } => {
            let kind = if *boxed {
                kind::Observation::Reference
            } else {
                kind::Observation::Primitive
            };
            kind.write(writer);
            write_constant(writer, value);
        }
        WireObservation::EnumConstant(class, name) => {
            kind::Observation::EnumConstant.write(writer);
            names.write(writer, class);
            names.write(writer, name);
        }
        WireObservation::Object {
            class,
            profile,
            same_as,
            content,
        } => {
            kind::Observation::Object.write(writer);
            names.write(writer, class);
            // 0 for none, else the length plus one.
            writer.varint(profile.as_ref().map_or(0, |codes| codes.len() as u64 + 1));
            for code in profile.iter().flatten() {
                writer.varint(u64::from(*code));
            }
            write_slot(writer, *same_as);
            match content {
                None => kind::Content::Untold.write(writer),
                Some(WireContent::Text(text)) => {
                    kind::Content::Text.write(writer);
                    writer.string(text);
                }
                Some(WireContent::Elements(elements)) => {
                    kind::Content::Elements.write(writer);
                    writer.varint(elements.len() as u64);
                    for element in elements {
                        write_observation(writer, names, element);
                    }
                }
            }
        }
        WireObservation::LongText => kind::Observation::LongText.write(writer),
    }
}

/// What an object holds, which there always is.
fn read_held(
    reader: &mut ByteReader<'_>,
    names: &mut Vec<Arc<str>>,
    depth: usize,
) -> Result<WireObservation, WireError> {
    read_observation(reader, names, depth)?
        .ok_or_else(|| reader.damaged("one observation for each place"))
}

fn read_observation(
    reader: &mut ByteReader<'_>,
    names: &mut Vec<Arc<str>>,
    depth: usize,
) -> Result<Option<WireObservation>, WireError> {
    Ok(Some(match kind::Observation::read(reader)? {
        kind::Observation::Nothing => WireObservation::Nothing,
        kind::Observation::Null => WireObservation::Null,
        seen @ (kind::Observation::Primitive | kind::Observation::Reference) => {
            WireObservation::Value {
                value: read_constant(reader)?,
                boxed: seen == kind::Observation::Reference,
            }
        }
        kind::Observation::EnumConstant => {
            WireObservation::EnumConstant(read_name(reader, names)?, read_name(reader, names)?)
        }
        kind::Observation::Object => WireObservation::Object {
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
            content: match kind::Content::read(reader)? {
                kind::Content::Untold => None,
                kind::Content::Text => Some(WireContent::Text(read_text(reader)?)),
                kind::Content::Elements if depth < DEEPEST => {
                    let elements = read_list(reader, |reader| read_held(reader, names, depth + 1))?;
                    Some(WireContent::Elements(elements))
                }
                kind::Content::Elements => return Err(reader.damaged("fewer objects in objects")),
            },
        },
        kind::Observation::LongText => WireObservation::LongText,
        kind::Observation::NoMore => return Ok(None),
    }))
}
