//! Primitives of the wire: variable-length integers, strings, magic numbers, versions, frames.
//!
//! Comes in: bytes (of a trace file, or of a worker's standard streams). Goes out: integers, strings and whole frames,
//! and back. Every length is checked against the bytes that are there before anything is allocated, so that damaged
//! bytes give [`WireError::Damaged`] and never a panic or a huge allocation.
//! Does not know: what the numbers mean.
//!
//! Worked example: the frame of the string `"hé"` is `04 00 00 00` (length of the body, little-endian),
//! `03 68 c3 a9` (varint length in bytes, UTF-8).

use crate::WireError;
pub use crate::stream::{FrameReader, write_frame};

/// Bytes in the length field before each frame's body.
pub const FRAME_HEADER: usize = 4;
/// No frame is longer; a longer length means that the two sides lost each other.
pub const MAX_FRAME: usize = 1 << 30;
/// Bytes of a magic number with its version: four of magic, two of version (little-endian).
pub const MAGIC_LENGTH: usize = 6;

/// Appends primitives to bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ByteWriter {
    bytes: Vec<u8>,
}

impl ByteWriter {
    /// Empty.
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends a magic number and a version.
    pub fn magic(&mut self, magic: [u8; 4], version: u16) {
        self.bytes.extend_from_slice(&magic);
        self.bytes.extend_from_slice(&version.to_le_bytes());
    }

    /// Appends one byte.
    pub fn byte(&mut self, byte: u8) {
        self.bytes.push(byte);
    }

    /// Appends `true` as 1 and `false` as 0.
    pub fn boolean(&mut self, value: bool) {
        self.bytes.push(u8::from(value));
    }

    /// Appends an unsigned LEB128 integer.
    pub fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.bytes.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.bytes.push(value as u8);
    }

    /// Appends a count or length.
    pub fn length(&mut self, length: usize) {
        self.varint(length as u64);
    }

    /// Appends a signed integer, zigzag-coded.
    pub fn signed(&mut self, value: i64) {
        self.varint((value.cast_unsigned() << 1) ^ (value >> 63).cast_unsigned());
    }

    /// Appends four bytes, little-endian.
    pub fn fixed32(&mut self, value: u32) {
        self.bytes.extend_from_slice(&value.to_le_bytes());
    }

    /// Appends eight bytes, little-endian.
    pub fn fixed64(&mut self, value: u64) {
        self.bytes.extend_from_slice(&value.to_le_bytes());
    }

    /// Appends a string: length in bytes, UTF-8.
    pub fn string(&mut self, text: &str) {
        self.blob(text.as_bytes());
    }

    /// Appends bytes behind their length.
    pub fn blob(&mut self, bytes: &[u8]) {
        self.length(bytes.len());
        self.bytes.extend_from_slice(bytes);
    }

    /// Appends bytes as they are.
    pub fn raw(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// Starts a frame; hand the returned place to [`ByteWriter::end_frame`].
    pub fn begin_frame(&mut self) -> usize {
        let start = self.bytes.len();
        self.fixed32(0);
        start
    }

    /// Fills in the length of the frame begun at `start`.
    pub fn end_frame(&mut self, start: usize) {
        let length = self.bytes.len() - start - FRAME_HEADER;
        self.bytes[start..start + FRAME_HEADER].copy_from_slice(&(length as u32).to_le_bytes());
    }

    /// Bytes so far.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Forgets the bytes but keeps their room.
    pub fn clear(&mut self) {
        self.bytes.clear();
    }

    /// The bytes.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

/// Reads primitives from bytes, front to back.
#[derive(Clone, Debug)]
pub struct ByteReader<'a> {
    bytes: &'a [u8],
    position: usize,
    /// Offset of `bytes[0]` in the whole file or stream, for messages.
    base: u64,
}

impl<'a> ByteReader<'a> {
    /// Reads from the first of these bytes on.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self::at(bytes, 0)
    }

    /// Reads from the first of these bytes on, which stands at offset `base` of something larger.
    pub fn at(bytes: &'a [u8], base: u64) -> Self {
        ByteReader {
            bytes,
            position: 0,
            base,
        }
    }

    /// Offset of the next byte, counted from the start of the whole.
    pub fn offset(&self) -> u64 {
        self.base + self.position as u64
    }

    /// Bytes left.
    pub fn remaining(&self) -> usize {
        self.bytes.len() - self.position
    }

    /// True when every byte was read.
    pub fn is_empty(&self) -> bool {
        self.remaining() == 0
    }

    /// The error for what was read last.
    pub fn damaged(&self, what: &'static str) -> WireError {
        WireError::Damaged {
            offset: self.offset(),
            what,
        }
    }

    /// Reads a magic number and a version and compares them.
    ///
    /// # Errors
    /// [`WireError::Foreign`] or [`WireError::Version`] where they differ.
    pub fn magic(
        &mut self,
        magic: [u8; 4],
        version: u16,
        expected: &'static str,
    ) -> Result<(), WireError> {
        let found = self
            .raw(MAGIC_LENGTH, expected)
            .map_err(|_| WireError::Foreign { expected })?;
        if found[..4] != magic {
            return Err(WireError::Foreign { expected });
        }
        let found = u16::from_le_bytes([found[4], found[5]]);
        if found == version {
            Ok(())
        } else {
            Err(WireError::Version {
                found,
                expected: version,
            })
        }
    }

    /// Reads one byte.
    ///
    /// # Errors
    /// [`WireError::Damaged`] at the end of the bytes.
    #[inline]
    pub fn byte(&mut self) -> Result<u8, WireError> {
        let Some(&byte) = self.bytes.get(self.position) else {
            return Err(self.damaged("a byte"));
        };
        self.position += 1;
        Ok(byte)
    }

    /// Reads a boolean.
    ///
    /// # Errors
    /// [`WireError::Damaged`] if it is neither 0 nor 1.
    pub fn boolean(&mut self) -> Result<bool, WireError> {
        match self.byte()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(self.damaged("a boolean")),
        }
    }

    /// Reads an unsigned LEB128 integer of up to 64 bits.
    ///
    /// # Errors
    /// [`WireError::Damaged`] at the end of the bytes or if it is longer.
    #[inline]
    pub fn varint(&mut self) -> Result<u64, WireError> {
        let first = self.byte()?;
        if first < 0x80 {
            return Ok(u64::from(first));
        }
        let mut value = u64::from(first & 0x7f);
        let mut shift = 7;
        loop {
            let byte = self.byte()?;
            if shift == 63 && byte > 1 {
                return Err(self.damaged("an integer of at most 64 bits"));
            }
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(value);
            }
            shift += 7;
        }
    }

    /// Reads an unsigned integer of up to 32 bits.
    ///
    /// # Errors
    /// [`WireError::Damaged`] at the end of the bytes or if it is larger.
    #[inline]
    pub fn varint32(&mut self) -> Result<u32, WireError> {
        u32::try_from(self.varint()?).map_err(|_| self.damaged("an integer of at most 32 bits"))
    }

    /// Reads an unsigned integer of up to 16 bits.
    ///
    /// # Errors
    /// [`WireError::Damaged`] at the end of the bytes or if it is larger.
    pub fn varint16(&mut self) -> Result<u16, WireError> {
        u16::try_from(self.varint()?).map_err(|_| self.damaged("an integer of at most 16 bits"))
    }

    /// Reads unsigned integers of up to 16 bits, without telling them apart, and returns their bytes.
    ///
    /// # Errors
    /// [`WireError::Damaged`] as [`ByteReader::varint16`].
    #[inline]
    pub fn varints16(&mut self, count: usize) -> Result<&'a [u8], WireError> {
        let rest = &self.bytes[self.position..];
        if let Some(short) = rest.get(..count)
            && short.iter().all(|&byte| byte < 0x80)
        {
            self.position += count;
            return Ok(short);
        }
        let before = self.remaining();
        for _ in 0..count {
            self.varint16()?;
        }
        Ok(&rest[..before - self.remaining()])
    }

    /// Reads a signed integer, zigzag-coded.
    ///
    /// # Errors
    /// [`WireError::Damaged`] as [`ByteReader::varint`].
    pub fn signed(&mut self) -> Result<i64, WireError> {
        let coded = self.varint()?;
        Ok((coded >> 1).cast_signed() ^ -(coded & 1).cast_signed())
    }

    /// Reads a signed integer of up to 32 bits.
    ///
    /// # Errors
    /// [`WireError::Damaged`] at the end of the bytes or if it is out of range.
    pub fn signed32(&mut self) -> Result<i32, WireError> {
        i32::try_from(self.signed()?)
            .map_err(|_| self.damaged("a signed integer of at most 32 bits"))
    }

    /// Reads a count of things that take at least one byte each, so it cannot exceed the bytes left.
    ///
    /// # Errors
    /// [`WireError::Damaged`] if it does.
    #[inline]
    pub fn count(&mut self) -> Result<usize, WireError> {
        let count = self.varint()?;
        match usize::try_from(count) {
            Ok(count) if count <= self.remaining() => Ok(count),
            _ => Err(self.damaged("a count that fits the bytes left")),
        }
    }

    /// Reads four bytes, little-endian.
    ///
    /// # Errors
    /// [`WireError::Damaged`] at the end of the bytes.
    pub fn fixed32(&mut self) -> Result<u32, WireError> {
        let raw = self.raw(4, "four bytes")?;
        Ok(u32::from_le_bytes([raw[0], raw[1], raw[2], raw[3]]))
    }

    /// Reads eight bytes, little-endian.
    ///
    /// # Errors
    /// [`WireError::Damaged`] at the end of the bytes.
    pub fn fixed64(&mut self) -> Result<u64, WireError> {
        let low = u64::from(self.fixed32()?);
        Ok(low | u64::from(self.fixed32()?) << 32)
    }

    /// Reads a string without copying it.
    ///
    /// # Errors
    /// [`WireError::Damaged`] at the end of the bytes or if it is no UTF-8.
    pub fn string(&mut self) -> Result<&'a str, WireError> {
        let raw = self.blob()?;
        str::from_utf8(raw).map_err(|_| self.damaged("UTF-8"))
    }

    /// Reads bytes behind their length without copying them.
    ///
    /// # Errors
    /// [`WireError::Damaged`] at the end of the bytes.
    pub fn blob(&mut self) -> Result<&'a [u8], WireError> {
        let length = self.count()?;
        self.raw(length, "as many bytes as their length says")
    }

    /// Reads `length` bytes without copying them.
    ///
    /// # Errors
    /// [`WireError::Damaged`] where there are fewer.
    pub fn raw(&mut self, length: usize, what: &'static str) -> Result<&'a [u8], WireError> {
        let end = self
            .position
            .checked_add(length)
            .filter(|end| *end <= self.bytes.len());
        let Some(end) = end else {
            return Err(self.damaged(what));
        };
        let raw = &self.bytes[self.position..end];
        self.position = end;
        Ok(raw)
    }

    /// Ends reading.
    ///
    /// # Errors
    /// [`WireError::Damaged`] if bytes are left.
    pub fn end(&self) -> Result<(), WireError> {
        if self.is_empty() {
            Ok(())
        } else {
            Err(self.damaged("the end of the bytes"))
        }
    }
}

/// Takes the first frame's body off the bytes received so far: the body and how many bytes it took with its header;
/// `None` where it is not complete yet.
///
/// # Errors
/// [`WireError::Damaged`] if its length cannot be meant.
pub fn split_frame(received: &[u8]) -> Result<Option<(&[u8], usize)>, WireError> {
    let Some(header) = received.first_chunk::<FRAME_HEADER>() else {
        return Ok(None);
    };
    let length = u32::from_le_bytes(*header) as usize;
    if length > MAX_FRAME {
        return Err(WireError::Damaged {
            offset: 0,
            what: "a frame of at most a gigabyte",
        });
    }
    let end = FRAME_HEADER + length;
    Ok(received.get(FRAME_HEADER..end).map(|body| (body, end)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worked_example_goes_both_ways() {
        let mut writer = ByteWriter::new();
        let start = writer.begin_frame();
        writer.string("hé");
        writer.end_frame(start);
        assert_eq!(writer.as_bytes(), [4, 0, 0, 0, 3, 0x68, 0xc3, 0xa9]);
        let (body, taken) = split_frame(writer.as_bytes()).unwrap().unwrap();
        assert_eq!(taken, 8);
        let mut reader = ByteReader::new(body);
        assert_eq!(reader.string(), Ok("hé"));
        assert_eq!(reader.end(), Ok(()));
    }

    #[test]
    fn integers_at_their_limits_go_both_ways() {
        let mut writer = ByteWriter::new();
        let unsigned = [0, 1, 127, 128, 16383, 16384, u64::from(u32::MAX), u64::MAX];
        let signed = [0, -1, 1, i64::from(i32::MIN), i64::MIN, i64::MAX];
        for value in unsigned {
            writer.varint(value);
        }
        for value in signed {
            writer.signed(value);
        }
        writer.fixed64(u64::MAX - 1);
        let bytes = writer.into_bytes();
        let mut reader = ByteReader::new(&bytes);
        assert!(unsigned.iter().all(|value| reader.varint() == Ok(*value)));
        assert!(signed.iter().all(|value| reader.signed() == Ok(*value)));
        assert_eq!(reader.fixed64(), Ok(u64::MAX - 1));
        assert_eq!(reader.end(), Ok(()));
    }

    #[test]
    fn too_long_or_cut_integers_are_damage() {
        assert!(ByteReader::new(&[0xff; 10]).varint().is_err());
        assert!(ByteReader::new(&[0xff, 0xff]).varint().is_err());
        assert!(
            ByteReader::new(&[0xff, 0xff, 0xff, 0xff, 0x10])
                .varint32()
                .is_err()
        );
    }

    #[test]
    fn a_count_beyond_the_bytes_is_damage_before_anything_is_allocated() {
        let error = ByteReader::at(&[0xff, 0xff, 0x7f], 100).blob().unwrap_err();
        assert_eq!(
            error,
            WireError::Damaged {
                offset: 103,
                what: "a count that fits the bytes left"
            }
        );
    }

    #[test]
    fn a_cut_frame_waits_and_an_absurd_one_is_damage() {
        assert_eq!(split_frame(&[4, 0]), Ok(None));
        assert_eq!(split_frame(&[4, 0, 0, 0, 1, 2]), Ok(None));
        assert!(split_frame(&[0xff; 4]).is_err());
    }

    #[test]
    fn a_foreign_magic_and_another_version_are_told_apart() {
        let mut writer = ByteWriter::new();
        writer.magic(*b"PALT", 3);
        let bytes = writer.into_bytes();
        assert_eq!(ByteReader::new(&bytes).magic(*b"PALT", 3, "us"), Ok(()));
        let version = WireError::Version {
            found: 3,
            expected: 4,
        };
        assert_eq!(
            ByteReader::new(&bytes).magic(*b"PALT", 4, "us"),
            Err(version)
        );
        let foreign = WireError::Foreign { expected: "us" };
        assert_eq!(
            ByteReader::new(&bytes).magic(*b"PALW", 3, "us"),
            Err(foreign.clone())
        );
        assert_eq!(
            ByteReader::new(b"PAL").magic(*b"PALT", 3, "us"),
            Err(foreign)
        );
    }
}
