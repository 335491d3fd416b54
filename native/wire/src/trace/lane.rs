//! One thread's records in a trace file.
//!
//! Comes in: the bytes of the file and the chunks of one thread, in order. Goes out: its records, one by one, as kind
//! and payload. A block is read only when the mark behind it is there, which is written last; so a JVM killed in the
//! middle of a write leaves nothing that looks like a record.
//! Does not know: what a payload says.

use super::format::{self, record};
use crate::WireError;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

/// A record: kind, payload and the payload's offset in the file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Record<'a> {
    pub kind: u8,
    pub payload: &'a [u8],
    pub offset: u64,
}

/// Where one thread stands.
#[derive(Debug, Default)]
pub(super) struct Lane {
    /// Bytes of its chunks without their headers; the reader cuts them at the end of the file.
    pub chunks: Vec<Range<usize>>,
    /// Next chunk in `chunks`.
    next_chunk: usize,
    /// Rest of the current chunk behind the current block.
    chunk: Range<usize>,
    /// Rest of the current block.
    block: Range<usize>,
    /// Records read so far.
    pub records: u64,
    /// Calls that are open.
    pub depth: u64,
    /// The thread's texts.
    pub texts: Vec<Arc<str>>,
    /// Numbers of those that are held back.
    pub held: BTreeSet<u32>,
    /// True once everything was read.
    pub finished: bool,
    /// True if a block was cut, by the end of the file or by the end of the JVM.
    pub cut: bool,
}

impl Lane {
    /// The next record; `None` once everything was read.
    #[inline]
    pub fn next_record<'a>(&mut self, bytes: &'a [u8]) -> Result<Option<Record<'a>>, WireError> {
        if self.block.is_empty() && !self.next_block(bytes)? {
            return Ok(None);
        }
        let rest = &bytes[self.block.clone()];
        let kind = rest[0];
        let start = self.block.start;
        let (header, length) = match kind {
            record::EXIT_VOID | record::TEST_PASSED | record::TEST_FAILED => (1, 0),
            record::ENTER..=record::TEXT => Self::payload_length(rest, start)?,
            _ => return Err(damaged(start, "a kind of record")),
        };
        let Some(payload) = rest.get(header..header + length) else {
            return Err(damaged(start, "a record that fits its block"));
        };
        self.block.start = start + header + length;
        self.records += 1;
        let offset = (start + header) as u64;
        Ok(Some(Record {
            kind,
            payload,
            offset,
        }))
    }

    /// Length of the header and of the payload.
    #[inline]
    fn payload_length(rest: &[u8], start: usize) -> Result<(usize, usize), WireError> {
        match rest.get(1) {
            Some(&format::LONG_PAYLOAD) => match rest.get(2..6) {
                Some(&[a, b, c, d]) => Ok((6, u32::from_le_bytes([a, b, c, d]) as usize)),
                _ => Err(damaged(start, "the length of a record")),
            },
            Some(&length) => Ok((2, usize::from(length))),
            None => Err(damaged(start, "the length of a record")),
        }
    }

    fn next_block(&mut self, bytes: &[u8]) -> Result<bool, WireError> {
        while !self.finished {
            let start = self.chunk.start;
            let length = match bytes[self.chunk.clone()].first_chunk() {
                Some(length) => u32::from_le_bytes(*length) as usize,
                None => 0,
            };
            if length == 0 {
                let Some(chunk) = self.chunks.get(self.next_chunk) else {
                    self.finished = true;
                    break;
                };
                self.chunk = chunk.clone();
                self.next_chunk += 1;
                continue;
            }
            let body = start + format::BLOCK_HEADER;
            let end = body + length;
            if end >= self.chunk.end {
                if self.chunk.end < bytes.len() {
                    return Err(damaged(start, "a block that fits its chunk"));
                }
                self.finished = true;
                self.cut = true;
                break;
            }
            match bytes[end] {
                format::BLOCK_END => {
                    self.block = body..end;
                    self.chunk.start = end + 1;
                    return Ok(true);
                }
                0 => {
                    self.finished = true;
                    self.cut = true;
                }
                _ => return Err(damaged(end, "the end of a block")),
            }
        }
        Ok(false)
    }
}

fn damaged(offset: usize, what: &'static str) -> WireError {
    WireError::Damaged {
        offset: offset as u64,
        what,
    }
}
