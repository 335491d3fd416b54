//! Java literals.
//!
//! Comes in: constants by their bits or text. Goes out: source text with the same value, in ASCII only.
//! Does not know: variables, classes.

use std::fmt::Write;

/// `(byte) 1` and the like.
pub(crate) fn byte(value: i8) -> String {
    format!("(byte) {value}")
}

/// `(short) 1` and the like.
pub(crate) fn short(value: i16) -> String {
    format!("(short) {value}")
}

/// `5`; the smallest value by its name.
pub(crate) fn int(value: i32) -> String {
    match value {
        i32::MIN => "Integer.MIN_VALUE".into(),
        i32::MAX => "Integer.MAX_VALUE".into(),
        _ => value.to_string(),
    }
}

/// `5L`
pub(crate) fn long(value: i64) -> String {
    match value {
        i64::MIN => "Long.MIN_VALUE".into(),
        i64::MAX => "Long.MAX_VALUE".into(),
        _ => format!("{value}L"),
    }
}

/// A float of exactly these bits.
pub(crate) fn float(bits: u32) -> String {
    let value = f32::from_bits(bits);
    if bits == f32::NAN.to_bits() {
        "Float.NaN".into()
    } else if value.is_nan() {
        format!("Float.intBitsToFloat(0x{bits:08x})")
    } else if value.is_infinite() {
        if value > 0.0 {
            "Float.POSITIVE_INFINITY".into()
        } else {
            "Float.NEGATIVE_INFINITY".into()
        }
    } else {
        format!("{}f", decimal(format!("{value:?}")))
    }
}

/// A double of exactly these bits.
pub(crate) fn double(bits: u64) -> String {
    let value = f64::from_bits(bits);
    if bits == f64::NAN.to_bits() {
        "Double.NaN".into()
    } else if value.is_nan() {
        format!("Double.longBitsToDouble(0x{bits:016x}L)")
    } else if value.is_infinite() {
        if value > 0.0 {
            "Double.POSITIVE_INFINITY".into()
        } else {
            "Double.NEGATIVE_INFINITY".into()
        }
    } else {
        decimal(format!("{value:?}"))
    }
}

/// Rust's shortest form that reads back to the same bits, as Java writes it.
fn decimal(text: String) -> String {
    match text.split_once('e') {
        None => text,
        Some((mantissa, exponent)) => {
            let mantissa = if mantissa.contains('.') {
                mantissa.to_owned()
            } else {
                format!("{mantissa}.0")
            };
            format!("{mantissa}E{exponent}")
        }
    }
}

/// A char literal.
pub(crate) fn char(unit: u16) -> String {
    let mut text = String::from("'");
    if unit == u16::from(b'\'') {
        text.push_str("\\'");
    } else if unit == u16::from(b'"') {
        text.push('"');
    } else {
        escape(unit, None, &mut text);
    }
    text.push('\'');
    text
}

/// A string literal; parts of very long ones are joined by `+`, which the compiler folds.
pub(crate) fn text(value: &str) -> String {
    let units: Vec<u16> = value.encode_utf16().collect();
    let mut text = String::from("\"");
    for (position, &unit) in units.iter().enumerate() {
        escape(unit, units.get(position + 1).copied(), &mut text);
    }
    text.push('"');
    text
}

/// Unicode escapes are read before anything else, so those of line ends, quotes and backslashes must not be used.
fn escape(unit: u16, next: Option<u16>, into: &mut String) {
    match u8::try_from(unit) {
        Ok(b'\n') => into.push_str("\\n"),
        Ok(b'\r') => into.push_str("\\r"),
        Ok(b'\t') => into.push_str("\\t"),
        Ok(8) => into.push_str("\\b"),
        Ok(12) => into.push_str("\\f"),
        Ok(b'"') => into.push_str("\\\""),
        Ok(b'\\') => into.push_str("\\\\"),
        Ok(byte @ b' '..=b'~') => into.push(char::from(byte)),
        Ok(0) if !next.is_some_and(|next| (u16::from(b'0')..=u16::from(b'7')).contains(&next)) => {
            into.push_str("\\0");
        }
        _ => write!(into, "\\u{unit:04x}").expect("writing to a String cannot fail"),
    }
}
