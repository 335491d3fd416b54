//! Merges the threads of a trace file into one stream of events.
//!
//! Comes in: the bytes of one trace file. Goes out: its events. A thread is read as far as it goes; where one of its
//! order marks asks for records of another thread that were not read yet, that thread is read first, and so on. Memory
//! is bounded by the tables of names, the threads' texts and the open order marks, never by the number of events.
//! Does not know: what an event means.
//!
//! Worked example (a test in `tests/trace_reader.rs`): thread 0 makes an object, starts thread 1 and waits; thread 1
//! calls the object and leaves the mark *after 3 records of thread 0*. Thread 0's later call on it carries *after 4
//! records of thread 1*. The merged order is: creation, thread 1's call, thread 0's call.

use super::format::{self, record};
use super::lane::{Lane, Record};
use super::value::{HoldBack, Names, PlainValue, RawValues};
use super::{TraceEvent, TraceMethod};
use crate::WireError;
use crate::frame::ByteReader;
use std::sync::Arc;

/// What a [`RawEvent`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RawKind {
    /// As [`TraceEvent::Enter`], of the method with this index.
    Enter(u32),
    /// As [`TraceEvent::Exit`].
    Exit,
    /// As [`TraceEvent::Throw`].
    Throw,
    /// As [`TraceEvent::TestStart`].
    TestStart,
    /// As [`TraceEvent::TestEnd`].
    TestEnd,
    /// As [`TraceEvent::Capped`].
    Capped,
}

/// An event whose values were not decoded; [`TraceReader::decode`] does that.
#[derive(Clone, Copy, Debug)]
pub struct RawEvent<'a> {
    /// Number of the thread in this file.
    pub thread: u32,
    /// What it is.
    pub kind: RawKind,
    record: Record<'a>,
}

/// What is known of a method number of the file.
#[derive(Clone, Copy, Debug)]
struct MethodShape {
    /// Index in `TraceReader::methods`.
    index: u32,
    has_receiver: bool,
    arguments: u32,
}

/// A thread that is being read until it has given so many records.
#[derive(Clone, Copy, Debug)]
struct Turn {
    lane: usize,
    until: u64,
}

/// Reads one trace file.
#[derive(Debug)]
pub struct TraceReader<'a> {
    bytes: &'a [u8],
    process: u64,
    truncated: bool,
    lanes: Vec<Lane>,
    turns: Vec<Turn>,
    next_lane: usize,
    classes: Vec<Option<Arc<str>>>,
    shapes: Vec<Option<MethodShape>>,
    methods: Vec<TraceMethod>,
    hold_back: HoldBack<'a>,
}

impl<'a> TraceReader<'a> {
    /// Checks magic number and version and finds the chunks of each thread.
    ///
    /// # Errors
    /// [`WireError`] if these are no bytes of a trace of this version.
    pub fn new(bytes: &'a [u8]) -> Result<Self, WireError> {
        ByteReader::new(bytes).magic(format::MAGIC, format::VERSION, format::EXPECTED)?;
        let mut reader = TraceReader {
            bytes,
            process: 0,
            truncated: true,
            lanes: Vec::new(),
            turns: Vec::new(),
            next_lane: 0,
            classes: Vec::new(),
            shapes: Vec::new(),
            methods: Vec::new(),
            hold_back: HoldBack::default(),
        };
        if let Some(header) = bytes.get(..format::HEADER) {
            let length = ByteReader::new(&header[format::LENGTH_AT..]).fixed64()?;
            reader.truncated =
                header[format::FLAGS_AT] != format::FLAG_CLOSED || length > bytes.len() as u64;
            reader.process = ByteReader::new(&header[format::PROCESS_AT..]).fixed64()?;
            reader.find_chunks()?;
        }
        Ok(reader)
    }

    /// Reads values for which this is true as [`TraceValue::UnknownText`] or [`TraceValue::UnknownNumber`], and arrays
    /// of a text's characters or bytes without elements.
    #[must_use]
    pub fn holding_back(mut self, is_held: &'a (dyn Fn(PlainValue<'_>) -> bool + Sync)) -> Self {
        self.hold_back = HoldBack(Some(is_held));
        self
    }

    fn find_chunks(&mut self) -> Result<(), WireError> {
        let mut start = format::HEADER;
        while start < self.bytes.len() {
            let mut header = ByteReader::at(&self.bytes[start..], start as u64);
            if header.remaining() < format::CHUNK_HEADER {
                self.truncated = true;
                break;
            }
            let magic = header.raw(4, "a chunk")?;
            if magic == [0; 4] {
                // Reserved, but the JVM was killed before it was used.
                self.truncated = true;
                break;
            }
            if magic != format::CHUNK_MAGIC {
                return Err(header.damaged("a chunk"));
            }
            let thread = header.fixed32()?;
            let size = header.fixed32()? as usize;
            let ordinal = header.fixed32()? as usize;
            if thread >= format::MAX_THREADS || size < format::CHUNK_HEADER {
                return Err(header.damaged("a chunk's thread and size"));
            }
            let thread = thread as usize;
            if thread >= self.lanes.len() {
                self.lanes.resize_with(thread + 1, Lane::default);
            }
            let chunks = &mut self.lanes[thread].chunks;
            if ordinal != chunks.len() {
                return Err(header.damaged("the thread's next chunk"));
            }
            let end = start.saturating_add(size);
            if end > self.bytes.len() {
                self.truncated = true;
            }
            chunks.push(start + format::CHUNK_HEADER..end.min(self.bytes.len()));
            start = end;
        }
        Ok(())
    }

    /// The methods met so far; complete once the events are used up.
    pub fn methods(&self) -> &[TraceMethod] {
        &self.methods
    }

    /// The internal name of the class with a number that a [`super::RawValue`] gave.
    pub fn class(&self, number: u32) -> Option<&Arc<str>> {
        self.classes.get(number as usize)?.as_ref()
    }

    /// Random number of the process; object identities are unique only within it.
    pub fn process(&self) -> u64 {
        self.process
    }

    /// True if the agent stopped early (full disk) or the tail is cut; known once the events are used up.
    pub fn is_truncated(&self) -> bool {
        self.truncated || self.lanes.iter().any(|lane| lane.cut)
    }

    /// The next event; `None` at the end or at a truncated tail.
    ///
    /// # Errors
    /// [`WireError::Damaged`] where the bytes break the format before the tail.
    pub fn next_event(&mut self) -> Result<Option<TraceEvent>, WireError> {
        match self.next_raw()? {
            Some(raw) => self.decode(&raw).map(Some),
            None => Ok(None),
        }
    }

    /// The next event without its values; `None` at the end or at a truncated tail. Names that later events need are
    /// learnt on the way.
    ///
    /// # Errors
    /// [`WireError::Damaged`] where the bytes break the format before the tail.
    #[inline]
    pub fn next_raw(&mut self) -> Result<Option<RawEvent<'a>>, WireError> {
        loop {
            let Some(turn) = self.turns.last().copied() else {
                if self.next_lane == self.lanes.len() {
                    return Ok(None);
                }
                self.turns.push(Turn {
                    lane: self.next_lane,
                    until: u64::MAX,
                });
                self.next_lane += 1;
                continue;
            };
            let lane = &mut self.lanes[turn.lane];
            if lane.records >= turn.until {
                self.turns.pop();
                continue;
            }
            let Some(record) = lane.next_record(self.bytes)? else {
                self.turns.pop();
                continue;
            };
            let kind = match record.kind {
                record::ENTER => {
                    lane.depth += 1;
                    let mut payload = ByteReader::at(record.payload, record.offset);
                    let number = payload.varint32()?;
                    RawKind::Enter(shape(&self.shapes, number, &payload)?.index)
                }
                record::EXIT | record::EXIT_VOID | record::THROW => {
                    if lane.depth == 0 {
                        return Err(damaged(&record, "an open call to end"));
                    }
                    lane.depth -= 1;
                    if record.kind == record::THROW {
                        RawKind::Throw
                    } else {
                        RawKind::Exit
                    }
                }
                record::TEST_START => RawKind::TestStart,
                record::TEST_PASSED | record::TEST_FAILED => RawKind::TestEnd,
                record::CAPPED => RawKind::Capped,
                _ => {
                    self.learn(turn.lane, &record)?;
                    continue;
                }
            };
            return Ok(Some(RawEvent {
                thread: turn.lane as u32,
                kind,
                record,
            }));
        }
    }

    /// Decodes the values of the event that [`TraceReader::next_raw`] gave last.
    ///
    /// # Errors
    /// [`WireError::Damaged`] where its bytes break the format.
    pub fn decode(&self, raw: &RawEvent<'a>) -> Result<TraceEvent, WireError> {
        let thread = raw.thread;
        let names = Names {
            texts: &self.lanes[thread as usize].texts,
            held: &self.lanes[thread as usize].held,
            hold_back: self.hold_back,
            classes: &self.classes,
        };
        let mut payload = ByteReader::at(raw.record.payload, raw.record.offset);
        let event = match raw.kind {
            RawKind::Enter(method) => {
                let number = payload.varint32()?;
                let shape = shape(&self.shapes, number, &payload)?;
                let receiver = if shape.has_receiver {
                    Some(names.value(&mut payload)?)
                } else {
                    None
                };
                let mut arguments = Vec::with_capacity(shape.arguments as usize);
                for _ in 0..shape.arguments {
                    arguments.push(names.value(&mut payload)?);
                }
                TraceEvent::Enter {
                    thread,
                    method,
                    receiver,
                    arguments,
                }
            }
            RawKind::Exit if raw.record.kind == record::EXIT_VOID => TraceEvent::Exit {
                thread,
                result: None,
            },
            RawKind::Exit => TraceEvent::Exit {
                thread,
                result: Some(names.value(&mut payload)?),
            },
            RawKind::Throw => TraceEvent::Throw {
                thread,
                class: names.class(&mut payload)?,
            },
            RawKind::TestStart => TraceEvent::TestStart {
                thread,
                class: names.class(&mut payload)?,
                method: names.text(&mut payload)?,
            },
            RawKind::TestEnd => TraceEvent::TestEnd {
                thread,
                failed: raw.record.kind == record::TEST_FAILED,
            },
            RawKind::Capped => {
                let count = payload.count()?;
                let objects = (0..count).map(|_| payload.varint());
                let objects = objects.collect::<Result<_, _>>()?;
                TraceEvent::Capped { objects }
            }
        };
        payload.end()?;
        Ok(event)
    }

    /// The receiver, arguments or result of the event that [`TraceReader::next_raw`] gave last, if it began or ended a
    /// call; no values of other events.
    ///
    /// # Errors
    /// [`WireError::Damaged`] where its bytes break the format.
    #[inline]
    pub fn values(&self, raw: &RawEvent<'a>) -> Result<RawValues<'_, 'a>, WireError> {
        let mut payload = ByteReader::at(raw.record.payload, raw.record.offset);
        let left = match raw.kind {
            RawKind::Enter(_) => {
                let number = payload.varint32()?;
                let shape = shape(&self.shapes, number, &payload)?;
                u32::from(shape.has_receiver) + shape.arguments
            }
            RawKind::Exit => u32::from(raw.record.kind == record::EXIT),
            _ => {
                payload = ByteReader::new(&[]);
                0
            }
        };
        let names = Names {
            texts: &self.lanes[raw.thread as usize].texts,
            held: &self.lanes[raw.thread as usize].held,
            hold_back: self.hold_back,
            classes: &self.classes,
        };
        Ok(RawValues {
            names,
            payload,
            left,
        })
    }

    /// Takes in a record that is no event: a name or an order mark.
    #[cold]
    fn learn(&mut self, lane: usize, record: &Record<'a>) -> Result<(), WireError> {
        let mut payload = ByteReader::at(record.payload, record.offset);
        match record.kind {
            record::AFTER => {
                let other = payload.varint32()? as usize;
                let until = payload.varint()?;
                // A thread whose chunks are all lost, or whose tail is, has nothing to wait for.
                if let Some(waited_for) = self.lanes.get(other)
                    && waited_for.records < until
                    && !waited_for.finished
                {
                    if self.turns.iter().any(|turn| turn.lane == other) {
                        return Err(payload.damaged("order marks without a circle"));
                    }
                    self.turns.push(Turn { lane: other, until });
                }
            }
            record::CLASS => {
                let number = payload.varint32()?;
                if number >= format::MAX_CLASSES {
                    return Err(payload.damaged("the number of a class"));
                }
                let name: Arc<str> = payload.string()?.into();
                let number = number as usize;
                if number >= self.classes.len() {
                    self.classes.resize(number + 1, None);
                }
                self.classes[number].get_or_insert(name);
            }
            record::METHOD => self.learn_method(lane, &mut payload)?,
            _ => {
                let text = str::from_utf8(record.payload).map_err(|_| payload.damaged("UTF-8"))?;
                let lane = &mut self.lanes[lane];
                if self.hold_back.is_held(text) {
                    lane.held.insert(lane.texts.len() as u32);
                }
                lane.texts.push(text.into());
                return Ok(());
            }
        }
        payload.end()
    }

    fn learn_method(&mut self, lane: usize, payload: &mut ByteReader<'a>) -> Result<(), WireError> {
        let number = payload.varint32()?;
        if number >= format::MAX_METHODS {
            return Err(payload.damaged("the number of a method"));
        }
        let names = Names {
            texts: &self.lanes[lane].texts,
            held: &self.lanes[lane].held,
            hold_back: self.hold_back,
            classes: &self.classes,
        };
        let class = names.class(payload)?;
        let name: Arc<str> = payload.string()?.into();
        let descriptor: Arc<str> = payload.string()?.into();
        let access = payload.varint16()?;
        let Some(arguments) = count_arguments(&descriptor) else {
            return Err(payload.damaged("the descriptor of a method"));
        };
        let number = number as usize;
        if number >= self.shapes.len() {
            self.shapes.resize(number + 1, None);
        }
        if self.shapes[number].is_none() {
            self.shapes[number] = Some(MethodShape {
                index: self.methods.len() as u32,
                has_receiver: access & ACCESS_STATIC == 0 && &*name != "<init>",
                arguments,
            });
            self.methods.push(TraceMethod {
                class,
                name,
                descriptor,
                access,
            });
        }
        Ok(())
    }
}

const ACCESS_STATIC: u16 = 0x0008;

#[inline]
fn shape(
    shapes: &[Option<MethodShape>],
    number: u32,
    payload: &ByteReader<'_>,
) -> Result<MethodShape, WireError> {
    match shapes.get(number as usize) {
        Some(Some(shape)) => Ok(*shape),
        _ => Err(payload.damaged("a method defined before its use")),
    }
}

#[cold]
fn damaged(record: &Record<'_>, what: &'static str) -> WireError {
    WireError::Damaged {
        offset: record.offset,
        what,
    }
}

/// Number of arguments of a method descriptor; `None` if it is none.
fn count_arguments(descriptor: &str) -> Option<u32> {
    let mut rest = descriptor.strip_prefix('(')?;
    let mut count = 0;
    loop {
        rest = rest.trim_start_matches('[');
        match rest.as_bytes().first()? {
            b')' => return Some(count),
            b'L' => rest = &rest[rest.find(';')? + 1..],
            b'Z' | b'B' | b'C' | b'S' | b'I' | b'J' | b'F' | b'D' => rest = &rest[1..],
            _ => return None,
        }
        count += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::count_arguments;

    #[test]
    fn arguments_are_counted_from_the_descriptor() {
        assert_eq!(count_arguments("()V"), Some(0));
        assert_eq!(count_arguments("(IJ[[Ljava/util/Map;[D)V"), Some(4));
        assert_eq!(count_arguments("(Ljava/util/Map"), None);
        assert_eq!(count_arguments("(Q)V"), None);
        assert_eq!(count_arguments("IJ"), None);
    }
}
