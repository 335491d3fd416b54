//! Values in the payloads of trace records.
//!
//! Comes in: a payload, the thread's texts, the file's classes. Goes out: [`TraceValue`]s.
//! Does not know: whose arguments they are.

use super::TraceValue;
use super::format::{self, value};
use crate::WireError;
use crate::frame::ByteReader;
use std::sync::Arc;

/// What values refer to.
#[derive(Clone, Copy)]
pub(super) struct Names<'t> {
    pub texts: &'t [Arc<str>],
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

    #[inline]
    pub fn text(&self, reader: &mut ByteReader<'_>) -> Result<Arc<str>, WireError> {
        let number = reader.varint32()? as usize;
        match self.texts.get(number) {
            Some(text) => Ok(Arc::clone(text)),
            None => Err(reader.damaged("a text defined before its use")),
        }
    }

    #[inline]
    pub fn value(&self, reader: &mut ByteReader<'_>) -> Result<TraceValue, WireError> {
        self.nested(reader, format::MAX_NESTING)
    }

    fn nested(&self, reader: &mut ByteReader<'_>, nesting: u32) -> Result<TraceValue, WireError> {
        let kind = reader.byte()?;
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
            value::INT => TraceValue::Int(reader.signed32()?),
            value::LONG => TraceValue::Long(reader.signed()?),
            value::FLOAT => TraceValue::Float(reader.fixed32()?),
            value::DOUBLE => TraceValue::Double(reader.fixed64()?),
            value::TEXT => TraceValue::Text(self.text(reader)?),
            value::INLINE_TEXT => TraceValue::Text(reader.string()?.into()),
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
        Ok(TraceValue::Array {
            id,
            class,
            length,
            profile,
            elements,
        })
    }
}
