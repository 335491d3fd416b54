//! Writes trace files, for tests, benches and golden files; the agent has its own in Java.
//!
//! Comes in: events and order marks, thread by thread. Goes out: the bytes of a trace file as the agent would have
//! written them: names before their first use in each thread, one block per outermost call.
//! Does not know: files. Texts longer than 256 bytes stay inline; there is no other choice in it, so the same calls
//! give the same bytes.

use super::format::{self, record, value};
use super::{TraceEvent, TraceMethod, TraceValue};
use crate::frame::ByteWriter;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Writes one trace file.
#[derive(Debug)]
pub struct TraceWriter {
    file: Vec<u8>,
    chunk_size: usize,
    methods: Vec<TraceMethod>,
    classes: BTreeMap<Arc<str>, u32>,
    threads: Vec<Thread>,
}

#[derive(Debug, Default)]
struct Thread {
    /// Records of the block that is being filled.
    block: ByteWriter,
    records: u64,
    depth: u64,
    texts: BTreeMap<Arc<str>, u32>,
    classes: BTreeSet<u32>,
    methods: BTreeSet<u32>,
    /// Where the current chunk's unused bytes start and end in the file.
    free: (usize, usize),
    chunks: u32,
}

impl TraceWriter {
    /// A trace of the given process with chunks of `chunk_size` bytes; `methods` by the indices that events use.
    pub fn new(process: u64, chunk_size: usize, methods: Vec<TraceMethod>) -> Self {
        let mut header = ByteWriter::new();
        header.magic(format::MAGIC, format::VERSION);
        header.byte(0);
        header.byte(0);
        header.fixed64(process);
        let mut file = header.into_bytes();
        file.resize(format::HEADER, 0);
        TraceWriter {
            file,
            chunk_size,
            methods,
            classes: BTreeMap::new(),
            threads: Vec::new(),
        }
    }

    /// Records of a thread so far, for [`TraceWriter::after`].
    pub fn records(&mut self, thread: u32) -> u64 {
        self.thread(thread).records
    }

    /// Bytes of the file so far, without what is still being gathered.
    pub fn written(&self) -> usize {
        self.file.len()
    }

    /// What `thread` writes next comes after `records` records of thread `other`.
    pub fn after(&mut self, thread: u32, other: u32, records: u64) {
        let mut payload = ByteWriter::new();
        payload.varint(u64::from(other));
        payload.varint(records);
        self.record(thread, record::AFTER, payload.as_bytes());
    }

    /// Writes an event; the thread of `Capped` is 0.
    pub fn event(&mut self, event: &TraceEvent) {
        let mut payload = ByteWriter::new();
        match event {
            TraceEvent::Enter {
                thread,
                method,
                receiver,
                arguments,
            } => {
                self.define_method(*thread, *method);
                payload.varint(u64::from(*method));
                for value in receiver.iter().chain(arguments) {
                    self.value(*thread, value, &mut payload);
                }
                self.record(*thread, record::ENTER, payload.as_bytes());
                self.thread(*thread).depth += 1;
            }
            TraceEvent::Exit { thread, result } => {
                match result {
                    None => self.record(*thread, record::EXIT_VOID, &[]),
                    Some(value) => {
                        self.value(*thread, value, &mut payload);
                        self.record(*thread, record::EXIT, payload.as_bytes());
                    }
                }
                self.end_call(*thread);
            }
            TraceEvent::Throw { thread, class } => {
                payload.varint(self.class(*thread, class));
                self.record(*thread, record::THROW, payload.as_bytes());
                self.end_call(*thread);
            }
            TraceEvent::TestStart {
                thread,
                class,
                method,
            } => {
                payload.varint(self.class(*thread, class));
                payload.varint(self.text(*thread, method));
                self.record(*thread, record::TEST_START, payload.as_bytes());
            }
            TraceEvent::TestEnd { thread, failed } => {
                let kind = if *failed {
                    record::TEST_FAILED
                } else {
                    record::TEST_PASSED
                };
                self.record(*thread, kind, &[]);
                self.flush(*thread);
            }
            TraceEvent::Capped { objects } => {
                payload.length(objects.len());
                for object in objects {
                    payload.varint(*object);
                }
                self.record(0, record::CAPPED, payload.as_bytes());
            }
        }
    }

    /// The bytes, as those of a JVM that ended in order.
    pub fn finish(self) -> Vec<u8> {
        let mut file = self.kill();
        let length = (file.len() as u64).to_le_bytes();
        file[format::FLAGS_AT] = format::FLAG_CLOSED;
        file[format::LENGTH_AT..format::LENGTH_AT + length.len()].copy_from_slice(&length);
        file
    }

    /// The bytes, as those of a JVM that was killed now, but with every record so far.
    pub fn kill(mut self) -> Vec<u8> {
        for thread in 0..self.threads.len() {
            self.flush(thread as u32);
        }
        self.file
    }

    fn thread(&mut self, thread: u32) -> &mut Thread {
        let thread = thread as usize;
        if thread >= self.threads.len() {
            self.threads.resize_with(thread + 1, Thread::default);
        }
        &mut self.threads[thread]
    }

    fn end_call(&mut self, thread: u32) {
        let state = self.thread(thread);
        state.depth = state.depth.saturating_sub(1);
        if state.depth == 0 || state.block.as_bytes().len() > 1 << 15 {
            self.flush(thread);
        }
    }

    fn record(&mut self, thread: u32, kind: u8, payload: &[u8]) {
        let state = self.thread(thread);
        state.records += 1;
        state.block.byte(kind);
        if matches!(
            kind,
            record::EXIT_VOID | record::TEST_PASSED | record::TEST_FAILED
        ) {
            return;
        }
        match u8::try_from(payload.len()) {
            Ok(length) if length != format::LONG_PAYLOAD => state.block.byte(length),
            _ => {
                state.block.byte(format::LONG_PAYLOAD);
                state.block.fixed32(payload.len() as u32);
            }
        }
        state.block.raw(payload);
    }

    fn flush(&mut self, thread: u32) {
        let mut state = std::mem::take(self.thread(thread));
        let body = state.block.as_bytes();
        if !body.is_empty() {
            let needed = format::BLOCK_HEADER + body.len() + 1;
            if state.free.1 - state.free.0 < needed {
                let start = self.file.len();
                let size = self.chunk_size.max(format::CHUNK_HEADER + needed);
                let mut header = ByteWriter::new();
                header.raw(&format::CHUNK_MAGIC);
                header.fixed32(thread);
                header.fixed32(size as u32);
                header.fixed32(state.chunks);
                self.file.extend_from_slice(header.as_bytes());
                self.file.resize(start + size, 0);
                state.chunks += 1;
                state.free = (start + format::CHUNK_HEADER, start + size);
            }
            let (start, _) = state.free;
            let body_start = start + format::BLOCK_HEADER;
            self.file[start..body_start].copy_from_slice(&(body.len() as u32).to_le_bytes());
            let end = body_start + body.len();
            self.file[body_start..end].copy_from_slice(body);
            self.file[end] = format::BLOCK_END;
            state.free.0 = start + needed;
            state.block.clear();
        }
        *self.thread(thread) = state;
    }

    fn class(&mut self, thread: u32, name: &Arc<str>) -> u64 {
        let next = self.classes.len() as u32;
        let number = *self.classes.entry(Arc::clone(name)).or_insert(next);
        if self.thread(thread).classes.insert(number) {
            let mut payload = ByteWriter::new();
            payload.varint(u64::from(number));
            payload.string(name);
            self.record(thread, record::CLASS, payload.as_bytes());
        }
        u64::from(number)
    }

    fn text(&mut self, thread: u32, text: &Arc<str>) -> u64 {
        let texts = &mut self.thread(thread).texts;
        let next = texts.len() as u32;
        if let Some(number) = texts.get(text) {
            return u64::from(*number);
        }
        texts.insert(Arc::clone(text), next);
        self.record(thread, record::TEXT, text.as_bytes());
        u64::from(next)
    }

    fn define_method(&mut self, thread: u32, number: u32) {
        if !self.thread(thread).methods.insert(number) {
            return;
        }
        let method = self.methods[number as usize].clone();
        let class = self.class(thread, &method.class);
        let mut payload = ByteWriter::new();
        payload.varint(u64::from(number));
        payload.varint(class);
        payload.string(&method.name);
        payload.string(&method.descriptor);
        payload.varint(u64::from(method.access));
        self.record(thread, record::METHOD, payload.as_bytes());
    }

    fn value(&mut self, thread: u32, written: &TraceValue, payload: &mut ByteWriter) {
        let signed = |payload: &mut ByteWriter, kind: u8, value: i64| {
            payload.byte(kind);
            payload.signed(value);
        };
        match written {
            TraceValue::Null => payload.byte(value::NULL),
            TraceValue::Boolean(false) => payload.byte(value::FALSE),
            TraceValue::Boolean(true) => payload.byte(value::TRUE),
            TraceValue::Byte(byte) => signed(payload, value::BYTE, i64::from(*byte)),
            TraceValue::Char(char) => {
                payload.byte(value::CHAR);
                payload.varint(u64::from(*char));
            }
            TraceValue::Short(short) => signed(payload, value::SHORT, i64::from(*short)),
            TraceValue::Int(int) => {
                match u8::try_from(i64::from(*int) - i64::from(value::SMALL_LOWEST)) {
                    Ok(small) if i32::from(small) < value::SMALL_COUNT => {
                        payload.byte(value::SMALL_INT + small);
                    }
                    _ => signed(payload, value::INT, i64::from(*int)),
                }
            }
            TraceValue::Long(long) => signed(payload, value::LONG, *long),
            TraceValue::Float(bits) => {
                payload.byte(value::FLOAT);
                payload.fixed32(*bits);
            }
            TraceValue::Double(bits) => {
                payload.byte(value::DOUBLE);
                payload.fixed64(*bits);
            }
            TraceValue::Text(text) if text.len() > 256 => {
                payload.byte(value::INLINE_TEXT);
                payload.string(text);
            }
            TraceValue::Text(text) => {
                let number = self.text(thread, text);
                payload.byte(value::TEXT);
                payload.varint(number);
            }
            TraceValue::UnknownText => payload.byte(value::UNKNOWN_TEXT),
            TraceValue::UnknownNumber => payload.byte(value::UNKNOWN_NUMBER),
            TraceValue::EnumConstant { class, name } => {
                payload.byte(value::ENUM);
                payload.varint(self.class(thread, class));
                payload.varint(self.text(thread, name));
            }
            TraceValue::ClassLiteral(descriptor) => {
                payload.byte(value::CLASS);
                payload.varint(self.text(thread, descriptor));
            }
            TraceValue::Object { id, class, profile } => {
                let class = self.class(thread, class);
                payload.byte(if profile.is_some() {
                    value::PROFILED
                } else {
                    value::OBJECT
                });
                payload.varint(*id);
                payload.varint(class);
                if let Some(profile) = profile {
                    payload.length(profile.len());
                    for code in profile {
                        payload.varint(u64::from(*code));
                    }
                }
            }
            TraceValue::Array {
                id,
                class,
                length,
                profile,
                elements,
            } => {
                let class = self.class(thread, class);
                payload.byte(value::ARRAY);
                payload.varint(*id);
                payload.varint(class);
                payload.varint(u64::from(*length));
                payload.varint(u64::from(*profile));
                payload.length(elements.len());
                for element in elements {
                    self.value(thread, element, payload);
                }
            }
        }
    }
}
