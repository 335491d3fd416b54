//! Values in the payloads of trace records.
//!
//! Comes in: a payload, the thread's texts, the file's classes. Goes out: [`TraceValue`]s, or [`RawValue`]s, which leave
//! the most frequent kind, objects, as they stand in the file.
//! Does not know: whose arguments they are.

use super::TraceValue;
use super::format::{self, value};
use crate::WireError;
use crate::frame::ByteReader;
use std::collections::BTreeSet;
use std::sync::Arc;

/// A value of which only what is rare was copied out of the file.
#[derive(Clone, Debug, PartialEq)]
pub enum RawValue<'a> {
    /// As [`TraceValue::Object`].
    Object {
        /// Identity within the process.
        id: u64,
        /// Number of its runtime class, for `TraceReader::class`.
        class: u32,
        /// Its profile; none for platform classes.
        profile: Option<RawProfile<'a>>,
    },
    /// Any other value.
    Other(TraceValue),
}

/// The codes of a profile as they stand in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RawProfile<'a>(&'a [u8]);

impl<'a> RawProfile<'a> {
    /// Their bytes; profiles of the same bytes are the same.
    pub fn bytes(self) -> &'a [u8] {
        self.0
    }

    /// Codes of `palus_sequence::AbstractValue`.
    pub fn codes(self) -> Vec<u16> {
        let mut reader = ByteReader::new(self.0);
        let mut codes = Vec::with_capacity(self.0.len());
        while !reader.is_empty() {
            codes.push(reader.varint16().expect("checked when it was read"));
        }
        codes
    }
}

/// The values of one event, one after the other.
#[derive(Debug)]
pub struct RawValues<'r, 'a> {
    pub(super) names: Names<'r>,
    pub(super) payload: ByteReader<'a>,
    /// Values that are still to come.
    pub(super) left: u32,
}

impl<'a> RawValues<'_, 'a> {
    /// The next value; `None` after the last.
    ///
    /// # Errors
    /// [`WireError::Damaged`] where the bytes break the format.
    #[inline]
    pub fn next_value(&mut self) -> Result<Option<RawValue<'a>>, WireError> {
        if self.left == 0 {
            self.payload.end()?;
            return Ok(None);
        }
        self.left -= 1;
        let payload = &mut self.payload;
        let kind = payload.byte()?;
        if kind != value::OBJECT && kind != value::PROFILED {
            let other = self.names.of_kind(kind, payload, format::MAX_NESTING)?;
            return Ok(Some(RawValue::Other(other)));
        }
        let id = payload.varint()?;
        let class = self.names.class_number(payload)?;
        let profile = if kind == value::PROFILED {
            let count = payload.count()?;
            Some(RawProfile(payload.varints16(count)?))
        } else {
            None
        };
        Ok(Some(RawValue::Object { id, class, profile }))
    }
}

/// A value that may have to be held back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PlainValue<'t> {
    /// A text.
    Text(&'t str),
    /// An int or a long.
    Integer(i64),
    /// A float, by its bits.
    Float(u32),
    /// A double, by its bits.
    Double(u64),
}

/// So many letters at least are a text that may be held back.
const FEWEST_LETTERS: usize = 4;

/// The code that a floating-point number is; none where it has a fraction, or is too small or too large for one.
#[expect(
    clippy::cast_sign_loss,
    clippy::cast_possible_truncation,
    reason = "it is within the bounds and whole"
)]
pub fn whole_code(number: f64) -> Option<u32> {
    let is_code = (0.0..=f64::from(u32::from(char::MAX))).contains(&number);
    (is_code && number.fract() == 0.0).then_some(number as u32)
}

/// The text whose letters are given by their codes, UTF-16 code units or code points; another character stands for each
/// that is no letter. None where there are too few letters.
pub fn spelled(codes: impl Iterator<Item = Option<u32>>) -> Option<String> {
    let mut units = Vec::new();
    let mut letters = 0;
    for code in codes {
        let unit = code.and_then(|code| u16::try_from(code).ok());
        match (unit, code.and_then(char::from_u32)) {
            (Some(unit), _) => units.push(unit),
            (_, Some(letter)) => units.extend(letter.encode_utf16(&mut [0; 2]).iter()),
            (None, None) => {
                units.extend(char::REPLACEMENT_CHARACTER.encode_utf16(&mut [0; 2]).iter());
                continue;
            }
        }
        letters += 1;
    }
    (letters >= FEWEST_LETTERS).then(|| String::from_utf16_lossy(&units))
}

/// Which values are not to be read.
#[derive(Clone, Copy, Default)]
pub(super) struct HoldBack<'t>(pub Option<&'t (dyn Fn(PlainValue<'_>) -> bool + Sync)>);

impl std::fmt::Debug for HoldBack<'_> {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(to, "HoldBack({})", self.0.is_some())
    }
}

impl HoldBack<'_> {
    pub fn is_held(self, text: &str) -> bool {
        self.0
            .is_some_and(|is_held| is_held(PlainValue::Text(text)))
    }

    fn number(self, plain: PlainValue<'_>, number: TraceValue) -> TraceValue {
        match self.0 {
            Some(is_held) if is_held(plain) => TraceValue::UnknownNumber,
            _ => number,
        }
    }

    /// The same for a text given as an array of its letters: characters, bytes, or numbers of another type.
    fn is_held_in_pieces(self, elements: &[TraceValue]) -> bool {
        if self.0.is_none() || elements.is_empty() {
            return false;
        }
        let code = |element: &TraceValue| match element {
            TraceValue::Char(unit) => Some(u32::from(*unit)),
            TraceValue::Byte(byte) => Some(u32::from(byte.cast_unsigned())),
            TraceValue::Short(number) => u32::try_from(*number).ok(),
            TraceValue::Int(number) => u32::try_from(*number).ok(),
            TraceValue::Long(number) => u32::try_from(*number).ok(),
            TraceValue::Float(bits) => whole_code(f64::from(f32::from_bits(*bits))),
            TraceValue::Double(bits) => whole_code(f64::from_bits(*bits)),
            _ => None,
        };
        spelled(elements.iter().map(code)).is_some_and(|text| self.is_held(&text))
    }
}

/// What values refer to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Names<'t> {
    pub texts: &'t [Arc<str>],
    /// Numbers of texts that are held back.
    pub held: &'t BTreeSet<u32>,
    pub hold_back: HoldBack<'t>,
    pub classes: &'t [Option<Arc<str>>],
}

impl Names<'_> {
    #[inline]
    pub fn class(&self, reader: &mut ByteReader<'_>) -> Result<Arc<str>, WireError> {
        let number = reader.varint32()? as usize;
        match self.classes.get(number) {
            Some(Some(name)) => Ok(Arc::clone(name)),
            _ => Err(reader.damaged("a class defined before its use")),
        }
    }

    /// The number of a class that is defined.
    #[inline]
    fn class_number(&self, reader: &mut ByteReader<'_>) -> Result<u32, WireError> {
        let number = reader.varint32()?;
        match self.classes.get(number as usize) {
            Some(Some(_)) => Ok(number),
            _ => Err(reader.damaged("a class defined before its use")),
        }
    }

    #[inline]
    pub fn text(&self, reader: &mut ByteReader<'_>) -> Result<Arc<str>, WireError> {
        self.numbered(reader).map(|(_, text)| text)
    }

    #[inline]
    fn numbered(&self, reader: &mut ByteReader<'_>) -> Result<(u32, Arc<str>), WireError> {
        let number = reader.varint32()?;
        match self.texts.get(number as usize) {
            Some(text) => Ok((number, Arc::clone(text))),
            None => Err(reader.damaged("a text defined before its use")),
        }
    }

    #[inline]
    pub fn value(&self, reader: &mut ByteReader<'_>) -> Result<TraceValue, WireError> {
        self.nested(reader, format::MAX_NESTING)
    }

    fn nested(&self, reader: &mut ByteReader<'_>, nesting: u32) -> Result<TraceValue, WireError> {
        let kind = reader.byte()?;
        self.of_kind(kind, reader, nesting)
    }

    fn of_kind(
        &self,
        kind: u8,
        reader: &mut ByteReader<'_>,
        nesting: u32,
    ) -> Result<TraceValue, WireError> {
        Ok(match kind {
            value::SMALL_INT..=u8::MAX => {
                TraceValue::Int(i32::from(kind - value::SMALL_INT) + value::SMALL_LOWEST)
            }
            value::NULL => TraceValue::Null,
            value::FALSE => TraceValue::Boolean(false),
            value::TRUE => TraceValue::Boolean(true),
            value::BYTE => {
                let signed = reader.signed()?;
                let byte = i8::try_from(signed).map_err(|_| reader.damaged("a byte"))?;
                TraceValue::Byte(byte)
            }
            value::CHAR => TraceValue::Char(reader.varint16()?),
            value::SHORT => {
                let signed = reader.signed()?;
                let short = i16::try_from(signed).map_err(|_| reader.damaged("a short"))?;
                TraceValue::Short(short)
            }
            value::INT => {
                let number = reader.signed32()?;
                let plain = PlainValue::Integer(i64::from(number));
                self.hold_back.number(plain, TraceValue::Int(number))
            }
            value::LONG => {
                let number = reader.signed()?;
                let plain = PlainValue::Integer(number);
                self.hold_back.number(plain, TraceValue::Long(number))
            }
            value::FLOAT => {
                let bits = reader.fixed32()?;
                let plain = PlainValue::Float(bits);
                self.hold_back.number(plain, TraceValue::Float(bits))
            }
            value::DOUBLE => {
                let bits = reader.fixed64()?;
                let plain = PlainValue::Double(bits);
                self.hold_back.number(plain, TraceValue::Double(bits))
            }
            value::UNKNOWN_NUMBER => TraceValue::UnknownNumber,
            value::TEXT => {
                let (number, text) = self.numbered(reader)?;
                if self.held.contains(&number) {
                    TraceValue::UnknownText
                } else {
                    TraceValue::Text(text)
                }
            }
            value::INLINE_TEXT => {
                let text = reader.string()?;
                if self.hold_back.is_held(text) {
                    TraceValue::UnknownText
                } else {
                    TraceValue::Text(text.into())
                }
            }
            value::UNKNOWN_TEXT => TraceValue::UnknownText,
            value::ENUM => {
                let class = self.class(reader)?;
                let name = self.text(reader)?;
                TraceValue::EnumConstant { class, name }
            }
            value::CLASS => TraceValue::ClassLiteral(self.text(reader)?),
            value::OBJECT => TraceValue::Object {
                id: reader.varint()?,
                class: self.class(reader)?,
                profile: None,
            },
            value::PROFILED => TraceValue::Object {
                id: reader.varint()?,
                class: self.class(reader)?,
                profile: {
                    let count = reader.count()?;
                    let mut codes = Vec::with_capacity(count);
                    for _ in 0..count {
                        codes.push(reader.varint16()?);
                    }
                    Some(codes)
                },
            },
            value::ARRAY => self.array(reader, nesting)?,
            _ => return Err(reader.damaged("a kind of value")),
        })
    }

    fn array(&self, reader: &mut ByteReader<'_>, nesting: u32) -> Result<TraceValue, WireError> {
        let id = reader.varint()?;
        let class = self.class(reader)?;
        let length = reader.varint32()?;
        let profile = reader.varint16()?;
        let count = reader.count()?;
        if nesting == 0 && count > 0 {
            return Err(reader.damaged("arrays nested less deep"));
        }
        let mut elements = Vec::with_capacity(count.min(16));
        for _ in 0..count {
            elements.push(self.nested(reader, nesting - 1)?);
        }
        if self.hold_back.is_held_in_pieces(&elements) {
            elements.clear();
        }
        Ok(TraceValue::Array {
            id,
            class,
            length,
            profile,
            elements,
        })
    }
}
